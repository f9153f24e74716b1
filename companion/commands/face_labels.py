"""The file that names taught faces: rows of picture, place and face."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.core import plainfile
from companion.core.errors import CompanionError

LARGEST = 1_000_000  # bytes
ALSO = ("back", "mat")  # that can be taught beside the faces
HEADING = ["picture", "place", "face"]


@dataclass(frozen=True, slots=True)
class FaceLabel:
    """What lies on a place of a picture."""

    picture: str  # without its folder
    place: int
    face: str


def labels_in(path: Path, faces: Sequence[str]) -> tuple[FaceLabel, ...]:
    """A sentence with the row says what is wrong."""
    try:
        text = plainfile.text(path, LARGEST)
    except UnicodeDecodeError:
        raise CompanionError(f"{path} is no text: write rows of picture,place,face.") from None
    except OSError as error:
        raise CompanionError(f"{path} cannot be read: {error.strerror or error}.") from None
    rows = [[word.strip() for word in row] for row in csv.reader(text.splitlines()) if any(row)]
    numbered = [(number, row) for number, row in enumerate(rows, 1) if row != HEADING]
    found = tuple(_label(f"{path}, row {number}", row, faces) for number, row in numbered)
    if not found:
        raise CompanionError(f"{path} names no face: write rows of picture,place,face.")
    places = [(one.picture, one.place) for one in found]
    if twice := next((place for place in places if places.count(place) > 1), None):
        raise CompanionError(f"{path} names place {twice[1]} of {twice[0]} twice.")
    return found


def _label(where: str, row: Sequence[str], faces: Sequence[str]) -> FaceLabel:
    if len(row) != 3:
        raise CompanionError(f"{where}: it has {len(row)} words and must have three: picture,place,face.")
    picture, place, face = row
    if place not in map(str, range(1, 10)):
        raise CompanionError(f"{where}: {place[:20]!r} is no place; places are 1 to 9, row by row.")
    known = {name.lower(): name for name in (*faces, *ALSO)}
    name = known.get(face.lower().replace(" ", "-"), known.get(face.lower()))
    if name is None:
        raise CompanionError(
            f"{where}: there is no face {face[:40]!r}; faces are called like {faces[0]} and {faces[-1]}."
        )
    return FaceLabel(Path(picture).name, int(place), name)


def words_of(face: str) -> str:
    """As it is said."""
    return face.replace("-", " ")
