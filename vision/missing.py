"""Cards that no outline was found of: looked for where the others say that they must lie."""

from collections.abc import Iterator, Mapping
from itertools import product

import cv2
import numpy as np

from vision.frames import Picture, Points
from vision.outlines import INSIDE, ON_RIM, PRINTED, SHARES, CardOutline

FEWEST = 5  # cards that tell where the others lie
PAPER, SHADE = 28.0, 0.4  # so alike is the paper of cards in one picture; light and shadow make a difference
PLAIN, MOSTLY = 20.0, 0.8  # of a card's rim so much is of one colour: that of a checked cloth is not
LIKENESS = 0.5
SHIFTS = np.stack(np.meshgrid(np.linspace(-0.3, 0.3, 7), np.linspace(-0.3, 0.3, 7)), axis=-1).reshape(
    -1, 2
)  # of a card
STAYING = 0.1  # of the rim: less is not worth a move
NEARLY = 0.04  # of the rim: as good as the best

Place = tuple[int, int]  # row and column


def completed(laid: Mapping[Place, CardOutline], picture: Picture) -> dict[Place, CardOutline]:
    """With the cards that show where none was found: printed on, with a rim of the paper that the others have."""
    cards = {place: outline for place, outline in laid.items() if outline.printed > PRINTED}
    found = dict(laid)
    if len(cards) < FEWEST:
        return found
    colours = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
    paper = np.median([outline.paper for outline in cards.values()], axis=0)
    for place, corners in _places(cards):
        if place in laid or not _is_inside(corners, colours):
            continue
        there = _moved(corners, colours, paper)
        outline = CardOutline(there, there, LIKENESS)
        if _is_inside(there, colours) and _is_card(outline, colours, paper):
            found[place] = outline
    return found


def _places(cards: Mapping[Place, CardOutline]) -> Iterator[tuple[Place, Points]]:
    """All places in threes of rows and columns that hold some of the cards, and the corners of a card there."""
    rows, columns = zip(*cards, strict=True)
    if len(set(rows)) < 2 or len(set(columns)) < 2 or max(rows) - min(rows) > 2 or max(columns) - min(columns) > 2:
        return
    there = np.array([(column, row) for row, column in cards], np.float64)
    middles = np.array([outline.middle for outline in cards.values()], np.float64)
    onto = cv2.findHomography(there, middles)[0]
    if onto is None or abs(np.linalg.det(onto)) < 1e-9:
        return
    corners = np.array([outline.corners for outline in cards.values()], np.float64)
    back = cv2.perspectiveTransform(corners, np.linalg.inv(onto))
    square = np.median(back - there[:, None], axis=0)
    for row, column in product(range(max(rows) - 2, min(rows) + 3), range(max(columns) - 2, min(columns) + 3)):
        seen = cv2.perspectiveTransform((square + (column, row))[None], onto)[0]
        yield (row, column), np.asarray(seen, np.float32)


def _is_inside(corners: Points, colours: Picture) -> bool:
    height, width = colours.shape[:2]
    return bool((corners >= 1).all() and (corners <= (width - 2, height - 2)).all() and cv2.contourArea(corners) > 1)


def _moved(corners: Points, colours: Picture, paper: Points) -> Points:
    """To where the rim has most of the paper: cards lie out of rows and columns a little."""
    one, two, third, four = corners
    across, down = (two - one + third - four) / 2, (four - one + third - two) / 2
    ways = SHIFTS[:, :1] * across + SHIFTS[:, 1:] * down
    rims = ((SHARES @ corners)[ON_RIM] + ways[:, None]).astype(np.float32)
    seen = cv2.remap(colours, rims[..., 0], rims[..., 1], cv2.INTER_LINEAR).astype(np.float32)
    shares = (np.linalg.norm((seen - paper) * (SHADE, 1, 1), axis=2) < PLAIN).mean(1)
    if shares[len(SHIFTS) // 2] > shares.max() - STAYING:
        return corners
    best = shares > shares.max() - NEARLY
    return np.asarray(corners + ways[best].mean(0), np.float32)


def _is_card(outline: CardOutline, colours: Picture, paper: Points) -> bool:
    spots = (SHARES @ outline.corners).reshape(1, len(INSIDE), 2)
    seen = cv2.remap(colours, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR)[0].astype(np.float32)
    rim = np.median(seen[ON_RIM], axis=0)
    plain = np.linalg.norm((seen[ON_RIM] - rim) * (SHADE, 1, 1), axis=1) < PLAIN
    printed = np.percentile(np.linalg.norm(seen[~ON_RIM] - rim, axis=1), 96)
    outline.printed, outline.paper = float(printed), (float(rim[0]), float(rim[1]), float(rim[2]))
    is_alike = np.linalg.norm((rim - paper) * (SHADE, 1, 1)) < PAPER
    return bool(plain.mean() > MOSTLY and is_alike and printed > PRINTED)
