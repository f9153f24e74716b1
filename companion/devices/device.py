"""A device of the table as it is supervised: how it is, why, and what people can do. Nothing of it stops a match."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from companion.core.clocks import SECOND
from companion.doctor.health import AILING, LOOKING, MISSING, WORKS, Finding

State = Literal["absent", "starting", "working", "ailing", "gone"]
PAUSES = tuple(seconds * SECOND for seconds in (1, 2, 5, 10, 30, 60))  # before another try; the last again and again
_FINDINGS = {"absent": MISSING, "starting": LOOKING, "working": WORKS, "ailing": AILING, "gone": MISSING}


@dataclass(frozen=True, slots=True)
class Part:
    """Absent: there is none, and nobody misses it. Starting: it is being opened. Ailing: it works, but not as it
    should. Gone: it should be there, and is tried again."""

    device: str
    state: State
    reason: str = ""  # an English sentence
    remedy: str = ""
    detail: str = ""  # what its driver says

    @property
    def is_missed(self) -> bool:
        """People should know."""
        return self.state in ("ailing", "gone")

    @property
    def finding(self) -> Finding:
        return Finding(self.device, _FINDINGS[self.state], self.reason, self.remedy, self.detail)


class Patience:
    """When something that failed is tried again: later after each failure, soon after it has worked."""

    def __init__(self, pauses: tuple[int, ...] = PAUSES) -> None:
        self._pauses = pauses
        self._left: Iterator[int] = iter(pauses)
        self.at = 0  # the stamp of the next try

    def failed(self, now: int) -> None:
        self.at = now + next(self._left, self._pauses[-1])

    def worked(self) -> None:
        self._left = iter(self._pauses)
        self.at = 0
