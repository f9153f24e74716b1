"""A table of Tres whose every deed is known, told to the witness as a watcher would: for tests without pixels."""

from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from companion.core.clocks import SECOND
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.replies import FoulReply, Reply, RulingReply
from companion.core.requests import Message, MoveMessage, Request
from companion.core.rules import Move
from companion.games import game, part
from companion.games.tres.columns import COLUMNS, DISCARD_PILE, DRAW_PILE, PLACES
from companion.games.tres.rules import Dealer, House
from companion.seat.seating import sit_down
from companion.seat.table import PlainTable
from companion.watch.bench import Bench
from companion.watch.game_watch import GameWatch, Seating
from companion.watch.messages import InStepReply, OutOfStepReply, PutRightReply
from vision.frames import Frame
from vision.locate import TableView
from vision.mat import COLUMNS as MAT
from vision.sightings import (
    CannotRead,
    CardSeen,
    CellNow,
    GridSeen,
    HandsSeen,
    Look,
    NoCard,
    Sighting,
    TableSeen,
)
from vision.watcher import Watcher

SQUARE = np.zeros((1, 1, 3), np.uint8)
STEP = SECOND // 10
VISIT = SECOND  # that a hand takes
SIDES = ("bottom", "left", "top", "right")


class ToldEye:
    """Stands where a watcher does: what it is asked for is kept."""

    def __init__(self) -> None:
        self.cells = tuple(CellNow("clear", 0) for _ in range(DISCARD_PILE))
        self.looks: tuple[Look | None, ...] = (None,) * DISCARD_PILE
        self.table, self.changed = None, False
        self.anew: list[tuple[int, ...]] = []
        self.known: dict[int, str] = {}
        self.believed: dict[int, str] = {}
        self.expected: Any = None

    def look_again(self, cells: tuple[int, ...] = ()) -> None:
        self.anew.append(cells)

    def know(self, cards: dict[int, str]) -> None:
        self.known |= cards
        for cell in cards:
            self.now_shows(cell, "clear", 0)

    def believe(self, cell: int, card: str, confidence: float) -> None:
        del confidence
        self.believed[cell] = card
        self.now_shows(cell, "clear", 0)

    def now_shows(self, cell: int, now: Any, stamp: int) -> None:
        cells = list(self.cells)
        cells[cell - 1] = CellNow(now, stamp)
        self.cells = tuple(cells)

    def expect(self, prior: Any) -> None:
        self.expected = prior


@dataclass
class ToldTable:
    """`names` sit clockwise from the bottom; the first deals."""

    names: tuple[str, ...] = ("Anna", "Ben", "Clara")
    table: tuple[str, str, str] = ("red-5", "blue-8", "green-2")
    house: House = field(default_factory=House)
    seated: bool = True
    told: list[Reply] = field(default_factory=list)
    now: int = 0

    def __post_init__(self) -> None:
        setup = set_up(game("tres"), self.names, self.house)
        seats = dict(zip(SIDES, self.names, strict=False)) if self.seated else {}
        self.sides = {name: side for side, name in zip(SIDES, self.names, strict=False)}
        self.eye = ToldEye()
        self.bench = Bench(
            cast("Watcher", self.eye),
            lambda stamp: sit_down(Referee.begin(setup, stamp, None), None, PlainTable).session,
            part("tres", "watch", GameWatch),
            Seating(seats),
        )
        self.looks = {place: self.look("") for place in range(1, PLACES + 1)}
        for place, card in zip(COLUMNS, self.table, strict=True):
            self.looks[place] = self.look(card)

    # --- what is told

    def look(self, face: str, sure: float = 0.99) -> Look:
        card = face if face not in ("", "?") else None
        return Look(self.now, 0, card, "card" if card else "face-down" if face else "empty", sure, SQUARE)

    def see(self, *seen: Sighting) -> None:
        frame = Frame(SQUARE, SQUARE[..., 0], self.now, 0)
        self.told += self.bench.saw(list(seen), frame)

    def say(self, move: "Move | Request") -> None:
        message: Message = move if isinstance(move, Request) else MoveMessage(move, self.now, "")
        self.told += self.bench.heard(message)

    def begin(self) -> "ToldTable":
        view = TableView(np.zeros((PLACES, 4, 2), np.float32), "markers", MAT, "", MAT.shape)
        self.see(TableSeen(self.now, 0, view, moved=False), GridSeen(self.now, 0, tuple(self.looks.values())))
        self.say(Dealer(self.names[0], at=self.now))
        return self.wait(0.3)

    def wait(self, seconds: float = 1.0) -> "ToldTable":
        for _ in range(round(seconds * SECOND / STEP)):
            self.now += STEP
            self.see()
        return self

    def shows(self, place: int, face: str, player: str = "", *, sure: float = 0.99) -> Sighting:
        """A place shows something else, by this player's hand."""
        since, before, after = self.now - VISIT // 2, self.looks[place], self.look(face, sure)
        self.looks[place] = after
        self.cell(place, "clear")
        arms = (self.sides[player],) if player else ()
        if not after.card:
            return NoCard(self.now, 0, place, before, after, since)
        return CardSeen(self.now, 0, place, before, after, since, arms, self.now - STEP)  # type: ignore[arg-type]

    # --- what people do

    def lays(self, player: str, place: int, card: str) -> "ToldTable":
        self.wait(0.8)
        self.see(self.shows(place, card, player))
        return self

    def lifts(self, *places: int) -> "ToldTable":
        self.wait(0.8)
        self.see(*(self.shows(place, "") for place in places))
        return self

    def at_the_pile(self, player: str = "", seconds: float = 0.6, *, otherwise: float = 0.3) -> "ToldTable":
        self.wait(seconds + 0.2)
        arms = (self.sides[player],) if player else ()
        since = self.now - round(seconds * SECOND)
        self.see(HandsSeen(self.now, 0, DRAW_PILE, since, self.now - STEP, arms, otherwise))  # type: ignore[arg-type]
        return self

    def draws(self, player: str) -> "ToldTable":
        return self.at_the_pile(player).wait(0.5)

    def plays(self, player: str, column: int, *cards: str) -> "ToldTable":
        """Laid, swept up, and all of it seen."""
        places = [column + 3 * (number + 1) for number in range(len(cards))]
        for place, card in zip(places, cards, strict=True):
            self.lays(player, place, card)
        return self.wait(0.6).lifts(column, *places).wait(0.5)

    def fills(self, player: str, column: int, card: str) -> "ToldTable":
        return self.at_the_pile(player).lays(player, column, card).wait(0.5)

    def cannot_read(self, place: int, *faces: tuple[str, float]) -> "ToldTable":
        change = None
        self.cell(place, "unreadable")
        if faces:
            since, before = self.now - VISIT // 2, self.looks[place]
            change = CardSeen(self.now, 0, place, before, self.look(faces[0][0], faces[0][1]), since, (), self.now)
        self.see(CannotRead(self.now, 0, place, "it may be another one", faces, faces, change))
        return self

    def cell(self, place: int, now: str) -> "ToldTable":
        self.eye.now_shows(place, now, self.now)
        return self

    # --- what came of it

    @property
    def match(self) -> Any:
        return self.bench.match

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def line(self) -> list[str]:
        return [done.move.word for done in self.match.line]

    @property
    def moves(self) -> list[Any]:
        return [reply.move for reply in self.told if isinstance(reply, RulingReply)]

    @property
    def fouls(self) -> list[str]:
        return [reply.code for reply in self.told if isinstance(reply, FoulReply)]

    @property
    def put_right(self) -> list[tuple[int, str]]:
        return [(reply.cell, reply.card) for reply in self.told if isinstance(reply, PutRightReply)]

    @property
    def asked(self) -> list[str]:
        """What is out of step now."""
        found: dict[tuple[int, ...], str] = {}
        for reply in self.told:
            if isinstance(reply, OutOfStepReply):
                found[tuple(reply.cells)] = reply.code
            elif isinstance(reply, InStepReply):
                found.pop(tuple(reply.cells), None)
        return list(found.values())

    @property
    def hands(self) -> dict[str, int]:
        return {player: len(hand) for player, hand in zip(self.state.players, self.state.hands, strict=True)}
