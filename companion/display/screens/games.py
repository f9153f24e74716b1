"""Choose a game: with its picture, for how many, how long. And go on where people left off."""

from companion.display.layout import Box, best_grid, columns, rows
from companion.display.scene import Art, Badge, Change, Go, GoOn, Intent, Leave, Panel, Scene, Symbol
from companion.display.screens.parts import Page
from companion.display.view import Draft, View
from companion.games import NAMES
from companion.games import game as game_named
from companion.words import labels

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
    title, *entries = columns(head, 1.0, *(m.touch,) * len(ENTRIES), gap=m.gap)
    page.text(title, page.words.say(labels.CHOOSE_A_GAME), m.large, align="left")
    for (screen, symbol, key), cell in zip(ENTRIES, entries, strict=True):
        look = "danger" if screen == "doctor" and view.ailing else "plain"
        page.button(cell, "", Go(screen), symbol=symbol, key=key, look=look)
    shortcut = _shortcut(view)
    cells = best_grid(body, 6, 1.45 if m.wide else 1.1, m.gap)
    for number, (name, cell) in enumerate(zip(NAMES, cells, strict=False), 1):
        _tile(page, cell, name, str(number))
    if shortcut:
        _again(page, cells[5], *shortcut)
    else:
        _welcome(page, cells[5])
    return page.done(escape=Leave())


def _tile(page: Page, cell: Box, name: str, key: str) -> None:
    m, game = page.m, game_named(name)
    page.add(Panel(cell, "panel", "line", radius=m.of(2.4), intent=Go("players", name), key=key))
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


def _welcome(page: Page, cell: Box) -> None:
    page.text(
        cell.inset(page.m.edge), page.words.say("Touch a game: who plays comes next."), page.m.of(6), "quiet", lines=4
    )


def _shortcut(view: View) -> tuple[str, str, tuple[str, ...], Intent, Draft | None] | None:
    """What people most likely want: go on with a match, or the same again."""
    seen, found = view.seen, view.past.unfinished
    if seen is not None and not seen.is_over:
        return view.words.say(labels.GO_ON), seen.setup.game, seen.setup.names, Go("table"), None
    if found is not None:
        return view.words.say(labels.RESUME_MATCH), found.game, found.players, GoOn(found.code), None
    if view.past.last:
        last = view.past.last[0]
        return view.words.say(labels.SAME_AGAIN), last.game, last.names, Change(last, Go("players")), last
    return None


def _again(
    page: Page, cell: Box, title: str, game: str, names: tuple[str, ...], intent: Intent, draft: Draft | None
) -> None:
    m = page.m
    page.add(Panel(cell, "raised", "main", width=max(2, m.of(0.7)), radius=m.of(2.4), intent=intent, key="return"))
    inside = cell.inset(m.edge)
    top, which, who = rows(inside, 1.0, 0.9, 1.5, gap=m.gap // 2)
    page.text(top, title, m.of(6.6), "warn")
    page.text(which, game_named(game).title, m.body)
    if draft:
        badges, who = rows(who, m.of(6), 1.0, gap=m.gap // 2)
        side = min(badges.h, badges.w // max(1, len(draft.players)))
        row = badges.middle(side * len(draft.players), side)
        for number, player in enumerate(draft.players):
            page.add(Badge(Box(row.x + side * number, row.y, side, side).inset(2), player.colour))
    page.text(who, page.words.listed(names), m.small, "quiet", lines=3)
