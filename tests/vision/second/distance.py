"""Signed distances to plane shapes: below zero inside, in the unit that the places are given in."""

import numpy as np

from tests.vision.second.noise import Array


def circle(x: Array, y: Array, reach: float) -> Array:
    return np.hypot(x, y) - reach


def diamond(x: Array, y: Array, across: float, up: float) -> Array:
    return (np.abs(x) * up + np.abs(y) * across - across * up) / np.hypot(across, up)


def box(x: Array, y: Array, across: float, up: float, corner: float = 0.0) -> Array:
    """Half as wide and high as the numbers say, with rounded corners."""
    right, below = np.abs(x) - (across - corner), np.abs(y) - (up - corner)
    outside = np.hypot(np.maximum(right, 0), np.maximum(below, 0))
    return outside + np.minimum(np.maximum(right, below), 0) - corner


def plus(x: Array, y: Array, reach: float, arm: float, corner: float = 0.0) -> Array:
    return np.minimum(box(x, y, reach, arm, corner), box(x, y, arm, reach, corner))


def star(x: Array, y: Array, reach: float, points: int, inner: float) -> Array:
    """One tip up; `inner` is how far out the notches are, as a share of the tips."""
    half = np.pi / points
    turn = np.abs(np.mod(np.arctan2(x, -y), 2 * half) - half)
    out = np.hypot(x, y)
    along, aside = out * np.cos(turn), out * np.sin(turn)
    notch, tip = (reach * inner, 0.0), (reach * np.cos(half), reach * np.sin(half))
    return _edge(along, aside, notch, tip)


def _edge(x: Array, y: Array, start: tuple[float, float], end: tuple[float, float]) -> Array:
    """Distance to a piece of line, below zero on its left."""
    (x0, y0), (x1, y1) = start, end
    side = (x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)
    return np.copysign(segment(x, y, start, end), side)


def segment(x: Array, y: Array, start: tuple[float, float], end: tuple[float, float]) -> Array:
    (x0, y0), (x1, y1) = start, end
    dx, dy = x1 - x0, y1 - y0
    along = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
    return np.hypot(x - x0 - along * dx, y - y0 - along * dy)


def arc(x: Array, y: Array, middle: tuple[float, float], reach: float, first: float, last: float) -> Array:
    """Distance to a piece of a circle, from one angle clockwise (as y points down) to another."""
    x, y = x - middle[0], y - middle[1]
    half, axis = (last - first) / 2, (first + last) / 2
    along, aside = x * np.cos(axis) + y * np.sin(axis), np.abs(y * np.cos(axis) - x * np.sin(axis))
    ahead = np.abs(np.hypot(along, aside) - reach)
    to_end = np.hypot(along - reach * np.cos(half), aside - reach * np.sin(half))
    return np.where(np.arctan2(aside, along) <= half, ahead, to_end)


def wave(x: Array, y: Array, length: float, amplitude: float, period: float, phase: float) -> Array:
    """Distance to a wavy line that lies level; near enough for thin lines and gentle waves."""
    nearest = np.clip(x, -length / 2, length / 2)
    at = 2 * np.pi / period * nearest + phase
    slope = amplitude * 2 * np.pi / period * np.cos(at)
    return np.hypot(x - nearest, (y - amplitude * np.sin(at)) / np.sqrt(1 + slope * slope))


def digit(x: Array, y: Array, number: int, height: float) -> Array:
    """Distance to the stroke of 0, 1, 2 or 3."""
    x, y = x / height, y / height
    if number == 0:
        return height * np.abs(box(x, y, 0.3, 0.5, 0.3))
    if number == 1:
        return height * np.minimum(segment(x, y, (0.05, -0.5), (0.05, 0.5)), segment(x, y, (0.05, -0.5), (-0.17, -0.3)))
    if number == 2:
        bow = arc(x, y, (0, -0.22), 0.28, -np.pi, 0.6)
        rest = np.minimum(segment(x, y, (0.23, -0.06), (-0.28, 0.5)), segment(x, y, (-0.28, 0.5), (0.3, 0.5)))
        return height * np.minimum(bow, rest)
    upper, lower = arc(x, y, (0, -0.25), 0.25, -2.7, 1.57), arc(x, y, (0, 0.25), 0.25, -1.57, 2.7)
    return height * np.minimum(upper, lower)
