"""A table whose every deed is known, told to a witness as a watcher would, no pixels."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from types import UnionType
from typing import Any

import numpy as np

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.replies import ErrorReply
from companion.core.requests import MoveMessage, read_message
from companion.core.session import Session
from companion.games import game
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import CELLS, DECK, House, is_legal
from companion.games.triple3.witness import Witness
from companion.watch.evidence import Act, Know, LookAgain, Statement
from tests.replies import told as as_told
from vision.sightings import CardSeen, CellNow, GridSeen, Look, NoCard, Now, Sighting

STEP = 100 * MILLISECOND
TWO_VISITS = SECOND // 2  # two hands that are gone sooner did not lay one card on another
SQUARE = np.zeros((1, 1, 3), np.uint8)
NAMES = ("Ann", "Bob")


@dataclass
class Cover:
    """Something over cells for a while, seen from one side; what is done under it is done in between."""

    cells: tuple[int, ...]
    since: int
    until: int
    side: str


@dataclass
class Scene:
    """A table with its referee, its watcher (which sees a cell whenever nothing is over it) and its witness."""

    house: House = field(default_factory=House)
    witness: Witness = field(default_factory=Witness)
    step: int = STEP

    def __post_init__(self) -> None:
        setup = set_up(game("triple3"), NAMES, self.house)
        self.session = Session(Referee.begin(setup, 0), None)
        self.now = 0
        self.piles: list[list[str]] = [[] for _ in CELLS]
        self.looks: dict[int, Look] = {}
        self.covers: list[Cover] = []
        self.disturbed: dict[int, tuple[int, list[str]]] = {}
        self.glimpsed: dict[int, tuple[tuple[str, float], ...]] = {}  # under arms, told with the next card of a cell
        self.turned = dict.fromkeys(CELLS, 0)
        self.seen_at = dict.fromkeys(CELLS, 0)  # when what was told of a cell was last seen under arms
        self.acts: list[Act] = []
        self.replies: list[dict[str, Any]] = []
        self.grid_told = False
        self.blind = False
        self.windows: dict[str, tuple[int, int]] = {}  # when each card was laid, as far as eyes can tell

    @property
    def match(self) -> Any:
        return self.session.referee.match

    @property
    def state(self) -> triple3.State:
        found: triple3.State = self.match.state
        return found

    def look(self, cell: int) -> Look:
        pile = self.piles[cell - 1]
        return Look(self.now, 0, pile[-1] if pile else None, "card" if pile else "empty", 1.0, SQUARE)

    def cover(self, *cells: int, until: int, side: str = "bottom") -> None:
        self.covers.append(Cover(cells, self.now, until, side))

    def frame(self, *more: Sighting, glimpsed: tuple[int, ...] = ()) -> list[Act]:
        """One frame: what the watcher tells, what the witness makes of it, what the referee says. What lies on cells
        that are `glimpsed` is seen under arms."""
        self.now += self.step
        seen = [] if self.blind else [*self.seen(), *self.glimpses(glimpsed)]
        cells = tuple(self.cell_now(cell) for cell in CELLS)
        acts = self.witness.take([*more, *seen], cells, self.now, self.match)
        self.do(acts)
        return acts

    def do(self, acts: list[Act]) -> None:
        for act in acts:
            self.acts.append(act)
            if isinstance(act, Statement):
                replies = self.session.answer(act.message)
                assert not isinstance(replies[-1], ErrorReply), (act, replies)
                self.replies += as_told(replies)
                self.do(self.witness.told(act, replies))
            elif isinstance(act, LookAgain):
                self.look_again(act.cells)
            elif isinstance(act, Know):
                self.looks[act.cell] = Look(self.now, 0, act.card, "card", 1.0, SQUARE)

    def look_again(self, cells: tuple[int, ...]) -> None:
        if not cells:
            self.grid_told = False
            self.looks.clear()

    def say(self, message: dict[str, Any]) -> dict[str, Any]:
        self.now += 1
        self.witness.not_before(self.now)
        return as_told(self.session.answer(read_message(self.match.game, {**message, "at": self.now})))[-1]

    def cell_now(self, cell: int) -> CellNow:
        now: Now = "covered" if cell in self.disturbed else "clear"
        return CellNow(now, self.turned[cell], self.seen_at[cell])

    def seen(self) -> Iterator[Sighting]:
        hidden = {cell for cover in self.covers if cover.until > self.now for cell in cover.cells}
        for cover in self.covers:
            for cell in cover.cells:
                since, sides = self.disturbed.setdefault(cell, (cover.since, []))
                if cover.side and cover.side not in sides:
                    sides.append(cover.side)
                if since == cover.since:
                    self.turned[cell] = since
        self.covers = [cover for cover in self.covers if cover.until > self.now]
        found: list[Sighting] = []
        for cell in CELLS:
            if cell in hidden:
                continue
            since, sides = self.disturbed.pop(cell, (self.now, []))
            if self.turned[cell] == since:
                self.turned[cell] = self.now
            found += self.seen_on(cell, since, sides)
        if not self.grid_told and not hidden and all(self.piles):
            self.grid_told = True
            found.append(GridSeen(self.now, 0, tuple(self.looks[cell] for cell in CELLS)))
        return iter(found)

    def glimpses(self, cells: tuple[int, ...]) -> Iterator[Sighting]:
        for cell in cells:
            since, sides = self.disturbed[cell]
            yield from self.seen_on(cell, since, sides)
            self.disturbed[cell] = self.now, []
            self.seen_at[cell] = self.now

    def seen_on(self, cell: int, since: int, sides: list[str]) -> Iterator[Sighting]:
        before, after = self.looks.get(cell), self.look(cell)
        self.looks[cell] = after
        if before is None or before.card == after.card:
            return
        if after.card is None:
            yield NoCard(self.now, 0, cell, before, after, since)
        else:
            self.windows.setdefault(after.card, (since, self.now))
            again = 1.0 if len(sides) > 1 and self.now - since > TWO_VISITS else 0.0
            between = self.glimpsed.pop(cell, ())
            yield CardSeen(self.now, 0, cell, before, after, since, tuple(sides), 0, again, between)  # type: ignore[arg-type]

    def pass_time(self, seconds: float, *, glimpsed: tuple[int, ...] = ()) -> list[Act]:
        acts: list[Act] = []
        until = self.now + int(seconds * SECOND)
        while self.now < until:
            acts += self.frame(glimpsed=glimpsed)
        return acts

    def deal(self, cards: list[str], leftover: str = "", on: int = 5) -> None:
        """Nine cards, then the leftover under an arm."""
        self.piles = [[card] for card in cards]
        self.pass_time(0.3)
        if leftover:
            self.play(on, leftover)
            self.pass_time(0.3)

    def play(self, cell: int, card: str, *, seconds: float = 0.5, side: str = "bottom") -> list[Act]:
        """A card laid under an arm, and the arm gone."""
        self.cover(cell, until=self.now + int(seconds * SECOND), side=side)
        acts = self.frame()
        self.piles[cell - 1].append(card)
        return acts + self.pass_time(seconds)

    def take(self, cell: int, *, seconds: float = 0.5) -> list[Act]:
        self.cover(cell, until=self.now + int(seconds * SECOND))
        acts = self.frame()
        self.piles[cell - 1].pop()
        return acts + self.pass_time(seconds)

    @property
    def in_hands(self) -> list[str]:
        on_table = {card for pile in self.piles for card in pile}
        return [card for card in DECK if card not in on_table]

    def a_play(self, *, legal: bool = True, on: int = 0) -> tuple[int, str]:
        return next(
            (cell, card)
            for cell in ((on,) if on else CELLS)
            for card in self.in_hands
            if is_legal(self.state.grid, cell, card) == legal
        )

    def moves(self, kind: Any) -> list[Any]:
        return [done.move for done in self.match.line if isinstance(done.move, kind)]


def of(acts: list[Act], kind: type | UnionType) -> list[Any]:
    return [act for act in acts if isinstance(act, kind)]


def said(acts: list[Act], kind: type | UnionType) -> list[Any]:
    """The moves, or the requests, of a kind."""
    whats = [act.message.move if isinstance(act.message, MoveMessage) else act.message for act in of(acts, Statement)]
    return [what for what in whats if isinstance(what, kind)]


def dealt(seed: int = 1, *, play: bool = True, **house: Any) -> Scene:
    scene = Scene(House(**house))
    cards = Random(seed).sample(DECK, len(DECK))
    scene.deal(cards[:9], cards[9])
    if play:
        scene.say({"move": "go"})
        scene.frame()
    return scene
