"""Cards that touch or overlap and so look like one: cut apart where fine lines show between them."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Matrix, Picture, Points
from vision.lens import through
from vision.outlines import PRINTED, SMALLEST, CardOutline, rise, tell_printed

WAYS = ((3, 3), (2, 3), (3, 2), (1, 3), (3, 1), (2, 2), (1, 2), (2, 1))  # rows and columns
ALONG = np.linspace(0.14, 0.86, 14)  # of a card's side
ACROSS = np.linspace(-0.27, 0.27, 37)  # of a card: where else a line would not be
WITHIN = 0.13  # of a card: how far from its share a line may be
CLEAR = 1.3  # times the rise elsewhere, and a line is there
FAINT = 4.0
ENOUGH = 0.65  # of the lines' pieces, each as long as a card
SURE = 3  # cuts in which a card was seen by itself
ALIKE = 0.3  # of the logarithm of an area
AS_LARGE = 0.5  # the same, of cards nearer the camera and farther away
PAPER, SHADE = 28.0, 0.4  # so alike is the paper of cards in one picture; light and shadow make a difference
LONGEST = 2.1  # times as long as wide
UNIT = np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.float32)


def split(picture: Picture, found: list[CardOutline], wholes: list[CardOutline]) -> list[CardOutline]:
    """The cards that some outlines are made of, as far as lines between them show.

    Nine in one are believed if nothing else is as large as they are together; fewer only if cards of that size were
    found by themselves.
    """
    edges = np.asarray(cv2.GaussianBlur(rise(picture).astype(np.float32), (0, 0), 0.7), np.float32)
    sizes = np.array([outline.area for outline in found if outline.votes >= SURE])
    smallest = SMALLEST * picture.shape[0] * picture.shape[1]
    cards: list[CardOutline] = []
    for whole in wholes:
        for rows, columns in WAYS:
            alike = np.abs(np.log(sizes * rows * columns / whole.area)) < ALIKE
            if rows * columns < 9 and alike.sum() < 2:
                continue
            if rows * columns == 9 and (whole.area < 9 * smallest or _is_one_of_many(whole, wholes)):
                continue
            parts = list(_cards(edges, whole, (rows, columns)))
            if len(parts) == 9 and not _are_cards(parts, picture):
                continue
            cards.extend(parts)
            if parts:
                break
    return cards


def _is_one_of_many(whole: CardOutline, others: list[CardOutline]) -> bool:
    """Others of its size lie beside it: then it is a card, and the lines on it are printed."""
    beside = [
        other for other in others
        if abs(np.log(other.area / whole.area)) < AS_LARGE
        and np.linalg.norm(other.middle - whole.middle) > 0.8 * np.sqrt(min(other.area, whole.area))
    ]  # fmt: skip
    return len(beside) >= 2


def _are_cards(parts: list[CardOutline], picture: Picture) -> bool:
    """Something is printed inside each, on paper that is the same for all: not one drawing that goes through them."""
    tell_printed(parts, picture)
    papers = np.array([part.paper for part in parts]) * (SHADE, 1, 1)
    off = np.linalg.norm(papers - np.median(papers, axis=0), axis=1)
    printed = np.array([part.printed > PRINTED for part in parts])
    return bool((off < PAPER).sum() >= 8 and off[4] < PAPER and printed.sum() >= 5)


def _cards(edges: Points, whole: CardOutline, way: tuple[int, int]) -> Iterator[CardOutline]:
    rows, columns = way
    width, height = np.linalg.norm(whole.axes, axis=1) / (columns, rows)
    if max(width, height) > LONGEST * min(width, height):
        return
    onto = np.asarray(cv2.getPerspectiveTransform(UNIT, whole.corners.astype(np.float32)), np.float64)
    upright = _lines(edges, onto, rows, columns, across=True)
    level = _lines(edges, onto, columns, rows, across=False)
    if upright is None or level is None:
        return
    for row in range(rows):
        for column in range(columns):
            left, right = upright[column : column + 2, row]
            top, bottom = level[row : row + 2, column]
            corners = np.array(((left, top), (right, top), (right, bottom), (left, bottom)), np.float32)
            seen = through(onto, corners)
            yield CardOutline(seen, seen, 0.8 * whole.likeness)


def _lines(edges: Points, onto: Matrix, pieces: int, parts: int, *, across: bool) -> NDArray[np.float64] | None:
    """Where the lines between parts are, piece by piece, rims included; None if they do not show."""
    places = np.tile(np.arange(parts + 1)[:, None] / parts, (1, pieces))
    if parts == 1:
        return places
    here = places[1:-1, :, None, None] + ACROSS[:, None] / parts
    there = (np.arange(pieces)[:, None, None] + ALONG) / pieces
    here, there = np.broadcast_arrays(here, there[None])
    spots = np.stack((here, there) if across else (there, here), axis=-1).astype(np.float32)
    seen = through(onto, spots.reshape(-1, len(ALONG), 2))
    looks = cv2.remap(edges, seen[:, :, 0].copy(), seen[:, :, 1].copy(), cv2.INTER_LINEAR)
    heights = np.asarray(looks, np.float64).reshape(parts - 1, pieces, len(ACROSS), len(ALONG)).mean(axis=3)
    near = np.abs(ACROSS) <= WITHIN
    highest = heights[:, :, near].max(axis=2)
    clear = (highest > FAINT) & (highest > CLEAR * np.median(heights[:, :, ~near], axis=2))
    if clear.mean() < ENOUGH or (clear.mean(axis=1) < 0.5).any():
        return None
    offsets = ACROSS[near][heights[:, :, near].argmax(axis=2)] / parts
    offsets = np.where(clear, offsets, np.median(offsets, axis=1, keepdims=True))
    places[1:-1] += offsets
    return places
