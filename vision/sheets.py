"""What goes on which sheet of paper: the mats whole and in halves, the deck's fronts and backs, A4 and Letter."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

import cv2

from vision.card_drawing import RADIUS
from vision.drawing import (
    BLACK,
    ROUND,
    WHITE,
    Drawing,
    DrawnMark,
    DrawnWords,
    Ink,
    Path,
    PrintedPage,
    disc,
    flattened,
    line,
    moved,
    rectangle,
)
from vision.eye_errors import PrintError
from vision.frames import Picture
from vision.ink import painted
from vision.lattice_marks import LINE, lattice_marks, pile_marks
from vision.mat import DICTIONARY, PAPER_PATCH, ColourPatch, Marker, Mat, Point
from vision.printed_deck import PrintedDeck

PAPERS: dict[str, Point] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4), "a3": (297.0, 420.0)}
MARGIN = 8.0  # along each edge, where printers may not reach
BITS = 4  # of a marker, across and down, inside its black border
RULER = 100.0

PLAYING = "{0} mat, for cards up to {1:g} by {2:g} mm"
TEACHING = "To teach a deck: nine cards up to {1:g} by {2:g} mm, then the next nine"

NOTE: Ink = (96, 104, 112)
CUT: Ink = (172, 172, 172)
TOKEN = 22.0  # how far a token reaches, to each side
NOTES = 66.0  # from one note at the seam to the next, at least

Half = Literal["upper", "lower"]
HALVES: tuple[Half, Half] = ("upper", "lower")


def _room(sheet: Point) -> Point:
    return sheet[0] - 2 * MARGIN, sheet[1] - 2 * MARGIN


def _centred(sheet: Point, size: Point) -> Point:
    """Where something begins that is in the middle of a sheet."""
    return (sheet[0] - size[0]) / 2, (sheet[1] - size[1]) / 2


def _both_ways(paper: str) -> tuple[Point, Point]:
    width, height = PAPERS[paper]
    return (width, height), (height, width)


# --- the mat


def mat_pages(mat: Mat, paper: str, *, halves: bool = False, teaching: bool = False) -> list[PrintedPage]:
    """A mat on one sheet, or on two that are joined."""
    if halves:
        return [_half_page(mat, paper, half, teaching=teaching) for half in HALVES]
    sheet = _sheet_for(mat.size, paper)
    if sheet is None:
        raise PrintError(f"The {mat.name} mat is larger than a sheet of {paper}: print it in halves (--halves).")
    return [PrintedPage(sheet, moved(mat_drawing(mat, teaching=teaching), _centred(sheet, mat.size)))]


def fits_whole(mat: Mat, paper: str) -> bool:
    return _sheet_for(mat.size, paper) is not None


def seam(mat: Mat) -> float:
    """How far down a mat is cut in two: through the three middle places, or between the two middle rows."""
    return mat.size[1] / 2


def _half_page(mat: Mat, paper: str, half: Half, *, teaching: bool) -> PrintedPage:
    size = (mat.size[0], seam(mat))
    sheet = _sheet_for(size, paper)
    assert sheet is not None  # the halves of every mat fit every paper
    x, y = _centred(sheet, size)
    own = (one for one in mat_drawing(mat, teaching=teaching) if (_middle(one) < seam(mat)) == (half == "upper"))
    return PrintedPage(sheet, moved((*own, *_joint(mat, half)), (x, y if half == "upper" else y - seam(mat))))


def _sheet_for(size: Point, paper: str) -> Point | None:
    """The paper upright if that is enough, else lying, else none."""
    for sheet in _both_ways(paper):
        across, down = _room(sheet)
        if size[0] <= across and size[1] <= down:
            return sheet
    return None


def _middle(one: DrawnMark | DrawnWords) -> float:
    """How far down."""
    heights = [one.at[1]] if isinstance(one, DrawnWords) else [y for path in one.paths for _, y in flattened(path)]
    return (min(heights) + max(heights)) / 2


def mat_drawing(mat: Mat, *, teaching: bool = False) -> Drawing:
    """The whole mat, from its top left corner; nothing crosses the seam. For teaching only its words differ."""
    width, height = mat.size
    border = (DrawnMark((_cup((0, width), seam(mat), end),), None, CUT, 0.2) for end in (0, height))
    markers = chain.from_iterable(map(_marker, mat.markers))
    cells = range(1, len(mat.places) + 1)
    places = lattice_marks(mat) if mat.spans > 1 else tuple(chain.from_iterable(_place(mat, cell) for cell in cells))
    title = (TEACHING if teaching else PLAYING).format(mat.name.capitalize(), *mat.card)
    strips = chain.from_iterable(_strip(title, (width / 2, y)) for y in mat.strips)
    beside = (*pile_marks(mat), *_token(mat))
    return (*border, *markers, *places, *beside, *map(_patch, mat.patches), *strips)


def _cup(sides: tuple[float, float], brim: float, base: float, radius: float = 0.0) -> Path:
    """Half of an outline: open at the brim, with round corners at the base."""
    left, right = sides
    if not radius:
        return line((left, brim), (left, base), (right, base), (right, brim))
    way = radius if base < brim else -radius
    near = 1 - ROUND
    return Path(
        (left, brim),
        (
            ((left, base + way),),
            ((left, base + way * near), (left + radius * near, base), (left + radius, base)),
            ((right - radius, base),),
            ((right - radius * near, base), (right, base + way * near), (right, base + way)),
            ((right, brim),),
        ),
        closed=False,
    )


def _marker(marker: Marker) -> Drawing:
    """Its black square, and in it the white bits of the dictionary, filled together so that no seams show."""
    (left, top), step = marker.corners[0], marker.side / (BITS + 2)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    bits = cv2.aruco.generateImageMarker(dictionary, marker.number, BITS + 2)
    white = tuple(
        rectangle((left + column * step, top + row * step, left + (column + 1) * step, top + (row + 1) * step))
        for row, column in zip(*bits.nonzero(), strict=True)
    )
    return (DrawnMark((rectangle((left, top, left + marker.side, top + marker.side)),), BLACK), DrawnMark(white, WHITE))


def _place(mat: Mat, cell: int) -> Drawing:
    """A place's outline in two pieces, so that it can be cut, and in its corner its name or the cell's number."""
    (x, y), (width, height) = mat.places[cell - 1], mat.place
    sides, (top, bottom) = (x - width / 2, x + width / 2), (y - height / 2, y + height / 2)
    pieces = (_cup(sides, y, base, RADIUS + 1.5) for base in (top, bottom))
    number = DrawnWords((sides[0] + 3, top + 5.4), mat.names[cell - 1] if mat.names else str(cell), 2.4, LINE)
    return (*(DrawnMark((piece,), None, LINE, 0.3) for piece in pieces), number)


def _token(mat: Mat) -> Iterator[DrawnMark]:
    """The ring in which a token stands, in two pieces, so that it can be cut."""
    if mat.token:
        x, y = mat.token
        for way in (-1, 1):
            yield DrawnMark((_cup((x - TOKEN, x + TOKEN), y, y + way * TOKEN, TOKEN),), None, LINE, 0.5)


def _patch(patch: ColourPatch) -> DrawnMark:
    """The bare paper has a thin ring, so that people see that it is one of them."""
    outline = (disc(patch.centre, patch.radius),)
    return DrawnMark(outline, None, LINE, 0.2) if patch.name == PAPER_PATCH else DrawnMark(outline, patch.ink)


def _strip(title: str, middle: Point) -> Drawing:
    """Between two markers: whose mat this is, and whether it was printed to size."""
    x, y = middle
    return (
        DrawnWords((x, y - 10.6), title, 2.4, NOTE, "middle"),
        *moved(_ruler(), (x - RULER / 2, y + 3)),
        DrawnWords(
            (x, y + 9), "This line must be 100 mm long; if it is not, print at 100 % (no fitting).", 2.0, NOTE, "middle"
        ),
    )


def _ruler() -> Drawing:
    """Ticks every ten millimetres; its length is from the middle of the first tick to that of the last."""
    ticks = (line((x, 0), (x, -(4.0 if x % 50 == 0 else 2.0))) for x in range(0, int(RULER) + 1, 10))
    return (DrawnMark((line((0, 0), (RULER, 0)), *ticks), None, NOTE, 0.25),)


def _joint(mat: Mat, half: Half) -> Drawing:
    """Where a half is cut, or laid under the other one, with crosses to line them up."""
    (width, _), down = mat.size, seam(mat)
    across = max(mat.pitch[0], min(NOTES, width / 3.5))
    crosses = (
        line((width / 2 + column * across, down - 4), (width / 2 + column * across, down + 4))
        for column in (-1.5, -0.5, 0.5, 1.5)
    )
    cut = DrawnMark((line((0, down), (width, down)), *crosses), None, CUT, 0.15)
    if half == "upper":
        return (cut, DrawnWords((width / 2, down + 4.5), "Upper half: cut along this line.", 2.2, NOTE, "middle"))
    notes = (
        "Lower half: do not cut here.",
        "Lay the cut edge of the upper half",
        "on this line, cross on cross, and glue.",
    )
    words = (
        DrawnWords((width / 2 + column * across, down - 2.3), note, 2.2, NOTE, "middle")
        for column, note in zip((-1, 0, 1), notes, strict=True)
    )
    return (cut, *words)


def mat_picture(mat: Mat, per_mm: int, *, teaching: bool = False) -> Picture:
    width, height = mat.size
    return painted(mat_drawing(mat, teaching=teaching), mat.size, (round(width * per_mm), round(height * per_mm)))


def mat_geometry(mat: Mat, per_mm: int) -> dict[str, Any]:
    """What is where on a mat, for whoever has only its picture."""
    return {
        "name": mat.name,
        "size_mm": mat.size,
        "pixels_per_mm": per_mm,
        "card_mm": mat.card,
        "place_mm": mat.place,
        "cells": [{"cell": cell, "centre_mm": centre} for cell, centre in enumerate(mat.places, 1)],
        "piles": [{"centre_mm": centre} for centre in mat.piles],
        "markers": [
            {
                "number": marker.number,
                "dictionary": DICTIONARY,
                "centre_mm": marker.centre,
                "side_mm": marker.side,
                "corners_mm": marker.corners,
                "corner": marker.corner,
            }
            for marker in mat.markers
        ],
        "patches": [
            {"colour": patch.name, "centre_mm": patch.centre, "radius_mm": patch.radius, "rgb": patch.ink}
            for patch in mat.patches
        ],
    }


# --- the deck


@dataclass(frozen=True, slots=True)
class Layout:
    """How cards lie on a sheet, edge to edge."""

    sheet: Point
    card: Point
    columns: int
    rows: int

    @property
    def corner(self) -> Point:
        return _centred(self.sheet, (self.columns * self.card[0], self.rows * self.card[1]))

    def slot(self, number: int) -> Point:
        """The top left corner of a card, row by row."""
        (left, top), (width, height) = self.corner, self.card
        return left + number % self.columns * width, top + number // self.columns * height

    def behind(self, number: int) -> Point:
        """The same on the back of the sheet, when it was turned over like a page."""
        row, column = divmod(number, self.columns)
        return self.slot(row * self.columns + self.columns - 1 - column)


def layout(size: Point, paper: str) -> Layout:
    """As many cards as fit, with the paper upright if that is no worse."""
    found = []
    for sheet in _both_ways(paper):
        across, down = _room(sheet)
        found.append(Layout(sheet, size, int(across / size[0]), int(down / size[1])))
    return max(found, key=lambda one: one.columns * one.rows)


def deck_pages(deck: PrintedDeck, size: Point, paper: str, title: str) -> list[PrintedPage]:
    """The fronts, and the blanks."""
    lie = layout(size, paper)
    return [
        PrintedPage(
            lie.sheet,
            (
                *_cut_marks(lie, len(names)),
                *_fronts(lie, deck, names),
                *_footer(lie, deck, title, f"fronts, sheet {number} of {count}"),
            ),
        )
        for number, count, names in _sheets(lie, deck)
    ]


def back_pages(deck: PrintedDeck, size: Point, paper: str, title: str) -> list[PrintedPage]:
    """The backs, each behind its front."""
    lie = layout(size, paper)
    return [
        PrintedPage(
            lie.sheet, (*_backs(lie, deck, names), *_footer(lie, deck, title, f"backs, sheet {number} of {count}"))
        )
        for number, count, names in _sheets(lie, deck)
    ]


def duplex_pages(deck: PrintedDeck, size: Point, paper: str, title: str) -> list[PrintedPage]:
    """Front and back by turns."""
    fronts, backs = deck_pages(deck, size, paper, title), back_pages(deck, size, paper, title)
    return list(chain.from_iterable(zip(fronts, backs, strict=True)))


def _sheets(lie: Layout, deck: PrintedDeck) -> Iterator[tuple[int, int, Sequence[str]]]:
    names, each = deck.fronts, lie.columns * lie.rows
    starts = range(0, len(names), each)
    for number, start in enumerate(starts, 1):
        yield number, len(starts), names[start : start + each]


def _fronts(lie: Layout, deck: PrintedDeck, names: Sequence[str]) -> Iterator[DrawnMark | DrawnWords]:
    """Each in its outline, along which it is cut."""
    width, height = lie.card
    outline = DrawnMark((rectangle((0, 0, width, height), RADIUS),), None, CUT, 0.1)
    for number, name in enumerate(names):
        yield from moved((outline, *deck.lying(name, lie.card)), lie.slot(number))


def _backs(lie: Layout, deck: PrintedDeck, names: Sequence[str]) -> Iterator[DrawnMark | DrawnWords]:
    for number, name in enumerate(names):
        yield from moved(deck.back(name, lie.card), lie.behind(number))


def _cut_marks(lie: Layout, count: int) -> Drawing:
    """Outside so many cards, in line with their edges."""
    (left, top), (width, height), away, long = lie.corner, lie.card, 0.5, 2.0
    columns, rows = min(count, lie.columns), -(-count // lie.columns)
    right, bottom = left + columns * width, top + rows * height
    marks = []
    for x in (left + column * width for column in range(columns + 1)):
        marks += [line((x, top - away), (x, top - away - long)), line((x, bottom + away), (x, bottom + away + long))]
    for y in (top + row * height for row in range(rows + 1)):
        marks += [line((left - away, y), (left - away - long, y)), line((right + away, y), (right + away + long, y))]
    return (DrawnMark(tuple(marks), None, NOTE, 0.1),)


def _footer(lie: Layout, deck: PrintedDeck, title: str, which: str) -> Drawing:
    across, down = lie.card
    size = f"{across:g} by {down:g} mm"
    text = f"{title} {deck.what}, {size}: {which}. Print at 100 %, not fitted to the page. {deck.legend}".rstrip()
    return (DrawnWords((lie.sheet[0] / 2, lie.sheet[1] - MARGIN), text, 2.0, NOTE, "middle"),)
