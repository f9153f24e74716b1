"""Messages to the referee and from it, one JSON object a line. docs/protocol.md describes them for people,
docs/protocol.schema.json for machines; both are held to what stands here."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from companion.codec import facts_plain, made_of, plain, read, read_optional, without_defaults
from companion.correction import Change, Correction
from companion.exc import CompanionError, JournalError, MalformedError, MatchError, TimeError
from companion.match import Abandoned, Entry, Made, Match, Paused, Redone, Resumed, Undone
from companion.record import move_plain, moves_of, read_move
from companion.referee import Referee, Settled, Told, opinion
from companion.rules import Event, Foul, Game, Move, Ruling
from companion.strike import MARGIN

LONGEST_LINE = 65_536  # bytes


# --- what can be asked for besides moves -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Request:
    """Something asked of the referee; `at` is a stamp of the sender's monotonic clock, `id` comes back as `re`."""

    word: ClassVar[str] = ""

    at: int | None = field(default=None, kw_only=True)
    id: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class Undo(Request):
    """Take back what was done last: a move, the referee's own at a deadline too, or a correction as a whole. Clocks
    stand as they stood then until somebody goes on: with a move, `redo` or `resume`."""

    word: ClassVar[str] = "undo"


@dataclass(frozen=True, slots=True)
class Redo(Request):
    """Make again what was undone last, a move or a correction; the time until then counts again."""

    word: ClassVar[str] = "redo"


@dataclass(frozen=True, slots=True)
class Pause(Request):
    """Stop all clocks, for a dispute."""

    word: ClassVar[str] = "pause"
    why: str = ""


@dataclass(frozen=True, slots=True)
class Resume(Request):
    """Go on after a pause, or after an undo: clocks run."""

    word: ClassVar[str] = "resume"


@dataclass(frozen=True, slots=True)
class Correct(Request):
    """Move `number`, counted from 1, was really `move`, which keeps its stamp; or none at all, where `move` is null.
    Everything after it is ruled on again: what cannot stand any more waits, and a later correction may bring it back.
    With `preview` only what would come of it is told. `counts`: whether what was played after an end that comes
    earlier now counts; it is needed where a preview `asks`. `as_of`: refused if the match is not as it was then, the
    `entries` of a preview."""

    word: ClassVar[str] = "correct"
    number: int
    move: Any
    preview: bool = False
    counts: bool | None = None
    as_of: int | None = None


@dataclass(frozen=True, slots=True)
class Abandon(Request):
    """End the match without a winner."""

    word: ClassVar[str] = "abandon"
    why: str = ""


@dataclass(frozen=True, slots=True)
class Rematch(Request):
    """The same players and house rules again, after the end of a match."""

    word: ClassVar[str] = "rematch"


@dataclass(frozen=True, slots=True)
class Time(Request):
    """Let time pass up to `at`: deadlines before it fall due."""

    word: ClassVar[str] = "time"


@dataclass(frozen=True, slots=True)
class Show(Request):
    """Tell the whole state of the match."""

    word: ClassVar[str] = "show"


@dataclass(frozen=True, slots=True)
class Advise(Request):
    """What the solver thinks of the position (Triplexity)."""

    word: ClassVar[str] = "advise"


@dataclass(frozen=True, slots=True)
class Touch(Request):
    """Press a simulated button: `key` is strike, tres, turn or stop, `seat` counts from 1 (0: the table's own). It is
    let go at once unless `down` says true (held) or false (let go)."""

    word: ClassVar[str] = "touch"
    key: str
    seat: int = 0
    down: bool | None = None


REQUESTS: tuple[type[Request], ...] = (Undo, Redo, Pause, Resume, Correct, Abandon, Rematch, Time, Show, Advise, Touch)
_REQUESTS = {request.word: request for request in REQUESTS}


# --- what comes back -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenMove:
    """A kind of move that is open now; `choices` where they can be counted out."""

    move: str
    players: list[str]
    choices: list[Any]


@dataclass(frozen=True, slots=True)
class Until:
    """The move that the referee makes at this table time if nothing happens before."""

    at: int
    move: dict[str, Any]


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
    may: list[OpenMove]
    until: Until | None
    over: Over | None
    paused: bool
    stands: bool  # no clock runs: paused, over, or nobody has gone on after an undo


@dataclass(frozen=True, slots=True)
class Reply:
    kind: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class MatchReply(Reply):
    """A match has begun, or goes on. `at` is the table time."""

    kind: ClassVar[str] = "match"
    id: str
    game: str
    players: list[dict[str, str]]
    house: dict[str, Any]
    rematch_of: str
    at: int
    table: Table


@dataclass(frozen=True, slots=True)
class RulingReply(Reply):
    """A move was accepted (or made by the referee at a deadline) and is on disk."""

    kind: ClassVar[str] = "ruling"
    number: int
    move: dict[str, Any]
    events: list[dict[str, Any]]
    table: Table


@dataclass(frozen=True, slots=True)
class FoulReply(Reply):
    """A move was refused; nothing has changed. `text` is the sentence with blanks, `facts` and the player stand in
    them; a fact that is a piece of a sentence has a `text` and `facts` of its own."""

    kind: ClassVar[str] = "foul"
    code: str
    player: str
    sentence: str
    text: str
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ErrorReply(Reply):
    """The message could not be followed; nothing has changed."""

    kind: ClassVar[str] = "error"
    code: str  # malformed, match, time, journal, other
    sentence: str
    text: str  # this and `facts` as in a foul
    facts: dict[str, Any]


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
class ChangeReply:
    """What became of another move. `kind`: its ruling is `changed`; it stands `adjusted`, as in that field; it is
    `dropped`, for that reason, and waits; it is `restored`; or the referee has `added` it at a deadline, or
    `withdrawn` what it had added. `number`: its place before the correction; 0 if it was not in the line. `move` is as
    it was made. What players may not look up is left out."""

    number: int
    move: dict[str, Any]
    was: list[str]
    now: list[str]
    dropped: str
    kind: str = "changed"
    adjusted: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class _Consequences(Reply):
    """What a correction changes, or would."""

    number: int
    was: dict[str, Any]
    now: dict[str, Any] | None
    changes: list[ChangeReply]
    scores_before: dict[str, int]
    scores_after: dict[str, int]
    winners_before: list[str] | None
    winners_after: list[str] | None


@dataclass(frozen=True, slots=True)
class CorrectionReply(_Consequences):
    """A correction, and what it changed about everything after it."""

    kind: ClassVar[str] = "correction"
    table: Table


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
    state: dict[str, Any]
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
    ways: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class NoticeReply(Reply):
    """Something the people at the table must know."""

    kind: ClassVar[str] = "notice"
    sentence: str
    text: str  # this and `facts` as in a foul
    facts: dict[str, Any]


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


def reply_plain(reply: Reply, re: str = "") -> dict[str, Any]:
    """A reply as JSON, with the id of the message it answers."""
    head = {"kind": reply.kind, "re": re} if re else {"kind": reply.kind}
    return {**head, **plain(reply)}


def event_plain(event: Event) -> dict[str, Any]:
    head = {"event": event.word, **plain(event)}
    return {**head, "sentence": event.sentence} if event.text else head


def ruling_reply(match: Match, told: Told) -> RulingReply:
    events = [event_plain(event) for event in told.ruling.events]
    return RulingReply(told.number, move_plain(told.move), events, table_of(match, told.ruling))


def settled_reply(match: Match, settled: Settled, at: int) -> Reply:
    """What would have been told if it had been known to be kept."""
    match settled:
        case Settled(Made(move), Ruling() as ruling):
            return ruling_reply(match, Told(len(match.line), move, ruling))
        case Settled(_, Correction() as correction):
            return correction_reply(match, correction)
    return done_reply(match, type(settled.entry), at)


def done_reply(match: Match, kind: type[Entry], at: int) -> DoneReply:
    """What is told of an entry that is neither a move nor a correction, when it is made."""
    what = {Undone: match.redoes, Redone: match.undoes}.get(kind, "")
    return DoneReply(_DONE[kind], at, table_of(match), what)


def table_of(match: Match, ruling: Ruling | None = None) -> Table:
    """How things stand after a ruling; without one, now."""
    ruling = ruling or match.ruling
    state = ruling.state
    outcome, deadline = state.outcome, state.deadline
    until = None
    if deadline and not match.stands:
        until = Until(deadline.at, move_plain(deadline.move))
    over = Over(list(outcome.winners), _named(match, outcome.scores), outcome.reason) if outcome else None
    if match.abandoned:
        over = Over([], _named(match, state.scores), match.abandoned.why or "Abandoned.")
    may = (
        []
        if match.paused or over
        else [OpenMove(may.move, list(may.players), plain(may.choices)) for may in ruling.may]
    )
    return Table(
        len(match.line),
        state.phase,
        state.turn,
        _named(match, state.scores),
        may,
        until,
        over,
        match.paused is not None,
        match.stands,
    )


def _named(match: Match, scores: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(match.setup.names, scores, strict=True))


def foul_reply(foul: Foul) -> FoulReply:
    return FoulReply(foul.code, foul.player, foul.sentence, foul.text, facts_plain(foul.facts))


def error_reply(error: CompanionError) -> ErrorReply:
    codes: dict[type[CompanionError], str] = {
        MalformedError: "malformed",
        TimeError: "time",
        MatchError: "match",
        JournalError: "journal",
    }
    code = next((code for kind, code in codes.items() if isinstance(error, kind)), "other")
    return ErrorReply(code, error.sentence, *made_of(error.sentence))


def notice_reply(sentence: str) -> NoticeReply:
    return NoticeReply(sentence, *made_of(sentence))


def correction_reply(match: Match, correction: Correction) -> CorrectionReply:
    return CorrectionReply(was=open_plain(correction.was), **_of_correction(match, correction), table=table_of(match))


def preview_reply(match: Match, correction: Correction) -> PreviewReply:
    return PreviewReply(
        was=open_plain(correction.was),
        **_of_correction(match, correction.veiled()),
        asks=correction.asks,
        entries=match.entries,
        hides=correction.hides,
    )


def _of_correction(match: Match, correction: Correction) -> dict[str, Any]:
    """What is told of a correction, made or not."""
    winners = correction.winners_before, correction.winners_after
    before, after = (None if names is None else list(names) for names in winners)
    return {
        "number": correction.number,
        "now": move_plain(correction.now) if correction.now else None,
        "changes": list(map(_change_reply, correction.changes)),
        "scores_before": _named(match, correction.scores_before),
        "scores_after": _named(match, correction.scores_after),
        "winners_before": before,
        "winners_after": after,
    }


def _change_reply(change: Change) -> ChangeReply:
    adjusted = open_plain(change.adjusted) if change.adjusted else None
    was, now = list(change.was), list(change.now)
    return ChangeReply(change.number, open_plain(change.move), was, now, change.dropped, change.kind, adjusted)


def open_plain(move: Move) -> dict[str, Any]:
    """A move as JSON, without what players may not look up."""
    return {name: value for name, value in move_plain(move).items() if name not in move.concealed}


_DONE: dict[type[Entry], str] = {
    Undone: Undo.word,
    Redone: Redo.word,
    Paused: Pause.word,
    Resumed: Resume.word,
    Abandoned: Abandon.word,
}


# --- reading and answering -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MoveMessage:
    move: Move
    at: int | None
    id: str


def read_message(game: Game, data: Any) -> MoveMessage | Request:
    """A message, or a MalformedError that says what is wrong with it."""
    if not isinstance(data, Mapping):
        raise MalformedError("A message must be a JSON object.")
    rest = dict(data)
    if "move" in rest and "do" not in rest:
        identity = read(str, rest.pop("id", ""), "id")
        at = read_optional(int, rest.pop("at", None), "at")
        if isinstance(word := rest["move"], str) and word in _REQUESTS and word not in moves_of(game):
            raise MalformedError(f'{game.title} has no move \'{word}\': that is {{"do":"{word}"}}.')
        return MoveMessage(read_move(game, rest), at, identity)
    word = rest.pop("do", None)
    kind = _REQUESTS.get(word) if isinstance(word, str) else None
    if kind is None:
        raise MalformedError(f"A message has a move or a do, and do is one of {', '.join(_REQUESTS)}.")
    return read(kind, rest)


class Session:
    """One conversation with the referee: messages in, replies out.

    `now` stamps a message that has no stamp; where it is None, every message brings its own.
    """

    def __init__(self, referee: Referee, now: Callable[[], int] | None) -> None:
        self.referee = referee
        self.margin = MARGIN  # nanoseconds: competing claims that are closer are a tie
        self._now = now
        self._answers: dict[type[Request], Callable[[Any, int], Reply]] = {
            Undo: self._undo,
            Redo: self._redo,
            Pause: self._pause,
            Resume: self._resume,
            Correct: self._correct,
            Abandon: self._abandon,
            Rematch: self._rematch,
            Time: self._time,
            Show: self._show,
            Advise: self._advise,
            Touch: self._touch,
        }

    def greeting(self) -> list[dict[str, Any]]:
        journal = self.referee.journal
        notices = journal.notices if journal else ()
        return [*(reply_plain(notice_reply(notice)) for notice in notices), reply_plain(self._match_reply())]

    def answer(self, message: MoveMessage | Request) -> list[dict[str, Any]]:
        """The replies to a message: rulings of deadlines that fell due before it first."""
        return list(self.replies(message))

    def replies(self, message: MoveMessage | Request) -> Iterator[dict[str, Any]]:
        """The same one by one, each before the next thing is ruled on."""
        try:
            stamp = self._stamp(message.at)
            if isinstance(message, MoveMessage) and self.referee.tie(message.move, stamp, self.margin):
                stamp = max(stamp, self.referee.stamp or stamp)  # of two that tie, the older may come last
            yield from self.pass_time(stamp)
            if isinstance(message, MoveMessage):
                reply: Reply = self._tied(message.move, stamp) or self._move(message.move, stamp)
            else:
                reply = self._answers[type(message)](message, stamp)
        except Foul as foul:
            reply = foul_reply(foul)
        except CompanionError as error:
            reply = error_reply(error)
        yield from self._news()
        if isinstance(message, MoveMessage) and isinstance(reply, CorrectionReply):
            yield reply_plain(notice_reply(self.referee.match.ruling.sentences[0]))  # what the tie came to
        yield reply_plain(reply, message.id)

    def _news(self) -> Iterator[dict[str, Any]]:
        for sentence in self.referee.news():
            yield reply_plain(notice_reply(sentence))

    def pass_time(self, stamp: int) -> Iterator[dict[str, Any]]:
        """What is to be told because time has passed: what turns out to be kept, rulings of deadlines, and that clocks
        cannot be kept."""
        if settled := self.referee.settle(stamp):
            at = self.referee.table_time(max(stamp, self.referee.stamp or stamp))
            yield reply_plain(settled_reply(self.referee.match, settled, at))
        for told in self.referee.pass_time(stamp):
            yield reply_plain(ruling_reply(self.referee.match, told))
        try:
            self.referee.mark(stamp)
        except JournalError as error:
            yield reply_plain(notice_reply(error.sentence))
        yield from self._news()

    def _stamp(self, at: int | None) -> int:
        if self._now is None:
            return read(int, at, "at")
        now = self._now()
        if at is None:
            return now
        if at > now:
            raise TimeError(f"The stamp {at} lies {at - now} ns in the future of this machine's monotonic clock.")
        return at

    def _move(self, move: Move, stamp: int) -> Reply:
        return ruling_reply(self.referee.match, self.referee.make(move, stamp))

    def _tied(self, claim: Move, stamp: int) -> Reply | None:
        """A claim that ties with the newest move puts that one right."""
        tie = self.referee.tie(claim, stamp, self.margin)
        if tie is None:
            return None
        return correction_reply(self.referee.match, self.referee.put_together(claim, tie, stamp))

    def done(self, word: str, stamp: int) -> Reply:
        return DoneReply(word, self.referee.table_time(stamp), table_of(self.referee.match))

    def _entered(self, kind: type[Entry], stamp: int) -> Reply:
        return done_reply(self.referee.match, kind, self.referee.table_time(stamp))

    def _undo(self, _request: Undo, stamp: int) -> Reply:
        self.referee.undo(stamp)
        return self._entered(Undone, stamp)

    def _redo(self, _request: Redo, stamp: int) -> Reply:
        self.referee.redo(stamp)
        return self._entered(Redone, stamp)

    def _pause(self, request: Pause, stamp: int) -> Reply:
        self.referee.pause(stamp, request.why)
        return self._entered(Paused, stamp)

    def _resume(self, _request: Resume, stamp: int) -> Reply:
        self.referee.resume(stamp)
        return self._entered(Resumed, stamp)

    def _abandon(self, request: Abandon, stamp: int) -> Reply:
        self.referee.abandon(stamp, request.why)
        return self._entered(Abandoned, stamp)

    def _correct(self, request: Correct, stamp: int) -> Reply:
        match = self.referee.match
        number, counts = request.number, request.counts
        move = None if request.move is None else read_move(match.game, request.move, "move")
        if request.preview:
            return preview_reply(match, self.referee.preview(number, move, stamp, counts=counts))
        found = self.referee.correct(number, move, stamp, counts=counts, as_of=request.as_of)
        return correction_reply(match, found)

    def _rematch(self, _request: Rematch, stamp: int) -> Reply:
        self.referee = self.referee.rematch(stamp)
        return self._match_reply()

    def _time(self, _request: Time, stamp: int) -> Reply:
        return TimeReply(self.referee.table_time(stamp))

    def _show(self, _request: Show, stamp: int) -> Reply:
        match = self.referee.match
        state = without_defaults(match.state)
        for name in ("players", "house", "outcome"):
            state.pop(name, None)
        return StateReply(self.referee.table_time(stamp), state, table_of(match))

    def _touch(self, _request: Touch, _stamp: int) -> Reply:
        raise MatchError("There are no simulated buttons here: start the referee with --buttons FILE.")

    def _advise(self, _request: Advise, _stamp: int) -> Reply:
        return AdviceReply(**opinion(self.referee.match))

    def _match_reply(self) -> MatchReply:
        match, setup = self.referee.match, self.referee.match.setup
        return MatchReply(
            setup.id,
            setup.game,
            plain(setup.players),
            plain(setup.house),
            setup.rematch_of,
            self.referee.table,
            table_of(match),
        )
