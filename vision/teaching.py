"""Teaching: from squares that somebody named to what a deck file holds.

Each square is looked at many times, a little moved, turned and lit otherwise, and in all four quarter turns. How these
looks differ, and those at other pictures of the same face, is learned for the whole deck.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cells import cut
from vision.deck_file import ACROSS, BACK, MAT, TILE, TURNS, DeckFile, Scatter
from vision.eye_errors import DeckError
from vision.features import NEAR, RAW, FeatureNetwork, Features
from vision.frames import Picture, Points
from vision.squares import Squares

WARPS = 6  # looks at a taught square, each in four turns
PASSES = 3  # of turning faces to each other
ALIKE = 0.6  # faces are told as alike that differ by less than this share of what one card scatters by
QUALITY = 80  # of the small pictures
DIRECTIONS = 64  # along which it is known how looks at a face scatter
MORE, ROUNDS = 16, 3  # directions more, and rounds, to find them by

Rng = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class TaughtPicture:
    """One cell that showed a face, as it is kept until the deck is made: turns × features, a small picture, and how far
    each look at it was from the mean of them."""

    features: Features
    tile: Picture
    away: NDArray[np.float16] = field(default_factory=lambda: np.empty((0, RAW), np.float16))  # looks × features


def example_of(picture: Picture, corners: Points, network: FeatureNetwork, rng: Rng) -> TaughtPicture:
    """What one cell of a picture teaches."""
    looks = _warped(picture, corners, rng)
    turned = np.concatenate([np.rot90(looks, turn, (1, 2)) for turn in range(TURNS)])
    features = network.all_of(np.ascontiguousarray(turned)).reshape(TURNS, WARPS, -1)
    mean = features.mean(1)
    away = (features - mean[:, None]).reshape(TURNS * WARPS, -1).astype(np.float16)
    return TaughtPicture(mean, cv2.resize(looks[0], (TILE, TILE), interpolation=cv2.INTER_AREA), away)


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
    """What is known of a face so far: TURNS × features, of how many pictures, and a small picture.

    Of the pictures of this lesson: how far looks at each were from their mean, and each from those before it.
    Of earlier lessons: how looks scattered by what was known then.
    """

    mean: Features
    count: int
    tile: Picture
    looks: tuple[NDArray[np.float16], ...] = ()
    pictures: tuple[Features, ...] = ()
    before: Scatter | None = None

    def copy(self) -> "Taught":
        return replace(self)

    def add(self, example: TaughtPicture) -> None:
        away = turned_like(example.features, self.mean) - self.mean
        self.mean = self.mean + away / (self.count + 1)
        self.count += 1
        self.looks += (example.away,)
        self.pictures += (away * np.float32(np.sqrt(1 - 1 / self.count)),)


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
            self.known[face] = Taught(example.features, 1, example.tile, (example.away,))

    def deck(self, network: str) -> DeckFile:
        """As far as it was taught; a DeckError if no face was."""
        tiles = (*self.faces, BACK, MAT)
        shown = tuple(at for at, face in enumerate(tiles) if face in self.known)
        if not shown or shown[0] >= len(self.faces):
            raise DeckError(f"No face of the deck {self.name} was shown.")
        known = [self.known[tiles[at]] for at in shown]
        means = np.stack(aligned([one.mean for one in known])).astype(np.float32)
        counts = tuple(one.count for one in known)
        sheet = _sheet([self.known[face].tile if face in self.known else None for face in tiles])
        faces = tuple(self.faces)
        scatter = _scatter(known)
        return DeckFile(
            self.name, self.game, faces, self.is_once, network, means, scatter, shown, counts, self.parts, sheet
        )


def lesson_of(deck: DeckFile, tiles: Sequence[Picture]) -> Lesson:
    """To go on with a deck that was taught before."""
    known = {
        deck.tiles[at]: Taught(mean, count, tiles[at], before=deck.scatter)
        for at, count, mean in zip(deck.shown, deck.counts, deck.means, strict=True)
    }
    return Lesson(deck.name, deck.game, deck.faces, deck.parts, deck.is_once, known)


def _scatter(known: Sequence[Taught]) -> Scatter:
    """How looks at a face differ, at one picture and at several, in this lesson and in those before."""
    looks = [each.astype(np.float32) for one in known for each in one.looks]
    pictures = [each for one in known for each in one.pictures]
    before = [one.before for one in known for _ in range(one.count - len(one.looks))]
    total, rows, rest = len(looks) + len(before), [], 0.0
    if looks:
        share = len(looks) / total
        rows.append(np.concatenate(looks) * np.sqrt(share / (len(looks) * TURNS * max(1, WARPS - 1))))
        if pictures:
            rows.append(np.concatenate(pictures) * np.sqrt(share / (len(pictures) * TURNS)))
    if before and before[0] is not None:
        rows.append(before[0].directions * np.sqrt(len(before) / total))
        rest = before[0].rest * len(before) / total
    return _leading(np.concatenate(rows).astype(np.float32), rest)


def _leading(rows: Features, rest: float) -> Scatter:
    """The directions along which rows are longest, and what is left along any other."""
    width = rows.shape[1]
    kept = min(DIRECTIONS, width, len(rows))
    found = np.random.default_rng(1).normal(size=(width, min(kept + MORE, width))).astype(np.float32)
    for _ in range(ROUNDS):
        found, _ = np.linalg.qr(rows.T @ (rows @ found))
    _, lengths, turned = np.linalg.svd(rows @ found, full_matrices=False)
    left = max(0.0, float((rows * rows).sum() - (lengths[:kept] ** 2).sum()) / max(1, width - kept))
    longer = np.sqrt(np.maximum(lengths[:kept] ** 2 - left, 0))
    return Scatter(np.asarray((longer[:, None] * turned[:kept]) @ found.T, np.float32), left + rest)


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
    return min(turned, key=lambda each: float(((each - other)[:, :NEAR] ** 2).sum()))


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
    known = [(at, mean[:, :NEAR]) for at, mean in zip(deck.shown, deck.means, strict=True)]
    cards = [(deck.faces[at], mean) for at, mean in known if at < len(deck.faces)]
    apart = {
        (one, other): min(float(np.linalg.norm(np.roll(mean, turn, 0) - its)) for turn in range(TURNS))
        for (one, mean), (other, its) in combinations(cards, 2)
    }
    least = ALIKE * float(np.sqrt(NEAR))
    return [pair for pair, far in sorted(apart.items(), key=lambda each: each[1]) if far / np.sqrt(TURNS) < least]
