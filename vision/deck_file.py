"""A deck that was taught, as a file: what its faces look like in numbers, and small pictures of them for people.

The file is a zip of deck.json, faces.jpg, and numbers: middle.f2 (of two bytes: what all faces have in common, in each
of four turns), means.i1 (of one byte: by how much each face differs from that) and scatter.i1 (how looks at one face
differ from each other). Nothing in it can be run, and nothing of it is believed: it may come from anybody.
"""

import io
import json
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.core import plainfile
from companion.core import wholefile as whole
from companion.core.deck_names import LONGEST, is_deck_name
from vision.eye_errors import DeckError, PictureError
from vision.header import header_of

ENDING = ".deck"
FORMAT = 2
LARGEST = 300_000  # bytes of a file
UNPACKED = 2_000_000  # bytes of what is in it
ABOUT, SHEET = "deck.json", "faces.jpg"
MIDDLE, MEANS, SCATTER = "middle.f2", "means.i1", "scatter.i1"
STEP, FINE_STEP = 0.5, 0.1  # of the whole numbers that means and scatter are kept in; one card scatters by about one
MOST_FACES = 128
TURNS = 4  # in which a card may lie, each a quarter further
TILE, ACROSS = 56, 10  # pixels of a face's small picture, and how many stand in a row of the sheet
FAR = 1000.0  # no number of a square is so large
BACK, MAT = "back", "mat"  # what else is taught: the other side of the cards, and the place without one

_FACE = re.compile(r"[A-Za-z0-9+][A-Za-z0-9+ _-]{0,39}")


@dataclass(frozen=True, slots=True, eq=False)
class Scatter:
    """How looks at one face differ from their mean: along some directions, and in all others alike."""

    directions: NDArray[np.float32]  # directions × features, each as long as looks differ along it
    rest: float  # the variance along any other

    @property
    def matrix(self) -> NDArray[np.float32]:
        """The covariance of features."""
        alike = self.rest * np.eye(self.directions.shape[1], dtype=np.float32)
        return np.asarray(self.directions.T @ self.directions + alike, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class DeckFile:
    """What a `.deck` holds. Faces are known by their numbers; BACK and MAT come after them."""

    name: str
    game: str
    faces: tuple[str, ...]
    is_once: bool  # no face lies on two cells
    network: str  # which features these are
    means: NDArray[np.float32]  # shown × TURNS × features: how each looked, in the mean
    scatter: Scatter
    shown: tuple[int, ...]  # which face each of them is
    counts: tuple[int, ...]  # of how many pictures
    parts: int  # of which the name of each face is made; 0 where names say nothing of looks
    sheet: bytes  # the small pictures, a JPEG

    @property
    def tiles(self) -> tuple[str, ...]:
        """What the sheet shows, in its order."""
        return (*self.faces, BACK, MAT)

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces that nobody has shown yet."""
        return tuple(face for number, face in enumerate(self.faces) if number not in self.shown)


def proper_name(name: str) -> str:
    """The name of a deck; a DeckError if it is none."""
    if is_deck_name(name):
        return name
    raise DeckError(
        f"{name[:LONGEST]!r} cannot be the name of a deck: take letters, figures, blanks and hyphens, at most "
        f"{LONGEST}."
    )


# --- writing ---------------------------------------------------------------------------------------------------


def write_deck(path: Path, deck: DeckFile) -> None:
    """Whole or not at all; what was there before stays until it is."""
    content = packed(deck)
    if len(content) > LARGEST:
        raise DeckError(f"The deck {deck.name} would take {len(content):,} bytes, and {LARGEST:,} is the most.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        whole.write(path, content)
    except OSError as error:
        raise DeckError(f"{path} cannot be written: {error.strerror or error}.") from None


def packed(deck: DeckFile) -> bytes:
    about = {
        "deck": FORMAT,
        "name": deck.name,
        "game": deck.game,
        "network": deck.network,
        "faces": list(deck.faces),
        "once": deck.is_once,
        "parts": deck.parts,
        "features": deck.means.shape[2],
        "directions": len(deck.scatter.directions),
        "rest": round(deck.scatter.rest, 4),
        "shown": list(deck.shown),
        "counts": list(deck.counts),
    }
    middle = deck.means.mean(0).astype("<f2")
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in (
            (ABOUT, json.dumps(about, ensure_ascii=False).encode()),
            (MIDDLE, middle.tobytes()),
            (MEANS, _bytes_of((deck.means - middle) / STEP)),
            (SCATTER, _bytes_of(deck.scatter.directions / FINE_STEP)),
            (SHEET, deck.sheet),
        ):
            file.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return held.getvalue()


def _bytes_of(numbers: NDArray[np.float32]) -> bytes:
    return np.clip(np.round(numbers), -127, 127).astype(np.int8).tobytes()


# --- reading ---------------------------------------------------------------------------------------------------


def read_deck(path: Path) -> DeckFile:
    """A DeckError says in one sentence what is wrong with it."""
    try:
        content = plainfile.content(path, LARGEST)
    except OSError as error:
        raise DeckError(f"The deck {path} cannot be read: {error.strerror or error}.") from None
    try:
        return unpacked(content)
    except DeckError as error:
        raise DeckError(f"{path} {error}") from None


def unpacked(content: bytes) -> DeckFile:
    """The error's sentence goes on from the name of the file."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            about = json.loads(_part(file, ABOUT))
            if not isinstance(about, dict):
                raise ValueError("no object")
            if about.get("deck") != FORMAT:
                told = str(about.get("deck"))[:20]
                raise DeckError(f"is of version {told}, and this companion reads {FORMAT}: teach the deck again.")
            held = {name: _part(file, name) for name in (MIDDLE, MEANS, SCATTER, SHEET)}
    except DeckError:
        raise
    except Exception:  # zipfile raises whatever comes to its mind, of files that were made to annoy it
        raise DeckError("is cut short or damaged, or no deck at all: copy it again, or teach the deck again.") from None
    try:
        return _checked(about, held)
    except (ValueError, TypeError, KeyError, OverflowError, AttributeError, RecursionError) as error:
        if isinstance(error, DeckError):
            raise
        raise DeckError("does not hold what a deck must hold: copy it again, or teach the deck again.") from None


def _part(file: zipfile.ZipFile, name: str) -> bytes:
    told = file.getinfo(name)
    if told.file_size > UNPACKED:
        raise DeckError("holds more than any deck does.")
    with file.open(told) as part:
        return part.read(UNPACKED)  # what it says of its size need not be so; its checksum is


def _checked(about: dict[str, Any], held: dict[str, bytes]) -> DeckFile:
    faces, shown, counts = (tuple(about[key]) for key in ("faces", "shown", "counts"))
    if not all(isinstance(about[key], list) for key in ("faces", "shown", "counts")):
        raise ValueError("lists")
    width, directions, parts, network = about["features"], about["directions"], about["parts"], about["network"]
    if not 0 < len(faces) <= MOST_FACES or len(set(faces)) < len(faces) or not all(map(_FACE.fullmatch, faces)):
        raise ValueError("faces")
    numbered = (*shown, *counts, width, directions, parts)
    if not all(type(at) is int for at in numbered) or len(set(shown)) < len(shown) or len(shown) != len(counts):
        raise ValueError("shown")
    if not shown or not all(0 <= at < len(faces) + 2 for at in shown) or not all(0 < n < 10_000 for n in counts):
        raise ValueError("shown")
    if width < 1 or directions < 0 or not 0 <= parts < 8:
        raise ValueError("numbers")
    if not (isinstance(network, str) and isinstance(about["game"], str) and isinstance(about["name"], str)):
        raise ValueError("words")
    means, scatter = _means(held, len(shown), width), _scatter(held[SCATTER], directions, width, about["rest"])
    sheet = held[SHEET]
    _must_be_sheet(sheet, len(faces) + 2)
    once = about["once"] is True
    name, game = proper_name(about["name"]), about["game"][:LONGEST]
    return DeckFile(name, game, faces, once, network[:80], means, scatter, shown, counts, parts, sheet)


def _means(held: dict[str, bytes], shown: int, width: int) -> NDArray[np.float32]:
    middle = np.frombuffer(held[MIDDLE], "<f2").reshape(TURNS, width).astype(np.float32)
    if not (np.abs(middle) < FAR).all():  # what is no number is not less either
        raise DeckError("holds numbers out of all bounds: teach the deck again.")
    return middle + STEP * np.frombuffer(held[MEANS], np.int8).reshape(shown, TURNS, width).astype(np.float32)


def _scatter(numbers: bytes, directions: int, width: int, rest: object) -> Scatter:
    if not (isinstance(rest, int | float) and 0 <= rest < FAR):
        raise DeckError("holds numbers out of all bounds: teach the deck again.")
    found = np.frombuffer(numbers, np.int8).reshape(directions, width).astype(np.float32)
    return Scatter(FINE_STEP * found, float(rest))


def _must_be_sheet(sheet: bytes, tiles: int) -> None:
    try:
        size = header_of(sheet).upright
    except PictureError:
        raise ValueError("sheet") from None
    if size != (ACROSS * TILE, -(-tiles // ACROSS) * TILE):
        raise ValueError("sheet")
