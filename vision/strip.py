"""A moment as a strip of pictures, each with its time from the ruling; the picture of the ruling is framed."""

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.board import frame
from vision.cells import side_of
from vision.drawing import WHITE, Ink
from vision.eye_errors import PictureError
from vision.frames import Picture, Points
from vision.lettering import CAPITAL, PAPER, TEXT, blank, bold, fitted, paste, write
from vision.locate import TableView
from vision.ring import SECOND, Moment
from vision.verdict import must_be_size

AROUND = 2.4  # cells' sides are shown around a cell, so that an arm is seen from where it comes
ROOM = 0.06  # of the table's width is shown around it
TALL = (0.6, 1.7)  # pictures of a strip are between so wide and so wide, for a height of 1
LABEL = 34  # pixels for the time below a picture, of a strip that is 720 wide or high


def strip(
    moments: Sequence[Moment],
    table: TableView | None,
    at: int,
    *,
    cells: Sequence[int] = (),
    size: tuple[int, int] = (1280, 240),
    ink: Ink = TEXT,
) -> Picture:
    """The moments around the stamp `at`: around some cells, or all of the table, or without a table the whole picture.

    The table is where it was in the camera's picture, however small the moments' pictures are.
    """
    _must_be_possible(moments, table, cells, size)
    tile, columns = _tiles(len(moments), size, _shape(moments[0], table, cells))
    gap, label = _gap(size), _label(size)
    canvas = blank(size[1], size[0], PAPER)
    ruled = min(range(len(moments)), key=lambda one: abs(moments[one].stamp - at))
    across = columns * (tile[0] + gap) - gap
    rows = math.ceil(len(moments) / columns)
    top = (size[1] - rows * (tile[1] + label)) // 2
    for number, moment in enumerate(moments):
        left = (size[0] - across) // 2 + number % columns * (tile[0] + gap)
        down = top + number // columns * (tile[1] + label)
        paste(canvas, _cropped(moment, table, cells, tile), left, down)
        below = left, down + tile[1], tile[0], label
        if number == ruled:
            canvas[down + tile[1] : down + tile[1] + label, left : left + tile[0]] = np.array(ink[::-1], np.uint8)
        _say_time(canvas, moment.stamp - at, below, WHITE if number == ruled else TEXT)
        if number == ruled:
            frame(canvas, (left, down, left + tile[0] - 1, down + tile[1] - 1), ink, max(3, gap // 2))
    return canvas


def _must_be_possible(
    moments: Sequence[Moment], table: TableView | None, cells: Sequence[int], size: tuple[int, int]
) -> None:
    if not moments:
        raise PictureError("There is no picture of that moment; it is longer ago than the camera's pictures are kept.")
    most = len(table.cells) if table else 0
    if wrong := [cell for cell in cells if not 1 <= cell <= most]:
        raise PictureError(f"There is no cell {wrong[0]}; the cells are 1 to {most}, row by row.")
    must_be_size((size[0], 2 * size[1]))  # a strip is low


def _gap(size: tuple[int, int]) -> int:
    return max(4, round(max(size) / 160))


def _label(size: tuple[int, int]) -> int:
    return max(18, round(LABEL * max(size) / 1280))


def _shape(moment: Moment, table: TableView | None, which: Sequence[int]) -> float:
    """Width for a height of 1."""
    left, top, right, bottom = _window(moment, table, which)
    return float(np.clip((right - left) / (bottom - top), *TALL))


def _tiles(count: int, size: tuple[int, int], shape: float) -> tuple[tuple[int, int], int]:
    """How large a picture can be, and how many go beside each other: as large as possible."""
    gap, label, best = _gap(size), _label(size), (0, 0, 1)
    for columns in range(1, count + 1):
        rows = math.ceil(count / columns)
        width = (size[0] - (columns + 1) * gap) // columns
        height = (size[1] - (rows + 1) * gap) // rows - label
        width = min(width, int(height * shape))
        best = max(best, (width, int(width / shape), columns))
    width, height, columns = best
    if min(width, height) < 16:
        raise PictureError(f"{count} pictures have no room in {size[0]} × {size[1]} pixels; ask for fewer of them.")
    return (width, height), columns


def _window(moment: Moment, table: TableView | None, which: Sequence[int]) -> tuple[float, float, float, float]:
    """What is shown of a moment's picture."""
    height, width = moment.picture.shape[:2]
    if table is None:
        return 0.0, 0.0, float(width), float(height)
    cells = _cells(moment, table)
    if not which:
        (left, top), (right, bottom) = cells.reshape(-1, 2).min(0), cells.reshape(-1, 2).max(0)
        room = ROOM * (right - left)
        return left - room, top - room, right + room, bottom + room
    seen = cells[[cell - 1 for cell in which]]
    (x, y), half = seen.reshape(-1, 2).mean(0), AROUND / 2 * side_of(seen[0]) * len(which) ** 0.5
    return x - half, y - half, x + half, y + half


def _cells(moment: Moment, table: TableView) -> Points:
    """Where they are in a picture that was made smaller."""
    return np.asarray((table.cells + 0.5) / moment.by - 0.5, np.float32)


def _cropped(moment: Moment, table: TableView | None, which: Sequence[int], tile: tuple[int, int]) -> Picture:
    """The window in the tile, the cells outlined; what is outside of the camera's picture is grey."""
    left, top, right, bottom = _window(moment, table, which)
    scale = min(tile[0] / (right - left), tile[1] / (bottom - top))
    shift = tile[0] / 2 - scale * (left + right) / 2, tile[1] / 2 - scale * (top + bottom) / 2
    matrix = np.array(((scale, 0, shift[0]), (0, scale, shift[1])))
    source, back = moment.picture, matrix
    if scale < 0.6:  # or points of it would be passed over
        source = cv2.resize(source, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        back = np.array(((1, 0, shift[0]), (0, 1, shift[1])))
    grey = (150, 152, 154)
    view = cv2.warpAffine(source, back, tile, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=grey)
    if table is not None:
        for cell in which:
            _outline(view, (_cells(moment, table)[cell - 1] + 0.5) * scale + shift - 0.5)
    return np.asarray(view, np.uint8)


def _outline(view: Picture, corners: Points) -> None:
    points = [np.round(corners * 16).astype(np.int32).reshape(-1, 1, 2)]
    thin = max(1, round(max(view.shape) / 160))
    cv2.polylines(view, points, True, (255, 255, 255), 3 * thin, cv2.LINE_AA, 4)  # noqa: FBT003
    cv2.polylines(view, points, True, TEXT[::-1], thin, cv2.LINE_AA, 4)  # noqa: FBT003


def _say_time(canvas: Picture, away: int, box: tuple[int, int, int, int], ink: Ink) -> None:
    left, top, width, height = box
    size, lines = fitted([seconds(away)], (width, height), min(1.5, 0.5 * height / CAPITAL), 0.4)
    write(canvas, lines[0], (left + width / 2, top + height / 2), size, ink, "middle", bold(size))


def seconds(away: int) -> str:
    """With a sign, in tenths."""
    tenths = round(away / SECOND * 10)
    return f"{tenths / 10:+.1f} s" if tenths else "0.0 s"
