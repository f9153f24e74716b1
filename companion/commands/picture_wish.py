"""Which pictures are to be read, and how that is told; what cannot be done is refused before anything is opened."""

import argparse
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.core.errors import CompanionError
from companion.teaching.deck_choice import must_be_known_deck

ENDINGS = (".png", ".jpg", ".jpeg")
FROM_INPUT = "-"

Corner = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PictureWish:
    """What is to be read, and how to tell it."""

    images: tuple[str, ...]
    deck: str
    as_json: bool = False
    picture: Path | None = None
    mat: bool = True
    corners: tuple[Corner, ...] | None = None


def wished(options: argparse.Namespace) -> PictureWish:
    must_be_known_deck(options.deck)
    if options.images.count(FROM_INPUT) > 1:
        raise CompanionError("The standard input (-) can be read only once.")
    if options.picture is not None:
        _must_be_writable(options.picture, options.images)
    points = None if options.corners is None else corners_from(options.corners)
    return PictureWish(tuple(options.images), options.deck, options.json, options.picture, not options.no_mat, points)


def corners_from(text: str) -> tuple[Corner, ...]:
    """Four points `x,y`, clockwise around the table from its top left."""
    try:
        points = tuple(_corner(word) for word in text.split())
    except ValueError:
        points = ()
    if len(points) != 4:
        raise CompanionError(
            f'--corners {text[:60]!r}: write four corners in pixels, clockwise from the top left: "x,y x,y x,y x,y".'
        )
    turns = [_turn(*(points[(at + step) % 4] for step in range(3))) for at in range(4)]
    if all(turn < 0 for turn in turns):
        raise CompanionError(f"--corners {text!r}: they run anticlockwise; name them clockwise from the top left.")
    if not all(turn > 0 for turn in turns):
        raise CompanionError(
            f"--corners {text!r}: their lines cross or fold back; name them clockwise from the top left."
        )
    return points


def _corner(word: str) -> Corner:
    x, y = (float(part) for part in word.split(","))
    if not (abs(x) < 1e6 and abs(y) < 1e6):  # neither is not a number
        raise ValueError(word)
    return x, y


def _turn(a: Corner, b: Corner, c: Corner) -> float:
    """Positive for a turn to the right, as seen in a picture."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _must_be_writable(picture: Path, images: Sequence[str]) -> None:
    if is_folder(picture, images):
        if picture.exists() and not picture.is_dir():
            raise CompanionError(f"--picture {picture}: with several images it names a folder, and this is a file.")
        if picture.suffix.lower() in ENDINGS and not picture.exists():
            raise CompanionError(f"--picture {picture}: with several images it names a folder; leave the ending off.")
        return
    if picture.suffix.lower() not in ENDINGS:
        raise CompanionError(f"--picture {picture}: the name must end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}.")
    with contextlib.suppress(OSError, ValueError):
        if picture.samefile(images[0]):
            raise CompanionError(f"--picture {picture}: that is the picture to be read; name another file.")


def is_folder(picture: Path, images: Sequence[str]) -> bool:
    return len(images) > 1 or picture.is_dir()
