"""A match at the real program, told line by line, and what must have been kept of it: at the door (`companion
referee`), and at the table (`companion`, on a screen that nobody sees, with a guest of tests/attacks/guest.py).

Whatever is done to the process: what it told is what is kept, what it complains of are sentences, and the match can be
gone on with.
"""

import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, Any

from companion.journal import Journal, Stored
from tests.fuzz import is_sentence
from tests.kept import COMPANION, PROJECT

GAME = "three"
PATIENCE = 30  # seconds for a process to end
STARTS = 300  # seconds for it to tell so much that something is done to it
MADE_LATER = 1  # entries that may be kept and not yet told

Line = dict[str, Any]
Limits = Callable[[], None]  # called in the process before the program begins
Does = Callable[[subprocess.Popen[bytes]], None]


def leave(_process: subprocess.Popen[bytes]) -> None:
    """Do nothing to it."""


def environment(folder: Path, **more: str | None) -> dict[str, str]:
    """Of a program whose home is this folder; None takes a variable away."""
    known = {
        **os.environ,
        "PYTHONPATH": str(PROJECT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "OPENBLAS_NUM_THREADS": "1",
        "HOME": str(folder),
        **more,
    }
    return {name: value for name, value in known.items() if value is not None}


@cache
def script() -> tuple[bytes, str]:
    """What is said to a referee, and who plays: bots, somebody errs now and then, undoes, pauses, corrects."""
    from tests.journal.test_kills import play  # noqa: PLC0415

    made = play(GAME, random.Random(3))
    said = ({key: value for key, value in scene.message.items() if key != "at"} for scene in made.scenes)
    return b"".join(json.dumps(one).encode() + b"\n" for one in said), ",".join(made.setup.names)


@dataclass
class Ended:
    """A process that has ended: how, what it told, and what it complained of."""

    code: int
    told: list[Line]
    said: str = ""

    @property
    def sentences(self) -> list[str]:
        return [line.removeprefix("companion: ") for line in self.said.splitlines()]

    @property
    def has_played(self) -> bool:
        """To the end; a message that could not be followed has its answer, and gives a code."""
        return self.code == 0 or (self.code == 2 and bool(self.told) and not self.said)

    def must_be_sentences(self) -> None:
        wrong = [one for one in self.sentences if not is_sentence(one)]
        assert not wrong, f"ended with {self.code} and said {self.said[-800:]!r}"


@dataclass
class Door:
    """`companion referee` in a folder, with the script, or what is left of it."""

    folder: Path
    limits: Limits | None = None
    more: dict[str, str | None] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    command: tuple[str, ...] = COMPANION

    @property
    def journal(self) -> Path:
        return self.folder / "journal.sqlite3"

    @property
    def arguments(self) -> list[str]:
        how = ["--resume"] if self.journal.exists() else ["--players", script()[1]]
        return [*self.command, "referee", GAME, *how, "--journal", str(self.journal), *self.words]

    @contextmanager
    def opened(self, **streams: Any) -> Iterator[subprocess.Popen[bytes]]:
        usual = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with subprocess.Popen(
            self.arguments,
            cwd=self.folder,
            env=environment(self.folder, **self.more),
            preexec_fn=self.limits,  # noqa: PLW1509 - no thread runs yet
            **{**usual, **streams},
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def played(self, moves: int = 0, does: Does = leave) -> Ended:
        """The whole script, to its end or the process'; when so many lines were told something is done to it."""
        with self.opened() as process:
            assert process.stdin
            assert process.stdout
            threading.Thread(target=_streamed, args=(process.stdin,)).start()
            return followed(process, process.stdout, moves, does)

    def piped(self, **streams: Any) -> Ended:
        """The same with other streams."""
        with self.opened(**streams) as process:
            out, said = process.communicate(script()[0] if process.stdin else None, timeout=PATIENCE)
        return Ended(process.returncode, lines(out or b""), (said or b"").decode(errors="replace"))


def _streamed(source: IO[bytes]) -> None:
    with contextlib.suppress(OSError):  # the process has ended
        source.write(script()[0])
        source.close()


@dataclass
class Table:
    """`companion` in a folder: the window with its drawn table, and a guest who is quick."""

    folder: Path
    limits: Limits | None = None
    more: dict[str, str | None] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    before: tuple[str, ...] = ()  # the program: what starts it
    hunger: int = 0  # a seed: memory runs out after a while

    @property
    def journal(self) -> Path:
        return self.folder / "journal.sqlite3"

    @contextmanager
    def opened(self) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
        """The process, and what it tells."""
        ear, mouth = os.pipe()
        words = [
            *self.before,
            sys.executable,
            "-m",
            "tests.attacks.guest",
            str(mouth),
            str(self.hunger),
            "--journal",
            str(self.journal),
            *self.words,
        ]
        with (
            os.fdopen(ear, "rb") as told,
            subprocess.Popen(
                words,
                cwd=self.folder,
                env=environment(self.folder, **self.more),
                pass_fds=[mouth],
                preexec_fn=self.limits,  # noqa: PLW1509
                stderr=subprocess.PIPE,
            ) as process,
        ):
            os.close(mouth)
            try:
                yield process, told
            finally:
                process.kill()

    def played(self, moves: int = 0, does: Does = leave) -> Ended:
        """Until it ends by itself, or until so many lines were told and something is done to it."""
        with self.opened() as (process, ear):
            return followed(process, ear, moves, does)


def followed(process: subprocess.Popen[bytes], ear: IO[bytes], moves: int, does: Does) -> Ended:
    """What the process tells until it ends; how long that may take is counted from what is done to it."""
    late = _killer(process, STARTS)
    heard: list[bytes] = []
    for line in ear:
        heard.append(line)
        if len(heard) == moves:
            late.cancel()
            late = _killer(process, PATIENCE)
            does(process)
    assert process.stderr
    said = process.stderr.read().decode(errors="replace")
    code = process.wait()
    late.cancel()
    return Ended(code, lines(b"".join(heard)), said)


def _killer(process: subprocess.Popen[bytes], seconds: float) -> threading.Timer:
    found = threading.Timer(seconds, process.kill)
    found.start()
    return found


def lines(heard: bytes) -> list[Line]:
    """What was told, up to the last whole line."""
    return [json.loads(line) for line in heard.split(b"\n")[:-1]]


# --- told = kept -----------------------------------------------------------------------------------------------


def agreed(journal: Path, told: list[Line], unheard: int = MADE_LATER) -> int:
    """How much was told of changes of the match, each of which is kept, word by word and in its order; of what was kept
    last so much at most was not heard."""
    from tests.kills import is_of_an_entry, retold  # noqa: PLC0415

    replies = [plainly(line) for line in told]
    about = list(filter(is_of_an_entry, replies))
    if not journal.exists():
        assert not about, f"{len(about)} were told, and there is no journal"
        return 0
    stored = newest(journal)
    if stored:
        about = [
            reply for line, reply in zip(told, replies, strict=True) if is_of(stored, line) and is_of_an_entry(reply)
        ]
    kept = [reply for reply, _ in retold(stored)] if stored else []
    start = len(kept) - len(about)
    found = [kept[at : at + len(about)] == about for at in range(max(0, start - unheard), start + 1)]
    assert start >= 0, f"{len(about)} were told, {len(kept)} are kept"
    assert any(found), f"what was told is not what is kept: {about[-1]}"
    return len(about)


def is_of(stored: Stored, line: Line) -> bool:
    """A table may have begun another match since."""
    return bool(line.get("match", stored.setup.id) == stored.setup.id)


def plainly(line: Line) -> Line:
    """A reply without what only its process knows."""
    reply: Line = line.get("reply", line)
    return {key: value for key, value in reply.items() if key not in ("at", "re")}


def newest(journal: Path) -> Stored | None:
    """The newest match that is kept, read from a copy; a journal that is damaged raises."""
    place = journal.parent / "looked-at"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for file in journal.parent.glob(f"{journal.name}*"):
        if not file.name.endswith(("-shm", ".lock")):
            shutil.copy(file, place)
    with closing(Journal.open(place / journal.name)) as opened:
        assert not opened.notices, opened.notices
        found = opened.matches()
        return opened.stored(found[0].code) if found else None


def went_on(folder: Path) -> str:
    """A new process goes on with the match as it is kept, and plays it."""
    journal = folder / "journal.sqlite3"
    stored = newest(journal) if journal.exists() else None
    if stored is None or not stored.folded().is_running:
        return "nothing to go on with"
    ended = Door(folder).played()
    assert ended.code in (0, 2), (ended.code, ended.said)  # 2: moves of the script that are not possible any more
    assert ended.told, ended.said
    assert ended.told[0]["id"] == stored.setup.id, "it is another match"
    agreed(journal, ended.told)
    return "gone on with"
