"""How a hand moves and how a card comes to lie: human times, human aim, and what befalls a table."""

from dataclasses import dataclass
from math import cos, radians, sin
from random import Random

from companion.core.clocks import MILLISECOND
from simulator.rendered.script import Lying, Mishap
from vision.mat import Mat

REACH = (250, 500)  # milliseconds from coming into the picture to the cell
OVER = (150, 450)  # over the cell
BACK = (250, 450)  # from the cell to being gone
SLOW = 0.06  # of all visits: a hand that takes its time, or does not know yet
USUAL_VISIT = 1.12  # seconds, the mean of all that

SLIP = 3.0  # millimetres by which a card usually lies off its place at most
TURN = 6.0  # degrees


@dataclass(frozen=True, slots=True)
class Times:
    """Of one visit of an arm, as in `simulator.rendered.script.ScriptedArm`."""

    enters: int
    there: int
    deed: int
    leaves: int
    gone: int

    def later(self, by: int) -> "Times":
        return Times(self.enters + by, self.there + by, self.deed + by, self.leaves + by, self.gone + by)


def span(rng: Random, bounds: tuple[float, float]) -> int:
    """Nanoseconds between two bounds in milliseconds."""
    return int(rng.uniform(*bounds) * MILLISECOND)


def visit(rng: Random, enters: int, over: tuple[float, float] = OVER) -> Times:
    reach, stay, back = span(rng, REACH), span(rng, over), span(rng, BACK)
    if rng.random() < SLOW:
        if rng.random() < 0.5:
            reach = 2 * reach
        else:
            stay += span(rng, (400, 1500))
    there = enters + reach
    leaves = there + stay
    deed = there + int(stay * rng.uniform(0.3, 0.8))
    return Times(enters, there, deed, leaves, leaves + back)


# --- Cards


def lying(rng: Random, card: str) -> Lying:
    """A card as it is usually laid: nearly on its place, any of the four ways round."""
    slip = (_tenths(rng, SLIP), _tenths(rng, SLIP))
    return Lying(card, slip, round((rng.choice((0, 90, 180, 270)) + rng.uniform(-TURN, TURN)) % 360, 1))


def slipped(rng: Random, card: str) -> Lying:
    """A card that slipped from the fingers: far off, or much turned."""
    usual = lying(rng, card)
    if rng.random() < 0.6:
        return Lying(card, _far(rng, 8, 14), usual.turn)
    turn = rng.choice((0, 90, 180, 270)) + rng.choice((-1, 1)) * rng.uniform(12, 25)
    return Lying(card, usual.slip, round(turn % 360, 1))


def knocked(rng: Random, card: str) -> Lying:
    """A card that was shoved over by a sleeve."""
    return Lying(card, _far(rng, 3, 12), round(rng.uniform(0, 360), 1))


def _tenths(rng: Random, most: float) -> float:
    return round(rng.uniform(-most, most), 1)


def _far(rng: Random, least: float, most: float) -> tuple[float, float]:
    far, way = rng.uniform(least, most), radians(rng.uniform(0, 360))
    return round(far * cos(way), 1), round(far * sin(way), 1)


# --- What befalls the table or the camera

MISHAPS = ("glare", "nudged", "moved", "light", "flicker", "covered")


def mishap(rng: Random, name: str, at: int, mat: Mat) -> Mishap:
    """One of `MISHAPS`, as it may be."""
    match name:
        case "glare":
            width, height = mat.size
            x, y = rng.uniform(0.15, 0.85) * width, rng.uniform(0.15, 0.85) * height
            return Mishap("glare", at, at + span(rng, (2000, 8000)), round(x, 1), round(y, 1), _between(rng, 12, 35))
        case "nudged":
            x, y = _far(rng, 2, 20)
            return Mishap("nudge", at, at + span(rng, (100, 400)), x, y, _tenths(rng, 1.5))
        case "moved":
            x, y = _far(rng, 4, 25)
            return Mishap("moved", at, at + span(rng, (250, 700)), x, y, _tenths(rng, 5))
        case "light":
            return Mishap("light", at, at + span(rng, (2000, 12_000)), _between(rng, 0.5, 1.35), _between(rng, 0, 1))
        case "flicker":
            return Mishap("flicker", at, at + span(rng, (2000, 10_000)), _between(rng, 0.04, 0.2))
        case _:
            left = rng.uniform(-0.2, 0.8)
            right = left + rng.uniform(0.25, 0.55)
            until = at + span(rng, (2000, 8000))
            return Mishap("cover", at, until, max(0.0, round(left, 2)), min(1.0, round(right, 2)))


def _between(rng: Random, low: float, high: float) -> float:
    return round(rng.uniform(low, high), 2)


def cells_covered(mishap: Mishap, mat: Mat) -> frozenset[int]:
    """The cells of which some part lies under the cover."""
    left, right = mishap.x * mat.size[0], mishap.y * mat.size[0]
    half = mat.place[0] / 2
    return frozenset(cell for cell, (x, _) in enumerate(mat.places, 1) if x + half > left and x - half < right)
