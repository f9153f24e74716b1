"""Contact sheets of the second renderer, to look at: `python -m tests.vision.second FOLDER [seed]`."""

import sys
from pathlib import Path

import cv2
import numpy as np

from tests.vision.second import scene
from vision.mat import LARGE, SMALL

SHEETS = {
    "ours-small": {"edition": "ours", "mat": SMALL},
    "ours-large": {"edition": "ours", "mat": LARGE},
    "ours-bare": {"edition": "ours", "mat": None},
    "other-small": {"edition": "other", "mat": SMALL},
    "other-large": {"edition": "other", "mat": LARGE},
    "other-bare": {"edition": "other", "mat": None},
    "hands": {"edition": "ours", "mat": SMALL, "hand": True, "odd": 0.3},
    "covered": {"edition": "ours", "mat": LARGE, "covered": True},
}


def main(folder: Path, seed: int = 0) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, wish in SHEETS.items():
        pictures = [scene(seed + number, **wish).picture for number in range(9)]  # type: ignore[arg-type]
        small = [cv2.resize(picture, (640, 360), interpolation=cv2.INTER_AREA) for picture in pictures]
        rows = [np.hstack(small[start : start + 3]) for start in (0, 3, 6)]
        cv2.imwrite(str(folder / f"{name}.png"), np.vstack(rows))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:3]))
