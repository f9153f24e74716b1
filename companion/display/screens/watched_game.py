"""A table that a camera watches: the game's own screen, which goes on working, and beside it what the camera sees.

What is out of step and the way back, the newest move that was seen and how surely, cards that were called, Stop!
"""

from collections.abc import Callable
from dataclasses import replace

from companion.core.card_ways import is_seen
from companion.core.entry import STOP
from companion.core.requests import Pause
from companion.core.sentence import N_
from companion.display.layout import Box, columns, rows
from companion.display.scene import Button, Go, Intent, Mark, Outline, PanelItem, Picture, Say, Scene, Symbol
from companion.display.screens.camera_view import other_mat, state_of
from companion.display.screens.elements import Page, shared
from companion.display.screens.notice import notice
from companion.display.view import View
from companion.watch.messages import LookRequest
from companion.watch.out_of_step import Astray

SURE_AT_MOST = 99  # per cent; nothing is told surer
TABLE = "grid"  # the mark with which the table is looked at during a Stop!

Draws = Callable[[View], Scene]


def is_watched(view: View) -> bool:
    setup = view.match.setup
    return view.sight.state not in ("none", "off") and is_seen(setup.game, setup.house)


def is_seeing(view: View) -> bool:
    """The camera sees the table, and nothing has to be typed in its place."""
    return view.sight.state == "found" and 0 not in view.sight.step.astray


def way_to(page: Page, box: Box) -> None:
    """A button that leads to what the camera sees."""
    page.button(box, "", Go("camera"), symbol="camera", key="c")


def trouble(view: View) -> tuple[int, Astray] | None:
    """What is out of step: the whole table before a cell, the newest of them before older ones."""
    astray = view.sight.step.astray
    at = 0 if 0 in astray else next(reversed(list(astray)), None)
    return None if at is None else (at, astray[at])


def out_of_step(page: Page, box: Box, cell: int, astray: Astray) -> None:
    """What is wrong and the way back; a touch looks again."""
    m, words = page.m, page.words
    page.add(PanelItem(box, "panel", "warn", max(3, m.of(0.8)), m.of(2.4), intent=Say(LookRequest(cell)), key="l"))
    inside = box.inset(m.edge, m.gap)
    said = f"{words.heard(astray.sentence)} {words.heard(astray.way_back)}".strip()
    _signed(page, inside, "eye", "warn", said)


def _signed(page: Page, box: Box, symbol: str, role: str, said: str) -> None:
    """A sign, and words beside it, or below where that is narrow."""
    m = page.m
    side = m.of(6)
    if box.w < m.of(60) < box.h:
        sign, words = rows(box, side, 1.0, gap=m.gap // 2)
        sign = sign._replace(w=side)
    else:
        sign, words = columns(box, side, 1.0, gap=m.gap)
        sign = sign._replace(h=min(side, sign.h))
    page.add(Symbol(sign, symbol, role))
    page.text(words, said, m.of(4.6), align="left", lines=12)


# --- beside the game's own table -------------------------------------------------------------------------------


def scene(view: View, own: Draws) -> Scene:
    """The game's own table, smaller, and the camera's part of the screen. Whoever types in its place has all of it."""
    if not is_seeing(view) and view.marks.keys() - {TABLE, "dispute", "correction"}:
        return own(view)
    found = own(replace(view, shares=True, notice=None))
    made = Page(view)
    taken = {item.key for item in found.all() if item.key}
    stop = view.words.say(STOP)
    calls = any(isinstance(item, Button) and item.label == stop for item in found.items)
    _camera(made, shared(view)[1], lambda key: "" if key in taken else key, calls=calls)
    items = (*found.items, *made.items)
    return replace(found, items=items, over=(*found.over, *notice(view, items, found.over)), is_live=True)


def _camera(page: Page, box: Box, key: Callable[[str], str], *, calls: bool) -> None:
    """`calls`: Stop! stands in the head of the screen already."""
    m, view = page.m, page.view
    acts: list[tuple[str, Intent | None, str, str]] = []
    if view.match.is_stopped:
        acts.append((N_("Dispute"), Mark(TABLE), "back", "g"))
    elif not calls:
        acts.append((STOP, Say(Pause(STOP)) if view.match.paused is None else None, "hand", "s"))
    if trouble(view) is None and not view.sight.step.called:  # else a touch on what is wrong looks again
        acts.append((N_("Look again"), Say(LookRequest(0)), "eye", "y"))
    deep = len(acts) * (m.of(13) + m.gap) - m.gap if acts else 1
    if m.wide:
        picture, said, below = rows(box, round(box.w * 0.62), 1.0, deep, gap=m.gap)
    else:
        picture, said, below = columns(box, 0.7, 1.9, m.of(30) if acts else 1, gap=m.gap)
    _picture(page, picture)
    _told(page, said)
    for (label, intent, symbol, name), cell in zip(acts, rows(below, *(1.0,) * len(acts), gap=m.gap), strict=True):
        sign = symbol if m.wide else ""
        page.button(cell, page.words.say(label), intent, symbol=sign, size=m.small, key=key(name))


def _picture(page: Page, box: Box) -> None:
    """What the camera sees now; a touch shows it large."""
    m, still = page.m, page.view.sight.still
    page.add(PanelItem(box, "panel", "line", radius=m.of(2.4), intent=Go("camera")))
    if still is None:
        side = m.of(14)
        page.add(Symbol(box.middle(side, side), "camera", "quiet"))
        return
    page.add(Picture(box.inset(max(3, m.of(0.8))), still=still, outlines=tuple(_marked(page.view))))


def _marked(view: View) -> list[Outline]:
    """The places that are out of step or hold a card that was called."""
    step = view.sight.step
    spots = {spot: "warn" for astray in step.astray.values() for spot in astray.spots}
    spots |= {spot: "bad" for called in step.called.values() for spot in called.spots}
    return [Outline(place.corners, spots[place.cell]) for place in view.sight.places if place.cell in spots]


def _told(page: Page, box: Box) -> None:
    """One thing, the one that matters most: what is out of step, what was called, what was seen last."""
    view, words, step = page.view, page.words, page.view.sight.step
    found = trouble(view)
    if (mat := other_mat(view, view.match.setup.game)) is not None:
        page.panel(box, "panel", "warn")
        _signed(page, box.inset(page.m.edge, page.m.gap), "eye", "warn", mat)
    elif found is not None:
        out_of_step(page, box, *found)
    elif view.sight.state != "found":
        page.panel(box)
        _signed(page, box.inset(page.m.edge, page.m.gap), "camera", "warn", state_of(view))
    elif step.called:
        cell, called = next(reversed(list(step.called.items())))
        page.add(PanelItem(box, "panel", "bad", 2, page.m.of(2.4), intent=Say(LookRequest(cell)), key="l"))
        _signed(page, box.inset(page.m.edge, page.m.gap), "no", "bad", words.heard(called.sentence))
    elif step.newest is not None and step.newest.number == len(view.match.line):
        page.panel(box)
        percent = min(SURE_AT_MOST, int(100 * step.newest.chance))
        said = [words.say("Seen, sure to {percent} %.", percent=percent), words.heard(step.newest.other)]
        _signed(page, box.inset(page.m.edge, page.m.gap), "check", "good", "\n".join(filter(None, said)))
    else:
        page.panel(box)
        _signed(page, box.inset(page.m.edge, page.m.gap), "eye", "quiet", state_of(view))
