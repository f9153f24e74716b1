"""The room: what the table is made of, and the light: of one lamp, and what comes from everywhere.

Tones are those of the picture (a power of the light), so light that is half as strong is a factor of tones too, and
the noise of the sensor's counting is about the same in all of them.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.rendered.pinhole import Array, Rng
from vision.frames import Picture

TONE = 1 / 2.2
TEXELS = 1.6  # of a table's texture for each millimetre
ACROSS, DOWN = 1500, 1100  # texels

Field = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class LampLight:
    """A lamp at a place (x, y, height), and the light of the room; colours are blue, green, red."""

    lamp: Array
    strength: Array  # of the lamp, in the middle of the table
    around: Array
    slope: Array  # by which the room's light grows across and down, for each metre

    def on(self, ground: Array) -> Array:
        """Light at places of the table: 1.0 makes white paper white."""
        away = np.sqrt(((ground - self.lamp[:2]) ** 2).sum(-1, keepdims=True) + self.lamp[2] ** 2)
        nearest = np.linalg.norm(self.lamp)
        more = 1 + (ground * self.slope).sum(-1, keepdims=True) / 1000
        return (nearest / away) ** 3 * self.strength + np.clip(more, 0.4, 1.6) * self.around

    def shaded(self, shadow: Array) -> Array:
        """The factor of a tone (… × 3) where so much of the lamp is hidden."""
        hidden = shadow[..., None] * self.strength / (self.strength + self.around)
        return np.asarray((1 - hidden) ** TONE)

    def shadow(self, points: Array) -> Array:
        """Where the shadow of points over the table falls, as points on it."""
        height = points[..., 2:]
        along = height / np.maximum(self.lamp[2] - height, 50.0)
        ground = points[..., :2] + (points[..., :2] - self.lamp[:2]) * along
        return np.concatenate([ground, np.zeros_like(height)], -1)


def a_light(rng: Rng) -> LampLight:
    """A lamp to some side over the table, and a camera that set its white nearly right."""
    turn, out = rng.uniform(0, 2 * np.pi), rng.uniform(150, 650)
    lamp = np.array([np.cos(turn) * out, np.sin(turn) * out, rng.uniform(650, 1300)])
    share = rng.uniform(0.4, 0.72)
    level = (rng.uniform(0.76, 0.93)) ** (1 / TONE)
    warm, other = rng.normal(0, 0.05), rng.normal(0, 0.09)
    return LampLight(lamp, _tint(warm) * share * level, _tint(other) * (1 - share) * level, rng.normal(0, 0.5, 2))


def _tint(warm: float) -> Array:
    return np.array([np.exp(-1.3 * warm), 1.0, np.exp(warm)])


# --- What the table is made of


def a_tabletop(rng: Rng) -> Picture:
    """A texture of a table, from its top left; the mat lies on its middle."""
    kind = TABLETOPS[int(rng.integers(len(TABLETOPS)))]
    return np.clip(kind(rng), 4, 250).astype(np.uint8)


def clouds(rng: Rng, size: tuple[int, ...], step: tuple[float, float]) -> Field:
    """Smooth chance between about -2 and 2 that changes over so many texels across and down."""
    small = (max(2, round(size[0] / step[0])) + 2, max(2, round(size[1] / step[1])) + 2)
    coarse = rng.standard_normal((small[1], small[0]), np.float32)
    return np.asarray(cv2.resize(coarse, (size[0], size[1]), interpolation=cv2.INTER_CUBIC))


def _planks(rng: Rng) -> Field:
    """Boards with the rings of trees that were cut lengthwise."""
    size = (ACROSS, DOWN)
    board = rng.uniform(120, 260)
    down = np.arange(DOWN, dtype=np.float32)[:, None]
    number = np.floor(down / board + rng.uniform(0, 1))
    offset = (np.sin(number * 37.7) * 900).astype(np.float32)
    rings = (down + offset) * 0.09 + 1.6 * clouds(rng, size, (700, 60)) + 0.35 * clouds(rng, size, (160, 14))
    grain = 0.5 + 0.5 * np.sin(rings + 1.2 * np.sin(0.37 * rings))
    pores = clouds(rng, size, (40, 1.2))
    tone = 0.82 + 0.2 * grain + 0.05 * pores + 0.05 * np.sin(number * 12.9)
    seam = np.minimum(1, 0.35 + np.abs((down / board) - np.round(down / board)) * board / 2.2)
    woods = ((92, 140, 186), (58, 92, 132), (38, 56, 82), (130, 170, 205), (70, 100, 150))
    wood = np.array(woods[int(rng.integers(len(woods)))], np.float32)
    return (tone * seam)[..., None] * wood


def _linen(rng: Rng) -> Field:
    """Threads over and under, thick and thin."""
    across, down = np.arange(ACROSS, dtype=np.float32)[None, :], np.arange(DOWN, dtype=np.float32)[:, None]
    step = rng.uniform(3.2, 5.5)
    warp = np.sin(across * 2 * np.pi / step + 0.8 * clouds(rng, (ACROSS, DOWN), (300, 8)))
    weft = np.sin(down * 2 * np.pi / step + 0.8 * clouds(rng, (ACROSS, DOWN), (8, 300)))
    tone = 0.9 + 0.06 * warp * weft + 0.05 * clouds(rng, (ACROSS, DOWN), (200, 200))
    cloth = np.array(_paint(rng), np.float32)
    picture = tone[..., None] * cloth
    if rng.random() < 0.5:  # stripes woven in
        period, wide = rng.uniform(90, 220), rng.uniform(0.06, 0.3)
        stripe = ((across + 0.3 * np.sin(down * 2 * np.pi / step)) / period % 1 < wide).astype(np.float32)[..., None]
        picture = picture * (1 - 0.6 * stripe) + 0.6 * stripe * tone[..., None] * np.array(_paint(rng), np.float32)
    return picture


def _stone(rng: Rng) -> Field:
    """Grains of three minerals."""
    size = (ACROSS, DOWN)
    light, dark = np.array(_paint(rng, grey=True), np.float32), np.array(_paint(rng, grey=True), np.float32) * 0.6
    grain = clouds(rng, size, (5, 5)) + 0.7 * clouds(rng, size, (2.2, 2.2)) + 0.5 * clouds(rng, size, (60, 60))
    share = 1 / (1 + np.exp(-2.5 * grain))
    return np.asarray(light * share[..., None] + dark * (1 - share)[..., None])


def _laminate(rng: Rng) -> Field:
    """One colour, with wear."""
    size = (ACROSS, DOWN)
    wear = 1 + 0.03 * clouds(rng, size, (240, 240)) + 0.012 * clouds(rng, size, (3, 3))
    return np.asarray(wear[..., None] * np.array(_paint(rng), np.float32))


def _parquet(rng: Rng) -> Field:
    """Short sticks side by side in squares that change direction."""
    side, sticks = rng.uniform(110, 200), int(rng.integers(4, 7))
    across, down = np.meshgrid(np.arange(ACROSS, dtype=np.float32), np.arange(DOWN, dtype=np.float32))
    column, row = np.floor(across / side), np.floor(down / side)
    is_lying = (column + row) % 2 == 0
    aside = np.where(is_lying, down - row * side, across - column * side) / side * sticks
    number = np.floor(aside) + 17 * column + 31 * row
    edge = np.minimum(1, 0.55 + np.abs(aside - np.round(aside)) * side / sticks / 2.4)
    lying, standing = clouds(rng, (ACROSS, DOWN), (90, 3)), clouds(rng, (ACROSS, DOWN), (3, 90))
    tone = (0.9 + 0.1 * np.sin(number * 91.7) + 0.05 * np.where(is_lying, lying, standing)) * edge
    woods = ((80, 126, 170), (60, 86, 120), (104, 148, 184))
    return np.asarray(tone[..., None] * np.array(woods[int(rng.integers(len(woods)))], np.float32))


def _paint(rng: Rng, *, grey: bool = False) -> tuple[float, float, float]:
    colour = np.uint8([[[rng.integers(0, 180), rng.integers(8, 30 if grey else 120), rng.integers(50, 215)]]])  # type: ignore[arg-type]
    blue, green, red = cv2.cvtColor(colour, cv2.COLOR_HSV2BGR)[0, 0].tolist()
    return blue, green, red


TABLETOPS: tuple[Callable[[Rng], Field], ...] = (_planks, _linen, _stone, _laminate, _parquet, _planks)
