"""The annotated picture: what was read of each cell, and how sure, beside what the camera saw; made to settle disputes.

On the picture itself there are only frames around the places and small tags between the cards, so that no card is
hidden. A panel beside it repeats the grid with the cards as they were read, and says why one was not.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from vision.board import face_of
from vision.card_drawing import BACK, DEEP, INKS, outline
from vision.cells import side_of
from vision.deck import CARDS
from vision.drawing import Drawing, DrawnMark, Ink, moved
from vision.frames import Picture, Points
from vision.ink import painted
from vision.lens import homography, through
from vision.lettering import (
    DOUBT,
    FAINT,
    NONE,
    PAPER,
    RULE,
    SURE,
    TEXT,
    Align,
    blank,
    bold,
    paste,
    wide,
    wrapped,
    write,
)
from vision.locate import TableView
from vision.mat import Point
from vision.reader import Reading

CELL = 300.0  # pixels of a cell's side that the picture is enlarged or made smaller for
LONGEST = 2400.0  # pixels, of the enlarged picture
AROUND = 0.08  # of the table's length is shown around it
MOST = 3.0  # times
TILE = (246, 268)  # of the panel: a card with its words
MARGIN = 22
WIDTH = 3 * TILE[0] + 2 * MARGIN
LARGEST = 1.5  # times, and the panel is large enough to be read
FACE = 112
LEVEL = 2.0  # degrees that a tag may be out of line

MARKER: Ink = (0, 140, 220)

_FOUND = {"markers": "Found by its markers", "corners": "Found by the corners given", "cards": "Found by its cards"}
_SHORT = {"empty": "empty", "face-down": "face down", "hand": "covered", "foreign": "foreign", "unclear": "?"}


def overlaid(picture: Picture, table: TableView, readings: Sequence[Reading], title: str = "") -> Picture:
    """A new picture: the old one, as far as there is a table in it, with what was read of it."""
    canvas, cells = _view(picture, table)
    for corners in _markers(table, cells):
        _lines(canvas, corners, MARKER, 2)
    for corners, reading in zip(cells, readings, strict=True):
        _lines(canvas, _around(corners, _frame(table)), _ink(reading), 3)
    for corners, reading in zip(cells, readings, strict=True):
        _tag(canvas, _around(corners, _gap(table)), reading, side_of(corners))
    panel = _Panel(readings, table, title)
    return _beside(canvas, replace(panel, unit=min(LARGEST, max(1.0, canvas.shape[0] / panel.height))).drawn())


def _view(picture: Picture, table: TableView) -> tuple[Picture, Points]:
    """The table and what is around it, enlarged or made smaller so that there is room to write, and its cells."""
    corners = np.concatenate([table.cells.reshape(-1, 2), *_markers(table, table.cells)])
    around = AROUND * float(np.ptp(corners, 0).max())
    size = np.array((picture.shape[1], picture.shape[0]))
    left, top = np.clip(corners.min(0) - around, 0, size - 1).astype(int)
    right, bottom = np.clip(corners.max(0) + around + 1, (left + 1, top + 1), size).astype(int)
    part = picture[top:bottom, left:right]
    side = float(np.mean([side_of(cell) for cell in table.cells]))
    scale = min(MOST, CELL / max(side, 1.0), LONGEST / max(part.shape))
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    view = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=flags), np.uint8)
    cells = (table.cells - np.array((left, top)) + 0.5) * scale - 0.5
    return view, np.asarray(cells, np.float32)


def _ink(reading: Reading) -> Ink:
    return SURE if reading.card else DOUBT if reading.state in ("unclear", "foreign") else NONE


# --- On the picture


def _frame(table: TableView) -> Point:
    """How much of a cell is the place that is printed on the mat; without a mat a little less than all."""
    return _shares(table, table.mat.place) if table.mat else (0.92, 0.92)


def _gap(table: TableView) -> Point:
    """The same of the lines in the middle between the places, where no card should lie."""
    return _shares(table, table.mat.pitch) if table.mat else (0.93, 0.93)


def _shares(table: TableView, size: Point) -> Point:
    assert table.mat
    return size[0] / table.mat.sight, size[1] / table.mat.sight


def _around(corners: Points, shares: Point) -> Points:
    """So much of a cell, as it lies in the picture."""
    square = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1)), np.float32)
    matrix = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    return through(np.asarray(matrix, np.float64), square * np.array(shares, np.float32))


def _markers(table: TableView, cells: Points) -> Iterator[Points]:
    """Where the mat says that its markers are."""
    if table.mat is None:
        return
    half = table.mat.sight / 2
    square = np.array(((-half, -half), (half, -half), (half, half), (-half, half)), np.float32)
    flat = np.array(table.mat.places, np.float32)[:, None, :] + square
    matrix = homography(flat.reshape(-1, 2), cells.reshape(-1, 2))
    for marker in table.mat.markers:
        yield through(matrix, np.array(marker.corners, np.float32))


def _tag(canvas: Picture, frame: Points, reading: Reading, side: float) -> None:
    """A small sign in the gap above a card: the cell's number, and what was read."""
    tag = _sign(reading, int(np.clip(0.095 * side, 16, 34)))
    x, y, slope = _top(frame)
    if abs(slope) < LEVEL:
        paste(canvas, tag, round(x - tag.shape[1] / 2), round(y - tag.shape[0] / 2))
    else:
        _paste_along(canvas, tag, (x, y), slope)


def _top(frame: Points) -> tuple[float, float, float]:
    """The middle of the upper side, and how it runs, in degrees."""
    ends = np.roll(frame, -1, 0)
    at = int((frame + ends)[:, 1].argmin())
    (x, y), (across, down) = (frame[at] + ends[at]) / 2, ends[at] - frame[at]
    slope = math.degrees(math.atan2(down, across))
    return float(x), float(y), (slope + 90) % 180 - 90


def _sign(reading: Reading, height: int) -> Picture:
    ink = _ink(reading)
    size = height / 40
    shown = reading.card or (reading.guess if reading.state == "unclear" else None)
    pieces = [_number(reading.cell, height, ink)]
    if shown:
        word = shown
        if shown in CARDS:
            colour, shape, word = shown.split("-")
            pieces.append(_shape(colour, shape, height))
        pieces.append(_word(word if reading.card else f"{word}?", height, size * 1.2, TEXT))
        pieces.append(_word(percent(reading.confidence), height, size * 0.9, FAINT))
    else:
        pieces.append(_word(_SHORT[reading.state], height, size, TEXT))
    tag = np.concatenate(pieces, axis=1)
    cv2.rectangle(tag, (0, 0), (tag.shape[1] - 1, height - 1), ink[::-1], 2)
    return tag


def _number(cell: int, height: int, ink: Ink) -> Picture:
    tile = blank(height, round(height * 0.8), ink)
    write(tile, str(cell), (height * 0.4, height * 0.5), height / 36, (255, 255, 255), "middle")
    return tile


def _word(text: str, height: int, size: float, ink: Ink) -> Picture:
    tile = blank(height, round(wide(text, size) + height * 0.3), PAPER)
    write(tile, text, (height * 0.1, height * 0.5), size, ink)
    return tile


@cache
def _shape(colour: str, shape: str, height: int) -> Picture:
    """A shape in its colour, without its waves: they would run together."""
    mark: Drawing = (DrawnMark((outline(shape),), INKS[colour], DEEP[colour], 3.0),)
    large = painted(moved(mark, (27.0, 27.0)), (54.0, 54.0), (96, 96), PAPER)
    inner = large[9:-9, 9:-9]
    return np.asarray(cv2.resize(inner, (height, height), interpolation=cv2.INTER_AREA), np.uint8)


# --- The panel


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    size: float
    ink: Ink

    @property
    def height(self) -> float:
        return self.size * 46


@dataclass(frozen=True, slots=True)
class _Panel:
    """The grid again, in words and as it is printed, so much larger than at least."""

    readings: Sequence[Reading]
    table: TableView
    title: str
    unit: float = 1.0

    @property
    def height(self) -> float:
        return 3 * TILE[1] + 2 * MARGIN + sum(line.height for line in (*self._head(), *self._foot()))

    def drawn(self) -> Picture:
        panel = blank(self._long(self.height), self._long(WIDTH), PAPER)
        y = self._put(panel, self._head(), MARGIN)
        for at, reading in enumerate(self.readings):
            left, top = self._long(MARGIN + at % 3 * TILE[0]), self._long(y + at // 3 * TILE[1])
            self._tile(panel[top : top + self._long(TILE[1]), left : left + self._long(TILE[0])], reading)
        self._put(panel, self._foot(), y + 3 * TILE[1])
        return panel

    def _long(self, length: float) -> int:
        return round(length * self.unit)

    def _head(self) -> tuple[_Line, ...]:
        mat = f", {self.table.mat.name} mat" if self.table.mat else ""
        names = [_Line(line, 0.8, TEXT) for line in wrapped(self.title, 0.8, WIDTH - 3 * MARGIN)[:2]]
        return (*names, _Line(f"{_FOUND.get(self.table.how, self.table.how)}{mat}.", 0.55, FAINT))

    def _foot(self) -> tuple[_Line, ...]:
        notes = [_Line(line, 0.6, DOUBT) for line in wrapped(self.table.note, 0.6, WIDTH - 3 * MARGIN)]
        return (*notes, _Line("Green: read.  Orange: in doubt.  Grey: no card to be read.", 0.5, FAINT))

    def _put(self, panel: Picture, lines: Iterable[_Line], y: float) -> float:
        for line in lines:
            self._write(panel, line, MARGIN + 6, y + line.height / 2, "left")
            y += line.height
        return y

    def _write(self, tile: Picture, line: _Line, x: float, y: float, align: Align = "middle") -> None:
        write(tile, line.text, (x * self.unit, y * self.unit), line.size * self.unit, line.ink, align)

    def _tile(self, tile: Picture, reading: Reading) -> None:
        """A cell: the card as it was read, in words, how sure, or why not."""
        ink, (width, height) = _ink(reading), TILE
        self._box(tile, (6, 6, width - 7, height - 7), RULE, 1)
        self._box(tile, (6, 6, width - 7, 11), ink)
        paste(tile, _number(reading.cell, self._long(30), ink), self._long(6), self._long(6))
        face = _face(reading, self._long(FACE))
        paste(tile, face, (tile.shape[1] - face.shape[1]) // 2, self._long(22))
        y = 22.0 + FACE + 20
        for line in _words(reading):
            self._write(tile, line, width / 2, y)
            y += line.height
        if reading.card:
            self._box(tile, (30, height - 28, width - 30, height - 22), RULE)
            self._box(tile, (30, height - 28, 30 + (width - 60) * reading.confidence, height - 22), SURE)

    def _box(self, tile: Picture, box: tuple[float, float, float, float], ink: Ink, width: int = -1) -> None:
        left, top, right, bottom = map(self._long, box)
        cv2.rectangle(tile, (left, top), (right, bottom), ink[::-1], width)


def _face(reading: Reading, side: int) -> Picture:
    name = BACK if reading.state == "face-down" else reading.card or (reading.guess if _is_doubtful(reading) else None)
    is_drawn = name == BACK or name in CARDS  # of another game's deck only the name is known
    face = face_of(name, side).copy() if name is not None and is_drawn else blank(side, side, PAPER)
    middle, size = (side / 2, side / 2), side / 45
    if name is None:
        write(face, "-" if reading.state == "empty" else "?", middle, size, NONE, "middle", bold(size))
    elif _is_doubtful(reading):
        face = np.asarray(cv2.addWeighted(face, 0.35, blank(side, side, PAPER), 0.65, 0), np.uint8)
        write(face, "?", middle, 1.3 * size, DOUBT, "middle", bold(size))
    cv2.rectangle(face, (0, 0), (side - 1, side - 1), RULE[::-1], 1)
    return face


def _is_doubtful(reading: Reading) -> bool:
    """It is a card, and there is a guess which."""
    return reading.state == "unclear" and reading.guess is not None


def _words(reading: Reading) -> tuple[_Line, ...]:
    if reading.card:
        sure = _Line(f"{percent(reading.confidence)} sure", 0.5, FAINT)
        return _Line(" ".join(reading.card.split("-")), 0.62, TEXT), sure
    head = "in doubt" if reading.state == "unclear" else _SHORT[reading.state]
    why = wrapped(reading.reason, 0.48, TILE[0] - 34)[:4]
    return _Line(head, 0.62, _ink(reading)), *(_Line(line, 0.48, TEXT) for line in why)


def percent(share: float) -> str:
    """Never 100 %: nothing is that sure."""
    return f"{min(share, 0.999):.1%}" if share >= 0.95 else f"{share:.0%}"


# --- Strokes


def _beside(left: Picture, right: Picture) -> Picture:
    height = max(left.shape[0], right.shape[0])
    whole = blank(height, left.shape[1] + right.shape[1], PAPER)
    top = (height - left.shape[0]) // 2
    whole[top : top + left.shape[0], : left.shape[1]] = left
    whole[: right.shape[0], left.shape[1] :] = right
    return whole


def _lines(canvas: Picture, corners: Points, ink: Ink, width: int) -> None:
    """On a white rim, to be seen on any table."""
    points = [np.round(corners * 16).astype(np.int32).reshape(-1, 1, 2)]
    cv2.polylines(canvas, points, True, (255, 255, 255), width + 3, cv2.LINE_AA, 4)  # noqa: FBT003
    cv2.polylines(canvas, points, True, ink[::-1], width, cv2.LINE_AA, 4)  # noqa: FBT003


def _paste_along(canvas: Picture, tile: Picture, middle: tuple[float, float], slope: float) -> None:
    """Turned, so that it lies along a line."""
    height, width = tile.shape[:2]
    reach = math.ceil(math.hypot(width, height) / 2) + 1
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -slope, 1)
    matrix[:, 2] += (reach - (width - 1) / 2, reach - (height - 1) / 2)
    over = (2 * reach + 1, 2 * reach + 1)
    turned = cv2.warpAffine(tile, matrix, over, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpAffine(np.full((height, width), 255, np.uint8), matrix, over)
    left, top = round(middle[0]) - reach, round(middle[1]) - reach
    rows = slice(max(0, top), max(0, min(canvas.shape[0], top + over[1])))
    columns = slice(max(0, left), max(0, min(canvas.shape[1], left + over[0])))
    part = canvas[rows, columns]
    there = (
        slice(rows.start - top, rows.start - top + part.shape[0]),
        slice(columns.start - left, columns.start - left + part.shape[1]),
    )
    share = mask[there][..., None] / np.float32(255)
    part[:] = part * (1 - share) + turned[there] * share
