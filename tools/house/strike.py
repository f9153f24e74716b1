"""The calls that one strike costs, counted: from the edge of a simulated button through the real door to the lights.

`python -m tools.house.strike` prints them as JSON. It opens the door `companion referee` and knows nothing below it but
the simulated panel, so the same file counts an earlier companion too: `PYTHONPATH=FOLDER python tools/house/strike.py`.
"""

import json
import os
import queue
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, Any

from companion.__main__ import main
from hardware.panel import Key
from hardware.simulated import SimulatedPanel

WIRING = """
[pins]
driver = "simulated"
[[seat]]
button = 4
[[seat]]
button = 5
[[seat]]
button = 6
"""
BEFORE = (
    {"move": "begin", "player": "Anna"},
    {"move": "play", "player": "Anna", "dog": "red"},
    {"move": "play", "player": "Ben", "dog": "red"},
    {"move": "play", "player": "Clara", "dog": "blue"},
    {"move": "play", "player": "Anna", "dog": "red"},
    {"move": "play", "player": "Ben", "dog": "green"},
)
QUIET = 0.2  # seconds in which nothing is called any more: the strike is told, the lights are lit
LONGEST = 20.0  # seconds for an answer, on a busy machine


@dataclass
class CountedCalls:
    """The calls of the table's thread while it is on; of the codec's, those before the journal writes its own."""

    is_on: bool = False
    all: int = 0
    codec: int = 0  # in all: what the door says and what the journal writes are among them
    codec_before: int = 0
    journal_writes: bool = False

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        if self.is_on and event in ("call", "c_call"):
            self.all += 1
            if event == "call" and frame.f_code.co_filename.endswith("codec.py"):
                self._note_codec(frame)

    def _note_codec(self, frame: FrameType) -> None:
        self.codec += 1
        self.journal_writes = self.journal_writes or _is_in_journal(frame)
        self.codec_before += not self.journal_writes

    def costs(self) -> dict[str, int]:
        assert self.journal_writes, "the strike was not kept"
        return {"calls": self.all, "codec": self.codec, "codec_before_the_journal": self.codec_before}


def _is_in_journal(frame: FrameType | None) -> bool:
    while frame is not None:
        if "/companion/journal/" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


class Strike(threading.Thread):
    """What people do: messages, then a press of a button. Then the costs are printed, and nothing more is said."""

    def __init__(self, counted: CountedCalls, tell: int, heard: IO[str], out: IO[str]) -> None:
        super().__init__()
        self.panels: queue.Queue[SimulatedPanel] = queue.Queue()
        self._counted, self._tell, self._heard, self._out = counted, tell, heard, out

    def run(self) -> None:
        try:
            self._strike()
            print(json.dumps(self._counted.costs()), file=self._out, flush=True)
        finally:
            os.close(self._tell)

    def _strike(self) -> None:
        panel = self.panels.get(timeout=LONGEST)
        for move in BEFORE:
            os.write(self._tell, json.dumps(move).encode() + b"\n")
            self._await_ruling()
        time.sleep(QUIET)
        self._counted.is_on = True
        panel.press(Key("strike", 1))
        self._await_ruling()
        self._await_rest()
        self._counted.is_on = False

    def _await_ruling(self) -> None:
        for line in self._heard:
            kind = json.loads(line)["kind"]
            if kind == "ruling":
                return
            assert kind != "error", line

    def _await_rest(self) -> None:
        before = -1
        while before != (before := self._counted.all):
            time.sleep(QUIET)


def strike() -> None:
    """A match of Three! at a door, with a journal and simulated buttons, up to the first strike."""
    said, tell = os.pipe()
    heard, hear = os.pipe()
    os.dup2(said, 0)
    counted = CountedCalls()
    hands = Strike(counted, tell, os.fdopen(heard), sys.stdout)
    sys.stdout = os.fdopen(hear, "w")
    made = SimulatedPanel.__init__

    def noted(panel: SimulatedPanel, *arguments: Any, **named: Any) -> None:
        made(panel, *arguments, **named)
        hands.panels.put(panel)

    SimulatedPanel.__init__ = noted  # type: ignore[assignment, method-assign]
    with tempfile.TemporaryDirectory() as folder:
        wiring = Path(folder) / "wiring.toml"
        wiring.write_text(WIRING, encoding="utf-8")
        journal = str(Path(folder) / "journal.sqlite3")
        sys.argv = ["companion", "referee", "three", "--players", "Anna,Ben,Clara"]
        sys.argv += ["--buttons", str(wiring), "--journal", journal]
        hands.start()
        sys.setprofile(counted.note)
        main()


if __name__ == "__main__":
    strike()
