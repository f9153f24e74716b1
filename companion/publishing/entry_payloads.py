"""Version 2 of what is published: each entry of a match with its number, the hash of its chain, and how the match
stands after it, in words that any language can say. It is made from what is kept, so it is the same at any time.

What players may not look up while the match runs is not in it: sentences are the open ones, cards those that lie open.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.core.clocks import SECOND
from companion.core.codec import made_of
from companion.core.entry import Corrected, Entry, Made
from companion.core.errors import CompanionError
from companion.core.match import Match
from companion.core.photo_finish import Finish
from companion.core.record import read_entry, read_setup
from companion.core.replies import Table, table_of
from companion.core.rules import Event, Foul, Place, Ruling
from companion.core.sentence import N_, Sentence
from companion.doctor.anonymous import Nameless, Naming, nameless
from companion.journal.chain import SETUP
from companion.journal.follower import KeptRow
from companion.journal.open_chain import OpenChain
from companion.publishing.payloads import LONGEST_SENTENCE, MOST_SENTENCES, ClockNow, PlayerNow, clocks_now, is_called
from companion.reports.trials import trial_of

VERSION = 2
_SAID = {  # of an entry that is neither a move nor a correction
    SETUP: N_("A match begins."),
    "undone": N_("The last move is taken back."),
    "redone": N_("The move is made again."),
    "paused": N_("The match is paused."),
    "resumed": N_("The match goes on."),
    "abandoned": N_("The match is abandoned."),
}
RULED_OTHERWISE = N_("Move {number} is put right.")


@dataclass(frozen=True, slots=True)
class SaidNow:
    """A sentence as the text of the catalogues and the facts in its blanks; `event` is the word of docs/protocol.md. A
    fact that is a piece of a sentence has a `text` and `facts` of its own."""

    event: str
    text: str
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class LyingNow:
    """A place of the table: how many cards or pieces there are, and those of them that lie open. `of`: whose place it
    is, or which of several."""

    kind: str
    of: str
    count: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PieceNow:
    """A piece of a sentence: the text of the catalogues, and the numbers in its blanks."""

    text: str
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RunNow:
    """A run against the clock that counts: `used` seconds, with so many cards `left`. Runs of one `course` can be
    compared."""

    player: str
    used: float
    left: int
    course: tuple[PieceNow, ...]


@dataclass(frozen=True, slots=True)
class EndNow:
    """How the match ended; `text` and `facts` are why. One that is `abandoned` has no result. `run`: of a match that
    somebody played against the clock."""

    winners: tuple[str, ...]
    abandoned: bool
    text: str
    facts: dict[str, Any]
    run: RunNow | None = None


@dataclass(frozen=True, slots=True)
class ArrivedNow:
    """Somebody in a photo finish. `how`: stamped, untimed (pressed, but nobody knows when), held (was down before, and
    does not count). `after`: seconds behind the first, to the microsecond; null where nobody knows."""

    name: str
    how: str
    after: float | None


@dataclass(frozen=True, slots=True)
class FinishNow:
    """The photo finish of what several went for, in order. `margin`: seconds; what is closer cannot be told apart.
    `tied`: who cannot be told apart at the front."""

    order: tuple[ArrivedNow, ...]
    margin: float
    tied: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StandingNow:
    """How the match stands after an entry, in the words of `state`."""

    status: str
    players: tuple[PlayerNow, ...]
    turn: str
    phase: str
    moves: int
    clocks: tuple[ClockNow, ...]
    until: float | None
    over: EndNow | None
    open: tuple[LyingNow, ...]
    time: float
    called: bool = False


@dataclass(frozen=True, slots=True)
class EntryNow:
    """An entry of a match, as its journal has it. `number`: 0 is the set-up, and none is left out. `hash` covers all
    entries up to this one, `before` those before it: an entry whose `before` is not the `hash` of the one before it
    does not follow that. What comes twice has the same `match`, `number` and `hash`. `kind`: setup, made, undone,
    redone, paused, resumed, corrected or abandoned. `chance`: how likely a ruling is what the camera saw; null where no
    camera did, or nobody knows any more. `as_of`: when it was told at the table, UTC; empty where it is told later.
    `standing` is null where the rules of this companion cannot follow the match any more. `finish`: of a claim that was
    made with a button."""

    version: int
    table: str
    match: str
    game: str
    number: int
    hash: str
    before: str
    kind: str
    began: str
    as_of: str
    move: str
    player: str
    said: tuple[SaidNow, ...]
    chance: float | None
    standing: StandingNow | None
    finish: FinishNow | None = None


@dataclass(frozen=True, slots=True)
class HeadNow:
    """The newest entry that the table has kept, whether it is published yet or not: whoever has not got it lacks
    something."""

    version: int
    table: str
    match: str
    number: int
    hash: str
    as_of: str


@dataclass(frozen=True, slots=True)
class EntryMoment:
    """What only whoever was there knows of an entry: when it was told, and how surely the camera saw it."""

    as_of: str = ""
    chance: float | None = None


class EntryTeller:
    """Tells the entries of one match, one after the other, as payloads."""

    def __init__(self, table: str, began: str, setup: Mapping[str, Any], *, naming: Naming = "whole") -> None:
        self._table, self._began = table, began
        self._setup = setup
        self._nameless = nameless((player["name"] for player in setup["players"]), naming)
        self.chain = OpenChain(setup)
        self._match: Match | None = None  # None: it cannot be followed

    @property
    def number(self) -> int:
        """Of the entry that was told last."""
        return self.chain.number

    def tell(self, row: KeptRow, moment: EntryMoment = EntryMoment()) -> EntryNow:
        """The next entry. All before it have been told by this one."""
        before = self.chain.hash
        after = self.chain.follow(row.kind, row.body)
        entry, came = self._taken(row)
        move = entry.move if isinstance(entry, Made) else None
        return EntryNow(
            VERSION,
            self._table,
            str(self._setup["id"]),
            str(self._setup["game"]),
            self.chain.number,
            after,
            before,
            row.kind,
            self._began,
            moment.as_of,
            move.word if move else "",
            self._nameless.name(move.player) if move else "",
            self._said(row, entry, came),
            moment.chance,
            None if self._match is None else standing_now(self._match, self._nameless),
            _finish(getattr(move, "finish", None), self._nameless),
        )

    def _taken(self, row: KeptRow) -> tuple[Entry | None, Ruling | None]:
        """The entry, and what was ruled on it. Where the rules of today cannot follow, nothing more is said."""
        try:
            if row.kind == SETUP:
                self._match = Match(read_setup(row.body))
                return None, None
            if self._match is None:
                return None, None
            entry = read_entry(self._match.game, row.kind, row.body)
            came = self._match.take(entry)
            return entry, came if isinstance(came, Ruling) and isinstance(entry, Made) else None
        except (CompanionError, Foul):
            self._match = None
            return None, None

    def _said(self, row: KeptRow, entry: Entry | None, came: Ruling | None) -> tuple[SaidNow, ...]:
        if came is not None:
            events = (event for event in came.events[:MOST_SENTENCES] if event.text)
            return tuple(map(self._event, events))
        if isinstance(entry, Corrected):
            return (SaidNow("", *made_of(Sentence(RULED_OTHERWISE, number=entry.number))),)
        return (SaidNow("", _SAID[row.kind], {}),) if row.kind in _SAID else ()

    def _event(self, event: Event) -> SaidNow:
        return SaidNow(event.word, *_made_of(_spoken(self._nameless.value(event.open_sentence))))


def standing_now(match: Match, nameless: Nameless) -> StandingNow:
    """How a match stands, as it lies open."""
    standing, called, time = table_of(match), nameless.name, match.now
    until = standing.until
    return StandingNow(
        "over" if standing.over else "paused" if standing.paused else "running",
        tuple(
            PlayerNow(called(player.name), player.colour, standing.scores[player.name], player.name == standing.turn)
            for player in match.setup.players
        ),
        called(standing.turn),
        standing.phase,
        standing.moves,
        tuple(clocks_now(nameless, match, time, stands=standing.stands)),
        None if until is None else round(max(0, until.at - time) / SECOND, 3),
        _over(match, standing, nameless),
        tuple(
            LyingNow(lying.place.kind, called(lying.place.of), lying.count, tuple(map(called, lying.cards)))
            for lying in match.game.face_up(match.state)
        ),
        round(time / SECOND, 3),
        is_called(match, standing),
    )


def _finish(finish: Any, nameless: Nameless) -> FinishNow | None:
    """Of a claim by a button; where one was alone there is nothing to be seen."""
    if not isinstance(finish, Finish) or not finish.order:
        return None
    order = (
        ArrivedNow(nameless.name(one.seat), one.how.value, None if one.after is None else round(one.after / SECOND, 6))
        for one in finish.order
    )
    return FinishNow(tuple(order), finish.margin / SECOND, tuple(map(nameless.name, finish.tied)))


def _over(match: Match, standing: Table, nameless: Nameless) -> EndNow | None:
    over = standing.over
    if over is None:
        return None
    if match.abandoned is not None:  # why is what somebody typed in
        why = nameless.text(match.abandoned.why)[:LONGEST_SENTENCE]
        return EndNow((), True, *(made_of(_SAID["abandoned"]) if not why else ("{why}", {"why": why})))  # noqa: FBT003
    winners = tuple(map(nameless.name, over.winners))
    return EndNow(winners, False, *_made_of(_spoken(nameless.value(over.reason))), _run(match, nameless))  # noqa: FBT003


def _run(match: Match, nameless: Nameless) -> RunNow | None:
    trial = trial_of(match.setup.game, match.state)
    if trial is None:
        return None
    course = tuple(PieceNow(text, dict(numbers)) for text, numbers in trial.course.told())
    return RunNow(nameless.name(trial.name), round(trial.time / SECOND, 3), trial.left, course)


def _made_of(sentence: str) -> tuple[str, dict[str, Any]]:
    text, facts = made_of(sentence)
    return text[:LONGEST_SENTENCE], facts


def _spoken(fact: Any) -> Any:
    """With places and choices in words: elsewhere nobody has their classes."""
    if isinstance(fact, Sentence):
        return Sentence(fact.text, **{name: _spoken(one) for name, one in fact.facts.items()})
    if isinstance(fact, Place):
        return str(fact)
    said = str(fact) if not isinstance(fact, str) else fact
    if isinstance(said, Sentence):
        return _spoken(said)
    if isinstance(fact, list | tuple):
        return type(fact)(map(_spoken, fact))
    return getattr(fact, "name", fact) if not isinstance(fact, str | int | float | None) else fact
