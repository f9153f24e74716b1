"""A table of Three! whose every deed is known, told to the witness as a watcher would: for tests, without pixels."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from companion.core.clocks import SECOND
from companion.core.match import Match, set_up
from companion.core.referee import Referee
from companion.core.replies import Reply, RulingReply
from companion.core.requests import Message, MoveMessage
from companion.core.rules import Move
from companion.games import game
from companion.games.three.rules import Begin, House
from companion.games.three.witness import Witness
from companion.games.three.witness_seeing import SIDES
from companion.seat.seating import sit_down
from companion.seat.table import PlainTable
from companion.watch.evidence import Act, LookAgain, OutOfStep, Statement
from vision.locate import TableView
from vision.mat import BANKS
from vision.sightings import CardSeen, CellNow, GridSeen, HandsSeen, Look, NoCard, SameSeen, Sighting, TableSeen

CELLS = len(BANKS.places)
SQUARE = np.zeros((1, 1, 3), np.uint8)
STEP = SECOND // 10
SEATS = {"bottom": "Ann", "left": "Bob", "top": "Cid", "right": "Dot"}
SIDE_OF = {name: side for side, name in SEATS.items()}


class Scene:
    """`players` sit below, left, above and right."""

    def __init__(self, players: Sequence[str] = ("Ann", "Bob"), house: House | None = None) -> None:
        seats = {SIDE_OF[name]: name for name in players}
        setup = set_up(game("three"), tuple(players), house or House())
        self.session = sit_down(Referee.begin(setup, 0, None), None, PlainTable).session
        self.witness = Witness(seats=seats)
        self.now = 0
        self.told: list[Reply] = []
        self.acts: list[Act] = []
        self.looks = {cell: self._look("") for cell in range(1, CELLS + 1)}
        self.cells = {cell: CellNow("clear", 0) for cell in range(1, CELLS + 2)}
        self.see(TableSeen(0, 0, TableView(np.zeros((CELLS, 4, 2), np.float32), "markers", BANKS), moved=False))
        self.see(self.grid())

    def _look(self, dog: str, state: str = "empty") -> Look:
        return Look(self.now, 0, dog or None, "card" if dog else state, 0.999, SQUARE)  # type: ignore[arg-type]

    def grid(self) -> GridSeen:
        """All that lies there now."""
        return GridSeen(self.now, 0, tuple(self.looks.values()))

    @property
    def match(self) -> Match:
        return self.session.referee.match

    @property
    def state(self) -> Any:
        return self.match.state

    def begin(self, player: str = "Ann") -> "Scene":
        self.say(Begin(player, at=self.now))
        return self

    # --- what is said

    def say(self, move: Move) -> None:
        acts = self.witness.said_move(move, self.now, self.match)
        if acts is not None:
            self._done(acts)
            return
        self.hear(MoveMessage(move, self.now, ""))

    def hear(self, message: Message) -> None:
        self.told += self.session.replies(message)
        self.witness.not_before(self.now)
        self.see()

    # --- what is seen

    def see(self, *sightings: Sighting) -> None:
        self.now += STEP
        self._done(self.witness.take(sightings, list(self.cells.values()), self.now, self.match))

    def _done(self, acts: list[Act]) -> None:
        for act in acts:
            self.acts.append(act)
            if isinstance(act, Statement):
                replies = list(self.session.replies(act.message))
                self.told += replies
                self._done(self.witness.told(act, replies))
            elif isinstance(act, LookAgain) and not act.cells:
                self.see(self.grid())

    def wait(self, seconds: float = 1.0) -> None:
        for _ in range(round(seconds * SECOND / STEP)):
            self.see()

    @staticmethod
    def cell_of(player: str) -> int:
        return SIDES.index(SIDE_OF[player]) + 1

    def shows(self, player: str, dog: str, *, by: str = "", state: str = "empty", anew: float = 0.0) -> None:
        """A pile comes to show a dog, or nothing; with the same dog, it is how likely another one was laid."""
        cell, since = self.cell_of(player), self.now
        self.now += SECOND // 2
        before, after = self.looks[cell], self._look(dog, state)
        self.looks[cell] = after
        arms = (SIDE_OF[by or player],)
        if not dog:
            self.see(NoCard(self.now, 0, cell, before, after, since))
        elif before.card == dog:
            self.see(SameSeen(self.now, 0, cell, before, after, since, arms, self.now, anew))  # type: ignore[arg-type]
        else:
            self.see(CardSeen(self.now, 0, cell, before, after, since, arms, self.now))  # type: ignore[arg-type]

    def play(self, player: str, dog: str, *, anew: float = 0.97, draws: bool = True) -> None:
        """A card is laid, and one drawn."""
        self.shows(player, dog, anew=anew)
        if draws:
            self.draw(player)
        self.wait(0.5)

    def draw(self, player: str) -> None:
        since, self.now = self.now, self.now + SECOND // 2
        self.see(HandsSeen(self.now, 0, CELLS + 1, since, self.now, (SIDE_OF[player],)))  # type: ignore[arg-type]

    def banks(self, player: str, dog: str) -> None:
        """What was found comes to lie in somebody's bank."""
        cell = self.cell_of(player) + len(SIDES)
        before, self.looks[cell] = self.looks[cell], self._look(dog)
        self.now += SECOND // 2
        self.see(CardSeen(self.now, 0, cell, before, self.looks[cell], self.now, (SIDE_OF[player],), self.now))  # type: ignore[arg-type]

    # --- what came of it

    def moves(self) -> list[str]:
        return [done.move.word for done in self.match.line]

    def pile(self, player: str) -> tuple[str, ...]:
        pile: tuple[str, ...] = self.state.pile(player)
        return pile

    def codes(self) -> list[str]:
        return [act.code for act in self.acts if isinstance(act, OutOfStep)]

    def rulings(self) -> list[RulingReply]:
        return [one for one in self.told if isinstance(one, RulingReply)]
