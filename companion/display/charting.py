"""Draws the curve of a match on a surface."""

from collections.abc import Callable

import pygame

from companion.display.layout import Box
from companion.display.pieces import letters
from companion.display.scene import Chart
from companion.display.theme import Theme
from companion.display.typeface import REGULAR
from companion.reports.curve import CurveLayout, Tick, laid_out

WIDTH = 4  # of a line
DASH = 5  # of the line where a round ends

DrawShape = Callable[[pygame.Surface, Box, str], None]


def chart(surface: pygame.Surface, item: Chart, box: Box, theme: Theme, shape: DrawShape) -> None:
    plan = laid_out(item.curve, box.size, item.size, (item.up, item.along))
    _axes(surface, item, box, theme, plan)
    for stroke in plan.strokes:
        ink = theme[f"edge-{item.curve.colours[stroke.seat]}"]
        points = [(round(box.x + x), round(box.y + y)) for x, y in stroke.points]
        pygame.draw.lines(surface, ink, False, points, WIDTH)  # noqa: FBT003
    for mark in plan.marks:
        side = round(mark.side)
        place = Box(round(box.x + mark.x - side / 2), round(box.y + mark.y - side / 2), side, side)
        shape(surface, place, item.curve.colours[mark.seat])


def _axes(surface: pygame.Surface, item: Chart, box: Box, theme: Theme, plan: CurveLayout) -> None:
    left, right, top, bottom = (
        round(box.x + plan.left),
        round(box.x + plan.right),
        round(box.y + plan.top),
        round(box.y + plan.bottom),
    )
    for tick in plan.up:
        y = round(box.y + tick.place)
        pygame.draw.line(surface, theme["raised"], (left, y), (right, y), 2)
        _label(surface, item, theme, tick, (left - item.size // 4, y), "right")
    for tick in plan.along:
        x = round(box.x + tick.place)
        pygame.draw.line(surface, theme["quiet"], (x, bottom), (x, bottom + item.size // 4), 2)
        _label(surface, item, theme, tick, (x, bottom + item.size * 4 // 5), "centre")
    for tick in plan.rounds:
        x = round(box.x + tick.place)
        for y in range(top, bottom, 2 * DASH):
            pygame.draw.line(surface, theme["quiet"], (x, y), (x, min(bottom, y + DASH)), 1)
        _label(surface, item, theme, tick, (x, top - item.size // 2), "centre")
    pygame.draw.lines(surface, theme["quiet"], False, [(left, top), (left, bottom), (right, bottom)], 2)  # noqa: FBT003
    _label(surface, item, theme, Tick(item.up, 0), (box.x, box.y + item.size // 2), "left")
    _label(surface, item, theme, Tick(item.along, 0), (box.right, bottom + item.size * 4 // 5), "right")


def _label(surface: pygame.Surface, item: Chart, theme: Theme, tick: Tick, place: tuple[int, int], align: str) -> None:
    """Letters around a point."""
    if not tick.text:
        return
    x, y = place
    made = letters(tick.text, item.size, REGULAR, theme["quiet"])
    w, h = made.get_size()
    surface.blit(made, ({"left": x, "right": x - w}.get(align, x - w // 2), y - h // 2))
