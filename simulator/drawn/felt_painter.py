"""Draws the scenes of the drawn table: what screens are made of, and felt, lamps and the camera's picture."""

from functools import lru_cache

import pygame

from companion.display import text_fit as lettering
from companion.display.layout import Box
from companion.display.painter import Painter
from companion.display.pieces import FINE, rounded
from companion.display.theme import Ink, theme
from simulator.drawn.items import Cloth, DrawnOutline, Lamp, Live, Spot

BODY: Ink = (28, 30, 34)
RING: Ink = (70, 74, 80)
_READ = {"clear": "good", "covered": "warn", "changed": "warn", "unreadable": "bad"}
_DIMMED = (0.30, 0.46, 0.64, 0.82, 1.0)  # of a button's colour, by how its lamp shines
_WHITENED = (0.0, 0.08, 0.2, 0.38, 0.6)


class TablePainter(Painter):
    """Keeps the table's part of the window as its newest scene says."""

    def __init__(self, surface: pygame.Surface, theme_name: str = "dark") -> None:
        super().__init__(surface, theme_name)
        self._draws |= {Cloth: self._cloth, Spot: self._spot, Lamp: self._lamp, Live: self._live}

    def _cloth(self, surface: pygame.Surface, item: Cloth, box: Box) -> None:
        rounded(surface, box, item.radius, item.ink, item.edge, item.width)

    def _spot(self, surface: pygame.Surface, item: Spot, box: Box) -> None:
        if item.edge is not None:
            pygame.draw.rect(surface, item.edge, pygame.Rect(box), item.width, border_radius=box.w // 12)

    def _lamp(self, surface: pygame.Surface, item: Lamp, box: Box) -> None:
        square = box.shaped(1, 1)
        surface.blit(_button(square.w, theme("dark")[item.colour], item.shine, is_down=item.is_down), square[:2])

    def _live(self, surface: pygame.Surface, item: Live, box: Box) -> None:
        if item.picture is None:
            rounded(surface, box, 8, BODY, None)
            return
        h, w = item.picture.shape[:2]
        seen = pygame.image.frombuffer(item.picture.tobytes(), (w, h), "BGR")
        fit = box.shaped(w, h)
        surface.fill(self.theme["ground"], box)
        surface.blit(seen if fit.size == (w, h) else pygame.transform.smoothscale(seen, fit.size), fit[:2])
        for outline in item.outlines:
            self._outline(surface, outline, fit)

    def _outline(self, surface: pygame.Surface, outline: DrawnOutline, box: Box) -> None:
        """The edge of a cell, by what the eye has of it, and the card that it reads there."""
        ink = theme("dark")[_READ.get(outline.now, "quiet")]
        points = [(box.x + round(x * box.w), box.y + round(y * box.h)) for x, y in outline.corners]
        pygame.draw.polygon(surface, ink, points, max(2, box.w // 200))
        if not outline.card:
            return
        high = max(10, box.h // 34)
        left, bottom = min(x for x, _ in points), max(y for _, y in points)
        wide = max(x for x, _ in points) - left
        plate = Box(left, bottom - high, wide, high)
        surface.fill(BODY, plate)
        fit = lettering.fitted(outline.card, plate.size, high * 4 // 5, least=6)
        self._lines(surface, fit, plate, "on-black", "centre")


def _mixed(one: Ink, other: Ink, share: float) -> Ink:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


@lru_cache(maxsize=128)
def _button(side: int, colour: Ink, shine: int, *, is_down: bool) -> pygame.Surface:
    """An arcade button from above: its rim, its cap, the lamp that shines through the cap."""
    wide = max(1, side) * FINE
    fine = pygame.Surface((wide, wide), pygame.SRCALPHA)
    middle = (wide // 2, wide // 2)
    cap = _mixed(_mixed((0, 0, 0), colour, _DIMMED[shine]), (255, 255, 255), _WHITENED[shine])
    glow = _mixed(BODY, cap, 0.15 + 0.2 * shine)
    pygame.draw.circle(fine, glow, middle, wide // 2)
    pygame.draw.circle(fine, BODY, middle, round(wide * 0.46))
    pygame.draw.circle(fine, RING, middle, round(wide * 0.43))
    pygame.draw.circle(fine, _mixed((0, 0, 0), colour, 0.45), middle, round(wide * 0.39))
    lift = 0.0 if is_down else 0.025
    pygame.draw.circle(
        fine, cap, (middle[0], round(middle[1] - wide * lift)), round(wide * (0.32 if is_down else 0.34))
    )
    light = _mixed(cap, (255, 255, 255), 0.35)
    place = pygame.Rect(round(wide * 0.33), round(wide * (0.27 - lift)), round(wide * 0.24), round(wide * 0.13))
    pygame.draw.ellipse(fine, light, place)
    return pygame.transform.smoothscale(fine, (max(1, side), max(1, side)))
