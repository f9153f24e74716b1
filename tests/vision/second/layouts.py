"""What lies on the table, from chance and a wish: a mat or none, and nine piles of cards."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import cv2
import numpy as np

from companion.games import NAMES, part
from tests.vision.second import editions
from tests.vision.second.faces import STYLES, Deck, Printer, a_printer, edition, of_game, printed
from tests.vision.second.noise import Array
from tests.vision.second.tables import printed_mat
from tests.vision.second.world import Coat, Sheet
from vision.mat import LARGE, SMALL, Mat
from vision.printed_deck import PrintedDeck

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Wish:
    """What a picture should have in it."""

    edition: str = "ours"
    mat: Mat | None = SMALL
    odd: float = 0.0  # share of cells that are empty, or have a card face down
    slipped: bool | None = None
    hand: bool = False
    covered: bool = False  # something on one marker
    light: str = ""
    size: tuple[int, int] = (1280, 720)
    cards: tuple[str, ...] = ()  # the nine that lie there, in the order of the places
    copy: int | None = None  # a printed copy of the edition: the same paper and inks wherever it is the same number
    room: int | None = None  # the same table, light and camera wherever it is the same number
    paper: str = ""  # matte, satin, glossy or sleeved
    table: str = ""  # one of its materials
    mirrored: bool = False  # a lamp or window is mirrored in a card or two
    quick: bool = False  # one ray for each pixel instead of four, on faces that are as coarse as that


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The middle of the nine places is 0; `cells` are the truth in the order of the places."""

    mat: Mat | None
    deck: Deck
    pitch: tuple[float, float]
    piles: list[list[Sheet]]  # some may be none
    extra: list[list[Sheet]]  # that are not in a place
    cells: list[str]
    sheet: Sheet | None
    conditions: dict[str, str]
    reach: tuple[float, float]  # what must be in the picture: half of it


def _deck(rng: Rng, wish: Wish) -> Deck:
    if wish.edition == "ours":
        tall = wish.mat is LARGE or (wish.mat is None and rng.random() < 0.3)
        return printed(LARGE.card if tall else SMALL.card)
    if wish.edition in NAMES:
        paper = part(wish.edition, "paper", PrintedDeck)
        sizes = [size for size in paper.sizes if wish.mat is None or size <= wish.mat.card]
        return of_game(paper, wish.edition, sizes[-1] if wish.mat is LARGE else sizes[0])
    deck = editions.drawn(wish.edition) if wish.edition in editions.NAMES else _style(rng, wish)
    room = wish.mat.card if wish.mat else (70, 95)
    scale = min(1.0, room[0] / deck.size[0], room[1] / deck.size[1])
    return replace(deck, size=(deck.size[0] * scale, deck.size[1] * scale))


def _style(rng: Rng, wish: Wish) -> Deck:
    names = [style.name for style in STYLES]
    fitting = [n for n, style in enumerate(STYLES) if wish.mat is None or _fits(style.size, wish.mat)]
    return edition(names.index(wish.edition) if wish.edition in names else int(rng.choice(fitting)))


def _fits(size: tuple[float, float], mat: Mat) -> bool:
    """Square cards are played on the small mat, tall ones on the large."""
    return (size[0] == size[1]) == (mat.card[0] == mat.card[1])


_COATS: dict[str, Callable[[Rng], Coat]] = {
    "matte": lambda _rng: Coat(),
    "satin": lambda rng: Coat(0.02, rng.uniform(0.35, 0.5)),
    "glossy": lambda rng: Coat(0.04, rng.uniform(0.2, 0.3), 0.01),
    "sleeved": lambda rng: Coat(0.045, rng.uniform(0.1, 0.2), rng.uniform(0.015, 0.04)),
}


def laid_out(rng: Rng, wish: Wish) -> Layout:
    copy = rng if wish.copy is None else np.random.default_rng([wish.copy, 20_043])
    deck, printer = _deck(rng, wish), a_printer(copy)
    paper = str(copy.choice(list(_COATS), p=[0.0, 0.0, 0.5, 0.5] if wish.mirrored else [0.4, 0.2, 0.15, 0.25]))
    paper = wish.paper or paper
    slipped = rng.random() < 0.4 if wish.slipped is None else wish.slipped
    sheet = _mat_sheet(rng, wish.mat) if wish.mat else None
    table = Dealer(rng, deck, printer, _COATS[paper](copy), sheet, slipped, COARSE if wish.quick else 1)
    pitch = wish.mat.pitch if wish.mat else tuple(side + rng.uniform(7, 24) for side in deck.size)
    names = [str(name) for name in wish.cards or rng.choice(deck.names, 9, replace=len(deck.names) < 9)]
    cells = [str(rng.choice(["empty", "face-down", "foreign"])) if rng.random() < wish.odd else name for name in names]
    places = [(column * pitch[0], row * pitch[1]) for row, column in product((-1, 0, 1), repeat=2)]
    piles = [table.pile(cell, place) for cell, place in zip(cells, places, strict=True)]
    reach = (
        tuple(side / 2 + 2 for side in wish.mat.size)
        if wish.mat
        else tuple(step + side * 0.65 for step, side in zip(pitch, deck.size, strict=True))
    )
    conditions = {"deck": deck.name, "paper": paper, "piles": "slipped" if slipped else "neat"}
    return Layout(wish.mat, deck, pitch, piles, [], cells, sheet, conditions, reach)  # type: ignore[arg-type]


def _mat_sheet(rng: Rng, mat: Mat) -> Sheet:
    paper = printed_mat(mat, a_printer(rng))
    bend = (rng.uniform(0, 0.6), rng.uniform(0, 0.8))
    return Sheet((0, 0), 0, mat.size, 0.2, 0, 0.2, bend, lambda: paper, grain=0.015)


COARSE = 3  # texels of a face that are one where it is quick: about a pixel of most pictures
_ODD = {"face-down": "back", "foreign": "blank"}


@dataclass(frozen=True, slots=True)
class Dealer:
    """Lays cards on a place."""

    rng: Rng
    deck: Deck
    printer: Printer
    coat: Coat
    mat: Sheet | None
    slipped: bool
    coarse: int = 1  # times as large texels

    def _ground(self, place: tuple[float, float]) -> float:
        if self.mat is None:
            return 0.05
        half = max(self.deck.size) / 2
        ends = np.array([(place[0] + sx * half, place[1] + sy * half) for sx, sy in product((-1, 1), repeat=2)])
        return self.mat.top + float(self.mat.lift(ends[:, 0], ends[:, 1]).max()) + 0.05

    def pile(self, cell: str, place: tuple[float, float]) -> list[Sheet]:
        if cell == "empty":
            return []
        below = [str(name) for name in self.rng.choice(self.deck.names, self.rng.integers(0, 6))]
        sheets: list[Sheet] = []
        base = self._ground(place)
        for number, name in enumerate([*below, _ODD.get(cell, cell)]):
            sheets.append(self._card(name, place, base, is_top=number == len(below)))
            base += sheets[-1].thick + 0.35 * sum(map(abs, sheets[-1].bend))
        return sheets

    def _card(self, name: str, place: tuple[float, float], base: float, *, is_top: bool) -> Sheet:
        rng, square = self.rng, self.deck.size[0] == self.deck.size[1]
        turn = int(rng.integers(4)) * np.pi / 2 if square else int(rng.integers(2)) * np.pi
        slip = np.clip(rng.normal(0, 1.1, 2), -2.2, 2.2)
        if self.slipped and not is_top and rng.random() < 0.5:
            slip = np.clip(rng.normal(0, 3.5, 2), -7, 7)
        bend = rng.normal(0, 0.35, 2) if rng.random() < 0.7 else np.zeros(2)
        picture = cache(lambda: self._coarser(self.printer.printed(self.deck.face(name))))
        return Sheet(
            middle=(place[0] + slip[0], place[1] + slip[1]),
            turn=turn + float(np.clip(rng.normal(0, 0.035), -0.08, 0.08)),
            size=self.deck.size,
            corner=self.deck.corner,
            base=base,
            thick=0.45 if self.coat.waves > 0.012 else 0.3,
            bend=(float(bend[0]), float(bend[1])),
            picture=picture,
            coat=replace(self.coat, seed=int(rng.integers(1000))),
        )

    def _coarser(self, face: Array) -> Array:
        if self.coarse == 1:
            return face
        height, width = (round(side / self.coarse) for side in face.shape[:2])
        return np.asarray(cv2.resize(face, (width, height), interpolation=cv2.INTER_AREA), np.float32)
