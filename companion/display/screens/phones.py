"""The match on phones: a code that leads to its page, who can open it, and what goes with it."""

from companion.core.sentence import N_
from companion.devices.board_page import BoardPage
from companion.display.layout import Box, columns, rows
from companion.display.scene import QrItem, Refresh, Scene, Symbol
from companion.display.screens.elements import Page, page
from companion.display.view import View
from companion.words import labels

POINT = N_("Point the camera of a phone at this.")
IN_THE_NETWORK = N_("Everybody in this network can look on. No phone changes anything.")
HERE_ALONE = N_(
    "The page can be opened on this computer alone. With lan = true in table.toml, and make install, phones of this "
    "network can open it."
)
NOBODY = N_(
    "The page of this table is not there. sudo make install sets it up; systemctl status companion-board says what is "
    "wrong with it."
)
CARDS_TOO = N_("Pictures of the cards go with it, and of nothing else.")
NO_PICTURES = N_("No picture of this room goes to phones.")


def scene(view: View) -> Scene:
    m, words, found = view.m, view.words, view.shelf.board
    made, more, body = page(view, words.say(labels.ON_PHONES))
    again = columns(more, 1.0, min(more.w, m.of(56)))[1]
    made.button(again, words.say(labels.LOOK_AGAIN), Refresh(), symbol="redo", key="r")
    if found is None or found.reach == "nobody":
        made.text(body.inset(m.edge), words.say(NOBODY), m.of(6), "warn", lines=5)
    elif found.reach == "computer":
        says, address = rows(body, 1.0, m.of(20), gap=m.gap)
        made.text(says.inset(m.edge), words.say(HERE_ALONE), m.of(6), lines=6)
        made.text(address, found.address, m.of(6), bold=True)
    else:
        _open(made, body, found)
    return made.done()


def _open(made: Page, body: Box, found: BoardPage) -> None:
    m, words, code = made.m, made.words, made.view.shelf.code
    side = min(body.h, body.w // 2) if m.wide else min(body.w, body.h // 2)
    square, said = columns(body, side, 1.0, gap=2 * m.gap) if m.wide else rows(body, side, 1.0, gap=m.gap)
    if code:
        made.add(QrItem(square, code))
    elif code is None:
        made.add(Symbol(square.middle(m.of(14), m.of(14)), "clock", "quiet"))
    point, address, who, goes = rows(said, 0.8, 0.6, 1.0, 0.8, gap=m.gap)
    align = "left" if m.wide else "centre"
    if code != ():
        made.text(point, words.say(POINT), m.of(6), align=align, lines=2)
    made.text(address, found.address, m.of(5.2), align=align, lines=2, bold=True)
    made.text(who, words.say(IN_THE_NETWORK), m.body, "warn", align=align, lines=3)
    made.text(goes, words.say(CARDS_TOO if found.shows_cards else NO_PICTURES), m.body, "quiet", align=align, lines=3)
