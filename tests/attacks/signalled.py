"""Signals at any instant: of a referee that is being played at, and of the table on its screen. One life after the
other goes on with the match that the one before has left."""

import contextlib
import random
import signal
import subprocess
import threading
from pathlib import Path

from companion.devices.signals import ENDS, SAY_NOTHING
from tests.attacks.attack import Attack
from tests.attacks.match import Does, Door, Ended, Table, agreed, newest

KILLS = (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT)
STOPS = (signal.SIGSTOP, signal.SIGTSTP)
HARMLESS = (
    *SAY_NOTHING[:7],
    signal.SIGRTMIN,
    signal.SIGRTMAX,
    signal.SIGPIPE,
    signal.SIGWINCH,
    signal.SIGCHLD,
    signal.SIGURG,
)
EACH = 2  # lives for each signal at the door
LATEST = 60  # lines that were told before it
NAP = 0.03  # seconds that a process stands


def sent(number: int) -> Does:
    def does(process: subprocess.Popen[bytes]) -> None:
        process.send_signal(number)
        if number in STOPS:
            threading.Timer(NAP, process.send_signal, [signal.SIGCONT]).start()

    return does


def name_of(number: int) -> str:
    with contextlib.suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"


class Lives:
    """A folder for as long as its match can be gone on with, and then another."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._number = folder, 0
        self.told = self.lives = 0
        self._begin()

    def _begin(self) -> None:
        self._number += 1
        self.place = self._folder / str(self._number)
        self.place.mkdir()

    @property
    def journal(self) -> Path:
        return self.place / "journal.sqlite3"

    def over(self, ended: Ended) -> None:
        """A life: what it told is what was kept."""
        ended.must_be_sentences()
        self.told += agreed(self.journal, ended.told)
        self.lives += 1
        stored = newest(self.journal) if self.journal.exists() else None
        if stored is None or not stored.folded().is_running:
            self._begin()


def at_the_door(folder: Path) -> str:
    chance, lives = random.Random(5), Lives(folder)
    for number in (*ENDS, *KILLS, *STOPS, *HARMLESS):
        for _ in range(EACH):
            ended = Door(lives.place).played(chance.randrange(1, LATEST), sent(number))
            wanted = (-number, 130) if number in (*ENDS, *KILLS) else ()
            assert ended.code in (0, 2, *wanted), f"{name_of(number)}: ended with {ended.code} and said {ended.said!r}"
            assert not ended.said, f"{name_of(number)}: {ended.said!r}"
            lives.over(ended)
    return (
        f"{lives.lives} lives, {lives.told} told and kept; nothing was said on the way out, and each match gone on with"
    )


def at_the_table(folder: Path) -> str:
    """Those that ask to end leave a match that is paused."""
    chance, lives = random.Random(7), Lives(folder)
    for number in (*ENDS, signal.SIGKILL, *STOPS, signal.SIGUSR1, signal.SIGALRM, signal.SIGRTMIN, signal.SIGPIPE):
        ended = Table(lives.place).played(chance.randrange(2, 25), _then_ended(number))
        assert ended.code == (-number if number in KILLS else 0), (name_of(number), ended.code, ended.said)
        stored = newest(lives.journal)
        assert stored is not None, "nothing is kept"
        match = stored.folded()
        assert number in KILLS or match.paused or not match.is_running, f"{name_of(number)} left it unpaused"
        lives.over(ended)
    return (
        f"{lives.lives} lives, {lives.told} told and kept; asked to end it leaves a paused match, and the next goes on"
    )


def _then_ended(number: int) -> Does:
    """The signal, and for one that ends nothing a SIGTERM afterwards."""

    def does(process: subprocess.Popen[bytes]) -> None:
        sent(number)(process)
        if number not in (*ENDS, *KILLS):
            threading.Timer(2 * NAP, process.terminate).start()

    return does


ATTACKS = (
    Attack("signals", "each at random instants of a referee", at_the_door),
    Attack("signals", "each at random instants of the table", at_the_table),
)
