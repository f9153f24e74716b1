"""A table in a window: the program on its own X server, a hand for it, what it draws, and how that looks."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.rigs.evening.fingers import Fingers
from tests.rigs.firstminute.screen import Screen, Shot, save
from tests.rigs.load import Patience
from tests.rigs.running import RigError

PATIENCE = 60.0  # seconds until something that must come has come; nothing is judged by how long it took
LOOK = 0.02  # seconds between two looks
EAR = 5.0  # seconds after which a touch went astray between the servers
ANSWER = 12  # turns of the program's loop in which a touch has changed something

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Seen:
    """One thing on the screen."""

    kind: str
    box: Box
    words: str
    sign: str
    look: str
    is_live: bool
    is_meant: bool  # a touch would mean something if nothing lay over it
    is_over: bool
    is_notice: bool
    on_table: bool  # on the drawn one
    on: bool

    @property
    def centre(self) -> tuple[int, int]:
        x, y, w, h = self.box
        return x + w // 2, y + h // 2

    def meets(self, other: "Seen") -> bool:
        (x, y, w, h), (ox, oy, ow, oh) = self.box, other.box
        return x < ox + ow and ox < x + w and y < oy + oh and oy < y + h

    def holds(self, other: "Seen") -> bool:
        (x, y, w, h), (ox, oy, ow, oh) = self.box, other.box
        return x <= ox and ox + ow <= x + w and y <= oy and oy + oh <= y + h


@dataclass(frozen=True)
class Frame:
    """All that is to be seen at a moment."""

    turn: int
    screen: str
    moves: int
    things: tuple[Seen, ...]

    @property
    def live(self) -> list[Seen]:
        return [thing for thing in self.things if thing.is_live and not thing.is_notice]

    @property
    def notices(self) -> list[Seen]:
        return [thing for thing in self.things if thing.is_notice]

    def says(self, words: str) -> bool:
        return any(thing.words == words for thing in self.things)

    def written_on(self, thing: Seen) -> str:
        """The words on it."""
        within = (one.words for one in self.things if one is not thing and one.words and thing.holds(one))
        return thing.words or " / ".join(within)


def read_frame(line: dict[str, Any]) -> Frame:
    return Frame(line["turn"], line["screen"], line["moves"], tuple(map(_seen, line["items"])))


def _seen(item: dict[str, Any]) -> Seen:
    words = item.get("text") or item.get("label") or ""
    look = item.get("look") or item.get("fill") or item.get("role") or ""
    sign = item.get("symbol") or item.get("name") or ""
    left, top, wide, high = item["box"]
    return Seen(
        item["kind"], (left, top, wide, high), words, sign, look, item["live"], item["meant"], item["over"],
        item.get("is_notice", False), bool(item["part"]), bool(item.get("on")),
    )  # fmt: skip


@dataclass
class Table:
    """The program, opened and closed as often as it is on an evening."""

    screen: Screen
    size: tuple[int, int]
    language: str
    folder: Path
    options: tuple[str, ...] = ()
    on_frame: Callable[[Frame], None] = lambda _frame: None
    frame: Frame | None = None
    turn: int = 0
    heard: int = 0
    pictures: int = 0
    openings: int = 0
    unheard: int = 0  # touches that never reached the program
    _read: int = 0
    _process: "subprocess.Popen[bytes] | None" = None
    _rest: bytes = b""

    def __post_init__(self) -> None:
        self.hand = Fingers(self.screen.name)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.journal = self.folder / "journal.sqlite3"
        self.home = self.folder / "home"
        self.home.mkdir(exist_ok=True)
        self._told, self.log = self.folder / "drawn.jsonl", self.folder / "said.txt"

    # --- the program

    def open(self) -> None:
        """Start it, and wait until there is a picture."""
        width, height = self.size
        self.openings += 1
        self.frame, self.turn, self.heard, self._rest = None, 0, 0, b""
        self._told.unlink(missing_ok=True)
        self._read = 0
        command = [sys.executable, "-m", "tests.rigs.evening.told", str(self._told), "--size", f"{width}x{height}"]
        command += ["--language", self.language, "--journal", str(self.journal), *self.options]
        with self.log.open("ab") as log:
            settings = {**self.screen.settings, "HOME": str(self.home), "LC_ALL": "C.UTF-8"}
            self._process = subprocess.Popen(command, env=settings, stdout=log, stderr=log)
        self.hand.move(2, height - 2)
        self.wait(lambda: self.frame is not None, "a window")

    def close(self) -> int:
        """By its window; its exit code."""
        assert self._process is not None
        self.hand.close_window()
        code = self._process.wait(10 * PATIENCE)
        self.look()
        return code

    def kill(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait(10 * PATIENCE)
        self.look()

    def end(self) -> None:
        """Whatever has happened."""
        self.kill()
        self.hand.close()

    @property
    def is_open(self) -> bool:
        return self._process is not None and self._process.poll() is None

    # --- what it draws

    def look(self) -> None:
        """Take in what was drawn since."""
        for line in self._lines():
            self.turn, self.heard = line["turn"], line["heard"]
            if "items" in line:
                self.frame = read_frame(line)
                self.on_frame(self.frame)

    def _lines(self) -> Iterator[dict[str, Any]]:
        if not self._told.exists():
            return
        with self._told.open("rb") as file:
            file.seek(self._read)
            content = file.read()
        self._read += len(content)
        *lines, self._rest = (self._rest + content).split(b"\n")
        yield from map(json.loads, lines)

    @property
    def now(self) -> Frame:
        self.look()
        assert self.frame is not None
        return self.frame

    def wait(self, until: Callable[[], bool], what: str) -> None:
        patience = Patience(PATIENCE)
        self.look()
        while not until():
            if not self.is_open:
                raise RigError(f"{self.folder.name}: the program is gone: {self.said[-600:]}")
            if patience.is_over:
                raise RigError(f"{self.folder.name}: {what} does not come; on {self.frame and self.frame.screen}")
            time.sleep(LOOK)
            self.look()

    def comes(self, until: Callable[[], bool], seconds: float) -> bool:
        """Whether it does within so many seconds of a computer that is ours."""
        patience = Patience(seconds)
        while not until() and not patience.is_over:
            self.rests(LOOK)
        return until()

    def rests(self, seconds: float) -> None:
        """Somebody looks at it for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(LOOK, left))
            self.look()

    @property
    def said(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    # --- how it looks

    def shot(self) -> Shot:
        return self.screen.shot()

    def picture(self, name: str) -> None:
        self.pictures += 1
        file = self.folder / f"{self.pictures:02}-{name.replace(' ', '-')}.png"
        save(self.shot(), file)

    # --- what is done

    def touch(self, thing: Seen) -> bool:
        """Whether anything is seen to come of it."""
        return self.touch_at(*thing.centre)

    def touch_at(self, x: int, y: int) -> bool:
        before, heard = _still(self.now), self.heard
        self.hand.touch(x, y)
        if not self.comes(lambda: self.heard > heard or _still(self.now) != before, EAR):
            self.unheard += 1
            return False
        turn = self.turn
        self.wait(lambda: _still(self.now) != before or self.turn > turn + ANSWER, "an answer to a touch")
        return _still(self.now) != before


def _still(frame: Frame) -> tuple[Any, ...]:
    """What a touch can change."""
    return frame.screen, frame.moves, frame.things
