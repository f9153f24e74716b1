"""One picture that explains a ruling: what lay there and what lies there now, the line, the attribute, the sentence.

Everything in it is said by the caller, in whatever language; nothing is known here of rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

import cv2

from vision.board import Board, card_picture, face_of, frame_cell, laid_board, mark_line, number_cells, veil
from vision.deck import CARDS
from vision.drawing import Ink
from vision.eye_errors import PictureError
from vision.frames import Picture
from vision.lettering import CAPITAL, FAINT, LEADING, NONE, PAPER, RULE, TEXT, Box, blank, fitted, has_room, paste, put
from vision.signs import INK_OF, KINDS, VALUES, Kind, arrow, badge, line_sign, stamp, symbol

SMALLEST = (320, 240)
LINES = ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7))
MOST = 6  # lines that are explained
SHARES = (0.46, 0.38, 0.32, 0.26, 0.2, 0.15)  # of the height for each of the two cards, if there are few words
EASY = 12.0  # pixels of a capital letter that is read with ease
NOTE: Ink = (84, 90, 98)
NO_LINE: Ink = (96, 100, 106)  # of a line that was there before


@dataclass(frozen=True, slots=True)
class Triple:
    """A line whose three cards have a value in common, and what they had in common before the play."""

    cells: tuple[int, int, int]
    value: str  # a colour, a shape or a count of the deck
    before: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if tuple(sorted(self.cells)) not in LINES:
            raise PictureError(f"{self.cells} is no line; name the three cells of a row, a column or a diagonal.")
        for value in (self.value, *self.before):
            if value not in VALUES:
                raise PictureError(f"{value[:40]!r} is no colour, shape or count of the deck: {', '.join(VALUES)}.")

    @property
    def is_new(self) -> bool:
        return self.value not in self.before


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """A ruling on one play as it is shown to people. `grid` is the nine cards as they lie since then."""

    kind: Kind
    cell: int
    card: str | None  # that lies there now; None: it could not be read
    covered: str | None  # that lay there before
    grid: tuple[str | None, ...]
    title: str
    lines: tuple[str, ...] = ()
    triples: tuple[Triple, ...] = ()
    before: Picture | None = None  # the cell as the camera saw it
    after: Picture | None = None
    squares: tuple[Picture | None, ...] = ()  # the nine cells as the camera saw them, or none
    when: str = ""
    margin: str = ""
    guess: str = ""  # who it was, for instance; shown as a guess
    plan: Picture | None = None  # the table as it lay, marked, where it is no grid of nine

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise PictureError(f"{str(self.kind)[:40]!r} is no kind of verdict; it is one of {', '.join(KINDS)}.")
        if self.plan is None:
            self._must_have_nine()
        for card in (self.card, self.covered, *self.grid):
            if card is not None and card not in CARDS:
                raise PictureError(f"There is no card {card[:40]!r}; cards are called like {CARDS[0]}.")
        for square in (self.before, self.after, self.plan, *self.squares):
            _must_be_square(square)

    def _must_have_nine(self) -> None:
        if self.cell not in range(1, 10):
            raise PictureError(f"There is no cell {self.cell}; the cells are 1 to 9, row by row.")
        if len(self.grid) != 9:
            raise PictureError(f"The grid has {len(self.grid)} cards instead of 9; name one for each cell, or None.")
        if len(self.squares) not in (0, 9):
            raise PictureError(f"There are {len(self.squares)} cut-outs; give one for each of the 9 cells, or none.")


def _must_be_square(square: Picture | None) -> None:
    if square is not None and (square.ndim != 3 or square.shape[2] != 3 or square.shape[0] != square.shape[1]):
        raise PictureError(f"A cut-out of a cell is as wide as it is high, in colour; this one is {square.shape}.")


def must_be_size(size: tuple[int, int]) -> None:
    if size[0] < SMALLEST[0] or size[1] < SMALLEST[1]:
        raise PictureError(
            f"{size[0]} × {size[1]} pixels are too few to be read; at least {SMALLEST[0]} × {SMALLEST[1]} are needed."
        )


def drawn_verdict(verdict: Verdict, size: tuple[int, int] = (1280, 720)) -> Picture:
    """The grid with its line at the left, or at the top of a picture on end; what changed and why beside it."""
    must_be_size(size)
    width, height = size
    canvas = blank(height, width, PAPER)
    gap = max(6, round(min(size) / 32))
    side = min(min(size) - 2 * gap, round(max(size) * (0.56 if width >= height else 0.5)) - gap)
    left, top = (gap, (height - side) // 2) if width >= height else ((width - side) // 2, gap)
    board = marked_board(verdict, side).picture if verdict.plan is None else card_picture(None, verdict.plan, side)
    paste(canvas, board, left, top)
    box = (left + side + gap, gap, width - gap, height - gap)
    if width < height:
        box = (gap, top + side + gap, width - gap, height - gap)
    _Page(canvas, verdict, min(1.6 * min(size), max(size)) / 1152).details(box)
    return canvas


def marked_board(verdict: Verdict, side: int) -> Board:
    """The grid as it stands, with the line, the covered cell, and what became of it."""
    board = laid_board(verdict.grid, verdict.squares, side)
    ink, lines = (
        INK_OF[verdict.kind],
        {tuple(sorted(triple.cells)): triple for triple in sorted(verdict.triples, key=attrgetter("is_new"))},
    )
    if lines:
        veil(board, sorted({verdict.cell, *(cell for cells in lines for cell in cells)}))
    for cells, triple in lines.items():
        mark_line(board, cells, ink if triple.is_new else NO_LINE, is_new=triple.is_new)
    frame_cell(board, verdict.cell, ink, is_broken=verdict.kind != "legal")
    number_cells(board)
    _, top, right, _ = board.box(verdict.cell)
    sign = round(0.32 * board.unit)
    stamp(board.picture, verdict.kind, sign, (right - 0.4 * sign, top + 0.4 * sign))
    return board


@dataclass(frozen=True, slots=True)
class _Change:
    """The side of the two cards, what is between them, and where what counts goes, from their top left corner."""

    side: int
    between: int
    at: tuple[int, int]
    room: tuple[int, int]

    @property
    def high(self) -> int:
        return max(self.side, self.at[1] + self.room[1])


@dataclass(frozen=True, slots=True, eq=False)
class _Page:
    """Where the details go."""

    canvas: Picture
    verdict: Verdict
    unit: float  # 1 for 1280 × 720

    def details(self, box: Box) -> None:
        left, top, right, bottom = box
        gap = self._long(14)
        bottom = self._foot(box) - gap
        y = self._head((left, top, right, bottom)) + gap
        room = (left, y, right, bottom)
        change = (
            next((c for c in self._changes(room) if self._has_words_room(room, c)), None) or self._changes(room)[-1]
        )
        y = self._change(room, change) + gap
        if bottom - y > self._long(20):
            put(self.canvas, self.verdict.lines, (left, y, right, bottom), (self._size(12), self._size(26)))

    def _long(self, length: float) -> int:
        return round(length * self.unit)

    def _size(self, capital: float) -> float:
        """Of letters whose capitals are so high; too small ones cannot be read on any screen."""
        return max(9.0, capital * self.unit) / CAPITAL

    def _head(self, box: Box) -> int:
        left, top, right, _ = box
        sign = self._long(84)
        paste(self.canvas, badge(self.verdict.kind, sign), left, top)
        at, sizes = left + sign + self._long(16), (self._size(17), self._size(31))
        room = (right - at, max(sign, self._long(110), 64))
        size, lines = fitted([self.verdict.title], room, sizes[1], sizes[0])
        high = round(len(lines) * CAPITAL * size * LEADING)
        begin = top + max(0, (sign - high) // 2)
        put(self.canvas, [self.verdict.title], (at, begin, right, begin + room[1]), sizes)
        return max(top + sign, begin + high)

    def _foot(self, box: Box) -> int:
        """From below: when, how sure, and what is a guess; where it begins."""
        left, top, right, bottom = box
        note = " | ".join(filter(None, (self.verdict.when, self.verdict.margin)))
        if note:
            high = self._high([note], right - left, (26, 48), 12)
            put(self.canvas, [note], (left, bottom - high, right, bottom), (self._size(10), self._size(15)), NOTE)
            bottom -= high
        if self.verdict.guess:
            bottom = self._guess((left, top, right, bottom - self._long(6))) - self._long(4)
        return bottom

    def _high(self, texts: Sequence[str], width: int, heights: Sequence[int], capital: float) -> int:
        """The first height that is enough for letters of a size, or the last."""
        enough = (high for high in heights if has_room(texts, (width, self._long(high)), self._size(capital)))
        return self._long(next(enough, heights[-1]))

    def _guess(self, box: Box) -> int:
        """In a broken frame with a question mark."""
        left, _, right, bottom = box
        pad, sign = self._long(10), self._long(34)
        high = pad + self._high([self.verdict.guess], right - left - 3 * pad - sign, (44, 66, 88), 14)
        top = bottom - high
        _dashes(self.canvas, (left, top, right - 1, bottom - 1), NONE, max(1, self._long(2)))
        paste(self.canvas, badge("unsure", sign), left + pad, top + (high - sign) // 2)
        inside = (left + 2 * pad + sign, top + pad // 2, right - pad, bottom - pad // 2)
        size, lines = fitted([self.verdict.guess], (inside[2] - inside[0], high - pad), self._size(18), self._size(9))
        lower = round((high - pad - len(lines) * CAPITAL * size * LEADING) / 2)
        put(self.canvas, lines, (inside[0], inside[1] + lower, inside[2], inside[3]), (size, size))
        return top

    def _changes(self, box: Box) -> list[_Change]:
        """How before and after, and what counts, can be laid out: the largest first."""
        width, height = box[2] - box[0], box[3] - box[1]
        return [self._change_of(width, min(round(0.44 * width), round(share * height))) for share in SHARES]

    def _change_of(self, width: int, side: int) -> _Change:
        """What counts is beside the cards where there is room, or else below."""
        side = min(side, self._long(236))
        between = min(self._long(60), width - 2 * side)
        beside = 2 * side + between + self._long(24)
        count = len(self.verdict.triples[:MOST])
        if not count:
            return _Change(side, between, (0, 0), (0, 0))
        if width - beside >= self._long(200) and side // self._rows(count, width - beside)[0] >= self._long(36):
            return _Change(side, between, (beside, 0), (width - beside, side))
        below = side + self._long(14)
        rows = self._rows(count, width)[0]
        return _Change(side, between, (0, below), (width, rows * max(self._long(40), min(side // 3, self._long(84)))))

    def _rows(self, count: int, width: int) -> tuple[int, int]:
        """And columns, for what counts."""
        columns = 2 if count > 2 and width >= self._long(400) else 1
        return -(-count // columns), columns

    def _has_words_room(self, box: Box, change: _Change) -> bool:
        """At a size that can be read with ease."""
        room = (box[2] - box[0], box[3] - box[1] - change.high - self._long(14))
        return has_room(self.verdict.lines, room, max(self._size(13.5), EASY / CAPITAL))

    def _change(self, box: Box, change: _Change) -> int:
        left, top = box[:2]
        self._cards(left, top, change.side, change.between)
        if self.verdict.triples:
            (x, y), (wide, high) = change.at, change.room
            self._triples((left + x, top + y, left + x + wide, top + y + high))
        return top + change.high

    def _cards(self, left: int, top: int, side: int, between: int) -> None:
        verdict = self.verdict
        for x, card, square in (
            (left, verdict.covered, verdict.before),
            (left + side + between, verdict.card, verdict.after),
        ):
            paste(self.canvas, card_picture(card, square, side), x, top)
            if square is not None and card is not None:
                self._read(card, x, top, side)
        cv2.rectangle(
            self.canvas,
            (left + side + between, top),
            (left + 2 * side + between - 1, top + side - 1),
            INK_OF[verdict.kind][::-1],
            max(2, self._long(6)),
        )
        sign = round(min(between * 0.86, self._long(56)))
        paste(self.canvas, arrow(sign), left + side + (between - sign) // 2, top + (side - sign) // 2)

    def _read(self, card: str, left: int, top: int, side: int) -> None:
        """What was read, small and as it is printed, in a corner of what was seen."""
        small = round(0.3 * side)
        face = face_of(card, small).copy()
        cv2.rectangle(face, (0, 0), (small - 1, small - 1), TEXT[::-1], max(1, self._long(2)))
        paste(self.canvas, face, left + side - small - self._long(5), top + side - small - self._long(5))

    def _triples(self, box: Box) -> None:
        """A row for each line: where it is, what it had in common, what it has now; in two columns if they are many."""
        left, top, right, bottom = box
        shown = sorted(self.verdict.triples, key=attrgetter("is_new"), reverse=True)[:MOST]
        rows, columns = self._rows(len(shown), right - left)
        high = min((bottom - top) // rows, self._long(84))
        wide = (right - left) // columns
        for number, triple in enumerate(shown):
            x, y = left + number % columns * wide, top + number // columns * high
            self._triple(triple, (x, y, x + wide - self._long(10), y + high - self._long(8)))

    def _triple(self, triple: Triple, box: Box) -> None:
        left, top, right, bottom = box
        side = min(bottom - top, (right - left) // 4)
        ink = INK_OF[self.verdict.kind] if triple.is_new else NO_LINE
        was = _together(triple.before, side)
        signs = [line_sign(triple.cells, self.verdict.cell, side, ink), was, _arrow(side), _now(triple, side, ink)]
        gap = max(2, min(self._long(14), (right - left - 4 * side) // 3))
        for number, sign in enumerate(signs):
            paste(self.canvas, sign, left + number * (side + gap), top)


def _together(values: Sequence[str], side: int) -> Picture:
    """Values in one square, or a dash for none."""
    tile = blank(side, side, PAPER)
    if not values:
        half, long = side // 2, round(0.2 * side)
        cv2.line(tile, (half - long, half), (half + long, half), FAINT[::-1], max(2, side // 14))
    elif len(values) == 1:
        paste(tile, symbol(values[0], side), 0, 0)
    else:
        half = side // 2
        for number, value in enumerate(values[:3]):
            paste(tile, symbol(value, half), number % 2 * half, (number // 2 * half) if len(values) > 2 else half // 2)
    return tile


def _arrow(side: int) -> Picture:
    tile, small = blank(side, side, PAPER), round(0.6 * side)
    paste(tile, arrow(small), (side - small) // 2, (side - small) // 2)
    return tile


def _now(triple: Triple, side: int, ink: Ink) -> Picture:
    """What counts, in a frame of the verdict's colour."""
    tile = symbol(triple.value, side).copy()
    if triple.is_new:
        cv2.rectangle(tile, (0, 0), (side - 1, side - 1), ink[::-1], max(2, side // 18))
    return tile


def _dashes(canvas: Picture, box: Box, ink: Ink, thick: int) -> None:
    left, top, right, bottom = box
    step = max(4, thick * 5)
    for x in range(left, right, 2 * step):
        for y in (top, bottom):
            cv2.line(canvas, (x, y), (min(x + step, right), y), ink[::-1], thick)
    for y in range(top, bottom, 2 * step):
        for x in (left, right):
            cv2.line(canvas, (x, y), (x, min(y + step, bottom)), ink[::-1], thick)


# --- Several at once


def dispute_page(verdicts: Sequence[Verdict], size: tuple[int, int] = (1280, 720)) -> Picture:
    """The last plays, newest first: before, after, the verdict, and what is said of it; as many as can be read."""
    must_be_size(size)
    width, height = size
    canvas = blank(height, width, PAPER)
    unit = min(1.6 * min(size), max(size)) / 1152
    gap = max(4, round(12 * unit))
    room = height - 2 * gap
    rows = max(1, min(len(verdicts), room // round(132 * unit)))
    high = min(room // rows, round(230 * unit))
    for number, verdict in enumerate(verdicts[:rows]):
        top = gap + number * high
        _row(canvas, verdict, (gap, top, width - gap, top + high - gap), unit)
        if number:
            cv2.line(canvas, (gap, top - gap // 2), (width - gap, top - gap // 2), RULE[::-1], max(1, round(2 * unit)))
    return canvas


def _row(canvas: Picture, verdict: Verdict, box: Box, unit: float) -> None:
    left, top, right, bottom = box
    side, gap = min(bottom - top, (right - left) // 6), max(4, round(14 * unit))
    sign = round(side * 0.4)
    small = card_picture(verdict.covered, verdict.before, side), card_picture(verdict.card, verdict.after, side)
    paste(canvas, small[0], left, top)
    paste(canvas, arrow(sign), left + side + gap // 2, top + (side - sign) // 2)
    paste(canvas, small[1], left + side + sign + gap, top)
    x = left + 2 * side + sign + 2 * gap
    seal = round(side * 0.7)
    paste(canvas, badge(verdict.kind, seal), x, top + (side - seal) // 2)
    _say(canvas, verdict, (x + seal + gap, top, right, bottom), unit)


def _say(canvas: Picture, verdict: Verdict, box: Box, unit: float) -> None:
    """The title, the first sentences as far as there is room, and when."""
    left, top, right, bottom = box
    least, most = (max(9.0, capital * unit) / CAPITAL for capital in (11, 24))
    below = put(canvas, [verdict.title], (left, top, right, top + (bottom - top) // 2), (least, most))
    note = " | ".join(filter(None, (verdict.when, verdict.margin)))
    if note:
        line = bottom - round(LEADING * CAPITAL * least * 1.2)
        put(canvas, [note], (left, line, right, bottom), (least, 1.15 * least), NOTE)
        bottom = line
    put(canvas, [" ".join(verdict.lines[:2])], (left, below, right, bottom), (least, 0.75 * most))
