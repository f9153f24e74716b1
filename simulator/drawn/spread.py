"""What lies on the drawn table of one match: every card, also those that the referee does not know.

The cards follow the match: they are the fold of its line of moves over a shuffled deck, so a move that is taken back
puts its cards back too.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

from companion.core.button_meanings import ButtonKind
from companion.core.clocks import SECOND
from companion.core.correction import Done
from companion.core.match import Match
from companion.core.requests import Request
from companion.core.rules import Move, Ruling
from companion.core.seats import EASY, STRONG, USUAL, Bot
from companion.display.layout import Box
from companion.display.scene import Intent
from companion.display.screens.elements import Page
from companion.games import part
from companion.words import Words
from simulator.drawn.items import Thing
from simulator.drawn.sitters import seat_kinds

Picked = tuple[Thing, ...]
T = TypeVar("T")
ERRS = {EASY: 2.0, USUAL: 1.0, STRONG: 0.0}  # times as often as usual
LEAST_SIZE = 0.6  # of what a card of a hand usually has


@dataclass(frozen=True, slots=True)
class Minds:
    """The bots at a table, and which of them have thought long enough to do something now."""

    bots: Mapping[str, Bot]
    awake: frozenset[str]
    is_alone: bool  # nobody else sits at the table
    mistakes: float = 0.0  # how often somebody errs who plays as people usually do

    def level(self, player: str) -> str:
        return self.bots[player].level

    def of(self, player: str, chances: Mapping[str, T]) -> T:
        """What a level stands for."""
        return chances[self.level(player)]

    def errs(self, player: str) -> float:
        """How often this one does what the rules refuse."""
        return self.mistakes * self.of(player, ERRS)


@dataclass(frozen=True, slots=True)
class Sight:
    """What a game needs to know to draw its table."""

    page: Page
    middle: Box  # for everybody's things
    hand: Box  # for those of the person whose hand is shown
    me: str
    picked: Picked = ()
    columns: tuple[tuple[str, Box], ...] = ()  # the other players, and where in the middle their things lie
    token: int = 0  # how bright the token shines


class Spread:
    """The cards of one match."""

    pace: tuple[float, float] = (1.2, 2.8)  # seconds that a bot takes for the next thing
    is_race = False  # everybody plays at once, and nobody waits for what others do
    deep: tuple[float, float] = (26, 42)  # hundredths of the table for the others' seats, and for one's own

    def __init__(self, match: Match, seed: int) -> None:
        self.setup = match.setup
        self.names = match.setup.names
        self.house: Any = match.setup.house
        self.seed = seed
        self.rng = Random(seed)
        self.state: Any = match.state
        self.may: dict[str, tuple[str, ...]] = {}
        self.version = 0  # another one is another picture
        self._followed: list[Done] = []
        self.begin()
        self.follow(match)

    # --- what happens in the match ---------------------------------------------------------------------------

    def begin(self) -> None:
        """A freshly shuffled deck."""

    def done(self, move: Move, ruling: Ruling) -> None:
        """The referee has let this pass: the cards go where it says."""

    def follow(self, match: Match) -> None:
        self.version += 1
        line = match.line
        if len(line) < len(self._followed) or any(
            one is not two for one, two in zip(self._followed, line, strict=False)
        ):
            self._followed = []
            self.begin()
        for done in line[len(self._followed) :]:
            self.done(done.move, done.ruling)
        self._followed = list(line)
        self.state = match.state
        self.may = {may.move: may.players for may in match.ruling.may} if match.is_running else {}
        self.settle()

    def settle(self) -> None:
        """What follows from how the match stands now."""

    @property
    def seen_besides(self) -> tuple[Any, ...]:
        """What makes another picture, although the match has not gone on."""
        return ()

    @property
    def second_buttons(self) -> tuple[ButtonKind, ...]:
        """What a seat has now beside its button for strikes."""
        return seat_kinds(self.setup.game)

    @property
    def moves(self) -> int:
        """How many moves of the match the cards have followed."""
        return len(self._followed)

    # --- what people do --------------------------------------------------------------------------------------

    def shown(self, people: tuple[str, ...], before: str) -> str:
        """Whose hand is to be seen: that of the person whose turn it is, else the one seen before."""
        wanted = self.wanted()
        if wanted in people:
            return wanted
        if before in people:
            return before
        return people[0] if people else self.names[0]

    def wanted(self) -> str:
        """Whose move it is."""
        return str(self.state.turn)

    def pick(self, thing: Thing, picked: Picked, me: str) -> Picked | None:
        """What is held after this is touched; None where it cannot be picked up."""
        if not self.can_pick(thing, me):
            return None
        return () if thing in picked else (thing,)

    def can_pick(self, _thing: Thing, _me: str) -> bool:
        return False

    def card_at(self, thing: Thing, _me: str) -> Any:
        """What lies there and would be picked up; None where nothing does."""
        return thing

    def again(self, thing: Thing) -> None:
        """Something that is held is clicked once more."""

    def put(self, _picked: Picked, _onto: Thing, _me: str) -> Move | Request | None:
        """The move that it is to put what is held there; or, with nothing held, to touch it."""
        return None

    def places(self, _move: Move) -> tuple[Intent, ...]:
        """What is to be touched for a move that somebody is asked for; nothing: it is said on the screen."""
        return ()

    # --- what bots do ----------------------------------------------------------------------------------------

    def bot_move(self, _minds: Minds, _now: int) -> Move | Request | None:
        """What one of the bots does next; None while it is a person's move."""
        return None

    def is_too_early(self, _move: Move, _at: int) -> bool:
        """Everybody sees at that table time that the rules would refuse it."""
        return False

    def is_joined(self, _move: Move) -> bool:
        """Others reach for the same at nearly the same moment."""
        return False

    # --- what is seen ----------------------------------------------------------------------------------------

    def hint(self, _words: Words, _me: str) -> str:
        """What the person with this hand can do on the table now."""
        return ""

    def counts(self, _player: str) -> int:
        """The cards in somebody's hand."""
        return 0

    def draw(self, sight: Sight) -> None:
        """What lies on the table."""

    def face(self, page: Page, box: Box, thing: Thing) -> None:
        """Something that is dragged, as it is seen."""


def fan(box: Box, count: int, shape: float, gap: int) -> Iterator[Box]:
    """Places for so many cards of one hand, side by side: smaller where there is little room, then overlapping."""
    if not count:
        return
    high = float(min(box.h, round(box.w / shape)))
    needed = count * (high * shape + gap) - gap
    high *= max(LEAST_SIZE, min(1.0, box.w / needed))
    wide = round(high * shape)
    step = min(wide + gap, (box.w - wide) // max(1, count - 1))
    left = box.x + (box.w - wide - step * (count - 1)) // 2
    top = box.y + (box.h - round(high)) // 2
    for number in range(count):
        yield Box(left + step * number, top, wide, round(high))


def waited(since: int, now: int, seconds: float) -> bool:
    return now - since >= seconds * SECOND


@dataclass(frozen=True, slots=True)
class DrawnGame:
    """SPREAD of a game: its cards on the drawn table, of a match and how they are shuffled."""

    make: Callable[[Match, int], Spread] | None = None


def spread_of(match: Match, seed: int) -> Spread | None:
    """The cards of a match; None where its game has no drawn table."""
    make = part(match.setup.game, "spread", DrawnGame).make
    return make(match, seed) if make else None
