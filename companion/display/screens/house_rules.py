"""House rules: each with what it means and the way to change it. Whoever changes nothing plays as usual."""

from dataclasses import Field, fields, replace
from typing import Any

from companion.core.card_ways import RULE
from companion.core.errors import CompanionError
from companion.core.game_house import house_of
from companion.core.house import value_shown
from companion.core.rules import Game
from companion.display.layout import Box, columns, grid, rows
from companion.display.scene import Back, ChangeTo, Go, Intent, Mark, Scene
from companion.display.screens.elements import Page, page
from companion.display.screens.table_screen import screen_of
from companion.display.speech import capital
from companion.display.view import Draft, View
from companion.words import labels

MOST = 9999  # where a rule names no highest value


def scene(view: View) -> Scene:
    if view.about:
        return _choices(view, view.about)
    made, more, body = page(view, view.words.say(labels.HOUSE_RULES))
    draft, m = view.draft, view.m
    if changed_rules(draft):
        usual = replace(draft, house=_usual(draft))
        made.button(more, view.words.say(labels.DEFAULT), ChangeTo(usual), symbol="undo")
    shown = [found for found in fields(draft.house) if _matters(draft, found)]
    high = m.of(14) if m.wide else m.of(26)
    room = max(1, body.h // (high + m.gap))
    pages = -(-len(shown) // room)
    if pages > 1:
        room = max(1, (body.h - m.touch - m.gap) // (high + m.gap))
        pages = -(-len(shown) // room)
    number = min(int(view.marks.get("page", 0)), pages - 1)
    lines = rows(body, *(1.0,) * room, *((m.touch,) if pages > 1 else ()), gap=m.gap)
    for found, line in zip(shown[number * room : (number + 1) * room], lines, strict=False):
        _rule(made, line.middle(line.w, m.of(28)), found)
    if pages > 1:
        _turn_pages(made, lines[-1], number, pages)
    return made.done()


def _usual(draft: Draft) -> Any:
    """The house rules of this screen as they are usual."""
    elsewhere = (RULE, house_of(draft.game).way)
    kept = {name: getattr(draft.house, name) for name in elsewhere if name and hasattr(draft.house, name)}
    return draft.playing.house(**kept)


def changed_rules(draft: Draft) -> int:
    """How many house rules are not as usual."""
    usual = _usual(draft)
    return sum(getattr(draft.house, found.name) != getattr(usual, found.name) for found in fields(draft.house))


def _matters(draft: Draft, found: Field[Any]) -> bool:
    """Neither is it chosen beside who plays, nor does it follow from others."""
    of_game = house_of(draft.game)
    if found.name in (RULE, of_game.way, *of_game.follows) or not found.metadata["offered"]:
        return False
    return of_game.matters(draft.house, found.name)


def _turn_pages(made: Page, box: Box, number: int, pages: int) -> None:
    m = made.m
    before, which, after = columns(box, m.of(24), 1.0, m.of(24), gap=m.gap)
    made.button(before, "", Mark("page", number - 1) if number else None, symbol="up", key="page up")
    made.text(which, f"{number + 1} / {pages}", m.body, "quiet")
    made.button(after, "", Mark("page", number + 1) if number + 1 < pages else None, symbol="down", key="page down")


def _rule(made: Page, box: Box, found: Field[Any]) -> None:
    m, draft = made.m, made.view.draft
    value = getattr(draft.house, found.name)
    made.panel(box)
    inside = box.inset(m.edge, max(2, m.edge // 2))
    words, control = columns(inside, 1.25 if m.wide else 0.9, 1.0, gap=m.gap)
    choices = values(draft.playing, found)
    if not choices:  # where there are some, they are explained beside them
        words, meaning = rows(words, 1.0, 1.5 if m.wide else 2.6)
        made.text(meaning, made.words.meaning(draft.playing, found.name), m.of(3.9), "quiet", align="left", lines=6)
    made.text(words, made.words.rule(draft.playing, found.name), m.body, align="left", lines=2)
    if isinstance(value, bool):
        no, yes = columns(control, 1.0, 1.0, gap=m.gap)
        made.button(no, made.words.say(labels.NO), _set(draft, found, value=False), on=not value)
        made.button(yes, made.words.say(labels.YES), _set(draft, found, value=True), on=value)
    elif isinstance(value, int):
        _number(made, control, found, value)
    elif choices:
        made.button(control, capital(made.words.choice(value)), Go("house", found.name), symbol="next", lines=2)
    else:
        made.text(control, value_shown(value).replace(",", ", "), m.small, "quiet", lines=6)


def _number(made: Page, box: Box, found: Field[Any], value: int) -> None:
    m, draft = made.m, made.view.draft
    of_game = house_of(draft.game)
    low, high, step = found.metadata["low"] or 0, found.metadata["high"] or MOST, of_game.steps.get(found.name, 1)
    less, shown, more = columns(box, m.touch, 1.0, m.touch, gap=m.gap)
    if of_game.is_any(draft.house, found.name):
        made.text(shown, made.words.say(labels.ANY_NUMBER), m.body, "quiet", lines=2)
        return
    down = max(low, value - step if value % step == 0 else value - value % step)
    up = min(high, value + step - value % step)
    made.button(less, "", _set(draft, found, down) if value > low else None, symbol="less")
    made.text(shown, str(value), m.large)
    made.button(more, "", _set(draft, found, up) if value < high else None, symbol="more")


def _set(draft: Draft, found: Field[Any], value: Any) -> Intent | None:
    """The change to another value; nothing where other rules do not allow it."""
    changed = {found.name: value, **house_of(draft.game).with_it(draft.house, found.name, value)}
    try:
        return ChangeTo(replace(draft, house=replace(draft.house, **changed)))
    except CompanionError:
        return None


def values(game: Game, found: Field[Any]) -> tuple[Any, ...]:
    """The values that can be chosen from."""
    offered = house_of(game.name).offered.get(found.name)
    return offered() if offered else tuple(found.metadata["choices"])


def _choices(view: View, name: str) -> Scene:
    """All values of one rule."""
    draft, m = view.draft, view.m
    found = next(one for one in fields(draft.house) if one.name == name)
    made, _, body = page(view, view.words.rule(draft.playing, name))
    pictured = screen_of(draft.game).pictured.get(name)
    if not pictured:  # else the choices explain themselves
        about, body = rows(body, m.of(12) if m.wide else m.of(17), 1.0, gap=m.gap)
        made.text(about, capital(view.words.meaning(draft.playing, name)), m.of(4.6), "quiet", align="left", lines=4)
    open_to = values(draft.playing, found)
    across = (2 if len(open_to) > 3 else 1) if m.wide or len(open_to) > 8 else 1
    for value, cell in zip(open_to, grid(body, len(open_to), across, m.gap, down=3), strict=True):
        change = ChangeTo(replace(draft, house=replace(draft.house, **{name: value})), Back())
        on = value_shown(value) == value_shown(getattr(draft.house, name))
        if pictured:
            made.button(cell, "", change, on=on)
            picture, words = columns(cell.inset(m.edge), cell.h, 1.0, gap=m.gap)
            made.add(*pictured(picture, value))
            made.text(words, made.words.choice(value), m.body, "on-main" if on else "text")
        else:
            made.button(cell, capital(view.words.choice(value)), change, on=on)
    return made.done()
