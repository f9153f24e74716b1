"""The photo finish of a strike: who was there when, by the stamps, and what can be said of it."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum

MARGIN = 100_000  # nanoseconds: what is closer than this cannot be told apart, unless the buttons' file says otherwise


class How(Enum):
    """How somebody stands in a photo finish."""

    STAMPED = "stamped"  # the press has a stamp
    UNTIMED = "untimed"  # pressed for certain, but nobody knows when: an edge was lost
    HELD = "held"  # was down already when the token was armed; does not count


@dataclass(frozen=True, slots=True)
class Arrival:
    """A seat in a photo finish."""

    seat: str
    how: How
    at: int | None  # the stamp of the first contact; None if nobody knows
    after: int | None  # nanoseconds behind the winner
    bounces: tuple[int, ...] = ()  # further edges of the same press, counted from its first contact
    released: bool = False  # was let go before the window was over; it counts all the same


@dataclass(frozen=True, slots=True)
class Finish:
    """Every seat that pressed, in order."""

    order: tuple[Arrival, ...]
    margin: int  # nanoseconds: closer than this cannot be told apart
    tied: tuple[str, ...]  # seats that cannot be told apart at the front; empty if there is one winner

    @property
    def winner(self) -> str:
        """Who struck first; empty if that cannot be told."""
        if self.tied or not self.order or self.order[0].how is How.HELD:
            return ""
        return self.order[0].seat


def alone(seats: tuple[str, ...], at: int, margin: int) -> Finish:
    """The photo finish of one claim that came without one."""
    order = tuple(Arrival(seat, How.STAMPED, at, 0) for seat in seats)
    return Finish(order, margin, seats if len(seats) > 1 else ())


def joint(first: Finish, second: Finish) -> Finish:
    """Two photo finishes of one moment as one."""
    arrivals: dict[str, Arrival] = {}
    for arrival in (*first.order, *second.order):
        if arrival.how is not How.HELD:
            arrivals.setdefault(arrival.seat, arrival)
    timed = sorted((one for one in arrivals.values() if one.at is not None), key=lambda one: one.at or 0)
    untimed = [one for one in arrivals.values() if one.at is None]
    begun = timed[0].at or 0 if timed else 0
    order = (*(replace(one, after=(one.at or 0) - begun) for one in timed), *untimed)
    held = [one for one in (*first.order, *second.order) if one.seat not in arrivals]
    front = tuple(one.seat for one in order if one.after is None or one.after <= first.margin)
    return Finish((*order, *dict.fromkeys(held)), first.margin, front if len(front) > 1 else ())


def among(finish: Finish, seats: Collection[str]) -> Finish:
    """The photo finish as if only these had pressed."""
    order = tuple(arrival for arrival in finish.order if arrival.seat in seats or arrival.how is How.HELD)
    return joint(Finish(order, finish.margin, ()), Finish((), finish.margin, ()))
