"""What a game brings so that a camera can watch it: who makes moves of what is seen, and what can be disputed.

`watch.py` of a game's package has WATCH.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from companion.core.match import Match
from companion.core.replies import Reply
from companion.core.requests import Correct
from companion.core.rules import Move
from companion.watch.evidence import Act, Evidence, Know
from companion.watch.messages import DisputedPlay, Really

if TYPE_CHECKING:
    from companion.watch.album import Album, ShownDispute
    from vision.locate import TableView
    from vision.ring import Ring
    from vision.sightings import CellNow, Look, Prior, Sighting


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where, for guesses, and with how many cards each begins, where that is a handicap."""

    seats: Mapping[str, str]  # by side of the mat
    deals: tuple[int, ...] = ()


class GameWitness(Protocol):
    """Makes moves of what was seen, frame by frame. It has no clock and no pixels."""

    @property
    def is_pondering(self) -> bool:
        """Whether something has been seen on which nothing has been said yet."""
        ...

    def watched_until(self, stamp: int) -> int:
        """No clock may run out later than that yet: what was done until this stamp may still come to light."""
        ...

    def take(
        self, sightings: "Iterable[Sighting]", cells: "Sequence[CellNow]", stamp: int, match: Match
    ) -> list[Act]: ...

    def prior(self) -> "Prior | None":
        """What the game holds possible, for the reader."""
        ...

    def told(self, act: Act, replies: Sequence[Reply]) -> list[Act]:
        """What the referee answered to an act."""
        ...

    def touched(self, cell: int) -> tuple[int, ...]:
        """Somebody touches a place that is wrong: these are to be looked at again."""
        ...

    def said_card(self, cell: int, card: str, stamp: int, match: Match) -> list[Act]:
        """Somebody says which card a refused or an open play really is."""
        ...

    def said_move(self, move: Move, stamp: int, match: Match) -> list[Act] | None:
        """Somebody makes a move that the witness makes with what was seen; None: it goes to the referee as it is."""
        ...

    def awaits(self, move: Move) -> bool:
        """Whether a move is answered when what is under arms has been seen."""
        ...

    def not_before(self, stamp: int) -> None:
        """Something was ruled on at this stamp: what is said from now on comes after it."""
        ...


class Disputes(Protocol):
    """The last plays, newest first. A play is the game's own."""

    def keep(self, act: Act, match: Match) -> None:
        """An act was done."""
        ...

    def plays(self, match: Match) -> Sequence[Any]: ...

    def play_of(self, cell: int, card: str, match: Match) -> Any: ...

    def reads(self, play: Any, card: str) -> None:
        """Its card turns out to be another one."""
        ...

    def put_right(self, message: Really, play: Any, match: Match) -> Correct | Know:
        """What a message of that kind comes to, or an error that says why it cannot be."""
        ...

    def told(self, play: Any, pictures: Sequence[str]) -> DisputedPlay: ...


class DisputeGallery(Protocol):
    """Draws disputes, while the table goes on being watched."""

    @property
    def is_drawing(self) -> bool: ...

    def keep(self, evidence: Evidence | None, looks: "Sequence[Look | None]") -> None:
        """How the places looked when something was ruled on; without evidence nobody disputes that."""
        ...

    def shown(self, plays: Sequence[Any], table: "TableView | None", name: str) -> "ShownDispute": ...

    def begin_anew(self) -> None:
        """Another Stop!"""
        ...

    def close(self) -> None: ...


def drawn_on_plan(album: "Album", ring: "Ring") -> DisputeGallery:
    """The table from above, with the place of each play in a frame."""
    from companion.watch.dispute_gallery import Gallery, verdict_on_plan  # noqa: PLC0415  (loads NumPy and OpenCV)

    return Gallery(album, ring, verdict_on_plan)


@dataclass(frozen=True, slots=True)
class GameWatch:
    witness: Callable[[Seating], GameWitness]
    disputes: Callable[[], Disputes]
    gallery: Callable[["Album", "Ring"], DisputeGallery] = drawn_on_plan
