"""Editions for the second network: what is rare in card_art is common here, and paper, ink and layout vary further.

Fine waves close to each other, waves in the ink of an outline or cut off by the shape, waves anywhere in a strip of
their own, stock of any colour, ink that covers or stains, soft corners, hands that shake. An edition answers for the
face of a card by its name, as the printed deck does. Lengths are fractions of the card's longer side.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.train.card_art import (
    BLACK,
    FONTS,
    HUES,
    WHITE,
    Ink,
    Outline,
    Rng,
    circle,
    diamond,
    ink_of,
    mixed,
    plus,
    rounded,
    star,
)
from vision.deck import COLOURS, SHAPES
from vision.frames import Picture

LONG = 208  # pixels of a face's longer side
FINE = 4  # bits of a coordinate's fraction
STEEPEST = 1.3  # slope of a wave
SATURATION, VALUE = (0.6, 0.5, 0.35, 0.6), (0.5, 0.35, 0.35, 0.7)  # the least of each colour's ink

Mask = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WaveLine:
    """One wave of an edition, and how the others lie beside it."""

    form: str  # sine, zigzag, arcs, flat
    gap: float
    thickness: float
    swing: float
    period: float
    phase: float
    length: float
    slant: float


@dataclass(frozen=True, slots=True)
class WideStyle:
    """An edition."""

    aspect: float
    layout: str  # over, strip
    standing: bool  # waves stand, and a strip is beside the shape
    first: bool  # the strip is above or to the left
    spread: float  # of the room that is left over, so much lies before the shape
    anchored: str  # middle, near, far: where in the strip the first waves are
    clip: str  # none, shape, disc
    line: WaveLine
    wave_ink: str  # white, dark, own, light, swap
    is_edged: bool  # waves have a dark or a light edge
    reach: float  # of the shape
    soft: float  # of the reach: how round its corners are
    fill: str  # solid, outline, tint, edged, ring
    rim: float
    diamond: tuple[float, float]
    plus: tuple[float, float]  # half an arm's width, and how much wider it gets
    star: tuple[int, float, float]
    paper: Ink
    covers: bool
    inks: tuple[Ink, Ink, Ink, Ink]
    dark: Ink
    frame: str  # none, rule, band, dots
    frame_ink: str  # own, dark, grey
    inset: float
    index: str  # none, digit, shape, both
    index_ink: str
    index_size: float
    font: int
    shakes: float
    dry: float
    seed: int


# --- Chance


def a_wide_style(rng: Rng) -> WideStyle:
    u = rng.uniform

    def some(*names: str) -> str:
        return str(rng.choice(names))

    layout = some("over", "over", "strip")
    fill = some("solid", "solid", "solid", "solid", "outline", "outline", "tint", "edged", "ring")
    paper = _paper(rng)
    return WideStyle(
        aspect=float(rng.choice([1.0, u(0.62, 0.74), u(0.62, 1.0)])),
        layout=layout,
        standing=bool(rng.random() < 0.15),
        first=bool(rng.random() < 0.3),
        spread=float(u(0, 1)),
        anchored=some("middle", "middle", "near", "far"),
        clip=some("none", "shape", "disc") if layout == "over" else "none",
        line=_line(rng, layout),
        wave_ink=_wave_ink(rng, layout, fill),
        is_edged=bool(rng.random() < 0.15),
        reach=float(u(0.2, 0.42)),
        soft=float(rng.choice([0, 0, u(0.02, 0.25)])),
        fill=fill,
        rim=float(u(0.012, 0.05)),
        diamond=(float(u(0.6, 1.0)), float(rng.choice([0, 0, u(-0.22, 0.12)]))),
        plus=(float(u(0.2, 0.45)), float(rng.choice([0, 0, u(0, 0.25)]))),
        star=(
            int(rng.choice([5] * 12 + [6] * 3 + [7, 8])),
            float(u(0.36, 0.6)),
            float(rng.choice([0, 0, u(-0.3, 0.3)])),
        ),
        paper=paper,
        covers=bool(rng.random() < 0.6),
        inks=tuple(_ink(rng, colour) for colour in range(4)),  # type: ignore[arg-type]
        dark=mixed(BLACK, ink_of(u(0, 180), u(0, 0.8), u(0.2, 0.5)), float(u(0, 0.9))),
        frame=some("none", "none", "none", "none", "rule", "rule", "band", "dots"),
        frame_ink=some("own", "dark", "grey"),
        inset=float(u(0.02, 0.05)),
        index=some("none", "none", "digit", "shape", "both"),
        index_ink=some("own", "dark"),
        index_size=float(u(0.05, 0.1)),
        font=int(rng.choice(FONTS)),
        shakes=float(rng.choice([0, 0, 0, u(0.5, 4.0)])),
        dry=float(rng.choice([0, 0, 0, u(0.1, 0.6)])),
        seed=int(rng.integers(2**31)),
    )


def _line(rng: Rng, layout: str) -> WaveLine:
    u = rng.uniform
    gap = float(np.exp(u(np.log(0.05), np.log(0.13 if layout == "over" else 0.1))))
    period = float(np.exp(u(np.log(0.06), np.log(0.35))))
    return WaveLine(
        form=str(rng.choice(["sine", "sine", "sine", "zigzag", "arcs", "flat"])),
        gap=gap,
        thickness=float(np.clip(gap * u(0.22, 0.5), 0.013, 0.045)),
        swing=min(float(u(0.006, 0.035)), STEEPEST * period / (2 * np.pi), 0.6 * gap),
        period=period,
        phase=float(u(0, 2 * np.pi)),
        length=float(u(0.45, 1.0)),
        slant=float(rng.choice([0, 0, 0, 0, u(-0.6, 0.6)])) if layout == "over" else 0.0,
    )


def _wave_ink(rng: Rng, layout: str, fill: str) -> str:
    if layout == "strip":
        return str(rng.choice(["own", "own", "dark", "dark"]))
    if fill in ("outline", "tint"):
        return str(rng.choice(["own", "own", "dark"]))
    return str(rng.choice(["white", "white", "dark", "dark", "light", "swap"]))


def _ink(rng: Rng, colour: int) -> Ink:
    return ink_of(rng.uniform(*HUES[colour]), rng.uniform(SATURATION[colour], 1), rng.uniform(VALUE[colour], 1))


def _paper(rng: Rng) -> Ink:
    """White of some kind, cream, brown board, a pale colour, or dark."""
    u = rng.uniform
    match str(rng.choice(["white"] * 8 + ["cream"] * 4 + ["board"] * 3 + ["pale"] * 4 + ["dark"])):
        case "cream":
            warm = u(0.03, 0.22)
            blue, green, red = 1 - warm, 1 - u(0.2, 0.5) * warm, 1.0
        case "board":
            deep = u(0.1, 0.4)
            blue, green, red = 1 - deep - u(0.08, 0.25), 1 - deep, 1 - u(0.3, 0.7) * deep
        case "pale":
            blue, green, red = 1 - u(0.0, 0.2, 3)
        case "dark":
            blue, green, red = u(0.06, 0.22, 3)
        case _:
            blue, green, red = 1 - u(0.0, 0.05, 3)
    return float(250 * blue), float(250 * green), float(250 * red)


# --- Outlines and masks


def _outline(style: WideStyle, shape: int) -> Outline:
    """Around the origin, about one far."""
    match SHAPES[shape]:
        case "circle":
            return circle()
        case "diamond":
            return diamond(*style.diamond)
        case "plus":
            half, wider = style.plus
            points = plus(half)
            at_end = np.abs(points).max(1, keepdims=True) > 0.99
            across = np.abs(points) < 0.99
            return np.where(at_end & across, points * (1 + wider / half), points)
        case _:
            return star(*style.star) * 1.1


def _filled(size: tuple[int, int], points: Outline, width: float = 0.0) -> Mask:
    """Inside of it, and so far around it with round corners."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    at = [np.round(points * 2**FINE).astype(np.int32)]
    cv2.fillPoly(mask, at, 255.0, cv2.LINE_AA, FINE)
    if width >= 1:
        cv2.polylines(mask, at, isClosed=True, color=255.0, thickness=round(width), lineType=cv2.LINE_AA, shift=FINE)
    return mask.astype(np.float32) / 255


def _stroked(size: tuple[int, int], lines: list[Outline], width: float, *, closed: bool = False) -> Mask:
    mask = np.zeros((size[1], size[0]), np.uint8)
    for points in lines:
        at = [np.round(points * 2**FINE).astype(np.int32)]
        cv2.polylines(mask, at, closed, 255.0, max(1, round(width)), cv2.LINE_AA, FINE)
    return mask.astype(np.float32) / 255


def _wave(line: WaveLine, length: float) -> Outline:
    """Lying, around the origin, in pixels."""
    along = np.linspace(-0.5, 0.5, 61) * length
    angle = 2 * np.pi * along / (line.period * LONG) + line.phase
    height = np.sin(angle)
    if line.form == "zigzag":
        height = 2 / np.pi * np.arcsin(height)
    elif line.form == "arcs":
        height = 2 * np.abs(np.sin(angle / 2)) - 1
    elif line.form == "flat":
        height = np.clip(height * 1.8, -1, 1)
    return np.stack([along, height * line.swing * LONG], 1)


# --- A face


@dataclass(frozen=True, slots=True)
class Placed:
    """Where the shape of an edition is, how large, and the waves of a count, in pixels."""

    middle: Outline
    reach: float
    waves: list[Outline]


def placed(style: WideStyle, size: tuple[int, int], count: int) -> Placed:
    line, centre = style.line, np.array(size) / 2
    width, height = (size[1], size[0]) if style.standing else size  # as if waves lay
    margin = (0.04 + style.inset) * LONG
    block = (2 * line.gap + 2 * line.swing + line.thickness) * LONG
    reach = min(style.reach * LONG, 0.5 * min(size) - margin)
    shift, offsets = 0.0, (np.arange(count) - (count - 1) / 2) * line.gap * LONG
    if style.layout == "strip":
        free = height - 2 * margin - block - 0.03 * LONG
        reach = float(np.clip(min(reach, free / 2.2), 0.12 * LONG, 0.5 * min(size)))
        left = max(0.0, free - 2.2 * reach)
        shift = -height / 2 + margin + 1.1 * reach + 0.6 * style.spread * left
        strip = (shift + 1.1 * reach + 0.03 * LONG, height / 2 - margin)
        offsets = _anchored(style, offsets, strip)
        length = line.length * (width - 2 * margin)
    else:
        reach = min(reach, 0.44 * min(size))
        length = min(2 * reach * (0.6 + line.length * 0.8), width - margin)
    turn, sign = (np.pi / 2 if style.standing else 0.0) + line.slant, -1 if style.first else 1
    c, s = np.cos(turn), np.sin(turn)
    matrix = np.array([[c, s], [-s, c]])
    waves = [(_wave(line, length) + (0, sign * offset)) @ matrix + centre for offset in offsets]
    return Placed(np.array([0, sign * shift]) @ matrix + centre, reach, waves)


def _anchored(style: WideStyle, offsets: Outline, strip: tuple[float, float]) -> Outline:
    start, end = strip
    if not len(offsets):
        return offsets
    half = (style.line.swing + style.line.thickness / 2) * LONG
    match style.anchored:
        case "near":
            return offsets - offsets.min() + start + half
        case "far":
            return offsets - offsets.max() + end - half
        case _:
            return offsets + (start + end) / 2


def edition_face(style: WideStyle, colour: int, shape: int, count: int) -> Picture:
    size = (round(LONG * style.aspect), LONG)
    own = style.inks[colour]
    page = np.empty((size[1], size[0], 3), np.float32)
    page[:] = style.paper
    page = _framed(style, page, own)
    there = placed(style, size, count)
    points = _outline(style, shape)
    soft = style.soft * there.reach
    placed_points = points * (there.reach - soft) + there.middle
    figure = _filled(size, placed_points, 2 * soft)
    page = _figured(style, page, figure, placed_points, own)
    page = _waved(style, page, there, figure, own)
    page = _indexed(style, page, points, count, own)
    return _pressed(style, page)


def _inked(style: WideStyle, page: Mask, mask: Mask, ink: Ink, *, covers: bool = True) -> Mask:
    """Opaque ink, or one that lets the stock through."""
    value = np.array(ink, np.float32)
    if not covers and not style.covers and sum(style.paper) > 400:
        value = value * np.array(style.paper, np.float32) / 250
    return page + (value - page) * mask[..., None]


def _figured(style: WideStyle, page: Mask, figure: Mask, points: Outline, own: Ink) -> Mask:
    size, rim = (page.shape[1], page.shape[0]), style.rim * LONG
    contour = _stroked(size, [points], rim + 2 * style.soft * style.reach * LONG, closed=True)
    match style.fill:
        case "outline":
            return _inked(style, page, _stroked(size, [points], rim, closed=True), own, covers=False)
        case "tint":
            page = _inked(style, page, figure, mixed(style.paper, own, 0.35))
            return _inked(style, page, _stroked(size, [points], rim, closed=True), own, covers=False)
        case "edged":
            page = _inked(style, page, np.maximum(figure, contour), style.dark)
            return _inked(style, page, figure * (1 - _stroked(size, [points], rim / 2, closed=True)), own)
        case "ring":
            page = _inked(style, page, np.maximum(figure, contour), mixed(own, WHITE, 0.4))
            return _inked(style, page, figure, own)
        case _:
            return _inked(style, page, figure, own, covers=False)


def _waved(style: WideStyle, page: Mask, there: Placed, figure: Mask, own: Ink) -> Mask:
    size, thick = (page.shape[1], page.shape[0]), style.line.thickness * LONG
    waves = _stroked(size, there.waves, thick)
    edges = _stroked(size, there.waves, thick + 4)
    if style.clip == "shape":
        waves, edges = waves * figure, edges * figure
    elif style.clip == "disc":
        disc = _filled(size, circle() * there.reach * 0.92 + there.middle)
        waves, edges = waves * disc, edges * disc
    if style.wave_ink == "swap":
        page = _inked(style, page, waves * (1 - figure), own, covers=False)
        return _inked(style, page, waves * figure, style.paper)
    ink = {
        "white": WHITE if sum(style.paper) < 300 else style.paper,
        "light": mixed(own, WHITE, 0.7) if sum(own) < 420 else style.dark,
        "dark": style.dark,
        "own": own,
    }[style.wave_ink]
    if style.wave_ink == "dark" and sum(style.paper) < 300:
        ink = WHITE
    if style.is_edged and style.layout == "over":
        page = _inked(style, page, edges, style.dark if sum(ink) > 380 else WHITE)
    return _inked(style, page, waves, ink)


def _framed(style: WideStyle, page: Mask, own: Ink) -> Mask:
    if style.frame == "none":
        return page
    height, width = page.shape[:2]
    ink = {"own": own, "dark": style.dark, "grey": (150.0, 150.0, 150.0)}[style.frame_ink]
    inset = style.inset * LONG
    inner = rounded(width - 2 * inset, height - 2 * inset, inset) + (width / 2, height / 2)
    match style.frame:
        case "band":
            return _inked(style, page, 1 - _filled((width, height), inner), own)
        case "rule":
            return _inked(style, page, _stroked((width, height), [inner], style.rim * LONG / 3, closed=True), ink)
        case _:
            y, x = np.mgrid[:height, :width]
            step = max(5.0, style.rim * LONG * 1.5)
            dots = np.clip(step * 0.35 - np.hypot(x % step - step / 2, y % step - step / 2), 0, 1)
            edge = _stroked((width, height), [inner], step * 0.9, closed=True)
            return _inked(style, page, (dots * edge).astype(np.float32), ink)


def _indexed(style: WideStyle, page: Mask, points: Outline, count: int, own: Ink) -> Mask:
    """Numerals and small signs in two corners, the second time upside down."""
    if style.index == "none" or style.frame == "band":
        return page
    height, width = page.shape[:2]
    mark = np.zeros((height, width), np.uint8)
    side, x, y = style.index_size * LONG, (style.inset + 0.02) * LONG, (style.inset + 0.02) * LONG
    if style.index in ("digit", "both"):
        at = (round(x), round(y + side * 0.9))
        cv2.putText(mark, str(count), at, style.font, side / 24, 255.0, max(1, round(side / 9)), cv2.LINE_AA)
        y += side * 1.2
    if style.index in ("shape", "both"):
        signs = points * side * 0.45 + (x + side / 2, y + side / 2)
        cv2.fillPoly(mark, [np.round(signs * 2**FINE).astype(np.int32)], 255.0, cv2.LINE_AA, FINE)
    both = np.maximum(mark, mark[::-1, ::-1]).astype(np.float32) / 255
    ink = own if style.index_ink == "own" else style.dark
    return _inked(style, page, both, WHITE if sum(style.paper) < 300 and style.index_ink == "dark" else ink)


# --- The press


def _pressed(style: WideStyle, page: Mask) -> Picture:
    """With what a shaking hand and too little ink do."""
    rng = np.random.default_rng(style.seed)
    size = page.shape[0], page.shape[1]
    if style.shakes:
        x, y = np.meshgrid(np.arange(size[1], dtype=np.float32), np.arange(size[0], dtype=np.float32))
        off = [style.shakes * _patches(rng, size, int(rng.integers(12, 40))) for _ in range(2)]
        page = np.asarray(
            cv2.remap(page, x + off[0], y + off[1], cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE), np.float32
        )
    if style.dry:
        missing = np.clip(_patches(rng, size, int(rng.integers(3, 9))) * 1.6 - 0.3, 0, 1)[..., None]
        page = page + (np.array(style.paper, np.float32) - page) * missing * style.dry
    return np.clip(page, 0, 255).astype(np.uint8)


def _patches(rng: Rng, size: tuple[int, int], fine: int) -> Mask:
    """Smooth chance from -1 to 1; patches of so many pixels."""
    height, width = size
    coarse = rng.uniform(-1, 1, (height // fine + 2, width // fine + 2)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


# --- An edition


class WideEdition:
    """Its faces by the names of cards, drawn when they are asked for."""

    def __init__(self, rng: Rng) -> None:
        self._style = a_wide_style(rng)
        self._drawn: dict[str, Picture] = {}

    def __call__(self, name: str) -> Picture:
        if name not in self._drawn:
            self._drawn[name] = self._face(name)
        return self._drawn[name]

    def _face(self, name: str) -> Picture:
        if name in ("blank", "back"):
            face = np.empty((LONG, round(LONG * self._style.aspect), 3), np.float32)
            face[:] = self._style.paper
            return self._backed(face) if name == "back" else _pressed(self._style, face)
        colour, shape, count = name.split("-")
        return edition_face(self._style, COLOURS.index(colour), SHAPES.index(shape), int(count))

    def _backed(self, face: Mask) -> Picture:
        """Stripes, squares or dots all over, inside a border."""
        style = self._style
        y, x = np.mgrid[: face.shape[0], : face.shape[1]].astype(np.float32)
        step, turn = 8 + 60 * style.rim * 4, style.star[2]
        u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
        waves = np.sin(2 * np.pi * u / step), np.sin(2 * np.pi * v / step)
        share = {"none": waves[0], "shape": waves[0] * waves[1]}.get(style.clip, np.maximum(*waves))
        ink, other = style.inks[style.seed % 4], style.inks[style.seed // 4 % 4]
        done = np.where((share > style.spread - 0.5)[..., None], np.array(ink), np.array(mixed(other, WHITE, 0.5)))
        edge = round(style.inset * LONG)
        face[edge:-edge, edge:-edge] = done[edge:-edge, edge:-edge]
        return face.astype(np.uint8)
