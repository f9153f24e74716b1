"""Draws scenes with pygame, and is the only file that does: only the boxes in which something changed are drawn."""

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from operator import itemgetter
from typing import Any

import pygame

from companion.core.clocks import SECOND
from companion.display import art
from companion.display import text_fit as lettering
from companion.display.charting import chart
from companion.display.layout import Box, Size
from companion.display.looks import Border, Digits, Looks, StoredPicture, changed, look
from companion.display.pieces import drawn, face, letters, loaded, rounded, shaded, unpacked
from companion.display.scene import (
    Art,
    Badge,
    Button,
    CardItem,
    Chart,
    Item,
    Outline,
    PanelItem,
    Picture,
    QrItem,
    Scene,
    Symbol,
    Text,
)
from companion.display.theme import SHAPES, shape_of, theme
from companion.display.typeface import BOLD, font

_MERGE = 1.6  # boxes are drawn together unless that is so many times as much to draw
OUTLINE, SURFACES = "line", ("panel", "raised")  # what has such an edge around such a colour says: touch me
_MOSTLY = 0.4  # of what lies around all boxes: above this that is drawn at once


def stands_out(screen: Size) -> int:
    """By how many pixels something that can be touched does."""
    return max(3, min(screen) // 160)


class Painter:
    """Keeps a surface as the newest scene says."""

    def __init__(self, surface: pygame.Surface, theme_name: str = "dark") -> None:
        self._surface = surface
        self.theme = theme(theme_name)
        self.frames = 0  # in which something was drawn
        self.drawn: list[Box] = []  # in the last of them
        self._scene: Scene | None = None
        self._before: Looks | None = None
        self._draws: dict[type[Item], Callable[[pygame.Surface, Any, Box], None]] = {
            PanelItem: self._panel,
            Text: self._text,
            Button: self._button,
            Digits: self._digits,
            Symbol: self._symbol,
            Badge: self._badge,
            CardItem: self._card,
            Art: self._art,
            Picture: self._picture,
            StoredPicture: self._stored,
            Border: self._frame,
            Chart: self._chart,
            QrItem: self._code,
        }

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
        looks = self._looks(scene, now, stamp)
        dirty = self._dirty(looks)
        self._before = looks
        if not dirty:
            return []
        for box in dirty:
            self._surface.set_clip(None)
            self._repaint(looks, box)
        self._surface.set_clip(None)
        self.frames += 1
        self.drawn = dirty
        return dirty

    def _looks(self, scene: Scene, now: int, stamp: int) -> Looks:
        """Of the scene that was painted last, only what changes with time is looked at again."""
        before = self._before if scene is self._scene else None
        self._scene = scene
        if before is None:
            return [look(item, now, stamp) for item in scene.all()]
        pairs = zip(scene.all(), before, strict=True)
        return [seen if type(seen) is type(item) else look(item, now, stamp) for item, seen in pairs]

    def _dirty(self, looks: Looks) -> list[Box]:
        whole = Box(0, 0, *self._surface.get_size())
        if self._before is None:
            return [whole]
        return _merged([_within(box, whole) for box in changed(self._before, looks)])

    def _repaint(self, looks: Looks, box: Box) -> None:
        self._surface.fill(self.theme["ground"], box)
        x, y, right, bottom = box.x, box.y, box.right, box.bottom
        for item in looks:
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

    def _panel(self, surface: pygame.Surface, item: PanelItem, box: Box) -> None:
        is_outlined = item.intent is not None or item.edge != OUTLINE or item.fill not in SURFACES
        self._plate(surface, item, box, item.radius, (item.fill, item.edge if is_outlined else ""), item.width)

    def _plate(
        self, surface: pygame.Surface, item: Item, box: Box, radius: int, inks: tuple[str, str], width: int
    ) -> None:
        """A surface in its colour and with its edge. What can be touched stands out as a key does, and nothing else."""
        fill, edge = (self.theme[role] if role else None for role in inks)
        if item.intent is not None and fill is not None:
            rounded(surface, box, radius, edge or shaded(fill), None)
            box = box._replace(h=max(1, box.h - stands_out(self._surface.get_size())))
        rounded(surface, box, radius, fill, edge, width)

    def _text(self, surface: pygame.Surface, item: Text, box: Box) -> None:
        self._lines(surface, text_fit(item, box), box, item.role, item.align)

    def _lines(self, surface: pygame.Surface, fit: lettering.Fitted, box: Box, role: str, align: str) -> None:
        ink = self.theme[role]
        step = fit.line * fit.size
        top = box.y + (box.h - step * len(fit.lines)) / 2
        usual = font(fit.size, fit.face).get_height()  # some letters reach higher or lower, and stand on the same line
        for number, line in enumerate(fit.lines):
            shown = letters(line, fit.size, fit.face, ink)
            w = shown.get_width()
            x = {"left": box.x, "right": box.right - w}.get(align, box.x + (box.w - w) // 2)
            y = round(top + step * number + (step - usual) / 2)
            surface.blit(shown, (x, y - lettering.above(line, fit.size, fit.face)))

    def _button(self, surface: pygame.Surface, item: Button, box: Box) -> None:
        fill, ink, edge = self._button_colours(item)
        radius = min(box.h // 4, 18)
        width = max(2, box.h // 20) if item.on else 2
        self._plate(surface, item, box, radius, (fill, edge), width)
        for part, kind in button_parts(item, box):
            if kind == "label":
                beside = (item.symbol or item.badge) and not item.stacked
                self._lines(surface, label_fit(item, part), part, ink, "left" if beside else "centre")
            elif kind == "badge":
                self._shape(surface, part, item.badge)
            else:
                surface.blit(drawn(item.symbol, part.size, self.theme, ink), part[:2])

    def _button_colours(self, item: Button) -> tuple[str, str, str]:
        """Surface, ink and edge."""
        if item.intent is None:
            return "ground", "quiet", "raised"
        if item.look in SHAPES:
            return item.look, f"on-{item.look}", "focus" if item.on else "line"
        if item.on:
            return "main", "on-main", "rim"
        match item.look:
            case "main" | "danger":
                return item.look, f"on-{item.look}", ""
            case "quiet":
                return "ground", "text", "line"
            case _:
                return "raised", "text", "line"

    def _digits(self, surface: pygame.Surface, item: Digits, box: Box) -> None:
        widest = "".join("0" if letter.isdigit() else letter for letter in item.text)
        size = lettering.digits_size(widest, box.size, item.size)
        w = lettering.digits_width(item.text, size)
        x = {"left": box.x, "right": box.right - w}.get(item.align, box.x + (box.w - w) // 2)
        for letter in item.text:
            shown, wide = letters(letter, size, BOLD, self.theme[item.role]), lettering.place(letter, size)
            surface.blit(shown, (x + (wide - shown.get_width()) // 2, box.centre[1] - lettering.middle_of_digits(size)))
            x += wide

    def _symbol(self, surface: pygame.Surface, item: Symbol, box: Box) -> None:
        square = box.shaped(1, 1)
        if item.rim:
            self._rimmed(surface, square, item.name, item.role)
        else:
            surface.blit(drawn(item.name, square.size, self.theme, item.role), square[:2])

    def _badge(self, surface: pygame.Surface, item: Badge, box: Box) -> None:
        self._shape(surface, box.shaped(1, 1), item.colour)

    def _shape(self, surface: pygame.Surface, box: Box, colour: str) -> None:
        """A player's shape with a rim, so that it stands out from any surface."""
        self._rimmed(surface, box, shape_of(colour), colour)

    def _rimmed(self, surface: pygame.Surface, box: Box, name: str, role: str) -> None:
        surface.blit(drawn(name, box.size, self.theme, "rim"), box[:2])
        thin = f"thin {name}"
        inner = box if thin in art.SHAPES else box.inset(max(1, box.w // 11))
        surface.blit(drawn(thin if thin in art.SHAPES else name, inner.size, self.theme, role), inner[:2])

    def _card(self, surface: pygame.Surface, item: CardItem, box: Box) -> None:
        square = box.shaped(1, 1)
        surface.blit(face(item.name, square.w), square[:2])

    def _art(self, surface: pygame.Surface, item: Art, box: Box) -> None:
        square = box.shaped(1, 1)
        surface.blit(drawn(f"game-{item.name}", square.size, self.theme, "text"), square[:2])

    def _picture(self, surface: pygame.Surface, item: Picture, box: Box) -> None:
        if item.still:
            seen = pygame.image.frombuffer(item.still.rgb, item.still.size, "RGB")
            self._seen(surface, seen, box, item.outlines)

    def _code(self, surface: pygame.Surface, item: QrItem, box: Box) -> None:
        side = len(item.rows)
        square = box.shaped(1, 1)
        square = square.middle(*(max(1, square.w // side) * side,) * 2)  # modules of equal size
        step = square.w // side
        surface.fill("white", square)
        for y, row in enumerate(item.rows):
            for x, is_dark in enumerate(row):
                if is_dark:
                    surface.fill("black", (square.x + x * step, square.y + y * step, step, step))

    def _stored(self, surface: pygame.Surface, item: StoredPicture, box: Box) -> None:
        try:
            seen = loaded(item.file, item.version)
        except (pygame.error, OSError):
            self._symbol(surface, Symbol(box, "clock", "quiet"), box.middle(box.h // 3, box.h // 3))
            return
        self._seen(surface, seen, box, item.outlines)

    def _frame(self, surface: pygame.Surface, item: Border, box: Box) -> None:
        number, (left, top, right, bottom) = item.number, item.part
        seen = unpacked(item.film.jpegs[number])
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
        shown = letters(said, size, BOLD, self.theme["text"])
        w, h = shown.get_size()
        sheet = Box(middle[0] - w // 2 - size // 3, middle[1] - h // 2, w + 2 * (size // 3), h)
        rounded(surface, sheet, size // 3, self.theme["panel"], self.theme[role], 2)
        surface.blit(shown, (sheet.x + size // 3, sheet.y))

    def _chart(self, surface: pygame.Surface, item: Chart, box: Box) -> None:
        chart(surface, item, box, self.theme, self._shape)


def text_fit(item: Text, box: Box) -> lettering.Fitted:
    """How words stand in their box, as somebody sees it for whom it is turned."""
    return lettering.fitted(item.text, box.size, item.size, least=item.least, lines=item.lines, bold=item.bold)


def label_fit(item: Button, box: Box) -> lettering.Fitted:
    """How a button's label stands in its part of the button."""
    return lettering.fitted(item.label, box.size, item.size, least=item.least, lines=item.lines, bold=True)


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
    fit = label_fit(item, words)
    spare = max(0, words.w - max(lettering.width_of(line, fit.size, fit.face) for line in fit.lines)) // 2
    return [(left._replace(x=left.x + spare), picture), (words._replace(x=words.x + spare, w=words.w - spare), "label")]


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
