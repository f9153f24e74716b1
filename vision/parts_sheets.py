"""Sheets of what is cut and drilled: the boards of the box, and where the holes for buttons are."""

from collections.abc import Iterator, Mapping

from vision.box_plan import LOOSE, BoxWish, CutBoard, box_boards, laid_out
from vision.drawing import Drawing, DrawnMark, DrawnWords, Ink, PrintedPage, disc, line, moved, polygon, rectangle
from vision.mat import Point

CUT: Ink = (200, 20, 20)
NOTE: Ink = (96, 104, 112)
HAIR = 0.1
APART = 60.0  # from the middle of a seat's strike button to that of its other button, at least ...
BETWEEN = 25.0  # ... and so much from hole to hole
CROSS = 8.0  # how far the cross over a hole reaches beyond it
PLATE = 30.0  # around the holes
RULE = 100.0
MARGIN = 15.0


def box_page(wish: BoxWish) -> PrintedPage:
    """All boards of the box beside each other, as they are cut."""
    boards = laid_out(box_boards(wish))
    size = (
        max(at[0] + board.size[0] for board, at in boards) + LOOSE,
        max(at[1] + board.size[1] for board, at in boards) + LOOSE,
    )
    drawing: list[DrawnMark | DrawnWords] = []
    for board, at in boards:
        drawing += moved(tuple(_board(board)), at)
    return PrintedPage(size, tuple(drawing))


def _board(board: CutBoard) -> Iterator[DrawnMark | DrawnWords]:
    paths = [polygon(board.outline), *map(polygon, board.openings)]
    paths += [disc(middle, diameter / 2) for middle, diameter in board.holes]
    yield from (DrawnMark((path,), None, CUT, HAIR) for path in paths)
    yield DrawnWords((board.size[0] / 2, board.size[1] - 10), board.name, 3.0, NOTE, "middle")


def drilling_pages(hole: float, sheet: Point) -> list[PrintedPage]:
    """Templates to lay on a board: the one button of the token, and a seat's two where they find room on the paper."""
    y = MARGIN + PLATE + hole / 2
    apart = max(APART, hole + BETWEEN)
    seat = {"strike": (sheet[0] / 2 - apart / 2, y), "other": (sheet[0] / 2 + apart / 2, y)}
    has_room = apart + hole + 2 * PLATE <= sheet[0] - 2 * MARGIN
    return [_drilling(holes, hole, sheet) for holes in ({"token": (sheet[0] / 2, y)}, *([seat] if has_room else []))]


def _drilling(holes: Mapping[str, Point], hole: float, sheet: Point) -> PrintedPage:
    around, middles = hole / 2 + PLATE, tuple(holes.values())
    edge = (middles[0][0] - around, MARGIN, middles[-1][0] + around, middles[0][1] + around)
    drawing: Drawing = (DrawnMark((rectangle(edge, 6.0),), None, NOTE, 0.2),)
    for name, at in holes.items():
        drawing += tuple(_hole(name, at, hole))
    return PrintedPage(sheet, (*drawing, *_notes(MARGIN, edge[3] + 14, hole)))


def _hole(name: str, at: Point, diameter: float) -> Iterator[DrawnMark | DrawnWords]:
    (x, y), reach = at, diameter / 2 + CROSS
    yield DrawnMark((disc(at, diameter / 2),), None, CUT, HAIR)
    for one, other in (((x - reach, y), (x + reach, y)), ((x, y - reach), (x, y + reach))):
        yield DrawnMark((line(one, other),), None, NOTE, HAIR)
    yield DrawnWords((x, y + reach + 5), f"{name}, hole {diameter:g} mm", 2.6, NOTE, "middle")


def _notes(left: float, y: float, hole: float) -> Iterator[DrawnMark | DrawnWords]:
    yield DrawnMark((line((left, y), (left + RULE, y)),), None, NOTE, 0.3)
    for x in (left, left + RULE):
        yield DrawnMark((line((x, y - 2), (x, y + 2)),), None, NOTE, 0.3)
    told = (
        "This line is 100 mm long: if yours is not, print again at 100 %.",
        "Prick the crosses through, drill 3 mm, then use a hole saw or a Forstner bit.",
        f"Measure the thread of your own button first: the hole is drawn for {hole:g} mm.",
    )
    for number, words in enumerate(told):
        yield DrawnWords((left, y + 8 + 6 * number), words, 2.6, NOTE)
