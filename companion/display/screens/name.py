"""One player: the name, typed or picked, the colour, and the seat."""

from dataclasses import replace

from companion.core.match import COLOURS, Player
from companion.core.names import is_seen, look_alike
from companion.display.layout import Box, columns, grid, rows
from companion.display.past import is_new, next_name
from companion.display.scene import Back, Badge, ChangeTo, Go, Intent, Mark, PanelItem, Scene
from companion.display.screens.elements import Page
from companion.display.screens.keyboard import keyboard
from companion.display.view import Draft, View
from companion.words import labels


def scene(view: View) -> Scene:
    view, seat = _with_seat(view)
    page, m = Page(view), view.m
    player = view.draft.players[seat]
    text = _typed(view, seat)
    whole = view.screen_box.inset(m.edge)
    if m.wide:
        head, colours, known, keys = rows(whole, m.touch, m.touch, 1.0, 4.6, gap=m.gap)
        back, field, done = columns(head, m.touch, 1.0, m.of(26), gap=m.gap)
    else:
        head, field, colours, known, keys = rows(whole, m.touch, m.of(13), 2 * m.touch + m.gap, 1.0, 2.3, gap=m.gap)
        back, where, done = columns(head, m.touch, 1.0, m.of(30), gap=m.gap)
        page.text(where, _seat_named(page, seat), m.body, "quiet")
    page.button(back, "", Back(), symbol="back")
    intent = None if _is_taken(view, seat, text) else _renamed(view, seat, text)
    page.button(done, page.words.say(labels.DONE), intent, look="main", symbol="check", key="return")
    _field(page, field, seat, text)
    _colours(page, colours, seat, player)
    _known(page, known, seat)
    keyboard(page, keys, text)
    return page.done(writes=text)


def _with_seat(view: View) -> tuple[View, int]:
    """Which seat it is about; one that nobody has yet is set up as if somebody new sat there."""
    draft, seat = view.draft, int(view.about or 0)
    if len(draft.players) <= seat < draft.playing.players[1]:
        draft = draft.with_one_more(next_name(view.words, draft.names))
    return replace(view, draft=draft), min(seat, len(draft.players) - 1)


def _seat_named(page: Page, seat: int) -> str:
    return page.words.say("Seat {number} of {count}", number=seat + 1, count=len(page.view.draft.players))


def _typed(view: View, seat: int) -> str:
    """What is written so far; a name that nobody has chosen is written over."""
    if "text" in view.marks:
        return str(view.marks["text"])
    name = view.draft.players[seat].name
    return "" if is_new(name) else name


def _renamed(view: View, seat: int, text: str) -> Intent:
    """What finishes the writing: the way back with the new name, if it is one."""
    name = " ".join(text.split())
    if look_alike(name, _others(view.draft, seat)):
        return Back()
    if not is_seen(name):
        return ChangeTo(view.draft, Back())
    return ChangeTo(view.draft.with_player(seat, replace(view.draft.players[seat], name=name)), Back())


def _others(draft: Draft, seat: int) -> list[str]:
    return [player.name for number, player in enumerate(draft.players) if number != seat]


def _is_taken(view: View, seat: int, text: str) -> bool:
    return is_seen(text) and bool(look_alike(text, _others(view.draft, seat)))


def _field(page: Page, box: Box, seat: int, text: str) -> None:
    view, m = page.view, page.m
    field, erase = columns(box, 1.0, m.touch, gap=m.gap)
    taken = _is_taken(view, seat, text)
    page.panel(field, "raised", "bad" if taken else "main")
    inside = field.inset(m.edge, 2)
    if taken:
        page.text(inside, page.words.say(labels.NAME_TAKEN), m.body, "bad", align="left", lines=2)
    elif text:
        page.text(inside, f"{text}|", m.of(6), align="left", lines=2)
    else:
        page.text(inside, view.draft.players[seat].name, m.of(6), "quiet", align="left", lines=2)
    page.button(erase, "", Mark("text", text[:-1]) if text else None, symbol="erase")


def _colours(page: Page, box: Box, seat: int, player: Player) -> None:
    view, m = page.view, page.m
    draft = view.draft
    count = len(COLOURS) + 2
    cells = grid(box, count, count if m.wide else count // 2, m.gap if not m.wide else m.gap // 2)
    for colour, cell in zip(COLOURS, cells, strict=False):
        on = colour == player.colour
        chosen = ChangeTo(draft.with_player(seat, replace(player, colour=colour)))
        page.add(PanelItem(cell, "raised" if on else "panel", "focus" if on else "line", 4 if on else 2, intent=chosen))
        page.add(Badge(cell.inset(cell.w // 6, cell.h // 6), colour))
    for cell, by, symbol in ((cells[-2], -1, "up"), (cells[-1], 1, "down")):
        page.button(cell, "", _seated(view, seat, by), symbol=symbol)


def _seated(view: View, seat: int, by: int) -> Intent | None:
    """The player one seat further, and whoever sits there here."""
    players, to = list(view.draft.players), seat + by
    if not 0 <= to < len(players):
        return None
    players[seat], players[to] = players[to], players[seat]
    return ChangeTo(replace(view.draft, players=tuple(players)), Go("name", str(to)))


def _known(page: Page, box: Box, seat: int) -> None:
    """People who have played here before: one touch."""
    view, m = page.view, page.m
    free = [name for name in view.past.names if not look_alike(name, view.draft.names)]
    if not free:
        if m.wide:
            page.text(box, _seat_named(page, seat), m.small, "quiet")
        return
    down = max(1, min(5, (box.h + m.gap) // (m.touch + m.gap)))
    across = max(2, box.w // m.of(30))
    cells = grid(box, across * down, across, m.gap)
    first = int(view.marks.get("known", 0))
    if len(free) > len(cells):  # the others after another touch, round and round
        beyond = first + len(cells) - 1
        more = Mark("known", beyond if beyond < len(free) else None)
        page.button(cells.pop(), "", more, symbol="next", key="page down")
    for name, cell in zip(free[first:], cells, strict=False):
        page.button(cell, name, _renamed(view, seat, name), lines=1)
