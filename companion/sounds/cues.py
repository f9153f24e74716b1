"""Which sound a reply of the referee means, and when the last seconds of a time tick. No sound, no screen, no clock."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.clocks import SECOND


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
class Heard:
    """A sound, and the English sentence that goes with it for whoever wants it spoken."""

    cue: Cue
    sentence: str = ""


# By the words of the events. An illegal play that is kept for the next Stop! must not be told apart by ear.
EVERYWHERE: Mapping[str, Cue | None] = {"cards-moved": None, "turn": None, "ended": Cue.WIN}
EVENTS: Mapping[str, Mapping[str, Cue | None]] = {
    "three": {
        "began": Cue.GO,
        "played": Cue.LEGAL,
        "deck-empty": Cue.NOTICE,
        "struck": Cue.STRIKE,
        "ahead": None,
        "struck-together": Cue.TIE,
        "whose-hand": Cue.STRIKE,
        "called": Cue.CALL,
        "released": Cue.NOTICE,
        "rearming": None,
        "kept-out": Cue.NOTICE,
        "declared": Cue.CALL,
        "checked": Cue.LEGAL,
        "seen-otherwise": Cue.NOTICE,
        "passed": Cue.BUTTON,
        "nothing-more": Cue.BUTTON,
        "last-calls": Cue.NOTICE,
        "calls-over": Cue.BUTTON,
        "final-round": Cue.NOTICE,
    },
    "triple3": {
        "dealt": Cue.BUTTON,
        "started": Cue.GO,
        "played-legally": Cue.LEGAL,
        "said-otherwise": Cue.NOTICE,
        "played-illegally": Cue.LEGAL,
        "taken-back": Cue.BUTTON,
        "found-lying": Cue.NOTICE,
        "few-left": None,
        "ahead": None,
        "stopped": Cue.CALL,
        "not-out-yet": Cue.NOTICE,
        "claim-open": Cue.CALL,
        "claim-void": Cue.NOTICE,
        "went-on": Cue.GO,
        "nobody-can-lay": Cue.NOTICE,
        "round-won": Cue.ROUND,
        "round-stands": Cue.NOTICE,
    },
    "tres": {
        "showed": Cue.BUTTON,
        "tied-for-dealer": Cue.TIE,
        "dealer-chosen": Cue.LEGAL,
        "dealt": Cue.GO,
        "turned-up": Cue.BUTTON,
        "turn-lost": Cue.NOTICE,
        "direction-turned": Cue.NOTICE,
        "played": Cue.LEGAL,
        "laid": Cue.LEGAL,
        "skipped": Cue.NOTICE,
        "must-draw": Cue.NOTICE,
        "drew": Cue.BUTTON,
        "kept": Cue.BUTTON,
        "passed": Cue.BUTTON,
        "said-tres": Cue.CALL,
        "said-together": Cue.TIE,
        "ahead": None,
        "caught": Cue.FOUL,
        "reshuffled": Cue.BUTTON,
        "not-drawn": Cue.BUTTON,
    },
    "triplexity": {
        "placed": Cue.LEGAL,
        "shifted": Cue.LEGAL,
        "three-of-a-colour": Cue.ROUND,
        "drawn-by-repetition": Cue.TIE,
        "nobody-can-move": Cue.TIE,
        "next-round": Cue.GO,
        "round-stands": Cue.NOTICE,
    },
    "threepia": {
        "dealt": Cue.BUTTON,
        "began": Cue.GO,
        "laid": Cue.LEGAL,
        "counted": Cue.LEGAL,
        "combined": Cue.LEGAL,
        "triangles-used": None,
        "scored": Cue.LEGAL,
        "hand-empty": Cue.ROUND,
        "points-owed": Cue.BUTTON,
        "nothing-laid": Cue.BUTTON,
        "deck-used-up": Cue.NOTICE,
        "deck-counted": Cue.BUTTON,
        "drawn-needlessly": Cue.NOTICE,
        "turn-time-up": Cue.TIME_UP,
        "out-of-time": Cue.TIME_UP,
        "left-in-hand": None,
        "play-finished": Cue.NOTICE,
    },
}
REPLIES: Mapping[str, Cue] = {
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
SILENT = (Cue.BUTTON, Cue.LEGAL)  # so frequent that nobody wants them spoken, ...
SPOKEN_ALL_THE_SAME = ("checked", "scored")  # ... but these


def heard(game: str, reply: Mapping[str, Any]) -> Heard | None:
    """What is to be heard when the referee says this in a match of that game; None: nothing."""
    kind = reply["kind"]
    if kind == "ruling":
        return _of_ruling(game, reply["events"])
    if kind == "done":
        return Heard(DONE.get(reply["do"], Cue.BUTTON))
    cue = REPLIES.get(kind)
    return None if cue is None else Heard(cue, "" if cue in SILENT else reply.get("sentence", ""))


def _of_ruling(game: str, events: list[Mapping[str, Any]]) -> Heard:
    """The weightiest of its events; any ruling is heard somehow, so that a touch is known to have been taken."""
    cues = [(cue, event) for event in events if (cue := cue_of(game, event)) is not None]
    if not cues:
        return Heard(Cue.BUTTON)
    cue, event = max(cues, key=lambda one: one[0].weight)
    spoken = next((event for _, event in cues if event["event"] in SPOKEN_ALL_THE_SAME), None)
    if cue not in SILENT:
        spoken = event
    return Heard(cue, spoken.get("sentence", "") if spoken else "")


def cue_of(game: str, event: Mapping[str, Any]) -> Cue | None:
    """The sound of one event as a reply brings it."""
    word = event["event"]
    if word == "checked" and not event["right"]:
        return Cue.FOUL
    if word == "ended" and not event["winners"]:
        return Cue.TIE
    return EVERYWHERE[word] if word in EVERYWHERE else EVENTS[game].get(word)


# --- the last seconds ------------------------------------------------------------------------------------------

TICKING = 10  # seconds before a time runs out, ...
TICKING_BEFORE: Mapping[str, int] = {"release": 5}  # ... or before this move of the referee; a call has only ten
LAST = 3  # seconds with another tick
LATE = 250_000_000  # a sound that comes so much later than its moment is worse than none


@dataclass(frozen=True, slots=True)
class Due:
    """A move that the referee will make by itself, and the stamp at which it falls due."""

    at: int
    move: str

    @property
    def ticks(self) -> Iterator[tuple[int, Cue]]:
        """The stamps at which it ticks before that, in their order."""
        for left in range(TICKING_BEFORE.get(self.move, TICKING), 0, -1):
            yield self.at - left * SECOND, Cue.LAST_TICK if left <= LAST else Cue.TICK


def next_tick(due: Due | None, after: int) -> int | None:
    """The stamp of the first tick after that one."""
    return next((at for at, _ in due.ticks if at > after), None) if due else None


def tick(due: Due | None, after: int, now: int) -> Cue | None:
    """The tick that has come after that stamp and is still worth hearing."""
    if due is None:
        return None
    found = [cue for at, cue in due.ticks if max(after, now - LATE) < at <= now]
    return found[-1] if found else None
