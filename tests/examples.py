"""What is played by simulated arms before the simulated camera, for the tests and the pages: the worked example of the
sheet of Triple³, and a dispute."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.replies import Reply
from companion.core.session import Session
from companion.core.wire import reply_plain
from companion.games import game
from companion.games.triple3 import rules as triple3
from companion.games.triple3.dispute_pictures import verdict_of
from companion.games.triple3.rules import CELLS, DECK
from companion.games.triple3.watch import WATCH
from companion.inputs.line_source import LineSource
from companion.watch.album import Album
from companion.watch.bench import Bench
from companion.watch.dispute_gallery import Gallery
from companion.watch.game_watch import Seating
from companion.watch.messages import message_reader
from companion.watch.sighting_text import Line
from companion.watch.watch_loop import FileLoop, Watch
from companion.watch.watch_sources import Showing
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Deed, Lying, Script, ScriptedArm, ScriptLine, Seat
from vision.cell_answer import CellAnswer
from vision.frames import Frame, Picture, Points
from vision.mat_light import MatLight
from vision.reader import Reader
from vision.sightings import Sighting
from vision.squares import Squares
from vision.verdict import Verdict
from vision.watcher import Watcher

SECOND = 1_000_000_000
PLAYERS = ("Anna", "Ben")
SEATS: dict[str, Seat] = {"Anna": "bottom", "Ben": "right"}
DEALS = (28, 27)
SEATING = Seating({side: name for name, side in SEATS.items()}, DEALS)
# One of the 84 grids that fit what the sheet says of its own, whose picture is lost.
GRID = (
    *("purple-circle-0", "yellow-circle-2", "red-circle-3"),
    *("purple-star-1", "blue-circle-1", "blue-plus-3"),
    *("purple-diamond-0", "purple-circle-1", "blue-star-1"),
)
CARD = "blue-circle-2"
MAY_GO = (1, 3, 4, 7, 9)
FIRST, EACH, LIES = 2.0, 2.6, 1.3  # seconds: until the first card, from one to the next, and until it is taken


@dataclass
class Hands:
    """Writes a script, arm by arm."""

    grid: tuple[str, ...] = GRID
    arms: list[ScriptedArm] = field(default_factory=list)
    said: list[ScriptLine] = field(default_factory=list)

    def reach(self, seat: Seat, at: float, cell: int, what: Deed, card: str = "") -> None:
        """The deed is done at `at`."""
        enters, there, deed, leaves, gone = (round((at + step) * SECOND) for step in (-0.55, -0.1, 0, 0.1, 0.5))
        lying = Lying(card, (1.0 - cell % 3, 1.0), 3.0 * (cell % 3 - 1)) if card else None
        self.arms.append(ScriptedArm(seat, enters, there, deed, leaves, gone, cell, what, lying))

    def say(self, at: float, **message: Any) -> None:
        self.said.append(ScriptLine(round(at * SECOND), message))

    def script(self, seconds: float, *, seed: int, deals: tuple[int, int] = DEALS, **house: Any) -> Script:
        grid = tuple((Lying(card, (at % 3 - 1.0, 0.5), 2.0 * (at % 4 - 1)),) for at, card in enumerate(self.grid))
        about = {
            "game": "triple3",
            "players": list(PLAYERS),
            "seats": SEATS,
            "deals": list(deals),
            "house": house,
        }
        length, arms, said = round(seconds * SECOND), tuple(self.arms), tuple(self.said)
        return Script(seed, length, grid, arms, (), said, rate=15, about=about)


def nine_plays() -> Script:
    """The blue circle with 2 onto each cell in turn, and off it again."""
    hands = Hands()
    hands.say(1, move="go")
    for number, cell in enumerate(CELLS):
        seat: Seat = "bottom" if cell % 2 else "right"
        at = FIRST + number * EACH
        hands.reach(seat, at, cell, "lay", CARD)
        hands.reach(seat, at + LIES, cell, "take")
    return hands.script(FIRST + 9 * EACH, seed=5)


# --- a dispute -------------------------------------------------------------------------------------------------

RIGHT, WRONG = "blue-circle-2", "purple-circle-2"  # a card, and what it is read as
READ_WRONGLY = 4  # the cell


def dispute(illegal_plays: str = "keep") -> Script:
    """A card that is read wrongly, one that is laid on the strength of it, one that is illegal; Stop!, the mistake is
    put right, the illegal card goes back, the round goes on, and Ben is out."""
    hands = Hands()
    hands.say(1, move="go")
    hands.reach("bottom", 2, 1, "lay", "blue-diamond-0")
    hands.reach("right", 3.4, READ_WRONGLY, "lay", RIGHT)
    hands.reach("bottom", 4.8, 7, "lay", "blue-plus-2")
    hands.reach("right", 6.2, 2, "lay", "yellow-circle-3")
    hands.say(7, move="stop", player="Anna")
    hands.say(7.6, do="really", cell=READ_WRONGLY, read=WRONG, card=RIGHT)
    hands.reach("right", 8.6, 2, "take")
    hands.say(9.4, move="go-on")
    hands.reach("right", 10.6, 9, "lay", "yellow-circle-3")
    hands.say(11.6, move="out", player="Ben")
    return hands.script(12, seed=8, deals=(53, 2), illegal_plays=illegal_plays, chips_to_win=1)


class Mistaken(Reader):
    """Takes one card for another, and the other for it, as sure of it as of any."""

    def answers(self, squares: Squares) -> list[CellAnswer]:
        return [self._mistaken(answer) for answer in super().answers(squares)]

    def _again(self, picture: Picture, corners: Points, light: MatLight | None) -> CellAnswer:
        return self._mistaken(super()._again(picture, corners, light))

    @staticmethod
    def _mistaken(answer: CellAnswer) -> CellAnswer:
        one, other = DECK.index(RIGHT), DECK.index(WRONG)
        cards = answer.cards.copy()
        cards[[one, other]] = cards[[other, one]]
        return CellAnswer(answer.state, cards)


# --- the loop of `companion watch`, with what a dispute would show of each play as soon as it is ruled on ------


class Ruled(Bench):
    """Keeps the verdict of each play."""

    def __init__(self, eye: Watcher, album: Album) -> None:
        super().__init__(eye, _session, WATCH, SEATING, album)
        self.verdicts: list[Verdict] = []
        self._last = 0

    def saw(self, seen: list[Sighting], frame: Frame) -> Iterator[Reply]:
        yield from super().saw(seen, frame)
        if not self.match:
            return
        assert isinstance(self._desk.gallery, Gallery)
        for play in self._desk.recollection.plays(self.match)[:1]:
            if play.evidence and play.evidence.stamp > self._last:
                self._last = play.evidence.stamp
                self.verdicts.append(verdict_of(play, self._desk.gallery.tables.of(play.evidence).after))


def _session(stamp: int) -> Session:
    return Session(Referee.begin(set_up(game("triple3"), PLAYERS, triple3.House()), stamp), None)


@dataclass(frozen=True)
class Watched:
    told: list[dict[str, Any]]
    verdicts: list[Verdict]


def watched(script: Script, folder: Path) -> Watched:
    """The script before the camera, frame by frame."""
    eye = Watcher(Reader())
    bench = Ruled(eye, Album(folder))
    told: list[dict[str, Any]] = []

    def tell(news: Any, _stamp: int) -> None:
        assert not isinstance(news, Line)
        told.append(reply_plain(news))

    showing = _showing(script)
    silent = os.open(os.devnull, os.O_RDONLY)
    try:
        FileLoop(Watch(eye, bench, tell), showing, LineSource(silent, message_reader(game("triple3")))).run()
    finally:
        os.close(silent)
        bench.close()
    return Watched(told, bench.verdicts)


def _showing(script: Script) -> Showing:
    from companion.watch.watch_sources import TimedMessage  # noqa: PLC0415

    cues = tuple(TimedMessage(dict(one.message), one.at) for one in script.said)
    return Showing("the worked example", SimulatedTable(script), cues=cues)
