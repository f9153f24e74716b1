"""A correction: everything after a move that was really another is ruled on once more, and nothing is thrown away.

What was made at the table stays in order as it was `Said`, whatever rulings it got. The line of a match is what the
rules make of it: each move stands as it was made, or stands adjusted, or waits because it cannot stand. A later
correction tries all of it again, so that correcting back gives the line that was there before.

Rounds stand as they were played: cards and pieces that lay differently in the round before do not change what lay on
the table in the next one. Only results, chips and points are carried into it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import accumulate, takewhile
from typing import Any

from companion.core.errors import MatchError
from companion.core.rules import Event, Foul, Game, Move, Ruling
from companion.core.sentence import N_, Sentence

MOST_CHANGES = 10_000  # by one correction

AFTER_THE_END = N_("It was played after the end of the match.")
ROUND_WAS_OVER = N_("The round was over by then.")
CANNOT_STAND = N_("It can no longer stand.")


@dataclass(frozen=True, slots=True)
class Said:
    """A move as it was made at the table: in which round, and how things stood for those who made it."""

    move: Move
    round: int
    on: Any = field(repr=False)  # a state


@dataclass(frozen=True, slots=True)
class Done:
    """A move of the line and the ruling it got."""

    move: Move
    ruling: Ruling
    # None: the referee has added it, because a deadline falls due in a corrected line
    said: Said | None = field(default=None, compare=False, repr=False)

    @property
    def is_adjusted(self) -> bool:
        """It stands otherwise than it was made."""
        return self.said is not None and self.said.move != self.move


@dataclass(frozen=True, slots=True)
class Change:
    """What a correction changed about another move, as it was made. `number` is its place in the line before the
    correction; 0 for a move that was not in it."""

    number: int
    move: Move
    was: tuple[str, ...]  # the sentences of its ruling
    now: tuple[str, ...]
    dropped: str = ""  # why it is no longer possible
    kind: str = "changed"  # changed, adjusted, dropped, restored; added or withdrawn, by the referee at a deadline
    adjusted: Move | None = None  # as it stands now
    looks_anew: bool = False  # it tells of cards that it did not tell of at the table


@dataclass(frozen=True, slots=True)
class Correction:
    number: int
    was: Move
    now: Move | None
    changes: tuple[Change, ...]
    scores_before: tuple[int, ...]
    scores_after: tuple[int, ...]
    winners_before: tuple[str, ...] | None
    winners_after: tuple[str, ...] | None
    asks: bool = False  # the match would have ended before the last move: did what came after it count?

    @property
    def hides(self) -> bool:
        """It comes to something that nobody may know before it is made."""
        return any(change.looks_anew for change in self.changes)

    def veiled(self) -> "Correction":
        """The same without that, and without what follows from it."""
        known = tuple(map(_veiled, takewhile(lambda change: not change.looks_anew, self.changes)))
        anew = self.changes[len(known) : len(known) + 1]
        kinds = {"adjusted": "changed"}  # which would tell that it finds another number
        veiled = (replace(one, now=(), kind=kinds.get(one.kind, one.kind), adjusted=None) for one in anew)
        before = replace(self, scores_after=self.scores_before, winners_after=self.winners_before)
        return replace(before if anew else self, changes=(*known, *veiled))


def _veiled(change: Change) -> Change:
    """One that stands otherwise only in what nobody may look up is told as any that is ruled on differently."""
    if change.adjusted is None or _open(change.adjusted) != _open(change.move):
        return change
    return replace(change, kind="changed", adjusted=None)


def _open(move: Move) -> tuple[Any, ...]:
    """What a move says, without what players may not look up."""
    return (move.word, *(getattr(move, one.name) for one in fields(move) if one.name not in move.concealed))


@dataclass(frozen=True, slots=True)
class Record:
    """A line, everything that was said, and with what each round began when its first move was made."""

    start: Ruling
    line: tuple[Done, ...]
    said: tuple[Said, ...]
    rounds: Mapping[int, Any]

    @property
    def ruling(self) -> Ruling:
        return self.line[-1].ruling if self.line else self.start

    @property
    def state(self) -> Any:
        return self.ruling.state


@dataclass(frozen=True, slots=True)
class Again:
    """What became of a record by a correction."""

    line: tuple[Done, ...]
    said: tuple[Said, ...]
    changes: tuple[Change, ...]
    asks: bool  # it depended on whether what was played after an end counts


def corrected(game: Game, record: Record, number: int, move: Move | None, now: int, *, counts: bool | None) -> Again:
    """The record with another move, or none, in the place of move `number`, everything up to `now` ruled on again.
    `counts`: what was played after an end that came earlier counts too. A Foul if the move itself is not legal."""
    old = record.line[number - 1]
    place = _place(record, old)
    before, after = record.said[:place], record.said[place + (old.said is not None) :]
    on = old.said.on if old.said else old.ruling.state
    new = [Said(move, old.said.round if old.said else game.round_of(on), on)] if move is not None else []
    work = _Work(game, record, list(record.line[: number - 1]), counts=bool(counts))
    for said in new:
        work.must(said)
    lowest = reversed(tuple(accumulate((said.round for said in reversed(after)), min)))
    for said, round_ in zip(after, lowest, strict=True):
        work.take(said, opens=said.round == round_)
    work.fall_due(now)
    work.withdraw(number)
    return Again(tuple(work.line), (*before, *new, *after), tuple(work.changes), work.asks)


def _place(record: Record, old: Done) -> int:
    """Where a move of the line stands among what was said; one that the referee has added, by its time."""
    if old.said is None:
        return sum(said.move.at <= old.move.at for said in record.said)
    return next(place for place, said in enumerate(record.said) if said is old.said)


class _Fallen(Exception):
    """A move cannot stand; why, in a sentence."""


class _Work:
    """The line as it grows once more."""

    def __init__(self, game: Game, record: Record, line: list[Done], *, counts: bool) -> None:
        self.line = line
        self.changes: list[Change] = []
        self.asks = False
        self._game = game
        self._record = record
        played = (done.said.round for done in reversed(line) if done.said is not None)
        self._round = next(played, 1)  # of what stands last, as it was played
        self._counts = counts
        self._state = line[-1].ruling.state if line else record.start.state
        self._news: tuple[Event, ...] = ()  # of a round that was carried over, for its first ruling
        self._old = {id(done.said): (at, done) for at, done in enumerate(record.line, 1) if done.said is not None}
        self._added = {done.move: (at, done) for at, done in enumerate(record.line, 1) if done.said is None}

    def must(self, said: Said) -> None:
        """The corrected move itself; a Foul leaves the match as it is."""
        try:
            self._come_to(said)
        except _Fallen as fallen:
            raise MatchError(Sentence("This move cannot be corrected so: {fallen}", fallen=fallen)) from None
        self._stand(said, said.move, self._game.rule(self._state, said.move))

    def take(self, said: Said, *, opens: bool) -> None:
        """What was said later: it stands, stands adjusted, or waits. It opens the round it was made in, unless an
        earlier round was gone on with afterwards."""
        self.fall_due(said.move.at)
        number, was = self._old.get(id(said), (0, None))
        try:
            self._come_to(said, opens=opens)
            move, ruling = self._ruled(said.move)
            looks_anew = self._game.looks_anew(self._state, said.on, move)
        except _Fallen as fallen:
            self._dropped(number, was, str(fallen))
        except Foul as foul:
            self._dropped(number, was, _open_reason(said.move, foul))
        else:
            self._tell(number, was, self._stand(said, move, ruling), looks_anew=looks_anew)

    def fall_due(self, before: int) -> None:
        """Make the referee's moves whose deadlines lie before this time."""
        while (due := self._state.deadline) is not None and due.at < before:
            _must_end(self.changes)
            done = Done(due.move, self._game.rule(self._state, due.move))
            self._grow(done)
            number, was = self._added.pop(due.move, (0, None))
            if was is None:
                self.changes.append(Change(0, due.move, (), open_sentences(done.ruling), kind="added"))
            else:
                self._tell(number, was, done)

    def withdraw(self, number: int) -> None:
        """Moves that the referee had added to the line before, and that are not due in this one."""
        for at, done in self._added.values():
            if at > number:
                told = open_sentences(done.ruling)
                self.changes.append(Change(at, done.move, told, (), CANNOT_STAND, "withdrawn"))

    def _come_to(self, said: Said, *, opens: bool = True) -> None:
        """The state becomes the one that this move was made on, as far as what lay on the table goes."""
        state, game = self._state, self._game
        round_ = game.round_of(state)
        begins = opens and said.round > self._round and said.round >= round_
        goes_on = game.went_on(state, said.on) if state.outcome is not None and not begins else None
        if state.outcome is not None:
            self.asks = self.asks or begins or goes_on is not None
            if not self._counts or not (begins or goes_on is not None):
                raise _Fallen(AFTER_THE_END)
        if begins:
            carried = game.carried(state, self._record.rounds[said.round])
            self._state, self._news, self._round = carried.state, carried.events, said.round
        elif goes_on is not None:
            self._state = goes_on
        elif said.round != round_:
            raise _Fallen(ROUND_WAS_OVER if said.round < round_ else CANNOT_STAND)

    def _ruled(self, move: Move) -> tuple[Move, Ruling]:
        """The move as it was made, or as it can stand."""
        due = self._state.deadline
        if move.by_referee and (due is None or due.move != move):
            raise _Fallen(CANNOT_STAND)
        try:
            return move, self._game.rule(self._state, move)
        except Foul as foul:
            adjusted = self._game.adjusted(self._state, move, foul)
            if adjusted is None:
                raise
            return adjusted, self._game.rule(self._state, adjusted)

    def _stand(self, said: Said, move: Move, ruling: Ruling) -> Done:
        done = Done(move, replace(ruling, events=(*self._news, *ruling.events)), said)
        self._news = ()
        self._round = said.round
        self._grow(done)
        return done

    def _grow(self, done: Done) -> None:
        self.line.append(done)
        self._state = done.ruling.state

    def _tell(self, number: int, was: Done | None, now: Done, *, looks_anew: bool = False) -> None:
        """What has changed about a move that stands."""
        said, sentences = now.said.move if now.said else now.move, open_sentences(now.ruling)
        adjusted = now.move if now.is_adjusted else None
        if was is None:
            self.changes.append(Change(0, said, (), sentences, "", "restored", adjusted, looks_anew))
        elif was.ruling.events != now.ruling.events or was.move != now.move:
            kind = "adjusted" if adjusted else "changed"
            before = open_sentences(was.ruling)
            self.changes.append(Change(number, said, before, sentences, "", kind, adjusted, looks_anew))

    def _dropped(self, number: int, was: Done | None, why: str) -> None:
        if was is not None and was.said is not None:
            self.changes.append(Change(number, was.said.move, open_sentences(was.ruling), (), why, "dropped"))


def open_sentences(ruling: Ruling) -> tuple[str, ...]:
    """What a ruling says, without what players may not look up."""
    return tuple(event.open_sentence for event in ruling.events if event.text)


def _open_reason(move: Move, foul: Foul) -> str:
    """Why a move cannot stand; not in the referee's words where they tell what nobody may look up."""
    values = (getattr(move, name) for name in move.concealed)
    hidden = {one for value in values for one in (value if isinstance(value, tuple) else (value,))} - {""}
    told = {fact for fact in foul.facts.values() if isinstance(fact, str)}
    return CANNOT_STAND if hidden & told else foul.sentence


def corrected_as_before(game: Game, record: Record, number: int, move: Move | None, now: int) -> Again:
    """How matches were corrected before anything was kept whole: what became impossible was gone for good, and the
    moves of all rounds were one line. Matches of that time go on so."""
    work = _AsBefore(game, record.start, list(record.line[: number - 1]))
    if move is not None:
        work.rule(move)
    for place, done in enumerate(record.line[number:], number + 1):
        work.fall_due(done.move.at)
        work.take(place, done)
    work.fall_due(now)
    said = tuple(done.said for done in work.line if done.said is not None)
    return Again(tuple(work.line), said, tuple(work.changes), asks=False)


class _AsBefore:
    def __init__(self, game: Game, start: Ruling, line: list[Done]) -> None:
        self.line = line
        self.changes: list[Change] = []
        self._game = game
        self._start = start

    def rule(self, move: Move) -> Ruling:
        on = self._state()
        ruling = self._game.rule(on, move)
        self.line.append(Done(move, ruling, Said(move, self._game.round_of(on), on)))
        return ruling

    def take(self, place: int, done: Done) -> None:
        was = done.ruling.sentences
        try:
            ruling = self.rule(done.move)
        except Foul as foul:
            self.changes.append(Change(place, done.move, was, (), foul.sentence, "dropped"))
            return
        if ruling.events != done.ruling.events:
            self.changes.append(Change(place, done.move, was, ruling.sentences))

    def fall_due(self, before: int) -> None:
        while (due := self._state().deadline) is not None and due.at < before:
            _must_end(self.changes)
            self.changes.append(Change(0, due.move, (), self.rule(due.move).sentences, kind="added"))

    def _state(self) -> Any:
        return self.line[-1].ruling.state if self.line else self._start.state


def _must_end(changes: list[Change]) -> None:
    if len(changes) > MOST_CHANGES:
        raise MatchError(
            Sentence(
                "This correction would change more than {MOST_CHANGES} rulings: undo it instead.",
                MOST_CHANGES=MOST_CHANGES,
            )
        )
