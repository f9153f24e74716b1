"""A table to be watched without pictures: an eye that sees what it is told to, and what it needs to see a match."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.replies import Reply
from companion.core.session import Session
from companion.games import game
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import CELLS, DECK, is_legal
from companion.inputs.line_source import NoMessage, message_of
from companion.watch.messages import message_reader
from vision.frames import Frame
from vision.locate import TableView
from vision.mat import SMALL
from vision.sightings import CardSeen, CellNow, GridSeen, Look, Prior, Sighting, TableSeen

SECOND = 1_000_000_000
SQUARE = np.full((96, 96, 3), 200, np.uint8)
PICTURE = np.zeros((36, 64, 3), np.uint8)
GRID = DECK[::7][:9]
CORNERS = [[x, y] for x, y in ((0, 0), (10, 0), (10, 10), (0, 10))]
PLACES = [[14 + 12 * column, 12 * row] for row in range(3) for column in range(3)]
TABLE = TableView(np.asarray(PLACES, np.float32)[:, None] + np.asarray(CORNERS, np.float32)[None], "markers", SMALL)
PLAYERS = ("Anna", "Ben")
DEALS = (28, 27)
SEATS = {"bottom": "Anna", "top": "Ben"}


def frame(number: int, stamp: int | None = None) -> Frame:
    return Frame(PICTURE, PICTURE[..., 0], at(number) if stamp is None else stamp, number)


def at(number: int) -> int:
    """Ten frames a second."""
    return number * SECOND // 10


def look(card: str | None, number: int) -> Look:
    return Look(at(number), number, card, "card" if card else "empty", 0.99987, SQUARE)


def table_seen(number: int = 0) -> TableSeen:
    return TableSeen(at(number), number, TABLE, moved=False)


def grid_seen(number: int = 0) -> GridSeen:
    return GridSeen(at(number), number, tuple(look(card, number) for card in GRID))


def laid(number: int, cell: int, card: str, on: str, side: str = "bottom") -> CardSeen:
    """Seen with this frame, laid within the half second before it."""
    arms: Any = (side,)
    return CardSeen(at(number), number, cell, look(on, number - 5), look(card, number), at(number - 4), arms)


def a_card(*, legal: bool, grid: tuple[str, ...] = GRID, but: tuple[str, ...] = ()) -> tuple[int, str]:
    """A cell and a card that may be laid there, or may not."""
    ways = ((cell, card) for cell in CELLS for card in DECK if card not in (*GRID, *but))
    return next((cell, card) for cell, card in ways if is_legal(grid, cell, card) == legal)


class Eye:
    """Sees in each frame what it is told; remembers what it is asked."""

    def __init__(self, seen: dict[int, list[Sighting]]) -> None:
        self._seen = seen
        self.cells: tuple[CellNow, ...] = (CellNow("clear", 0),) * 9
        self.changed = False
        self.table = TABLE
        self.asked: list[tuple[int, ...]] = []
        self.known: dict[int, str] = {}
        self.prior: Prior | None = None
        self.looks = tuple(look(card, 0) for card in GRID)

    def watch(self, one: Frame) -> list[Sighting]:
        return self._seen.get(one.number, [])

    def expect(self, prior: Prior | None) -> None:
        self.prior = prior

    def know(self, cards: dict[int, str]) -> None:
        self.known |= cards

    def believe(self, cell: int, card: str, confidence: float) -> None:
        assert confidence < 1
        self.known[cell] = card

    def look_again(self, cells: tuple[int, ...] = ()) -> None:
        self.asked.append(cells)


class Film:
    """A source of frames that were made beforehand; an error ends it."""

    def __init__(self, *shown: Frame | Exception, size: tuple[int, int] = (64, 36)) -> None:
        self._shown, self.size, self.closed = shown, size, False

    def frames(self) -> Iterator[Frame]:
        for one in self._shown:
            if isinstance(one, Exception):
                raise one
            yield one

    def about(self) -> dict[str, Any]:
        return {"kind": "made up"}

    def close(self) -> None:
        self.closed = True


def session(stamp: int, **house: Any) -> Session:
    """A match that nobody keeps; time is what messages bring."""
    playing = game("triple3")
    setup = set_up(playing, PLAYERS, triple3.House(**house))
    return Session(Referee.begin(setup, stamp), None)


def hear(judge: Any, message: Any, stamp: int) -> Iterator[Reply]:
    """What a judge of Triple³ says to a message as JSON, which was said at this stamp."""
    said = message_of({**message, "at": stamp}, message_reader(game("triple3")))
    return iter([said.reply]) if isinstance(said, NoMessage) else judge.heard(said)
