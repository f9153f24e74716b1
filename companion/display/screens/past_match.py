"""A match of the journal: how it ended, at a glance, and from here ruling by ruling."""

from dataclasses import replace

from companion.display.layout import columns, rows
from companion.display.scene import Go, GoOn, Scene
from companion.display.screens.elements import Page, page
from companion.display.screens.history import began, title_of
from companion.display.screens.result import glance, who_won
from companion.display.shelf import Opened
from companion.display.view import View
from companion.words import labels


def scene(view: View) -> Scene:
    opened = view.shelf.opened
    return unreadable(view) if opened is None else _opened(view, opened)


def unreadable(view: View) -> Scene:
    """In one sentence, why there is nothing to see."""
    made, _, body = page(view, view.words.say(labels.HISTORY))
    sentence = view.words.say("This match cannot be read.")
    reason = view.words.heard(view.shelf.trouble)
    upper, lower = rows(body, 1.0, 1.0, gap=view.m.gap)
    made.text(upper, sentence, view.m.large, lines=3)
    made.text(lower, reason, view.m.small, "quiet", lines=8)
    return made.done()


def _opened(view: View, opened: Opened) -> Scene:
    past = replace(view.past, trials=view.shelf.trials or view.past.trials)
    made = Page(replace(view, seen=opened.whole, past=past))
    m, seen, code = made.m, opened.whole, opened.played.code
    head, body, foot = rows(view.screen_box.inset(m.edge), m.of(24) if m.wide else m.of(34), 1.0, m.of(14), gap=m.gap)
    back, ended = columns(head, m.touch, 1.0, gap=m.gap)
    made.button(rows(back, m.touch, 1.0)[0], "", Go("history"), symbol="back")
    who_won(made, ended, seen)
    glance(made, body, seen, code)
    is_running = opened.played.status == "running"
    about, *on, again = columns(foot, *((0.8, 1.0, 1.0) if is_running else (1.0, 1.15)), gap=m.gap)
    title, when = rows(about, 1.2, 1.0)
    made.text(title, title_of(opened.played.game), m.of(5.6), align="left")
    told = [began(made.words, opened.played, view.shelf.today)]
    if seen.setup.deck:
        told.append(made.words.told_of(made.words.say(labels.DECK), seen.setup.deck))
    made.text(when, " · ".join(told), m.small, "quiet", align="left", lines=2)
    for box in on:
        is_here = view.seen is not None and view.seen.setup.id == opened.whole.setup.id
        on_with_it = Go("table") if is_here else GoOn(code)
        made.button(box, made.words.say(labels.GO_ON), on_with_it, look="main", size=m.of(6), key="g")
    look = "plain" if is_running else "main"
    step = Go("replay", code) if opened.steps else None
    made.button(again, made.words.say("Move by move"), step, look=look, symbol="play", size=m.of(6), key="return")
    return made.done()
