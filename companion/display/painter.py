"""Draws scenes with pygame, and is the only file that does: only the boxes in which something changed are drawn."""

from collections.abc import Callable
from dataclasses import fields, replace
from functools import lru_cache, reduce
from io import BytesIO
from itertools import pairwise
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any

import pygame

from companion.clocks import SECOND
from companion.display import art, lettering
from companion.display.kept import kept, room
from companion.display.layout import Box
from companion.display.scene import (
    Art,
    Badge,
    Button,
    Card,
    Chart,
    Filling,
    Item,
    Moving,
    Outline,
    Panel,
    Picture,
    Scene,
    Symbol,
    Text,
    Ticking,
)
from companion.display.theme import SHAPES, Ink, Theme, shape_of, theme

FINE = 4  # drawn so many times as large and made smaller, so that edges are smooth; ...
LARGE = 200  # ... half as many times above so many pixels, where it would take long and not be seen
FACE = 240  # pixels of a card's face that is drawn once and shown at any smaller size
_MERGE = 1.6  # boxes are drawn together unless that is so many times as much to draw
_MOSTLY = 0.4  # of what lies around all boxes: above this that is drawn at once

Look = tuple[Any, ...]


def _look_of(kind: type[Item]) -> Callable[[Item], Any]:
    """What can be seen of an item: all but what a touch on it means."""
    return attrgetter(*(field.name for field in fields(kind) if field.name not in ("intent", "key")))


_LOOKS: dict[type[Item], Callable[[Item], Any]] = {
    kind: _look_of(kind) for kind in (Panel, Text, Button, Ticking, Symbol, Badge, Card, Art, Picture, Moving, Chart)
}


class Painter:
    """Keeps a surface as the newest scene says."""

    def __init__(self, surface: pygame.Surface, theme_name: str = "dark") -> None:
        self._surface = surface
        self.theme = theme(theme_name)
        self.frames = 0  # in which something was drawn
        self.drawn: list[Box] = []  # in the last of them
        self._before: dict[Look, Box] | None = None
        self._draws: dict[type[Item], Callable[[pygame.Surface, Any, Box], None]] = {
            Panel: self._panel,
            Text: self._text,
            Button: self._button,
            Ticking: self._ticking,
            Symbol: self._symbol,
            Badge: self._badge,
            Card: self._card,
            Art: self._art,
            Picture: self._picture,
            Moving: self._moving,
            Filling: self._filling,
            Chart: self._chart,
        }
        self._now = self._stamp = 0

    def forget(self) -> None:
        """Draw everything the next time: the window was hidden, or its size is another."""
        self._before = None

    def use(self, surface: pygame.Surface, theme_name: str) -> None:
        """Another surface or theme."""
        if surface is not self._surface or theme_name != self.theme.name:
            self._surface, self.theme = surface, theme(theme_name)
            self.forget()

    def paint(self, scene: Scene, now: int = 0, stamp: int = 0) -> list[Box]:
        """Draw what is not yet as it should be at this table time, films at this stamp, and say where that was."""
        self._now, self._stamp = now, stamp
        looks = {self._look(item): item.box for item in scene.all()}
        dirty = self._dirty(looks)
        self._before = looks
        if not dirty:
            return []
        for box in dirty:
            self._surface.set_clip(None)
            self._repaint(scene, box)
        self._surface.set_clip(None)
        self.frames += 1
        self.drawn = dirty
        return dirty

    def _look(self, item: Item) -> Look:
        if isinstance(item, Ticking):
            return (
                Ticking,
                item.box,
                item.text_at(self._now),
                item.role_at(self._now),
                item.size,
                item.align,
                item.turn,
            )
        if isinstance(item, Filling):
            return (Filling, item.box, item.filled_at(self._now), item.role)
        if isinstance(item, Moving):
            return (Moving, item.box, item.film, item.picture_at(self._stamp), item.outlines, item.part, item.turn)
        if isinstance(item, Picture) and item.file:
            return (Picture, _LOOKS[Picture](item), Path(item.file).exists())  # it may come a little later
        return (type(item), _LOOKS[type(item)](item))

    def _dirty(self, looks: dict[Look, Box]) -> list[Box]:
        whole = Box(0, 0, *self._surface.get_size())
        before = self._before
        if before is None:
            return [whole]
        changed = [box for look, box in looks.items() if look not in before]
        changed += [box for look, box in before.items() if look not in looks]
        return _merged([_within(box, whole) for box in changed])

    def _repaint(self, scene: Scene, box: Box) -> None:
        self._surface.fill(self.theme["ground"], box)
        x, y, right, bottom = box.x, box.y, box.right, box.bottom
        for item in scene.all():
            ix, iy, iw, ih = item.box
            if ix < right and x < ix + iw and iy < bottom and y < iy + ih:
                self._surface.set_clip(_within(item.box, box))  # nothing is drawn outside its own box
                self._draw(item)

    def _draw(self, item: Item) -> None:
        draw = self._draws[type(item)]
        turn = item.turn % 4
        if not turn or item.box.w < 1 or item.box.h < 1:
            draw(self._surface, item, item.box)
            return
        w, h = item.box.size if turn == 2 else item.box.size[::-1]
        apart = pygame.Surface((w, h), pygame.SRCALPHA)
        draw(apart, item, Box(0, 0, w, h))
        self._surface.blit(pygame.transform.rotate(apart, -90 * turn), item.box[:2])

    # --- each kind of item ---------------------------------------------------------------------------------

    def _panel(self, surface: pygame.Surface, item: Panel, box: Box) -> None:
        fill = self.theme[item.fill] if item.fill else None
        rounded(surface, box, item.radius, fill, self.theme[item.edge] if item.edge else None, item.width)

    def _text(self, surface: pygame.Surface, item: Text, box: Box) -> None:
        fit = lettering.fitted(item.text, box.size, item.size, least=item.least, lines=item.lines)
        self._lines(surface, fit, box, item.role, item.align)

    def _lines(self, surface: pygame.Surface, fit: lettering.Fitted, box: Box, role: str, align: str) -> None:
        ink = self.theme[role]
        step = lettering.LINE * fit.size
        top = box.y + (box.h - step * len(fit.lines)) / 2
        for number, line in enumerate(fit.lines):
            letters = _letters(line, fit.size, fit.file, ink)
            w, h = letters.get_size()
            x = {"left": box.x, "right": box.right - w}.get(align, box.x + (box.w - w) // 2)
            surface.blit(letters, (x, round(top + step * number + (step - h) / 2)))

    def _button(self, surface: pygame.Surface, item: Button, box: Box) -> None:
        fill, ink, edge = self._button_colours(item)
        radius = min(box.h // 4, 18)
        width = max(2, box.h // 20) if item.on else 2
        rounded(surface, box, radius, self.theme[fill], self.theme[edge] if edge else None, width)
        for part, kind in button_parts(item, box):
            if kind == "label":
                fit = lettering.fitted(item.label, part.size, item.size, least=item.least, lines=item.lines)
                beside = (item.symbol or item.badge) and not item.stacked
                self._lines(surface, fit, part, ink, "left" if beside else "centre")
            elif kind == "badge":
                self._shape(surface, part, item.badge)
            else:
                surface.blit(_drawn(item.symbol, part.size, self.theme, ink), part[:2])

    def _button_colours(self, item: Button) -> tuple[str, str, str]:
        """Surface, ink and edge."""
        off = item.intent is None
        if item.look in SHAPES:
            return item.look, f"on-{item.look}", "focus" if item.on else "line"
        if off:
            return "ground", "quiet", "raised"
        if item.on:
            return "main", "on-main", "rim"
        match item.look:
            case "main" | "danger":
                return item.look, f"on-{item.look}", ""
            case "quiet":
                return "ground", "quiet", ""
            case _:
                return "raised", "text", "line"

    def _ticking(self, surface: pygame.Surface, item: Ticking, box: Box) -> None:
        text = item.text_at(self._now)
        widest = "".join("0" if letter.isdigit() else letter for letter in text)
        size = lettering.digits_size(widest, box.size, item.size)
        letters = _written(text, size, "", self.theme[item.role_at(self._now)])  # and never again
        w = letters.get_width()
        x = {"left": box.x, "right": box.right - w}.get(item.align, box.x + (box.w - w) // 2)
        surface.blit(letters, (x, box.centre[1] - lettering.middle_of_digits(size)))

    def _filling(self, surface: pygame.Surface, item: Filling, box: Box) -> None:
        square = box.shaped(1, 1)
        name = f"filled-{item.filled_at(self._now)}"
        surface.blit(_drawn(name, square.size, self.theme, item.role), square[:2])

    def _symbol(self, surface: pygame.Surface, item: Symbol, box: Box) -> None:
        square = box.shaped(1, 1)
        if item.rim:
            self._rimmed(surface, square, item.name, item.role)
        else:
            surface.blit(_drawn(item.name, square.size, self.theme, item.role), square[:2])

    def _badge(self, surface: pygame.Surface, item: Badge, box: Box) -> None:
        self._shape(surface, box.shaped(1, 1), item.colour)

    def _shape(self, surface: pygame.Surface, box: Box, colour: str) -> None:
        """A player's shape with a rim, so that it stands out from any surface."""
        self._rimmed(surface, box, shape_of(colour), colour)

    def _rimmed(self, surface: pygame.Surface, box: Box, name: str, role: str) -> None:
        surface.blit(_drawn(name, box.size, self.theme, "rim"), box[:2])
        thin = f"thin {name}"
        inner = box if thin in art.SHAPES else box.inset(max(1, box.w // 11))
        surface.blit(_drawn(thin if thin in art.SHAPES else name, inner.size, self.theme, role), inner[:2])

    def _card(self, surface: pygame.Surface, item: Card, box: Box) -> None:
        square = box.shaped(1, 1)
        surface.blit(_face(item.name, square.w), square[:2])

    def _art(self, surface: pygame.Surface, item: Art, box: Box) -> None:
        square = box.shaped(1, 1)
        surface.blit(_drawn(f"game-{item.name}", square.size, self.theme, "text"), square[:2])

    def _picture(self, surface: pygame.Surface, item: Picture, box: Box) -> None:
        try:
            seen = pygame.image.frombuffer(item.still.rgb, item.still.size, "RGB") if item.still else _loaded(item.file)
        except (pygame.error, OSError):
            self._symbol(surface, Symbol(box, "clock", "quiet"), box.middle(box.h // 3, box.h // 3))
            return
        self._seen(surface, seen, box, item.outlines)

    def _moving(self, surface: pygame.Surface, item: Moving, box: Box) -> None:
        number, (left, top, right, bottom) = item.picture_at(self._stamp), item.part
        seen = _unpacked(item.film.jpegs[number])
        wide, high = seen.get_size()
        size = round((right - left) * wide), round((bottom - top) * high)
        part = seen.subsurface((min(round(left * wide), wide - size[0]), min(round(top * high), high - size[1]), *size))
        across, down = right - left, bottom - top
        outlines = tuple(
            replace(one, corners=tuple(((x - left) / across, (y - top) / down) for x, y in one.corners))
            for one in item.outlines
        )
        fit = self._seen(surface, part, box, outlines)
        before = item.film.stamps[number] - item.film.stamps[-1]
        large = max(14, fit.h // 18)
        self._tag(surface, f"{before / SECOND:.1f} s", large, (fit.x + 2 * large, fit.bottom - large), "line")

    def _seen(self, surface: pygame.Surface, seen: pygame.Surface, box: Box, outlines: tuple[Outline, ...] = ()) -> Box:
        """As large as fits, and what is drawn over it; where that is."""
        fit = box.shaped(*seen.get_size())
        surface.blit(pygame.transform.smoothscale(seen, fit.size), fit[:2])
        thick = max(2, fit.h // 150)
        for outline in outlines:
            points = [(round(fit.x + x * fit.w), round(fit.y + y * fit.h)) for x, y in outline.corners]
            pygame.draw.polygon(surface, self.theme["rim"], points, thick + 2)
            pygame.draw.polygon(surface, self.theme[outline.role], points, thick)
        for outline in outlines:
            if outline.label:  # at its lowest side, where it hides the least of a card
                low = sorted(outline.corners, key=itemgetter(1))[-2:]
                x, y = (sum(along) / 2 for along in zip(*low, strict=True))
                at = round(fit.x + fit.w * x), round(fit.y + fit.h * y)
                self._tag(surface, outline.label, max(10, fit.h // 26), at, outline.role)
        return fit

    def _tag(self, surface: pygame.Surface, said: str, size: int, middle: tuple[int, int], role: str) -> None:
        """Words on a sheet of a picture."""
        letters = _letters(said, size, "", self.theme["text"])
        w, h = letters.get_size()
        sheet = Box(middle[0] - w // 2 - size // 3, middle[1] - h // 2, w + 2 * (size // 3), h)
        rounded(surface, sheet, size // 3, self.theme["panel"], self.theme[role], 2)
        surface.blit(letters, (sheet.x + size // 3, sheet.y))

    def _chart(self, surface: pygame.Surface, item: Chart, box: Box) -> None:
        letters = lettering.width_of("000", item.size, "")
        mark = max(10, item.size)
        area = Box(box.x + letters, box.y + mark, box.w - letters - 2 * mark, box.h - 2 * mark)
        values = [value for series in item.series for value in series.values] or [0]
        low, high = min(0, *values), max(1, *values)

        def at(step: int, value: int, steps: int) -> tuple[int, int]:
            along = step / max(1, steps - 1)
            return round(area.x + area.w * along), round(area.bottom - area.h * (value - low) / (high - low))

        for value in sorted({low, 0, high}):
            y = at(0, value, 2)[1]
            pygame.draw.line(surface, self.theme["raised"], (area.x, y), (area.right, y), 2)
            name = Box(box.x, y - item.size, letters - item.size // 3, 2 * item.size)
            self._lines(surface, lettering.fitted(str(value), name.size, item.size), name, "quiet", "right")
        for number, series in enumerate(item.series):
            points = [at(step, value, len(series.values)) for step, value in enumerate(series.values)]
            self._course(surface, points, series.colour, mark, number)

    def _course(
        self, surface: pygame.Surface, points: list[tuple[int, int]], colour: str, mark: int, number: int
    ) -> None:
        """A line of steps that ends with its player's shape."""
        shift = (number % 4) * 3  # equal scores lie beside each other
        points = [(x, y - shift) for x, y in points]
        steps = [points[0]]
        for (_, before), (x, y) in pairwise(points):
            steps += [(x, before), (x, y)]
        if len(steps) > 1:
            pygame.draw.lines(surface, self.theme[f"edge-{colour}"], False, steps, 4)  # noqa: FBT003
        x, y = points[-1]
        self._shape(surface, Box(x - mark // 4, y - mark // 2, mark, mark), colour)


def button_parts(item: Button, box: Box) -> list[tuple[Box, str]]:
    """Where a button's symbol and label stand."""
    pad = max(4, min(box.w, box.h) // 9)
    inside = box.inset(pad)
    picture = "badge" if item.badge else "symbol" if item.symbol else ""
    if not picture:
        return [(inside, "label")]
    if not item.label:
        side = round(min(inside.w, inside.h) * 0.86)
        return [(inside.middle(side, side), picture)]
    side = round(min(item.size * 1.25, inside.h, inside.w / 3))
    if item.stacked:
        side = round(min(inside.h * 0.5, inside.w))
        top = Box(inside.x, inside.y, inside.w, side).middle(side, side)
        return [(top, picture), (Box(inside.x, inside.y + side, inside.w, inside.h - side), "label")]
    left = Box(inside.x + pad // 2, inside.y, side, inside.h).middle(side, side)
    gap = left.right + max(4, side // 3)
    words = Box(gap, inside.y, max(1, inside.right - gap), inside.h)
    if item.badge:
        return [(left, picture), (words, "label")]
    fit = lettering.fitted(item.label, words.size, item.size, least=item.least, lines=item.lines)
    spare = max(0, words.w - max(lettering.width_of(line, fit.size, fit.file) for line in fit.lines)) // 2
    return [(left._replace(x=left.x + spare), picture), (words._replace(x=words.x + spare, w=words.w - spare), "label")]


# --- pieces that are drawn once and kept -------------------------------------------------------------------------


def rounded(surface: pygame.Surface, box: Box, radius: int, fill: Ink | None, edge: Ink | None, width: int = 2) -> None:
    """A rectangle with smooth round corners."""
    radius = max(0, min(radius, box.w // 2, box.h // 2))
    x, y, w, h = box
    if w < 1 or h < 1:
        return
    if fill is not None:
        surface.fill(fill, (x + radius, y, w - 2 * radius, h))
        surface.fill(fill, (x, y + radius, radius, h - 2 * radius))
        surface.fill(fill, (x + w - radius, y + radius, radius, h - 2 * radius))
    if edge is not None:
        surface.fill(edge, (x + radius, y, w - 2 * radius, width))
        surface.fill(edge, (x + radius, y + h - width, w - 2 * radius, width))
        surface.fill(edge, (x, y + radius, width, h - 2 * radius))
        surface.fill(edge, (x + w - width, y + radius, width, h - 2 * radius))
    if radius:
        disc = _corners(radius, fill, edge, width)
        for right, below in ((0, 0), (1, 0), (0, 1), (1, 1)):
            at = (x + right * (w - radius), y + below * (h - radius))
            surface.blit(disc, at, (right * radius, below * radius, radius, radius))


@lru_cache(maxsize=512)
def _corners(radius: int, fill: Ink | None, edge: Ink | None, width: int) -> pygame.Surface:
    """The four corners of a panel, as a disc to take them from."""
    side = 2 * radius * FINE
    fine = pygame.Surface((side, side), pygame.SRCALPHA)
    outer = edge if edge is not None else fill or (0, 0, 0)
    fine.fill((*outer, 0))
    middle = (side // 2, side // 2)
    if edge is None:
        pygame.draw.circle(fine, (*outer, 255), middle, side // 2)
    else:
        pygame.draw.circle(fine, (*edge, 255), middle, side // 2)
        inside = (*fill, 255) if fill is not None else (*edge, 0)
        pygame.draw.circle(fine, inside, middle, max(0, side // 2 - width * FINE))
    return pygame.transform.smoothscale(fine, (2 * radius, 2 * radius))


def _written(line: str, size: int, file: str, ink: Ink) -> pygame.Surface:
    try:
        letters = lettering.font(size, file).render(line, True, ink)  # noqa: FBT003
    except (pygame.error, ValueError, UnicodeError):  # a letter that the font engine cannot take
        letters = lettering.font(size).render("?" * min(len(line), 20), True, ink)  # noqa: FBT003
    return letters.convert_alpha() if pygame.display.get_surface() else letters


_letters = kept(room)(_written)


@kept(room)
def _drawn(name: str, size: tuple[int, int], colours: Theme, ink: str) -> pygame.Surface:
    """A drawing of ours in this size, with smooth edges."""
    w, h = max(1, size[0]), max(1, size[1])
    times = FINE if max(w, h) <= LARGE else FINE // 2
    fine = pygame.Surface((w * times, h * times), pygame.SRCALPHA)
    fine.fill((*colours[ink], 0))
    scale = w * times / 100
    for form in art.drawing(name):
        paint = form.paint
        colour = paint if not isinstance(paint, str) else colours[ink if paint == "ink" else paint]
        _form(fine, form, scale, colour)
    return pygame.transform.smoothscale(fine, (w, h))


def _form(surface: pygame.Surface, form: art.Form, scale: float, colour: Ink) -> None:
    points = [(x * scale, y * scale) for x, y in form.points]
    if not form.width:
        pygame.draw.polygon(surface, colour, points)
        return
    half = form.width * scale / 2
    ends = [*points, points[0]] if form.closed else points
    for (x1, y1), (x2, y2) in pairwise(ends):
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
        dx, dy = (y2 - y1) / length * half, (x1 - x2) / length * half
        quad = [(x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (x2 - dx, y2 - dy), (x1 - dx, y1 - dy)]
        pygame.draw.polygon(surface, colour, quad)
    for point in points:
        pygame.draw.circle(surface, colour, point, half)


@lru_cache(maxsize=16)
def _loaded(file: str) -> pygame.Surface:
    return pygame.image.load(file).convert()


@lru_cache(maxsize=4)
def _unpacked(jpeg: bytes) -> pygame.Surface:
    return pygame.image.load(BytesIO(jpeg), "film.jpg").convert()


@lru_cache(maxsize=80)
def printed(name: str, side: int) -> tuple[bytes, tuple[int, int]]:
    """A card's face, which takes long to draw, and its size. It may be drawn in any thread."""
    from vision.cards import face_picture  # noqa: PLC0415  (loads OpenCV, which takes its time)

    picture = face_picture(name, side)
    return picture[..., ::-1].tobytes(), (picture.shape[1], picture.shape[0])


@kept(room)
def _face(name: str, side: int) -> pygame.Surface:
    """The same as large as it is shown, with its corners cut round."""
    from vision.cards import RADIUS, SQUARE  # noqa: PLC0415

    pixels, size = printed(name, max(side, FACE))
    large = pygame.image.frombuffer(pixels, size, "RGB")
    w, h = (max(1, round(length * side / max(size))) for length in size)
    face = (large if size == (w, h) else pygame.transform.smoothscale(large, (w, h))).convert_alpha()
    mask = pygame.Surface((w, h), pygame.SRCALPHA)
    rounded(mask, Box(0, 0, w, h), max(2, round(w * RADIUS / SQUARE[0])), (255, 255, 255), None)
    face.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    return face


def _within(box: Box, whole: Box) -> Box:
    x, y = max(box.x, whole.x), max(box.y, whole.y)
    return Box(x, y, max(0, min(box.right, whole.right) - x), max(0, min(box.bottom, whole.bottom) - y))


def _merged(boxes: list[Box]) -> list[Box]:
    """Fewer boxes that cover all of these: those that overlap, or nearly touch, become one."""
    found: list[Box] = []
    for box in sorted(set(boxes), key=lambda one: -one.w * one.h):
        if box.w < 1 or box.h < 1 or any(other.holds(box) for other in found):
            continue
        joined = box
        for other in [other for other in found if _is_worth_joining(other, joined)]:
            found.remove(other)
            joined = joined.with_(other)
        found.append(joined)
    around = reduce(Box.with_, found) if found else Box(0, 0, 0, 0)
    if len(found) > 2 and sum(box.w * box.h for box in found) > _MOSTLY * around.w * around.h:
        return [around]
    return found


def _is_worth_joining(one: Box, other: Box) -> bool:
    both = one.with_(other)
    return one.meets(other) and both.w * both.h <= _MERGE * (one.w * one.h + other.w * other.h)
