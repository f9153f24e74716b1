"""What is published, as data: how the match stands, and what was ruled. No broker, no thread, no clock in it.

It is what the people at the table hear and see: sentences, scores, turns, clocks. What only the referee knows, such
as the cards in a hand, is not in it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from companion.core.clocks import SECOND, Clock
from companion.core.match import Match
from companion.core.replies import CorrectionReply, DoneReply, MatchReply, Over, RulingReply, StateReply, Table
from companion.core.rules import Event
from companion.core.sentence import N_, Sentence
from companion.doctor.anonymous import Nameless

LONGEST_SENTENCE = 500  # letters; a reason that somebody typed in may be longer
MOST_SENTENCES = 40
LONGEST_SCORE = 255  # letters, what Home Assistant keeps of a state
ONLINE, OFFLINE = "online", "offline"

Voice = Callable[[str], str]  # an English sentence in the language of the table
Published = (
    MatchReply | RulingReply | CorrectionReply | DoneReply | StateReply
)  # the replies that tell how things stand


def in_english(sentence: str) -> str:
    return str(sentence)


@dataclass(frozen=True, slots=True)
class Manner:
    """How a table tells: under which name, in which life of it, in which words, and by which names of the players."""

    table: str
    life: str
    voice: Voice
    nameless: Nameless


@dataclass(frozen=True, slots=True)
class PlayerNow:
    """A player at a seat; seats go clockwise."""

    name: str
    colour: str
    score: int
    turn: bool


@dataclass(frozen=True, slots=True)
class ClockNow:
    """A clock: `used` seconds at `as_of`, more since then if it `runs`; `player` is empty for one of all of them."""

    player: str
    used: float
    limit: float | None
    runs: bool


@dataclass(frozen=True, slots=True)
class OverNow:
    """How the match ended; one that is `abandoned` has no result."""

    winners: list[str]
    reason: str
    abandoned: bool


@dataclass(frozen=True, slots=True)
class StateNow:
    """How the match stands. `life`: another word whenever the table is switched on. `status`: idle (nobody plays),
    running, paused, over. `called`: something such as Stop! was called out, and play stands until it is settled.
    `score`: everybody's, in one line. `until`: seconds until the referee acts by itself.
    `time`: seconds of the match. `as_of`: when this was so, UTC."""

    table: str
    life: str
    status: str
    match: str
    game: str
    title: str
    players: list[PlayerNow]
    turn: str
    phase: str
    called: bool
    moves: int
    score: str
    clocks: list[ClockNow]
    until: float | None
    over: OverNow | None
    time: float
    as_of: str


@dataclass(frozen=True, slots=True)
class EventNow:
    """One thing that a ruling did, in the words of docs/protocol.md; `sentence` is what is said of it."""

    event: str
    sentence: str


@dataclass(frozen=True, slots=True)
class RulingNow:
    """Something was ruled. `kind`: match (it begins or goes on), ruling, correction, undo, redo, pause, resume or
    abandon. `number`: how many moves the match has now. `move`, `player`: of a ruling. `sequence` counts what this
    table has published in this `life`, since it was switched on: what comes twice has the same of both, and what was
    lost is a gap."""

    table: str
    life: str
    sequence: int
    kind: str
    match: str
    game: str
    number: int
    move: str
    player: str
    sentences: list[str]
    events: list[EventNow]
    scores: dict[str, int]
    over: OverNow | None
    time: float
    as_of: str


@dataclass(frozen=True, slots=True)
class PlayerThen:
    """A player of a match that has ended, as the seats go clockwise."""

    name: str
    colour: str
    score: int
    won: bool


@dataclass(frozen=True, slots=True)
class ResultNow:
    """The last match that ended at this table with a result; it stays when others begin, and until its end is taken
    back. `time`: how many seconds it took. `as_of`: when it ended, UTC."""

    table: str
    life: str
    match: str
    game: str
    title: str
    players: list[PlayerThen]
    winners: list[str]
    reason: str
    moves: int
    time: float
    as_of: str


REQUESTS_TOLD = {  # what else than rulings is told, and in which words
    "undo": N_("The last move is taken back."),
    "redo": N_("The move is made again."),
    "pause": N_("The match is paused."),
    "resume": N_("The match goes on."),
    "abandon": N_("The match is abandoned."),
}


def idle(table: str, life: str, as_of: str) -> StateNow:
    """Nobody plays."""
    return StateNow(table, life, "idle", "", "", "", [], "", "", False, 0, "", [], None, None, 0.0, as_of)  # noqa: FBT003


def result_now(manner: Manner, match: Match, standing: Table, time: int, as_of: str) -> ResultNow:
    """How a match that is over has ended."""
    over, called = standing.over, manner.nameless.name
    assert over is not None
    return ResultNow(
        manner.table,
        manner.life,
        match.setup.id,
        match.setup.game,
        match.game.title,
        [
            PlayerThen(called(player.name), player.colour, over.scores[player.name], player.name in over.winners)
            for player in match.setup.players
        ],
        [*map(called, over.winners)],
        _reason(manner, match, over),
        standing.moves,
        _seconds(time),
        as_of,
    )


def state_now(manner: Manner, match: Match, standing: Table, time: int, as_of: str) -> StateNow:
    """How a match stands; `standing` is the `table` of the reply that told it, `time` the table time of that."""
    scores, setup, over, called = standing.scores, match.setup, _over(manner, match, standing), manner.nameless.name
    until = standing.until
    return StateNow(
        manner.table,
        manner.life,
        "over" if over else "paused" if standing.paused else "running",
        setup.id,
        setup.game,
        match.game.title,
        [
            PlayerNow(called(player.name), player.colour, scores[player.name], player.name == standing.turn)
            for player in setup.players
        ],
        called(standing.turn),
        standing.phase,
        is_called(match, standing),
        standing.moves,
        ", ".join(f"{called(name)} {score}" for name, score in scores.items())[:LONGEST_SCORE],
        clocks_now(manner.nameless, match, time, stands=standing.stands),
        None if until is None else _seconds(max(0, until.at - time)),
        over,
        _seconds(time),
        as_of,
    )


def is_called(match: Match, standing: Table) -> bool:
    """Something was called out, and play stands until it is settled."""
    return standing.phase in match.game.halts and not standing.over


def clocks_now(nameless: Nameless, match: Match, time: int, *, stands: bool) -> list[ClockNow]:
    """The clocks of a match at this table time."""
    state = match.state
    clocks: tuple[Clock, ...] = getattr(state, "clocks", ()) or tuple(
        clock for clock in (getattr(state, "clock", None),) if clock is not None
    )
    whose = state.players if len(clocks) == len(state.players) > 1 else ("",) * len(clocks)
    return [
        ClockNow(
            nameless.name(player),
            _seconds(clock.used_at(time)),
            None if clock.limit is None else _seconds(clock.limit),
            clock.is_running and not stands,
        )
        for player, clock in zip(whose, clocks, strict=True)
    ]


def kind_of(reply: Published) -> str:
    """Under which kind a reply is published as a ruling; empty if it is none."""
    if isinstance(reply, DoneReply):
        return reply.do if reply.do in REQUESTS_TOLD else ""
    return "" if isinstance(reply, StateReply) else reply.kind


def time_of(reply: Published, match: Match) -> int:
    """The table time at which something was told."""
    match reply:
        case RulingReply(move=move):
            return move.at
        case MatchReply() | DoneReply() | StateReply():
            return reply.at
    return match.history.latest(match.now)


def ruling_now(manner: Manner, sequence: int, match: Match, reply: Published, as_of: str) -> RulingNow:
    """A reply that is published, in the form of all of them."""
    standing, called = reply.table, manner.nameless.name
    ruling = reply if isinstance(reply, RulingReply) else None
    events = _events(manner, ruling.events if ruling else ())
    return RulingNow(
        manner.table,
        manner.life,
        sequence,
        kind_of(reply),
        match.setup.id,
        match.setup.game,
        standing.moves,
        ruling.move.word if ruling else "",
        called(ruling.move.player) if ruling else "",
        [event.sentence for event in events] or [manner.voice(_said(reply))],
        events,
        {called(name): score for name, score in standing.scores.items()},
        _over(manner, match, standing),
        _seconds(time_of(reply, match)),
        as_of,
    )


def _events(manner: Manner, events: tuple[Event, ...]) -> list[EventNow]:
    """Those of which something is said."""
    told = (event for event in events[:MOST_SENTENCES] if event.text)
    return [EventNow(event.word, _sentence(manner, event.sentence)) for event in told]


def _sentence(manner: Manner, sentence: Sentence) -> str:
    """In the language of the table, and without names where nobody shall be named."""
    return _clipped(manner.nameless.text(manner.voice(manner.nameless.value(sentence))))


def _said(reply: Published) -> str:
    match reply:
        case MatchReply():
            return REQUESTS_TOLD["resume"] if reply.table.moves else N_("A match begins.")
        case CorrectionReply(number):
            return Sentence("Move {number} is put right.", number=number)
        case DoneReply(do):
            return REQUESTS_TOLD.get(do, "")
    return ""


def _over(manner: Manner, match: Match, standing: Table) -> OverNow | None:
    over = standing.over
    if over is None:
        return None
    winners = [*map(manner.nameless.name, over.winners)]
    return OverNow(winners, _reason(manner, match, over), match.abandoned is not None)


def _reason(manner: Manner, match: Match, over: Over) -> str:
    """Why it ended, in the language of the table; what somebody typed in stays as it is."""
    if match.abandoned is not None and match.abandoned.why:
        return _clipped(manner.nameless.text(match.abandoned.why))
    reason = REQUESTS_TOLD["abandon"] if match.abandoned else manner.nameless.value(over.reason)
    return _clipped(manner.nameless.text(manner.voice(reason)))


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST_SENTENCE else text[: LONGEST_SENTENCE - 1] + "…"


def _seconds(nanoseconds: int) -> float:
    return round(nanoseconds / SECOND, 3)
