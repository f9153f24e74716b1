"""What the cards lie on: tables by value noise, and the printed mat by its geometry."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tests.vision.second import noise
from tests.vision.second.faces import Printer
from tests.vision.second.noise import Array
from vision.mat import Mat
from vision.sheets import mat_picture

MATERIALS = ("oak", "walnut", "painted", "cloth", "checked cloth", "felt", "laminate", "marble")
MAT_FINE = 5  # texels for each millimetre of the mat
Tint = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Material:
    """A table top: how it reflects, and its colour at every place (mm)."""

    name: str
    tint: Tint
    other: Tint
    turn: float
    scale: float
    seed: int
    gloss: float  # of a coat: 0.04 is varnish
    rough: float

    def colour(self, x: Array, y: Array) -> Array:
        c, s = np.float32(np.cos(self.turn)), np.float32(np.sin(self.turn))
        share, shade = _PATTERNS[self.name]((x * c + y * s) / self.scale, (y * c - x * s) / self.scale, self.seed)
        share = np.clip(share, 0, 1)[:, None]
        mixed = np.array(self.tint, np.float32) * (1 - share) + np.array(self.other, np.float32) * share
        return np.maximum(mixed * shade[:, None], 0.004)


def _wood(x: Array, y: Array, seed: int) -> tuple[Array, Array]:
    plank = np.floor(y / 95)
    along = x + 400 * np.sin(plank * 12.9)
    rings = y / 7 + 2.2 * noise.octaves(along / 160, y / 26 + plank, seed, 2)
    grain = noise.value(along / 24, y / 0.9, seed + 3)
    pores = np.clip(noise.value(along / 9, y / 0.45, seed + 5) - 0.55, 0, 1)
    seam = np.clip(1 - np.abs(np.mod(y, 95) - 0.5) / 0.6, 0, 1)
    tone = 0.12 * np.sin(plank * 7.7)
    return 0.5 + 0.35 * np.sin(rings) + 0.2 * grain, 1 + tone - 0.5 * pores - 0.7 * seam


def _painted(x: Array, y: Array, seed: int) -> tuple[Array, Array]:
    brushed = noise.octaves(x / 60, y / 1.4, seed, 2)
    scuffs = np.clip(noise.octaves(x / 18, y / 12, seed + 2, 3) - 0.9, 0, 1)
    return scuffs * 2, 1 + 0.04 * brushed


def _cloth(x: Array, y: Array, seed: int) -> tuple[Array, Array]:
    folds = noise.value(x / 150, y / 90, seed)
    warp, weft = np.sin(x * 4.2 + 0.4 * noise.value(x / 4, y / 4, seed)), np.sin(y * 4.0)
    threads = noise.value(x / 0.8, y / 22, seed + 1) + noise.value(x / 22, y / 0.8, seed + 2)
    return 0.5 + 0.25 * threads, 1 + 0.1 * warp * weft + 0.08 * folds


def _checked(x: Array, y: Array, seed: int) -> tuple[Array, Array]:
    across, down = np.mod(x / 22, 2) < 1, np.mod(y / 22, 2) < 1
    _, shade = _cloth(x, y, seed)
    return (across.astype(np.float32) + down) / 2, shade


def _felt(x: Array, y: Array, seed: int) -> tuple[Array, Array]:
    fibres = noise.octaves(x / 1.6, y / 1.6, seed, 3)
    worn = noise.value(x / 70, y / 70, seed + 4)
    return 0.3 + 0.3 * worn, 1 + 0.13 * fibres


def _laminate(x: Array, y: Array, seed: int) -> tuple[Array, Array]:
    specks = np.clip(noise.value(x / 1.3, y / 1.3, seed) - 0.6, 0, 1) + np.clip(
        noise.value(x / 3, y / 3, seed + 1) - 0.7, 0, 1
    )
    return specks * 2.5, 1 + 0.02 * noise.value(x / 90, y / 90, seed + 2)


def _marble(x: Array, y: Array, seed: int) -> tuple[Array, Array]:
    flow = noise.octaves(x / 70, y / 70, seed, 4)
    vein = np.clip(1 - np.abs(np.sin(x / 60 + 2.4 * flow)) * 5, 0, 1)
    fine = np.clip(1 - np.abs(noise.octaves(x / 30, y / 30, seed + 6, 3)) * 8, 0, 1)
    return 0.75 * vein + 0.3 * fine, 1 + 0.07 * flow


_PATTERNS: dict[str, Callable[[Array, Array, int], tuple[Array, Array]]] = {
    "oak": _wood, "walnut": _wood, "painted": _painted, "cloth": _cloth, "checked cloth": _checked,
    "felt": _felt, "laminate": _laminate, "marble": _marble,
}  # fmt: skip

# Each material's own tints, of which one pair is taken, and what coat it may have.
_TINTS: dict[str, tuple[tuple[Tint, Tint], ...]] = {
    "oak": (
        ((0.46, 0.27, 0.13), (0.34, 0.18, 0.08)),
        ((0.55, 0.38, 0.22), (0.44, 0.28, 0.15)),
    ),
    "walnut": (
        ((0.16, 0.075, 0.04), (0.075, 0.035, 0.02)),
        ((0.24, 0.1, 0.05), (0.12, 0.045, 0.025)),
    ),
    "painted": (
        ((0.7, 0.69, 0.65), (0.3, 0.2, 0.12)),
        ((0.05, 0.06, 0.07), (0.2, 0.16, 0.12)),
        ((0.2, 0.32, 0.33), (0.5, 0.5, 0.45)),
    ),
    "cloth": (
        ((0.03, 0.05, 0.13), (0.05, 0.07, 0.18)),
        ((0.35, 0.05, 0.05), (0.28, 0.03, 0.04)),
        ((0.55, 0.5, 0.42), (0.48, 0.42, 0.34)),
    ),
    "checked cloth": (
        ((0.7, 0.68, 0.63), (0.4, 0.04, 0.05)),
        ((0.68, 0.69, 0.7), (0.05, 0.1, 0.32)),
        ((0.6, 0.62, 0.5), (0.1, 0.25, 0.1)),
    ),
    "felt": (
        ((0.02, 0.12, 0.05), (0.03, 0.16, 0.06)),
        ((0.25, 0.02, 0.03), (0.3, 0.03, 0.04)),
        ((0.06, 0.06, 0.065), (0.09, 0.09, 0.095)),
    ),
    "laminate": (
        ((0.42, 0.41, 0.39), (0.2, 0.2, 0.2)),
        ((0.66, 0.63, 0.56), (0.42, 0.36, 0.3)),
        ((0.04, 0.04, 0.045), (0.25, 0.25, 0.26)),
    ),
    "marble": (
        ((0.68, 0.67, 0.65), (0.33, 0.34, 0.36)),
        ((0.06, 0.07, 0.06), (0.5, 0.5, 0.46)),
        ((0.5, 0.42, 0.34), (0.3, 0.2, 0.13)),
    ),
}
_COATS = {"oak": 0.03, "walnut": 0.035, "painted": 0.02, "laminate": 0.04, "marble": 0.045}


def a_material(rng: np.random.Generator, wanted: str = "") -> Material:
    name = wanted or str(rng.choice(MATERIALS))
    tint, other = _TINTS[name][rng.integers(len(_TINTS[name]))]
    shift = np.exp(rng.normal(0, 0.1, 3) + rng.normal(0, 0.12))
    return Material(
        name=name,
        tint=tuple(np.clip(tint * shift, 0.008, 0.8)),
        other=tuple(np.clip(other * shift, 0.008, 0.8)),
        turn=rng.uniform(0, 2 * np.pi),
        scale=rng.uniform(0.8, 1.4),
        seed=int(rng.integers(10_000)),
        gloss=_COATS.get(name, 0.0) * rng.uniform(0, 1),
        rough=rng.uniform(0.18, 0.45),
    )


# --- The mat


@lru_cache(maxsize=2)
def _mat_picture(mat: Mat) -> Array:
    return np.ascontiguousarray(mat_picture(mat, MAT_FINE)[..., ::-1])


def printed_mat(mat: Mat, printer: Printer) -> Array:
    """The mat as `companion print` draws it, on paper."""
    return printer.printed(_mat_picture(mat))
