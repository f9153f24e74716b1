"""What lies on the table, and what a ray of sight meets: thin bent boxes in piles, limbs, and the table itself."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tests.vision.second import distance, noise
from tests.vision.second.camera import Camera
from tests.vision.second.light import Light, Limb, reaching, shine
from tests.vision.second.noise import Array, looked_up
from tests.vision.second.tables import Material


@dataclass(frozen=True, slots=True)
class Coat:
    """What lies over the paper: nothing, varnish, or a sleeve with its waves."""

    gloss: float = 0.0
    rough: float = 0.5
    waves: float = 0.0  # slope of the film
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A card or a mat."""

    middle: tuple[float, float]
    turn: float
    size: tuple[float, float]
    corner: float
    base: float  # of its underside above the table
    thick: float
    bend: tuple[float, float]  # how much its ends (or, below zero, its middle) are up, along width and height; mm
    picture: Callable[[], Array]  # linear; made only if it is seen
    coat: Coat = Coat()
    grain: float = 0.02

    @property
    def top(self) -> float:
        return self.base + self.thick

    @property
    def reach(self) -> float:
        return float(np.hypot(*self.size)) / 2

    def local(self, x: Array, y: Array) -> tuple[Array, Array]:
        c, s = np.float32(np.cos(self.turn)), np.float32(np.sin(self.turn))
        x, y = x - np.float32(self.middle[0]), y - np.float32(self.middle[1])
        return x * c + y * s, y * c - x * s

    def edge(self, u: Array, v: Array) -> Array:
        return distance.box(u, v, self.size[0] / 2, self.size[1] / 2, self.corner)

    def lift(self, u: Array, v: Array) -> Array:
        total = np.zeros_like(u)
        for along, side, bend in zip((u, v), self.size, self.bend, strict=True):
            share = np.minimum((2 / side * along) ** 2, 1.2)
            total += bend * share if bend > 0 else -bend * (1 - share)
        return total

    def slope(self, u: Array, v: Array) -> tuple[Array, Array]:
        """Of the surface, along the world's axes, waves of the film included."""
        du, dv = (8 * bend / side**2 * along for along, side, bend in zip((u, v), self.size, self.bend, strict=True))
        if self.coat.waves:
            du = du + self.coat.waves * noise.value(u / 14, v / 20, self.coat.seed)
            dv = dv + self.coat.waves * noise.value(u / 18, v / 12, self.coat.seed + 1)
        c, s = np.cos(self.turn), np.sin(self.turn)
        return du * c - dv * s, du * s + dv * c

    def corners(self, grow: float = 0.0) -> Array:
        """In the world, clockwise from the top left of the face: 4 × 3."""
        half, c, s = (self.size[0] / 2 + grow, self.size[1] / 2 + grow), np.cos(self.turn), np.sin(self.turn)
        flat = [(su * half[0], sv * half[1]) for su, sv in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        return np.array([(self.middle[0] + u * c - v * s, self.middle[1] + u * s + v * c, self.top) for u, v in flat])


@dataclass(frozen=True, slots=True, eq=False)
class Lit:
    """A light and what of it reaches the table."""

    light: Light
    shades: Array


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """All of it. `piles` are from the bottom up; y points down as on the mat, z up."""

    material: Material
    mat: Sheet | None
    piles: list[list[Sheet]]
    limbs: list[Limb]
    lights: list[Lit]
    around: Array  # 3 × 3: the light that comes from everywhere, its power in it


@dataclass(slots=True)
class _Samples:
    """Many rays, and what has been met so far."""

    x: Array  # where the ray meets the table
    y: Array
    mx: Array  # how far it goes sideways for each millimetre up
    my: Array
    colour: Array
    z: Array
    slope: Array  # 2 × n
    gloss: Array
    rough: Array
    around: Array
    owner: Array  # which sheet was met, by its id
    free: list[Array] = field(default_factory=list)  # for each light

    def at(self, z: Array | float, where: Array) -> tuple[Array, Array]:
        return self.x[where] + self.mx[where] * z, self.y[where] + self.my[where] * z


def radiance(world: World, camera: Camera, u: Array, v: Array) -> Array:
    """The light that comes along these rays: n × 3."""
    rays = camera.rays(u, v)
    samples = _on_table(world, camera, rays)
    if world.mat is not None:
        _meet(samples, world.mat, np.arange(len(u)))
    for pile in world.piles:
        _meet_pile(samples, world, pile)
    light = _lit(world, camera, samples)
    for limb in world.limbs:
        if limb.is_seen and _may_show(camera, limb, u, v):
            _meet_limb(world, camera, rays, limb, light)
    return light


def _may_show(camera: Camera, limb: Limb, u: Array, v: Array) -> bool:
    """Whether a limb can be among these pixels at all."""
    points = limb.start + np.linspace(0, 1, 9)[:, None] * (limb.end - limb.start)
    ahead = (points - camera.place) @ camera.turn[2]
    if (ahead < 2 * limb.reach).any():
        return True
    seen = camera.seen(points)
    room = camera.focal * (1.5 * limb.reach + np.linalg.norm(limb.end - limb.start) / 16) / ahead.min()
    low, high = seen.min(0) - room, seen.max(0) + room
    return bool(low[0] < u.max() and high[0] > u.min() and low[1] < v.max() and high[1] > v.min())


def _on_table(world: World, camera: Camera, rays: tuple[Array, Array, Array]) -> _Samples:
    many = len(rays[0])
    place = camera.place.astype(np.float32)
    down = -place[2] / np.minimum(rays[2], -1e-3)
    x, y = place[0] + rays[0] * down, place[1] + rays[1] * down
    material = world.material
    return _Samples(
        x=x,
        y=y,
        mx=(place[0] - x) / place[2],
        my=(place[1] - y) / place[2],
        colour=material.colour(x, y),
        z=np.zeros(many, np.float32),
        slope=np.zeros((2, many), np.float32),
        gloss=np.full(many, material.gloss, np.float32),
        rough=np.full(many, material.rough, np.float32),
        around=np.ones(many, np.float32),
        owner=np.zeros(many, np.int64),
        free=[np.ones(many, np.float32) for _ in world.lights],
    )


def _meet_pile(samples: _Samples, world: World, pile: list[Sheet]) -> None:
    """From the top down, each card only where none above was met; then what they take from each other's light."""
    top = pile[-1]
    reach = max(np.hypot(s.middle[0] - top.middle[0], s.middle[1] - top.middle[1]) + s.reach for s in pile) + 12
    near = np.flatnonzero((samples.x - top.middle[0]) ** 2 + (samples.y - top.middle[1]) ** 2 < reach * reach)
    left = near
    for sheet in reversed(pile):
        if not len(left):
            break
        left = left[~_meet(samples, sheet, left)]
    if len(near):
        _shaded(samples, world, pile, near)


def _meet(samples: _Samples, sheet: Sheet, where: Array) -> Array:
    """Which of these rays the sheet stops; what is there is noted."""
    x, y = samples.at(sheet.top, where)
    u, v = sheet.local(x, y)
    z = np.full_like(u, sheet.top)
    if any(sheet.bend):
        for _ in range(2):
            z = sheet.top + sheet.lift(u, v)
            u, v = sheet.local(*samples.at(z, where))
    above = z > samples.z[where] - 0.001
    inside = (sheet.edge(u, v) < 0) & above
    below = sheet.local(*samples.at(z - sheet.thick, where))
    side = ~inside & (sheet.edge(*below) < 0) & above
    _note_face(samples, sheet, where[inside], u[inside], v[inside], z[inside])
    samples.colour[where[side]] = 0.6
    samples.z[where[side]] = z[side] - sheet.thick / 2
    samples.owner[where[side]] = samples.owner[where[inside]] = id(sheet)
    samples.around[where[side]] = 0.6
    samples.gloss[where[side]] = 0
    return inside | side


def _note_face(samples: _Samples, sheet: Sheet, where: Array, u: Array, v: Array, z: Array) -> None:
    if not len(where):
        return
    picture = sheet.picture()
    scale = (picture.shape[1] / sheet.size[0], picture.shape[0] / sheet.size[1])
    column, row = u * scale[0] + (picture.shape[1] - 1) / 2, v * scale[1] + (picture.shape[0] - 1) / 2
    colour = looked_up(picture, column, row)
    grain = 1 + sheet.grain * noise.octaves(u * 1.7, v * 1.7, sheet.coat.seed + 11, 2)
    samples.colour[where] = colour * grain[:, None]
    samples.z[where] = z
    samples.slope[:, where] = sheet.slope(u, v)
    samples.gloss[where], samples.rough[where] = sheet.coat.gloss, sheet.coat.rough


def _shaded(samples: _Samples, world: World, pile: list[Sheet], near: Array) -> None:
    """Each sheet's soft shadow on everything that lies lower."""
    x, y = samples.at(samples.z[near], near)
    for sheet in pile:
        height = sheet.top - samples.z[near] + max(0.0, *sheet.bend) * 0.6
        under = (height > sheet.thick * 0.7) & (samples.owner[near] != id(sheet))
        if not under.any():
            continue
        where, high, px, py = near[under], height[under], x[under], y[under]
        out = np.maximum(sheet.edge(*sheet.local(px, py)), 0)
        samples.around[where] *= 1 - 0.45 * np.exp(-out / (0.9 * high + 0.15))
        for free, lit in zip(samples.free, world.lights, strict=True):
            free[where] *= 1 - _cover(sheet, lit.light, px, py, high)


def _cover(sheet: Sheet, light: Light, x: Array, y: Array, high: Array) -> Array:
    """The share of a light that a sheet `high` above these places hides."""
    toward = light.middle - (*sheet.middle, 0)
    aside = toward[:2] / toward[2]
    wide = (light.reach + np.ptp(light.balls, axis=0).max() / 2) / toward[2]
    gap = sheet.edge(*sheet.local(x + high * np.float32(aside[0]), y + high * np.float32(aside[1])))
    return np.clip(0.5 - gap / np.maximum(2 * high * wide, 0.12), 0, 1)


def _lit(world: World, camera: Camera, samples: _Samples) -> Array:
    everywhere = np.arange(len(samples.x))
    x, y = samples.at(samples.z, everywhere)
    light = (samples.colour @ world.around.T) * samples.around[:, None]
    white = world.around.sum(1)
    light += samples.gloss[:, None] * white * 0.8
    coated = np.flatnonzero(samples.gloss > 0.004)
    for free, lit in zip(samples.free, world.lights, strict=True):
        toward = lit.light.middle
        leaning = 1 - (samples.slope[0] * toward[0] + samples.slope[1] * toward[1]) / toward[2]
        power = reaching(lit.shades, x, y) * free
        light += (power * np.maximum(leaning, 0))[:, None] * (samples.colour @ lit.light.matrix.T)
        if len(coated):
            _add_shine(light, samples, camera, lit, coated, power, (x, y))
    return light


def _add_shine(
    light: Array, samples: _Samples, camera: Camera, lit: Lit, where: Array, power: Array, at: tuple[Array, Array]
) -> None:
    place = (at[0][where], at[1][where])
    slope = (samples.slope[0][where], samples.slope[1][where])
    eye = camera.place.astype(np.float32)
    coat = samples.gloss[where] * shine(lit.light, place, eye, slope, samples.rough[where])
    open_ = power[where] / np.maximum(reaching(lit.shades, *place).max(), 1e-6)
    light[where] += (coat * np.minimum(open_, 1))[:, None] * lit.light.matrix.sum(1)


# --- Limbs


def _meet_limb(world: World, camera: Camera, rays: tuple[Array, Array, Array], limb: Limb, light: Array) -> None:
    """Where a ray meets a limb in front of all else, its light instead."""
    long = np.sqrt(rays[0] ** 2 + rays[1] ** 2 + rays[2] ** 2)
    ray = np.stack([part / long for part in rays], 1)
    far, normal = _first_touch(camera.place, ray, limb)
    hit = np.flatnonzero(np.isfinite(far))
    if not len(hit):
        return
    normal, spot = normal[hit], camera.place + ray[hit] * far[hit, None]
    total = np.zeros((len(hit), 3), np.float32)
    tint = np.array(limb.tint, np.float32)
    for lit in world.lights:
        toward = lit.light.middle - spot
        toward /= np.linalg.norm(toward, axis=1, keepdims=True)
        facing = np.clip((normal * toward).sum(1) * 0.85 + 0.15, 0, 1)
        total += facing[:, None] * lit.light.power * (lit.light.matrix @ tint)
    sky = 0.35 + 0.65 * (normal[:, 2] * 0.5 + 0.5)
    total += sky[:, None] * (world.around @ tint)
    mottled = 1 + 0.05 * noise.value(spot[:, 0] / 3, spot[:, 1] / 3 + spot[:, 2] / 2, 7)
    light[hit] = total * mottled[:, None]


def _first_touch(eye: Array, ray: Array, limb: Limb) -> tuple[Array, Array]:
    """How far along each ray a capsule is, or infinity, and which way its surface looks there."""
    axis, back = limb.end - limb.start, eye - limb.start
    long = float(axis @ axis)
    forth, off = ray @ axis, float(back @ axis)
    a = long - forth**2
    b = long * (ray @ back) - off * forth
    c = long * float(back @ back) - off * off - limb.reach**2 * long
    root = b * b - a * c
    side = (-b - np.sqrt(np.maximum(root, 0))) / np.maximum(a, 1e-6)
    along = off + side * forth
    far = np.where((root > 0) & (along > 0) & (along < long), side, np.inf)
    for end in (limb.start, limb.end):
        far = np.minimum(far, _ball(eye - end, ray, limb.reach))
    spot = eye + ray * np.where(np.isfinite(far), far, 0)[:, None]
    share = np.clip(((spot - limb.start) @ axis) / long, 0, 1)
    return far, (spot - limb.start - share[:, None] * axis) / limb.reach


def _ball(back: Array, ray: Array, reach: float) -> Array:
    b = ray @ back
    root = b * b - float(back @ back) + reach * reach
    return np.where(root > 0, -b - np.sqrt(np.maximum(root, 0)), np.inf)
