"""The light of a room, by chance: lamps, windows, tubes, and what throws shadows."""

import numpy as np

from tests.vision.second.light import WAVES, Light, Limb, glowing, led, matrix
from tests.vision.second.noise import Array

KINDS = ("warm lamp", "neutral LED", "cool LED", "window", "tube", "window and lamp", "dim")

Rng = np.random.Generator


def _around(rng: Rng, near: float, far: float, low: float, high: float) -> Array:
    turn, out = rng.uniform(0, 2 * np.pi), rng.uniform(near, far)
    return np.array([np.cos(turn) * out, np.sin(turn) * out, rng.uniform(low, high)])


def _row(rng: Rng, middle: Array, long: float, number: int = 4) -> Array:
    """Balls side by side, across the way to the table."""
    aside = np.array([-middle[1], middle[0], rng.normal(0, 40)])
    return middle + np.linspace(-0.5, 0.5, number)[:, None] * long * aside / np.linalg.norm(aside)


def _bulb(rng: Rng, kelvin: float, green: float, power: float) -> Light:
    is_led = rng.random() < 0.7
    spectrum = led(kelvin, green) if is_led else glowing(kelvin)
    return Light(_around(rng, 150, 900, 700, 1700)[None], rng.uniform(18, 90), power, matrix(spectrum))


def _window(rng: Rng, power: float) -> Light:
    middle = _around(rng, 900, 2200, 500, 1500)
    return Light(_row(rng, middle, 900), rng.uniform(180, 300), power, matrix(glowing(rng.uniform(5500, 7500))))


def lights(rng: Rng, kind: str) -> tuple[list[Light], Array]:
    """The lamps, and what comes from everywhere: 1.0 in all at the middle of the table."""
    everywhere = rng.uniform(0.22, 0.55)
    direct = 1 - everywhere
    green = rng.normal(0, 0.09)
    if kind == "window":
        found = [_window(rng, direct)]
    elif kind == "tube":
        found = [
            Light(
                _row(rng, _around(rng, 0, 900, 1100, 1900), 1200),
                45,
                direct,
                matrix(led(4200, rng.uniform(0.05, 0.28))),
            )
        ]
    elif kind == "window and lamp":
        share = rng.uniform(0.3, 0.7)
        found = [_window(rng, direct * share), _bulb(rng, rng.uniform(2700, 3300), green, direct * (1 - share))]
    else:
        low, high = {"neutral LED": (3500, 4500), "cool LED": (5500, 6800)}.get(kind, (2700, 3100))
        found = [_bulb(rng, rng.uniform(low, high), green, direct)]
        if rng.random() < 0.3:  # a second one of the same kind
            found.append(_bulb(rng, rng.uniform(low, high), green, direct * 0.5))
    walls = np.diag(np.exp(rng.normal(0, 0.05, 3)))
    colours = sum(light.matrix * light.power for light in found) / sum(light.power for light in found)
    return found, (everywhere * walls @ colours).astype(np.float32)


def mirrored(rng: Rng, spot: Array, eye: Array, power: float) -> Light:
    """A bulb, a window or a screen whose mirror image a level card at a spot would show to the eye."""
    away = eye - spot
    there = spot + np.array([-away[0], -away[1], away[2]]) * rng.uniform(700, 1700) / away[2]
    match str(rng.choice(["bulb", "window", "screen"])):
        case "bulb":
            glow = led(rng.uniform(2700, 6000), rng.normal(0, 0.09))
            return Light(there[None], rng.uniform(18, 90), power, matrix(glow))
        case "window":
            return Light(_row(rng, there, 600), rng.uniform(90, 200), power, matrix(glowing(rng.uniform(5500, 9000))))
        case _:
            glow = led(rng.uniform(5500, 6500), 0.0) + rng.uniform(0.2, 1.5) * _tinge(rng)
            return Light(_row(rng, there, 250, 3), rng.uniform(60, 110), 0.5 * power, matrix(glow))


def _tinge(rng: Rng) -> Array:
    """What a coloured shade, curtain or screen sends."""
    return np.exp(-(((WAVES - rng.uniform(430, 640)) / 45) ** 2) / 2)


def shading(rng: Rng, light: Light, *, hard: bool) -> list[Limb]:
    """Something between a light and the table, out of the picture: an arm near the cards, or a head further up."""
    target = np.array([*rng.uniform(-80, 80, 2), 0.0])
    up = rng.uniform(0.08, 0.2) if hard else rng.uniform(0.2, 0.45)
    middle = target + (light.middle - target) * up
    turn = rng.uniform(0, np.pi)
    along = np.array([np.cos(turn), np.sin(turn), rng.normal(0, 0.2)])
    start = middle - along * rng.uniform(0, 60)
    limb = Limb(start, middle + along * rng.uniform(200, 500), rng.uniform(14, 38), (0.4, 0.3, 0.25), is_seen=False)
    if hard and rng.random() < 0.4:  # fingers of that hand
        aside = np.array([-along[1], along[0], 0.0])
        fingers = [
            Limb(start + aside * off, start + aside * off * 1.3 - along * 70, 8, (0.4, 0.3, 0.25), is_seen=False)
            for off in (-24, -8, 8, 24)
        ]
        return [limb, *fingers]
    return [limb]


# --- Hands

_SKINS = ((0.5, 0.31, 0.22), (0.42, 0.24, 0.16), (0.3, 0.16, 0.1), (0.16, 0.08, 0.05), (0.6, 0.41, 0.33))


def hand(rng: Rng, tip: Array, toward: float) -> list[Limb]:
    """A hand whose fingers end at a place of the table; it comes from a direction."""
    out, aside = np.array([np.cos(toward), np.sin(toward), 0]), np.array([-np.sin(toward), np.cos(toward), 0])
    skin = tuple(np.array(_SKINS[rng.integers(len(_SKINS))]) * np.exp(rng.normal(0, 0.08, 3)))
    sleeve = tuple(rng.uniform(0.02, 0.6, 3)) if rng.random() < 0.7 else skin
    up = np.array([0.0, 0, 1])
    wrist = tip + out * 165 + up * 42
    limbs = [Limb(wrist + out * 25, tip + out * 800 + up * 120, 36, sleeve)]
    for number, long in zip((-1.5, -0.5, 0.5, 1.5), (12, 0, 4, 18), strict=True):
        end = tip + aside * number * 17 + out * (long + rng.uniform(0, 8)) + up * 10
        joint = tip + aside * number * 19 + out * 42 + up * 30
        knuckle = tip + aside * number * 20 + out * 84 + up * 36
        limbs += [Limb(end, joint, 8, skin), Limb(joint, knuckle, 9, skin)]
        limbs.append(Limb(knuckle, wrist + aside * number * 12, 14, skin))
    thumb = tip + aside * 48 + out * 62 + up * 14
    return [*limbs, Limb(thumb, wrist + aside * 24, 11, skin)]
