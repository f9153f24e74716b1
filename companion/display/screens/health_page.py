"""What the devices of the table say: each with its state, and what to do where there is something to do."""

from companion.core.sentence import N_
from companion.display.layout import Box, columns, rows
from companion.display.scene import Refresh, Scene, Symbol
from companion.display.screens.elements import Page, page
from companion.display.view import View
from companion.doctor.health import AILING, LOOKING, MISSING, WORKS, Finding
from companion.words import labels

NAMES = {
    "screen": labels.SCREEN,
    "journal": labels.DISK,
    "buttons": labels.BUTTONS,
    "camera": labels.CAMERA,
    "reader": N_("Card reader"),
    "sound": labels.SOUND,
    "publishing": N_("Publishing"),
    "configuration": N_("Configuration"),
}
STATES = {
    WORKS: (labels.WORKS, "check", "good"),
    AILING: (N_("needs attention"), "hand", "warn"),
    MISSING: (labels.MISSING, "wrong", "bad"),
    LOOKING: (labels.WAIT, "clock", "quiet"),
}
LONG = 60  # letters that want more room


def scene(view: View) -> Scene:
    m, words, shelf = view.m, view.words, view.shelf
    made, more, body = page(view, words.say(labels.DOCTOR))
    again = columns(more, 1.0, min(more.w, m.of(56)))[1]
    intent = None if shelf.is_looking else Refresh()
    made.button(again, words.say(labels.LOOK_AGAIN), intent, symbol="redo", key="r")
    if not shelf.findings:
        made.text(body, words.say(labels.NOTHING), m.body, "quiet")
        return made.done()
    shares = [1.0 + 0.45 * (sum(map(len, _told(found))) // LONG) for found in shelf.findings]
    for found, line in zip(shelf.findings, rows(body, *shares, gap=m.gap // 2), strict=True):
        _line(made, line, found)
    return made.done()


def _told(found: Finding) -> tuple[str, ...]:
    return tuple(filter(None, (found.sentence, found.remedy, found.detail)))


def _line(made: Page, box: Box, found: Finding) -> None:
    m, words = made.m, made.words
    label, symbol, role = STATES.get(found.state, STATES[LOOKING])
    made.panel(box)
    inside = box.inset(m.edge, 2)
    if m.wide:
        sign, about, told = columns(inside, m.of(8), m.of(30), 1.0, gap=m.gap)
        name, state = rows(about.middle(about.w, m.of(14)), 1.1, 1.0)
    else:
        sign, rest = columns(inside, m.of(8), 1.0, gap=m.gap)
        about, told = rows(rest, m.of(8), 1.0)
        name, state = columns(about, 1.0, 1.0, gap=m.gap)
    side = min(sign.h, m.of(7))
    made.add(Symbol(sign.middle(side, side), symbol, role))
    made.text(name, words.say(NAMES.get(found.device, found.device)), m.body, align="left")
    made.text(state, words.say(label), m.small, role, align="left" if m.wide else "right")
    said = map(words.heard, filter(None, (found.sentence, found.remedy, found.detail)))
    made.text(told, "\n".join(said), m.of(4.4), align="left", lines=9)
