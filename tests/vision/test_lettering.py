"""Words on pictures: as wide as they are said to be, with their accents, inside their box."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from vision import lettering
from vision.frames import Picture
from vision.lettering import PAPER, TEXT, Align, Pen, blank, bold, fine, fitted, paste, put, wide, wrapped, write

LONG = "Für Äpfel, ñandú ¿Qué? ¡Alto! Ação fâché îles façade: Triple³, 3 × 3 “ok” … "
SIZES = (0.45, 0.8, 1.6)


def inked(canvas: Picture) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of what is not paper."""
    rows, columns = np.where((canvas != PAPER[::-1]).any(2))
    return int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())


@pytest.fixture(params=["with a font", "with strokes"])
def letters(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With OpenCV 4 there are strokes only; OpenCV 5 can do without its font's accents too."""
    lettering._pieces.cache_clear()
    if request.param == "with a font" and not lettering._HAS_LETTERS:
        pytest.skip("this OpenCV has no font")
    monkeypatch.setattr(lettering, "_HAS_LETTERS", request.param == "with a font")
    return str(request.param)


@pytest.mark.parametrize("pen", [fine, bold])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.usefixtures("letters")
def test_a_line_is_as_wide_as_it_is_said_to_be(size: float, pen: Callable[[float], Pen]) -> None:
    canvas = blank(120, 3000, PAPER)
    write(canvas, LONG.strip(), (20, 60), size, TEXT, "left", pen(size))
    left, _, right, _ = inked(canvas)
    assert 16 <= left <= 26
    assert abs(right - 20 - wide(LONG.strip(), size, pen(size))) <= 4 + 8 * size


@pytest.mark.parametrize(("align", "share"), [("left", 0.0), ("middle", 0.5), ("right", 1.0)])
def test_words_stand_where_they_should(align: Align, share: float) -> None:
    canvas = blank(100, 600, PAPER)
    write(canvas, "HH", (300, 50), 1.0, TEXT, align, bold(1.0))
    left, top, right, bottom = inked(canvas)
    assert abs(left + share * (right - left) - 300) <= 6
    assert abs((top + bottom) / 2 - 50) <= 2


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("pair", ["uü", "UÜ", "nñ", "eé", "eè", "eê", "cç", "aå", "iï", "3³", "?¿", "!¡", "oõ", "zž"])
def test_an_accent_is_seen(pair: str) -> None:
    pictures = [blank(80, 80, PAPER) for _ in pair]
    for picture, letter in zip(pictures, pair, strict=True):
        write(picture, letter, (40, 40), 1.2, TEXT, "middle", bold(1.2))
    assert (pictures[0] != pictures[1]).any(2).sum() > 12


@pytest.mark.usefixtures("letters")
def test_letters_that_nobody_can_draw_are_asked_for() -> None:
    assert "".join(piece.text for piece in lettering._pieces("中\n")) == "? "


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.usefixtures("letters")
def test_words_are_wrapped_to_their_width(size: float) -> None:
    text = f"{LONG} {'x' * 200}"
    lines = wrapped(text, size, 200, bold(size))
    assert max(wide(line, size, bold(size)) for line in lines) <= 200
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert wrapped("", size, 200) == []
    assert wrapped("red plus\u00a02", size, wide("red plus", size)) == ["red", "plus\u00a02"]
    assert wrapped("wwww", size, 3) == list("wwww")  # a letter a line where there is no room for more


@pytest.mark.parametrize("times", [1, 3, 8, 40])
@pytest.mark.parametrize("room", [(200, 60), (500, 120), (120, 400)])
@pytest.mark.usefixtures("letters")
def test_what_is_put_into_a_box_stays_inside(room: tuple[int, int], times: int) -> None:
    canvas = blank(room[1] + 80, room[0] + 80, PAPER)
    below = put(canvas, [LONG * times], (40, 40, 40 + room[0], 40 + room[1]), (0.5, 1.2))
    left, top, right, bottom = inked(canvas)
    assert left >= 36
    assert top >= 38
    assert right <= 44 + room[0]
    assert bottom <= 42 + room[1]
    assert below <= 42 + room[1]


def test_the_more_there_is_to_say_the_smaller_it_is_and_then_it_is_cut() -> None:
    sizes = [fitted([LONG * times], (500, 200), 1.2, 0.5)[0] for times in (1, 2, 4, 30)]
    assert all(more >= less for more, less in pairwise(sizes))
    assert sizes[0] == 1.2
    size, lines = fitted([LONG * 30], (500, 200), 1.2, 0.5)
    assert size == 0.5
    assert lines[-1].endswith(" ...")
    assert put(blank(9, 99, PAPER), ["no"], (0, 0, 99, 9), (0.5, 1.2)) == 0
    assert fitted([], (500, 200), 1.2, 0.5) == (1.2, [])


def test_what_is_pasted_is_moved_inside() -> None:
    canvas = blank(50, 50, PAPER)
    paste(canvas, blank(10, 10, TEXT), 45, -8)
    assert inked(canvas) == (40, 0, 49, 9)
    paste(canvas, blank(90, 90, TEXT), 0, 0)
    assert inked(canvas) == (0, 0, 49, 49)
