"""What happens on a simulated table, written down beforehand: which arm does what when, and what else goes wrong.

A script is data. The same script gives the same frames, whoever asks for which moment; whoever writes it (bots that
play a match, a test, a mouse) need not know how it is drawn. Times are nanoseconds from the first frame.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from vision.mat import SMALL, Mat, Point

Seat = Literal["top", "right", "bottom", "left"]  # the side of the mat from which an arm reaches in
Deed = Literal["lay", "take", "hover", "square", "knock", "move", "lift", "put"]
LIFTED = 3  # of the time from there to the deed: this part is over when what is moved is lifted


@dataclass(frozen=True, slots=True)
class Lying:
    """How a card lies: off the middle of its place in millimetres, and turned."""

    card: str
    slip: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0  # degrees


@dataclass(frozen=True, slots=True)
class ScriptedArm:
    """One visit of an arm: it comes in, does one thing at a cell, and goes out again.

    `lay` puts `lying` on the cell at `deed`; `take` lifts the cell's top card at `deed` and carries it away, and on its
    way gathers those of the cells `also`, one after the other; `hover` holds `lying` over the cell and takes it along
    again; `square` pushes the cell's pile to `lying`'s slip and turn; `knock` shoves the cell's top card over to the
    cell `onto`, where it lies as `lying` says; `move` lifts it when the fingers have been `there` for a while, and lays
    it down there as `lying` says, which may be its other face; `lift` takes the cell's whole pile up and away, and
    `put` lays a pile down: `pile` from bottom to top, and `lying` on it.
    """

    seat: Seat
    enters: int  # the hand comes into the picture
    there: int  # the fingers are over the cell
    deed: int  # the thing is done: from here on the card lies, or is lifted
    leaves: int  # the fingers begin to go back
    gone: int  # nothing of the arm is in the picture
    cell: int
    what: Deed
    lying: Lying | None = None
    onto: int = 0
    kind: str = ""  # of trouble, for tables of results: "", covered twice, simultaneous, slipped, taken back, …
    pile: tuple[Lying, ...] = ()
    also: tuple[int, ...] = ()

    @property
    def lifts(self) -> int:
        """When what is moved is lifted."""
        return self.there + (self.deed - self.there) // LIFTED

    @property
    def gathers(self) -> tuple[tuple[int, int], ...]:
        """The cells from which it lifts a card, each with the moment."""
        step = (self.leaves - self.deed) // (len(self.also) + 1)
        return tuple((cell, self.deed + number * step) for number, cell in enumerate((self.cell, *self.also)))


@dataclass(frozen=True, slots=True)
class Mishap:
    """Something that befalls the table or the camera, from `at` until `until`.

    nudge: the camera is shifted by `x`, `y` pixels and turned by `turn` degrees, and stays so.
    moved: the mat is shifted by `x`, `y` millimetres and turned by `turn` degrees, with all that lies on it; stays so.
    light: brightness times `x`, for as long as it lasts, with ramps of 0.3 s; `y` makes it warmer (up to 1).
    glare: a bright reflection at `x`, `y` (millimetres on the mat) with a radius of `turn` millimetres.
    flicker: brightness of rows waves by the share `x`.
    cover: something opaque lies over the part of the mat from `x` to `y` (shares of its width); it is no arm.
    black, frozen, gone, upside down, backwards, repeats: the camera shows nothing, the same frame with new stamps,
    ends with an error, is turned by half, hands over frames in the wrong order, repeats one stamp.
    foreign: the card that lies on cell `x` looks like one of another deck.
    """

    what: str
    at: int
    until: int
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """Something that is said at the table and reaches the referee by a button or a key: a message of the protocol."""

    at: int
    message: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Script:
    """A whole stretch of play."""

    seed: int  # of the room, the light, the sleeves, the camera, the noise
    length: int  # nanoseconds
    grid: tuple[tuple[Lying, ...], ...]  # the piles at the beginning, each from bottom to top; may be empty
    arms: tuple[ScriptedArm, ...] = ()
    mishaps: tuple[Mishap, ...] = ()
    said: tuple[ScriptLine, ...] = ()
    mat: Mat | None = SMALL  # None: the cards lie on the bare table, placed as on the small mat
    size: tuple[int, int] = (1280, 720)
    rate: float = 30.0
    about: dict[str, Any] = field(default_factory=dict)  # what the writer wants kept with it: players, house rules, …
    places: tuple[Point, ...] = ()  # the middle of each pile's place on the mat; none: the mat's nine
    paper: str = ""  # the game whose printed cards lie there; empty: the deck that the reader comes with

    @property
    def cells(self) -> int:
        """How many piles there may be."""
        return len(self.places) or 9


@dataclass(frozen=True, slots=True)
class GameScripts:
    """HANDS of a game whose simulated table can be watched: scripts of bots that play it, and what they come to."""

    write: Callable[[int], Script]  # of a seed
    read: Callable[[Any], Script]  # from its JSON form; a MalformedError says what is wrong
    plain: Callable[[Script], dict[str, Any]]
    plays: Callable[[Script], tuple[Any, ...]]  # every card laid or taken
