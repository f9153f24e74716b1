"""Lamps, windows and what stands in their way, in spectra of 10 nm and millimetres.

A surface's red, green and blue are spread over the spectrum by three smooth curves that add up to 1, so a kind of light
becomes a 3 × 3 matrix from a surface's colour to the sensor's: lights change colours by more than three factors.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from tests.vision.second.noise import Array, looked_up

WAVES = np.arange(400, 701, 10).astype(np.float64)
MAP_STEP, MAP_REACH = 2.0, 400.0  # of the map of what light reaches the table, mm


def _bump(middle: float, width: float) -> Array:
    return np.exp(-(((WAVES - middle) / width) ** 2) / 2)


def _rise(middle: float) -> Array:
    return 1 / (1 + np.exp(-(WAVES - middle) / 11))


EYES = np.stack([_bump(598, 36) + 0.06 * _bump(440, 20), _bump(538, 42), _bump(460, 32)])
SURFACES = np.stack([_rise(585), _rise(492) - _rise(585), 1 - _rise(492)])


def glowing(kelvin: float) -> Array:
    """A filament, or the sky: Planck's law."""
    metres = WAVES * 1e-9
    return metres**-5 / (np.exp(1.4388e-2 / (metres * kelvin)) - 1)


def led(kelvin: float, green: float) -> Array:
    """A blue chip under a phosphor; some are greenish, some magenta."""
    cool = np.clip((kelvin - 2700) / 3800, 0, 1)
    spectrum = (0.22 + 0.75 * cool) * _bump(452, 11) + _bump(604 - 46 * cool, 56)
    return spectrum * (1 + green * _bump(540, 30))


def matrix(spectrum: Array) -> Array:
    """From a surface's colour to the sensor's; white gives 1 in green."""
    found = (EYES * spectrum) @ SURFACES.T
    return (found / found[1].sum()).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """Shining balls: one for a bulb, a row for a tube or a window. Power: what reaches the middle of the table."""

    balls: Array  # n × 3
    reach: float  # of a ball
    power: float
    matrix: Array

    @property
    def middle(self) -> Array:
        return self.balls.mean(0)

    @property
    def strength(self) -> float:
        """Of each ball, so that all give `power` where x, y and z are 0."""
        far = np.linalg.norm(self.balls, axis=1)
        return float(self.power / (self.balls[:, 2] / far**3).sum())


@dataclass(frozen=True, slots=True, eq=False)
class Limb:
    """A thick line with round ends: a finger, an arm, a bottle."""

    start: Array
    end: Array
    reach: float
    tint: tuple[float, float, float]
    is_seen: bool = True  # some only throw shadows: a lampshade, a head, out of the picture


def shade_map(light: Light, limbs: list[Limb]) -> Array:
    """What reaches each place of the table, over `MAP_REACH` each way."""
    line = np.arange(-MAP_REACH, MAP_REACH + 1, MAP_STEP, dtype=np.float32)
    x, y = np.meshgrid(line, line)
    total = np.zeros_like(x)
    for ball in light.balls.astype(np.float32):
        toward = (ball[0] - x, ball[1] - y, np.full_like(x, ball[2]))
        far = np.sqrt(toward[0] ** 2 + toward[1] ** 2 + ball[2] ** 2)
        free = np.ones_like(x)
        for limb in limbs:
            part = _window(ball, limb, light.reach)
            near = (toward[0][part], toward[1][part], toward[2][part])
            if near[0].size:
                free[part] = np.minimum(free[part], 1 - _hidden(x[part], y[part], near, limb, light.reach))
        total += np.float32(light.strength) * ball[2] / far**3 * free
    return total


def _window(ball: Array, limb: Limb, reach: float) -> tuple[slice, slice]:
    """The rows and columns of the map that a limb's shadow can reach."""
    ends = np.stack([limb.start, limb.end])
    under = ball[2] - ends[:, 2] - limb.reach
    if under.min() < 0.2 * ball[2]:
        return slice(None), slice(None)
    larger = (ball[2] / under)[:, None]
    fallen = ball[:2] + (ends[:, :2] - ball[:2]) * larger
    room = limb.reach * larger + (reach + limb.reach) * (larger - 1) + MAP_STEP
    leaning = np.linalg.norm(ends[:, :2] - ball[:2], axis=1, keepdims=True) / under[:, None]
    room = 1.3 * room * np.hypot(1, leaning)
    low, high = (fallen - room).min(0), (fallen + room).max(0)
    first = np.clip((low + MAP_REACH) / MAP_STEP, 0, None).astype(int)
    last = np.clip((high + MAP_REACH) / MAP_STEP + 2, 0, None).astype(int)
    return slice(first[1], last[1]), slice(first[0], last[0])


def _hidden(x: Array, y: Array, toward: tuple[Array, Array, Array], limb: Limb, ball: float) -> Array:
    """The share of a ball that a limb hides: how near the ray passes it, against how wide the ball's cone is there."""
    axis, start = (limb.end - limb.start).astype(np.float32), limb.start.astype(np.float32)
    back = (x - start[0], y - start[1], -start[2])
    a = toward[0] ** 2 + toward[1] ** 2 + toward[2] ** 2
    b = toward[0] * axis[0] + toward[1] * axis[1] + toward[2] * axis[2]
    c = float(axis @ axis)
    d = toward[0] * back[0] + toward[1] * back[1] + toward[2] * back[2]
    e = axis[0] * back[0] + axis[1] * back[1] + axis[2] * back[2]
    along = np.clip((a * e - b * d) / np.maximum(a * c - b * b, 1e-3), 0, 1)
    up = np.clip((b * along - d) / a, 0, 1)
    gap = np.sqrt(sum((back[k] + up * toward[k] - along * axis[k]) ** 2 for k in range(3)))
    cone = np.maximum(ball * up, 0.5)
    share = np.clip((limb.reach + cone - gap) / (2 * cone), 0, 1)
    return np.minimum(share * share * (3 - 2 * share), limb.reach / cone * 1.2)


def reaching(shades: Array, x: Array, y: Array) -> Array:
    """The map at places of the table."""
    return looked_up(shades, (x + MAP_REACH) / MAP_STEP, (y + MAP_REACH) / MAP_STEP, cv2.BORDER_REPLICATE)


def shine(light: Light, at: tuple[Array, Array], eye: Array, normal: tuple[Array, Array], rough: Array) -> Array:
    """What a smooth coat throws into the lens, for a coat that reflects all: GGX, widened by the light's own size."""
    total = np.zeros_like(at[0])
    view = _unit(eye[0] - at[0], eye[1] - at[1], np.full_like(at[0], eye[2]))
    for ball in light.balls.astype(np.float32):
        toward = (ball[0] - at[0], ball[1] - at[1], np.full_like(at[0], ball[2]))
        far = np.sqrt(toward[0] ** 2 + toward[1] ** 2 + toward[2] ** 2)
        lx, ly, lz = (part / far for part in toward)
        half = _unit(lx + view[0], ly + view[1], lz + view[2])
        wide = np.minimum(1, rough + light.reach / (2 * far))
        facing: Array = np.clip(half[2] - normal[0] * half[0] - normal[1] * half[1], 0, 1)  # normals are nearly upright
        square = wide**4
        lobe = square / (np.pi * (facing**2 * (square - 1) + 1) ** 2) * (rough / wide) ** 2
        grazing = 1 + 20 * np.clip(1 - lx * half[0] - ly * half[1] - lz * half[2], 0, 1) ** 5
        total += light.strength / far**2 * lobe * grazing / np.maximum(4 * view[2], 0.3) * np.pi
    return total


def _unit(x: Array, y: Array, z: Array) -> tuple[Array, Array, Array]:
    long = np.sqrt(x * x + y * y + z * z)
    return x / long, y / long, z / long
