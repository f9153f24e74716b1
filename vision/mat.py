"""The play mats: where the places and the four markers are, in millimetres from the top left corner.

The cells are numbered from 1, row by row, as seen by the player who has the mat's first marker at the top left. Which
markers are whose stands here alone: each mat has four of its own, so that a camera knows which one lies there.
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
class ColourPatch:
    """A printed disc of a known colour: what it is called, where its middle is, and what it is printed with.

    Round, so that no search for markers takes it for one; `paper` is the bare paper inside a thin ring.
    """

    name: str
    centre: Point
    radius: float
    ink: tuple[int, int, int]  # red, green, blue


PAPER_PATCH = "paper"
# From left to right above the places, and from right to left below them: each colour is twice on a mat, and the mean
# of the two says little of light that falls off from one side.
PATCH_INKS: tuple[tuple[str, tuple[int, int, int]], ...] = (
    (PAPER_PATCH, (255, 255, 255)),
    ("light grey", (190, 190, 190)),
    ("grey", (120, 120, 120)),
    ("black", (0, 0, 0)),
    ("red", (212, 32, 44)),
    ("yellow", (252, 198, 14)),
    ("green", (30, 150, 70)),
    ("cyan", (0, 160, 214)),
    ("blue", (28, 74, 190)),
    ("magenta", (206, 20, 124)),
)
PATCH_RADIUS, PATCH_STEP = 3.6, 11.0
PATCHES_UP = 5.5  # how far above the middle line of a strip between two markers the patches are


@dataclass(frozen=True, slots=True)
class Mat:
    """A mat: which sheet it is, for which cards, what is where on it, and what a camera is to expect there."""

    name: str
    size: Point
    card: Point  # the largest card that its places are made for
    place: Point
    pitch: Point  # from the middle of one place to the middle of the next
    marker_side: float
    marker_inset: float  # from the mat's edges to the black of a marker
    first_marker: int
    shape: tuple[int, int] = (3, 3)  # places across and down
    aside: float = 0.0  # how far right of the mat's middle that of the places is
    piles: tuple[Point, ...] = ()  # middles of places beside the others at which only hands are seen ...
    pile_words: tuple[str, ...] = ("Draw pile",)  # ... and what is printed there
    given: tuple[Point, ...] = ()  # the middles of places that stand in no rows
    names: tuple[str, ...] = ()  # what is printed on each place; none: its number
    token: Point | None = None  # where a button or a token stands that hands strike
    spans: int = 1  # places across and down that a card lies on: each of them shows a part of it
    may_be_bare: bool = False  # a place without a card is nothing to wait for
    laid_alike: bool = False  # cards are laid on others of the same face: it is told how likely that was
    reads_under_arms: bool = True  # a card is made out while arms hide a part of it, and what came between two hands

    @property
    def places(self) -> tuple[Point, ...]:
        """The middles of the places, row by row where they stand in rows."""
        if self.given:
            return self.given
        (width, height), (across, down), (columns, rows) = self.size, self.pitch, self.shape
        left, top = width / 2 + self.aside, height / 2
        return tuple(
            (left + (column - (columns - 1) / 2) * across, top + (row - (rows - 1) / 2) * down)
            for row, column in product(range(rows), range(columns))
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
    def strips(self) -> tuple[float, float]:
        """How far down the middle lines of the two strips between markers are."""
        inset = self.marker_inset + self.marker_side / 2
        return inset, self.size[1] - inset

    @property
    def patches(self) -> tuple[ColourPatch, ...]:
        """The printed colours in the two strips, out of what the reader is shown of the places."""
        first = self.size[0] / 2 - PATCH_STEP * (len(PATCH_INKS) - 1) / 2
        found = []
        for y, inks in zip(self.strips, (PATCH_INKS, PATCH_INKS[::-1]), strict=True):
            for number, (name, ink) in enumerate(inks):
                found.append(ColourPatch(name, (first + number * PATCH_STEP, y - PATCHES_UP), PATCH_RADIUS, ink))
        return tuple(found)

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
LATTICE = Mat(
    name="lattice",
    size=(262, 388),
    card=(54, 54),
    place=(28.5, 28.5),
    pitch=(28.5, 28.5),
    marker_side=30,
    marker_inset=5,
    first_marker=8,
    shape=(7, 10),
    aside=-28.25,
    piles=((232.5, 134.0),),
    spans=2,
    may_be_bare=True,
    reads_under_arms=False,
)
BANKS = Mat(
    name="banks",
    size=(262, 388),
    card=(54, 54),
    place=(57, 57),
    pitch=(60, 60),
    marker_side=30,
    marker_inset=5,
    first_marker=12,
    # A pile at each side, clockwise from the top, then a bank to the left of each as its player sees it.
    given=(
        *((95.0, 70.0), (226.0, 158.0), (167.0, 318.0), (36.0, 230.0)),
        *((167.0, 70.0), (226.0, 230.0), (95.0, 318.0), (36.0, 158.0)),
    ),
    names=("Pile",) * 4 + ("Bank",) * 4,
    token=(131, 194),
    piles=((131.0, 130.0),),
    may_be_bare=True,
    laid_alike=True,
    reads_under_arms=False,
)
COLUMNS = Mat(
    name="columns",
    size=(254, 258),
    card=(54, 54),
    place=(57, 57),
    pitch=(60, 60),
    marker_side=26,
    marker_inset=5,
    first_marker=16,
    aside=-32.0,
    piles=((221.0, 184.0), (221.0, 74.0)),
    pile_words=("Draw pile", "Discards"),
    may_be_bare=True,
    reads_under_arms=False,
)
STACKS = Mat(
    name="stacks",
    size=(258, 150),
    card=(54, 54),
    place=(57, 57),
    pitch=(60, 60),
    marker_side=26,
    marker_inset=5,
    first_marker=20,
    shape=(3, 1),
    given=((57.0, 75.0), (129.0, 75.0), (201.0, 75.0)),
    may_be_bare=True,
    reads_under_arms=False,
)
NINE = (SMALL, LARGE)  # the mats with nine places for a card each
MATS = (*NINE, LATTICE, BANKS, COLUMNS, STACKS)
