"""Arms in a picture: their shadows first, then what they push, carry and are, smeared as fast as they move."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.rendered.limbs import WRIST, Grip, Limb, LimbLook, a_look, forearm, hand, mirrored
from simulator.rendered.patch import PatchBox, Pixels, box_around, put, warped, whole
from simulator.rendered.pinhole import Array, Rng
from simulator.rendered.printed_faces import PrintingPress
from simulator.rendered.reach import OUT, Pose, Visit
from simulator.rendered.room_light import TONE, Field, LampLight
from simulator.rendered.script import Seat
from simulator.rendered.still_life import StillView
from vision.frames import Picture

COARSE = 4  # pixels of the picture for one of the shadows
OPEN = 12_000_000  # nanoseconds that the shutter is open
BLURRED = 6  # pixels of smear from which half as many pixels are drawn
SMEARS = 4  # halvings of the way that something moved
LIMBS = 20  # of all four seats; a drawing takes 50 ms and 1 MB
RISE = (0.2, 0.13)  # of the hand's back and of the forearm, by the millimetre
LAMP = 55.0  # radius of the lamp, mm

White = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """A visit at a moment: its limbs and where their corners are, and how many pixels it is smeared."""

    visit: Visit
    pose: Pose
    parts: list[tuple[Limb, Array]]
    smear: tuple[int, int]
    at: int


class Arms:
    """All the visits of a script, and whose arms they are."""

    def __init__(self, visits: Sequence[Visit], light: LampLight, press: PrintingPress, rng: Rng) -> None:
        self._visits = sorted(visits, key=lambda one: (one.arm.enters, one.number))
        self._light, self._press = light, press
        self._looks: dict[Seat, LimbLook] = {seat: a_look(rng) for seat in OUT}
        self._limbs: dict[tuple[Seat, Grip | None, bool], Limb] = {}
        self._shades = np.arange(256, dtype=np.float32) / 255
        table = light.shaded(self._shades) * 255
        self._shade_table = np.asarray(np.round(table), np.uint8)[None]

    def come(self, visit: Visit, now: int) -> None:
        """One more; those that are long gone are forgotten."""
        self._visits = [one for one in self._visits if one.arm.gone > now - OPEN]
        self._visits.append(visit)
        self._visits.sort(key=lambda one: (one.arm.enters, one.number))

    def becomes(self, visit: Visit) -> None:
        """The same visit, as it turned out."""
        self._visits = [visit if one.number == visit.number else one for one in self._visits]

    def draw(self, picture: Picture, view: StillView, at: int, tones: Field) -> None:
        """Those of a moment; `tones` is what the light makes of white paper on the table, for every pixel."""
        there = [one for one in self._visits if one.is_there(at)]
        if not there:
            return
        drawn = [self._posed(one, view, at) for one in there]
        self._shadow(picture, view, drawn)
        for one in drawn:
            self._one(picture, view, one, tones)

    def _posed(self, one: Visit, view: StillView, at: int) -> _Drawn:
        pose = one.pose(at, self._press.size, view)
        return _Drawn(one, pose, self._parts(one, pose), self._smear(view, one, at), at)

    # --- The arm itself

    def _one(self, picture: Picture, view: StillView, one: _Drawn, tones: Field) -> None:
        pose, parts = one.pose, one.parts
        for name, corners in pose.pushed:
            self._put_card(picture, name, view.seen(corners), (0, 0), tones)
        if one.visit.grip == "under":
            (limb, corners), *parts = parts
            _put(picture, limb.pixels, view.seen(corners), one.smear)
        if pose.card is not None:
            self._put_card(picture, one.visit.face(one.at), view.seen(pose.card), one.smear, tones)
        for limb, corners in parts:
            _put(picture, limb.pixels, view.seen(corners), one.smear, is_soft=limb.is_soft)

    def _put_card(self, picture: Picture, name: str, onto: Array, smear: tuple[int, int], tones: Field) -> None:
        """A face in the light of where it is."""
        across, down = np.clip(onto.mean(0).astype(int), 0, (tones.shape[1] - 1, tones.shape[0] - 1))
        blue, green, red = tones[down, across].tolist()
        _put(picture, self._press.face(name), onto, smear, white=(blue, green, red, 1.0))

    @property
    def _white(self) -> White:
        blue, green, red = (self._light.on(np.zeros(2)) ** TONE).tolist()
        return blue, green, red, 1.0

    def _parts(self, one: Visit, pose: Pose) -> list[tuple[Limb, Array]]:
        """The hand and what is over it: what each looks like, and where its corners are."""
        wrist_along = WRIST * self._looks[one.arm.seat].size
        hand_at = _placed(pose.tip, pose.ahead, RISE[0], 0.0)
        wrist = hand_at(np.array([[wrist_along, 0.0]]))[0]
        turned = _turned(pose.ahead, pose.bend)
        arm_at = _placed(wrist, turned, RISE[1], wrist_along)
        palm = self._limb(one.arm.seat, one.grip, one.is_left)
        arm = self._limb(one.arm.seat, None, one.is_left)
        parts = [(palm, hand_at(palm.corners)), (arm, arm_at(arm.corners))]
        if one.grip == "under":
            thumb = self._limb(one.arm.seat, "thumb", one.is_left)
            parts.insert(1, (thumb, hand_at(thumb.corners)))
        return parts

    def _limb(self, seat: Seat, grip: Grip | None, is_left: bool) -> Limb:
        key = seat, grip, is_left
        if key not in self._limbs:
            self._limbs[key] = self._made(*key)
        return self._limbs[key]

    def _made(self, seat: Seat, grip: Grip | None, is_left: bool) -> Limb:
        """Lit as it lies when it reaches straight in from its seat, the mat as it lay at first."""
        out = np.array(OUT[seat], float)
        lamp = self._light.lamp / np.linalg.norm(self._light.lamp)
        along, across = -lamp[:2] @ out, lamp[:2] @ (out[1], -out[0])
        seen = np.array([along, -across if is_left else across, lamp[2]])
        share = float(self._light.strength[1] / (self._light.strength[1] + self._light.around[1]))
        limb = _limb(self._looks[seat], grip, tuple(seen.tolist()), share, self._white)
        return mirrored(limb) if is_left else limb

    def _smear(self, view: StillView, one: Visit, at: int) -> tuple[int, int]:
        """Pixels that the finger tips move while the shutter is open."""
        ends = view.seen(np.stack([one.tip(at - OPEN / 2), one.tip(at + OPEN / 2)]))
        across, down = np.clip(np.round(ends[1] - ends[0]), -60, 60).tolist()
        return int(across), int(down)

    # --- Shadows

    def _shadow(self, picture: Picture, view: StillView, drawn: Sequence[_Drawn]) -> None:
        height, width = picture.shape[0] // COARSE, picture.shape[1] // COARSE
        dark = np.zeros((height, width), np.uint8)
        for one in drawn:
            if one.pose.card is not None:
                self._cast(dark, view, _FULL, one.pose.card)
            for limb, corners in one.parts:
                self._cast(dark, view, limb.shade, corners)
        box = PatchBox(*cv2.boundingRect(dark))
        box = PatchBox(box.left, box.top, box.left + box.right, box.top + box.bottom).wider(1).within(whole(dark))
        if box.is_empty:
            return
        factor = cv2.LUT(cv2.merge([dark[box.slices]] * 3), self._shade_table)
        left, top = box.left * COARSE, box.top * COARSE
        there = picture[top : box.bottom * COARSE, left : box.right * COARSE]
        factor = cv2.resize(factor, (there.shape[1], there.shape[0]), interpolation=cv2.INTER_LINEAR)
        cv2.multiply(there, factor, dst=there, scale=1 / 255)

    def _cast(self, dark: NDArray[np.uint8], view: StillView, shade: NDArray[np.uint8], corners: Array) -> None:
        """The shadow of something whose corners are over the table, softer the higher it is."""
        over = view.over_table(corners)
        onto = (view.camera.seen(self._light.shadow(over)) + 0.5) / COARSE - 0.5
        high = float(np.clip(np.median(over[:, 2]), 0, 120))
        soft = 0.5 + high * LAMP / self._light.lamp[2] * view.camera.focal / -view.camera.place[2] / COARSE / 1.6
        box = box_around(onto, int(3 * soft) + 1).within(whole(dark))
        if box.is_empty:
            return
        own = cv2.GaussianBlur(warped(shade, onto, box), (0, 0), soft)
        cv2.max(dark[box.slices], own, dst=dark[box.slices])


@lru_cache(maxsize=LIMBS)
def _limb(look: LimbLook, grip: Grip | None, lamp: tuple[float, float, float], lamp_share: float, white: White) -> Limb:
    """A hand, or a forearm where nothing is gripped, in the light of a room."""
    seen = np.array(lamp)
    limb = forearm(look, seen, lamp_share) if grip is None else hand(look, grip, seen, lamp_share)
    cv2.multiply(limb.pixels, white, dst=limb.pixels)
    return limb


_FULL: NDArray[np.uint8] = np.full((8, 8), 255, np.uint8)


def _put(
    picture: Picture,
    texture: Pixels,
    onto: Array,
    smear: tuple[int, int],
    *,
    is_soft: bool = False,
    white: White | None = None,
) -> None:
    """A texture into a picture, smeared; what is soft anyway is drawn with half as many pixels."""
    around = max(abs(smear[0]), abs(smear[1])) + 1
    box = _even(box_around(onto, around).within(whole(picture)))
    if box.is_empty:
        return
    if is_soft or around > BLURRED:
        half = smeared(warped(texture, onto, box, fine=0.5), (smear[0] // 2, smear[1] // 2))
        pixels = cv2.resize(half, box.size, interpolation=cv2.INTER_LINEAR)
    else:
        pixels = smeared(warped(texture, onto, box), smear)
    if white:
        cv2.multiply(pixels, white, dst=pixels)
    put(picture[box.slices], pixels)


def _even(box: PatchBox) -> PatchBox:
    """A row or a column less, so that it can be halved."""
    return PatchBox(box.left, box.top, box.right - (box.right - box.left) % 2, box.bottom - (box.bottom - box.top) % 2)


def _turned(ahead: Array, by: float) -> Array:
    c, s = np.cos(by), np.sin(by)
    return np.array([ahead[0] * c - ahead[1] * s, ahead[0] * s + ahead[1] * c])


def _placed(origin: Array, ahead: Array, rise: float, start: float) -> Callable[[Array], Array]:
    """From a limb's millimetres (along, across) to places over the mat; `start` is along at the origin."""
    aside = np.array([-ahead[1], ahead[0]])

    def there(corners: Array) -> Array:
        along = corners[:, :1] - start
        flat = origin[:2] + along * ahead + corners[:, 1:] * aside
        return np.c_[flat, origin[2] - along * rise]

    return there


def smeared(pixels: Pixels, by: tuple[int, int]) -> Pixels:
    """Moved on by so much while it was looked at: the mean of ever shorter steps."""
    across, down = by
    for _ in range(SMEARS):
        across, down = -round(across / 2), -round(down / 2)
        if abs(across) + abs(down) < 2:
            break
        pixels = _halved(pixels, across, down)
    return pixels


def _halved(pixels: Pixels, across: int, down: int) -> Pixels:
    height, width = pixels.shape[:2]
    if abs(across) >= width or abs(down) >= height:
        return pixels
    done = pixels.copy()
    into = (slice(max(0, down), height + min(0, down)), slice(max(0, across), width + min(0, across)))
    source = (slice(max(0, -down), height + min(0, -down)), slice(max(0, -across), width + min(0, -across)))
    done[into] = cv2.addWeighted(pixels[into], 0.5, pixels[source], 0.5, 0)
    return done
