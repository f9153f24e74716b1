"""A score sheet as a page of PDF, to be read from some steps away: names and points as large as there is room."""

from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise

from reportlab.pdfgen.canvas import Canvas

from companion.display import art
from companion.display.layout import Box, columns, packed, rows
from companion.display.theme import Theme, shape_of, theme
from companion.reports.curve import laid_out
from companion.scoresheet import letters
from companion.scoresheet.facts import Row, Sheet, SheetLine
from companion.scoresheet.letters import Ink

PAPER = (2100, 2970)  # A4 in tenths of a millimetre, in which everything here is measured
TENTH = 72 / 254  # in points
EDGE = 140
GAP = 30
CAPITAL, BELOW = 0.7, 0.25  # how high a capital is, and how deep a letter goes, by its size
STEP = 1.15  # from line to line
LEAST = 20  # letters are not made smaller
BLACK, GREY, PALE, GOLD = (0, 0, 0), (96, 96, 96), (224, 224, 224), (196, 140, 0)
LOWEST_ROW, HIGHEST_ROW = 36, 90
CURVE = (380, 1000)  # how high the curve is, at least and at most


def pdf(sheet: Sheet) -> bytes:
    """The same sheet gives the same bytes."""
    content = BytesIO()
    width, height = PAPER
    canvas = Canvas(content, pagesize=(width * TENTH, height * TENTH), pageCompression=1, invariant=1)
    canvas.setTitle(f"{sheet.title} · {sheet.headline}")
    canvas.setSubject(", ".join(f"{line.player.name} {line.score}" for line in sheet.lines))
    canvas.setCreator("table companion")
    _Page(canvas, sheet).paint()
    canvas.showPage()
    canvas.save()
    return content.getvalue()


class _Page:
    def __init__(self, canvas: Canvas, sheet: Sheet) -> None:
        self._canvas, self._sheet = canvas, sheet
        self._theme: Theme = theme("bright")

    def paint(self) -> None:
        sheet = self._sheet
        across = 1 if len(sheet.lines) <= 4 else 2
        high = (105 if len(sheet.rows) > 12 else 150 if sheet.rows else 230) if across == 1 else 105
        lines = -(-len(sheet.lines) // across)
        page = Box(0, 0, *PAPER).inset(EDGE)
        head, title, standing, rest, foot = rows(
            page, 90, 380 if sheet.reasons else 230, lines * (high + 12), 1.0, 40, gap=GAP
        )
        self._text(head, sheet.title, 80, bold=True)
        self._text(head, sheet.when, 60, GREY, align="right")
        self._headline(title)
        for line, cell in zip(sheet.lines, packed(standing, len(sheet.lines), across, high, 12), strict=True):
            self._standing(cell, line)
        self._middle(rest)
        self._text(foot, " · ".join(sheet.foot), 36, GREY)

    def _headline(self, box: Box) -> None:
        sheet = self._sheet
        self._line((box.x, box.y), (box.right, box.y), 8)
        title, *reasons = rows(box.inset(0, 20), 1.9, 1.0, gap=10) if sheet.reasons else (box.inset(0, 20),)
        if any(line.is_winner for line in sheet.lines):
            cup, title = columns(title, title.h, 1.0, gap=GAP)
            self._drawing("cup", cup.shaped(1, 1), GOLD)
        self._text(title, sheet.headline, 150, bold=True, lines=2)
        for one in reasons:
            self._text(one, " ".join(sheet.reasons), 50, GREY, lines=3)

    def _standing(self, cell: Box, line: SheetLine) -> None:
        canvas = self._canvas
        canvas.setLineWidth((8 if line.is_winner else 2) * TENTH)
        self._ink(BLACK if line.is_winner else GREY)
        x, y = self._at(cell.x, cell.bottom)
        canvas.roundRect(x, y, cell.w * TENTH, cell.h * TENTH, 14 * TENTH, stroke=1, fill=0)
        inside = cell.inset(20, 12)
        shape, name, score = columns(inside, inside.h, 1.0, min(300, inside.w // 4), gap=GAP)
        self._shape(shape.shaped(1, 1), line.player.colour)
        self._text(name, line.player.name, 100, bold=line.is_winner, lines=2)
        if len(self._sheet.lines) > 1 or line.score:
            self._text(score, _number(line.score), 130, bold=True, align="right")

    # --- rounds, and the curve

    def _middle(self, box: Box) -> None:
        sheet = self._sheet
        head = 100 if sheet.rows else 0
        curve = CURVE[0] if sheet.curve.is_worth_it else 0
        count = len(sheet.rows)
        high = min(HIGHEST_ROW, (box.h - head - curve - GAP) // count) if count else 0
        if count and high < LOWEST_ROW and curve:
            curve, high = 0, min(HIGHEST_ROW, (box.h - head) // count)
        table, rest = rows(box, head + high * count, 1.0, gap=GAP)
        if count:
            self._table(table, head, high)
        if curve:
            self._curve(rows(rest, min(CURVE[1], rest.h), 1.0)[0])

    def _table(self, box: Box, head: int, high: int) -> None:
        sheet = self._sheet
        top, *lines = rows(box, head, *(high,) * len(sheet.rows))
        label, *cells = self._cells(top)
        self._text(label, sheet.label, 36, GREY)
        for player, cell in zip(sheet.players, cells, strict=True):
            shape, name = columns(cell.inset(8, 8), min(60, cell.w // 3), 1.0, gap=10)
            self._shape(shape.shaped(1, 1), player.colour)
            self._text(name, player.name, 40, lines=3)
        for row, line in zip(sheet.rows, lines, strict=True):
            self._row(line, row)
        self._line((box.x, top.bottom), (box.right, top.bottom), 4)

    def _cells(self, line: Box) -> list[Box]:
        return columns(line, 170, *(1.0,) * len(self._sheet.players))

    def _row(self, line: Box, row: Row) -> None:
        self._line((line.x, line.bottom), (line.right, line.bottom), 1, PALE)
        size = line.h * 8 // 10
        label, *cells = self._cells(line)
        self._text(label, row.label, size * 4 // 5, GREY)
        for added, score, cell in zip(row.added, row.scores, cells, strict=True):
            total, more, _ = columns(cell.inset(8, 0), min(120, cell.w // 2), min(120, cell.w // 2), 1.0, gap=8)
            self._text(total, _number(score), size, bold=bool(added), align="right")
            if added:
                self._text(more, ("+" if added > 0 else "") + _number(added), size * 4 // 5, GREY)

    def _curve(self, box: Box) -> None:
        sheet, size = self._sheet, 40
        plan = laid_out(sheet.curve, box.size, size, (sheet.counted, sheet.along))
        left, right, bottom = box.x + plan.left, box.x + plan.right, box.y + plan.bottom
        for tick in plan.up:
            y = box.y + tick.place
            self._line((left, y), (right, y), 1, PALE)
            self._text(Box(box.x, round(y) - size, round(plan.left) - 10, 2 * size), tick.text, size, align="right")
        for tick in plan.along:
            self._text(_around(box.x + tick.place, bottom + size, size), tick.text, size, align="centre")
        for tick in plan.rounds:
            x = box.x + tick.place
            self._line((x, box.y + plan.top), (x, bottom), 1, GREY, dashed=True)
            self._text(_around(x, box.y + plan.top - size * 0.6, size), tick.text, size, align="centre")
        self._line((left, box.y + plan.top), (left, bottom), 3)
        self._line((left, bottom), (right, bottom), 3)
        self._text(Box(box.x, box.y, 600, round(1.2 * size)), sheet.counted, size, GREY)
        self._text(Box(box.right - 600, round(bottom), 600, 2 * size), sheet.along, size, GREY, align="right")
        for stroke in plan.strokes:
            ink = self._theme[f"edge-{sheet.curve.colours[stroke.seat]}"]
            for one, other in pairwise(stroke.points):
                self._line((box.x + one[0], box.y + one[1]), (box.x + other[0], box.y + other[1]), 10, ink)
        for mark in plan.marks:
            place = _around(box.x + mark.x, box.y + mark.y, mark.side / 2)
            self._shape(place, sheet.curve.colours[mark.seat])

    # --- what it is made of

    def _at(self, x: float, y: float) -> tuple[float, float]:
        """Here y runs down, in a PDF up."""
        return x * TENTH, (PAPER[1] - y) * TENTH

    def _ink(self, ink: Ink) -> None:
        parts = tuple(part / 255 for part in ink)
        self._canvas.setStrokeColorRGB(*parts)
        self._canvas.setFillColorRGB(*parts)

    def _line(
        self,
        one: tuple[float, float],
        other: tuple[float, float],
        wide: float,
        ink: Ink = BLACK,
        *,
        dashed: bool = False,
    ) -> None:
        self._ink(ink)
        self._canvas.setLineWidth(wide * TENTH)
        self._canvas.setDash(*((3, 3) if dashed else ()))
        self._canvas.line(*self._at(*one), *self._at(*other))
        self._canvas.setDash()

    def _shape(self, box: Box, colour: str) -> None:
        """A player's shape, with an edge that stands out from the paper."""
        self._drawing(shape_of(colour), box, BLACK)
        self._drawing(shape_of(colour), box.inset(max(3, box.w // 14)), self._theme[colour])

    def _drawing(self, name: str, box: Box, ink: Ink) -> None:
        for form in art.drawing(name):
            points = [self._at(box.x + x * box.w / 100, box.y + y * box.h / 100) for x, y in form.points]
            path = self._canvas.beginPath()
            path.moveTo(*points[0])
            for point in points[1:]:
                path.lineTo(*point)
            if form.closed:
                path.close()
            self._ink(ink)
            self._canvas.setLineWidth(form.width * box.w / 100 * TENTH)
            self._canvas.drawPath(path, stroke=int(form.width > 0), fill=int(not form.width))

    def _text(
        self,
        box: Box,
        text: str,
        size: int,
        ink: Ink = BLACK,
        *,
        bold: bool = False,
        align: str = "left",
        lines: int = 1,
    ) -> None:
        """As large as fits, in the middle of its box from top to bottom."""
        said, size = _fitted(text, box, size, lines, bold=bold)
        step = size * STEP
        y = box.y + (box.h - step * (len(said) - 1) + CAPITAL * size) / 2
        for line in said:
            spare = box.w - letters.width(line, size, bold=bold)
            x = box.x + {"right": spare, "centre": spare / 2}.get(align, 0)
            letters.write(self._canvas, self._at(x, y), line, size * TENTH, ink, bold=bold)
            y += step


def _number(value: int) -> str:
    return str(value).replace("-", "−")


def _around(x: float, y: float, half: float) -> Box:
    return Box(round(x - half), round(y - half), round(2 * half), round(2 * half))


def _fitted(text: str, box: Box, size: int, lines: int, *, bold: bool) -> tuple[list[str], int]:
    """The text in lines, and how large it can be written; cut short where it is too long at any size."""
    size = max(LEAST, min(size, round(box.h / 1.1)))
    while True:
        room = max(1, min(lines, int((box.h / size - CAPITAL - BELOW) / STEP) + 1))
        said = _wrapped(text.split(" "), box.w, size, bold=bold)
        if len(said) <= room and all(letters.width(line, size, bold=bold) <= box.w for line in said):
            return said, size
        if size <= LEAST:
            return [_cut(line, box.w, size, bold=bold) for line in _joined(said, room)], size
        size = max(LEAST, size * 19 // 20)


def _wrapped(words: Sequence[str], wide: float, size: int, *, bold: bool) -> list[str]:
    done = [""]
    for word in words:
        line = f"{done[-1]} {word}".strip()
        if done[-1] and letters.width(line, size, bold=bold) > wide:
            done.append(word)
        else:
            done[-1] = line
    return done


def _joined(said: list[str], room: int) -> list[str]:
    return [*said[: room - 1], " ".join(said[room - 1 :])]


def _cut(line: str, wide: float, size: int, *, bold: bool) -> str:
    if letters.width(line, size, bold=bold) <= wide:
        return line
    while line and letters.width(f"{line}…", size, bold=bold) > wide:
        line = line[:-1]
    return f"{line}…"
