"""What is published, as data: how the match stands, and what was ruled. No broker, no thread, no clock in it.

It is what the people at the table hear and see: sentences, scores, turns, clocks. What only the referee knows, such
as the cards in a hand, is not in it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.clocks import SECOND, Clock
from companion.match import Match
from companion.nameless import Nameless
from companion.rules import Game
from companion.sentence import Sentence

LONGEST_SENTENCE = 500  # letters; a reason that somebody typed in may be longer
MOST_SENTENCES = 40
LONGEST_SCORE = 255  # letters, what Home Assistant keeps of a state
ONLINE, OFFLINE = "online", "offline"

Told = Callable[[Game, Mapping[str, Any]], str]  # an event of a reply as a sentence
Reply = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Voice:
    """In which language a table tells: of an event, and in a sentence that was put together in English."""

    told: Told
    heard: Callable[[str], str]


IN_ENGLISH = Voice(lambda _game, event: str(event["sentence"]), lambda sentence: sentence)


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
    running, paused, over. `score`: everybody's, in one line. `until`: seconds until the referee acts by itself.
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
    "undo": "The last move is taken back.",  # said
    "redo": "The move is made again.",  # said
    "pause": "The match is paused.",  # said
    "resume": "The match goes on.",  # said
    "abandon": "The match is abandoned.",  # said
}


def idle(table: str, life: str, as_of: str) -> StateNow:
    """Nobody plays."""
    return StateNow(table, life, "idle", "", "", "", [], "", "", 0, "", [], None, None, 0.0, as_of)


def result_now(manner: Manner, match: Match, standing: Mapping[str, Any], time: int, as_of: str) -> ResultNow:
    """How a match that is over has ended."""
    over, called = standing["over"], manner.nameless.name
    return ResultNow(
        manner.table,
        manner.life,
        match.setup.id,
        match.setup.game,
        match.game.title,
        [
            PlayerThen(called(player.name), player.colour, over["scores"][player.name], player.name in over["winners"])
            for player in match.setup.players
        ],
        [*map(called, over["winners"])],
        _reason(manner, match, over),
        standing["moves"],
        _seconds(time),
        as_of,
    )


def state_now(manner: Manner, match: Match, standing: Mapping[str, Any], time: int, as_of: str) -> StateNow:
    """How a match stands; `standing` is the `table` of the reply that told it, `time` the table time of that."""
    scores, setup, over, called = standing["scores"], match.setup, _over(manner, match, standing), manner.nameless.name
    until = standing["until"]
    return StateNow(
        manner.table,
        manner.life,
        "over" if over else "paused" if standing["paused"] else "running",
        setup.id,
        setup.game,
        match.game.title,
        [
            PlayerNow(called(player.name), player.colour, scores[player.name], player.name == standing["turn"])
            for player in setup.players
        ],
        called(standing["turn"]),
        standing["phase"],
        standing["moves"],
        ", ".join(f"{called(name)} {score}" for name, score in scores.items())[:LONGEST_SCORE],
        _clocks(manner, match, time, stands=standing["stands"]),
        None if until is None else _seconds(max(0, until["at"] - time)),
        over,
        _seconds(time),
        as_of,
    )


def _clocks(manner: Manner, match: Match, time: int, *, stands: bool) -> list[ClockNow]:
    state = match.state
    clocks: tuple[Clock, ...] = getattr(state, "clocks", ()) or tuple(
        clock for clock in (getattr(state, "clock", None),) if clock is not None
    )
    whose = state.players if len(clocks) == len(state.players) > 1 else ("",) * len(clocks)
    return [
        ClockNow(
            manner.nameless.name(player),
            _seconds(clock.used_at(time)),
            None if clock.limit is None else _seconds(clock.limit),
            clock.is_running and not stands,
        )
        for player, clock in zip(whose, clocks, strict=True)
    ]


def kind_of(reply: Reply) -> str:
    """Under which kind a reply is published as a ruling; empty if it is none."""
    kind = reply["kind"]
    if kind == "done":
        return str(reply["do"]) if reply["do"] in REQUESTS_TOLD else ""
    return str(kind) if kind in ("match", "ruling", "correction") else ""


def time_of(reply: Reply, match: Match) -> int:
    """The table time at which something was told."""
    if reply["kind"] == "ruling":
        return int(reply["move"].get("at", 0))
    return int(reply.get("at", match.latest))


def ruling_now(manner: Manner, sequence: int, match: Match, reply: Reply, as_of: str) -> RulingNow:
    """A reply that is published, in the form of all of them."""
    kind, standing, called = kind_of(reply), reply["table"], manner.nameless.name
    move = reply["move"] if kind == "ruling" else {}
    events = _events(manner, match.game, reply["events"] if kind == "ruling" else [])
    return RulingNow(
        manner.table,
        manner.life,
        sequence,
        kind,
        match.setup.id,
        match.setup.game,
        standing["moves"],
        str(move.get("move", "")),
        called(str(move.get("player", ""))),
        [event.sentence for event in events] or [manner.voice.heard(_said(kind, reply))],
        events,
        {called(name): score for name, score in standing["scores"].items()},
        _over(manner, match, standing),
        _seconds(time_of(reply, match)),
        as_of,
    )


def _events(manner: Manner, game: Game, events: list[dict[str, Any]]) -> list[EventNow]:
    """Those of which something is said."""
    found = []
    for event in events[:MOST_SENTENCES]:
        if "sentence" in event:
            facts = {key: item if key == "event" else manner.nameless.value(item) for key, item in event.items()}
            found.append(EventNow(event["event"], _clipped(manner.nameless.text(manner.voice.told(game, facts)))))
    return found


def _said(kind: str, reply: Reply) -> str:
    if kind == "match":
        return REQUESTS_TOLD["resume"] if reply["table"]["moves"] else "A match begins."  # said
    if kind == "correction":
        number = reply["number"]
        return Sentence("Move {number} is put right.", number=number)  # said
    return REQUESTS_TOLD.get(kind, "")


def _over(manner: Manner, match: Match, standing: Mapping[str, Any]) -> OverNow | None:
    over = standing["over"]
    if over is None:
        return None
    winners = [*map(manner.nameless.name, over["winners"])]
    return OverNow(winners, _reason(manner, match, over), match.abandoned is not None)


def _reason(manner: Manner, match: Match, over: Mapping[str, Any]) -> str:
    """Why it ended, in the language of the table; what somebody typed in stays as it is."""
    if match.abandoned is not None and match.abandoned.why:
        return _clipped(manner.nameless.text(match.abandoned.why))
    reason = REQUESTS_TOLD["abandon"] if match.abandoned else manner.nameless.value(over["reason"])
    return _clipped(manner.nameless.text(manner.voice.heard(reason)))


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST_SENTENCE else text[: LONGEST_SENTENCE - 1] + "…"


def _seconds(nanoseconds: int) -> float:
    return round(nanoseconds / SECOND, 3)
