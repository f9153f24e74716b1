"""The table from above as a camera saw it, put together of what each place of its mat showed, and marks on it."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from vision.board import GROUND, frame
from vision.drawing import Ink
from vision.frames import Picture
from vision.lettering import PAPER, RULE, blank
from vision.mat import Mat, Point

Region = tuple[float, float, float, float]  # left, top, right, bottom in millimetres of the mat
SIGHT = 1.1  # the reader is shown so much more of a place than there is from one to the next
ROOM = 0.12  # of a place, around those that are drawn large
THIN = 180  # a frame is so manieth of a side


def plan(
    mat: Mat, squares: Mapping[int, Picture], spots: Sequence[int], ink: Ink, side: int, *, is_broken: bool
) -> Picture:
    """All of the mat, square, with a frame around some places."""
    width, height = mat.size
    long = max(width, height)
    left, top = (width - long) / 2, (height - long) / 2
    found = _laid(mat, squares, (left, top, left + long, top + long), side)
    scale = side / long
    corners = [(0.0, 0.0), (width, height)]
    (x, y), (right, bottom) = [(round((x - left) * scale), round((y - top) * scale)) for x, y in corners]
    cv2.rectangle(found, (x, y), (right - 1, bottom - 1), RULE[::-1], 1)
    if spots:
        box = tuple(
            round((one - start) * scale) for one, start in zip(around(mat, spots), (left, top) * 2, strict=True)
        )
        frame(found, (box[0], box[1], box[2], box[3]), ink, max(3, side // THIN), is_broken=is_broken)
    return found


def part(mat: Mat, squares: Mapping[int, Picture], spots: Sequence[int], side: int) -> Picture | None:
    """Some places alone, large; nothing where none of them was seen."""
    if not any(spot in squares for spot in spots):
        return None
    left, top, right, bottom = around(mat, spots)
    half = max(right - left, bottom - top) / 2
    x, y = (left + right) / 2, (top + bottom) / 2
    return _laid(mat, squares, (x - half, y - half, x + half, y + half), side)


def around(mat: Mat, spots: Sequence[int]) -> Region:
    """What these places lie in."""
    middles = [mat.places[spot - 1] for spot in spots]
    across, down = ((0.5 + ROOM) * one for one in mat.pitch)
    along, below = [x for x, _ in middles], [y for _, y in middles]
    return min(along) - across, min(below) - down, max(along) + across, max(below) + down


def _laid(mat: Mat, squares: Mapping[int, Picture], region: Region, side: int) -> Picture:
    """What is in a square part of the mat; what is outside of the mat is ground."""
    scale = side / (region[2] - region[0])
    canvas = blank(side, side, GROUND)
    (x, y), (across, down) = _pixel((0.0, 0.0), region, scale), _pixel(mat.size, region, scale)
    canvas[max(0, y) : max(0, down), max(0, x) : max(0, across)] = np.array(PAPER[::-1], np.uint8)
    for spot, square in squares.items():
        wide = max(2, round(mat.sight / SIGHT * scale))
        whole = cv2.resize(square, (round(wide * SIGHT), round(wide * SIGHT)), interpolation=cv2.INTER_AREA)
        trim = (whole.shape[0] - wide) // 2
        _put(canvas, whole[trim : trim + wide, trim : trim + wide], _pixel(mat.places[spot - 1], region, scale))
    return canvas


def _pixel(point: Point, region: Region, scale: float) -> tuple[int, int]:
    return round((point[0] - region[0]) * scale), round((point[1] - region[1]) * scale)


def _put(canvas: Picture, tile: Picture, middle: tuple[int, int]) -> None:
    """As far as it is inside."""
    high, wide = tile.shape[:2]
    left, top = middle[0] - wide // 2, middle[1] - high // 2
    from_x, from_y = max(0, -left), max(0, -top)
    to_x, to_y = min(wide, canvas.shape[1] - left), min(high, canvas.shape[0] - top)
    if from_x < to_x and from_y < to_y:
        canvas[top + from_y : top + to_y, left + from_x : left + to_x] = tile[from_y:to_y, from_x:to_x]
