"""Nine cards without a mat: three rows of three, whatever lies around them, straight from above or from the side."""

from collections.abc import Iterator, Mapping
from itertools import product

import cv2
import numpy as np

from vision.edges import sharpened
from vision.exc import NoTableError
from vision.frames import Picture
from vision.outlines import Outline, apart, colour_cuts, light_cuts, outlines, straightened, united
from vision.splits import split
from vision.table import Table
from vision.tabletop import Points, Tabletop, tabletop

SIDE = 640  # pixels of the longer side in which cards are looked for
EDGE = 0.04  # of a card's shorter side: how far its rim may be from where it was first seen
SPLIT = 16  # outlines at most that may be several cards
SHARE = 0.82  # of a cell that the longer side of a card takes
NEXT = (0.78, 1.95)  # cards from one card to the next: they overlap a little, or lie far apart
ASIDE = 0.36  # of a card: how far out of line the next one may lie
SIZES = 0.62  # a neighbour is at least so large, and at most one over it
SLANT = 25.0  # degrees between neighbours
FEWEST = 5  # cards that are seen, of nine
ODD = (0.3, 25.0)  # of the logarithm of a card's side, and degrees: what differs more from the others is no card
RAGGED = 0.3  # of a card's shorter side: how far cards may lie out of rows and columns
UNLIKE = 0.1  # of a card's side: what differs more is partly hidden, or two cards in one
DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))
PLACES = tuple((row, column) for row in range(3) for column in range(3))
NAMES = (
    "top left", "top middle", "top right", "middle left", "middle", "middle right",
    "bottom left", "bottom middle", "bottom right",
)  # fmt: skip

Place = tuple[int, int]  # row and column
Laid = Mapping[Place, Outline]


class NoCardsError(NoTableError):
    """Nothing that looks like rows of cards."""


def by_cards(picture: Picture) -> Table:
    """The table in a picture of nine cards and no mat; NoTableError says what was seen instead."""
    scale = min(1.0, SIDE / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    laid, found = _searched(np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8))
    if laid is None:
        raise NoCardsError(
            f"I see {_counted(len(found), 'thing')} like cards, but no three rows of three; lay nine cards apart on a "
            "table of another colour, or use the mat, or tell where the corners are."
        )
    fine = {place: _sharp(small, straightened(outline)) for place, outline in laid.items()}
    cells, seen = _cells(fine, (small.shape[1], small.shape[0]))
    return Table(((cells + 0.5) / scale - 0.5).astype(np.float32), "cards", note=_note(seen))


def _searched(small: Picture) -> tuple[Laid | None, list[Outline]]:
    """Nine cards, with as little work as will do."""
    found = outlines(light_cuts(small))
    laid = _grid(apart(found, small)[0])
    if laid is None or len(laid) < 9:
        found = united(found + outlines(colour_cuts(small)))
        laid = _better(laid, _grid(apart(found, small)[0]))
    if laid is None or len(laid) < 8:
        cards, wholes = apart(found, small)
        found = united(cards + split(small, cards, wholes[:SPLIT]))
        laid = _better(laid, _grid(apart(found, small)[0]))
    return laid, found


def _better(one: Laid | None, two: Laid | None) -> Laid | None:
    return max((one, two), key=lambda laid: _worth(laid) if laid else 0.0)


def _sharp(small: Picture, outline: Outline) -> Outline:
    """The same with its sides where the card really ends."""
    reach = max(3.0, EDGE * float(np.linalg.norm(outline.axes, axis=1).min()))
    fine = sharpened(small, outline.corners, reach)
    return outline if fine is None else Outline(fine, outline.edge, outline.likeness, outline.votes)


# Rows and columns


def _grid(found: list[Outline]) -> Laid | None:
    """The best three rows of three among the outlines."""
    if len(found) < FEWEST:
        return None
    best: tuple[float, Laid, Laid] | None = None
    tried: set[int] = set()
    for seed in found[:30]:
        if id(seed) in tried:
            continue
        grown = _grown(_turned(seed, np.array((1, 0), np.float32)), found)
        tried |= {number for _, number in grown.values()}
        laid = {place: outline for place, (outline, _) in grown.items()}
        for window in _windows(laid):
            worth = _worth(window)
            if best is None or worth > best[0]:
                best = (worth, window, laid)
    if best is None:
        return None
    _refuse_more(best[2], best[1])
    return best[1]


def _grown(seed: Outline, found: list[Outline]) -> dict[Place, tuple[Outline, int]]:
    """Everything that lies in rows and columns with a seed, by row and column from it."""
    middles = np.array([outline.middle for outline in found])
    areas = np.array([outline.area for outline in found])
    grown = {(0, 0): (seed, id(seed))}
    rim = [(0, 0)]
    taken: set[int] = set()
    while rim:
        row, column = rim.pop(0)
        outline = grown[row, column][0]
        for down, across in DIRECTIONS:
            place = (row + down, column + across)
            if place in grown or max(map(abs, place)) > 4:
                continue
            for index in _nexts(outline, (across, down), middles, areas):
                turned = _turned(found[index], outline.axes[0])
                if index not in taken and _is_alike(outline, turned):
                    grown[place] = (turned, id(found[index]))
                    taken.add(index)
                    rim.append(place)
                    break
    return grown


def _nexts(outline: Outline, way: tuple[int, int], middles: Points, areas: Points) -> list[int]:
    """Which outlines lie next to one in a direction, the likeliest first."""
    apart = (middles - outline.middle) @ np.linalg.inv(outline.axes)
    ahead = apart @ np.array(way)
    aside = np.abs(apart @ np.array((way[1], way[0])))
    ratio = areas / outline.area
    fits = (ahead > NEXT[0]) & (ahead < NEXT[1]) & (aside < ASIDE) & (ratio > SIZES) & (ratio < 1 / SIZES)
    cost = ahead + 2 * aside + np.abs(np.log(ratio))
    return [int(index) for index in np.argsort(cost) if fits[index]]


def _turned(outline: Outline, right: Points) -> Outline:
    """The same with its corners told from the one that is top left when this direction is to the right."""
    turns = [Outline(np.roll(outline.corners, -turn, axis=0), outline.edge, outline.likeness, outline.votes)
             for turn in range(4)]  # fmt: skip
    return max(turns, key=lambda turn: float(turn.axes[0] @ right / np.linalg.norm(turn.axes[0])))


def _is_alike(one: Outline, two: Outline) -> bool:
    """Of about the same size, and not turned much."""
    lengths = np.linalg.norm(two.axes, axis=1) / np.linalg.norm(one.axes, axis=1)
    if lengths.min() < 0.7 or lengths.max() > 1 / 0.7:
        return False
    cosine = (one.axes * two.axes).sum(axis=1) / np.linalg.norm(one.axes, axis=1) / np.linalg.norm(two.axes, axis=1)
    return bool(cosine.min() > np.cos(np.radians(SLANT)))


def _windows(laid: Laid) -> Iterator[dict[Place, Outline]]:
    """Every three by three of it that has cards enough, in each row and in each column."""
    rows, columns = zip(*laid, strict=True)
    for top, left in product(range(min(rows), max(rows) - 1), range(min(columns), max(columns) - 1)):
        window = {
            (row, column): laid[top + row, left + column]
            for row, column in PLACES
            if (top + row, left + column) in laid
        }
        spans = all(len({place[way] for place in window}) == 3 for way in (0, 1))
        if len(window) >= FEWEST and spans:
            yield window


def _worth(window: Laid) -> float:
    """More cards are better, and so are larger outlines: what is printed on cards lies in rows too."""
    areas = [outline.area for outline in window.values()]
    votes = min(1.0, float(np.mean([outline.votes for outline in window.values()])) / 6)
    return len(window) + 2 * float(np.log(np.median(areas))) + votes


def _refuse_more(laid: Laid, window: Laid) -> None:
    """Four full rows are more than a table of nine."""
    if len(window) < 9:
        return
    size = float(np.median([outline.area for outline in window.values()]))
    others = [place for place, outline in laid.items() if not _is_of(outline, window, size)]
    for way in (0, 1):
        lines = [place[way] for place in others]
        if any(lines.count(line) >= 3 for line in set(lines)):
            raise NoTableError(
                f"I see {9 + len(others)} cards in rows and columns, and a table has nine; take the others away, or "
                "tell where the corners of the nine are."
            )


def _is_of(outline: Outline, window: Laid, size: float) -> bool:
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
    if lattice[1] > RAGGED * min(width, height):
        raise NoCardsError(
            f"I see {_counted(len(laid), 'card')}, but not in three rows of three; straighten the rows and columns."
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
    one, two, three, four = corners
    across, down = (two - one + three - four) / 2, (four - one + three - two) / 2
    width, height = float(np.linalg.norm(across)), float(np.linalg.norm(down))
    along = across / width + np.array((down[1], -down[0])) / height
    middle = corners.mean(axis=0)
    return float(middle[0]), float(middle[1]), width, height, float(np.arctan2(along[1], along[0]))


def _lattice(places: list[Place], middles: Points) -> tuple[Points, float]:
    """Origin, step down and step across that fit the middles best, and how far one of them is off."""
    rows = np.array([(1.0, *place) for place in places])
    steps = np.linalg.lstsq(rows, middles, rcond=None)[0]
    return steps, float(np.linalg.norm(rows @ steps - middles, axis=1).max())


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
    listed = missing[0] if len(missing) == 1 else f"{', '.join(missing[:-1])} and {missing[-1]}"
    are = "place is" if len(missing) == 1 else "places are"
    return f"I see {len(seen)} of 9 cards; the others tell where the {listed} {are}."


def _counted(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"
