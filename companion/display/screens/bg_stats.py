"""A match that is over, as a code with which a phone opens the app BG Stats."""

from companion.core.sentence import N_
from companion.display.layout import columns, rows
from companion.display.scene import QrItem, Scene, Symbol
from companion.display.screens.elements import page
from companion.display.view import View

TITLE = "BG Stats"
POINT = N_("A phone that has the app BG Stats opens it with this match filled in.")
ASKS = N_("The app asks before it keeps anything. This table sends nothing.")
TOO_LONG = N_("This match does not fit into a code.")


def scene(view: View) -> Scene:
    m, words, code = view.m, view.words, view.shelf.code
    made, _, body = page(view, TITLE)
    side = min(body.h, body.w * 3 // 5) if m.wide else min(body.w, body.h * 2 // 3)
    square, said = columns(body, side, 1.0, gap=2 * m.gap) if m.wide else rows(body, side, 1.0, gap=m.gap)
    if code:
        made.add(QrItem(square, code))
    elif code is None:
        made.add(Symbol(square.middle(m.of(14), m.of(14)), "clock", "quiet"))
    point, asks = rows(said, 1.0, 1.0, gap=m.gap)
    align = "left" if m.wide else "centre"
    made.text(point, words.say(TOO_LONG if code == () else POINT), m.of(5.4), align=align, lines=6)
    made.text(asks, words.say(ASKS), m.body, "quiet", align=align, lines=5)
    return made.done()
