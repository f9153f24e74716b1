"""How a window is shared between the display and the table beside it."""

from typing import NamedTuple

from companion.display.layout import Box, Size

UPRIGHT = 9 / 16  # width by height of the display when it stands beside the table, ...
LYING = 5 / 3  # ... and when it lies above it
WIDEST = 0.45  # of the window that the display may take beside the table
HIGHEST = 0.55


class Halves(NamedTuple):
    display: Box
    table: Box


def halves(size: Size) -> Halves:
    """The display stands right of the table in a wide window, and lies above it in a high one."""
    width, height = max(2, size[0]), max(2, size[1])
    if width > height:
        display = min(round(height * UPRIGHT), round(width * WIDEST))
        return Halves(Box(width - display, 0, display, height), Box(0, 0, width - display, height))
    display = min(round(width / LYING), round(height * HIGHEST))
    return Halves(Box(0, 0, width, display), Box(0, display, width, height - display))
