"""What changes a match: the same entries folded again are the same match."""

from dataclasses import dataclass

from companion.core.rules import Move
from companion.core.sentence import N_

STOP = N_("Stop!")  # why a match is paused whose last plays people want to see, where the rules have no such call


@dataclass(frozen=True, slots=True)
class Made:
    move: Move


@dataclass(frozen=True, slots=True)
class Undone:
    """The newest act is taken back at this table time: a move, the referee's own too, or a correction as a whole."""

    correction: bool = False
    at: int = 0  # 0 in matches from before this was kept


@dataclass(frozen=True, slots=True)
class Redone:
    pass


@dataclass(frozen=True, slots=True)
class Paused:
    at: int
    why: str = ""

    @property
    def is_stop(self) -> bool:
        return self.why == STOP


@dataclass(frozen=True, slots=True)
class Resumed:
    pass


@dataclass(frozen=True, slots=True)
class Corrected:
    """Move `number`, counted from 1, was really another; or, without a move, was none at all."""

    number: int
    move: Move | None
    at: int = 0  # 0 in matches from before this was kept
    whole: bool = False  # nothing is thrown away and rounds stand as played; not so in matches from before
    counts: bool | None = None  # what was played after an end that came earlier counts; None: there was no such end


@dataclass(frozen=True, slots=True)
class Abandoned:
    at: int
    why: str = ""


Entry = Made | Undone | Redone | Paused | Resumed | Corrected | Abandoned
