"""The play mats: where the nine places and the four markers are, in millimetres from the top left corner.

The cells are numbered 1 to 9, row by row, as seen by the player who has marker 0 at the top left.
"""

from dataclasses import dataclass
from itertools import product

DICTIONARY = "DICT_4X4_50"  # of ArUco; few bits, so that a small marker is still read

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Marker:
    """A fiducial: its number, where its middle is, how long its black side is, and what a player calls its corner."""

    number: int
    centre: Point
    side: float
    corner: str

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Clockwise from the top left, as the detector lists them."""
        (x, y), half = self.centre, self.side / 2
        return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


@dataclass(frozen=True, slots=True)
class Mat:
    """A mat: which sheet it is, how large, for which cards, and what is where on it."""

    name: str
    size: Point
    card: Point  # the largest card that its places are made for
    place: Point
    pitch: Point  # from the middle of one place to the middle of the next
    marker_side: float
    marker_inset: float  # from the mat's edges to the black of a marker
    first_marker: int

    @property
    def places(self) -> tuple[Point, ...]:
        """The middles of the nine places."""
        (width, height), (across, down) = self.size, self.pitch
        return tuple(
            (width / 2 + column * across, height / 2 + row * down) for row, column in product((-1, 0, 1), repeat=2)
        )

    @property
    def markers(self) -> tuple[Marker, ...]:
        """Clockwise from the top left."""
        (width, height), inset = self.size, self.marker_inset + self.marker_side / 2
        corners = (
            ("top left", inset, inset),
            ("top right", width - inset, inset),
            ("bottom right", width - inset, height - inset),
            ("bottom left", inset, height - inset),
        )
        return tuple(
            Marker(self.first_marker + number, (x, y), self.marker_side, corner)
            for number, (corner, x, y) in enumerate(corners)
        )

    @property
    def sight(self) -> float:
        """The side of the square around a place's middle that the reader is shown: room for a card that has slipped."""
        return 1.1 * max(self.pitch)


SMALL = Mat(
    name="small",
    size=(190, 258),
    card=(54, 54),
    place=(57, 57),
    pitch=(60, 60),
    marker_side=26,
    marker_inset=5,
    first_marker=0,
)
LARGE = Mat(
    name="large",
    size=(258, 376),
    card=(63, 88),
    place=(67, 92),
    pitch=(84, 98),
    marker_side=30,
    marker_inset=5,
    first_marker=4,
)
MATS = (SMALL, LARGE)
