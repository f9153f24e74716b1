"""The last moves of a match, to put one right: it did not happen, or it was another one."""

from typing import Any

from companion.core.correction import Done
from companion.core.record import move_plain
from companion.core.requests import Correct
from companion.core.rules import Move, Turn
from companion.core.sentence import N_
from companion.display.layout import Box, columns, grid, rows
from companion.display.scene import Back, Badge, Intent, Mark, PanelItem, Say, Scene, Symbol
from companion.display.screens import really
from companion.display.screens.changes import bare
from companion.display.screens.elements import Page, page, pager
from companion.display.screens.instead import others
from companion.display.speech import recalled
from companion.display.view import View
from companion.words import labels

HIGH = 13  # of a line, in hundredths of the shorter side
MOST_SENTENCES = 2  # of a ruling


def scene(view: View) -> Scene:
    asked = _asked(view)
    if view.marks.get(really.KEY) and asked is not None and 1 <= asked <= len(view.match.line):
        return really.scene(view, asked)
    made, more, body = page(view, view.words.say(labels.PUT_RIGHT))
    m, line = view.m, view.match.line
    chosen = asked
    listed, about = columns(body, 1.1, 1.0, gap=m.gap) if m.wide else rows(body, 1.0, 1.0, gap=m.gap)
    room = max(1, (listed.h + m.gap) // (m.of(HIGH) + m.gap))
    first = min(int(view.marks.get("first", 0)), max(0, len(line) - 1) // room * room)
    numbers = range(len(line) - first, 0, -1)
    for number, box in zip(numbers, rows(listed, *(1.0,) * room, gap=m.gap), strict=False):
        _line(made, box, number, line[number - 1], on=number == chosen)
    pager(made, more, first, room, len(line))
    if chosen is not None and 1 <= chosen <= len(line):
        _choices(made, about, chosen)
    else:
        made.panel(about)
        hint = N_("No move was made.") if not line else N_("Touch the move that is wrong here.")
        made.text(about.inset(2 * m.edge), view.words.say(hint), m.of(6), "quiet", lines=5)
    return made.done(escape=Mark("move") if chosen is not None else Back())


def _asked(view: View) -> int | None:
    """The move that was touched, or that led here."""
    asked: int | None = view.marks.get("move", int(view.about) if view.about else None)
    return asked


def _line(page: Page, box: Box, number: int, done: Done, *, on: bool) -> None:
    m, move = page.m, done.move
    intent: Intent | None = Mark("move", None if on else number)
    edge, width = ("focus", max(3, m.of(0.8))) if on else ("line", 2)
    if move.by_referee:  # it cannot have been another one
        page.panel(box, "ground", "raised")
    else:
        page.add(PanelItem(box, "raised" if on else "panel", edge, width, m.of(2.4), intent=intent))
    inside = box.inset(m.edge, max(3, m.edge // 3))
    sign, which, said = columns(inside, min(inside.h, m.of(6)), m.of(9), 1.0, gap=m.gap // 2)
    sign = sign.middle(sign.w, sign.w)
    if move.by_referee:
        page.add(Symbol(sign, "clock", "quiet"))
    elif move.player:
        page.add(Badge(sign, page.view.match.colours[move.player]))
    page.text(which, str(number), m.small, "quiet", align="left")
    page.text(said, _told(page, done), m.of(4.4), align="left", lines=3)


def _told(page: Page, done: Done) -> str:
    """What a move did at first, without what players may not look up."""
    events = (event for event in done.ruling.events if event.text and not isinstance(event, Turn))
    told = [recalled(page.words, page.view.match, event) for event in events]
    return " ".join(told[:MOST_SENTENCES]) or bare(page, done.move)


def _choices(page: Page, box: Box, number: int) -> None:
    m, words = page.m, page.words
    found = others(words, page.view.match, number)
    acts, title, rest = rows(box, m.of(14), m.of(7), 1.0, gap=m.gap)
    gone, more = columns(acts, 1.2, 1.0, gap=m.gap)
    page.button(gone, words.say(labels.DID_NOT_HAPPEN), _asking(number, None), key="n", size=m.of(6))
    page.button(more, words.say("Something else …"), really.ENTER, key="e", size=m.of(6))
    if not found:
        return
    page.text(title, words.say("It was really …"), m.body, "quiet", align="left")
    across = 2 if -(-len(found) // 2) * (m.touch + m.gap) <= rest.h + m.gap else 3
    lines = -(-len(found) // across)
    deep = min(rest.h, lines * m.of(13) + (lines - 1) * m.gap)
    for other, cell in zip(found, grid(rest._replace(h=deep), len(found), across, m.gap), strict=True):
        page.button(cell, other.label, _asking(number, other.move), badge=other.badge, size=m.body)


def _asking(number: int, move: Move | None) -> Say:
    """Done at once, or asked before, by what it would change."""
    plain: dict[str, Any] | None = None if move is None else move_plain(move)
    return Say(Correct(number, plain, preview=True))
