"""What a model of a game is, and the few things that all of them share."""

from collections.abc import Container, Sequence
from random import Random
from typing import Any, Protocol

Data = dict[str, Any]
SECOND = 1_000_000_000


class Refused(Exception):
    """The sheet does not allow it, for this reason; nothing has changed."""


class Model(Protocol):
    """One match on paper. Times are nanoseconds of table time, moves are in the door's form."""

    nameless: Container[str]  # moves that need not say whose they are
    unordered: Container[str]  # what is told in no order, as a hand of cards

    def __init__(self, names: Sequence[str], house: Data) -> None: ...

    def rule(self, move: Data) -> None:
        """Do what the move says, or raise Refused."""

    def due(self) -> Data | None:
        """The move that the referee makes by itself, with its stamp, if nothing happens before."""

    def moments(self) -> list[int]:
        """Times around which it matters when something is done, that of `due` left out."""

    def told(self) -> Data:
        """Everything that can be compared, by the names of the door's `state` and `table`."""


class Oracle(Protocol):
    """A module with the model of a game and what draws matches of it."""

    @property
    def Model(self) -> type[Model]: ...  # noqa: N802

    def seats(self, chance: Random) -> tuple[list[str], Data]:
        """Who plays, and by which house rules: those that differ from the default."""

    def likely(self, model: Any, chance: Random) -> Data:
        """A move that is most probably legal."""

    def wild(self, model: Any, chance: Random) -> Data:
        """A move that is most probably not."""


NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal")
NOBODY = "Nobody"  # who does not play


def best(names: Sequence[str], scores: Sequence[int]) -> list[str]:
    """Whoever has most; equal scores share it."""
    return [name for name, score in zip(names, scores, strict=True) if score == max(scores)]
