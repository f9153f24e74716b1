"""The sensor: noise that is new in every frame, and an exposure that is never quite steady."""

import math

import cv2
import numpy as np

from vision.frames import Picture
from vision.simulated.script import Script

ROOM = 256  # pixels that the noise can be shifted by, both ways
STEP = 40_503  # odd: every shift comes once before one comes again
DRIFT = 0.03
MIDDLE = 128


class Sensor:
    """Turns light into pictures."""

    def __init__(self, script: Script) -> None:
        rng = np.random.default_rng((script.seed, 5))
        width, height = script.size
        self._noise = _noise(rng, (width + ROOM, height + ROOM), float(rng.uniform(1.2, 3.0)))
        self._first = int(rng.integers(ROOM * ROOM))
        self._periods = rng.uniform(7, 40, 2) * script.rate
        self._phases = rng.uniform(0, 2 * np.pi, 2)

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


def _noise(rng: np.random.Generator, size: tuple[int, int], strong: float) -> Picture:
    """Of each colour, a little smeared by the sensor's mosaic, the same in all tones (see `room`)."""
    width, height = size
    own = rng.standard_normal((height, width, 3), np.float32) * (1.25, 0.85, 1.1)
    shared = rng.standard_normal((height, width, 1), np.float32)
    noise = cv2.GaussianBlur((0.8 * own + 0.6 * shared).astype(np.float32), (0, 0), 0.55)
    return np.asarray(np.clip(np.round(noise / noise.std() * strong) + MIDDLE, 0, 255), np.uint8)
