"""The size of a window, as people write it."""

import argparse

BIGGEST = 8000  # pixels along a side
SMALLEST = (480, 320)
WHOLE = "whole"  # as a size: the whole screen


def read_size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if width.isdecimal() and height.isdecimal() and len(text) < 12:
        size = int(width), int(height)
        if SMALLEST[0] <= size[0] <= BIGGEST and SMALLEST[1] <= size[1] <= BIGGEST:
            return size
    raise argparse.ArgumentTypeError(
        f"{text[:40]!r} is not a size such as 1280x720, at least {SMALLEST[0]}x{SMALLEST[1]}"
    )
