"""What lies still before the camera: table, mat and cards, drawn once and again only where something changed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.rendered.outcomes import Piece
from simulator.rendered.patch import Patch, PatchBox, Pixels, box_around, put, warped, whole
from simulator.rendered.pinhole import Array, Pinhole, Rng
from simulator.rendered.printed_faces import FOREIGN, PrintingPress
from simulator.rendered.room_light import ACROSS, DOWN, TEXELS, TONE, Field, LampLight, clouds
from vision.frames import Picture
from vision.mat import Mat, Point
from vision.sheets import mat_picture

FINE = 2  # by which everything is drawn finer at first, across and down
MAT_TEXELS = 6
THICK = 0.36  # of a card, mm
PAPER = 0.25  # of the mat
AROUND = 14  # pixels that a card's shadow may reach
EDGE = (0.66, 0.7, 0.72)  # how a card's cut edge shines, by its face's white


@dataclass(frozen=True, slots=True, eq=False)
class StillView:
    """A camera as it stands, and the mat as it lies: shifted from where it lay at first, and turned."""

    camera: Pinhole
    mat: Mat
    shift: Point = (0.0, 0.0)
    turn: float = 0.0
    given: tuple[Point, ...] = ()  # places of its piles, where those are not the mat's

    @property
    def places(self) -> tuple[Point, ...]:
        """The middles of the places on which piles lie."""
        return self.given or self.mat.places

    def on_table(self, places: Array) -> Array:
        """Places of the mat (mm from its top left) on the table."""
        return self._turned((places - np.array(self.mat.size) / 2), self.turn) + self.shift

    def on_mat(self, ground: Array) -> Array:
        """And the other way."""
        return self._turned(ground - np.array(self.shift, np.float32), -self.turn) + np.array(self.mat.size) / 2

    def seen(self, points: Array) -> Array:
        """Pixels of points given by place on the mat and height over the table."""
        return self.camera.seen(self.over_table(points))

    def over_table(self, points: Array) -> Array:
        return np.concatenate([self.on_table(points[..., :2]), points[..., 2:]], -1)

    @staticmethod
    def _turned(places: Array, degrees: float) -> Array:
        if not degrees:
            return places
        a = math.radians(degrees)
        return places @ np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])


def card_corners(middle: Array, size: Point, turn: float) -> Array:
    """Clockwise from its top left, on the mat."""
    a = math.radians(turn)
    ahead = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    return np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * size @ ahead + middle


def height_of(level: int) -> float:
    """Of the upper side of a card with so many below it."""
    return PAPER + THICK * (level + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Stuff:
    """What all is made of."""

    mat: Mat | None  # None: nothing is under the cards
    top: Picture  # a texture of the table
    light: LampLight
    press: PrintingPress
    waves: NDArray[np.float32]  # of the mat's paper: a coarse factor
    blur: float  # of the lens, pixels
    dim: float  # how much darker the picture's corners are


@cache
def _printed_mat(mat: Mat) -> Picture:
    return mat_picture(mat, MAT_TEXELS)


def paper_waves(rng: Rng) -> NDArray[np.float32]:
    return np.asarray(1 + rng.uniform(0.003, 0.014) * clouds(rng, (12, 16), (3, 3)), np.float32)


_Laid = tuple[Piece, bool]  # and whether it is of another deck


class StillLife:
    """Pictures of what lies still. They are its own: whoever changes one takes a copy."""

    def __init__(self, stuff: Stuff) -> None:
        self._stuff = stuff
        self._view: StillView | None = None
        self._camera: Pinhole | None = None
        self._mat: Pixels | None = None
        self.tones: Field = np.empty((0, 0, 3), np.float32)
        self._bare: Picture = np.empty((0, 0, 3), np.uint8)
        self._picture = self._bare
        self._shown: list[_Laid] = []
        self._patches: dict[tuple[int, bool], tuple[Piece, Patch]] = {}

    def picture(self, view: StillView, pieces: Sequence[Piece], foreign: frozenset[int] = frozenset()) -> Picture:
        """With these cards; of the cells in `foreign` the uppermost card is one of another deck."""
        if view is not self._view:
            self._look(view)
        laid = self._laid(pieces, foreign)
        before, now = set(self._shown), set(laid)
        changed = [self._patch(*key).box for key in self._shown if key not in now]
        changed += [self._patch(*key).box for key in laid if key not in before]
        for box in changed:
            self._again(box, laid)
        self._shown = laid
        self._forget()
        return self._picture

    def _laid(self, pieces: Sequence[Piece], foreign: frozenset[int]) -> list[_Laid]:
        tops = {piece.cell: piece for piece in pieces}
        return [(piece, piece.cell in foreign and tops[piece.cell] is piece) for piece in pieces]

    def _again(self, box: PatchBox, laid: list[_Laid]) -> None:
        """Draw anew what is in a box."""
        box = box.within(whole(self._picture))
        if box.is_empty:
            return
        self._picture[box.slices] = self._bare[box.slices]
        for key in laid:
            patch = self._patch(*key)
            if not patch.box.within(box).is_empty:
                patch.over(self._picture, box)

    def _patch(self, piece: Piece, is_foreign: bool) -> Patch:
        key = (id(piece), is_foreign)
        if key not in self._patches:
            assert self._view is not None
            self._patches[key] = piece, self._card(self._view, piece, is_foreign=is_foreign)
        return self._patches[key][1]

    def _forget(self) -> None:
        if len(self._patches) > 150:
            kept = {(id(piece), is_foreign) for piece, is_foreign in self._shown}
            self._patches = {key: value for key, value in self._patches.items() if key in kept}

    # --- table and mat

    def _look(self, view: StillView) -> None:
        if self._camera is not view.camera:
            self._camera = view.camera
            self._ground = view.camera.ground(FINE)
            self.tones = self._tones(view.camera)
            self._table = self._tabletop()
        self._view, self._patches, self._shown = view, {}, []
        bare = self._table.copy()
        if self._stuff.mat is not None:
            self._lay_mat(bare, view)
        bare = cv2.multiply(bare, self.tones, dtype=cv2.CV_8U)
        self._bare = cv2.GaussianBlur(bare, (0, 0), self._stuff.blur)
        self._picture = self._bare.copy()

    def _tones(self, camera: Pinhole) -> Field:
        """What the light makes of white, for every pixel: a factor of tones."""
        width, height = camera.size
        across, down = np.meshgrid(np.linspace(0, width - 1, 81), np.linspace(0, height - 1, 46))
        pixels = np.stack([across, down], -1)
        light = self._stuff.light.on(camera.on_table(pixels))
        out = ((pixels - (width / 2, height / 2)) ** 2).sum(-1, keepdims=True) / (width**2 + height**2) * 4
        tones = (light * (1 - self._stuff.dim * out)) ** TONE
        return np.asarray(cv2.resize(tones.astype(np.float32), camera.size, interpolation=cv2.INTER_LINEAR))

    def _tabletop(self) -> Picture:
        places = self._ground * np.float32(TEXELS) + np.array([ACROSS / 2, DOWN / 2], np.float32)
        seen = cv2.remap(
            self._stuff.top, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
        )
        return self._smaller(seen)

    def _smaller(self, fine: NDArray[np.uint8]) -> NDArray[np.uint8]:
        size = (fine.shape[1] // FINE, fine.shape[0] // FINE)
        return np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), np.uint8)

    def _lay_mat(self, bare: Picture, view: StillView) -> None:
        texture = self._mat_texture(view.mat)
        box = box_around(view.seen(self._mat_outline(view.mat)), 12).within(whole(bare))
        ground = self._ground[box.top * FINE : box.bottom * FINE, box.left * FINE : box.right * FINE]
        places = (view.on_mat(ground) * MAT_TEXELS - 0.5).astype(np.float32)
        seen = self._smaller(cv2.remap(texture, places[..., 0], places[..., 1], cv2.INTER_LINEAR))
        there = bare[box.slices]
        shadow = cv2.GaussianBlur(seen[..., 3], (0, 0), 2.2)
        cv2.multiply(
            there, cv2.merge([cv2.convertScaleAbs(shadow, alpha=-0.3, beta=255)] * 3), dst=there, scale=1 / 255
        )
        put(there, seen)

    @staticmethod
    def _mat_outline(mat: Mat) -> Array:
        width, height = mat.size
        way = np.linspace(0, 1, 9)
        across, down = np.meshgrid(way * width, way * height)
        return np.stack([across.ravel(), down.ravel(), np.zeros(across.size)], -1)

    def _mat_texture(self, mat: Mat) -> Pixels:
        if self._mat is None:
            printed = _printed_mat(mat)
            size = (printed.shape[1], printed.shape[0])
            waves = cv2.resize(self._stuff.waves, size, interpolation=cv2.INTER_CUBIC)
            paper = cv2.merge([waves * np.float32(one) for one in self._stuff.press.paper])
            self._mat = cv2.cvtColor(cv2.multiply(printed, paper, dtype=cv2.CV_8U), cv2.COLOR_BGR2BGRA)
        return self._mat

    # --- cards

    def _card(self, view: StillView, piece: Piece, *, is_foreign: bool) -> Patch:
        stuff, high = self._stuff, height_of(piece.level)
        middle = np.array(view.places[piece.cell - 1]) + piece.lying.slip
        flat = card_corners(middle, stuff.press.size, piece.lying.turn)
        upper, lower, raised = (
            np.c_[flat, np.full(4, height)] for height in (high, high - THICK, 0.9 + 0.15 * min(piece.level, 6))
        )
        onto, base = view.seen(upper), view.seen(lower)
        box = box_around(onto, AROUND)
        texture = stuff.press.face(FOREIGN if is_foreign else piece.lying.card)
        face = warped(texture, onto, box, fine=FINE)
        self._shine(face, box)
        under = warped(texture, base, box, fine=FINE)[..., 3]
        fall = view.camera.seen(stuff.light.shadow(view.over_table(raised))).mean(0) - view.seen(
            np.c_[flat, np.zeros(4)]
        ).mean(0)
        pixels = self._grounded(face, under, fall)
        return Patch(box, cv2.GaussianBlur(pixels, (0, 0), stuff.blur))

    def _shine(self, face: Pixels, box: PatchBox) -> None:
        """The light of the place on it."""
        seen = box.within(whole(self._picture))
        if seen.is_empty:
            return
        rows = slice(seen.top - box.top, seen.bottom - box.top)
        columns = slice(seen.left - box.left, seen.right - box.left)
        face[rows, columns, :3] = cv2.multiply(
            np.ascontiguousarray(face[rows, columns, :3]), self.tones[seen.slices], dtype=cv2.CV_8U
        )

    def _grounded(self, face: Pixels, under: Picture, fall: Array) -> Pixels:
        """A face with the cut edge below it and the shadow that both throw."""
        height, width = under.shape
        shift = np.array([[1, 0, fall[0]], [0, 1, fall[1]]])
        thrown = cv2.GaussianBlur(cv2.warpAffine(under, shift, (width, height)), (0, 0), 1.5).astype(np.float32)
        close = cv2.GaussianBlur(under, (0, 0), 3.0).astype(np.float32)
        shadow = np.clip(0.36 * thrown + 0.22 * close, 0, 255) / 255
        opaque, edge = face[..., 3].astype(np.float32) / 255, under.astype(np.float32) / 255
        edge *= 1 - opaque
        done = np.empty_like(face)
        white = 255 * np.array(EDGE, np.float32) * self.tones[height // 2 % self.tones.shape[0], 0].mean()
        done[..., :3] = np.clip(face[..., :3] + edge[..., None] * white + 0.5, 0, 255)
        opaque = opaque + edge
        done[..., 3] = np.clip(255 * (1 - (1 - opaque) * (1 - shadow)) + 0.5, 0, 255)
        return done
