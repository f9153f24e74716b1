"""What players can do."""

from dataclasses import dataclass
from typing import ClassVar

from companion.core.rules import Move
from companion.core.sentence import N_


@dataclass(frozen=True, slots=True)
class Put(Move):
    """A piece from the hand onto a place; in the advanced game with the pips that show."""

    doing: ClassVar[str] = N_("place a piece")

    place: str
    up: int = 0


@dataclass(frozen=True, slots=True)
class Shift(Move):
    """A top piece, of either colour, from one place to another; in the advanced game it is turned over."""

    doing: ClassVar[str] = N_("move a piece")

    source: str
    target: str
