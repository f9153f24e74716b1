"""The nine cells as one upright square picture, as a camera saw them or as they are printed, and marks on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.card_drawing import face_picture
from vision.drawing import Ink
from vision.frames import Picture, Plane, Points
from vision.lettering import FAINT, PAPER, RULE, TEXT, blank, bold, write

CARD = 0.9  # of a cell's side on the board
BAND = 0.23  # of a cell's side: how wide a marked line is
BEYOND = 0.36  # so much longer than from the first middle to the last
BAND_BEFORE = 0.68  # the same for a line that was there before: beside what is drawn on the cards,
BEYOND_BEFORE = 0.1  # for its dashes would be taken for waves
DASH = 0.16  # of a cell's side, from one dash to the next
VEIL = 0.55  # how much of a cell that does not matter is taken away
GROUND: Ink = (236, 233, 226)


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A square picture with its nine cells in it."""

    picture: Picture
    middles: Points  # 9 × 2
    cell: tuple[float, float]  # width and height of one, from border to border

    def box(self, cell: int, share: float = 1.0) -> tuple[int, int, int, int]:
        """Left, top, right, bottom."""
        (x, y), (across, down) = self.middles[cell - 1], self.cell
        half = across * share / 2, down * share / 2
        return round(x - half[0]), round(y - half[1]), round(x + half[0]), round(y + half[1])

    @property
    def unit(self) -> float:
        return min(self.cell)


def laid_board(cards: Sequence[str | None], squares: Sequence[Picture | None], side: int) -> Board:
    """Cut-outs of the camera where there are any, drawn cards else, and a question mark for what nobody knows."""
    canvas = blank(side, side, GROUND)
    middles = np.array([(x, y) for y in (1, 3, 5) for x in (1, 3, 5)], np.float32) * side / 6
    board = Board(canvas, middles, (side / 3, side / 3))
    for cell, card in enumerate(cards, 1):
        square = squares[cell - 1] if squares else None
        left, top, right, _ = board.box(cell, 0.97 if square is not None else CARD)
        canvas[top : top + right - left, left:right] = card_picture(card, square, right - left)
    return board


def card_picture(card: str | None, square: Picture | None, side: int) -> Picture:
    """A cut-out as the camera saw it, or else the card as it is printed."""
    if square is not None:
        flags = cv2.INTER_AREA if square.shape[0] > side else cv2.INTER_CUBIC
        return np.asarray(cv2.resize(square, (side, side), interpolation=flags), np.uint8)
    face = _unknown(side) if card is None else face_of(card, side).copy()
    cv2.rectangle(face, (0, 0), (side - 1, side - 1), FAINT[::-1], max(1, side // 90))
    return face


@lru_cache(maxsize=48)
def face_of(card: str, side: int) -> Picture:
    return face_picture(card, side)


def _unknown(side: int) -> Picture:
    face = blank(side, side, PAPER)
    write(face, "?", (side / 2, side / 2), side / 45, FAINT, "middle", bold(side / 45))
    return face


# --- Marks


def veil(board: Board, but: Sequence[int]) -> None:
    """Takes from all cells but some, so that those stand out."""
    mask = np.ones(board.picture.shape[:2], bool)
    for cell in but:
        left, top, right, bottom = np.maximum(0, board.box(cell))
        mask[top:bottom, left:right] = False
    veiled = board.picture * (1 - VEIL) + np.array(PAPER[::-1]) * VEIL
    board.picture[mask] = veiled[mask].astype(np.uint8)


def line_ends(board: Board, cells: Sequence[int], beyond: float = BEYOND) -> Points:
    """From before the first middle to beyond the last."""
    first, last = board.middles[min(cells) - 1], board.middles[max(cells) - 1]
    along = (last - first) / np.linalg.norm(last - first) * beyond * board.unit
    return np.array((first - along, last + along), np.float32)


def mark_line(board: Board, cells: Sequence[int], ink: Ink, *, is_new: bool = True) -> None:
    """Two rails with the cards' own colours between them; far apart and dashed if it was there before."""
    band, beyond = (BAND, BEYOND) if is_new else (BAND_BEFORE, BEYOND_BEFORE)
    ends, wide = line_ends(board, cells, beyond), max(4, round(band * board.unit))
    thick = max(2, round(0.032 * board.unit))
    rim, rails, within = (_band(board, ends, width) for width in (wide + thick, wide, max(1, wide - 2 * thick)))
    dashes = np.ones_like(rim) if is_new else _dashes(board, ends)
    _blend(board.picture, cv2.subtract(rim, rails) * dashes, (255, 255, 255))
    _blend(board.picture, cv2.subtract(rails, within) * dashes, ink)


def _band(board: Board, ends: Points, width: int) -> Plane:
    mask = np.zeros(board.picture.shape[:2], np.uint8)
    one, two = (tuple(point) for point in np.round(ends * 16).astype(int).tolist())
    cv2.line(mask, one, two, 255, width, cv2.LINE_AA, 4)
    return mask


def _dashes(board: Board, ends: Points) -> Plane:
    """1 and 0 in turns along a line, and 0 beyond its ends."""
    long = float(np.linalg.norm(ends[1] - ends[0]))
    along = (ends[1] - ends[0]) / long
    rows, columns = np.indices(board.picture.shape[:2], np.float32)
    far = (columns - ends[0][0]) * along[0] + (rows - ends[0][1]) * along[1]
    return np.asarray((far / (DASH * board.unit) % 1 < 0.6) & (far >= 0) & (far <= long), np.uint8)


def _blend(picture: Picture, mask: Plane, ink: Ink) -> None:
    weight = mask[..., None] / np.float32(255)
    picture[:] = (picture * (1 - weight) + np.array(ink[::-1], np.float32) * weight).astype(np.uint8)


def frame_cell(board: Board, cell: int, ink: Ink, *, is_broken: bool = False) -> None:
    """Around a cell on a white rim, broken if the card should not lie there."""
    thick = max(2, round(0.045 * board.unit))
    inset = thick + 1
    left, top, right, bottom = board.box(cell)
    last = board.picture.shape[1] - 1, board.picture.shape[0] - 1
    box = max(left, 0) + inset // 2, max(top, 0) + inset // 2, min(right, last[0]), min(bottom, last[1])
    frame(board.picture, (box[0], box[1], box[2] - inset // 2, box[3] - inset // 2), ink, thick, is_broken=is_broken)


def frame(picture: Picture, box: tuple[int, int, int, int], ink: Ink, thick: int, *, is_broken: bool = False) -> None:
    left, top, right, bottom = box
    cv2.rectangle(picture, (left, top), (right, bottom), (255, 255, 255), thick + max(2, thick // 2))
    if not is_broken:
        cv2.rectangle(picture, (left, top), (right, bottom), ink[::-1], thick)
        return
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    for one, two in zip(corners, (*corners[1:], corners[0]), strict=True):
        for at in range(0, 9, 2):
            ends = [
                tuple(round(a + (b - a) * share / 9) for a, b in zip(one, two, strict=True)) for share in (at, at + 1)
            ]
            cv2.line(picture, ends[0], ends[1], ink[::-1], thick)


def number_cells(board: Board) -> None:
    """Small, in the corner of each."""
    side = max(11, round(0.115 * board.unit))
    for cell in range(1, 10):
        left, top, _, _ = np.maximum(0, board.box(cell))
        tile = board.picture[top : top + side, left : left + side]
        tile[:] = np.array(TEXT[::-1], np.uint8)
        write(tile, str(cell), (side / 2, side / 2), side / 34, RULE, "middle", bold(side / 34))
