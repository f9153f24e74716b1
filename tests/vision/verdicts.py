"""The pictures of docs/watching/: a play that is legal, one that is not, the moment as a strip, and a dispute's page.

`python -m tests.vision.verdicts` makes them, in front of the simulated camera.
"""

from functools import cache
from pathlib import Path

import cv2

from vision.cells import cut
from vision.frames import Frame, Picture
from vision.ring import Ring
from vision.signs import INK_OF
from vision.simulated.script import Arm, Lying, Script, Seat
from vision.simulated.table import SimulatedTable
from vision.strip import strip
from vision.table import Table, find_table
from vision.verdict import Triple, Verdict, dispute_page, drawn_verdict

FOLDER = Path(__file__).parents[2] / "docs" / "watching"
LARGEST = 60_000  # bytes of a picture
SECOND = 1_000_000_000
BEGIN = "blue-circle-2 red-plus-0 red-circle-3 yellow-star-3 yellow-diamond-3 red-star-1 blue-diamond-3 yellow-plus-2"
GRID = (*BEGIN.split(), "red-diamond-0")
STAR, PLUS = "purple-star-2", "red-plus-2"  # are laid on 5 and on 3
RULED = (3.0, 5.4)  # seconds


def grid_after(plays: int) -> tuple[str, ...]:
    laid = {5: STAR} if plays == 1 else {5: STAR, 3: PLUS} if plays == 2 else {}
    return tuple(laid.get(cell, card) for cell, card in enumerate(GRID, 1))


@cache
def script() -> Script:
    grid = tuple((Lying(card, (at % 3 - 1.0, 0.5), 2.0 * (at % 4 - 1)),) for at, card in enumerate(GRID))
    arms = (_arm("right", RULED[0], 5, Lying(STAR, (1, -1), 3.0)), _arm("top", RULED[1], 3, Lying(PLUS, (-1, 1), -4.0)))
    return Script(7, 6 * SECOND, grid, arms)


def _arm(seat: Seat, ruled: float, cell: int, lying: Lying) -> Arm:
    enters, there, deed, leaves, gone = (round((ruled - early) * SECOND) for early in (2.0, 1.4, 1.1, 0.9, 0.4))
    return Arm(seat, enters, there, deed, leaves, gone, cell, "lay", lying)


class Watched:
    """The script as a camera sees it: its table, and its frames."""

    def __init__(self) -> None:
        self._source = SimulatedTable(script())
        self.table: Table = find_table(self.at(0).picture)

    def at(self, seconds: float) -> Frame:
        return self._source.frame_at(round(seconds * script().rate))

    def squares(self, seconds: float) -> tuple[Picture, ...]:
        return tuple(cut(self.at(seconds).picture, self.table.cells))

    def ring(self, start: float, end: float) -> Ring:
        ring, rate = Ring(), script().rate
        for number in range(round(start * rate), round(end * rate)):
            ring.add(self._source.frame_at(number), changed=True)
        return ring


def legal(watched: Watched) -> Verdict:
    before, after = watched.squares(0), watched.squares(RULED[0])
    return Verdict(
        "legal",
        5,
        STAR,
        GRID[4],
        grid_after(1),
        "Cell\u00a05: purple\u00a0star\u00a02 is legal",
        ("The middle row is now star, star, star.", "It was not before: a yellow diamond 3 lay on cell 5."),
        (Triple((4, 5, 6), "star"),),
        before=before[4],
        after=after[4],
        squares=after,
        when="0:03.0, frame 90",
        margin="99.8 % sure",
        guess="Perhaps Eva: the arm came from the right.",
    )


def illegal(watched: Watched) -> Verdict:
    before, after = watched.squares(RULED[0]), watched.squares(RULED[1])
    return Verdict(
        "illegal",
        3,
        PLUS,
        GRID[2],
        grid_after(2),
        "Cell\u00a03: red\u00a0plus\u00a02 is not legal",
        ("No line through cell 3 has something new in common.", "The right column was red before."),
        (Triple((3, 6, 9), "red", ("red",)),),
        before=before[2],
        after=after[2],
        picture=watched.at(RULED[1]).picture,
        table=watched.table,
        when="0:05.4, frame 162",
        margin="99.6 % sure",
    )


def taken_back() -> Verdict:
    grid, title = grid_after(0), "Cell 8: yellow plus 1 taken back"
    return Verdict("taken back", 8, grid[7], "yellow-plus-1", grid, title, ("No ruling is needed.",), when="0:01.2")


def the_strip(watched: Watched) -> Picture:
    at = watched.at(RULED[0]).stamp
    moments = watched.ring(RULED[0] - 2, RULED[0] + 0.4).stretch(at, 18 * SECOND // 10, 3 * SECOND // 10, 7)
    return strip(moments, watched.table, at, cell=5, size=(1280, 230), ink=INK_OF["legal"])


def pictures() -> dict[str, Picture]:
    watched = Watched()
    yes, no = legal(watched), illegal(watched)
    return {
        "legal.jpg": drawn_verdict(yes, (1024, 576)),
        "illegal.jpg": drawn_verdict(no, (800, 480)),
        "strip.jpg": the_strip(watched),
        "dispute.jpg": dispute_page([no, yes, taken_back()], (800, 480)),
    }


def packed(picture: Picture) -> bytes:
    """As good as there is room for."""
    for quality in range(92, 40, -6):
        jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(jpeg) <= LARGEST:
            break
    return jpeg


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        (FOLDER / name).write_bytes(packed(picture))
        print(name, (FOLDER / name).stat().st_size)  # noqa: T201
