"""Whose turn it is, as far as a camera tells: who drew and whose card it is are weighed in hypotheses.

Arms that were seen, hands at the draw pile and the order of turns are evidence that may be wrong or missing. A move is
told when nearly all of what explains them has it next; until then it waits, and where it waits for long, it is asked.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import exp, log
from typing import NamedTuple, TypeVar

from companion.core.clocks import SECOND
from companion.core.rules import Foul, Move
from companion.games.threepia.rules import GAME, Begin, Draw, Lay, State
from companion.games.threepia.witness_field import PlaceSeen
from companion.watch.evidence import Evidence
from companion.watch.tracker import Deed, Hypothesis, PlaceChange, Story, Tracker

LAID, DREW, REFILLED, COVERED, OUT_OF_TURN = "laid", "drew", "refilled", "covered", "out-of-turn"
SURE = 0.995  # of what explains everything: so much has to have a move next before it is told
SURE_ENOUGH = 0.85  # where nobody has said who sits where, no arm tells more: asking each time would be no help
SURE_WHEN_SAID = 0.8  # behind what a person says
ASKS = 3 * SECOND  # after a card was seen to lie there, whose turn it was is asked


class PileLook(NamedTuple):
    """A pile of which no more looks otherwise than before: how often so where a card was taken, and where none was."""

    most: float
    taken: float
    passing: float


LOOKS = (PileLook(0.02, 0.03, 0.95), PileLook(0.12, 0.06, 0.035), PileLook(1.0, 0.91, 0.015))  # of 168 and 122 visits


@dataclass(frozen=True, slots=True)
class TurnOdds:
    """How likely what is seen of a turn is: counted in matches of bots, but for what stands there as assumed."""

    draws: float = 0.04  # of turns; whoever has the turn draws
    draw_missed: float = 0.04  # of draws no hands were seen at the pile
    refill_missed: float = 0.05  # of the three cards that are drawn for a hand played out likewise
    passes: float = 0.18  # hands, arms or shadows at the pile that take nothing, for each turn
    arm_seen: float = 0.96  # of who lays a card the arm is made out
    arm_at_pile: float = 0.9  # ... of who takes one of the pile
    arm_passing: float = 0.03  # ... of what only passes over it
    beside: float = 0.01  # another arm is taken to have been there as well
    illegal: float = 0.06  # of cards that are laid do not fit
    instead: float = 0.003  # another arm is taken for the one that was there
    covered: float = 0.2  # against none: a card was laid and covered where a symbol of it was read for a moment ...
    covered_more: float = 10.0  # ... and so much likelier for each symbol more; 1 of 1 with two of them, in 320 cards
    out_of_turn: float = 0.0005  # of cards that are laid; assumed


class TurnTable(NamedTuple):
    """A match in one hypothesis, and who is due at the pile though that is no turn."""

    state: State
    due: tuple[str, ...] = ()
    covered: str = ""  # whose card the next one covers before it lay free


@dataclass(slots=True)
class SeenVisit:
    """Hands at the draw pile, or what looked like them."""

    change: PlaceChange
    arms: frozenset[str]
    otherwise: float = -1.0  # of the pile so much looks different

    def chance(self, *, taken: bool) -> float:
        """How likely the look of the pile is, if a card was taken or not."""
        if self.otherwise < 0:
            return 1.0
        return next(one.taken if taken else one.passing for one in LOOKS if self.otherwise <= one.most)


@dataclass(slots=True)
class SeenCard:
    """A card that came to lie on a place of the field."""

    change: PlaceChange
    arms: frozenset[str]
    place: str  # its letter
    card: str
    seen: PlaceSeen
    evidence: Evidence
    at: int  # the turn ends then
    counts: bool = True  # it fits, as far as it can be told
    beneath: tuple[str, ...] = ()  # cards that it may have covered before they lay free; none: nothing hints at one


Seen = TypeVar("Seen", SeenVisit, SeenCard)


class TurnSight:
    """Which stories explain hands at the pile and cards on the field. `seats` says who sits at which side."""

    def __init__(self, seats: Mapping[str, str], odds: TurnOdds | None = None) -> None:
        self._odds = odds or TurnOdds()
        self._seats = dict(seats)
        self.seen: dict[int, SeenVisit | SeenCard] = {}
        self.now = 0  # in the match's time

    def shows(self, table: TurnTable, place: int) -> str:
        del table, place
        return ""

    def settled(self, table: TurnTable, now: int, doubts: Mapping[int, float]) -> Iterable[tuple[TurnTable, float]]:
        del now, doubts
        return ((table, 0.0),)

    def unseen(self, table: TurnTable, change: PlaceChange) -> Iterator[Story]:
        """Somebody drew, and no hands were seen; or a card was laid that this one covers."""
        turn, card = table.state.turn, self.seen[change.number]
        if table.state.phase != "turn":
            return
        if isinstance(card, SeenCard) and card.beneath:
            laid = self._after(table.state, Lay(turn, card.place, card.beneath[0]))
            if laid is not None:
                due = _due_behind(table, laid, turn)
                covered = Deed(change.number, COVERED, change.place, turn, unseen=1)
                more = log(self._odds.covered_more) * (len(card.seen.between) - 1)
                yield Story(TurnTable(laid, due, turn), log(self._odds.covered) + more, covered)
        after = self._after(table.state, Draw(turn))
        if after is not None:
            odds = log(self._odds.draws * self._odds.draw_missed)
            deed = Deed(change.number, DREW, change.place, table.state.turn, unseen=1)
            yield Story(table._replace(state=after), odds, deed)

    def stories(self, table: TurnTable, change: PlaceChange, *, again: bool) -> Iterator[Story]:
        del again
        match self.seen[change.number]:
            case SeenVisit() as visit:
                yield from self._visits(table, visit)
            case card:
                yield from self._laid(table, card)

    def _visits(self, table: TurnTable, visit: SeenVisit) -> Iterator[Story]:
        odds, number, place = self._odds, visit.change.number, visit.change.place
        passing = visit.chance(taken=False) * self._passing(visit.arms)
        yield Story(table, log(odds.passes * passing))
        turn = table.state.turn if table.state.phase == "turn" else ""
        taken = log(visit.chance(taken=True))
        for some in _some_of(table.due):
            refilled = table._replace(due=tuple(one for one in table.due if one not in some))
            deed = Deed(number, REFILLED, place, "+".join(some))
            seen = taken + len(some) * log(1 - odds.refill_missed)
            if some:
                yield Story(refilled, seen + log(self._arms(visit.arms, some, odds.arm_at_pile)), deed)
            drawn = self._after(table.state, Draw(turn)) if turn and turn not in some else None
            if drawn is not None:
                arms = log(self._arms(visit.arms, (*some, turn), odds.arm_at_pile))
                empty = log(odds.refill_missed) if turn in table.due else 0.0  # then three cards were to be taken first
                drew = log(odds.draws * (1 - odds.draw_missed)) + seen + arms + empty
                yield Story(refilled._replace(state=drawn), drew, Deed(number, DREW, place, turn))

    def _laid(self, table: TurnTable, card: SeenCard) -> Iterator[Story]:
        odds, number, place = self._odds, card.change.number, card.change.place
        state = table.state
        begins = [self._after(state, Begin(one)) for one in state.players] if state.phase == "ready" else [state]
        for begun in begins:
            if begun is None or begun.phase != "turn":
                yield Story(table, log(odds.out_of_turn), Deed(number, OUT_OF_TURN, place, begun.turn if begun else ""))
                continue
            turn = begun.turn
            who = (table.covered, turn) if table.covered else (turn,)
            arms = log(self._arms(card.arms, who, odds.arm_seen))
            laid = self._after(begun, Lay(turn, card.place, card.card))
            fits, after = (odds.illegal if laid is None else 1 - odds.illegal), laid or begun
            due = _due_behind(table._replace(state=begun), after, turn)
            story = log((1 - odds.draws) * fits / len(begins)) + arms
            yield Story(TurnTable(after, due), story, Deed(number, LAID, place, turn))
        for other in (one for one in state.players if state.phase == "turn" and one != state.turn):
            arms = log(self._arms(card.arms, (other,), odds.arm_seen))
            fits = 1.0 if card.counts else odds.illegal
            yield Story(table, log(odds.out_of_turn * fits) + arms, Deed(number, OUT_OF_TURN, place, other))

    def _after(self, state: State, move: Move) -> State | None:
        try:
            after: State = GAME.rule(state, replace(move, at=self.now)).state
        except Foul:
            return None
        return after

    # --- arms

    def _arms(self, seen: Collection[str], who: Collection[str], made_out: float) -> float:
        """How likely it is that these players are made out where those are; nobody's side is known: as any other."""
        known = [one for one in who if one in self._seats.values()]
        if len(known) < len(who) or not self._seats:
            return 1.0
        others = [one for one in self._seats.values() if one not in known]
        chance = 1.0
        for one in known:
            chance *= made_out if one in seen else 1 - made_out
        for one in others:
            chance *= self._odds.beside if one in seen else 1 - self._odds.beside
        if not set(seen) & set(known) and seen:
            chance += self._odds.instead / max(1, len(others))
        return chance

    def _passing(self, seen: Collection[str]) -> float:
        if not self._seats:
            return 1.0
        return 1 - self._odds.arm_passing if not seen else self._odds.arm_passing / max(1, len(self._seats))


def _due_behind(table: TurnTable, after: State, turn: str) -> tuple[str, ...]:
    """Who is due at the pile when somebody has laid a card, perhaps the last one of a hand."""
    before, due = table.state, tuple(one for one in table.due if one != turn)
    is_last = after.laid > before.laid and before.hands[before.players.index(turn)] == 1
    return (*due, turn) if is_last else due


def _some_of(due: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Nobody of them, each, and all."""
    found: list[tuple[str, ...]] = [(), *((one,) for one in due)]
    return [*found, due] if len(due) > 1 else found


class Told(NamedTuple):
    """A move that nearly all explanations have next."""

    word: str
    player: str
    card: SeenCard | None
    visit: SeenVisit | None


class Turns:
    """What was seen and is not told yet. `seats` says who sits at which side of the mat."""

    def __init__(self, seats: Mapping[str, str]) -> None:
        self._sight = TurnSight(seats)
        self._sure = SURE if seats else SURE_ENOUGH
        self._tracker: Tracker | None = None
        self._told: list[tuple[str, str, int]] = []
        self._changes = 0
        self._known: tuple[object, ...] = ()
        self._due: tuple[str, ...] = ()
        self._consumed: set[int] = set()  # hands whose draw has been told
        self.is_held = False  # what is known waits for somebody to end the turn
        self._laid_by: dict[int, str] = {}  # what a person has said, by the number of the change

    # --- what comes

    def follow(self, state: State, now: int, due: Collection[str]) -> None:
        """The match as it stands: where others have changed it, what waits is weighed anew. `due`: whose draw somebody
        else has told, and whose hand has not been seen at the pile."""
        self._sight.now = now
        if self._tracker is not None and _key(state) == self._known:
            return
        self._due = tuple(dict.fromkeys((*self._due, *due)))
        for card in self.cards:  # somebody has said which it is
            card.beneath = (
                () if state.field and state.field[card.seen.change.place - 1] in card.beneath else card.beneath
            )
        self._begin(state, self._due, list(self._waiting))

    def hands(self, visit: SeenVisit) -> None:
        self._take(self._numbered(visit))

    def card(self, card: SeenCard) -> None:
        self._take(self._numbered(card))

    def _numbered(self, one: Seen) -> Seen:
        self._changes += 1
        change = one.change
        one.change = replace(change, number=self._changes, since=min(change.since, change.by))
        return one

    def _take(self, one: SeenVisit | SeenCard) -> None:
        assert self._tracker is not None
        self._sight.seen[one.change.number] = one
        self._tracker.take(one.change)

    def _begin(self, state: State, due: Collection[str], waiting: Collection[SeenVisit | SeenCard]) -> None:
        self._known, self._due = _key(state), tuple(due)
        self._tracker = Tracker(self._sight, TurnTable(state, self._due))
        self._told, self._consumed = [], set()
        self._sight.seen = {}
        for one in waiting:
            self._take(one)

    # --- what waits

    @property
    def _waiting(self) -> list[SeenVisit | SeenCard]:
        told = {number for word, _, number in self._told if word != COVERED}
        return [one for number, one in self._sight.seen.items() if number not in told | self._consumed]

    @property
    def cards(self) -> list[SeenCard]:
        """Cards that lie there and are not told."""
        return [one for one in self._waiting if isinstance(one, SeenCard)]

    def open_since(self, stamp: int) -> int:
        """Since when something was done that is not told; now, if nothing was."""
        return min([stamp, *(one.change.since for one in self._waiting)])

    def is_covered(self, card: SeenCard) -> bool:
        """Most likely there is a card below it that nobody saw."""
        best = max(self._possible(), key=lambda one: one.weight, default=None)
        return best is not None and any(
            deed.word == COVERED and deed.change == card.change.number for deed in best.line
        )

    def card_on(self, place: int) -> SeenCard | None:
        """The newest of them on a place."""
        return next((one for one in reversed(self.cards) if one.seen.change.place == place), None)

    def taken(self, card: SeenCard, state: State) -> None:
        """A card that was not told is off again."""
        self._begin(state, self._due, [one for one in self._waiting if one is not card])

    def is_by(self, player: str, place: str = "", shown: str = "") -> bool:
        """Somebody says who has laid a card that waits, the newest if it is not said which; whether that can be."""
        cards = [one for one in self.cards if place in ("", one.place) and shown in ("", one.card)]
        if not cards:
            return False
        number = cards[-1].change.number
        if not any((LAID, player, number) in _lines(one) for one in self._possible()):
            return False
        self._laid_by[number] = player
        return True

    # --- what is to be told

    @property
    def _enough(self) -> float:
        is_said = any(number in self._sight.seen for number in self._laid_by)
        return min(self._sure, SURE_WHEN_SAID) if is_said else self._sure

    def _possible(self) -> list[Hypothesis]:
        """Explanations that have what was told, and what people have said."""
        assert self._tracker is not None
        found = []
        for one in self._tracker.hypotheses:
            line = _lines(one)
            if line[: len(self._told)] != self._told:
                continue
            said = [(LAID, player, number) for number, player in self._laid_by.items() if number in self._sight.seen]
            if all(word in line for word in said):
                found.append(one)
        return found

    def due(self, known_until: int, may_end: Callable[[str], bool] = lambda _player: True) -> Iterator[Told]:
        """Moves that are sure enough, in their order. Each is to be told before the next is asked for. What was done
        after `known_until` may not all be seen yet: no draw is told before a card that may have been laid before it.
        `may_end`: whether a player's turn may end with the card that lies there; if others lie there too, it has."""
        self.is_held = False
        while self._tracker is not None and self._sight.seen:
            possible = self._possible()
            if not possible:  # what was told cannot be any more: what waits is weighed anew
                return
            heaviest = max(one.weight for one in possible)
            shares: dict[tuple[str, str, int] | None, float] = {}
            for one in possible:
                line = _lines(one)
                following = line[len(self._told)] if len(line) > len(self._told) else None
                shares[following] = shares.get(following, 0.0) + exp(one.weight - heaviest)
            best = max(shares, key=lambda one: shares[one])
            if shares[best] < self._enough * sum(shares.values()):
                return
            if best is None:
                return
            word, player, number = best
            seen, visit = self._sight.seen.get(number), self._visit_of(best, possible)
            if visit is not None and visit.change.by > known_until:
                return
            if word == COVERED and isinstance(seen, SeenCard) and len(seen.beneath) != 1:
                return  # it has to be said which
            self.is_held = word == LAID and self.cards[-1:] == [seen] and not may_end(player)
            if self.is_held:
                return
            self._told.append(best)
            if visit is not None:
                self._consumed.add(visit.change.number)
            yield Told(word, player, seen if isinstance(seen, SeenCard) else None, visit)

    def _visit_of(self, told: tuple[str, str, int], possible: Iterable[Hypothesis]) -> SeenVisit | None:
        """The hands of a draw, by the likeliest explanation that has some."""
        if told[0] != DREW:
            return None
        at = len(self._told)
        for one in sorted(possible, key=lambda one: -one.weight):
            deeds = [deed for deed in one.line if deed.word != REFILLED]
            if len(deeds) > at and _word(deeds[at]) == told:
                seen = self._sight.seen.get(deeds[at].change)
                return seen if isinstance(seen, SeenVisit) else None
        return None

    def is_settled(self) -> bool:
        """Nothing that waits can be a move any more, as good as surely."""
        if self._tracker is None or not self._sight.seen:
            return True
        possible = self._possible()
        if not possible:
            return False
        heaviest = max(one.weight for one in possible)
        ended = sum(exp(one.weight - heaviest) for one in possible if len(_lines(one)) == len(self._told))
        return ended >= self._enough * sum(exp(one.weight - heaviest) for one in possible)

    def settle(self, state: State) -> list[SeenVisit]:
        """Begin anew from the match as it is; what was at the pile and took nothing is handed back."""
        best = max(self._possible(), key=lambda one: one.weight, default=None)
        used = {deed.change for deed in best.line} if best else set[int]()
        idle = [
            one for one in self._sight.seen.values() if isinstance(one, SeenVisit) and one.change.number not in used
        ]
        self._laid_by.clear()
        self._begin(state, best.table.due if best else self._due, ())
        return idle

    def known(self, state: State) -> None:
        """What was told has been ruled on."""
        self._known = _key(state)


def _word(deed: Deed) -> tuple[str, str, int]:
    return deed.word, deed.face, deed.change if deed.word != DREW else 0


def _lines(hypothesis: Hypothesis) -> list[tuple[str, str, int]]:
    """The moves that it comes to."""
    return [_word(deed) for deed in hypothesis.line if deed.word != REFILLED]


def _key(state: State) -> tuple[object, ...]:
    return state.phase, state.turn, state.hands, state.deck, state.field, state.scores
