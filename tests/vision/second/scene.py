"""A whole table from a seed: what lies there, under which light, seen by which camera, and the truth about it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np

from tests.vision.second.camera import Camera, Sensor, looking, spread
from tests.vision.second.faces import a_printer
from tests.vision.second.layouts import Dealer, Layout, Rng, Wish, laid_out
from tests.vision.second.light import Light, Limb, glowing, matrix, shade_map, shine
from tests.vision.second.lights import KINDS, hand, lights, mirrored, shading
from tests.vision.second.noise import Array
from tests.vision.second.tables import a_material, printed_mat
from tests.vision.second.world import Coat, Lit, Sheet, World, radiance
from vision.frames import Picture, Points
from vision.mat import SMALL, Mat

EDITIONS = ("ours", "other")
TILE = (128, 90)  # pixels that are cast at a time
SMALLEST = 88.0  # pixels of a card's longer side in a picture of 1280: with fewer a person begins to guess
GLARE, BURNT = 0.15, 0.7  # of what white paper sends: what is seen as glare, and what hides all under it
FINER, QUICKER = 2, 1  # rays for each pixel, each way


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A picture and the truth: `cells` are nine card names or states, `quads` is what `Table.cells` should be.

    `glare` is the share of each card in which a light is mirrored.
    """

    picture: Picture
    cells: tuple[str, ...]
    quads: Points
    conditions: dict[str, str]
    mat: Mat | None
    glare: tuple[float, ...] = (0.0,) * 9

    def crops(self, side: int = 120) -> list[Picture]:
        """The nine squares."""
        square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
        turned = [cv2.getPerspectiveTransform(quad, square) for quad in self.quads]
        return [cv2.warpPerspective(self.picture, matrix, (side, side), flags=cv2.INTER_AREA) for matrix in turned]


def scene(  # noqa: PLR0913
    seed: int,
    *,
    edition: str = "ours",
    mat: Mat | None = SMALL,
    odd: float = 0.0,
    slipped: bool | None = None,
    hand: bool = False,
    covered: bool = False,
    light: str = "",
    size: tuple[int, int] = (1280, 720),
    only_cells: bool = False,
) -> Shot:
    """One picture; `only_cells` leaves the rest of it black.

    `edition` is "ours", "other" (a style by chance), or the name of a style or of an edition.
    """
    wish = Wish(edition, mat, odd, slipped, hand, covered, light, size)
    return shot(seed, wish, only_cells=only_cells)


def shot(seed: int, wish: Wish, *, only_cells: bool = False, patches: bool = False) -> Shot:
    """One picture with all that can be wished for. The nine cells alone are cast in half the time if it is `quick`.

    With `patches` the mat's printed colours are cast too, and it is the same sheet wherever the copy is the same.
    """
    rng = np.random.default_rng([seed, 20_041])
    layout = laid_out(rng, wish)
    if patches:
        layout = _on_its_own_mat(layout, wish)
    room = rng if wish.room is None else np.random.default_rng([wish.room, 20_042])
    camera, seeing = _camera(room, wish, layout)
    world, lighting = _world(room, wish, layout, camera)
    quads, order = _quads(camera, layout)
    sensor, sensing = _sensor(room, world, camera, dim=lighting["light"] == "dim")
    finer = QUICKER if wish.quick else FINER
    strips = _strips(camera, layout) if patches else quads[:0]
    picture = _taken(world, camera, sensor, np.concatenate([quads, strips]) if only_cells else None, finer)
    told, glares = _told(layout, camera, world), _glares([lit.light for lit in world.lights], layout, camera)
    conditions = layout.conditions | seeing | lighting | sensing | {"table": world.material.name}
    return Shot(
        picture,
        tuple(told[cell] for cell in order),
        quads,
        conditions,
        wish.mat,
        tuple(float((glares[cell] > GLARE).mean()) for cell in order),
    )


# --- The camera


def _camera(rng: Rng, wish: Wish, layout: Layout) -> tuple[Camera, dict[str, str]]:
    wide = rng.random() < 0.35
    focal = rng.uniform(0.55, 0.68) if wide else rng.uniform(0.85, 1.25)
    bend = (rng.uniform(0.03, 0.12), rng.uniform(0, 0.02)) if wide else (rng.normal(0, 0.015), 0.0)
    corners = np.array([(sx * layout.reach[0], sy * layout.reach[1], 0) for sx, sy in product((-1, 1), repeat=2)])
    for _ in range(60):
        tilt = min(float(abs(rng.normal(0, 0.3))) if rng.random() < 0.6 else rng.uniform(0.2, 0.75), 0.75)
        stand = _stand(rng, tilt, focal * wish.size[0], bend, wish.size)
        camera = stand(_nearest(stand, corners) * rng.uniform(1.0, 1.2))
        pixels = _smallest(camera, layout) * 1280 / wish.size[0]
        if pixels >= SMALLEST:
            break
    return camera, {
        "camera": "wide" if wide else "normal",
        "tilt": "above" if tilt < 0.2 else "slanting" if tilt < 0.5 else "low",
        "card": "under 110 px" if pixels < 110 else "under 140 px" if pixels < 140 else "140 px and more",
    }


def _stand(
    rng: Rng, tilt: float, focal: float, bend: tuple[float, float], size: tuple[int, int]
) -> Callable[[float], Camera]:
    """A camera at one side of the table that sees the far side above, at any distance."""
    aside = float(rng.normal(0, 0.2)) if rng.random() < 0.85 else rng.uniform(-0.6, 0.6)
    round_ = int(rng.integers(4)) * np.pi / 2 + np.clip(aside, -0.6, 0.6)  # at 45° rows could be columns
    roll = round_ - np.pi / 2 + rng.normal(0, 0.05)
    at = np.array([*rng.normal(0, 8, 2), 0.0])

    def camera(far: float) -> Camera:
        place, turn = looking(at, tilt, round_, roll, far)
        return Camera(place, turn, focal, bend, size)

    return camera


def _smallest(camera: Camera, layout: Layout) -> float:
    """Pixels of the longer side of the card that is furthest away."""
    quads, _ = _quads(camera, layout)
    return 0.82 * float(np.sqrt(min(cv2.contourArea(quad) for quad in quads)))


def _nearest(camera: Callable[[float], Camera], corners: Array) -> float:
    """The distance from which all corners are just in the picture."""
    low, high = 150.0, 3000.0
    for _ in range(24):
        middle = (low + high) / 2
        low, high = (low, middle) if _holds(camera(middle), corners) else (middle, high)
    return high


def _holds(camera: Camera, corners: Array) -> bool:
    if (((corners - camera.place) @ camera.turn[2]) < 50).any():
        return False
    seen, size = camera.seen(corners), np.array(camera.size)
    return bool((seen > 6).all() and (seen < size - 6).all())


# --- The light


def _world(rng: Rng, wish: Wish, layout: Layout, camera: Camera) -> tuple[World, dict[str, str]]:
    material = a_material(rng, wish.table)
    kind = wish.light or str(rng.choice(KINDS))
    found, around = lights(rng, kind)
    for _ in range(30):
        if _spoilt(found, around, layout, camera) <= 0:
            break
        found, around = lights(rng, kind)
    if wish.mirrored:
        found = [*found, _in_a_card(rng, found, layout, camera)]
    shadow = str(rng.choice(["none", "soft", "hard"], p=[0.5, 0.25, 0.25]))
    limbs = [] if shadow == "none" else shading(rng, found[-1], hard=shadow == "hard")
    extra: list[list[Sheet]] = []
    if wish.covered and layout.mat is not None:
        extra, over = _over_marker(rng, layout)
        limbs = [*limbs, *over]
    if wish.hand:
        limbs = [*limbs, *_reaching_in(rng, layout, camera)]
    lit = [Lit(light, shade_map(light, limbs)) for light in found]
    piles = [pile for pile in [*layout.piles, *extra] if pile]
    glare = "some" if layout.conditions["paper"] in ("glossy", "sleeved") and _shines(found, layout, camera) else "none"
    return World(material, layout.sheet, piles, limbs, lit, around), {"light": kind, "shadow": shadow, "glare": glare}


def _in_a_card(rng: Rng, found: list[Light], layout: Layout, camera: Camera) -> Light:
    """One light more, whose mirror image is in a card or two, and burns out a quarter of no more than two."""
    tops = [pile[-1] for pile in layout.piles if pile]
    for _ in range(200):
        place = tops[int(rng.integers(len(tops)))]
        spot = np.array([*place.middle, place.top]) + (*rng.normal(0, 0.35, 2) * place.size, 0)
        light = mirrored(rng, spot, camera.place, float(np.exp(rng.uniform(np.log(0.03), np.log(0.6)))))
        glares = _glares([*found, light], layout, camera)
        is_seen = any(bool((glare > GLARE).mean() > 0.04) for glare in glares)
        if is_seen and sum(bool((glare > BURNT).mean() > 0.25) for glare in glares) <= 2:
            break
    return light


def _coats_shine(light: Light, sheet: Sheet, camera: Camera) -> Array:
    """What the coat of a card throws into the lens, at 7 × 7 places of it."""
    line = np.linspace(-0.42, 0.42, 7, dtype=np.float32)
    u, v = (plane.ravel() for plane in np.meshgrid(line * sheet.size[0], line * sheet.size[1]))
    c, s = np.cos(sheet.turn), np.sin(sheet.turn)
    at = (sheet.middle[0] + u * c - v * s, sheet.middle[1] + u * s + v * c)
    rough = np.full(len(u), sheet.coat.rough + sheet.coat.waves, np.float32)
    return sheet.coat.gloss * shine(light, at, camera.place, sheet.slope(u, v), rough)


def _glares(found: list[Light], layout: Layout, camera: Camera) -> list[Array]:
    """Of each place what its top card's coat throws into the lens; nothing of a matt one or none."""
    nothing = np.zeros(49, np.float32)
    tops = [pile[-1] if pile and pile[-1].coat.gloss else None for pile in layout.piles]
    return [np.sum([_coats_shine(light, top, camera) for light in found], axis=0) if top else nothing for top in tops]


def _spoilt(found: list[Light], around: Array, layout: Layout, camera: Camera) -> int:
    """How many cards have more glare than a person would read through: they would be turned out of it."""
    del around
    return sum(bool((glare > 0.35).mean() > 0.1 or glare.max() > 4) for glare in _glares(found, layout, camera))


def _shines(found: list[Light], layout: Layout, camera: Camera) -> bool:
    return any(bool(glare.max() > GLARE) for glare in _glares(found, layout, camera))


def _over_marker(rng: Rng, layout: Layout) -> tuple[list[list[Sheet]], list[Limb]]:
    """A pile that was put down on a marker, or a hand on it."""
    assert layout.mat is not None
    marker = layout.mat.markers[rng.integers(4)]
    x, y = marker.centre[0] - layout.mat.size[0] / 2, marker.centre[1] - layout.mat.size[1] / 2
    if rng.random() < 0.5:
        out = (np.sign(x) * rng.uniform(8, 16), np.sign(y) * rng.uniform(12, 20))
        dealer = Dealer(rng, layout.deck, a_printer(rng), Coat(), layout.sheet, slipped=False)
        return [dealer.pile("face-down", (x + out[0], y + out[1]))], []
    return [], hand(rng, np.array([x, y, 0.0]), float(np.arctan2(y, x) + rng.normal(0, 0.2)))


def _reaching_in(rng: Rng, layout: Layout, camera: Camera) -> list[Limb]:
    """A hand over a cell or two, clearly on or clearly off each."""
    for _ in range(20):
        tip = np.array([*rng.uniform(-1.2, 1.2, 2), 0]) * (*layout.pitch, 0)
        limbs = hand(rng, tip, float(np.arctan2(tip[1], tip[0]) + rng.normal(0, 0.4)))
        shares = [_hidden(sheet, limbs, camera) for sheet in _tops(layout)]
        if any(share > 0.25 for share in shares) and not any(0.03 < share < 0.25 for share in shares):
            break
    return limbs


def _tops(layout: Layout) -> list[Sheet]:
    """What is seen of each place: the card on top, or where one would lie."""
    places = [(column * layout.pitch[0], row * layout.pitch[1]) for row, column in product((-1, 0, 1), repeat=2)]
    nothing = np.zeros((1, 1, 3), np.float32)
    return [
        pile[-1] if pile else Sheet(place, 0, layout.deck.size, 1, 0, 0.2, (0, 0), lambda: nothing)
        for pile, place in zip(layout.piles, places, strict=True)
    ]


def _hidden(sheet: Sheet, limbs: list[Limb], camera: Camera) -> float:
    """The share of a card that limbs hide from the camera."""
    line = np.linspace(-0.5, 0.5, 8)
    u, v = (plane.ravel() for plane in np.meshgrid(line * sheet.size[0], line * sheet.size[1]))
    c, s = np.cos(sheet.turn), np.sin(sheet.turn)
    spots = np.stack([sheet.middle[0] + u * c - v * s, sheet.middle[1] + u * s + v * c, np.full_like(u, sheet.top)], 1)
    covered = np.zeros(len(u), bool)
    for limb in limbs:
        if limb.is_seen:
            covered |= _passes(spots, camera.place, limb)
    return float(covered.mean())


def _passes(spots: Array, eye: Array, limb: Limb) -> Array:
    """Whether the way from each spot to the eye goes through a limb: by points along it."""
    ways = spots[:, None] + np.linspace(0, 0.6, 30)[:, None] * (eye - spots)[:, None]
    axis = limb.end - limb.start
    share = np.clip((ways - limb.start) @ axis / (axis @ axis), 0, 1)
    gap = np.linalg.norm(ways - limb.start - share[..., None] * axis, axis=-1)
    return (gap < limb.reach).any(1)


def _told(layout: Layout, camera: Camera, world: World) -> list[str]:
    seen = [limb for limb in world.limbs if limb.is_seen]
    if not seen:
        return layout.cells
    shares = [_hidden(sheet, seen, camera) for sheet in _tops(layout)]
    return ["hand" if share > 0.12 else cell for share, cell in zip(shares, layout.cells, strict=True)]


# --- The truth about places


def _quads(camera: Camera, layout: Layout) -> tuple[Points, list[int]]:
    """The squares that the reader should be shown, and the places in the order in which they are numbered."""
    if layout.mat is not None:
        return camera.seen(_squares(layout.pitch, layout.mat.sight)).astype(np.float32), list(range(9))
    order = _reading_order(camera)
    quads = camera.seen(np.stack([_around_card(layout, place) for place in order]))
    return quads.astype(np.float32), order


def _squares(pitch: tuple[float, float], side: float) -> Array:
    half = side / 2
    ring = np.array([(-half, -half, 0.2), (half, -half, 0.2), (half, half, 0.2), (-half, half, 0.2)])
    middles = [(column * pitch[0], row * pitch[1], 0) for row, column in product((-1, 0, 1), repeat=2)]
    return np.array(middles)[:, None] + ring


def _around_card(layout: Layout, place: int) -> Array:
    half = max(layout.deck.size) / 0.82 / 2
    pile = layout.piles[place]
    if not pile:
        return _squares(layout.pitch, 2 * half)[place]
    top = pile[-1]
    square = replace(top, size=(2 * half, 2 * half), turn=top.turn)
    return square.corners()


def _reading_order(camera: Camera) -> list[int]:
    """Of the four ways to number the places, the one whose rows run most to the right in the picture."""
    ends = camera.seen(np.array([[0.0, 0, 0], [30, 0, 0], [0, 30, 0]]))
    along, down = ends[1] - ends[0], ends[2] - ends[0]
    grid = np.arange(9).reshape(3, 3)
    rightward = [along[0], down[0], -along[0], -down[0]]
    length = [np.linalg.norm(along), np.linalg.norm(down)] * 2
    best = int(np.argmax(np.array(rightward) / length))
    # Rows that run along the second axis of the grid are its columns, read from the other end.
    return [int(place) for place in np.rot90(grid, best).ravel()]


def _on_its_own_mat(layout: Layout, wish: Wish) -> Layout:
    """A family has one mat, and cards of its own."""
    assert layout.sheet is not None and wish.mat is not None and wish.copy is not None  # noqa: PT018
    paper = printed_mat(wish.mat, a_printer(np.random.default_rng([wish.copy, 20_044])))
    return replace(layout, sheet=replace(layout.sheet, picture=lambda: paper))


def _strips(camera: Camera, layout: Layout) -> Points:
    """What is around the printed colours of the mat."""
    assert layout.mat is not None
    size, found = np.array(layout.mat.size), []
    for patch in layout.mat.patches:
        x, y = np.array(patch.centre) - size / 2
        reach = 1.5 * patch.radius
        found.append([(x + sx * reach, y + sy * reach, 0.2) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    return camera.seen(np.array(found)).astype(np.float32)


# --- The picture


def _sensor(rng: Rng, world: World, camera: Camera, *, dim: bool) -> tuple[Sensor, dict[str, str]]:
    white = sum((lit.light.matrix.sum(1) * lit.light.power for lit in world.lights), world.around.sum(1))
    daylight = matrix(glowing(5000))
    usual = daylight.sum(1)  # balanced for daylight, and from there some way to what the light really is
    gains = (usual / white) ** rng.uniform(0.5, 1.0) / usual * np.exp(rng.normal(0, 0.035, 3))
    gains = gains / gains.min()
    settled = np.linalg.inv(daylight / daylight.sum(1, keepdims=True))
    colour = np.eye(3) + rng.uniform(0.7, 1.1) * (settled - np.eye(3))
    blur = str(rng.choice(["sharp", "soft", "moved"], p=[0.55, 0.3, 0.15]))
    kernel = {
        "sharp": lambda: spread(rng.uniform(0.5, 0.85), 0, 0),
        "soft": lambda: spread(rng.uniform(0.9, 1.7), 0, 0),
        "moved": lambda: spread(rng.uniform(0.5, 0.8), rng.uniform(1.5, 3.5), rng.uniform(0, np.pi)),
    }[blur]()
    electrons = rng.uniform(300, 800) if dim else float(np.exp(rng.uniform(np.log(1500), np.log(12_000))))
    sensor = Sensor(
        exposure=_exposure(rng, world, camera, gains),
        gains=gains,
        matrix=colour,
        electrons=electrons,
        read_noise=rng.uniform(2, 5),
        spread=kernel,
        smooth=rng.uniform(0.6, 1.6) if dim else float(rng.choice([0.0, rng.uniform(0.4, 1.0)])),
        sharpen=float(rng.choice([0.0, rng.uniform(0.2, 0.8)])),
        contrast=rng.uniform(0, 0.28),
        gamma=rng.uniform(2.0, 2.4),
        quality=int(rng.choice([95, 90, 85, 75, 65])),
        seed=int(rng.integers(2**31)),
    )
    grain = "strong" if electrons < 1000 else "some" if electrons < 4000 else "little"
    return sensor, {"blur": blur, "grain": grain, "JPEG": str(sensor.quality)}


def _exposure(rng: Rng, world: World, camera: Camera, gains: Array) -> float:
    """As a camera does it: what is nearly the brightest is put nearly at the top."""
    u, v = np.meshgrid(np.arange(10, camera.size[0], 20.0), np.arange(10, camera.size[1], 20.0))
    light = radiance(world, camera, u.ravel().astype(np.float32), v.ravel().astype(np.float32)) * gains
    return float(rng.uniform(0.5, 0.98) / np.percentile(light[:, 1], 96))


def _taken(world: World, camera: Camera, sensor: Sensor, quads: Points | None, finer: int = FINER) -> Picture:
    """All of it, or what is near the cells, the rest being black."""
    width, height = camera.size
    light = np.zeros((height, width, 3), np.float32)
    for top, left in product(range(0, height, TILE[1]), range(0, width, TILE[0])):
        bottom, right = min(height, top + TILE[1]), min(width, left + TILE[0])
        if quads is None or _touches(quads, (left, top, right, bottom)):
            light[top:bottom, left:right] = _tile(world, camera, (left, top, right, bottom), finer)
    if quads is None or finer == FINER:
        return sensor.picture(light)
    low, high = quads.min((0, 1)).astype(int) - 24, quads.max((0, 1)).astype(int) + 26
    left, top = np.maximum(low // 16 * 16, 0)  # where the file's blocks are, and the sensor's four
    picture: Picture = np.zeros((height, width, 3), np.uint8)
    picture[top : high[1], left : high[0]] = sensor.picture(np.ascontiguousarray(light[top : high[1], left : high[0]]))
    return picture


def _touches(quads: Points, box: tuple[int, int, int, int]) -> bool:
    low, high = quads.min(1) - 6, quads.max(1) + 6
    apart = (low[:, 0] > box[2]) | (high[:, 0] < box[0]) | (low[:, 1] > box[3]) | (high[:, 1] < box[1])
    return not bool(apart.all())


def _tile(world: World, camera: Camera, box: tuple[int, int, int, int], finer: int) -> Array:
    left, top, right, bottom = box
    offset = (np.arange(finer) + 0.5) / finer - 0.5
    columns = (np.arange(left, right)[:, None] + offset).ravel().astype(np.float32)
    rows = (np.arange(top, bottom)[:, None] + offset).ravel().astype(np.float32)
    u, v = np.meshgrid(columns, rows)
    light = radiance(world, camera, u.ravel(), v.ravel())
    return light.reshape(bottom - top, finer, right - left, finer, 3).mean((1, 3))
