"""A match of Threepia whose every deed is known, told to its witness as a watcher would: no pixels."""

from typing import Any

import numpy as np

from companion.core.clocks import SECOND
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.replies import Reply, RulingReply
from companion.core.requests import Message, MoveMessage
from companion.core.rules import Move
from companion.games import game, part
from companion.games.threepia.fields import field
from companion.games.threepia.lattice import LaidField
from companion.games.threepia.paper import PAPER
from companion.games.threepia.rules import Begin, House, Lay, card_of, misfits
from companion.games.threepia.sight import identity
from companion.games.threepia.witness import Witness
from companion.seat.seating import sit_down
from companion.seat.table import PlainTable
from companion.watch.bench import Bench
from companion.watch.evidence import Act, OutOfStep, Statement
from companion.watch.game_watch import GameWatch, Seating
from companion.watch.messages import InStepReply, OutOfStepReply
from tests.threepia.watched import KeptEye
from vision.frames import Frame
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

    def __init__(
        self,
        house: House | None = None,
        *,
        quarters: int = 0,
        at: tuple[int, int] = (1, 2),
        players: tuple[str, ...] = ("Ann", "Bob"),
        seated: bool = True,
    ) -> None:
        self.house = house or House(field=field("square"), way="rounds", rounds=5)
        lies = LaidField(self.house.field, LATTICE.shape, quarters, *at)
        self.cells = lies.cells
        setup = set_up(game("threepia"), players, self.house)
        self.session = sit_down(Referee.begin(setup, 0, None), None, PlainTable).session
        self.seats = {side: player for side, player in SEATS.items() if seated and player in players}
        self.witness = Witness(seats=self.seats, printed=CARDS)
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

    def say(self, said: Move) -> None:
        self.told += self.session.replies(MoveMessage(said, self.now, ""))
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


class WatchedScene(Scene):
    """The same through a bench: with clocks, a camera that may go, and witnesses that are replaced."""

    def __init__(self, house: House | None = None, *, players: tuple[str, ...] = ("Ann", "Bob")) -> None:
        super().__init__(house, players=players)
        self.eye = LookedAgain()
        watch = part("threepia", "watch", GameWatch)
        self.bench = Bench(self.eye, self.session, watch, Seating(self.seats))  # type: ignore[arg-type]

    def see(self, *sightings: Sighting) -> None:
        self.now += STEP
        anew = [GridSeen(self.now, 0, tuple(self.looks.values()))] if self.eye.is_due() else []
        self.eye.cells = tuple(self.state_of.values())
        frame = Frame(SQUARE, SQUARE[..., 0], self.now, self.now // STEP)
        self.told += self.bench.saw([*sightings, *anew], frame)

    def say(self, said: Move | Message) -> None:
        message = MoveMessage(said, self.now, "") if isinstance(said, Move) else said
        self.told += self.bench.heard(message)

    def taken_back(self, place: int) -> None:
        self.lay(place, self.match.state.field[place])

    @property
    def open(self) -> set[tuple[int, ...]]:
        """What is out of step."""
        now = set[tuple[int, ...]]()
        for one in self.told:
            if isinstance(one, OutOfStepReply):
                now.add(tuple(one.cells))
            elif isinstance(one, InStepReply):
                now.discard(tuple(one.cells))
        return now

    @property
    def side(self) -> str:
        """Of whoever has the turn."""
        return next(side for side, player in self.seats.items() if player == self.match.state.turn)


class LookedAgain(KeptEye):
    """An eye that tells the whole mat anew when it is asked to."""

    def __init__(self) -> None:
        self._asked = False

    def look_again(self, cells: tuple[int, ...] = ()) -> None:
        self._asked = self._asked or not cells

    def is_due(self) -> bool:
        asked, self._asked = self._asked, False
        return asked
