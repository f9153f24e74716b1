"""The rules of a game, page by page, for whoever has not played it yet: companion/display/rulebook."""

from dataclasses import replace

from companion.display.layout import Box, Measure, best_grid, columns, rows
from companion.display.rulebook import Example, Leaf, leaves
from companion.display.scene import Art, Go, Intent, Mark, PanelItem, Scene, Symbol
from companion.display.screens.elements import Page, first_round, page, span
from companion.display.view import View
from companion.games import NAMES
from companion.games import game as game_named
from companion.words import Words, labels

RULED, REFUSED = ("check", "good"), ("no", "bad")
TITLE = 180.0  # a title takes the room of so many letters
WIDE, HIGH = 0.5, 1.3  # of a letter and of a line, in sizes


def scene(view: View) -> Scene:
    return _pages(view) if view.about else _games(view)


def _games(view: View) -> Scene:
    """Of which game?"""
    made, _, body = page(view, view.words.say(labels.RULES_IN_SHORT))
    m = view.m
    cells = best_grid(body, len(NAMES), 1.45 if m.wide else 1.1, m.gap)
    for number, (name, cell) in enumerate(zip(NAMES, cells, strict=True), 1):
        made.add(PanelItem(cell, "panel", "line", radius=m.of(2.4), intent=Go("rules", name), key=str(number)))
        picture, title = rows(cell.inset(m.edge), 1.0, m.of(9), gap=m.gap)
        made.add(Art(picture.shaped(1, 1), name))
        made.text(title, game_named(name).title, m.of(7))
    return made.done()


def _pages(view: View) -> Scene:
    game, m = game_named(view.about), view.m
    made, more, body = page(view, game.title)
    made.text(more, span(view.words, *game.players), m.small, "quiet", align="right")
    found = leaves(game.name)
    number = min(int(view.marks.get("leaf", 0)), len(found) - 1)
    leaf, foot = rows(first_round(made, body, game.name), 1.0, m.of(13), gap=m.gap)
    _leaf(made, leaf, found[number])
    _foot(made, foot, number, len(found))
    return made.done()


def _leaf(made: Page, box: Box, leaf: Leaf) -> None:
    m, example = made.m, leaf.example()
    said, told = [made.words.say(text) for text in leaf.texts], _told(made.words, example) if leaf.is_ruled else []
    beside = 1.5 if told else 1.1
    drawing, words = columns(box, 1.0, beside, gap=2 * m.gap) if m.wide else rows(box, 1.0, 1.0, gap=m.gap)
    if told:
        words, ruling = rows(words, TITLE + sum(map(len, said)), 60.0 + sum(map(len, told)), gap=m.gap)
        _ruling(made, ruling, told)
    made.panel(drawing)
    drawn = Page(replace(made.view, seen=example.seen))
    leaf.draw(drawn, drawing.inset(2 * m.edge))
    made.items += drawn.items
    title, text = rows(words, m.of(9), 1.0, gap=m.gap)
    made.text(title, made.words.say(leaf.title), m.of(6.4), "warn", align="left")
    lines, size = _lines(text, said, m)
    for one, line in zip(said, lines, strict=True):
        made.text(line, one, size, align="left", lines=8)


def _lines(box: Box, said: list[str], m: Measure) -> tuple[list[Box], int]:
    """Room for each text by how long it is, close together from the top; and one size for all of them."""
    across = max(1, round(box.w / (WIDE * m.body)))
    high = [-(-len(one) // across) * HIGH * m.body + m.gap for one in said]
    scale = min(1.0, (box.h - m.gap * (len(said) - 1)) / sum(high))
    boxes = rows(box, *(int(scale * one) for one in high), 1.0, gap=m.gap)[:-1]
    return boxes, max(m.least, round(m.body * max(0.0, scale) ** 0.5))


def _told(words: Words, example: Example) -> list[str]:
    """What the referee says of the example, and then of what was refused in it."""
    return [" ".join(example.told(words)), *(words.sentence(foul) for foul in example.fouls)]


def _ruling(made: Page, box: Box, told: list[str]) -> None:
    m = made.m
    made.panel(box, "raised")
    lines = rows(box.inset(m.edge), *(30.0 + len(text) for text in told), gap=m.gap)
    for number, (text, line) in enumerate(zip(told, lines, strict=True)):
        mark, said = columns(line, m.of(6), 1.0, gap=m.gap)
        made.add(Symbol(mark.middle(m.of(5.4), m.of(5.4)), *(REFUSED if number else RULED)))
        made.text(said, text, m.of(4.8), align="left", lines=8)


def _foot(made: Page, box: Box, number: int, count: int) -> None:
    """The way through the pages."""
    m = made.m
    before, which, after = columns(box, m.of(24), 1.0, m.of(24), gap=m.gap)
    made.button(before, "", _to(number - 1, count), symbol="left", key="page up")
    made.text(which, f"{number + 1} / {count}", m.body, "quiet")
    look = "main" if number + 1 < count else "plain"
    made.button(after, "", _to(number + 1, count), symbol="right", key="page down", look=look)


def _to(number: int, count: int) -> Intent | None:
    return Mark("leaf", number) if number in range(count) else None
