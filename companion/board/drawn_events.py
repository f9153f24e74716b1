"""What a phone sees of a claim: who pressed when, laid out for a picture that the page draws as SVG."""

from dataclasses import dataclass

from companion.board import phrases
from companion.core.clocks import SECOND
from companion.core.photo_finish import How
from companion.publishing.entry_payloads import ArrivedNow, FinishNow
from companion.words import Words

WIDE = 300  # units of the picture
LANE = 34  # from one name to the next
FIRST, LAST = 12, 288  # where the first and the last press lie
MOST_LANES = 12
LONGEST = 60.0  # seconds; whoever is later lies at the edge


@dataclass(frozen=True, slots=True)
class LaneShown:
    """Somebody's press: `x` is where, None where nobody knows when; `told` is how long after the first."""

    name: str
    colour: str
    y: int
    x: float | None
    told: str
    is_first: bool
    is_tied: bool


@dataclass(frozen=True, slots=True)
class FinishShown:
    """A photo finish. `tie` is how far the band reaches in which nothing can be told apart; `margin` says so."""

    lanes: tuple[LaneShown, ...]
    high: int
    tie: float
    margin: str


def finish_shown(finish: FinishNow | None, colours: dict[str, str], words: Words) -> FinishShown | None:
    """None where there was none."""
    if finish is None or not finish.order:
        return None
    order = finish.order[:MOST_LANES]
    last = min(LONGEST, max([2 * finish.margin, *(one.after for one in order if one.after is not None)]))

    def across(seconds: float) -> float:
        return round(FIRST + (LAST - FIRST) * min(1.0, max(0.0, seconds) / last if last > 0 else 0.0), 1)

    lanes = tuple(
        LaneShown(
            one.name,
            colours.get(one.name, ""),
            LANE * at + LANE // 2,
            None if one.after is None else across(one.after),
            _told(one, finish, words),
            at == 0 and not finish.tied and one.after is not None,
            one.name in finish.tied,
        )
        for at, one in enumerate(order)
    )
    margin = words.say(phrases.CLOSER_THAN, margin=words.gap(_nanoseconds(finish.margin)))
    return FinishShown(lanes, LANE * len(lanes), across(finish.margin), margin)


def _told(one: ArrivedNow, finish: FinishNow, words: Words) -> str:
    if one.how == How.HELD.value:
        return words.say(phrases.HELD)
    if one.after is None:
        return words.say(phrases.NO_TIME)
    if one.after > 0:
        return f"+ {words.gap(_nanoseconds(one.after))}"
    return words.say(phrases.TIE if one.name in finish.tied else phrases.FIRST)


def _nanoseconds(seconds: float) -> int:
    return round(min(LONGEST, max(0.0, seconds)) * SECOND)
