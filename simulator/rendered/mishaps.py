"""What else befalls the table and its camera: a nudge, a mat that moves, other light, glare, something in the way."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.rendered.patch import PatchBox, Pixels, box_around, put, warped, whole
from simulator.rendered.pinhole import STILL, Array, Pinhole, Rng, nudge_matrix
from simulator.rendered.room_light import TONE, LampLight, clouds
from simulator.rendered.script import Mishap
from simulator.rendered.still_life import StillView
from vision.frames import Picture

RAMP = 300_000_000  # of the light
FLASH = 100_000_000  # until glare is there
SLIDE = 400_000_000  # until a cover lies
WARM = np.array([-0.42, -0.06, 0.22])  # powers of e for blue, green, red
WAVES = 4.3  # of a flicker, in a picture
COVER_HIGH = 9.0
KNOWN = (
    *("nudge", "moved", "light", "glare", "flicker", "cover", "foreign"),
    *("black", "frozen", "gone", "upside down", "backwards", "repeats"),
)


def share_of(mishap: Mishap, at: int, ramp: int) -> float:
    """How far it has come, and not yet gone again."""
    if not mishap.at <= at < mishap.until:
        return 0.0
    return min(1.0, (at - mishap.at + 1) / ramp, (mishap.until - at) / ramp)


def _eased(share: float) -> float:
    return share * share * (3 - 2 * share)


@dataclass(eq=False)
class Mishaps:
    """All of a script's, by what they do."""

    all: tuple[Mishap, ...]
    first: StillView
    light: LampLight
    rng: Rng

    def of(self, what: str) -> Sequence[Mishap]:
        return self._sorted.get(what, ())

    @cached_property
    def _sorted(self) -> dict[str, list[Mishap]]:
        sorts: dict[str, list[Mishap]] = {}
        for mishap in sorted(self.all, key=lambda one: one.at):
            sorts.setdefault(mishap.what, []).append(mishap)
        return sorts

    def now(self, what: str, at: int) -> Mishap | None:
        """The first of a kind that is on."""
        return next((one for one in self.of(what) if one.at <= at < one.until), None)

    # --- Where things are

    def view(self, at: int) -> StillView:
        """The camera after every nudge that is over, and the mat as far as it has moved."""
        nudged = sum(at >= one.until for one in self.of("nudge"))
        moved = [(one, self._way(one, at)) for one in self.of("moved") if at >= one.at]
        key = nudged, *(share for _, share in moved)
        if key not in self._views:
            if len(self._views) > 8:
                self._views.clear()
            self._views[key] = self._made(nudged, moved)
        return self._views[key]

    @cached_property
    def _views(self) -> dict[tuple[float, ...], StillView]:
        return {}

    def _made(self, nudged: int, moved: Sequence[tuple[Mishap, float]]) -> StillView:
        x = sum(one.x * share for one, share in moved)
        y = sum(one.y * share for one, share in moved)
        turn = sum(one.turn * share for one, share in moved)
        return replace(self.first, camera=self._camera(nudged), shift=(x, y), turn=turn)

    @cached_property
    def _cameras(self) -> list[Pinhole]:
        return [self.first.camera]

    def _camera(self, nudged: int) -> Pinhole:
        while len(self._cameras) <= nudged:
            one = self.of("nudge")[len(self._cameras) - 1]
            self._cameras.append(self._cameras[-1].nudged(one.x, one.y, one.turn))
        return self._cameras[nudged]

    @staticmethod
    def _way(one: Mishap, at: int) -> float:
        return 1.0 if at >= one.until else _eased((at - one.at) / (one.until - one.at))

    def jolt(self, at: int, size: tuple[int, int]) -> Array | None:
        """What a nudge that is under way does to the picture."""
        one = self.now("nudge", at)
        if one is None:
            return None
        share = self._way(one, at)
        return nudge_matrix(size, one.x * share, one.y * share, one.turn * share) if share else STILL

    def foreign(self, at: int) -> frozenset[int]:
        """Cells whose uppermost card is of another deck."""
        return frozenset(int(one.x) for one in self.of("foreign") if one.at <= at < one.until)

    # --- What is in the way

    def lay_over(self, picture: Picture, view: StillView, at: int) -> None:
        """Glare and covers, below the arms."""
        for one in self.of("glare"):
            if share := share_of(one, at, FLASH):
                _shine(picture, view, one, share)
        for one in self.of("cover"):
            if share := share_of(one, at, SLIDE):
                self._cover(picture, view, one, _eased(share))

    def _cover(self, picture: Picture, view: StillView, one: Mishap, share: float) -> None:
        width, height = view.mat.size
        away = (share - 1) * (2 * height)
        corners = np.array(
            [
                [x, y + away, COVER_HIGH]
                for x, y in (
                    (one.x * width, -14.0),
                    (one.y * width, -14.0),
                    (one.y * width, height + 14),
                    (one.x * width, height + 14),
                )
            ]
        )
        onto, fall = view.seen(corners), view.camera.seen(self.light.shadow(view.over_table(corners)))
        box = box_around(np.concatenate([onto, fall]), 6).within(whole(picture))
        if box.is_empty:
            return
        dark = cv2.GaussianBlur(warped(self._cloth, fall, box)[..., 3], (0, 0), 2.5)
        factor = cv2.merge([cv2.convertScaleAbs(dark, alpha=-0.35, beta=255)] * 3)
        cv2.multiply(picture[box.slices], factor, dst=picture[box.slices], scale=1 / 255)
        put(picture[box.slices], warped(self._cloth, onto, box))

    @cached_property
    def _cloth(self) -> Pixels:
        """A folded newspaper, or what looks like one."""
        size = (240, 360)
        tone = 205 + 6 * clouds(self.rng, size, (60, 60)) + 3 * clouds(self.rng, size, (3, 3))
        rows = np.arange(size[1])[:, None]
        is_line = ((rows % 7 < 3) & (clouds(self.rng, size, (5, 7)) > -0.8))[:, :] & (np.arange(size[0]) % 78 > 7)
        tone = np.where(is_line, tone - 75, tone)
        paper = cv2.merge([(tone * one) for one in (0.9, 0.97, 1.0)] + [np.full_like(tone, 255)])
        white = (*(self.light.on(np.zeros(2)) ** TONE).tolist(), 1.0)
        return np.asarray(cv2.multiply(np.clip(paper, 0, 255).astype(np.uint8), white), np.uint8)

    # --- The light

    def tint(self, at: int) -> tuple[float, float, float] | None:
        """Factors of the tones of blue, green and red."""
        factor = np.ones(3)
        for one in self.of("light"):
            share = share_of(one, at, RAMP)
            factor *= (max(one.x, 0.0) * np.exp(WARM * one.y)) ** share if share else 1.0
        if (factor == 1).all():
            return None
        blue, green, red = (factor**TONE).tolist()
        return blue, green, red

    def burns(self, at: int) -> bool:
        """There may be more light than the sensor can hold."""
        return self.now("glare", at) is not None or self.now("light", at) is not None

    def flicker(self, at: int, size: tuple[int, int]) -> NDArray[np.uint8] | None:
        """Factors of the rows, 128 is 1: the lamp goes brighter and darker while the rows are read."""
        one = self.now("flicker", at)
        if one is None:
            return None
        rows = np.arange(size[1]) / size[1] * WAVES * 2 * math.pi
        waves = 1 + one.x * np.sin(rows + at / 1e9 * 2 * math.pi * 0.83)
        column = np.clip(np.round(128 * waves**TONE), 0, 255).astype(np.uint8)
        return np.ascontiguousarray(np.broadcast_to(column[:, None, None], (size[1], size[0], 3)))


def _shine(picture: Picture, view: StillView, one: Mishap, share: float) -> None:
    """A lamp's reflection: burnt out in its middle, a haze around it."""
    around = np.array([[1.7, 0], [-1.7, 0], [0, 1.7], [0, -1.7], [0, 0]]) * one.turn + (one.x, one.y)
    seen = view.seen(np.c_[around, np.full(5, 1.0)])
    full = box_around(seen)
    box = full.within(whole(picture))
    if box.is_empty:
        return
    long = float(np.linalg.norm(seen[:4] - seen[4], axis=1).mean()) / 1.7
    blob = _blob(full, seen[4], max(long, 2.0))[box.top - full.top :, box.left - full.left :]
    blob = blob[: box.size[1], : box.size[0]] * share
    shine = cv2.merge([np.clip(blob * one_colour, 0, 255).astype(np.uint8) for one_colour in (250, 255, 255)])
    cv2.add(picture[box.slices], shine, dst=picture[box.slices])


def _blob(box: PatchBox, middle: Array, long: float) -> NDArray[np.float32]:
    across, down = np.meshgrid(np.arange(box.left, box.right), np.arange(box.top, box.bottom))
    off = np.hypot(across - middle[0], down - middle[1]) / long
    return np.asarray(
        np.clip(1.15 / (1 + np.exp(np.clip((off - 0.88) * 11, -30, 30))) + 0.14 * np.exp(-(off**2)), 0, 1), np.float32
    )
