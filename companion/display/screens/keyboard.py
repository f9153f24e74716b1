"""The keys on the screen that a name is written with."""

from companion.core.names import LONGEST_NAME
from companion.display.layout import Box, columns, rows
from companion.display.scene import Button, Mark
from companion.display.screens.elements import Page

LETTERS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
MORE = ("1234567890", "äöüßáéíóúñ", "àèìòùâêîôç", "ëïãõåøæœ-'")
NARROW_LETTERS = ("abcdefg", "hijklmn", "opqrstu", "vwxyz")  # where ten keys beside each other were too narrow
NARROW_MORE = ("1234567", "890-'äö", "üßáéíóú", "ñàèìòùâ", "êîôçëïã", "õåøæœ")


def keyboard(page: Page, box: Box, text: str) -> None:
    """What is typed becomes the mark `text`."""
    view, m = page.view, page.m
    more = bool(view.marks.get("more"))
    upper = bool(view.marks.get("shift", not text or text.endswith(" "))) and not more
    across = 10 if m.wide else 7
    letters: tuple[str, ...] = MORE if more else LETTERS
    if not m.wide:
        letters = NARROW_MORE if more else NARROW_LETTERS
    lines = rows(box, *(1.0,) * (len(letters) + 1), gap=m.gap // 2)
    for row, line in zip(letters, lines, strict=False):
        cells = columns(line, *(1.0,) * across, gap=m.gap // 2)
        shift = (cells[0].w + m.gap // 2) * (across - len(row)) // 2 if m.wide else 0
        for letter, cell in zip(row, cells, strict=False):
            _key(page, cell._replace(x=cell.x + shift), letter.upper() if upper else letter, text)
    left, space, right = columns(lines[-1], 1.6, 5.0, 1.6, gap=m.gap // 2)
    if more:
        page.button(left, "abc", Mark("more"))
    else:
        page.button(left, "", Mark("shift", not upper), symbol="shift", on=upper)
    blank = Mark("text", (text + " ")[:LONGEST_NAME]) if text else None
    page.add(Button(space, page.words.say("space"), m.small, "plain", intent=blank, least=m.least))
    page.button(right, "12 äé", Mark("more", None if more else True), on=more)


def _key(page: Page, cell: Box, letter: str, text: str) -> None:
    typed = Mark("text", (text + letter)[:LONGEST_NAME])
    page.add(Button(cell, letter, page.m.of(6.4), intent=typed, least=page.m.least))
