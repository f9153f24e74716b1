"""The score sheet of a match: made as this screen opens; where it lies then, or why it does not, and printing it."""

from companion.display.layout import Box, columns, rows
from companion.display.scene import Back, Go, Intent, Refresh, Scene, Symbol
from companion.display.screens.elements import Page, page
from companion.display.view import View
from companion.scoresheet.desk import MadeSheet
from companion.words import labels


def scene(view: View) -> Scene:
    made, _, body = page(view, view.words.say(labels.SCORE_SHEET))
    sheet = view.shelf.made
    told, foot = rows(body, 1.0, view.m.of(15), gap=view.m.gap)
    if sheet is None:
        sentence = view.shelf.trouble or labels.NO_SHEET
        _say(made, told, ("wrong", "bad"), (view.words.heard(sentence),))
    elif not sheet.is_done:
        _say(made, told, ("clock", "quiet"), (view.words.say(labels.WAIT),))
    else:
        is_well = sheet.path is not None or sheet.is_printed
        _say(made, told, ("check", "good") if is_well else ("wrong", "bad"), sheet.sentences)
    _foot(made, foot, sheet)
    return made.done()


def _say(made: Page, box: Box, sign: tuple[str, str], sentences: tuple[str, ...]) -> None:
    m = made.m
    made.panel(box)
    place, text = columns(box.inset(2 * m.edge), m.of(20), 1.0, gap=2 * m.gap)
    made.add(Symbol(place.middle(m.of(17), m.of(17)), *sign))
    made.text(text, "\n".join(sentences), m.of(6), align="left", lines=9)


def _foot(made: Page, box: Box, sheet: MadeSheet | None) -> None:
    """Only what can be done: again what was not, on paper where there is a printer."""
    m, view = made.m, made.view
    how, _, code = view.about.partition(":")
    parts: list[tuple[str, Intent, str]] = []
    if sheet is not None and sheet.is_done:
        if sheet.path is None:
            parts.append((labels.TRY_AGAIN, Refresh(), "redo"))
        if view.shelf.has_printer and how != "print":
            parts.append((labels.PRINT, Go("sheet", f"print:{code}"), "printer"))
    *more, done = columns(box, *(1.0,) * (len(parts) + 1), gap=m.gap)
    for (label, intent, symbol), cell in zip(parts, more, strict=True):
        made.button(cell, made.words.say(label), intent, symbol=symbol, size=m.of(6), key=symbol[0])
    made.button(done, made.words.say(labels.DONE), Back(), look="main", size=m.large, key="return")
