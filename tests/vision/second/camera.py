"""The camera: where each pixel looks, and what becomes of the light on its way to a file.

Radial distortion is written the other way round than OpenCV does it (from the picture to the world, in two terms), so
that a calibration in OpenCV's terms fits it nearly, as with a real lens.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from tests.vision.second.noise import Array
from vision.frames import Picture


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """Where it stands (mm, z up from the table) and how it sees. Rows of `turn`: right, down, ahead."""

    place: Array
    turn: Array
    focal: float  # pixels
    bend: tuple[float, float]
    size: tuple[int, int]

    @property
    def middle(self) -> tuple[float, float]:
        return (self.size[0] - 1) / 2, (self.size[1] - 1) / 2

    def rays(self, u: Array, v: Array) -> tuple[Array, Array, Array]:
        """Directions of the light that falls on these pixels."""
        x, y = (u - self.middle[0]) / self.focal, (v - self.middle[1]) / self.focal
        square = x * x + y * y
        more = 1 + square * (self.bend[0] + square * self.bend[1])
        right, down, ahead = self.turn.astype(np.float32)
        x, y = x * more, y * more
        return tuple(x * right[axis] + y * down[axis] + ahead[axis] for axis in range(3))

    def seen(self, points: Array) -> Array:
        """Where points of the world (… × 3) are in the picture (… × 2)."""
        right, down, ahead = np.moveaxis((points - self.place) @ self.turn.T, -1, 0)
        straight = np.stack([right / ahead, down / ahead], -1)
        far = np.linalg.norm(straight, axis=-1, keepdims=True)
        bent = far.copy()
        for _ in range(8):
            square = bent * bent
            error = bent * (1 + square * (self.bend[0] + square * self.bend[1])) - far
            bent = bent - error / (1 + square * (3 * self.bend[0] + 5 * square * self.bend[1]))
        return straight * np.where(far > 0, bent / np.maximum(far, 1e-9), 1) * self.focal + self.middle


def looking(at: Array, tilt: float, round_: float, roll: float, distance: float) -> tuple[Array, Array]:
    """Place and turn of a camera that looks at a point, `tilt` away from straight down."""
    aside = np.array([np.cos(round_), np.sin(round_)])
    place = np.array([*(at[:2] + aside * np.sin(tilt) * distance), at[2] + np.cos(tilt) * distance])
    ahead = (at - place) / distance
    right = np.array([np.cos(roll), np.sin(roll), 0.0])
    right = right - ahead * (right @ ahead)
    right /= np.linalg.norm(right)
    return place, np.stack([right, np.cross(right, ahead), ahead])  # y points down: left-handed


# --- From light to file


@dataclass(frozen=True, slots=True, eq=False)
class Sensor:
    """How light becomes numbers. `exposure` brings what should be nearly white to 1."""

    exposure: float
    gains: Array  # of red, green, blue: the camera's idea of white
    matrix: Array  # 3 × 3, from balanced sensor colours to the picture's
    electrons: float  # in a full pixel: few of them make grain
    read_noise: float  # electrons
    spread: Array  # the point that a point becomes: defocus and motion
    smooth: float  # of the noise remover
    sharpen: float
    contrast: float
    gamma: float
    quality: int
    seed: int

    def picture(self, light: Array) -> Picture:
        """From linear light on the sensor (rows × columns × 3)."""
        rng = np.random.default_rng(self.seed)
        light = cv2.filter2D(light, -1, self.spread, borderType=cv2.BORDER_REPLICATE)
        grain = self._noisy(rng, _mosaic(light * np.float32(self.exposure)))
        balanced = grain * _mosaic(np.broadcast_to(self.gains.astype(np.float32), light.shape))
        stored = np.clip(balanced * 16384 + 512, 0, 16384 + 512).astype(np.uint16)  # what burns out is white
        colours = (cv2.cvtColor(stored, cv2.COLOR_BayerBG2BGR_EA).astype(np.float32) - 512) / 16384
        return self._developed(colours[..., ::-1])

    def _noisy(self, rng: np.random.Generator, raw: Array) -> Array:
        deviation = np.sqrt(np.maximum(raw, 0) / self.electrons + (self.read_noise / self.electrons) ** 2)
        return raw + deviation * rng.standard_normal(raw.shape, np.float32)

    def _developed(self, colours: Array) -> Picture:
        colours = cv2.transform(np.ascontiguousarray(colours), self.matrix.astype(np.float32))
        tone = np.clip(colours, 0, 1) ** np.float32(1 / self.gamma)
        tone = tone + np.float32(self.contrast) * (tone - 0.5) * (1 - np.abs(2 * tone - 1))
        if self.smooth:
            tone = self._denoised(tone)
        if self.sharpen:
            tone = tone + self.sharpen * (tone - cv2.GaussianBlur(tone, (0, 0), 1.0))
        done = np.clip(tone[..., ::-1] * 255 + 0.5, 0, 255).astype(np.uint8)
        return cv2.imdecode(cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, self.quality])[1], cv2.IMREAD_COLOR)

    def _denoised(self, tone: Array) -> Array:
        """Colour is smoothed much, brightness little, as cameras do."""
        grey = tone.mean(2, keepdims=True)
        colour = cv2.GaussianBlur(tone - grey, (0, 0), self.smooth)
        return cv2.GaussianBlur(grey, (0, 0), max(0.2, self.smooth / 4)).reshape(grey.shape) + colour


def _mosaic(light: Array) -> Array:
    """Red, green / green, blue."""
    raw = light[..., 1].copy()
    raw[0::2, 0::2] = light[0::2, 0::2, 0]
    raw[1::2, 1::2] = light[1::2, 1::2, 2]
    return raw


def spread(defocus: float, motion: float, angle: float) -> Array:
    """A disc of a radius in pixels, drawn out along a line of a length in pixels."""
    fine, reach = 8, int(np.ceil(defocus + motion / 2)) + 1
    side = (2 * reach + 1) * fine
    places = (np.arange(side) + 0.5) / fine - reach - 0.5
    x, y = np.meshgrid(places, places)
    along = np.clip(x * np.cos(angle) + y * np.sin(angle), -motion / 2, motion / 2)
    far = np.hypot(x - along * np.cos(angle), y - along * np.sin(angle))
    disc = np.clip((max(defocus, 0.35) - far) * fine + 0.5, 0, 1)
    kernel = disc.reshape(2 * reach + 1, fine, 2 * reach + 1, fine).mean((1, 3))
    return (kernel / kernel.sum()).astype(np.float32)
