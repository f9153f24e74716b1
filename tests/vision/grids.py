"""Nine cards laid on drawn tables, and how well the cells that are found fit them."""

from dataclasses import dataclass

import cv2
import numpy as np

from tests.vision.drawn import GROUNDS, SIZE, Laying, View, cards_photographed, ground_drawn
from vision.eye_errors import NoTableError
from vision.frames import Points
from vision.grid import by_cards

CARDS = ((57, 88), (63, 88), (54, 54), (57, 89), (88, 57))
SHARE = 0.82
SQUARE = np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.float32)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The worst of nine cells; shares are of the cell's side."""

    aside: float  # the card's middle from the cell's
    slant: float  # degrees between card and cell
    size: float  # of the card beyond or below what it should take

    @property
    def is_good(self) -> bool:
        """All nine are cut out upright, whole and in order."""
        return self.aside < 0.05 and self.slant < 5 and self.size < 0.08


def judged(cells: Points, cards: Points, without: tuple[int, ...] = ()) -> Judgement:
    """Cells against the corners of the cards in them; where there is no card there is nothing to compare."""
    faults = [_fault(cells[place], cards[place]) for place in range(9) if place not in without]
    aside, slant, size = np.max(faults, axis=0)
    return Judgement(float(aside), float(slant), float(size))


def _fault(cell: Points, card: Points) -> tuple[float, float, float]:
    onto = cv2.getPerspectiveTransform(cell.astype(np.float32), SQUARE)
    corners = np.asarray(cv2.perspectiveTransform(card[None].astype(np.float32), onto), np.float64)[0] - 0.5
    one, two, three, four = corners
    across, down = (two - one + three - four) / 2, (four - one + three - two) / 2
    longer = max(np.linalg.norm(across), np.linalg.norm(down))
    slant = abs(np.degrees(np.arctan2(across[1], across[0])))
    return float(np.abs(corners.mean(axis=0)).max()), float(slant), float(abs(longer / SHARE - 1))


def laid(
    seed: int, laying: Laying | None = None, size: tuple[int, int] = SIZE, turn: float = 30
) -> tuple[View, Points]:
    """Nine cards on a table; which cards and how far apart is the seed's choice unless it is told."""
    dice = np.random.default_rng(seed)
    if laying is None:
        laying = Laying(
            CARDS[dice.integers(5)], gap=dice.uniform(0.1, 0.5), slip=dice.uniform(0, 0.04), twist=dice.uniform(0, 4),
            shadow=seed % 3 == 0,
        )  # fmt: skip
    ground = ground_drawn(size, GROUNDS[seed % 4], dice)
    blur = dice.uniform(0.3, 1.5) * size[0] / 1280
    return cards_photographed(laying, ground, dice, turn=turn, noise=dice.uniform(1, 7), blur=blur)


def is_found(view: View, cards: Points, without: tuple[int, ...] = ()) -> bool:
    try:
        table = by_cards(view.picture)
    except NoTableError:
        return False
    return judged(table.cells, cards, without).is_good
