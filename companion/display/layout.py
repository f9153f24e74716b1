"""Where things go: boxes in whole pixels, shared out in rows, columns and grids. Nothing here is drawn."""

import math
from collections.abc import Sequence
from typing import NamedTuple

Size = tuple[int, int]
Part = int | float  # whole: so many pixels; with a point: a share of what is left


class Box(NamedTuple):
    """A rectangle: where its left top corner is, how wide and how high it is."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        return self.x + self.w

    @property
    def bottom(self) -> int:
        return self.y + self.h

    @property
    def centre(self) -> tuple[int, int]:
        return self.x + self.w // 2, self.y + self.h // 2

    @property
    def size(self) -> Size:
        return self.w, self.h

    def inset(self, across: int, down: int | None = None) -> "Box":
        down = across if down is None else down
        return Box(self.x + across, self.y + down, max(0, self.w - 2 * across), max(0, self.h - 2 * down))

    def has(self, x: int, y: int) -> bool:
        return self.x <= x < self.right and self.y <= y < self.bottom

    def holds(self, other: "Box") -> bool:
        return self.x <= other.x and self.y <= other.y and other.right <= self.right and other.bottom <= self.bottom

    def meets(self, other: "Box") -> bool:
        """They have a pixel in common."""
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom

    def with_(self, other: "Box") -> "Box":
        """The smallest box around both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Box(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)

    def middle(self, w: int, h: int) -> "Box":
        """A box of that size in the middle of this one, or as large as there is room."""
        w, h = min(w, self.w), min(h, self.h)
        return Box(self.x + (self.w - w) // 2, self.y + (self.h - h) // 2, w, h)

    def shaped(self, across: float, down: float) -> "Box":
        """The largest box of these proportions in the middle of this one."""
        scale = min(self.w / across, self.h / down)
        return self.middle(int(across * scale), int(down * scale))

    def turned(self, w: int, h: int) -> "Box":
        """Where this box lies on a screen of w by h when everything on that is turned upside down."""
        return Box(w - self.right, h - self.bottom, self.w, self.h)


def rows(box: Box, *parts: Part, gap: int = 0) -> list[Box]:
    """The box cut into rows, from the top."""
    return [Box(box.x, box.y + at, box.w, length) for at, length in _shared(box.h, parts, gap)]


def columns(box: Box, *parts: Part, gap: int = 0) -> list[Box]:
    """The box cut into columns, from the left."""
    return [Box(box.x + at, box.y, length, box.h) for at, length in _shared(box.w, parts, gap)]


def grid(box: Box, count: int, across: int, gap: int = 0, *, down: int = 0) -> list[Box]:
    """So many boxes of one size, row by row; `down` rows at least."""
    lines = max(down, math.ceil(count / across), 1)
    cells = [cell for row in rows(box, *(1.0,) * lines, gap=gap) for cell in columns(row, *(1.0,) * across, gap=gap)]
    return cells[:count]


def packed(box: Box, count: int, across: int, high: int, gap: int = 0) -> list[Box]:
    """So many boxes of one size, no higher than that, close together in the middle."""
    lines = max(1, math.ceil(count / across))
    return grid(box.middle(box.w, lines * high + (lines - 1) * gap), count, across, gap)


def best_grid(box: Box, count: int, shape: float, gap: int = 0) -> list[Box]:
    """So many boxes, in as many columns as bring them nearest to this width by height."""

    def off(across: int) -> float:
        down = math.ceil(count / across)
        w, h = (box.w - gap * (across - 1)) / across, (box.h - gap * (down - 1)) / down
        waste = 1 + (across * down - count) / count / 2
        return abs(math.log(max(w, 1) / max(h, 1) / shape)) * waste if w > 0 and h > 0 else math.inf

    return grid(box, count, min(range(1, max(count, 1) + 1), key=off), gap)


def _shared(length: int, parts: Sequence[Part], gap: int) -> list[tuple[int, int]]:
    """Where each part begins and how long it is. Where pixels alone are too many, all shrink alike."""
    fixed = sum(part for part in parts if isinstance(part, int))
    shares = sum(part for part in parts if isinstance(part, float))
    room = max(0, length - gap * (len(parts) - 1))
    shrunk = min(1.0, room / fixed) if fixed else 1.0
    left = max(0, room - fixed)
    found, end = [], 0.0
    for number, part in enumerate(parts):
        begin = end
        end += part * shrunk if isinstance(part, int) else left * part / shares
        found.append((round(begin) + number * gap, round(end) - round(begin)))
    return found


class Measure(NamedTuple):
    """Lengths that follow from a screen's size: a hundredth of its shorter side is the unit of all of them."""

    unit: float
    wide: bool

    @property
    def touch(self) -> int:
        """The least side of whatever can be touched: 9 mm on the panels this is made for."""
        return math.ceil(10.3 * self.unit)

    @property
    def gap(self) -> int:
        return max(2, round(1.6 * self.unit))

    @property
    def edge(self) -> int:
        """The margin of the screen and the padding of panels."""
        return max(2, round(2.0 * self.unit))

    @property
    def small(self) -> int:
        return round(4.3 * self.unit)

    @property
    def body(self) -> int:
        return round(5.2 * self.unit)

    @property
    def large(self) -> int:
        return round(7.5 * self.unit)

    @property
    def huge(self) -> int:
        return round(12 * self.unit)

    @property
    def least(self) -> int:
        """No letter is made smaller than this, however long the text."""
        return round(3.1 * self.unit)

    def of(self, units: float) -> int:
        return round(units * self.unit)


def measure(size: Size) -> Measure:
    width, height = size
    return Measure(max(1.0, min(width, height) / 100), width >= height)
