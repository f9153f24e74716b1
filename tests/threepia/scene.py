"""A match of Threepia whose every deed is known, told to its witness as a watcher would: no pixels."""

from typing import Any

import numpy as np

from companion.core.clocks import SECOND
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.replies import Reply, RulingReply
from companion.core.requests import MoveMessage
from companion.games import game
from companion.games.threepia.fields import field
from companion.games.threepia.lattice import LaidField
from companion.games.threepia.paper import PAPER
from companion.games.threepia.rules import Begin, Draw, House, Lay, card_of, misfits
from companion.games.threepia.sight import identity
from companion.games.threepia.witness import Witness
from companion.seat.seating import sit_down
from companion.seat.table import PlainTable
from companion.watch.evidence import Act, OutOfStep, Statement
from vision.locate import TableView
from vision.mat import LATTICE
from vision.sightings import CardSeen, CellNow, GridSeen, HandsSeen, Look, Sighting, TableSeen

CELLS = len(LATTICE.places)
SQUARE = np.zeros((1, 1, 3), np.uint8)
CARDS = list(PAPER.cards)
SEATS = {"bottom": "Ann", "top": "Bob"}
STEP = SECOND // 10


class Scene:
    """A table whose every deed is known, told to the witness as a watcher would."""

    def __init__(self, house: House | None = None, *, quarters: int = 0, at: tuple[int, int] = (1, 2)) -> None:
        self.house = house or House(field=field("square"), way="rounds", rounds=5)
        lies = LaidField(self.house.field, LATTICE.shape, quarters, *at)
        self.cells = lies.cells
        setup = set_up(game("threepia"), ("Ann", "Bob"), self.house)
        self.session = sit_down(Referee.begin(setup, 0, None), None, PlainTable).session
        self.witness = Witness(seats=SEATS, printed=CARDS)
        self.now = 0
        self.told: list[Reply] = []
        self.acts: list[Act] = []
        self.looks = {cell: self.look(None) for cell in range(1, CELLS + 1)}
        self.state_of = {cell: CellNow("clear", 0) for cell in range(1, CELLS + 2)}
        self.field, self.laid = CARDS[:4], list[str]()
        for place, card in enumerate(self.field):
            self.put(place, card)

    def look(self, symbol: str | None, sure: float = 0.99) -> Look:
        return Look(self.now, 0, symbol, "card" if symbol else "empty", sure, SQUARE)

    def put(self, place: int, card: str) -> list[tuple[int, Look]]:
        before = []
        for cell, symbol in zip(self.cells[place], card.split(), strict=True):
            before.append((cell, self.looks[cell]))
            self.looks[cell] = self.look(symbol)
        return before

    @property
    def match(self):  # type: ignore[no-untyped-def]
        return self.session.referee.match

    def begin(self) -> "Scene":
        view = TableView(np.zeros((CELLS, 4, 2), np.float32), "markers", LATTICE, "", LATTICE.shape)
        self.see(TableSeen(self.now, 0, view, moved=False), GridSeen(self.now, 0, tuple(self.looks.values())))
        self.say(Begin("Ann", at=self.now))
        return self

    def say(self, move: Begin | Draw) -> None:
        self.told += self.session.replies(MoveMessage(move, self.now, ""))
        self.witness.not_before(self.now)

    def see(self, *sightings: Sighting) -> None:
        self.now += STEP
        self._done(self.witness.take(sightings, list(self.state_of.values()), self.now, self.match))

    def _done(self, acts: list[Act]) -> None:
        for act in acts:
            self.acts.append(act)
            if isinstance(act, Statement):
                replies = list(self.session.replies(act.message))
                self.told += replies
                self._done(self.witness.told(act, replies))

    def wait(self, seconds: float = 1.5) -> None:
        for _ in range(round(seconds / 0.1)):
            self.see()

    def lay(self, place: int, card: str, side: str = "", *, waits: float = 1.5) -> None:
        """A card comes to lie on a place of the field, counted from 0."""
        since = self.now
        self.laid.append(card)
        self.now += SECOND // 2
        before = self.put(place, card)
        seen = [
            CardSeen(self.now, 0, cell, old, self.looks[cell], since, (side,) if side else (), self.now)  # type: ignore[arg-type]
            for cell, old in before
            if old.card != self.looks[cell].card
        ]
        self.see(*seen)
        self.wait(waits)

    def changed(self, cell: int, before: Look, after: Look, since: int, side: str) -> CardSeen:
        return CardSeen(self.now, 0, cell, before, after, since, (side,), self.now)  # type: ignore[arg-type]

    def at_the_pile(self, side: str, *, otherwise: float = 0.3) -> None:
        """`otherwise`: how much of the pile looks different then."""
        arms = (side,) if side else ()
        self.see(HandsSeen(self.now, 0, CELLS + 1, self.now - SECOND // 2, self.now, arms, otherwise))  # type: ignore[arg-type]
        self.wait()

    def asked(self) -> list[str]:
        return [act.sentence for act in self.acts if isinstance(act, OutOfStep) and act.code == "whose-turn"]

    def fitting(self, place: int, *, fits: bool = True) -> str:
        lies = self.match.state.field[place]
        used = {identity(one) for one in (*self.field, *self.laid)}
        return next(
            str(card_of(card, turned))
            for card in CARDS[4:]
            for turned in range(4)
            if identity(card) not in used
            and bool(misfits(card_of(card, turned), card_of(lies), triangle_fits=self.house.triangle_fits)) is not fits
        )

    @property
    def line(self) -> list[Any]:
        return [done.move for done in self.match.line]

    def press(self, player: str) -> bool:
        """The turn button; whether it is of what is seen."""
        acts = self.witness.said_move(Lay(player), self.now, self.match)
        self._done(acts or [])
        self.wait(0.5)
        return bool(acts)

    def moves(self, kind: type[Reply] = RulingReply) -> list[str]:
        return [one.move.word for one in self.told if isinstance(one, kind) and isinstance(one, RulingReply)]
