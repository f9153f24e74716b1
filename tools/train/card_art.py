"""Faces of cards in many styles, drawn with polygons: what a Triple³ deck might look like, and what it is not.

A style is drawn at random once and says everything about an edition's looks; a face is then a style with a colour, a
shape and a count. All lengths are fractions of the card's longer side, all angles radians, all colours B, G, R.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture

Rng = np.random.Generator
Outline = NDArray[np.float64]
Ink = tuple[float, float, float]

SIDE = 160  # pixels of a face's longer side
WHITE: Ink = (250, 250, 250)
BLACK: Ink = (22, 22, 22)
HUES = ((-9.0, 9.0), (98.0, 121.0), (129.0, 153.0), (20.0, 33.0))  # of 180: red, blue, purple, yellow
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX)
NOTHING = 1  # a grey that no ink has
SUBPIXEL = 4  # bits of a coordinate's fraction


@dataclass(frozen=True, slots=True)
class Waves:
    """How the count is drawn."""

    where: str  # over, below, above, behind, beside
    ink: str  # white, black, light, dark, same, swap
    form: str  # sine, zigzag, arcs, flat-topped
    length: float
    gap: float
    amplitude: float
    periods: float
    phase: float
    thickness: float
    turn: float
    edged: bool
    drawn_wide: bool  # over the whole card, not only the shape


@dataclass(frozen=True, slots=True)
class Style:
    """An edition."""

    aspect: float  # the shorter side by the longer
    radius: float
    paper: str  # white, tint, dark, full
    paper_ink: Ink
    frame: str  # none, line, dark-line, band, panel
    frame_width: float
    frame_inset: float
    size: float
    lift: float  # how far above the middle the shape is
    fill: str  # fill, outline, tint, double, shaded, hatch
    outline_width: float
    dark_edge: float  # 0: none
    diamond_width: float
    diamond_bulge: float
    plus_width: float
    plus_round: bool
    star_points: int
    star_depth: float
    star_turn: float
    index: str  # none, shape, digit, digit-shape, strokes
    index_size: float
    index_corners: int
    font: int
    waves: Waves
    hues: tuple[float, float, float, float]
    saturation: tuple[float, float, float, float]
    value: tuple[float, float, float, float]
    speckle: float = 0.0


def ink_of(hue: float, saturation: float, value: float) -> Ink:
    pixel = np.array(
        [[[int(hue) % 180, int(np.clip(saturation, 0, 1) * 255), int(np.clip(value, 0, 1) * 255)]]], np.uint8
    )
    blue, green, red = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    return float(blue), float(green), float(red)


def mixed(first: Ink, second: Ink, share: float) -> Ink:
    """So much of the second."""
    blue, green, red = (a * (1 - share) + b * share for a, b in zip(first, second, strict=True))
    return blue, green, red


# --- Shapes


def circle() -> Outline:
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    return np.stack([np.cos(turn), np.sin(turn)], 1)


def diamond(width: float, bulge: float) -> Outline:
    """Sides that bulge out (positive) or in."""
    corners = np.array([[0, -1], [width, 0], [0, 1], [-width, 0]])
    step = np.linspace(0, 1, 8, endpoint=False)[:, None]
    sides = []
    for start, end in zip(corners, np.roll(corners, -1, 0), strict=True):
        away = (start + end) / 2
        sides.append(start + (end - start) * step + away * bulge * 4 * step * (1 - step))
    return np.concatenate(sides)


def plus(width: float) -> Outline:
    arm = [(-width, -1), (width, -1), (width, -width)]
    quarter = np.array([[0, 1], [-1, 0]])
    points = np.array(arm, float)
    turned = [points]
    for _ in range(3):
        points = points @ quarter
        turned.append(points)
    return np.concatenate(turned)


def star(points: int, depth: float, turn: float) -> Outline:
    angle = np.arange(2 * points) * np.pi / points - np.pi / 2 + turn
    reach = np.where(np.arange(2 * points) % 2 == 0, 1.0, depth)
    return np.stack([np.cos(angle) * reach, np.sin(angle) * reach], 1)


def outline(style: Style, shape: int) -> Outline:
    if shape == 0:
        return circle()
    if shape == 1:
        return diamond(style.diamond_width, style.diamond_bulge)
    if shape == 2:
        return plus(style.plus_width)
    return star(style.star_points, style.star_depth, style.star_turn) * 1.1


# --- Styles


def a_style(rng: Rng) -> Style:
    """An edition that a publisher might have printed."""
    u = rng.uniform
    paper = str(rng.choice(["white", "white", "white", "white", "tint", "dark", "full"]))
    fill = str(rng.choice(["fill"] * 8 + ["outline", "tint", "double", "shaded", "hatch"]))
    if paper == "full":
        fill = "fill"
    aspect = float(rng.choice([1.0, u(0.62, 0.74), u(0.74, 1.0)]))
    waves = _waves(rng, paper, fill)
    aside = waves.where in ("below", "above", "beside")
    size = u(0.16, 0.23) if aside else u(0.22, 0.40) * (0.75 + 0.25 * aspect)
    lift = {"below": u(0.08, 0.14), "above": -u(0.08, 0.14)}.get(waves.where, float(rng.normal(0, 0.01)))
    return Style(
        aspect=aspect,
        radius=u(0.0, 0.11),
        paper=paper,
        paper_ink=_paper_ink(rng, paper),
        frame=str(rng.choice(["none"] * 5 + ["line", "dark-line", "band", "panel"])),
        frame_width=u(0.006, 0.03),
        frame_inset=u(0.02, 0.06),
        size=min(size, aspect * 0.46),
        lift=lift,
        fill=fill,
        outline_width=u(0.025, 0.06),
        dark_edge=float(rng.choice([0, 0, 0, u(0.008, 0.025)])),
        diamond_width=u(0.55, 1.0),
        diamond_bulge=float(rng.choice([0, 0, 0, u(-0.22, 0.15)])),
        plus_width=u(0.2, 0.46),
        plus_round=bool(rng.random() < 0.25),
        star_points=int(rng.choice([5] * 15 + [6] * 3 + [7, 8])),
        star_depth=u(0.36, 0.58),
        star_turn=float(rng.choice([0, 0, 0, u(-0.3, 0.3)])),
        index=str(rng.choice(["none", "none", "shape", "digit", "digit-shape", "strokes", "shape-strokes"])),
        index_size=u(0.05, 0.085),
        index_corners=int(rng.choice([2, 2, 4, 1])),
        font=int(rng.choice(FONTS)),
        waves=waves,
        hues=tuple(float(u(low, high)) for low, high in HUES),  # type: ignore[arg-type]
        saturation=tuple(float(u(low, 1)) for low in (0.6, 0.5, 0.35, 0.6)),  # type: ignore[arg-type]
        value=tuple(float(u(low, 1)) for low in (0.55, 0.4, 0.4, 0.72)),  # type: ignore[arg-type]
        speckle=float(rng.choice([0, 0, u(2, 10)])),
    )


def _paper_ink(rng: Rng, paper: str) -> Ink:
    if paper == "dark":
        base = rng.uniform(15, 60, 3)
    else:
        base = np.clip(rng.uniform(222, 255) + rng.uniform(-16, 3, 3), 0, 255)
    blue, green, red = (float(value) for value in base)
    return blue, green, red


def _waves(rng: Rng, paper: str, fill: str) -> Waves:
    u = rng.uniform
    where = str(rng.choice(["over"] * 8 + ["below", "below", "above", "behind", "beside"]))
    if where == "over":
        ink = str(
            rng.choice(
                ["white", "white", "black", "light", "dark", "swap"]
                if fill in ("fill", "shaded")
                else ["black", "same"]
            )
        )
    elif where == "behind":
        ink = str(rng.choice(["black", "same", "dark"]))
    else:
        ink = str(rng.choice(["same", "black", "dark"]))
    if paper == "dark" and ink in ("black", "dark"):
        ink = "white"
    thickness, amplitude, length = u(0.018, 0.05), u(0.008, 0.035), u(0.35, 0.9)
    return Waves(
        where=where,
        ink=ink,
        form=str(rng.choice(["sine", "sine", "sine", "zigzag", "arcs", "flat-topped"])),
        length=length,
        gap=max(u(0.085, 0.15), 1.5 * thickness + 1.7 * amplitude),
        amplitude=amplitude,
        periods=min(u(1, 4.5), length / thickness / 4.5),
        phase=u(0, 2 * np.pi),
        thickness=thickness,
        turn=float(rng.choice([0, 0, 0, 0, 0, np.pi / 2, u(-0.6, 0.6)])),
        edged=bool(rng.random() < 0.3),
        drawn_wide=bool(rng.random() < 0.3),
    )


# --- Drawing


def polygon(picture: Picture, points: Outline, ink: Ink) -> None:
    cv2.fillPoly(picture, [np.round(points * 2**SUBPIXEL).astype(np.int32)], ink, cv2.LINE_AA, SUBPIXEL)


def stroke(picture: Picture, points: Outline, ink: Ink, width: float, *, closed: bool) -> None:
    lines = [np.round(points * 2**SUBPIXEL).astype(np.int32)]
    cv2.polylines(picture, lines, closed, ink, max(1, round(width)), cv2.LINE_AA, SUBPIXEL)


def rounded(width: float, height: float, radius: float) -> Outline:
    """A rectangle around the origin."""
    turn = np.linspace(0, np.pi / 2, 6)
    arc = np.stack([np.cos(turn), np.sin(turn)], 1) * radius
    x, y = width / 2 - radius, height / 2 - radius
    corners = []
    for number, (cx, cy) in enumerate(((x, y), (-x, y), (-x, -y), (x, -y))):
        c, s = np.cos(number * np.pi / 2), np.sin(number * np.pi / 2)
        corners.append(arc @ np.array([[c, s], [-s, c]]) + (cx, cy))
    return np.concatenate(corners)


def size_of(style: Style) -> tuple[int, int]:
    """Width and height of a face in pixels."""
    return round(SIDE * style.aspect), SIDE


def mask_of(style: Style) -> Picture:
    """255 where the card is, inside its own rectangle."""
    width, height = size_of(style)
    mask = np.zeros((height, width), np.uint8)
    polygon(mask, rounded(width - 1, height - 1, style.radius * SIDE) + (width / 2, height / 2), (255, 255, 255))
    return mask


def colour_ink(style: Style, colour: int) -> Ink:
    return ink_of(style.hues[colour], style.saturation[colour], style.value[colour])


def face(style: Style, colour: int, shape: int, count: int) -> Picture:
    """The face of one card."""
    ink = colour_ink(style, colour)
    paper, figure = style.paper_ink, ink
    if style.paper == "tint":
        paper = mixed(style.paper_ink, ink, 0.18)
    elif style.paper == "full":
        paper, figure = ink, mixed(ink, WHITE if style.value[colour] < 0.8 else BLACK, 0.55)
    return drawn(style, paper, figure, outline(style, shape), count, ink)


def drawn(style: Style, paper: Ink, figure: Ink, points: Outline, count: int, ink: Ink) -> Picture:
    width, height = size_of(style)
    picture: Picture = np.empty((height, width, 3), np.uint8)
    picture[:] = paper
    _frame(picture, style, ink, paper)
    aside = 0.16 * width if style.waves.where == "beside" else 0.0
    middle = np.array([width / 2 - aside, height / 2 - style.lift * SIDE])
    placed = points * style.size * SIDE + middle
    if style.waves.where == "behind":
        _waves_drawn(picture, style, count, middle, figure, paper)
    _figure(picture, style, placed, figure, paper)
    if style.waves.where == "over" and style.waves.ink == "swap":
        _swapped(picture, style, count, middle, figure, paper)
    elif style.waves.where != "behind":
        _waves_drawn(picture, style, count, middle, figure, paper)
    _indices(picture, style, points, count, ink if style.paper != "full" else figure)
    return picture


def _frame(picture: Picture, style: Style, ink: Ink, paper: Ink) -> None:
    if style.frame == "none":
        return
    height, width = picture.shape[:2]
    inset = style.frame_inset * SIDE
    inner = rounded(width - 2 * inset, height - 2 * inset, max(0.0, style.radius * SIDE - inset / 2)) + (
        width / 2,
        height / 2,
    )
    if style.frame == "band":
        picture[:] = ink
        polygon(picture, inner, paper)
    elif style.frame == "panel":
        polygon(picture, inner, mixed(paper, ink, 0.12))
    else:
        stroke(picture, inner, ink if style.frame == "line" else (45, 45, 45), style.frame_width * SIDE, closed=True)


def _figure(picture: Picture, style: Style, points: Outline, figure: Ink, paper: Ink) -> None:
    middle = points.mean(0)
    if style.fill == "fill":
        polygon(picture, points, figure)
        if style.plus_round:
            stroke(picture, points, figure, 0.03 * SIDE, closed=True)
    elif style.fill == "outline":
        stroke(picture, points, figure, style.outline_width * SIDE, closed=True)
    elif style.fill == "tint":
        polygon(picture, points, mixed(paper, figure, 0.4))
        stroke(picture, points, figure, style.outline_width * SIDE, closed=True)
    elif style.fill == "double":
        polygon(picture, points, figure)
        stroke(picture, (points - middle) * 0.8 + middle, paper, 0.012 * SIDE, closed=True)
    elif style.fill == "shaded":
        for step in range(5):
            polygon(picture, (points - middle) * (1 - step * 0.17) + middle, mixed(figure, WHITE, step * 0.09))
    else:
        _hatched(picture, points, figure, paper)
    if style.dark_edge:
        stroke(picture, points, (30, 30, 30), style.dark_edge * SIDE, closed=True)


def _hatched(picture: Picture, points: Outline, figure: Ink, paper: Ink) -> None:
    """Fine lines, much finer than waves."""
    layer = np.empty_like(picture)
    layer[:] = mixed(paper, figure, 0.75)
    height, width = picture.shape[:2]
    for x in range(-height, width, 5):
        cv2.line(layer, (x, 0), (x + height, height), figure, 2)
    mask = np.zeros(picture.shape[:2], np.uint8)
    polygon(mask, points, (255, 255, 255))
    np.copyto(picture, layer, where=mask[..., None] > 127)
    stroke(picture, points, figure, 3, closed=True)


def _wave(waves: Waves, length: float) -> Outline:
    """One of them, lying, around the origin, in pixels."""
    along = np.linspace(-0.5, 0.5, 41)
    angle = 2 * np.pi * waves.periods * along + waves.phase
    height = np.sin(angle)
    if waves.form == "zigzag":
        height = 2 / np.pi * np.arcsin(height)
    elif waves.form == "arcs":
        height = 2 * np.abs(height) - 1
    elif waves.form == "flat-topped":
        height = np.clip(height * 1.8, -1, 1)
    return np.stack([along * length, height * waves.amplitude * SIDE], 1)


def _placed_waves(style: Style, count: int, middle: Outline) -> list[Outline]:
    waves, reach = style.waves, style.size * SIDE
    gap = waves.gap * SIDE
    if waves.where == "over":
        gap = min(gap, max(reach * 0.62, (1.4 * waves.thickness + 1.5 * waves.amplitude) * SIDE))
        length = (
            SIDE * style.aspect * 0.9 * waves.length if waves.drawn_wide else 2 * reach * min(1.05, waves.length * 1.3)
        )
        start = np.array(middle)
    elif waves.where == "behind":
        length, start = SIDE * style.aspect * 0.86, np.array(middle)
    else:
        return _waves_aside(style, count, middle)
    turn = waves.turn
    c, s = np.cos(turn), np.sin(turn)
    matrix = np.array([[c, s], [-s, c]])
    offsets = (np.arange(count) - (count - 1) / 2) * gap
    return [(_wave(waves, length) + (0, offset)) @ matrix + start for offset in offsets]


def _waves_aside(style: Style, count: int, middle: Outline) -> list[Outline]:
    waves, reach = style.waves, style.size * SIDE
    width, height = SIDE * style.aspect, SIDE
    if waves.where == "beside":
        room = width - middle[0] - reach
        offsets = (np.arange(count) - (count - 1) / 2) * waves.gap * SIDE
        return [_wave(waves, room * 0.72) + (middle[0] + reach + room / 2, middle[1] + offset) for offset in offsets]
    down = 1 if waves.where == "below" else -1
    edge = middle[1] + down * reach
    room = height - edge if down > 0 else edge
    gap = min(waves.gap * SIDE, max((room - 0.06 * SIDE) / 3.4, (1.4 * waves.thickness + 1.5 * waves.amplitude) * SIDE))
    length = width * waves.length * 0.9
    return [_wave(waves, length) + (width / 2, edge + down * gap * (number + 0.9)) for number in range(count)]


def _wave_ink(style: Style, figure: Ink, paper: Ink) -> Ink:
    over = style.waves.where == "over" and style.fill in ("fill", "shaded", "double", "hatch")
    match style.waves.ink:
        case "white":
            return WHITE if over or sum(paper) < 300 else BLACK
        case "black":
            return BLACK if sum(figure) > 150 or not over else WHITE
        case "light":
            return mixed(figure, WHITE, 0.75) if sum(figure) < 360 else BLACK
        case "dark":
            return mixed(figure, BLACK, 0.7) if sum(figure) > 240 or not over else WHITE
        case _:
            return figure if not over else WHITE


def _waves_drawn(picture: Picture, style: Style, count: int, middle: Outline, figure: Ink, paper: Ink) -> None:
    ink = _wave_ink(style, figure, paper)
    thickness = style.waves.thickness * SIDE
    for wave in _placed_waves(style, count, middle):
        if style.waves.edged:
            stroke(picture, wave, BLACK if sum(ink) > 380 else WHITE, thickness + 4, closed=False)
        stroke(picture, wave, ink, thickness, closed=False)


def _swapped(picture: Picture, style: Style, count: int, middle: Outline, figure: Ink, paper: Ink) -> None:
    """Waves in the paper's colour on the shape and in the shape's colour beside it."""
    lines = np.zeros(picture.shape[:2], np.uint8)
    for wave in _placed_waves(style, count, middle):
        stroke(lines, wave, (255, 255, 255), style.waves.thickness * SIDE, closed=False)
    is_figure = np.abs(picture.astype(np.int16) - np.array(figure)).sum(2) < np.abs(
        picture.astype(np.int16) - np.array(paper)
    ).sum(2)
    swapped = np.where(is_figure[..., None], np.array(paper), np.array(figure))
    share = lines[..., None] / 255.0
    picture[:] = picture * (1 - share) + swapped * share


def _indices(picture: Picture, style: Style, points: Outline, count: int, ink: Ink) -> None:
    if style.index == "none" or style.frame == "band":
        return
    height, width = picture.shape[:2]
    side = style.index_size * SIDE
    box = round(side * 2.2)
    mark: Picture = np.full((min(box * 2, height // 2), box, 3), NOTHING, np.uint8)
    inset = round(0.03 * SIDE)
    y = side * 0.75
    if "digit" in style.index:
        scale = side / 16
        cv2.putText(mark, str(count), (round(box / 2 - side * 0.5), round(y + side * 0.45)), style.font, scale, ink, 2)
        y += side * 1.2
    if "shape" in style.index:
        cv2.fillPoly(mark, [np.round(points * side * 0.5 + (box / 2, y)).astype(np.int32)], ink)
        y += side * 0.9
    if "strokes" in style.index:
        for number in range(count):
            cv2.line(
                mark, (round(box * 0.25), round(y + number * 5)), (round(box * 0.75), round(y + number * 5)), ink, 2
            )
    depth, across = mark.shape[:2]
    if inset + depth > height or inset + across > width:
        return
    turned = mark[::-1, ::-1]
    far_down, far_across = height - inset - depth, width - inset - across
    places = [
        (inset, inset, mark),
        (far_down, far_across, turned),
        (inset, far_across, mark),
        (far_down, inset, turned),
    ]
    for y, x, seen in places[: style.index_corners]:
        np.copyto(picture[y : y + depth, x : x + across], seen, where=(seen != NOTHING).any(2, keepdims=True))
