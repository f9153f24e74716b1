"""What many screens are made of: the head of a page, buttons, tiles of players, notices."""

import sys
from dataclasses import dataclass, field, replace
from typing import Any

from companion.core.clocks import Clock
from companion.core.entry import STOP
from companion.core.requests import Pause, Resume, Undo
from companion.display.layout import Box, Measure, columns, packed, rows
from companion.display.scene import (
    Back,
    Badge,
    Button,
    CardItem,
    Go,
    Intent,
    Item,
    Mark,
    PanelItem,
    Practise,
    Say,
    Scene,
    Symbol,
    Text,
    Ticking,
)
from companion.display.screens.notice import notice
from companion.display.screens.really import LEAVE
from companion.display.view import NOTHING, View
from companion.games import has
from companion.words import Words, labels

RUNNING = 3  # lines of running text, which is never bold
BACK = "back"
BESIDE, BELOW, LOW = 0.28, 42, 30  # of a wide screen is for the camera, or so many hundredths of the shorter side
MANY = 4  # more players need more of a screen that stands on end


@dataclass(slots=True)
class Page:
    """A screen while it is put together."""

    view: View
    items: list[Item] = field(default_factory=list)
    over: list[Item] = field(default_factory=list)

    @property
    def m(self) -> Measure:
        return self.view.m

    @property
    def words(self) -> Words:
        return self.view.words

    def add(self, *items: Item) -> None:
        self.items += items

    def text(self, box: Box, text: str, size: int = 0, role: str = "text", **more: Any) -> None:
        """Words that are already said in the language of the table; bold where they are large and few."""
        size = size or self.m.body
        more.setdefault("bold", size > self.m.body and more.get("lines", 1) < RUNNING)
        self.items.append(Text(box, text, size, role, least=self.m.least, **more))

    def button(self, box: Box, label: str, intent: Intent | None, **more: Any) -> None:
        size = more.pop("size", self.m.body)
        self.items.append(Button(box, label, size, intent=intent, least=self.m.least, **more))

    def panel(self, box: Box, fill: str = "panel", edge: str = "", **more: Any) -> None:
        self.items.append(PanelItem(box, fill, edge, radius=self.m.of(2.4), **more))

    def card(self, box: Box, name: str) -> None:
        """A card of Triple³; from behind, if nobody may look it up now."""
        self.items.append(CardItem(box, BACK if name in self.view.match.hidden else name))

    def done(self, *, writes: str | None = None, escape: Intent | None = None, is_live: bool = False) -> Scene:
        """The scene, with the notice in it if there is one."""
        over = (*self.over, *notice(self.view, self.items, self.over))
        return Scene(self.view.size, tuple(self.items), over, writes, escape or Back(), is_live)


def page(view: View, title: str) -> tuple[Page, Box, Box]:
    """A page with the way back and a title at its head, and the clock of a match that goes on behind it; and the boxes
    for more in its head, and below it."""
    made, m = Page(view), view.m
    clock = _running(view)
    head, rest = rows(view.screen_box.inset(m.edge), m.touch, 1.0, gap=m.gap)
    times = (m.of(20),) if clock else ()
    back, name, *time, more = columns(head, m.touch, 1.0, *times, 0.9 if m.wide else 0.75, gap=m.gap)
    made.button(back, "", Back(), symbol="back")
    made.text(name, title, m.of(6.4), align="left", lines=2)
    for box in time:
        made.add(Ticking(box, clock or Clock(), m.large, "quiet", warn="bad"))
    return made, more, rest


def _running(view: View) -> Clock | None:
    """The clock that runs on the table while people look at something else: the one that runs out first."""
    if view.seen is None or view.seen.is_over or view.seen.stands:
        return None
    from companion.display.screens import scene  # noqa: PLC0415  (each screen is made of these parts)

    table = scene(replace(view, screen="table", about="", marks=NOTHING, notice=None))
    clocks = [item.clock for item in table.items if isinstance(item, Ticking) and item.clock.is_running]
    return min(clocks, key=_runs_out, default=None)


def _runs_out(clock: Clock) -> int:
    return sys.maxsize if clock.limit is None else clock.limit - clock.used


def first_round(page: Page, box: Box, game: str) -> Box:
    """Where the table can lead somebody through a first round: a button for that; and the box that is left."""
    if not (page.view.can_lead and has(game, "guide")):
        return box
    offered, rest = rows(box, page.m.of(13), 1.0, gap=page.m.gap)
    page.button(offered, page.words.say("Show me a first round"), Practise(game), symbol="play", key="f")
    return rest


def pager(page: Page, box: Box, first: int, room: int, count: int) -> None:
    """The way through a list of which `room` are shown, in the head of a page."""
    if count <= room:
        return
    m = page.m
    side = m.of(13) if m.wide else m.touch
    up, which, down = columns(box, side, 1.0, side, gap=m.gap)
    back, on = max(0, first - room), first + room
    page.button(up, "", Mark("first", back) if first else None, symbol="up", key="page up")
    page.button(down, "", Mark("first", on) if on < count else None, symbol="down", key="page down")
    page.text(which, f"{on // room} / {-(-count // room)}", m.body, "quiet")


@dataclass(frozen=True, slots=True)
class Shout:
    """What is called out to all at the table, such as Stop!; nothing while it means nothing."""

    label: str
    intent: Intent | None
    key: str = ""


def match_page(view: View, status: str, shout: Shout | None = None) -> tuple[Page, Box, Box]:
    """A page of a match. Its head is the same in every game: the menu, how it stands, what can be called out, pause,
    and the way to take the last move back."""
    if view.instead:
        return _instead_page(view, shout)
    made, m = Page(view), view.m
    head, rest = rows(view.screen_box.inset(m.edge), m.touch, 1.0, gap=m.gap)
    if view.shares:
        shout, rest = shout or _stop(view), shared(view)[0]
    is_narrow = shout is not None and not m.wide
    signs = bool(view.ailing) + bool(view.sight.kept)
    ill, middle = (m.touch,) * signs, (1.0,) if is_narrow else (1.0, 0.6 if m.wide else 1.2)
    calls = (m.of(24 if is_narrow else 30),) if shout else ()
    cells = iter(columns(head, m.touch, *ill, *middle, *calls, m.touch, m.touch, gap=m.gap))
    made.button(next(cells), "", Go("menu"), symbol="menu", key="m")
    if view.ailing:  # the doctor knows what it is
        made.button(next(cells), "", Go("doctor"), symbol="pulse", look="danger")
    if view.sight.kept:  # pictures of this room: there they can be forgotten
        made.button(next(cells), "", Go("camera"), symbol="camera", look="danger")
    name, rest = rows(rest, m.of(6), 1.0, gap=m.gap) if is_narrow else (next(cells), rest)
    made.text(name, status, m.of(5.2), align="left", lines=2, bold=True)
    about = next(cells)
    if shout:
        symbol = "" if is_narrow else "hand"
        made.button(next(cells), shout.label, shout.intent, symbol=symbol, look="danger", key=shout.key)
    _pause(made, next(cells))
    made.button(next(cells), "", Say(Undo()) if view.match.line else None, symbol="undo", key="u")
    if view.match.paused is not None and not view.match.is_stopped:
        _paused(made, rest)
    return made, about, rest


def shared(view: View) -> tuple[Box, Box]:
    """What is below the head of a match: the game's part, at the left or above, and the one for what a camera sees."""
    m = view.m
    rest = rows(view.screen_box.inset(m.edge), m.touch, 1.0, gap=m.gap)[1]
    if m.wide:
        table, beside = columns(rest, 1.0 - BESIDE, BESIDE, gap=m.gap)
    else:
        many = len(view.match.setup.players) > MANY
        table, beside = rows(rest, 1.0, m.of(LOW if many else BELOW), gap=m.gap)
    return table, beside


def _stop(view: View) -> Shout:
    """Where the rules have no such call it is a pause, in which the last plays are looked at."""
    seen = view.match
    is_open = seen.paused is None and not seen.is_over and bool(seen.line)
    return Shout(view.words.say(STOP), Say(Pause(STOP)) if is_open else None, "s")


def _instead_page(view: View, shout: Shout | None) -> tuple[Page, Box, Box]:
    """The same while somebody says what a move was instead."""
    assert view.instead is not None
    made, m = Page(view), view.m
    head, rest = rows(view.screen_box.inset(m.edge), m.touch, 1.0, gap=m.gap)
    calls = (m.of(24),) if shout else ()
    back, name, about, *call = columns(head, m.touch, 1.0, 0.6, *calls, gap=m.gap)
    made.button(back, "", LEAVE, symbol="back")
    title = view.words.say("Move {number} was really …", number=view.instead.number)
    made.text(name, title, m.of(5.2), "warn", align="left", lines=2)
    for box in call:
        made.button(box, shout.label if shout else "", shout.intent if shout else None, look="danger")
    return made, about, rest


def _pause(page: Page, box: Box) -> None:
    """The clocks stand, or go on."""
    seen = page.view.match
    symbol, message = ("play", Resume()) if seen.stands else ("pause", Pause(labels.PAUSE))
    look = "main" if seen.stands and not seen.is_over else "plain"
    page.button(box, "", None if seen.is_over else Say(message), symbol=symbol, look=look, key="z")


def _paused(page: Page, rest: Box) -> None:
    """Over the lower part, so that the clocks can be seen."""
    m, words = page.m, page.words
    box = rows(rest, 1.0, m.of(35))[1]
    about, go = rows(box.inset(2 * m.edge, m.edge), 1.0, m.of(15), gap=m.gap)
    sign, lines = columns(about, m.of(14), 1.0, gap=m.gap)
    title, why = rows(lines, 1.4, 1.0)
    page.over += [
        PanelItem(box, "raised", "line", 3, m.of(3)),
        Symbol(sign.middle(m.of(11), m.of(11)), "pause", "quiet"),
        Text(title, words.say(labels.CLOCKS_STAND), m.large, "text", "left", least=m.least),
        Text(why, words.say(page.view.match.paused or labels.PAUSE), m.body, "quiet", "left", least=m.least),
        Button(go, words.say(labels.GO_ON), m.large, "main", "play", intent=Say(Resume()), key="return", least=m.least),
    ]


def upright(box: Box, turn: int) -> Box:
    """A box as somebody sees it for whom it is turned; its parts go back with `turned_within`."""
    return Box(0, 0, *(box.size if turn % 2 == 0 else box.size[::-1]))


def turned_within(part: Box, box: Box, turn: int) -> Box:
    """Where a part of an upright box lies when that is turned by quarters clockwise into its place."""
    w, h = box.size
    match turn % 4:
        case 1:
            return Box(box.x + w - part.bottom, box.y + part.x, part.h, part.w)
        case 2:
            return Box(box.x + w - part.right, box.y + h - part.bottom, part.w, part.h)
        case 3:
            return Box(box.x + part.y, box.y + h - part.right, part.h, part.w)
        case _:
            return Box(box.x + part.x, box.y + part.y, part.w, part.h)


def player_tile(
    page: Page,
    box: Box,
    player: str,
    score: str,
    *,
    clock: Clock | None = None,
    hand: int | None = None,
    note: str = "",
    on: bool = False,
) -> None:
    """A player with a score: shape, name, and the clock, the hand or a note, beside or below as there is room."""
    m = page.m
    colour = page.view.match.colours[player]
    page.panel(box, "raised" if on else "panel", "focus" if on else "line", width=max(3, m.of(0.8)) if on else 2)
    inside = box.inset(m.edge, max(3, m.edge // 2))
    side = min(inside.h, m.of(8))
    badge, name, points = columns(inside, side, 1.0, min(m.of(15), inside.w // 3), gap=m.gap)
    page.add(Badge(badge.middle(side, side), colour))
    page.text(points, score, m.of(9), align="right")
    if clock is None and hand is None and not note:
        page.text(name, player, m.body, align="left", lines=2)
        return
    if inside.h < m.of(11) and name.w > m.of(28):
        upper, lower = columns(name, 1.0, m.of(12), gap=m.gap)
    else:
        upper, lower = rows(name, 1.0, 1.0)
    page.text(upper, player, m.body, align="left")
    if clock is not None:
        page.add(Ticking(lower, clock, m.body, "quiet", "left", warn="warn"))
    elif hand is not None:
        sign, count = columns(lower, m.of(6), 1.0, gap=m.gap // 2)
        page.add(Symbol(sign.middle(m.of(5), m.of(5)), "cards", "quiet"))
        page.text(count, str(hand), m.body, "quiet", align="left")
    else:
        page.text(lower, note, m.small, "quiet", align="left")


def tiles(box: Box, count: int, m: Measure) -> list[Box]:
    """Places for so many tiles of players, all of one size, close together."""
    across = 1 if m.wide and box.h >= count * m.of(9.5) else 2
    return packed(box, count, across, m.of(17), m.gap)


def span(words: Words, low: int, high: int) -> str:
    """How many players a game is for."""
    if low == high:
        return words.say(labels.PLAYERS_EXACTLY, count=low)
    return words.say(labels.PLAYERS_COUNT, fewest=low, most=high)
