"""What the watcher tells of a table: which card was seen where, what hides it, and when the thread is lost.

A sighting says what was seen and when, never what it means: whether a play was legal, or whose it was, is not known
here. A game may tell the watcher which cards can be where (`Prior`); everything else is read from the frames.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vision.deck import State
from vision.frames import Picture
from vision.locate import TableView

CELLS = 9  # but on a lattice
Prior = NDArray[np.float64]  # cells × cards: how likely each card of the deck is on each cell, whatever the sum
Side = Literal["", "top", "right", "bottom", "left"]  # of the mat, as its cell 1 is at the top left; "" is not known
Now = Literal["unknown", "clear", "covered", "changed", "unreadable"]  # what the watcher has of a cell at this moment


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One clear look at a cell."""

    stamp: int  # of the frame
    number: int
    card: str | None  # None: something else than a card of the deck
    state: State
    confidence: float
    square: Picture  # the cell as the camera saw it, cut out
    shows_card: bool = True  # the square is of this card; not of one that somebody else made out later


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """Something that became known with a frame."""

    stamp: int
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class GridSeen(Sighting):
    """All cells are clear and each shows a card, for the first time since the watcher began or began anew.

    On a lattice some of them are bare, and on a mat whose places may be bare all of them can be."""

    looks: tuple[Look, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CardSeen(Sighting):
    """A cell shows another card than at the last look: it is clear again, or the card was seen to lie there under arms.

    It was laid after `before.stamp`, at the earliest at `since`, when something first moved there, at the latest at
    `by`, when nothing moved there any more; it was seen to lie there at `after.stamp`. `arms` are the sides of the
    table from which arms worked on this cell in between, by the tips of the hands. `again` is how likely it is that
    hands came to the cell more than once between `since` and `by`, whoever's they were: then something may have been
    laid, or lifted, unseen; one hand does one thing. `between` are cards that may have been laid there and covered
    by this one, by what little was seen of them, each with how likely it is; `carried` is how likely it is that a card
    was only held over the cell and carried away. With no arm at all and nothing disturbed
    (`since` is `after.stamp`) the earlier look was wrong, or something blew the card away.
    """

    cell: int  # 1 to 9
    before: Look
    after: Look
    since: int
    arms: tuple[Side, ...]
    by: int = 0  # 0: as late as `after.stamp`
    again: float = 0.0
    between: tuple[tuple[str, float], ...] = ()
    carried: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class SameSeen(Sighting):
    """A cell that hands have been at shows the same face as before; told on mats where cards are laid on their like.

    `anew` is how likely it is that another card of that face was laid, by what the two looks show: it lies otherwise
    than the one before. Whether a hand would lay one there as often as not is taken for granted, and all that is not
    seen, whose turn it is above all, is not weighed.
    """

    cell: int
    before: Look
    after: Look
    since: int
    arms: tuple[Side, ...]
    by: int
    anew: float


@dataclass(frozen=True, slots=True, eq=False)
class NoCard(Sighting):
    """A cell is clear and shows none of the deck's cards: empty, face down, foreign."""

    cell: int
    before: Look
    after: Look
    since: int


@dataclass(frozen=True, slots=True, eq=False)
class HandsSeen(Sighting):
    """Hands have been at a pile that lies face down, from `since` until `by`; it has a number behind the cells'.

    Where no arm is known, something passed over it, or the light changed. `otherwise` is how much of the pile looks
    different from before: its next card lies a little otherwise than the one that was taken. Less than 0: not known.
    """

    pile: int
    since: int
    by: int
    arms: tuple[Side, ...]
    otherwise: float = -1.0


@dataclass(frozen=True, slots=True, eq=False)
class CannotRead(Sighting):
    """A cell lies still, is not covered, and cannot be read for a second; told once.

    Who knows more than the picture may make it out: `faces` are the cards that it may be, by the picture alone, and
    `change` says what was seen if it is the likeliest of them.
    """

    cell: int
    reason: str  # one sentence without the cell's number
    likely: tuple[tuple[str, float], ...]
    faces: tuple[tuple[str, float], ...] = ()
    change: CardSeen | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TableSeen(Sighting):
    """The table was found, or found elsewhere than before (`moved`)."""

    table: TableView
    moved: bool


@dataclass(frozen=True, slots=True, eq=False)
class TableLost(Sighting):
    """The table cannot be found where it was, nor elsewhere."""

    why: str  # one sentence with what to do


@dataclass(frozen=True, slots=True, eq=False)
class Trouble(Sighting):
    """Something is wrong with the frames themselves: `code` is dark, frozen, backwards, size, covered."""

    code: str
    sentence: str


@dataclass(frozen=True, slots=True, eq=False)
class TroubleOver(Sighting):
    code: str


@dataclass(frozen=True, slots=True)
class CellNow:
    """What the watcher has of one cell at this moment."""

    now: Now
    since: int  # stamp at which that began
    seen: int = 0  # when what was last told of it was last seen to lie there, under arms or not
