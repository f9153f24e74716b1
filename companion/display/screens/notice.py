"""What has to be said once, in a place of its own: nothing that can be touched lies under it, and no clock that
runs out."""

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate, pairwise

from companion.display.layout import Box, Measure, Size, columns, measure
from companion.display.scene import Button, Dismiss, Item, PanelItem, Symbol, Text, Ticking
from companion.display.view import View

LETTER = 0.51  # how wide a letter is in the mean, in sizes; screens have no fonts to measure it with
LINE = 1.2  # from line to line, in sizes
MOST_LINES = 12
SIGNS = {"foul": "no", "error": "wrong"}
AIR = 2  # pixels around it
BROKEN = 4  # letters that a line loses in the mean, for it breaks where words end
LONG = 14  # letters of a word that has to find room


def notice(view: View, items: Iterable[Item], over: Iterable[Item] = ()) -> Iterator[Item]:
    """In the head of the page; where that is too small for so many words, where there is most room."""
    said, m = view.notice, view.m
    if said is None:
        return
    taken = (*(item.box for item in items if _is_kept_free(item)), *(item.box for item in over))
    box = _place(view.size, taken, said.sentence)
    turn = view.half_turn(said.player)
    fill, edge, ink = ("raised", "notice", "text") if said.is_fading else ("notice", "", "on-notice")
    yield PanelItem(box, fill, edge, radius=m.of(2.4), intent=Dismiss())
    inside = box.inset(m.gap, max(2, m.gap // 2))
    parts = columns(Box(0, 0, *inside.size), _sign(m), 1.0, gap=m.gap)
    sign, words = (part.turned(*inside.size) if turn else part for part in parts)
    icon = _moved(sign, inside).middle(_sign(m), _sign(m))
    yield Symbol(icon, SIGNS.get(said.kind, "hand"), ink, turn=turn)
    yield Text(_moved(words, inside), said.sentence, m.of(5), ink, "left", MOST_LINES, m.least, turn=turn)


def _is_kept_free(item: Item) -> bool:
    runs_out = isinstance(item, Ticking) and item.clock.limit is not None and item.clock.is_running
    return item.intent is not None or isinstance(item, Button) or runs_out


def _moved(part: Box, within: Box) -> Box:
    return part._replace(x=part.x + within.x, y=part.y + within.y)


def _sign(m: Measure) -> int:
    return m.of(6.5)


# --- where -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _place(size: Size, taken: tuple[Box, ...], sentence: str) -> Box:
    m = measure(size)
    head = _head(size, taken, sentence)
    if _holds(head, sentence, m):
        return head
    rooms = [room._replace(h=min(room.h, _depth(room.w, sentence, m))) for room in _rooms(size, taken)]
    fitting = [room for room in rooms if _holds(room, sentence, m)]
    return min(fitting, key=lambda box: box.y, default=max((head, *rooms), key=lambda box: _letters(box, m.small, m)))


def _head(size: Size, taken: tuple[Box, ...], sentence: str) -> Box:
    """Between what stands in the head of the page, over the margins too, and as far down as the words need and nothing
    is in the way."""
    m, (w, h) = measure(size), size
    band = Box(0, 0, w, m.edge + m.touch + m.gap)
    beside = sorted((box for box in taken if box.meets(band)), key=lambda box: box.x)
    ends = accumulate((box.right for box in beside), max, initial=0)
    starts = [*(box.x for box in beside), w]
    left, right = max(zip(ends, starts, strict=True), key=lambda gap: gap[1] - gap[0])
    column = Box(left, 0, max(0, right - left), h).inset(m.gap, 0)
    below = min((box.y for box in taken if box.y >= band.bottom and box.meets(column)), default=h)
    shallow = column._replace(y=AIR, h=band.h - 2 * AIR)
    if _holds(shallow, sentence, m):
        return shallow
    return shallow._replace(h=max(shallow.h, min(below - 2 * AIR, _depth(column.w, sentence, m), h // 3)))


def _depth(wide: int, sentence: str, m: Measure) -> int:
    """How deep a box must be for these words in a good size."""
    lines = math.ceil(len(sentence) / max(1, _in_line(wide, m.small, m)))
    return round(max(1, lines) * LINE * m.small) + 2 * m.gap


def _holds(box: Box, sentence: str, m: Measure) -> bool:
    """In letters that are larger than the least."""
    return len(sentence) <= _letters(box, m.of(3.7), m)


def _letters(box: Box, size: int, m: Measure) -> int:
    return _in_line(box.w, size, m) * int((box.h - m.gap) / (LINE * size))


def _in_line(wide: int, size: int, m: Measure) -> int:
    """Letters, where long words have room."""
    letters = int((wide - _sign(m) - 3 * m.gap) / (LETTER * size))
    return letters - BROKEN if letters >= LONG else 0


def _rooms(size: Size, taken: tuple[Box, ...]) -> Iterator[Box]:
    """The largest rooms in which nothing is in the way."""
    w, h = size
    xs = sorted({0, w, *(x for box in taken for x in (box.x, box.right) if 0 < x < w)})
    ys = sorted({0, h, *(y for box in taken for y in (box.y, box.bottom) if 0 < y < h)})
    free = [0] * (len(xs) - 1)  # from where on downwards nothing is in the way
    for top, bottom in pairwise(ys):
        row = Box(0, top, w, bottom - top)
        beside = [box for box in taken if box.meets(row)]
        for at, (left, right) in enumerate(pairwise(xs)):
            if any(box.x < right and left < box.right for box in beside):
                free[at] = bottom
        for first, end, high in _widest([bottom - since for since in free]):
            room = Box(xs[first], bottom - high, xs[end] - xs[first], high)
            yield room._replace(h=min(room.h, h // 3)).inset(AIR)


def _widest(free: list[int]) -> Iterator[tuple[int, int, int]]:
    """Each height with how far it goes to both sides."""
    begun: list[tuple[int, int]] = []  # where and how high, ever higher
    for at, high in enumerate([*free, 0]):
        left = at
        while begun and begun[-1][1] > high:
            left, height = begun.pop()
            yield left, at, height
        if high and (not begun or begun[-1][1] < high):
            begun.append((left, high))
