"""The words that all games share: moves, rulings, events, fouls, house rules. No clock, no file, no game."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from companion.core.clocks import short
from companion.core.photo_finish import Finish
from companion.core.sentence import N_, Sentence


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()


@dataclass(frozen=True, slots=True)
class Move:
    """What a player did, or the referee at a deadline, and when.

    `player` is the one it concerns; empty where nobody knows, which only some moves allow.
    """

    word: ClassVar[str] = "move"
    doing: ClassVar[str] = ""  # the word as people say it: "cannot {doing} now"
    needs_player: ClassVar[bool] = True
    by_referee: ClassVar[bool] = False  # made at a deadline; nobody at the table can make it
    concealed: ClassVar[tuple[str, ...]] = ()  # fields that players may not look up later

    player: str
    at: int = field(default=0, kw_only=True)  # nanoseconds of table time

    def __init_subclass__(cls) -> None:
        cls.word = _kebab(cls.__name__)
        if "doing" not in vars(cls):
            cls.doing = cls.word.replace("-", " ")

    def foul(self, code: str, text: str, **facts: Any) -> "Foul":
        """Why it cannot be made; {player} and {move} of the text are its own."""
        doing = {"move": self.doing} if "{move}" in text else {}
        return Foul(code, self.player, text, **doing, **facts)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing a ruling did. The fields are the facts, `text` is the sentence made from them."""

    word: ClassVar[str] = "event"
    text: ClassVar[str] = ""
    counts: ClassVar[int] = 0  # it changes a score: 1 says why, 2 only by how much
    open_text: ClassVar[str] = ""  # the same without what players may not look up later, where it says such things
    won_by: ClassVar[str] = ""  # of an event that ends a round: by what, in a sentence

    def __init_subclass__(cls) -> None:
        cls.word = _kebab(cls.__name__)

    @property
    def template(self) -> str:
        """The text that fits these facts."""
        return self.text

    @property
    def facts(self) -> dict[str, Any]:
        """What stands in its blanks."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def sentence(self) -> Sentence:
        return Sentence(self.template, **self.facts)

    @property
    def open_template(self) -> str:
        """The text that fits these facts and may be looked up."""
        return self.open_text or self.template

    @property
    def round_winners(self) -> tuple[str, ...] | None:
        """Who wins the round that this ends, nobody where it is drawn; None for an event that ends no round."""
        return None

    @property
    def open_sentence(self) -> Sentence:
        return Sentence(self.open_template, **self.facts)


@dataclass(frozen=True, slots=True)
class May:
    """A kind of move that is open now and to whom; `choices` where they can be counted out."""

    move: str
    players: tuple[str, ...]
    choices: tuple[Any, ...] = ()  # frozen dataclasses of the game


@dataclass(frozen=True, slots=True)
class Deadline:
    """What the referee does by itself at `at`, unless something happens before."""

    at: int
    move: Move


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended."""

    winners: tuple[str, ...]  # more than one: they share it; none: nobody won
    scores: tuple[int, ...]  # in the order of the players
    reason: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """A move that was accepted: the state after it, what happened, and what may come next.

    Every state of every game can tell its players, its phase, whose turn it is (empty when it is everybody's or
    nobody's), the scores, and the deadline and the outcome, if there is one.
    """

    state: Any  # because each game knows its own
    events: tuple[Event, ...]
    may: tuple[May, ...]

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return tuple(event.sentence for event in self.events if event.text)


class Foul(ValueError):
    """A move that the rules refuse. It has changed nothing."""

    def __init__(self, code: str, player: str, text: str, **facts: Any) -> None:
        super().__init__(code, player, text, facts)
        self.code = code
        self.player = player
        self.text = text
        self.facts = facts

    @property
    def sentence(self) -> Sentence:
        return Sentence(self.text, player=self.player, **self.facts)

    def __str__(self) -> str:
        return self.sentence


def setting(
    default: Any,
    help: str,  # noqa: A002
    *,
    low: int | None = None,
    high: int | None = None,
    choices: tuple[Any, ...] = (),
    before: Any = None,
    offered: bool = True,
) -> Any:
    """A field of a House: its default, what it means, and the values it may have. `before` is what was played by when
    there was no such rule yet: matches that were kept without it go on so. One that is not `offered` is there for those
    matches alone: no screen shows it, and a new match begins with its default."""
    limits = {"help": help, "low": low, "high": high, "choices": choices, "before": before, "offered": offered}
    return field(default=default, metadata=limits)


def inner(default: Any) -> Any:
    """A field of a state that nobody is told: the rules keep it for their own speed or memory."""
    return field(default=default, metadata={"inner": True})


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the match sees it."""

    name: str
    title: str
    players: tuple[int, int]  # fewest and most
    minutes: int
    summary: str  # the rules in our own words
    house: type[Any]
    state: type[Any]
    moves: tuple[type[Move], ...]
    events: tuple[type[Event], ...]
    start: Callable[[tuple[str, ...], Any], Ruling]
    rule: Callable[[Any, Any], Ruling]  # raises Foul
    facts: Callable[[Any], tuple["Fact", ...]] = lambda _state: ()  # what is worth remembering of a match
    hidden: Callable[[Any], tuple["Hidden", ...]] = lambda _state: ()
    """What nobody may look up while the match runs. A move's `concealed` and an event's `open_text` are made for it."""
    face_up: Callable[[Any], tuple["FaceUp", ...]] = lambda _state: ()
    """What everybody may see at every place, for whoever looks on from elsewhere."""
    recalled: Callable[[Any], Any] = lambda state: state
    """A state of before as it may be shown while the match runs."""
    together: Callable[[Any, Any, Finish], Move | None] = lambda _first, _claim, _finish: None
    """Two claims of different players that cannot be told apart, as the one move that they are; none where they do
    not compete."""
    # What a correction asks of a game; those that have one round, or nothing to adjust, leave it as it is.
    round_of: Callable[[Any], int] = lambda _state: 1  # the round being played, or the last one; they count from 1
    carried: Callable[[Any, Any], Ruling] = lambda _state, played: Ruling(played, (), ())
    """A round as it began when it was played, with the results that a state has by now."""
    adjusted: Callable[[Any, Any, Foul], Move | None] = lambda _state, _move, _foul: None
    """A move that can stand in the place of one that is a foul now, because something before it was corrected."""
    looks_anew: Callable[[Any, Any, Any], bool] = lambda _state, _played, _move: False
    """Whether a move tells of cards that nobody may look up, and did not where it was played."""
    went_on: Callable[[Any, Any], Any] = lambda _state, _played: None
    """A state that is over as if play had gone on, as it did in the other; None where it cannot have."""
    out: Callable[[Any], tuple[str, ...]] = lambda _state: ()  # who plays no more, while the others go on
    scored_in: str = "points"  # what the scores count: points, cards, chips
    is_fewest_best: bool = False
    halts: tuple[str, ...] = ()  # phases in which something was called out, and play stands until it is settled
    lies_open: bool = False  # every card and piece can be seen by everybody, always


@dataclass(frozen=True, slots=True)
class Fact:
    """Something about a match that is kept for good: a best time, a long round."""

    kind: str
    player: str
    value: int


@dataclass(frozen=True, slots=True)
class AdvisedMove:
    """A move and what it is worth: win, loss or draw, in so many moves. A piece from the hand has no source."""

    source: str
    target: str
    value: str
    moves: int


@dataclass(frozen=True, slots=True)
class Advice:
    """What a solver thinks of a position: its value for whoever is to move, and that of every move, best first."""

    value: str
    moves: int
    ways: tuple[AdvisedMove, ...]


@dataclass(frozen=True, slots=True)
class Solver:
    """SOLVER of a game: what is known of a state. None: nobody has solved the game."""

    advice: Callable[[Any], Advice] | None = None


def seat_after(players: tuple[str, ...], player: str, steps: int = 1) -> str:
    """The player so many seats further on, clockwise; negative steps go the other way."""
    return players[(players.index(player) + steps) % len(players)]


@dataclass(frozen=True, slots=True)
class Place:
    """Where cards lie: a hand, a pile, a bank, the deck, a cell of the grid. Nobody's where `of` is empty."""

    kind: str
    of: str = ""

    def __str__(self) -> str:
        if self.kind == "cell":
            return f"cell {self.of}"
        return f"{self.of}'s {self.kind}" if self.of else f"the {self.kind}"


@dataclass(frozen=True, slots=True)
class CardsMoved(Event):
    """Cards that went from one place to another; "?" for a card that nobody has shown the referee."""

    cards: tuple[str, ...]
    source: Place
    target: Place


@dataclass(frozen=True, slots=True)
class Ahead(Event):
    """By how much a strike was the first. The whole photo finish is in the move."""

    text: ClassVar[str] = N_("{player} was {ahead} before {second}; closer than {told_apart} would have been a tie.")
    player: str
    second: str
    gap: int  # nanoseconds
    margin: int
    ahead: str
    told_apart: str


@dataclass(frozen=True, slots=True)
class Turn(Event):
    text: ClassVar[str] = N_("It is {player}'s turn.")
    player: str


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The match is over."""

    text: ClassVar[str] = N_("{reason} Won by: {winners}.")
    winners: tuple[str, ...]
    scores: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Hidden:
    """Cards that the referee knows, and that lie face down or covered: while the match runs nobody may look them up."""

    place: Place
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FaceUp:
    """A place of the table: how many cards or pieces there are, and those of them that lie open."""

    place: Place
    count: int
    cards: tuple[str, ...] = ()


SEEN, TOLD, COUNTED = "seen", "told", "counted"  # how the referee learns of cards: what a house rule `cards` may be
UNSEEN = "?"  # a card that is there, and that nobody has shown the referee


def ended(outcome: Outcome) -> Ended:
    return Ended(outcome.winners, outcome.scores, outcome.reason)


def ahead(player: str, finish: Finish | None) -> Iterator[Ahead]:
    """The gap to the next, if there is a next with a time, and one of them was the first."""
    order = finish.order if finish and not finish.tied else ()
    if finish and len(order) > 1 and order[1].after is not None:
        gap, margin = order[1].after, finish.margin
        yield Ahead(player, order[1].seat, gap, margin, short(gap), short(margin))


def highest(players: tuple[str, ...], scores: tuple[int, ...]) -> tuple[str, ...]:
    """Everybody with the best score: a shared win where it is more than one."""
    best = max(scores)
    return tuple(player for player, score in zip(players, scores, strict=True) if score == best)


def changed(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """The same tuple with one place changed."""
    return (*values[:index], value, *values[index + 1 :])
