"""The sensor: noise that is new in every frame, and an exposure that is never quite steady."""

import math
from functools import lru_cache

import cv2
import numpy as np

from simulator.rendered.pinhole import Array
from simulator.rendered.script import Script
from vision.frames import Picture

ROOM = 256  # pixels that the noise can be shifted by, both ways
STEP = 40_503  # odd: every shift comes once before one comes again
DRIFT = 0.03
MIDDLE = 128


class Sensor:
    """Turns light into pictures."""

    def __init__(self, script: Script) -> None:
        self._noise, self._first, seconds, self._phases = _made(script.seed, script.size)
        self._periods = seconds * script.rate

    def picture(self, light: Picture, number: int) -> Picture:
        """A new picture."""
        height, width = light.shape[:2]
        down, across = divmod((self._first + number * STEP) % (ROOM * ROOM), ROOM)
        noise = self._noise[down : down + height, across : across + width]
        return np.asarray(cv2.addWeighted(light, self.gain(number), noise, 1.0, -MIDDLE), np.uint8)

    def gain(self, number: int) -> float:
        waves = (
            math.sin(2 * math.pi * number / period + phase)
            for period, phase in zip(self._periods, self._phases, strict=True)
        )
        return float(1 + DRIFT / 2 * sum(waves))


@lru_cache(maxsize=2)
def _made(seed: int, size: tuple[int, int]) -> tuple[Picture, int, Array, Array]:
    """Its noise, where that begins, and in how many seconds and from where its exposure goes up and down."""
    rng = np.random.default_rng((seed, 5))
    width, height = size
    noise = _noise(rng, (width + ROOM, height + ROOM), float(rng.uniform(1.2, 3.0)))
    return noise, int(rng.integers(ROOM * ROOM)), rng.uniform(7, 40, 2), rng.uniform(0, 2 * np.pi, 2)


def _noise(rng: np.random.Generator, size: tuple[int, int], strong: float) -> Picture:
    """Of each colour, a little smeared by the sensor's mosaic, the same in all tones (see `room`)."""
    width, height = size
    own = rng.standard_normal((height, width, 3), np.float32) * (1.25, 0.85, 1.1)
    shared = rng.standard_normal((height, width, 1), np.float32)
    noise = cv2.GaussianBlur((0.8 * own + 0.6 * shared).astype(np.float32), (0, 0), 0.55)
    return np.asarray(np.clip(np.round(noise / noise.std() * strong) + MIDDLE, 0, 255), np.uint8)
