"""Teaching: from squares that somebody named to what a deck file holds.

Each square is looked at many times, a little moved, turned and lit otherwise, and in all four quarter turns.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np

from vision.cells import cut
from vision.deck_file import ACROSS, BACK, MAT, TILE, TURNS, DeckFile
from vision.eye_errors import DeckError
from vision.features import FeatureNetwork, Features
from vision.frames import Picture, Points
from vision.squares import Squares

WARPS = 6  # looks at a taught square, each in four turns
PASSES = 3  # of turning faces to each other
ALIKE = 0.6  # faces are told as alike that differ by less than this share of what one card scatters by
QUALITY = 80  # of the small pictures

Rng = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class TaughtPicture:
    """One cell that showed a face, as it is kept until the deck is made: turns × features, and a small picture."""

    features: Features
    tile: Picture


def example_of(picture: Picture, corners: Points, network: FeatureNetwork, rng: Rng) -> TaughtPicture:
    """What one cell of a picture teaches."""
    looks = _warped(picture, corners, rng)
    turned = np.concatenate([np.rot90(looks, turn, (1, 2)) for turn in range(TURNS)])
    features = network.of(np.ascontiguousarray(turned)).reshape(TURNS, WARPS, -1).mean(1)
    return TaughtPicture(features, cv2.resize(looks[0], (TILE, TILE), interpolation=cv2.INTER_AREA))


def _warped(picture: Picture, corners: Points, rng: Rng) -> Squares:
    """The cell as it is, and as it might be cut out and lit another time."""
    middle, side = corners.mean(0), float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean())
    quads = [corners]
    for _ in range(WARPS - 1):
        angle, zoom = rng.normal(0, 0.04), np.exp(rng.normal(0, 0.03))
        spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * zoom
        moved = (corners - middle) @ spin.T + middle + rng.normal(0, 0.02 * side, 2)
        quads.append(moved + rng.normal(0, 0.006 * side, (4, 2)))
    squares = cut(picture, np.stack(quads).astype(np.float32))
    for square in squares[1:]:
        gains = np.exp(rng.normal(0, 0.04, 3) + rng.normal(0, 0.08))
        lit = square * gains
        if rng.random() < 0.4:
            lit = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.4, 1.0))
        square[:] = np.clip(lit, 0, 255).astype(np.uint8)
    return squares


# --- the deck --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Taught:
    """What is known of a face so far: TURNS × features, of how many pictures, and a small picture."""

    mean: Features
    count: int
    tile: Picture

    def copy(self) -> "Taught":
        return replace(self)

    def add(self, example: TaughtPicture) -> None:
        turned = turned_like(example.features, self.mean)
        self.mean = (self.mean * self.count + turned) / (self.count + 1)
        self.count += 1


@dataclass(slots=True)
class Lesson:
    """A deck while it is taught: of which game, what its faces are called, and what is known of them."""

    name: str
    game: str
    faces: tuple[str, ...]
    parts: int
    is_once: bool
    known: dict[str, Taught]

    def show(self, face: str, example: TaughtPicture) -> None:
        """One more picture of a face, of the back or of the mat."""
        if face in self.known:
            self.known[face].add(example)
        else:
            self.known[face] = Taught(example.features, 1, example.tile)

    def deck(self, network: str) -> DeckFile:
        """As far as it was taught; a DeckError if no face was."""
        tiles = (*self.faces, BACK, MAT)
        shown = tuple(at for at, face in enumerate(tiles) if face in self.known)
        if not shown or shown[0] >= len(self.faces):
            raise DeckError(f"No face of the deck {self.name} was shown.")
        known = [self.known[tiles[at]] for at in shown]
        means = np.stack(aligned([one.mean for one in known])).astype(np.float16)
        counts = tuple(one.count for one in known)
        sheet = _sheet([self.known[face].tile if face in self.known else None for face in tiles])
        faces = tuple(self.faces)
        return DeckFile(self.name, self.game, faces, self.is_once, network, means, shown, counts, self.parts, sheet)


def lesson_of(deck: DeckFile, tiles: Sequence[Picture]) -> Lesson:
    """To go on with a deck that was taught before."""
    known = {
        deck.tiles[at]: Taught(mean.astype(np.float32), count, tiles[at])
        for at, count, mean in zip(deck.shown, deck.counts, deck.means, strict=True)
    }
    return Lesson(deck.name, deck.game, deck.faces, deck.parts, deck.is_once, known)


def aligned(means: Sequence[Features]) -> list[Features]:
    """Looks in the same four turns, of all faces: cards lay turned when they were shown."""
    found = list(means)
    for _ in range(PASSES):
        middle = np.mean(found, 0)
        found = [turned_like(one, middle) for one in found]
    return found


def turned_like(one: Features, other: Features) -> Features:
    """The same face turned as another lies."""
    turned = [np.roll(one, turn, 0) for turn in range(TURNS)]
    return min(turned, key=lambda each: float(((each - other) ** 2).sum()))


def _sheet(tiles: Sequence[Picture | None]) -> bytes:
    rows = -(-len(tiles) // ACROSS)
    sheet: Picture = np.full((rows * TILE, ACROSS * TILE, 3), 235, np.uint8)
    for at, tile in enumerate(tiles):
        if tile is not None:
            top, left = at // ACROSS * TILE, at % ACROSS * TILE
            sheet[top : top + TILE, left : left + TILE] = tile
    return bytes(cv2.imencode(".jpg", sheet, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1])


def tiles_of(sheet: Picture, count: int) -> list[Picture]:
    """The small pictures of a sheet, each by itself."""
    return [
        sheet[at // ACROSS * TILE : (at // ACROSS + 1) * TILE, at % ACROSS * TILE : (at % ACROSS + 1) * TILE]
        for at in range(count)
    ]


def too_alike(deck: DeckFile) -> list[tuple[str, str]]:
    """Faces that the deck can hardly tell from each other, the most alike first."""
    known = [(at, mean.astype(np.float32)) for at, mean in zip(deck.shown, deck.means, strict=True)]
    cards = [(deck.faces[at], mean) for at, mean in known if at < len(deck.faces)]
    apart = {
        (one, other): min(float(np.linalg.norm(np.roll(mean, turn, 0) - its)) for turn in range(TURNS))
        for (one, mean), (other, its) in combinations(cards, 2)
    }
    least = ALIKE * float(np.sqrt(deck.means.shape[2]))
    return [pair for pair, far in sorted(apart.items(), key=lambda each: each[1]) if far / np.sqrt(TURNS) < least]
