"""How far two pictures of a screen are apart: by the tile that differs most, with a tolerance for letters only.

`python -m tests.display.pictures FOLDER OTHER` says it of two folders that `python -m tools.gallery` has filled.
So BOUND was found: 1,096 pictures by pygame 2.6.1 (SDL_ttf 2.20.1, FreeType 2.12.1) and by pygame-ce 2.5.8 (SDL_ttf
2.24.0, FreeType 2.14.3) are at most 6.2 apart, half of them at most 1.1. A button that is blanked makes 8.9 or more,
mostly above 20.
"""

import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pygame

from companion.display.layout import Box
from companion.display.painter import button_parts
from companion.display.scene import Button, Chart, Item, Moving, Picture, Text, Ticking
from tools.gallery.__main__ import PictureMade, pictures

TILE = 16
BOUND = 7.5  # of 255, in the mean over a tile

Pixels = np.ndarray[Any, np.dtype[np.int16]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]


def small(**options: Any) -> Iterator[PictureMade]:
    """The pictures of docs/screens."""
    usual = {"folder": Path(), "size": None, "language": "en", "theme": "dark", "only": "", "small": True, "shrink": 1}
    return pictures(Namespace(**usual | options))


def pixels(surface: pygame.Surface) -> Pixels:
    return pygame.surfarray.array3d(surface).astype(np.int16)


def are_apart(one: Pixels, other: Pixels, letters: Mask) -> bool:
    """They are not pictures of the same."""
    return worst(one, other, letters & False) >= BOUND and worst(one, other, letters) >= BOUND


def worst(one: Pixels, other: Pixels, letters: Mask) -> float:
    """Of all tiles the difference of the one that differs most."""
    if one.shape != other.shape:
        return 255.0
    apart = np.abs(one - other).max(axis=2)
    if letters.any():
        apart = np.where(letters, np.maximum(_beyond(one, other), _beyond(other, one)), apart)
    return float(_tiles(apart).max())


def _beyond(one: Pixels, other: Pixels) -> Pixels:
    """How far each point is beyond all that the other picture has at that place and around it."""
    around = np.pad(other, ((1, 1), (1, 1), (0, 0)), mode="edge")
    w, h = other.shape[:2]
    near: Pixels = np.stack([around[x : x + w, y : y + h] for x in range(3) for y in range(3)])
    beyond: Pixels = np.maximum(np.maximum(near.min(axis=0) - one, one - near.max(axis=0)), 0).max(axis=2)
    return beyond


def _tiles(apart: Pixels) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The mean of each tile; those at the edge are as large as the others."""
    w, h = apart.shape
    padded = np.pad(apart.astype(float), ((0, -w % TILE), (0, -h % TILE)))
    across, down = padded.shape[0] // TILE, padded.shape[1] // TILE
    means: np.ndarray[Any, np.dtype[np.float64]] = padded.reshape(across, TILE, down, TILE).mean(axis=(1, 3))
    return means


# --- where letters are -----------------------------------------------------------------------------------------


def lettered(made: PictureMade) -> Mask:
    """Where words, digits and pictures with words on them are."""
    mask = np.zeros(made.surface.get_size(), bool)
    for item in made.scene.all():
        for box in _words(item):
            mask[part(box, made.shrink)] = True
    return mask


def _words(item: Item) -> Iterator[Box]:
    if isinstance(item, Text | Ticking | Chart | Picture | Moving):
        yield item.box
    elif isinstance(item, Button):
        yield from (box for box, kind in button_parts(item, item.box) if kind == "label" and item.label)


def part(box: Box, shrink: int) -> tuple[slice, slice]:
    """Of a picture that is so many times smaller, all that a box touches."""
    return slice(box.x // shrink, -(-box.right // shrink)), slice(box.y // shrink, -(-box.bottom // shrink))


def tiles_of(place: tuple[slice, slice]) -> tuple[slice, slice]:
    """The whole tiles around a part of a picture."""
    across, down = (slice(one.start // TILE * TILE, -(-one.stop // TILE) * TILE) for one in place)
    return across, down


def inside(place: tuple[slice, slice], around: tuple[slice, slice]) -> tuple[slice, slice]:
    """Where a part of a picture is in another part around it."""
    across, down = (slice(one.start - of.start, one.stop - of.start) for one, of in zip(place, around, strict=True))
    return across, down


def main(one: str, other: str) -> None:
    found = []
    for made in small(folder=Path(one)):
        file = Path(other) / made.file.relative_to(one)
        first, second = (pixels(pygame.image.load(path)) for path in (made.file, file))
        found.append((worst(first, second, lettered(made)), made.file.name))
    values = [value for value, _ in found]
    said = f"{len(found)} pictures: half of them below {np.median(values):.1f}, 99 of 100 below"
    print(f"{said} {np.percentile(values, 99):.1f}, the last {sorted(found)[-5:]}")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
