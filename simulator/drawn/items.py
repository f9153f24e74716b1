"""What a drawn table shows besides what screens show, and what a touch on it means."""

from dataclasses import dataclass, field
from typing import Any

from companion.display.scene import Intent, Item
from companion.display.theme import Ink
from hardware.panel import Key

# --- what a touch means ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Thing(Intent):
    """Something that can be picked up, or onto which something can be put; `of` tells which."""

    kind: str
    of: Any = None


@dataclass(frozen=True, slots=True)
class PressKey(Intent):
    """A hand on an arcade button, for as long as the mouse is down."""

    button: Key


@dataclass(frozen=True, slots=True)
class Swap(Intent):
    """A person sits there instead of a bot, or a bot instead of a person."""

    player: str


@dataclass(frozen=True, slots=True)
class HandOf(Intent):
    """This person's cards are shown, and are the ones to play with."""

    player: str


@dataclass(frozen=True, slots=True)
class Overlay(Intent):
    """Draw into the camera's picture what is read, or leave it as it is."""


@dataclass(frozen=True, slots=True)
class LeaveRound(Intent):
    """Enough of the guided round."""


# --- what is seen ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cloth(Item):
    """A surface in a colour of its own, whatever the theme: felt, wood, the back of a card."""

    ink: Ink
    edge: Ink | None = None
    width: int = 2
    radius: int = 12


@dataclass(frozen=True, slots=True)
class Spot(Item):
    """Somewhere to touch that shows nothing, or an edge."""

    edge: Ink | None = None
    width: int = 3


@dataclass(frozen=True, slots=True)
class Lamp(Item):
    """An arcade button with its lamp: from dark (0) to as bright as it gets (4)."""

    colour: str
    shine: int
    is_down: bool = False


@dataclass(frozen=True, slots=True)
class Banner:
    """What is said at the table during a guided round, and what lights up for it."""

    told: str  # what the referee has said, or why something is not wanted now
    is_refused: bool
    asks: str
    number: int
    count: int
    lit: tuple[Intent, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawnOutline:
    """A cell in the camera's picture, and what is read there. Corners are shares of width and height."""

    corners: tuple[tuple[float, float], ...]
    now: str  # unknown, clear, covered, changed, unreadable
    card: str


@dataclass(frozen=True, slots=True)
class Live(Item):
    """A picture of the camera; another number is another picture."""

    number: int
    picture: Any = field(compare=False, default=None)  # rows of blue, green and red
    outlines: tuple[DrawnOutline, ...] = ()
