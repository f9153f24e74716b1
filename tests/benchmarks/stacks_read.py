"""How well the printed pieces of Triplexity are read on their mat: `python -m tests.benchmarks.stacks_read --askew 22`.

One picture of a room each, with up to three pieces that lie anyhow; nothing is watched.
"""

import argparse
from collections import Counter
from random import Random

import cv2

from companion.games.triplexity.faces import FACES
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Lying, Script
from tests.triplexity.watched import reader
from vision.locate import find_table
from vision.markers import Finder
from vision.mat import STACKS

FIRST = 4_000
SECOND = 1_000_000_000


def counted(rooms: int, askew: float) -> Counter[str]:
    """Pieces lie up to 3 mm off, any of the four ways round, and up to so many degrees askew."""
    by, found = reader(), Counter[str]()
    for seed in range(FIRST, FIRST + rooms):
        rng = Random(seed)
        faces = rng.sample(FACES.names, rng.randint(0, len(STACKS.places)))
        grid: list[tuple[Lying, ...]] = [
            (
                Lying(
                    face,
                    (rng.uniform(-3, 3), rng.uniform(-3, 3)),
                    rng.choice((0, 90, 180, 270)) + rng.uniform(-askew, askew),
                ),
            )
            for face in faces
        ]
        grid += [()] * (len(STACKS.places) - len(faces))
        script = Script(seed, SECOND, tuple(grid), mat=STACKS, places=STACKS.places, paper="triplexity")
        picture = SimulatedTable(script).frame_at(0).picture
        table = find_table(picture, finder=Finder(mats=(STACKS,)))
        for at, reading in enumerate(by.read(picture, table.cells, table.mat)):
            wanted = faces[at] if at < len(faces) else None
            kind = "pieces" if wanted else "bare places"
            found[kind] += 1
            found[f"{kind} told rightly"] += reading.card == wanted and (wanted is not None or reading.state == "empty")
            found["told wrongly"] += reading.card not in (None, wanted)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=70)
    parser.add_argument("--askew", type=float, default=22.0, help="degrees at most")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for name, count in sorted(counted(options.rooms, options.askew).items()):
        print(f"{name}: {count}")  # noqa: T201


if __name__ == "__main__":
    main()
