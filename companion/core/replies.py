"""What the referee says, typed: replies to messages, and what becomes known by itself. `wire` writes them as JSON."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from companion.core.correction import Change, Correction
from companion.core.entry import Abandoned, Entry, Made, Paused, Redone, Resumed, Undone
from companion.core.errors import CompanionError, JournalError, MalformedError, MatchError, TimeError
from companion.core.match import Match, Player
from companion.core.referee import SettledEntry, Told
from companion.core.requests import Abandon, Pause, Redo, Resume, Undo
from companion.core.rules import AdvisedMove, Deadline, Event, Foul, May, Move, Ruling
from companion.core.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Over:
    winners: list[str]
    scores: dict[str, int]
    reason: str


@dataclass(frozen=True, slots=True)
class Table:
    """How things stand: in every reply that could have changed them."""

    moves: int
    phase: str
    turn: str
    scores: dict[str, int]
    may: tuple[May, ...]
    until: Deadline | None
    over: Over | None
    paused: bool
    stands: bool  # no clock runs: paused, over, or nobody has gone on after an undo


@dataclass(frozen=True, slots=True)
class CellLook:
    """A clear look at a cell; `at` is the stamp of the frame, and `card` is null where none of the deck lies."""

    at: int
    frame: int
    card: str | None
    state: str
    confidence: float


@dataclass(frozen=True, slots=True)
class EvidenceData:
    """What a ruling rests on. `since`: the cell was first disturbed; `at`: the card lay there; `guess`: who it was by
    the side of the arm, and never more than a guess; `held`: nanoseconds that the ruling waited for what else was
    under the same arms; `order`: the cards as they were ruled on, where an order was chosen; `chance`: how likely the
    ruling is what the table saw, with what may have been instead in `other`; `spots`: the places of the mat on which
    the card lies, where that is not `cell` alone, and `place`: what people call the cell, where that is no number."""

    cell: int
    card: str
    before: CellLook | None
    after: CellLook | None
    since: int
    at: int
    arms: list[str]
    guess: str
    held: int
    order: list[str]
    pictures: list[str] = field(default_factory=list)
    chance: float = 1.0
    other: str = ""
    spots: list[int] = field(default_factory=list)
    place: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """`re`: the id of the message that it answers. `by`: what has brought it about, where that was no message."""

    kind: ClassVar[str] = ""

    re: str = field(default="", kw_only=True)
    by: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class MatchReply(Reply):
    """A match has begun, or goes on. `at` is the table time."""

    kind: ClassVar[str] = "match"
    id: str
    game: str
    players: tuple[Player, ...]
    house: Any  # the House of its game
    rematch_of: str
    at: int
    table: Table


@dataclass(frozen=True, slots=True)
class RulingReply(Reply):
    """A move was accepted (or made by the referee at a deadline) and is on disk."""

    kind: ClassVar[str] = "ruling"
    number: int
    move: Move
    events: tuple[Event, ...]
    table: Table
    evidence: EvidenceData | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class FoulReply(Reply):
    """A move was refused; nothing has changed. `text` is the sentence with blanks, `facts` and the player stand in
    them; a fact that is a piece of a sentence has a `text` and `facts` of its own."""

    kind: ClassVar[str] = "foul"
    foul: Foul
    evidence: EvidenceData | None = field(default=None, kw_only=True)

    @property
    def code(self) -> str:
        return self.foul.code

    @property
    def player(self) -> str:
        return self.foul.player

    @property
    def sentence(self) -> Sentence:
        return self.foul.sentence


@dataclass(frozen=True, slots=True)
class ErrorReply(Reply):
    """The message could not be followed; nothing has changed. `text` and `facts` are as in a foul."""

    kind: ClassVar[str] = "error"
    error: CompanionError

    @property
    def code(self) -> str:
        """malformed, match, time, journal, other."""
        return next((code for kind, code in _CODES.items() if isinstance(self.error, kind)), "other")

    @property
    def sentence(self) -> str:
        return self.error.sentence


_CODES: dict[type[CompanionError], str] = {
    MalformedError: "malformed",
    TimeError: "time",
    MatchError: "match",
    JournalError: "journal",
}


@dataclass(frozen=True, slots=True)
class DoneReply(Reply):
    """Undo, redo, pause, resume or abandon is done; `at` is the table time now, `what` was undone or redone: a move or
    a correction."""

    kind: ClassVar[str] = "done"
    do: str
    at: int
    table: Table
    what: str = ""


@dataclass(frozen=True, slots=True)
class _Consequences(Reply):
    """What a correction changes, or would."""

    number: int
    was: Move
    now: Move | None
    changes: tuple[Change, ...]
    scores_before: dict[str, int]
    scores_after: dict[str, int]
    winners_before: tuple[str, ...] | None
    winners_after: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class CorrectionReply(_Consequences):
    """A correction, and what it changed about everything after it."""

    kind: ClassVar[str] = "correction"
    table: Table
    evidence: EvidenceData | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class PreviewReply(_Consequences):
    """What a correction would change; nothing has changed. `asks`: the match would have ended before its last move, so
    the correction has to say whether what was played after that `counts`. `entries`: what has happened in the match so
    far, for `as_of`. `hides`: a check would look at other cards than at the table. What it finds, and what follows, is
    told only when it is put right: `changes` end with that check, scores and winners are those of before."""

    kind: ClassVar[str] = "preview"
    asks: bool
    entries: int
    hides: bool = False


@dataclass(frozen=True, slots=True)
class StateReply(Reply):
    """The whole state, without what has its default; who may see it is up to whoever asked."""

    kind: ClassVar[str] = "state"
    at: int
    state: Any  # the State of its game
    table: Table


@dataclass(frozen=True, slots=True)
class TimeReply(Reply):
    """The table time now."""

    kind: ClassVar[str] = "time"
    at: int


@dataclass(frozen=True, slots=True)
class AdviceReply(Reply):
    """The solver's opinion: the value for whoever is to move, and of every move, best first."""

    kind: ClassVar[str] = "advice"
    value: str
    moves: int
    ways: tuple[AdvisedMove, ...]


@dataclass(frozen=True, slots=True)
class NoticeReply(Reply):
    """Something the people at the table must know. `text` and `facts` are as in a foul."""

    kind: ClassVar[str] = "notice"
    sentence: str


REPLIES: tuple[type[Reply], ...] = (
    MatchReply,
    RulingReply,
    FoulReply,
    ErrorReply,
    DoneReply,
    CorrectionReply,
    PreviewReply,
    StateReply,
    TimeReply,
    AdviceReply,
    NoticeReply,
)
Refusal = FoulReply | ErrorReply
Evidenced = RulingReply | FoulReply | CorrectionReply  # the replies that may rest on what was seen


# --- made from a match -----------------------------------------------------------------------------------------


def match_reply(match: Match, at: int) -> MatchReply:
    setup = match.setup
    return MatchReply(setup.id, setup.game, setup.players, setup.house, setup.rematch_of, at, table_of(match))


def ruling_reply(match: Match, told: Told) -> RulingReply:
    return RulingReply(told.number, told.move, told.ruling.events, table_of(match, told.ruling))


def settled_reply(match: Match, settled: SettledEntry, at: int) -> Reply:
    """What would have been told if it had been known to be kept."""
    match settled:
        case SettledEntry(Made(move), Ruling() as ruling):
            return ruling_reply(match, Told(len(match.line), move, ruling))
        case SettledEntry(_, Correction() as correction):
            return correction_reply(match, correction)
    return done_reply(match, type(settled.entry), at)


def done_reply(match: Match, kind: type[Entry], at: int) -> DoneReply:
    """What is told of an entry that is neither a move nor a correction, when it is made."""
    what = {Undone: match.history.redoes, Redone: match.history.undoes}.get(kind, "")
    return DoneReply(_DONE[kind], at, table_of(match), what)


_DONE: dict[type[Entry], str] = {
    Undone: Undo.word,
    Redone: Redo.word,
    Paused: Pause.word,
    Resumed: Resume.word,
    Abandoned: Abandon.word,
}


def table_of(match: Match, ruling: Ruling | None = None) -> Table:
    """How things stand after a ruling; without one, now."""
    ruling = ruling or match.ruling
    state, over = ruling.state, _over(match, ruling)
    return Table(
        len(match.line),
        state.phase,
        state.turn,
        _named(match, state.scores),
        () if match.paused or over else ruling.may,
        None if match.stands else state.deadline,
        over,
        match.paused is not None,
        match.stands,
    )


def _over(match: Match, ruling: Ruling) -> Over | None:
    state, outcome = ruling.state, ruling.state.outcome
    if match.abandoned:
        return Over([], _named(match, state.scores), match.abandoned.why or "Abandoned.")
    return Over(list(outcome.winners), _named(match, outcome.scores), outcome.reason) if outcome else None


def _named(match: Match, scores: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(match.setup.names, scores, strict=True))


def correction_reply(match: Match, correction: Correction) -> CorrectionReply:
    return CorrectionReply(*_consequences(match, correction), table_of(match))


def preview_reply(match: Match, correction: Correction) -> PreviewReply:
    told = _consequences(match, correction.veiled())
    return PreviewReply(*told, correction.asks, match.entries, correction.hides)


def _consequences(
    match: Match, correction: Correction
) -> tuple[
    int,
    Move,
    Move | None,
    tuple[Change, ...],
    dict[str, int],
    dict[str, int],
    tuple[str, ...] | None,
    tuple[str, ...] | None,
]:
    """What is told of a correction, made or not."""
    return (
        correction.number,
        correction.was,
        correction.now,
        correction.changes,
        _named(match, correction.scores_before),
        _named(match, correction.scores_after),
        correction.winners_before,
        correction.winners_after,
    )
