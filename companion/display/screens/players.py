"""Who plays, where everybody sits, and by which house rules. From here a match begins."""

from dataclasses import replace

from companion.display.layout import Box, columns, packed, rows
from companion.display.scene import Art, Badge, Change, Go, Panel, Scene, Start, Text
from companion.display.screens import ways
from companion.display.screens.house import changed_rules
from companion.display.screens.parts import Page, first_round, page, span
from companion.display.view import View, sides
from companion.words import labels

FEW = 3  # so many players leave room for the picture of the game
SIDE_NAMES = {"bottom": "at the bottom", "left": "on the left", "top": "at the top", "right": "on the right"}  # said


def scene(view: View) -> Scene:
    draft, m = view.draft, view.m
    game = draft.playing
    made, more, body = page(view, game.title)
    many, how = columns(more, 1.0, m.touch, gap=m.gap)
    made.text(many, span(view.words, *game.players), m.small, "quiet", align="right")
    made.button(how, "?", Go("rules", game.name), size=m.large, key="?")
    body = first_round(made, body, game.name) if game.name not in [last.game for last in view.past.last] else body
    seats, *knows, foot = rows(body, 1.0, *ways.deep(view), m.of(15) if m.wide else m.of(29), gap=m.gap)
    for box in knows:
        ways.line(made, box)
    if len(draft.players) <= FEW:
        picture, seats = (columns if m.wide else rows)(seats, 1.0, 1.5, gap=m.gap)
        made.add(Art(picture.shaped(1, 1), game.name))
    _seats(made, seats)
    _foot(made, foot)
    return made.done(is_live=ways.looks(view))


def _seats(made: Page, box: Box) -> None:
    view, m = made.view, made.m
    draft, most = view.draft, view.draft.playing.players[1]
    count = len(draft.players)
    places = count + (count < most)
    cells = packed(box, places, 1 if count <= FEW or not m.wide else 2, m.of(22), m.gap)
    around = sides(count) if view.prefs.around and count in range(1, 9) else ("",) * count
    for seat, cell in enumerate(cells[:count]):
        _seat(made, cell, seat, around[seat])
    if count < most:
        more = made.words.say(labels.ADD_PLAYER)
        made.button(cells[count], more, Go("name", str(count)), symbol="more", look="quiet", key="+")


def _seat(made: Page, cell: Box, seat: int, side: str) -> None:
    m, draft = made.m, made.view.draft
    player = draft.players[seat]
    fewest = draft.playing.players[0]
    remove = len(draft.players) > fewest
    name, away = columns(cell, 1.0, m.touch, gap=m.gap // 2) if remove else (cell, None)
    made.add(Panel(name, "panel", "line", radius=m.of(2.4), intent=Go("name", str(seat)), key=str(seat + 1)))
    inside = name.inset(m.edge, m.edge // 2)
    size = min(inside.h, m.of(10))
    badge, words = columns(inside, size, 1.0, gap=m.gap)
    made.add(Badge(badge.middle(size, size), player.colour))
    if side:
        words, where = rows(words, 1.2, 1.0)
        made.add(Text(where, made.words.say(SIDE_NAMES[side]), m.small, "quiet", "left", least=m.least))
    made.text(words, player.name, m.of(6), align="left", lines=2)
    if away:
        made.button(away, "", Change(draft.without(seat)), symbol="wrong", look="quiet")


def _foot(made: Page, box: Box) -> None:
    view, m = made.view, made.m
    changed = changed_rules(view.draft)
    rules = made.words.say(labels.HOUSE_RULES)
    if changed:
        rules = made.words.say("House rules: {count} changed", count=changed)
    if m.wide:
        house, around, start = columns(box, 1.0, 1.0, 1.3, gap=m.gap)
    else:
        upper, start = rows(box, 1.0, 1.15, gap=m.gap)
        house, around = columns(upper, 1.0, 1.0, gap=m.gap)
    made.button(house, rules, Go("house"), symbol="gear", key="h")
    prefs = view.prefs
    sits = made.words.say("We sit around it") if prefs.around else made.words.say("We sit on one side")
    made.button(around, sits, Change(replace(prefs, around=not prefs.around)), symbol="seats", key="a")
    fewest, most = view.draft.playing.players
    begin = Start() if fewest <= len(view.draft.players) <= most else None
    label = made.words.say(labels.START)
    made.button(start, label, begin, look="main", symbol="play", size=m.large, key="return")
