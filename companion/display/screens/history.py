"""What was played here, newest first; each match can be opened."""

from companion.display.layout import Box, columns, rows
from companion.display.past import UNFINISHED
from companion.display.scene import Art, Go, GoOn, Intent, Mark, PanelItem, Scene, Symbol
from companion.display.screens.elements import Page, page
from companion.display.shelf import ShelvedMatch
from companion.display.view import View
from companion.games import NAMES
from companion.games import game as game_named
from companion.words import Words, labels

FAR = 10  # pages at once


def scene(view: View) -> Scene:
    m, shelf = view.m, view.shelf
    made, more, body = page(view, view.words.say(labels.UNFINISHED if view.about == UNFINISHED else labels.HISTORY))
    players = columns(more, 1.0, min(more.w, m.of(50)))[1]
    made.button(players, view.words.say(labels.STATISTICS), Go("statistics"), symbol="chart", key="s")
    if not shelf.matches:
        empty = view.words.heard(shelf.trouble) if shelf.trouble else view.words.say(labels.NO_MATCHES)
        made.text(body, empty, m.of(6), "quiet", lines=6)
        return made.done()
    high = m.of(14.5) if m.wide else m.of(22)
    listed, foot = rows(body, 1.0, m.touch, gap=m.gap)
    room = max(1, (listed.h + m.gap) // (high + m.gap))
    lines = rows(listed, *(1.0,) * room, gap=m.gap)
    for number, (played, line) in enumerate(zip(shelf.matches, lines, strict=False), 1):
        _line(made, line, played, str(number % 10))
    turn_pages(made, foot, shelf.first, room, shelf.count)
    return made.done()


def turn_pages(made: Page, box: Box, first: int, room: int, count: int) -> None:
    """The way through a list of which `room` are shown, the first of them after so many others."""
    if count <= room:
        return
    m, last = made.m, max(0, (count - 1) // room * room)
    side = m.of(17)
    far_up, up, which, down, far_down = columns(box, side, side, 1.0, side, side, gap=m.gap)
    for cell, by, label, symbol, key in (
        (far_up, -FAR, "«", "", "home"),
        (up, -1, "", "up", "page up"),
        (down, 1, "", "down", "page down"),
        (far_down, FAR, "»", "", "end"),
    ):
        if abs(by) == FAR and count <= 2 * room:
            continue
        to = min(last, max(0, first + by * room))
        made.button(cell, label, Mark("first", to) if to != first else None, symbol=symbol, key=key, size=m.large)
    shown = f"{first + 1}–{min(count, first + room)} / {count}"
    made.text(which, shown, m.body, "quiet")


def _line(made: Page, box: Box, played: ShelvedMatch, key: str) -> None:
    m, words = made.m, made.words
    made.add(PanelItem(box, "panel", "line", radius=m.of(2.4), intent=_opens(made.view, played), key=key))
    inside = box.inset(m.edge, m.edge // 2)
    art, rest = columns(inside, min(inside.h, m.of(18)), 1.0, gap=m.gap)
    if played.game in NAMES:
        made.add(Art(art.shaped(1, 1), played.game))
    if m.wide:
        about, people, ending = columns(rest, m.of(38), 1.0, m.of(34), gap=m.gap)
    else:
        upper, people = rows(rest, 1.0, 1.0, gap=2)
        about, ending = columns(upper, 1.0, 1.0, gap=m.gap)
    title, when = rows(about, 1.2, 1.0)
    made.text(title, title_of(played.game), m.of(5.6), align="left")
    made.text(when, began(words, played, made.view.shelf.today), m.small, "quiet", align="left")
    made.text(people, with_scores(words, played), m.of(4.6), "quiet", align="left", lines=2)
    _ending(made, ending, played)


def _opens(view: View, played: ShelvedMatch) -> Intent:
    """Among the unfinished a touch goes on with the match."""
    if view.about != UNFINISHED:
        return Go("match", played.code)
    is_here = view.seen is not None and view.seen.setup.id == played.code
    return Go("table") if is_here else GoOn(played.code)


def _ending(made: Page, box: Box, played: ShelvedMatch) -> None:
    m, words = made.m, made.words
    side = min(box.h, m.of(7))
    sign, text = columns(box, side, 1.0, gap=m.gap)
    names = {"running": words.say(labels.RUNNING), "abandoned": words.say(labels.ABANDONED)}
    label = names.get(played.status) or words.listed(played.winners) or words.say(labels.NOBODY_WON)
    symbol, role = {"running": ("play", "good"), "abandoned": ("flag", "quiet")}.get(played.status, ("cup", "warn"))
    made.add(Symbol(sign.middle(side, side).inset(side // 8), symbol, role))
    made.text(text, label, m.of(4.8), align="left", lines=2)


def title_of(game: str) -> str:
    """The game's title; the journal may know games that this companion does not."""
    return game_named(game).title if game in NAMES else game


def began(words: Words, played: ShelvedMatch, today: object = None) -> str:
    """When a match began, as people say it."""
    if played.began is None:
        return ""
    day, clock = played.began.date(), f"{played.began:%H:%M}"
    ago = (today - day).days if isinstance(today, type(day)) else None
    named = {0: labels.TODAY, 1: labels.YESTERDAY}.get(ago if ago is not None else -1)
    return f"{words.say(named) if named else words.date(day)}, {clock}"


def with_scores(words: Words, played: ShelvedMatch) -> str:
    """Everybody with the score, as far as there is one."""
    if len(played.scores) != len(played.players):
        return words.listed(played.players)
    return ", ".join(f"{name} {score}" for name, score in zip(played.players, played.scores, strict=True))
