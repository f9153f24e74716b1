"""Contact sheets of the second renderer, to look at: `python -m tests.vision.second FOLDER [seed]`."""

import sys
from pathlib import Path

import cv2
import numpy as np

from tests.vision.second import Wish, editions, shot
from vision.deck import CARDS
from vision.frames import Picture
from vision.mat import LARGE, SMALL

SHEETS = {
    "ours-small": Wish("ours", SMALL),
    "ours-large": Wish("ours", LARGE),
    "ours-bare": Wish("ours", None),
    "other-small": Wish("other", SMALL),
    "other-large": Wish("other", LARGE),
    "other-bare": Wish("other", None),
    "hands": Wish("ours", SMALL, hand=True, odd=0.3),
    "covered": Wish("ours", LARGE, covered=True),
    "mirrored": Wish("ours", SMALL, mirrored=True),
    **{name: Wish(name, None) for name in editions.NAMES},
}
CELL = 160  # pixels of a face on the sheet of editions


def main(folder: Path, seed: int = 0) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / "editions.png"), np.vstack([_faces(name) for name in editions.NAMES]))
    for name, wish in SHEETS.items():
        pictures = [shot(seed + number, wish).picture for number in range(9)]
        small = [cv2.resize(picture, (640, 360), interpolation=cv2.INTER_AREA) for picture in pictures]
        rows = [np.hstack(small[start : start + 3]) for start in (0, 3, 6)]
        cv2.imwrite(str(folder / f"{name}.png"), np.vstack(rows))


def _faces(edition: str) -> Picture:
    """Some cards of an edition beside each other, its back and its blank card."""
    row = np.full((CELL, CELL * 10, 3), 90, np.uint8)
    for at, name in enumerate([*CARDS[::9], "back", "blank"]):
        face = editions.face(edition, name)[..., ::-1]
        scale = 0.94 * CELL / max(face.shape)
        small = cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        top, left = (CELL - small.shape[0]) // 2, at * CELL + (CELL - small.shape[1]) // 2
        row[top : top + small.shape[0], left : left + small.shape[1]] = small
    return row


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:3]))
