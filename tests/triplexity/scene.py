"""A table of Triplexity whose every deed is known, told to the witness as a watcher would: for tests."""

from dataclasses import replace
from typing import Any

import numpy as np

from companion.core.clocks import SECOND
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.replies import FoulReply, Reply
from companion.core.requests import Message
from companion.games import game
from companion.games.triplexity.dispute import MovedPieces
from companion.games.triplexity.rules import House
from companion.games.triplexity.witness import Witness
from companion.seat.seating import sit_down
from companion.seat.table import PlainTable
from companion.watch.evidence import Act, OutOfStep, Statement
from vision.locate import TableView
from vision.mat import STACKS
from vision.sightings import CardSeen, CellNow, GridSeen, Look, NoCard, Sighting, TableSeen

STEP = SECOND // 10
SQUARE = np.zeros((1, 1, 3), np.uint8)
SEATS = {"bottom": "Anna", "top": "Ben"}
ANNA, BEN = "bottom", "top"
LEFT, CENTRE, RIGHT = 1, 2, 3
FOREIGN = "foreign"
# Anna has red, Ben blue; all six lie there then, and Anna has the turn.
OPENING = (
    (ANNA, LEFT, "red-1"),
    (BEN, CENTRE, "blue-4"),
    (ANNA, LEFT, "red-2"),
    (BEN, CENTRE, "blue-6"),
    (ANNA, RIGHT, "red-3"),
    (BEN, LEFT, "blue-5"),
)


class Scene:
    """A table whose every deed is known."""

    def __init__(self, play: str = "advanced", **house: Any) -> None:
        setup = set_up(game("triplexity"), ("Anna", "Ben"), House(play=play, **house))
        self.session = sit_down(Referee.begin(setup, 0, None), None, PlainTable).session
        self.disputes = MovedPieces()
        self.now, self.told, self.acts = 0, list[Reply](), list[Act]()
        self.stacks: dict[int, list[str]] = {LEFT: [], CENTRE: [], RIGHT: []}
        self.cells = {place: CellNow("clear", 0) for place in self.stacks}
        self.another_witness()

    def another_witness(self) -> None:
        """Who has lost his head is replaced: the table is read anew."""
        self.witness = Witness(seats=SEATS)
        self.looks = {place: self.look(place) for place in self.stacks}
        view = TableView(np.zeros((3, 4, 2), np.float32), "markers", STACKS, "", STACKS.shape)
        self.see(TableSeen(self.now, 0, view, moved=False), GridSeen(self.now, 0, tuple(self.looks.values())))
        self.wait(0.5)

    def look(self, place: int) -> Look:
        face = self.stacks[place][-1] if self.stacks[place] else None
        state = "foreign" if face == FOREIGN else "card" if face else "empty"
        return Look(self.now, 0, None if face == FOREIGN else face, state, 0.99, SQUARE)  # type: ignore[arg-type]

    @property
    def match(self) -> Any:
        return self.session.referee.match

    @property
    def turn(self) -> str:
        return str(self.match.state.turn)

    def see(self, *sightings: Sighting) -> None:
        self.now += STEP
        self._done(self.witness.take(sightings, list(self.cells.values()), self.now, self.match))

    def _done(self, acts: list[Act]) -> None:
        for act in acts:
            self.acts.append(act)
            if isinstance(act, Statement):
                replies = list(self.session.replies(act.message))
                self.told += replies
                self.disputes.keep(act, self.match)
                self._done(self.witness.told(act, replies))
            else:
                self.disputes.keep(act, self.match)

    def say(self, message: Message) -> None:
        self.told += self.session.replies(replace(message, at=self.now))
        self.witness.not_before(self.now)

    def wait(self, seconds: float = 0.5) -> None:
        for _ in range(round(seconds / 0.1)):
            self.see()

    def shows(self, *places: int, arm: str = "", seconds: float = 0.5) -> None:
        """These places show something else since a moment ago."""
        since, seen = self.now, list[Sighting]()
        self.now += SECOND // 2
        for place in places:
            before, self.looks[place] = self.looks[place], self.look(place)
            after = self.looks[place]
            if after.card:
                arms = (arm,) if arm else ()
                seen.append(CardSeen(self.now, 0, place, before, after, since, arms, self.now))  # type: ignore[arg-type]
            else:
                seen.append(NoCard(self.now, 0, place, before, after, since))
        self.see(*seen)
        self.wait(seconds)

    def put(self, arm: str, place: int, face: str) -> None:
        self.stacks[place].append(face)
        self.shows(place, arm=arm)

    def move(self, arm: str, source: int, target: int, face: str = "", seconds: float = 0.5) -> None:
        """The top piece of a place; it shows that face then, turned over if none is named."""
        piece = self.stacks[source].pop()
        colour, pips = piece.split("-")
        self.stacks[target].append(face or f"{colour}-{7 - int(pips)}")
        self.shows(source, target, arm=arm, seconds=seconds)

    def take(self, arm: str, place: int) -> None:
        self.stacks[place].pop()
        self.shows(place, arm=arm)

    def opened(self) -> "Scene":
        for arm, place, face in OPENING:
            self.put(arm, place, face)
        assert len(self.match.line) == len(OPENING)
        return self

    def codes(self, kind: type[Any] = OutOfStep) -> list[str]:
        return [act.code for act in self.acts if isinstance(act, kind)]

    @property
    def fouls(self) -> list[str]:
        return [reply.code for reply in self.told if isinstance(reply, FoulReply)]
