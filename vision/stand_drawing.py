"""A drawing of where the camera stands, from the side and as its picture shows the mat, with measures."""

import math
from collections.abc import Iterator

from vision.drawing import Drawing, DrawnMark, DrawnWords, Ink, disc, line, moved, polygon, rectangle
from vision.mat import Point
from vision.optics import PICTURE
from vision.stand_plan import StandPlan

SHEET = (190.0, 120.0)  # millimetres
DARK: Ink = (40, 40, 46)
GREY: Ink = (150, 150, 156)
TABLE: Ink = (196, 164, 120)
PAPER: Ink = (250, 249, 244)
SIGHT: Ink = (206, 224, 240)
MEASURE: Ink = (176, 42, 42)
FLOOR, LEFT, WIDE, HIGH = 104.0, 12.0, 100.0, 84.0  # where the view from the side is
SMALL_WORDS, WORDS = 2.4, 3.2
SHOWN = (122.0, 34.0, 58.0)  # where the picture is drawn, and how wide


def stand_drawing(plan: StandPlan) -> Drawing:
    title = f"{plan.optics.title} over the mat {plan.mat.name}"
    return (DrawnWords((LEFT, 10), title, WORDS, DARK), *_from_the_side(plan), *_in_the_picture(plan))


def _from_the_side(plan: StandPlan) -> Iterator[DrawnMark | DrawnWords]:
    long = max(plan.mat.size)
    half = plan.height * math.tan(math.radians(plan.optics.view / 2))
    scale = min(WIDE / (2 * max(half, long / 2) + plan.aside), HIGH / (plan.height * 1.1))
    middle, top = LEFT + WIDE / 2, FLOOR - plan.height * scale
    seen = ((middle, top), (middle + half * scale, FLOOR), (middle - half * scale, FLOOR))
    yield DrawnMark((polygon(seen),), SIGHT)
    yield DrawnMark((rectangle((LEFT - 4, FLOOR, LEFT + WIDE + 4, FLOOR + 2.5)),), TABLE)
    yield DrawnMark(
        (rectangle((middle - long / 2 * scale, FLOOR - 1, middle + long / 2 * scale, FLOOR)),), PAPER, DARK, 0.3
    )
    yield DrawnMark((rectangle((middle - 3, top - 3, middle + 3, top), 0.6),), DARK)
    yield from _measure((middle, top), (middle, FLOOR - 1), f"{plan.height / 10:.0f} cm")
    edges = (middle - long / 2 * scale, FLOOR + 7), (middle + long / 2 * scale, FLOOR + 7)
    yield from _measure(*edges, f"{long:.0f} mm")
    if plan.aside:
        aside = plan.aside * scale
        down = top + (plan.height - math.sqrt(plan.height**2 - plan.aside**2)) * scale
        yield DrawnMark(
            (rectangle((middle + aside - 2.5, down - 2.5, middle + aside + 2.5, down), 0.6),), None, GREY, 0.4
        )


def _measure(one: Point, other: Point, words: str) -> Iterator[DrawnMark | DrawnWords]:
    """A line between two points with a dot at each end, and how long it is."""
    yield DrawnMark((line(one, other),), None, MEASURE, 0.3)
    for end in (one, other):
        yield DrawnMark((disc(end, 0.8),), MEASURE)
    at = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
    is_upright = abs(one[0] - other[0]) < abs(one[1] - other[1])
    yield DrawnWords((at[0] + 2, at[1]) if is_upright else (at[0] - 6, at[1] + 4), words, SMALL_WORDS, MEASURE)


def _in_the_picture(plan: StandPlan) -> Iterator[DrawnMark | DrawnWords]:
    """The mat as the camera shows it from straight above."""
    left, top, wide = SHOWN
    per_pixel = wide / PICTURE[0]
    high = PICTURE[1] * per_pixel
    scale = plan.optics.pixels / plan.height * per_pixel
    long, short = max(plan.mat.size) * scale, min(plan.mat.size) * scale
    x, y = left + wide / 2, top + high / 2
    yield DrawnMark((rectangle((left, top, left + wide, top + high)),), SIGHT, DARK, 0.3)
    yield DrawnMark((rectangle((x - long / 2, y - short / 2, x + long / 2, y + short / 2)),), PAPER, DARK, 0.2)
    places = [(at[0] - plan.mat.size[0] / 2, at[1] - plan.mat.size[1] / 2) for at in plan.mat.places]
    width, height = (side * scale / 2 for side in plan.mat.place)
    marks = tuple(
        DrawnMark(
            (rectangle((a * scale - width, b * scale - height, a * scale + width, b * scale + height)),),
            None,
            GREY,
            0.2,
        )
        for a, b in places
    )
    yield from moved(marks, (x, y), turn=90 if plan.mat.size[1] > plan.mat.size[0] else 0)
    for number, words in enumerate(_words(plan)):
        yield DrawnWords((left, top + high + 6 + 5 * number), words, SMALL_WORDS, DARK)


def _words(plan: StandPlan) -> Iterator[str]:
    yield f"its picture: {PICTURE[0]} by {PICTURE[1]} pixels"
    yield f"a card: {plan.card[0]:.0f} by {plan.card[1]:.0f}, a marker: {plan.marker:.0f}"
    yield f"from {plan.least / 10:.0f} to {plan.most / 10:.0f} cm high it can be"
    yield f"or up to {plan.aside / 10:.0f} cm aside, as far away,"
    yield "aimed at the middle of the mat"
    if plan.sharp:
        near, far = plan.sharp
        yield f"sharp from {near / 10:.0f} cm to {'everywhere' if far == math.inf else f'{far / 10:.0f} cm'}"
