"""What a program is started in: streams that are closed or full, no home, folders that are read-only or missing,
locales, words that are no text. It plays, or says in one sentence why not."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.attacks.attack import Attack
from tests.attacks.match import PATIENCE, Door, Ended, Table, agreed, environment, lines, script
from tests.attacks.scarcity import SOMEBODY
from tests.kept import COMPANION

READ_RIGHTS = "+dac_read_search"  # to find the program, wherever it lies; not to write
AS_READER = (
    *("setpriv", f"--reuid={SOMEBODY}", "--clear-groups"),
    *(f"--inh-caps={READ_RIGHTS}", f"--ambient-caps={READ_RIGHTS}"),
)
MOVES = 8
UNHEARD = 1000  # whoever reads goes away, or cannot be written to
BEGINS = ("referee", "three", "--players", "Anna,Ben,Clara")
Play = Callable[[Path], Ended]


def _closing(*streams: int) -> Play:
    def close() -> None:
        for stream in streams:
            os.close(stream)

    def play(folder: Path) -> Ended:
        return Door(folder, close).piped()

    return play


def _to(name: str) -> Play:
    """Its output goes there."""

    def play(folder: Path) -> Ended:
        with Path(name).open("wb") as out:
            return Door(folder).piped(stdout=out)

    return play


def _from(name: str) -> Play:
    """Its input comes from there."""

    def play(folder: Path) -> Ended:
        source = os.open(name, os.O_RDONLY)
        try:
            return Door(folder).piped(stdin=source)
        finally:
            os.close(source)

    return play


def _unread(folder: Path) -> Ended:
    """Whoever reads it goes away after the first lines."""

    def goes(process: subprocess.Popen[bytes]) -> None:
        assert process.stdout
        os.dup2(os.open(os.devnull, os.O_RDONLY), process.stdout.fileno())

    return Door(folder).played(3, goes)


def _in(**more: str | None) -> Play:
    return lambda folder: Door(folder, more=more).played()


def _at_home(**more: str | None) -> Play:
    """Where the journal is kept in the home folder."""
    return lambda folder: _said(folder, BEGINS, more)


def _said(
    folder: Path, words: tuple[Any, ...], more: dict[str, str | None] | None = None, before: tuple[str, ...] = ()
) -> Ended:
    done = subprocess.run(
        [*before, *COMPANION, *words],
        cwd=folder,
        env=environment(folder, **(more or {})),
        input=script()[0],
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    told = lines(done.stdout) if words and words[0] == "referee" else []
    return Ended(done.returncode, told, done.stderr.decode(errors="replace"))


def _with(*words: Any) -> Play:
    return lambda folder: _said(folder, words)


def _read_only(folder: Path) -> Ended:
    if os.getuid():
        folder.chmod(0o555)
        return _said(folder, BEGINS)
    return _said(folder, BEGINS, before=AS_READER)


def _nowhere(folder: Path) -> Ended:
    """The folder in which it is started is taken away."""
    gone = folder / "gone"
    gone.mkdir()
    code = "import os, sys; os.rmdir(os.getcwd()); os.execv(sys.argv[1], sys.argv[1:])"
    words = [sys.executable, "-c", code, *COMPANION, *BEGINS, "--no-journal"]
    done = subprocess.run(
        words, cwd=gone, env=environment(folder), input=script()[0], capture_output=True, timeout=PATIENCE, check=False
    )
    return Ended(done.returncode, [], done.stderr.decode(errors="replace"))


AT_THE_DOOR: dict[str, Play] = {
    "no input": _closing(0),
    "no output": _closing(1),
    "no error output": _closing(2),
    "none of the three": _closing(0, 1, 2),
    "a full disk as output": _to("/dev/full"),
    "nothing as input": _from(os.devnull),
    "a reader that goes away": _unread,
    "no home in the environment": _in(HOME=None),
    "an empty home": _at_home(HOME=""),
    "a home that is not there": _at_home(HOME="/proc/nonexistent"),
    "a home that is a file": _at_home(HOME="/etc/passwd"),
    "a home that is a device": _at_home(HOME="/dev/full"),
    "a home that is read-only": _read_only,
    "no folder for what is temporary": _in(TMPDIR="/proc/nonexistent"),
    "a place of state that is none": _at_home(XDG_STATE_HOME="\x7f/.."),
    "Turkish": _in(LANG="tr_TR.UTF-8", LC_ALL="tr_TR.UTF-8"),
    "a locale that is none": _in(LANG="xx_XX", LC_ALL="nonsense"),
    "the plainest locale, without UTF-8": _in(LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"),
    "no locale": _in(LANG=None, LC_ALL=None, PYTHONUTF8="0"),
    "another encoding of its streams": _in(PYTHONIOENCODING="utf-16"),
    "a time zone that is a file": _in(TZ="../../../etc/passwd"),
    "a folder that is gone": _nowhere,
    "a name that is not UTF-8": _with("referee", "three", "--players", b"Anna,\xff\xfe"),
    "a command that is not UTF-8": _with(b"\xc3\x28"),
    "a file name that is not UTF-8": _with("matches", "--journal", b"\xff\xfe.sqlite3"),
    "words without end": _with("referee", "three", "--players", "A" * 100_000),
    "thousands of words": _with("referee", *["three"] * 5000),
    "an empty word": _with(""),
}

AT_THE_TABLE: dict[str, dict[str, str | None]] = {
    "no home in the environment": {"HOME": None},
    "a home that is not there": {"HOME": "/proc/nonexistent"},
    "no folder for what is temporary": {"TMPDIR": "/proc/nonexistent"},
    "Turkish": {"LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"},
    "the plainest locale, without UTF-8": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "no sound": {"SDL_AUDIODRIVER": "nonsense"},
}


def at_the_door(folder: Path) -> str:
    played: list[str] = []
    refused: list[str] = []
    told = 0
    for number, (name, play) in enumerate(AT_THE_DOOR.items()):
        place = folder / str(number)
        place.mkdir()
        place.chmod(0o755)
        ended = play(place)
        try:
            ended.must_be_sentences()
            told += (
                agreed(place / "journal.sqlite3", ended.told, UNHEARD) if (place / "journal.sqlite3").exists() else 0
            )
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None
        assert ended.code in (0, 2), f"{name}: ended with {ended.code} and said {ended.said!r}"
        (refused if ended.said or not ended.told else played).append(name)
    return f"{told} told and kept; plays with {', '.join(played)}; says why not with {', '.join(refused)}"


def at_the_table(folder: Path) -> str:
    told = 0
    for number, (name, more) in enumerate(AT_THE_TABLE.items()):
        place = folder / str(number)
        place.mkdir()
        ended = Table(place, more=more).played(MOVES, lambda process: process.terminate())
        ended.must_be_sentences()
        assert ended.code == 0, f"{name}: ended with {ended.code} and said {ended.said!r}"
        told += agreed(place / "journal.sqlite3", ended.told)
    return f"{told} told and kept; plays with {', '.join(AT_THE_TABLE)}"


ATTACKS = (
    Attack("surroundings", "streams, homes, locales and words, at the door", at_the_door),
    Attack("surroundings", "homes, locales and sound, at the table", at_the_table),
)
