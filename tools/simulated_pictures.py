"""`python -m tools.simulated_pictures FOLDER [seed]`: one frame, and a sheet that shows each deed and each mishap."""

import sys
from pathlib import Path

import cv2
import numpy as np

from companion.core import wholefile as whole
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Deed, Lying, Mishap, Script, ScriptedArm, Seat
from vision.deck import CARDS
from vision.eye_errors import PictureError, SightError
from vision.frames import Picture

SECOND = 1_000_000_000
SEATS: tuple[Seat, ...] = ("bottom", "right", "top", "left")
LONG = 22.0  # seconds of the script
SEED = 8  # of a plain table, which packs small
ACROSS = 6  # pictures in a row
WIDTH = 256
WIDE = 960  # of the one frame
MOST = 59_000  # bytes of a file, so that documents stay light
QUALITIES = (88, 80, 72, 64, 56, 48, 40, 32)
TWO_ARMS = 2.3  # seconds
# When something starts: its arms, by seat, deed, cell, the cell it is shoved to, and seconds later than that.
DEEDS: tuple[tuple[float, int, Deed, int, int], ...] = (
    (0.3, 0, "lay", 5, 0),
    (1.7, 1, "lay", 3, 0),
    (1.8, 3, "lay", 4, 0),
    (3.2, 2, "take", 2, 0),
    (4.5, 3, "hover", 1, 0),
    (5.9, 0, "square", 8, 0),
    (7.2, 1, "knock", 6, 9),
    (15.9, 2, "lay", 1, 0),
)
MISHAPS = (
    Mishap("nudge", 9 * SECOND, int(9.3 * SECOND), 30, -14, 2.5),
    Mishap("moved", int(10.0 * SECOND), int(10.4 * SECOND), -12, 8, -5),
    Mishap("light", int(10.9 * SECOND), 12 * SECOND, 0.35, turn=0, y=0.9),
    Mishap("glare", int(12.2 * SECOND), 13 * SECOND, 95, 129, 26),
    Mishap("flicker", int(13.2 * SECOND), 14 * SECOND, 0.25),
    Mishap("cover", int(14.2 * SECOND), 17 * SECOND, 0.45, 0.95),
    Mishap("foreign", int(17.4 * SECOND), 18 * SECOND, 5),
    Mishap("upside down", int(18.2 * SECOND), 19 * SECOND),
    Mishap("black", int(19.2 * SECOND), 20 * SECOND),
)
SHOWN = (
    (0.0, "the table"),
    (0.55, "lay: carried in"),
    (0.92, "laid"),
    (2.28, "two at once"),
    (3.92, "take: lifted"),
    (5.2, "hover"),
    (6.55, "square"),
    (7.7, "knock: shoved"),
    (9.15, "nudge, under way"),
    (9.7, "nudged"),
    (10.7, "the mat moved"),
    (11.5, "light: less and warmer"),
    (12.6, "glare"),
    (13.6, "flicker"),
    (16.6, "cover, and an arm over it"),
    (17.7, "foreign: cell 5"),
    (18.6, "upside down"),
    (19.6, "black"),
)


def shown_script(seed: int) -> Script:
    """Every deed, and every mishap that can be seen in one picture."""
    rng = np.random.default_rng(seed)
    cards = [CARDS[number] for number in rng.permutation(len(CARDS))]

    def lying() -> Lying:
        across, down = rng.normal(0, 1.8, 2).tolist()
        return Lying(cards.pop(), (across, down), float(rng.normal(0, 4)))

    grid = tuple(tuple(lying() for _ in range(1 + cell % 4)) for cell in range(9))
    arms = tuple(_arm(start, SEATS[seat], what, cell, onto, lying()) for start, seat, what, cell, onto in DEEDS)
    return Script(seed, int(LONG * SECOND), grid, arms, MISHAPS)


def _arm(start: float, seat: Seat, what: Deed, cell: int, onto: int, lying: Lying) -> ScriptedArm:
    enters, there, deed, leaves, gone = (round((start + later) * SECOND) for later in (0, 0.42, 0.6, 0.72, 1.2))
    return ScriptedArm(seat, enters, there, deed, leaves, gone, cell, what, lying, onto)


def one_frame(table: SimulatedTable) -> Picture:
    """With two arms at work."""
    picture = table.frame_at(round(TWO_ARMS * table.script.rate)).picture
    size = (WIDE, round(WIDE * table.size[1] / table.size[0]))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def sheet(table: SimulatedTable) -> Picture:
    """The pictures side by side, each with what it shows."""
    height = round(WIDTH * table.size[1] / table.size[0])
    cells = []
    for seconds, words in SHOWN:
        picture = table.frame_at(round(seconds * table.script.rate)).picture
        small = cv2.resize(picture, (WIDTH, height), interpolation=cv2.INTER_AREA)
        cells.append(_labelled(small, words))
    cells += [np.full_like(cells[0], 255)] * (-len(cells) % ACROSS)
    return np.vstack([np.hstack(cells[first : first + ACROSS]) for first in range(0, len(cells), ACROSS)])


def _labelled(picture: Picture, words: str) -> Picture:
    height = picture.shape[0]
    (width, _), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 0.42, 1)
    cv2.rectangle(picture, (0, height - 18), (width + 8, height), (255, 255, 255), -1)
    cv2.putText(picture, words, (4, height - 5), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (0, 0, 0), 1, cv2.LINE_AA)
    return picture


def main(arguments: list[str]) -> int:
    if not 1 <= len(arguments) <= 2 or not all(one.isdecimal() for one in arguments[1:]):
        print("Say where the pictures go: python -m tools.simulated_pictures FOLDER [seed]", file=sys.stderr)  # noqa: T201
        return 2
    table = SimulatedTable(shown_script(int(arguments[1]) if len(arguments) > 1 else SEED))
    pictures = {"table.jpg": one_frame(table), "deeds.jpg": sheet(table)}
    for name, picture in pictures.items():
        try:
            _write(Path(arguments[0]) / name, picture)
        except SightError as error:
            print(error, file=sys.stderr)  # noqa: T201
            return 2
        print(Path(arguments[0]) / name)  # noqa: T201
    return 0


def _packed(picture: Picture, quality: int) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def _write(path: Path, picture: Picture) -> None:
    tries = [_packed(picture, quality) for quality in QUALITIES]
    data = next((one for one in tries if len(one) <= MOST), tries[-1])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        whole.write(path, data)
    except OSError as error:
        raise PictureError(f"{path} cannot be written: {error.strerror}.") from None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
