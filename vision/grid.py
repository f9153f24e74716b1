"""Nine cards without a mat: three rows of three, whatever lies around them, straight from above or from the side."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.sentence import N_, Both, Sentence
from vision.edges import sharpened
from vision.eye_errors import NoTableError
from vision.frames import Picture
from vision.locate import TableView
from vision.missing import completed
from vision.outlines import (
    PRINTED,
    CardOutline,
    apart,
    colour_cuts,
    evened,
    light_cuts,
    outlines,
    paper_cuts,
    straightened,
    tell_printed,
    united,
    widened,
)
from vision.splits import split
from vision.tabletop import Points, Tabletop, tabletop

SIDE = 640  # pixels of the longer side in which cards are looked for
EDGE = 0.04  # of a card's shorter side: how far its rim may be from where it was first seen
SPLIT = 16  # outlines at most that may be several cards
SHARE = 0.82  # of a cell that the longer side of a card takes
NEXT = (0.78, 1.95)  # cards from one card to the next: they overlap a little, or lie far apart
BEHIND = (2.0, 3.3)  # the same, over a place where no card was seen
ASIDE = 0.36  # of a card: how far out of line the next one may lie
ON = 0.4  # of a card to each side of its middle: what has its middle there is the same card
SIZES = 0.52  # a neighbour is at least so large, and at most one over it
SLANT = 25.0  # degrees between neighbours
FEWEST = 5  # cards that are seen, of nine
SEEDS = 60  # outlines from which rows and columns are looked for
ALIKE = 2.0  # cards that unlike sizes cost, for each e-fold
EVEN = 4.0  # cards that uneven steps cost, for each e-fold
CLEARLY = 0.8  # of a card: where light and dark were stretched, outlines are not as true
CROWDED = 3.0  # cards that it costs to be a part of more: the squares of a cloth
MOSTLY = 0.6  # of the cards have something printed on them
PRINT = 3.0  # cards that one more may be seen without print, and still be worth less
ODD = (0.3, 25.0)  # of the logarithm of a card's side, and degrees: what differs more from the others is no card
RAGGED = 0.3  # of a card's shorter side: how far cards may lie out of rows and columns
TIGHT = 0.95  # cards from one to the next on the table, at least: whole cards touch and do not overlap
UNLIKE = 0.1  # of a card's side: what differs more is partly hidden, or two cards in one
DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))
PLACES = tuple((row, column) for row in range(3) for column in range(3))
LINES = (
    *(((row, 0), (row, 1), (row, 2)) for row in range(3)),
    *(((0, column), (1, column), (2, column)) for column in range(3)),
)
NAMES = (
    N_("top left"), N_("top middle"), N_("top right"), N_("middle left"), "middle", N_("middle right"),
    N_("bottom left"), N_("bottom middle"), N_("bottom right"),
)  # fmt: skip

Place = tuple[int, int]  # row and column
Laid = Mapping[Place, CardOutline]


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Three rows of three, with places that may be empty, and everything that lies in line with them."""

    window: Laid
    laid: Laid
    worth: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "worth", self._worth())

    @property
    def is_sure(self) -> bool:
        return len(self.window) == 9 and self.printed >= MOSTLY and not self.more

    @property
    def is_enough(self) -> bool:
        return len(self.window) >= 8 and self.printed >= MOSTLY

    @property
    def is_seen(self) -> bool:
        """Enough cards, and they showed by themselves."""
        return self.is_enough and float(np.median([outline.votes for outline in self.window.values()])) >= 2

    @property
    def more(self) -> int:
        """How many more there are, if they make a row or a column."""
        size = float(np.median([outline.area for outline in self.window.values()]))
        others = [place for place, outline in self.laid.items() if not _is_of(outline, self.window, size)]
        rows = [[place[way] for place in others] for way in (0, 1)]
        return len(others) if any(lines.count(line) >= 3 for lines in rows for line in set(lines)) else 0

    @property
    def printed(self) -> float:
        """The share of the outlines in which something is printed."""
        return float(np.mean([outline.printed > PRINTED for outline in self.window.values()]))

    def _worth(self) -> float:
        """More cards are better, and so are larger outlines: what is printed on cards lies in rows too."""
        areas = [outline.area for outline in self.window.values()]
        votes = min(1.0, float(np.mean([outline.votes for outline in self.window.values()])) / 6)
        return (
            len(self.window)
            + 2 * float(np.log(np.median(areas)))
            + votes
            + PRINT * self.printed
            - (CROWDED if self.more else 0)
            - EVEN * self._unevenness()
            - ALIKE * self._unlikeness()
        )

    def _unlikeness(self) -> float:
        """How much sizes differ from what grows evenly from one side of the table to the other."""
        rows = np.array([(1.0, *place) for place in self.window])
        sizes = np.log([outline.area for outline in self.window.values()])
        return float(np.abs(rows @ np.linalg.lstsq(rows, sizes, rcond=None)[0] - sizes).mean())

    def _unevenness(self) -> float:
        """How much the second step in a row or column differs from the first, each told in cards at its place."""
        steps = []
        for one, two, third in LINES:
            if one in self.window and two in self.window and third in self.window:
                here, there = (_step(self.window[a], self.window[b], int(one[0] != two[0]))
                               for a, b in ((one, two), (two, third)))  # fmt: skip
                steps.append(abs(float(np.log(here / there))))
        return float(np.mean(steps)) if steps else 0.0


def _step(one: CardOutline, two: CardOutline, way: int) -> float:
    """How many cards it is from one to the next."""
    return float(np.linalg.norm(two.middle - one.middle) * 2 / np.linalg.norm(one.axes[way] + two.axes[way]))


class NoCardsError(NoTableError):
    """Nothing that looks like rows of cards."""


def by_cards(picture: Picture) -> TableView:
    """The table in a picture of nine cards and no mat; NoTableError says what was seen instead."""
    scale = min(1.0, SIDE / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    best, found = _searched(small)
    if best is not None:
        _refuse_more(best)
    if best is None or best.printed < MOSTLY:
        raise NoCardsError(
            Sentence(
                "Things in the picture that look like cards: {count}; I see no three rows of three. Lay nine cards "
                "apart on a table of another colour, or use the mat, or tell where the corners are.",
                count=len(found),
            )
        )
    fine = {place: _sharp(small, straightened(outline)) for place, outline in best.window.items()}
    cells, seen = _cells(fine, (small.shape[1], small.shape[0]))
    return TableView(((cells + 0.5) / scale - 0.5).astype(np.float32), "cards", note=_note(seen))


def _searched(sharp: Picture) -> tuple["Grid | None", list[CardOutline]]:
    """Nine cards, with as little work as will do."""
    small = np.asarray(cv2.GaussianBlur(sharp, (3, 3), 0), np.uint8)
    found = outlines(light_cuts(small))
    best = _grid(found, small)
    if best is None or not best.is_sure:
        found = united(found + outlines(chain(colour_cuts(small), paper_cuts(small))))
        best = _better(best, _grid(found, small))
    if best is None or len(best.window) < 8:
        cards, wholes = apart(found, small)
        best = _better(best, _grid(united(cards + split(small, cards, wholes[:SPLIT])), small))
    if best is None or not best.is_seen:
        found, best = _evenly(found, best, small, small)
    if best is None or not best.is_enough:
        found, best = _evenly(found, best, small, sharp)
    return best, found


def _evenly(
    found: list[CardOutline], best: "Grid | None", small: Picture, picture: Picture
) -> tuple[list[CardOutline], "Grid | None"]:
    """The same with what else shows where light and dark are stretched."""
    found = united(found + [widened(outline) for outline in outlines(light_cuts(evened(picture)))])
    return found, _better(best, _grid(found, small), by=CLEARLY)


def _better(one: "Grid | None", two: "Grid | None", by: float = 0.0) -> "Grid | None":
    """The second only if it is worth more. The squares of a cloth are many, and nothing is printed on them."""
    if one is None or two is None:
        return one or two
    if (one.printed >= MOSTLY) != (two.printed >= MOSTLY):
        return two if two.printed >= MOSTLY else one
    return two if two.worth > one.worth + by else one


def _sharp(small: Picture, outline: CardOutline) -> CardOutline:
    """The same with its sides where the card really ends."""
    reach = max(3.0, EDGE * float(np.linalg.norm(outline.axes, axis=1).min()))
    fine = sharpened(small, outline.corners, reach)
    return outline if fine is None else replace(outline, corners=fine)


# Rows and columns


def _grid(found: list[CardOutline], small: Picture) -> Grid | None:
    """The best three rows of three among the outlines."""
    cards = apart(found, small)[0]
    if len(cards) < FEWEST:
        return None
    tell_printed(cards, small)
    best: Grid | None = None
    tried: set[int] = set()
    for seed in _seeds(cards):
        if id(seed) in tried:
            continue
        grown = _grown(_turned(seed, np.array((1, 0), np.float32)), cards)
        tried |= {number for _, number in grown.values()}
        laid = completed({place: outline for place, (outline, _) in grown.items()}, small)
        for window in _windows(laid):
            best = _better(best, Grid(window, laid))
    return best


def _seeds(cards: list[CardOutline]) -> list[CardOutline]:
    """Where to begin: the surest of each size in turn, for the squares of a cloth are many and of one size."""
    ranks: dict[int, int] = defaultdict(int)
    order = []
    for index, card in enumerate(cards):
        size = round(2 * np.log2(card.area))
        order.append((ranks[size], index))
        ranks[size] += 1
    return [cards[index] for _, index in sorted(order)[:SEEDS]]


def _grown(seed: CardOutline, found: list[CardOutline]) -> dict[Place, tuple[CardOutline, int]]:
    """Everything that lies in rows and columns with a seed, by row and column from it."""
    middles = np.array([outline.middle for outline in found])
    areas = np.array([outline.area for outline in found])
    grown = {(0, 0): (seed, id(seed))}
    rim = [(0, 0)]
    free = ~_on(seed, middles)
    while rim:
        row, column = rim.pop(0)
        outline = grown[row, column][0]
        for (down, across), steps in product(DIRECTIONS, (1, 2)):
            place = (row + steps * down, column + steps * across)
            if place in grown or (row + down, column + across) in grown or max(map(abs, place)) > 4:
                continue
            for index in _nexts(outline, (across, down), middles, areas, free, steps):
                turned = _turned(found[index], outline.axes[0])
                if _is_alike(outline, turned):
                    grown[place] = (turned, id(found[index]))
                    free &= ~_on(turned, middles)
                    rim.append(place)
                    break
    return grown


def _on(outline: CardOutline, middles: Points) -> NDArray[np.bool_]:
    """Which middles are on the same card."""
    shares = np.abs((middles - outline.middle) @ outline.shares)
    return np.asarray(shares.max(axis=1) < ON, np.bool_)


def _nexts(
    outline: CardOutline, way: tuple[int, int], middles: Points, areas: Points, free: NDArray[np.bool_], steps: int = 1
) -> list[int]:
    """Which outlines lie next to one in a direction, or behind a place where none was seen, the likeliest first."""
    least, most = NEXT if steps == 1 else BEHIND
    apart = (middles - outline.middle) @ outline.shares
    ahead = apart @ np.array(way)
    aside = np.abs(apart @ np.array((way[1], way[0])))
    ratio = areas / outline.area
    fits = free & (ahead > least) & (ahead < most) & (aside < ASIDE) & (ratio > SIZES) & (ratio < 1 / SIZES)
    cost = ahead + 2 * aside + np.abs(np.log(ratio))
    return [int(index) for index in np.argsort(cost) if fits[index]]


def _turned(outline: CardOutline, right: Points) -> CardOutline:
    """The same with its corners told from the one that is top left when this direction is to the right."""
    across, down = outline.axes / np.linalg.norm(outline.axes, axis=1, keepdims=True) @ right
    turn = int(np.argmax((across, down, -across, -down)))
    return replace(outline, corners=np.roll(outline.corners, -turn, axis=0)) if turn else outline


def _is_alike(one: CardOutline, two: CardOutline) -> bool:
    """Of about the same size, and not turned much."""
    lengths = np.linalg.norm(two.axes, axis=1) / np.linalg.norm(one.axes, axis=1)
    if lengths.min() < 0.7 or lengths.max() > 1 / 0.7:
        return False
    cosine = (one.axes * two.axes).sum(axis=1) / np.linalg.norm(one.axes, axis=1) / np.linalg.norm(two.axes, axis=1)
    return bool(cosine.min() > np.cos(np.radians(SLANT)))


def _windows(laid: Laid) -> Iterator[dict[Place, CardOutline]]:
    """Every three by three of it that has cards enough, in each row and in each column."""
    rows, columns = zip(*laid, strict=True)
    for top, left in product(range(min(rows), max(rows) - 1), range(min(columns), max(columns) - 1)):
        window = {
            (row, column): laid[top + row, left + column]
            for row, column in PLACES
            if (top + row, left + column) in laid
        }
        spans = all(len({place[way] for place in window}) == 3 for way in (0, 1))
        if len(window) >= FEWEST and spans and _pitch(window) > TIGHT - UNLIKE:
            yield window


def _pitch(window: Laid) -> float:
    """How many cards it is from one to the next, as the picture shows them."""
    steps = [
        _step(outline, window[row + down, column + 1 - down], down)
        for (row, column), outline in window.items()
        for down in (0, 1)
        if (row + down, column + 1 - down) in window
    ]
    return float(np.median(steps)) if steps else 1.0


def _refuse_more(grid: Grid) -> None:
    """Four full rows are more than a table of nine."""
    if len(grid.window) == 9 and grid.more:
        raise NoTableError(
            Sentence(
                "I see {count} cards in rows and columns, and a table has nine; take the others away, or tell "
                "where the corners of the nine are.",
                count=9 + grid.more,
            )
        )


def _is_of(outline: CardOutline, window: Laid, size: float) -> bool:
    """One of these cards, or something on one, or too small or large to be another."""
    x, y = (float(value) for value in outline.middle)
    on = any(cv2.pointPolygonTest(card.corners, (x, y), measureDist=False) >= 0 for card in window.values())
    return on or not SIZES < outline.area / size < 1 / SIZES


# From the picture to the plan, and back


def _cells(laid: Laid, size: tuple[int, int]) -> tuple[Points, list[Place]]:
    """The nine cells, each straight around its card, and in which of them a card was seen."""
    top, places, cards = _measures(laid, size)
    if (odd := _odd_one(places, cards)) is not None and len(laid) > FEWEST:
        return _cells({place: outline for place, outline in laid.items() if place != odd}, size)
    width, height = np.median(cards[:, 2:4], axis=0)
    lattice = _lattice(places, cards[:, :2])
    if lattice[1] > RAGGED * min(width, height) or _closest(lattice[0], (width, height)) < TIGHT:
        raise NoCardsError(
            Sentence(
                "Cards in the picture: {count}, but not in three rows of three; straighten the rows and columns.",
                count=len(laid),
            )
        )
    known = dict(zip(places, cards, strict=True))
    slant = float(np.median(cards[:, 4]))
    half = max(width, height) / SHARE / 2
    cells = []
    for place in PLACES:
        wanted = np.array((1.0, *place)) @ lattice[0]
        card = known.get(place)
        middle = wanted if card is None else _centred(card, (width, height), wanted)
        cells.append(middle + half * _square(slant if card is None else card[4]))
    return top.shows(np.array(cells)), places


def _measures(laid: Laid, size: tuple[int, int]) -> tuple[Tabletop, list[Place], Points]:
    """How the table top lies, and on its plan each card."""
    top = tabletop(np.array([outline.corners for outline in laid.values()]), size)
    return top, list(laid), np.array([_measured(top.plan(outline.corners)) for outline in laid.values()])


def _odd_one(places: list[Place], cards: Points) -> Place | None:
    """What lies in line with the cards and is none: it has another size, is turned another way, or out of line."""
    unlike = np.abs(np.log(cards[:, 2:4] / np.median(cards[:, 2:4], axis=0))).max(axis=1) / ODD[0]
    slants = np.abs(cards[:, 4] - np.median(cards[:, 4])) / np.radians(ODD[1])
    oddity = np.maximum(unlike, slants)
    if oddity.max() <= 1 and _lattice(places, cards[:, :2])[1] > RAGGED * np.median(cards[:, 2:4].min(axis=1)):
        oddity = 2 - np.array([_lattice_without(index, places, cards) for index in range(len(places))])
    worst = int(oddity.argmax())
    left = [place for index, place in enumerate(places) if index != worst]
    spans = all(len({place[way] for place in left}) == 3 for way in (0, 1))
    return places[worst] if spans and oddity[worst] > 1 else None


def _lattice_without(index: int, places: list[Place], cards: Points) -> float:
    """How ragged the others are, as a share of what all of them are."""
    left = [number for number in range(len(places)) if number != index]
    others = _lattice([places[number] for number in left], cards[left, :2])[1]
    return others / _lattice(places, cards[:, :2])[1]


def _measured(corners: Points) -> tuple[float, float, float, float, float]:
    """Of a card on the plan: its middle, width, height and angle."""
    one, two, third, four = corners
    across, down = (two - one + third - four) / 2, (four - one + third - two) / 2
    width, height = float(np.linalg.norm(across)), float(np.linalg.norm(down))
    along = across / width + np.array((down[1], -down[0])) / height
    middle = corners.mean(axis=0)
    return float(middle[0]), float(middle[1]), width, height, float(np.arctan2(along[1], along[0]))


def _lattice(places: list[Place], middles: Points) -> tuple[Points, float]:
    """Origin, step down and step across that fit the middles best, and how far one of them is off."""
    rows = np.array([(1.0, *place) for place in places])
    steps = np.linalg.lstsq(rows, middles, rcond=None)[0]
    return steps, float(np.linalg.norm(rows @ steps - middles, axis=1).max())


def _closest(steps: Points, size: tuple[float, float]) -> float:
    """Of origin, step down and step across the shorter step, in cards."""
    width, height = size
    return float(min(np.linalg.norm(steps[2]) / width, np.linalg.norm(steps[1]) / height))


def _centred(card: Points, size: tuple[float, float], wanted: Points) -> Points:
    """The middle of the whole card if only a part of it was seen: the part's one side or its other is the card's."""
    middle = card[:2]
    angle = float(card[4])
    ways = np.array(((np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))))
    for way, seen, whole in zip(ways, card[2:4], size, strict=True):
        if abs(seen - whole) > UNLIKE * whole:
            middle = middle + way * np.clip((wanted - middle) @ way, -abs(whole - seen) / 2, abs(whole - seen) / 2)
    return middle


def _square(angle: float) -> Points:
    """The corners of a square of side two, turned."""
    cosine, sine = np.cos(angle), np.sin(angle)
    corners = np.array(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
    return np.asarray(corners @ np.array(((cosine, sine), (-sine, cosine))), np.float64)


# Words


def _note(seen: list[Place]) -> str:
    missing = [name for place, name in zip(PLACES, NAMES, strict=True) if place not in seen]
    if not missing:
        return ""
    text = N_("I see {seen} of 9 cards; the others tell where the {listed} places are.")
    if len(missing) == 1:
        text = N_("I see {seen} of 9 cards; the others tell where the {listed} place is.")
    return Sentence(text, seen=len(seen), listed=Both(missing))
