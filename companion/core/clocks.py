"""Clocks as values: what was used up, and since when one is running. Nothing ticks."""

from dataclasses import dataclass, replace
from typing import Self

MILLISECOND = 1_000_000
SECOND = 1_000 * MILLISECOND
MINUTE = 60 * SECOND


@dataclass(frozen=True, slots=True)
class Clock:
    """Time used so far and, while the clock runs, the stamp it was started at. All in nanoseconds."""

    limit: int | None = None  # None: counts up without an end
    used: int = 0
    since: int | None = None  # None: stands still

    @property
    def is_running(self) -> bool:
        return self.since is not None

    @property
    def runs_out_at(self) -> int | None:
        """The stamp at which the limit is reached if nobody stops the clock before."""
        if self.limit is None or self.since is None:
            return None
        return self.since + self.limit - self.used

    def used_at(self, at: int) -> int:
        return self.used if self.since is None else self.used + at - self.since

    def left_at(self, at: int) -> int | None:
        return None if self.limit is None else max(0, self.limit - self.used_at(at))

    def start(self, at: int) -> Self:
        return replace(self, since=at) if self.since is None else self

    def stop(self, at: int) -> Self:
        return replace(self, used=self.used_at(at), since=None)


def shown(nanoseconds: int) -> str:
    """A time for people: 12.3 s, 4:05.0, 1:00:00.0."""
    tenths = nanoseconds // (100 * MILLISECOND)
    minutes, tenths = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{tenths // 10:02}.{tenths % 10}"
    if minutes:
        return f"{minutes}:{tenths // 10:02}.{tenths % 10}"
    return f"{tenths // 10}.{tenths % 10} s"


def short(nanoseconds: int) -> str:
    """A gap for people: 85 µs, 2.104 ms, 1.250 s."""
    if round(nanoseconds, -3) < MILLISECOND:
        return f"{nanoseconds / 1000:.0f} µs"
    if round(nanoseconds, -3) < SECOND:
        return f"{nanoseconds / MILLISECOND:.3f} ms"
    return f"{nanoseconds / SECOND:.3f} s"
