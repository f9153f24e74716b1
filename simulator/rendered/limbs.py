"""Arms as reliefs: a hand of rounded bones under skin, a forearm in its sleeve, lit by the lamp and kept as textures.

A limb lies flat in millimetres: `along` runs forward, 0 at the tip of the middle finger, and `across` to the right of
a right hand. A relief says how high its surface is; light and creases follow from its slopes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.rendered.patch import Pixels
from simulator.rendered.pinhole import Array, Rng
from simulator.rendered.room_light import TONE, Field, clouds

FINE, COARSE = 3, 2  # texels for each millimetre, of a hand and of a forearm
WRIST = -165.0
HAND = (-190.0, 14.0, 64.0)  # from where to where along, and how far to either side
ARM = (-720.0, -150.0, 84.0)
SMOOTH = 0.45  # of joints between bones, by the millimetre

Grip = Literal["over", "under", "thumb", "flat"]  # of a card; "under" has no thumb, which then lies on the card
GRIPS: tuple[Grip, ...] = ("over", "under", "thumb", "flat")
Spot = tuple[float, float, float, float]  # along, across, height of the bone, radius


@dataclass(frozen=True, slots=True, eq=False)
class Limb:
    """A texture with its place in the limb's millimetres."""

    pixels: Pixels
    shade: NDArray[np.uint8]  # how opaque it is, four times coarser
    corners: Array  # 4 × 2: along and across, of the texture's corners
    is_soft: bool  # nearer to the camera than what it is sharp for


@dataclass(frozen=True, slots=True)
class LimbLook:
    """Whose arm it is."""

    skin: tuple[float, float, float]
    cloth: tuple[float, float, float]
    other: tuple[float, float, float]
    weave: str  # plain, stripes, checks, denim, knit, bare
    cuff: str  # ribbed, shirt, open
    watch: bool
    stout: float
    size: float  # of the whole arm
    seed: int


SKINS = (
    (176, 200, 236),
    (150, 180, 224),
    (128, 160, 208),
    (96, 130, 184),
    (66, 96, 148),
    (44, 66, 104),
    (160, 196, 240),
)
CLOTHS = (
    (238, 240, 242),
    (232, 230, 226),
    (28, 28, 30),
    (40, 34, 30),
    (120, 70, 40),
    (60, 50, 150),
    (90, 120, 60),
    (150, 150, 148),
    (180, 140, 90),
    (70, 160, 210),
    (110, 60, 110),
    (60, 80, 60),
)


def a_look(rng: Rng) -> LimbLook:
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.94, 1.04)
    cloth = np.array(CLOTHS[int(rng.integers(len(CLOTHS)))]) * rng.uniform(0.92, 1.02)
    other = np.array(CLOTHS[int(rng.integers(len(CLOTHS)))])
    weave = str(
        rng.choice(("plain", "stripes", "checks", "denim", "knit", "bare"), p=(0.28, 0.12, 0.1, 0.12, 0.18, 0.2))
    )
    if weave == "denim":
        cloth = np.array((120, 84, 52)) * rng.uniform(0.6, 1.2)
    cuff = str(rng.choice(("ribbed", "shirt", "open")))
    return LimbLook(
        _triplet(skin),
        _triplet(cloth),
        _triplet(other),
        weave,
        cuff,
        bool(rng.random() < 0.3),
        float(rng.uniform(0.9, 1.1)),
        float(rng.uniform(0.84, 0.99)),
        int(rng.integers(2**31)),
    )


def _triplet(values: Array) -> tuple[float, float, float]:
    blue, green, red = np.clip(values, 0, 250).tolist()
    return blue, green, red


# --- Reliefs


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    """The points of a texture: where they are, and how wide they reach."""

    along: Field
    across: Field
    reach: tuple[float, float, float]
    texels: int

    def near(self, by: float, *spots: Spot) -> tuple[slice, slice]:
        """Rows and columns of what is no farther than that from some spots."""
        low, _, side = self.reach
        along, across = [one[0] - low for one in spots], [one[1] + side for one in spots]
        rows = slice(max(0, int((min(across) - by) * self.texels)), max(0, int((max(across) + by) * self.texels)))
        columns = slice(max(0, int((min(along) - by) * self.texels)), max(0, int((max(along) + by) * self.texels)))
        return rows, columns

    def part(self, where: tuple[slice, slice]) -> "_Sheet":
        return _Sheet(self.along[where], self.across[where], self.reach, self.texels)


def _sheet(reach: tuple[float, float, float], texels: int) -> _Sheet:
    low, high, side = reach
    along = np.arange(low, high, 1 / texels, dtype=np.float32) + np.float32(0.5 / texels)
    across = np.arange(-side, side, 1 / texels, dtype=np.float32) + np.float32(0.5 / texels)
    first, second = np.meshgrid(along, across)
    return _Sheet(first, second, reach, texels)


def _bones(sheet: _Sheet, bones: Sequence[tuple[Spot, Spot]]) -> tuple[Field, Field]:
    """Height over the table, and distance to the outline (below 0 inside)."""
    together = np.zeros_like(sheet.along)
    outside = np.full_like(sheet.along, 99.0)
    for start, end in bones:
        where = sheet.near(max(start[3], end[3]) + 4, start, end)
        high, off = _bone(sheet.part(where), start, end)
        together[where] += np.exp(np.clip(SMOOTH * high, -30, 60))
        outside[where] = np.minimum(outside[where], off)
    return np.log(together + 1e-9) / SMOOTH, outside


def _bone(sheet: _Sheet, start: Spot, end: Spot) -> tuple[Field, Field]:
    (x0, y0, z0, r0), (x1, y1, z1, r1) = start, end
    dx, dy = x1 - x0, y1 - y0
    share = np.clip(((sheet.along - x0) * dx + (sheet.across - y0) * dy) / (dx * dx + dy * dy + 1e-6), 0, 1)
    away = np.hypot(sheet.along - x0 - share * dx, sheet.across - y0 - share * dy)
    radius, bone = r0 + share * (r1 - r0), z0 + share * (z1 - z0)
    high = bone + np.sqrt(np.maximum(radius * radius - away * away, 0)) - 5 * np.maximum(away - radius, 0)
    return high, away - radius


def _lit(high: Field, texels: int, lamp: Array, lamp_share: float) -> Field:
    """The light on a relief, 1.0 where it lies level: from the lamp's direction, less in hollows."""
    high = cv2.GaussianBlur(high.astype(np.float32), (0, 0), 0.55 * texels)
    slope_along = cv2.Sobel(high, cv2.CV_32F, 1, 0, scale=texels / 8)
    slope_across = cv2.Sobel(high, cv2.CV_32F, 0, 1, scale=texels / 8)
    long = np.sqrt(slope_along**2 + slope_across**2 + 1)
    facing = np.maximum(lamp[2] - slope_along * lamp[0] - slope_across * lamp[1], 0) / long / lamp[2]
    around = 0.45 + 0.55 / long
    size = (high.shape[1], high.shape[0])
    smooth = cv2.GaussianBlur(cv2.resize(high, (size[0] // 4, size[1] // 4)), (0, 0), 5.0 * texels / 4)
    hollow = np.clip((cv2.resize(smooth, size) - high) / 22, -0.12, 0.5)
    return np.asarray(np.clip((lamp_share * facing + (1 - lamp_share) * around) * (1 - hollow), 0.02, 1.6))


# --- The hand

# Right hand from above, little finger last: knuckle, middle joint, tip.
_FINGERS: tuple[tuple[Spot, Spot, Spot], ...] = (
    ((-84, -25, 20, 10.2), (-38, -20, 21, 8.6), (-10, -13.5, 6, 7.0)),
    ((-88, -5, 23, 10.5), (-40, -3.5, 25, 8.8), (-7.2, 0, 6, 7.2)),
    ((-85, 14, 21, 9.8), (-40, 13, 23, 8.3), (-12, 12.5, 6, 6.8)),
    ((-77, 31, 16, 8.6), (-44, 28, 17, 7.2), (-25, 24.5, 5, 6.0)),
)
_THUMB: tuple[Spot, Spot, Spot] = ((-120, -29, 12, 13), (-92, -47, 8, 10.5), (-62, -47, 5, 8.6))
_PALM: tuple[tuple[Spot, Spot], ...] = (
    ((WRIST + 10, -12, 12, 16), (-88, -24, 14, 14)),
    ((WRIST + 6, -3, 14, 17), (-92, -5, 16, 14)),
    ((WRIST + 6, 8, 13, 17), (-88, 13, 14, 13.5)),
    ((WRIST + 10, 12, 10, 16), (-80, 29, 9, 12)),
    ((-122, -22, 8, 14), (-100, -34, 8, 12)),
    ((-200, -9, 12, 19), (WRIST, -9, 12, 17)),
    ((-200, 9, 12, 19), (WRIST, 9, 12, 17)),
)


def _posed(grip: Grip, rng: Rng) -> tuple[list[tuple[Spot, Spot, Spot]], tuple[Spot, Spot, Spot]]:
    """Fingers as they hold: close together on a card, or spread on a pile."""
    spread = {"over": 0.85, "under": 0.9, "thumb": 1.0, "flat": 1.25}[grip] * rng.uniform(0.93, 1.07)
    fingers = []
    for number, (knuckle, joint, tip) in enumerate(_FINGERS):
        bent = rng.uniform(-1.5, 1.5) - (14 if grip == "over" and number == 3 else 0)
        far = (tip[0] + bent, tip[1] * spread + rng.normal(0, 0.8), *tip[2:])
        near = (joint[0] + 0.3 * bent, joint[1] * (1 + spread) / 2, *joint[2:])
        fingers.append((knuckle, near, far))
    thumb = _THUMB
    if grip == "over":  # under the card, or close to its edge
        thumb = (_THUMB[0], (-84, -43, 6, 10.5), (-48, -29, 2, 8.6))
    elif grip == "thumb":  # on the card
        thumb = (_THUMB[0], (-82, -40, 24, 10.5), (-36, -19, 22, 8.8))
    elif grip == "flat":
        thumb = (_THUMB[0], (-90, -52, 8, 10.5), (-64, -62, 5, 8.6))
    return fingers, thumb


def hand(look: LimbLook, grip: Grip, lamp: Array, lamp_share: float) -> Limb:
    """A hand from above."""
    rng = np.random.default_rng((look.seed, GRIPS.index(grip)))
    sheet = _sheet(HAND, FINE)
    fingers, thumb = _posed(grip, rng)
    shown = [thumb] if grip == "thumb" else fingers if grip == "under" else [*fingers, thumb]
    bones = [] if grip == "thumb" else list(_PALM)
    for knuckle, joint, tip in shown:
        bones += [(knuckle, joint), (joint, tip)]
    high, outside = _bones(sheet, bones)
    high += 0.12 * clouds(rng, high.shape[::-1], (4, 4))
    tone = _lit(high, sheet.texels, lamp, lamp_share)
    colour = _skin(sheet, look, rng)
    for knuckle, joint, tip in shown:
        where = sheet.near(25, joint, tip)
        part, seen = sheet.part(where), colour[where]
        _crease(part, seen, knuckle, joint, 0.0, 0.16)
        _crease(part, seen, joint, tip, 0.62, 0.08)
        _blush(part, seen, tip)
        _nail(part, seen, tone[where], joint, tip)
    if grip == "thumb":  # its root is part of the hand below the card
        outside = np.maximum(outside, (-98 - sheet.along) * 0.2)
    return _limb(sheet, colour * (tone**TONE)[..., None], outside, look.size)


def _skin(sheet: _Sheet, look: LimbLook, rng: Rng) -> Field:
    size = sheet.along.shape[::-1]
    mottled = 1 + 0.022 * clouds(rng, size, (26, 26)) + 0.02 * clouds(rng, size, (5, 5))
    return np.asarray(mottled[..., None] * np.array(look.skin, np.float32))


def _local(sheet: _Sheet, start: Spot, end: Spot) -> tuple[Field, Field, float]:
    """Along and across a piece of a finger, from its start, and how long it is."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    long = float(np.hypot(dx, dy))
    x, y = sheet.along - start[0], sheet.across - start[1]
    return (x * dx + y * dy) / long, (y * dx - x * dy) / long, long


def _crease(sheet: _Sheet, colour: Field, start: Spot, end: Spot, share: float, depth: float) -> None:
    """The folds of skin over a joint."""
    along, across, long = _local(sheet, start, end)
    along = along - long * (1 if share == 0.0 else share)
    fold = sum(np.exp(-(((along - at + 0.012 * across**2) / 0.55) ** 2)) for at in (-2.2, 0.0, 2.0))
    near = np.exp(-((across / (0.75 * end[3])) ** 4)) * np.exp(-((along / 6) ** 4))
    colour *= (1 - depth * np.asarray(fold) * near)[..., None]


def _blush(sheet: _Sheet, colour: Field, tip: Spot) -> None:
    near = np.exp(-((sheet.along - tip[0]) ** 2 + (sheet.across - tip[1]) ** 2) / 130)[..., None]
    colour *= 1 - near * np.array((0.10, 0.08, -0.01), np.float32)


def _nail(sheet: _Sheet, colour: Field, tone: Field, joint: Spot, tip: Spot) -> None:
    along, across, long = _local(sheet, joint, tip)
    wide, deep = 0.72 * tip[3], 0.9 * tip[3]
    off = np.abs((along - long - 0.15 * tip[3]) / deep) ** 2.6 + np.abs(across / wide) ** 2.6
    inside = (1 / (1 + np.exp(np.minimum(14 * (off - 1), 50))))[..., None]
    rim = np.exp(-(((off - 1.05) / 0.16) ** 2))[..., None]
    colour *= 1 + inside * np.array((0.10, 0.05, 0.05), np.float32) - 0.13 * rim
    glint = np.exp(-(((across - 0.25 * wide) / 1.2) ** 2) - ((along - long) / 3.0) ** 2)
    tone += 0.25 * glint


# --- The forearm


def forearm(look: LimbLook, lamp: Array, lamp_share: float) -> Limb:
    """From the wrist to the elbow and on, in a sleeve or bare."""
    rng = np.random.default_rng((look.seed, 7))
    sheet = _sheet(ARM, COARSE)
    behind = -(sheet.along - ARM[1])  # of the cuff
    high, outside, colour = _bare(sheet, look, rng, behind)
    if look.weave != "bare":
        high, outside, colour = _sleeve(sheet, look, rng, behind)
    elif look.watch:
        _wear_watch(sheet, high, colour, look)
    tone = _lit(high, sheet.texels, lamp, lamp_share)
    limb = colour * (tone**TONE)[..., None]
    return _limb(sheet, limb, outside, look.size, fade=18.0 if look.weave == "bare" else 0.0)


def _bare(sheet: _Sheet, look: LimbLook, rng: Rng, behind: Field) -> tuple[Field, Field, Field]:
    radius = look.stout * (29 + 17 * np.clip((behind - 30) / 240, 0, 1) ** 0.8)
    high, outside = _tube(sheet, radius)
    colour = _skin(sheet, look, rng)
    is_sleeve = behind > 250 + 40 * np.sin(look.seed)
    if is_sleeve.any():
        wide = look.stout * 62
        other, off = _tube(sheet, np.full_like(behind, wide))
        high, outside = np.where(is_sleeve, other, high), np.where(is_sleeve, off, outside)
        colour = np.where(is_sleeve[..., None], np.array(look.cloth, np.float32), colour)
    return high, outside, colour


def _tube(sheet: _Sheet, radius: Field) -> tuple[Field, Field]:
    across = np.abs(sheet.across)
    return 22 + 0.85 * np.sqrt(np.maximum(radius**2 - across**2, 0)) - 5 * np.maximum(
        across - radius, 0
    ), across - radius


def _sleeve(sheet: _Sheet, look: LimbLook, rng: Rng, behind: Field) -> tuple[Field, Field, Field]:
    size = sheet.along.shape[::-1]
    radius = look.stout * (37 + 22 * np.clip(behind / 330, 0, 1)) + 1.6 * clouds(rng, size, (70, 900))
    if look.cuff == "ribbed":
        radius = radius - 5 * np.exp(-((behind / 40) ** 4))
    high, outside = _tube(sheet, np.asarray(radius))
    loose = 1 - np.exp(-behind / 60)
    slant = cv2.warpAffine(
        clouds(rng, size, (46, 130)), np.array([[1, 0.5, -80], [0, 1, 0]]), size, borderMode=cv2.BORDER_REFLECT
    )
    high = high + loose * (1.9 * slant + 1.0 * clouds(rng, size, (26, 70))) + 0.3 * clouds(rng, size, (9, 9))
    colour = _woven(sheet, look, behind)
    high = _cuffed(sheet, look, behind, high, colour)
    return np.asarray(high), outside, colour


def _woven(sheet: _Sheet, look: LimbLook, behind: Field) -> Field:
    cloth, other = np.array(look.cloth, np.float32), np.array(look.other, np.float32)
    colour = np.broadcast_to(cloth, (*behind.shape, 3)).copy()
    match look.weave:
        case "stripes":
            share = ((behind / 26) % 1 < 0.45).astype(np.float32)
            return colour + share[..., None] * (other - cloth)
        case "checks":
            share = 0.5 * ((behind / 21) % 1 < 0.4) + 0.5 * ((sheet.across / 21) % 1 < 0.4)
            return np.asarray(colour + share[..., None].astype(np.float32) * (other - cloth))
        case "denim":
            twill = np.sin((behind + sheet.across) * 2 * np.pi / 2.4)
            return np.asarray(colour * (1 + 0.12 * twill)[..., None])
        case "knit":
            rows = np.sin(behind * 2 * np.pi / 4.4 + 2.0 * np.abs((sheet.across / 5) % 1 - 0.5) * 2 * np.pi / 2)
            return np.asarray(colour * (1 + 0.10 * rows)[..., None] + 2)
        case _:
            return colour


def _cuffed(sheet: _Sheet, look: LimbLook, behind: Field, high: Field, colour: Field) -> Field:
    """How the sleeve ends."""
    match look.cuff:
        case "ribbed":
            ribs = np.sin(sheet.across * 2 * np.pi / 4.2)
            is_cuff = np.clip((58 - behind) / 3, 0, 1)
            colour *= (1 - 0.10 * is_cuff * (1 + ribs))[..., None]
            return np.asarray(high + is_cuff * (0.7 * ribs - 1.0))
        case "shirt":
            hem = np.exp(-(((behind - 62) / 1.1) ** 2)) + 0.6 * np.exp(-(((behind - 6) / 0.7) ** 2))
            button = np.hypot(behind - 30, sheet.across + 14) < 5.2
            colour[button] = np.array((200, 206, 210), np.float32)
            return np.asarray(high - 1.6 * hem + 1.2 * button)
        case _:
            return np.asarray(high + 1.5 * np.exp(-((behind / 4) ** 2)))


def _wear_watch(sheet: _Sheet, high: Field, colour: Field, look: LimbLook) -> None:
    strap = np.abs(sheet.along - (WRIST - 38)) < 10
    colour[strap] = np.array((30, 32, 36), np.float32) if look.seed % 2 else np.array((60, 84, 120), np.float32)
    high += 2.0 * strap
    face = np.hypot(sheet.along - (WRIST - 38), sheet.across)
    colour[face < 19] = np.array((150, 154, 158), np.float32)
    colour[face < 16] = np.array((32, 30, 30), np.float32)
    high += 3.0 * (face < 19)


def _limb(sheet: _Sheet, colour: Field, outside: Field, scale: float, *, fade: float = 0.0) -> Limb:
    opaque = np.clip(0.5 - outside * sheet.texels / 1.6, 0, 1)
    low, high, side = sheet.reach
    opaque *= np.clip((sheet.along - low) / 6, 0, 1)
    if fade:
        opaque *= np.clip((high - sheet.along) / fade, 0, 1)
    pixels = np.empty((*opaque.shape, 4), np.uint8)
    pixels[..., :3] = np.clip(colour, 0, 255) * opaque[..., None]
    pixels[..., 3] = np.round(opaque * 255)
    return _trimmed(pixels, (low, -side), sheet.texels, scale)


def _trimmed(pixels: Pixels, start: tuple[float, float], texels: int, scale: float) -> Limb:
    """Without what is empty around it; `start` is where its first texel is."""
    left, top, width, height = cv2.boundingRect(pixels[..., 3])
    pixels = np.ascontiguousarray(pixels[top : top + height, left : left + width])
    shade = cv2.resize(pixels[..., 3], (width // 4, height // 4), interpolation=cv2.INTER_AREA)
    low = np.array(start) + np.array((left, top)) / texels
    high = low + np.array((width, height)) / texels
    corners = np.array([low, (high[0], low[1]), high, (low[0], high[1])]) * scale
    return Limb(pixels, shade, corners, texels == COARSE)


def mirrored(limb: Limb) -> Limb:
    """A left one for a right one."""
    corners = (limb.corners * (1, -1))[[3, 2, 1, 0]]
    return Limb(np.ascontiguousarray(limb.pixels[::-1]), np.ascontiguousarray(limb.shade[::-1]), corners, limb.is_soft)
