"""Which sound a reply of the referee means, and when the last seconds of a time tick. No sound, no screen, no clock."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.core.clocks import SECOND
from companion.core.replies import DoneReply, Reply, RulingReply
from companion.core.rules import Ended, Event
from companion.games import part


class Cue(StrEnum):
    """What can be heard; of two at the same moment the later in this list is heard."""

    BUTTON = "button"
    TICK = "tick"
    LAST_TICK = "last-tick"
    LEGAL = "legal"
    NOTICE = "notice"
    GO = "go"
    CALL = "call"
    STRIKE = "strike"
    TIE = "tie"
    FOUL = "foul"
    TIME_UP = "time-up"
    ROUND = "round"
    WIN = "win"

    @property
    def weight(self) -> int:
        return _WEIGHTS[self]

    @property
    def is_aside(self) -> bool:
        """It is heard beside whatever else is heard."""
        return self in (Cue.BUTTON, Cue.TICK, Cue.LAST_TICK)


_WEIGHTS = {cue: weight for weight, cue in enumerate(Cue)}


@dataclass(frozen=True, slots=True)
class Audible:
    """A sound, and the English sentence that goes with it for whoever wants it spoken."""

    cue: Cue
    sentence: str = ""


EVERYWHERE: Mapping[str, Cue | None] = {"cards-moved": None, "turn": None, "ended": Cue.WIN}


@dataclass(frozen=True, slots=True)
class GameCues:
    """CUES of a game. What an event of it sounds like that is not here: nothing."""

    events: Mapping[str, Cue | None] = field(default_factory=dict)  # by the words of the events
    spoken: tuple[str, ...] = ()  # events that are spoken although their cue is not
    ticking: Mapping[str, int] = field(default_factory=dict)  # seconds before these moves of the referee, if others


REPLIES: Mapping[str, Cue] = {  # by their kinds, and those of what a camera tells
    "match": Cue.BUTTON,
    "foul": Cue.FOUL,
    "error": Cue.NOTICE,
    "notice": Cue.NOTICE,
    "preview": Cue.BUTTON,
    "correction": Cue.LEGAL,
    "out-of-step": Cue.NOTICE,
    "in-step": Cue.BUTTON,
    "put-right": Cue.LEGAL,
    "trouble": Cue.NOTICE,
    "trouble-over": Cue.BUTTON,
}
DONE: Mapping[str, Cue] = {"pause": Cue.NOTICE, "abandon": Cue.NOTICE}
SILENT = (Cue.BUTTON, Cue.LEGAL)  # so frequent that nobody wants them spoken


def cues_of(game: str) -> GameCues:
    return part(game, "cues", GameCues)


def heard(game: str, reply: Reply) -> Audible | None:
    """What is to be heard when the referee says this in a match of that game; None: nothing."""
    if isinstance(reply, RulingReply):
        return _of_ruling(game, reply.events)
    if isinstance(reply, DoneReply):
        return Audible(DONE.get(reply.do, Cue.BUTTON))
    cue = REPLIES.get(reply.kind)
    return None if cue is None else Audible(cue, "" if cue in SILENT else getattr(reply, "sentence", ""))


def _of_ruling(game: str, events: tuple[Event, ...]) -> Audible:
    """The weightiest of its events; any ruling is heard somehow, so that a touch is known to have been taken."""
    cues = [(cue, event) for event in events if (cue := cue_of(game, event)) is not None]
    if not cues:
        return Audible(Cue.BUTTON)
    cue, event = max(cues, key=lambda one: one[0].weight)
    spoken = next((event for _, event in cues if event.word in cues_of(game).spoken), None)
    if cue not in SILENT:
        spoken = event
    return Audible(cue, spoken.sentence if spoken and spoken.text else "")


def cue_of(game: str, event: Event) -> Cue | None:
    """The sound of one event."""
    word = event.word
    if getattr(event, "right", True) is False:
        return Cue.FOUL
    if isinstance(event, Ended) and not event.winners:
        return Cue.TIE
    return EVERYWHERE[word] if word in EVERYWHERE else cues_of(game).events.get(word)


# --- the last seconds ------------------------------------------------------------------------------------------

TICKING = 10  # seconds before a time runs out
LAST = 3  # seconds with another tick
LATE = 250_000_000  # a sound that comes so much later than its moment is worse than none


@dataclass(frozen=True, slots=True)
class Due:
    """A move that the referee will make by itself, and the stamp at which it falls due."""

    at: int
    seconds: int = TICKING  # it ticks so long before

    @property
    def ticks(self) -> Iterator[tuple[int, Cue]]:
        """The stamps at which it ticks before that, in their order."""
        for left in range(self.seconds, 0, -1):
            yield self.at - left * SECOND, Cue.LAST_TICK if left <= LAST else Cue.TICK


def due_of(game: str, at: int, move: str) -> Due:
    """When that move of a game falls due."""
    return Due(at, cues_of(game).ticking.get(move, TICKING))


def next_tick(due: Due | None, after: int) -> int | None:
    """The stamp of the first tick after that one."""
    return next((at for at, _ in due.ticks if at > after), None) if due else None


def tick(due: Due | None, after: int, now: int) -> Cue | None:
    """The tick that has come after that stamp and is still worth hearing."""
    if due is None:
        return None
    found = [cue for at, cue in due.ticks if max(after, now - LATE) < at <= now]
    return found[-1] if found else None
