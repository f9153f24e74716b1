"""Which hypotheses explain what was seen on a table, and how likely each of them is.

It knows no game, no pixel and no time of day. A game's sight says in which ways a change can have come about, with
odds; the tracker tries the orders that the stamps allow, and keeps the hypotheses that are likely enough. What came
surely before everything else is settled after a while: from then on only what lies there counts.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import erf, exp, log, sqrt
from typing import Any, NamedTuple, Protocol

SECOND = 1_000_000_000
BEAM = 40  # hypotheses that are kept
FLOOR = log(1e-5)  # against the likeliest
CROWDED = 3  # changes in one stretch; of more, fewer hypotheses are kept on the way
SURELY = 3.0  # spreads from its moment a change may have been
NEVER = log(1e-4)  # an order less likely than that is not tried
OPEN_FOR = 5 * SECOND // 2  # after so long nothing that came before is thought over again
MOST_OPEN = 10  # changes in one stretch; more are settled as they come
MOST_UNSEEN = 3  # plays that nobody saw, among what is open
AT_ONCE = 0.03  # of the weight of a story: an order that has so much is one in which it may have happened


@dataclass(frozen=True)
class PlaceChange:
    """A place shows something else than before: evidence, as it came from the eye."""

    number: int
    place: int
    faces: tuple[tuple[str, float], ...]  # what it shows, and how likely each is
    since: int  # nobody has seen the place from then ...
    by: int  # ... until then
    stamp: int  # when it was known
    again: float = 0.0  # how likely it is that hands came there more than once in between
    between: tuple[tuple[str, float], ...] = ()  # what else may have come to lie there unseen, each with its chance

    @cached_property
    def moment(self) -> float:
        """When it was done, most likely."""
        return (self.since + self.by) / 2

    @cached_property
    def spread(self) -> float:
        """Of that moment: a short stretch is one visit, which lays in its middle; in a long one it may be anywhere."""
        length = (self.by - self.since) / SECOND
        return max(length * min(max(0.13 + (length - 0.6) * 0.3, 0.13), 0.28), 0.01) * SECOND

    @cached_property
    def first(self) -> float:
        """Hardly earlier than then."""
        return max(self.since, self.moment - SURELY * self.spread)

    @cached_property
    def last(self) -> float:
        return min(self.by, self.moment + SURELY * self.spread)

    def before(self, other: "PlaceChange") -> float:
        """How likely it is that it came first; as a logarithm."""
        if self.last <= other.first:
            return 0.0
        apart = (other.moment - self.moment) / sqrt(self.spread**2 + other.spread**2)
        return log(max(0.5 * (1 + erf(apart / sqrt(2))), 1e-6))


class Deed(NamedTuple):
    """What was done by one change, as a hypothesis has it."""

    change: int
    word: str  # of the game: what it tells its referee
    place: int
    face: str
    legal: bool | None = None  # of a play
    unseen: int = 0  # plays that nobody saw came before it, at the same place


class Story(NamedTuple):
    """One way in which a change can have come about."""

    table: Any
    odds: float  # logarithm
    deed: Deed | None = None  # none: nothing was done, as far as a referee cares


class GameSight(Protocol):
    """What a game says of its table, seen from above. Tables are its own, immutable and hashable."""

    def shows(self, table: Any, place: int) -> str:
        """The face that is seen at a place; "" where nobody knows it."""
        ...

    def stories(self, table: Any, change: PlaceChange, *, again: bool) -> Iterable[Story]:
        """In which ways it can have come about; `again`: behind a play there that nobody saw."""
        ...

    def unseen(self, table: Any, change: PlaceChange) -> Iterable[Story]:
        """What may have been done there before it, within the same stretch."""
        ...

    def settled(self, table: Any, now: int, doubts: Mapping[int, float]) -> Iterable[tuple[Any, float]]:
        """The table as it counts from now on, and other ways in which it may count; each with its odds. By change: how
        likely it is that its play was judged wrongly."""
        ...


class Hypothesis(NamedTuple):
    """One explanation of everything that was seen."""

    table: Any
    weight: float = 0.0  # logarithm
    done: frozenset[int] = frozenset()
    twice: frozenset[int] = frozenset()  # changes with something unseen before them
    line: tuple[Deed, ...] = ()  # in the order in which it was done
    root: int = 0  # which of the settled tables it began with


@dataclass(frozen=True, slots=True)
class Belief:
    """What is known of one change: the chance that it was a play, and if so a legal one; legal in some order of what
    nobody saw the order of is legal."""

    play: float
    legal: float
    deed: Deed  # by the likeliest hypothesis
    other: Deed | None  # by the likeliest of those that see it otherwise


class Tracker:
    """Hand it changes as they become known."""

    def __init__(self, sight: GameSight, table: Any, beam: int = BEAM) -> None:
        self._sight, self._beam = sight, beam
        self._base = [Hypothesis(table)]
        self._open: list[PlaceChange] = []
        self._knots: list[tuple[tuple[int, ...], list[Hypothesis]]] = []  # changes that overlap, and what came of them
        self._beliefs: dict[int, Belief] | None = {}  # None: to be worked out

    @property
    def open(self) -> Sequence[PlaceChange]:
        """What is not settled."""
        return self._open

    @property
    def best(self) -> Hypothesis:
        return max(self.hypotheses, key=lambda one: one.weight)

    @property
    def hypotheses(self) -> list[Hypothesis]:
        return self._knots[-1][1] if self._knots else self._base

    def take(self, change: PlaceChange) -> None:
        """One more change; where no hypothesis explains it, it is as if it had not been seen."""
        self._beliefs = None
        self._open.append(change)
        if not self._run():
            self._open.remove(change)
            self._run()

    def withdraw(self, change: PlaceChange) -> None:
        """A change that was seen in doubt is seen clearly now, and comes in anew; what is settled stays."""
        if change in self._open:
            self._beliefs = None
            self._open.remove(change)
            self._run()

    def shown(self, place: int) -> dict[str, float]:
        """How likely a place shows each face; "" where nobody has seen what lies there."""
        hypotheses, found = self.hypotheses, dict[str, float]()
        heaviest = max((one.weight for one in hypotheses), default=0.0)
        for one in hypotheses:
            face = self._sight.shows(one.table, place)
            found[face] = found.get(face, 0.0) + exp(one.weight - heaviest)
        total = sum(found.values())
        return {face: weight / total for face, weight in found.items()}

    def learn(self, odds: Callable[[Any], float]) -> None:
        """Something else than a change is known: how much likelier or less likely each table is for it."""
        self._beliefs = None
        self._base = [one._replace(weight=one.weight + odds(one.table)) for one in self._base]
        self._knots = [
            (numbers, [one._replace(weight=one.weight + odds(one.table)) for one in hypotheses])
            for numbers, hypotheses in self._knots
        ]

    def branch(self, other: Callable[[Any], Any]) -> None:
        """The table may be another one as well, if there is one; from here on what is seen decides."""
        self._beliefs = None
        self._base = _branched(self._base, other)
        self._knots = [(numbers, _branched(hypotheses, other)) for numbers, hypotheses in self._knots]

    def settle(self, now: int) -> Sequence[PlaceChange]:
        """What came before everything else and is old enough is not thought over any more."""
        settled: list[PlaceChange] = []
        while self._knots and self._is_old(self._knots[0][0], now):
            numbers, hypotheses = self._knots.pop(0)
            settled += [one for one in self._open if one.number in numbers]
            self._open = [one for one in self._open if one.number not in numbers]
            self._base = self._settled(hypotheses, now)
        if settled:
            self._beliefs = None
            self._knots.clear()
            self._run()
        return settled

    def beliefs(self) -> dict[int, Belief]:
        """Of each change that is open; worked out once for what is known."""
        if self._beliefs is None:
            self._beliefs = self._believed()
        return self._beliefs

    def _believed(self) -> dict[int, Belief]:
        hypotheses = self.hypotheses
        heaviest = max((one.weight for one in hypotheses), default=0.0)
        weights = [exp(one.weight - heaviest) for one in hypotheses]
        found = {}
        for change in self._open:
            at_once = frozenset(one.number for one in self._open if one.since < change.by and change.since < one.by)
            kinds = [_kind(one, at_once) for one in hypotheses]
            if belief := _belief(change.number, hypotheses, weights, kinds):
                found[change.number] = belief
        return found

    # --- hypotheses

    def _is_old(self, numbers: tuple[int, ...], now: int) -> bool:
        of = [one for one in self._open if one.number in numbers]
        return all(one.stamp <= now - OPEN_FOR for one in of) or len(self._open) > MOST_OPEN

    def _settled(self, hypotheses: Collection[Hypothesis], now: int) -> list[Hypothesis]:
        found: dict[Any, Hypothesis] = {}
        heaviest = max(one.weight for one in hypotheses)
        doubts = _doubts(hypotheses)
        for one in hypotheses:
            for table, odds in self._sight.settled(one.table, now, doubts):
                _merge(found, table, Hypothesis(table, one.weight + odds - heaviest))
        return [one._replace(root=at) for at, one in enumerate(self._cut(found.values()))]

    def _run(self) -> bool:
        """Explain what is open, from the first knot that is new; whether it can be explained."""
        before, self._knots = self._knots, []
        hypotheses, same = self._base, True
        for at, knot in enumerate(_knots(self._open)):
            numbers = tuple(one.number for one in knot)
            same = same and at < len(before) and before[at][0] == numbers
            hypotheses = before[at][1] if same else self._explained(hypotheses, knot)
            if not hypotheses:
                self._knots = before
                return False
            self._knots.append((numbers, hypotheses))
        return True

    def _explained(self, hypotheses: Sequence[Hypothesis], knot: Sequence[PlaceChange]) -> list[Hypothesis]:
        """The hypotheses behind these changes, in every order that their stamps allow."""
        wanted = len(hypotheses[0].done) + len(knot) if hypotheses else 0
        beam, whole = list(hypotheses), dict[Any, Hypothesis]()
        width = self._beam * CROWDED // max(len(knot), CROWDED)
        while beam:
            found: dict[Any, Hypothesis] = {}
            for hypothesis in beam:
                for after in self._steps(hypothesis, knot):
                    _merge(whole if len(after.done) == wanted else found, _key(after), after)
            beam = self._cut(found.values(), width)
        return self._cut(whole.values())

    def _steps(self, hypothesis: Hypothesis, knot: Sequence[PlaceChange]) -> Iterator[Hypothesis]:
        """One change more, or something that nobody saw before one."""
        left = [one for one in knot if one.number not in hypothesis.done]
        for change in left:
            others = [one for one in left if one is not change]
            if any(one.place == change.place and one.stamp < change.stamp for one in others):
                continue
            first = sum(change.before(one) for one in others)
            if first < NEVER:
                continue
            again = change.number in hypothesis.twice
            for story in self._sight.stories(hypothesis.table, change, again=again):
                line = (*hypothesis.line, story.deed) if story.deed else hypothesis.line
                done = hypothesis.done | {change.number}
                weight = hypothesis.weight + first + story.odds
                yield hypothesis._replace(table=story.table, weight=weight, done=done, line=line)
            if not again and len(hypothesis.twice) < MOST_UNSEEN and hypothesis.twice <= hypothesis.done:
                twice = hypothesis.twice | {change.number}
                for story in self._sight.unseen(hypothesis.table, change):
                    weight = hypothesis.weight + story.odds
                    line = (*hypothesis.line, story.deed) if story.deed else hypothesis.line
                    yield hypothesis._replace(table=story.table, weight=weight, twice=twice, line=line)

    def _cut(self, found: Iterable[Hypothesis], width: int = 0) -> list[Hypothesis]:
        """The likeliest; those that have explained more are lighter, and are compared with their like."""
        kept: list[Hypothesis] = []
        for _, some in groupby(sorted(found, key=_progress), key=_progress):
            of = sorted(some, key=lambda one: -one.weight)[: width or self._beam]
            kept += [one for one in of if one.weight > of[0].weight + FLOOR]
        return kept


def _branched(hypotheses: Iterable[Hypothesis], other: Callable[[Any], Any]) -> list[Hypothesis]:
    found = []
    for one in hypotheses:
        table = other(one.table)
        found += [one] if table is None else [one, one._replace(table=table)]
    return found


def _progress(hypothesis: Hypothesis) -> tuple[int, int]:
    return len(hypothesis.done), len(hypothesis.twice - hypothesis.done)


def _key(hypothesis: Hypothesis) -> Any:
    """What does not differ in it need not be kept twice."""
    return hypothesis.table, hypothesis.done, hypothesis.twice, frozenset(hypothesis.line), hypothesis.root


def _kind(hypothesis: Hypothesis, at_once: frozenset[int]) -> Any:
    """What was done, whatever the order of some changes; but what hangs on a thing that nobody saw is none of order."""
    if hypothesis.twice:
        return hypothesis.root, frozenset(hypothesis.line)
    deeds = (deed._replace(legal=None) if deed.change in at_once else deed for deed in hypothesis.line)
    return hypothesis.root, frozenset(deeds)


def _merge(found: dict[Any, Hypothesis], key: Any, one: Hypothesis) -> None:
    other = found.get(key)
    if other is None:
        found[key] = one
    else:
        more, less = (one, other) if one.weight > other.weight else (other, one)
        found[key] = more._replace(weight=more.weight + log(1 + exp(less.weight - more.weight)))


def _doubts(hypotheses: Collection[Hypothesis]) -> dict[int, float]:
    """Of each play: how much weight sees it otherwise than most."""
    heaviest = max(one.weight for one in hypotheses)
    legal: dict[int, float] = {}
    play: dict[int, float] = {}
    for one in hypotheses:
        weight = exp(one.weight - heaviest)
        for deed in one.line:
            if deed.legal is not None:
                play[deed.change] = play.get(deed.change, 0.0) + weight
                legal[deed.change] = legal.get(deed.change, 0.0) + weight * deed.legal
    return {change: min(legal[change], weight - legal[change]) / weight for change, weight in play.items()}


def _knots(changes: Iterable[PlaceChange]) -> list[list[PlaceChange]]:
    """Changes that overlap in time, group by group."""
    found: list[list[PlaceChange]] = []
    for one in sorted(changes, key=lambda one: (one.last, one.first)):
        knot = [one]
        while found and max(other.last for other in found[-1]) > one.first:
            knot = found.pop() + knot
        found.append(knot)
    return found


def _belief(
    number: int, hypotheses: Sequence[Hypothesis], weights: Sequence[float], kinds: Sequence[Any]
) -> Belief | None:
    total: dict[Any, float] = {}
    legal: dict[Any, float] = {}
    deeds: dict[Deed, float] = {}
    for one, weight, kind in zip(hypotheses, weights, kinds, strict=True):
        for deed in one.line:
            if deed.change == number:
                deeds[deed] = deeds.get(deed, 0.0) + weight
                if deed.legal is not None:
                    total[kind] = total.get(kind, 0.0) + weight
                    legal[kind] = legal.get(kind, 0.0) + weight * deed.legal
    if not deeds:
        return None
    play = sum(total.values())
    in_some = sum(weight for kind, weight in total.items() if legal[kind] > AT_ONCE * weight)
    ranked = sorted(deeds, key=lambda one: -deeds[one])
    other = next((one for one in ranked[1:] if (one.word, one.legal) != (ranked[0].word, ranked[0].legal)), None)
    return Belief(play / sum(weights), in_some / play if play else 0.0, ranked[0], other)
