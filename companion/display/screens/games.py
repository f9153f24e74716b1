"""Choose a game: with its picture, for how many, how long. And go on where people left off."""

from dataclasses import dataclass

from companion.core.match import Player
from companion.display.layout import Box, best_grid, columns, rows
from companion.display.past import UNFINISHED
from companion.display.scene import (
    Art,
    Badge,
    Button,
    ChangeTo,
    Go,
    GoOn,
    Intent,
    Leave,
    Mark,
    PanelItem,
    Scene,
    Symbol,
    Text,
)
from companion.display.screens.camera_view import laid_mat
from companion.display.screens.elements import Page
from companion.display.view import View
from companion.games import NAMES
from companion.games import game as game_named
from companion.words import labels

PHONES = ("phones", "phone", "o")
ENTRIES = (
    ("rules", "bulb", "?"),
    ("history", "sheet", "h"),
    ("statistics", "chart", "t"),
    ("doctor", "pulse", "d"),
    ("settings", "gear", "s"),
)


def scene(view: View) -> Scene:
    page, m = Page(view), view.m
    head, body = rows(view.screen_box.inset(m.edge), m.touch, 1.0, gap=m.gap)
    shown = (PHONES, *ENTRIES) if view.has_board else ENTRIES
    title, *entries = columns(head, 1.0, *(m.touch,) * len(shown), gap=m.gap)
    page.text(title, page.words.say(labels.CHOOSE_A_GAME), m.large, align="left", lines=1 + view.has_board)
    for (screen, symbol, key), cell in zip(shown, entries, strict=True):
        look = "danger" if screen == "doctor" and view.ailing else "plain"
        page.button(cell, "", Go(screen), symbol=symbol, key=key, look=look)
    cells = best_grid(body, len(NAMES) + 1, 1.45 if m.wide else 1.1, m.gap)
    for number, (name, cell) in enumerate(zip(NAMES, cells, strict=False), 1):
        _tile(page, cell, name, str(number))
    _shortcuts(page, cells[len(NAMES)])
    if view.marks.get("leave"):
        _asks_to_leave(page)
        return page.done(escape=Mark("leave"))
    return page.done(escape=Leave())


def _asks_to_leave(page: Page) -> None:
    """Nobody closes the table by a touch too many."""
    m, words = page.m, page.words
    box = page.view.screen_box.middle(m.of(120), m.of(52))
    asks, answers = rows(box.inset(2 * m.edge), 1.0, m.of(15), gap=m.gap)
    stay, leave = columns(answers, 1.0, 1.0, gap=m.gap)
    page.over += [
        PanelItem(box, "raised", "", radius=m.of(3)),
        Text(asks, words.say("Close the table?"), m.large, least=m.least, lines=2),
        Button(stay, words.say(labels.STAY), m.body, intent=Mark("leave"), least=m.least, key="return"),
        Button(leave, words.say(labels.CLOSE), m.body, "danger", intent=Leave(is_sure=True), least=m.least, key="c"),
    ]


def _tile(page: Page, cell: Box, name: str, key: str) -> None:
    m, game = page.m, game_named(name)
    page.add(PanelItem(cell, "panel", "line", radius=m.of(2.4), intent=Go("players", name), key=key))
    inside = cell.inset(m.edge)
    beside = inside.w > 1.8 * inside.h
    if beside:
        picture, words = columns(inside, min(inside.h, inside.w // 2), 1.0, gap=m.gap)
        words = words.middle(words.w, m.of(17))
    else:
        picture, words = rows(inside, 1.0, m.of(15), gap=m.gap)
    page.add(Art(picture.shaped(1, 1), name))
    title, facts = rows(words, 1.4, 1.0, gap=m.gap // 2)
    page.text(title, game.title, m.of(7), align="left" if beside else "centre")
    low, high = game.players
    many = str(low) if low == high else f"{low}–{high}"
    people, clock = columns(facts.middle(min(facts.w, m.of(41)), facts.h), 1.0, 1.25, gap=m.gap)
    for box, symbol, text in (
        (people, "people", many),
        (clock, "clock", page.words.say(labels.MINUTES, minutes=game.minutes)),
    ):
        sign, words = columns(box, m.of(5), 1.0, gap=m.gap // 2)
        page.add(Symbol(sign.middle(m.of(5), m.of(5)), symbol, "quiet"))
        page.text(words, text, m.small, "quiet", align="left")


@dataclass(frozen=True, slots=True)
class _Offer:
    """What people most likely want, in one touch."""

    label: str
    game: str
    names: tuple[str, ...]
    intent: Intent
    players: tuple[Player, ...] = ()
    code: str = ""


def _shortcuts(page: Page, cell: Box) -> None:
    """The game whose mat lies there; go on with a match, the others that are not over, or the same again."""
    view, m = page.view, page.m
    if lies := laid_mat(view):
        upper, cell = rows(cell, m.touch, 1.0, gap=m.gap)
        label = page.words.say("This is the mat of {game}.", game=game_named(lies).title)
        page.button(upper, label, Go("players", lies), symbol="camera", size=m.small, key="c")
    offer = _offer(view)
    if offer is None:
        welcome = page.words.say("Touch a game. Next you say who plays.")
        page.text(cell.inset(m.edge), welcome, m.of(6), "quiet", lines=4)
        return
    others = sum(match.code != offer.code for match in view.past.unfinished)
    more: list[tuple[str, Intent, str]] = []
    if others:
        more.append((page.words.say(labels.MORE_UNFINISHED, count=others), Go("history", UNFINISHED), "u"))
    if view.past.last and offer.label == labels.RESUME_MATCH:
        more.append((page.words.say(labels.SAME_AGAIN), _same(view), "a"))
    if more:
        cell, lower = rows(cell, 1.0, m.touch, gap=m.gap)
        for (label, intent, key), box in zip(more, columns(lower, *(1.0,) * len(more), gap=m.gap), strict=True):
            page.button(box, label, intent, size=m.small, key=key)
    _again(page, cell, offer)


def _offer(view: View) -> _Offer | None:
    seen = view.seen
    if seen is not None and not seen.is_over:
        return _Offer(labels.GO_ON, seen.setup.game, seen.setup.names, Go("table"), code=seen.setup.id)
    for newest in view.past.unfinished[:1]:
        return _Offer(labels.RESUME_MATCH, newest.game, newest.players, GoOn(newest.code), code=newest.code)
    for last in view.past.last[:1]:
        return _Offer(labels.SAME_AGAIN, last.game, last.names, _same(view), last.players)
    return None


def _same(view: View) -> Intent:
    return ChangeTo(view.past.last[0], Go("players"))


def _again(page: Page, cell: Box, offer: _Offer) -> None:
    m = page.m
    edge = max(2, m.of(0.7))
    page.add(PanelItem(cell, "raised", "main", width=edge, radius=m.of(2.4), intent=offer.intent, key="return"))
    inside = cell.inset(m.edge)
    top, which, who = rows(inside, 1.0, 0.9, 1.5, gap=m.gap // 2)
    page.text(top, page.words.say(offer.label), m.of(6.6), "warn")
    page.text(which, game_named(offer.game).title, m.body)
    if offer.players:
        badges, who = rows(who, m.of(6), 1.0, gap=m.gap // 2)
        side = min(badges.h, badges.w // len(offer.players))
        row = badges.middle(side * len(offer.players), side)
        for number, player in enumerate(offer.players):
            page.add(Badge(Box(row.x + side * number, row.y, side, side).inset(2), player.colour))
    page.text(who, page.words.listed(offer.names), m.small, "quiet", lines=3)
