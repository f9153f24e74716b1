"""Who plays, where everybody sits, and by which house rules. From here a match begins."""

from dataclasses import fields, replace

from companion.core.game_house import house_of
from companion.core.sentence import N_
from companion.display.layout import Box, columns, grid, packed, rows
from companion.display.past import next_name
from companion.display.scene import Art, Badge, ChangeTo, Go, PanelItem, Scene, Start, Text
from companion.display.screens import card_way as ways
from companion.display.screens.elements import Page, first_round, page, span
from companion.display.screens.house_rules import changed_rules
from companion.display.view import Draft, View, sides
from companion.games import title_of_game
from companion.words import labels

FEWEST = 2  # who play together
FEW = 3  # so many players leave room for the picture of the game
SIDE_NAMES = {
    "bottom": N_("at the bottom"),
    "left": N_("on the left"),
    "top": N_("at the top"),
    "right": N_("on the right"),
}


def scene(view: View) -> Scene:
    draft, m = view.draft, view.m
    game = draft.playing
    made, more, body = page(view, game.title)
    if len(draft.players) < FEW and game.name not in [last.game for last in view.past.last]:
        body = first_round(made, body, game.name)
    foot = m.of(15) if m.wide else m.of(29)
    if other := ways.mat_of_another(view):
        way, body = rows(body, m.of(13), 1.0, gap=m.gap)
        label = view.words.say("This is the mat of {game}.", game=title_of_game(other))
        made.button(way, label, Go("players", other), symbol="camera", key="o")
    seats, *knows, below = rows(body, 1.0, *ways.deep(view), foot, gap=m.gap)
    for box in knows:
        ways.line(made, box)
    is_roomy = len(draft.players) <= FEW
    if played := _ways(view):
        strip, seats = rows(seats, m.of(13) if m.wide else m.of(26), 1.0, gap=m.gap)
        _tiles(made, strip, played)
    if played and is_roomy:
        about, seats = rows(seats, m.of(6), 1.0, gap=m.gap)
        made.text(about, view.words.explained(draft.house.way), m.small, "quiet")
    if is_roomy and seats.h >= m.of(50):
        picture, seats = (columns if m.wide else rows)(seats, 1.0, 1.5, gap=m.gap)
        _picture(made, picture)
    else:
        more, how = columns(more, 1.0, m.touch, gap=m.gap)
        made.button(how, "?", Go("rules", game.name), size=m.large, key="?")
    made.text(more, span(view.words, *game.players), m.small, "quiet", align="right")
    _seats(made, seats)
    _foot(made, below)
    return made.done(is_live=ways.looks(view))


def _picture(made: Page, box: Box) -> None:
    """The game, and a touch away how it is played."""
    m, game = made.m, made.view.draft.game
    made.add(PanelItem(box, "panel", "line", radius=m.of(2.4), intent=Go("rules", game), key="?"))
    art, label = rows(box.inset(m.edge), 1.0, m.of(6), gap=m.gap)
    made.add(Art(art.shaped(1, 1), game))
    made.text(label, made.words.say(labels.RULES_IN_SHORT), m.small, "quiet")


def _ways(view: View) -> dict[str, Draft]:
    """Where a game is played in several ways, the set-up for each."""
    draft, rule = view.draft, house_of(view.draft.game).way
    if not rule:
        return {}
    ways = next(found for found in fields(draft.house) if found.name == rule).metadata["choices"]
    return {way: _for_way(view, rule, way) for way in ways}


def _for_way(view: View, rule: str, way: str) -> Draft:
    """A way for one alone keeps the first seat; one for several has a second."""
    draft = replace(view.draft, house=replace(view.draft.house, **{rule: way}))
    if _is_alone(draft):
        return replace(draft, players=draft.players[:1])
    if len(draft.players) < FEWEST:
        return draft.with_one_more(next_name(view.words, draft.names), view.bot_seats.usual)
    return draft


def _is_alone(draft: Draft) -> bool:
    return house_of(draft.game).is_alone(draft.house)


def _tiles(made: Page, box: Box, drafts: dict[str, Draft]) -> None:
    m = made.m
    across = len(drafts) if m.wide else -(-len(drafts) // 2)
    for (way, draft), cell in zip(drafts.items(), grid(box, len(drafts), across, m.gap), strict=True):
        on = made.view.draft.house == draft.house
        made.button(cell, made.words.choice(way), ChangeTo(draft), on=on, size=m.small)


def _seats(made: Page, box: Box) -> None:
    view, m = made.view, made.m
    draft, count = view.draft, len(view.draft.players)
    most = 1 if _is_alone(draft) else draft.playing.players[1]
    places = count + (count < most)
    is_high = places * (m.touch + m.gap) <= box.h + m.gap
    cells = packed(box, places, 1 if (count <= FEW and is_high) or not m.wide else 2, m.of(22), m.gap)
    around = sides(count) if view.prefs.around and count in range(1, 9) else ("",) * count
    for seat, cell in enumerate(cells[:count]):
        _seat(made, cell, seat, around[seat])
    if count < most:
        more = made.words.say(labels.ADD_PLAYER)
        made.button(cells[count], more, Go("name", str(count)), symbol="more", look="quiet", key="+")


def _seat(made: Page, cell: Box, seat: int, side: str) -> None:
    m, draft = made.m, made.view.draft
    player = draft.players[seat]
    fewest = 1 if _is_alone(draft) else max(FEWEST, draft.playing.players[0])
    remove = (m.touch,) * (len(draft.players) > fewest)
    sits = (_sits_wide(made, cell),) * (draft.game in made.view.bot_seats.games)
    name, *others = columns(cell, 1.0, *sits, *remove, gap=m.gap // 2)
    made.add(PanelItem(name, "panel", "line", radius=m.of(2.4), intent=Go("name", str(seat)), key=str(seat + 1)))
    inside = name.inset(m.edge, m.edge // 2)
    size = min(inside.h, m.of(10))
    badge, words = columns(inside, size, 1.0, gap=m.gap)
    made.add(Badge(badge.middle(size, size), player.colour))
    if side:
        words, where = rows(words, 1.2, 1.0)
        made.add(Text(where, made.words.say(SIDE_NAMES[side]), m.small, "quiet", "left", least=m.least))
    made.text(words, player.name, m.of(6), align="left", lines=2)
    for box in others[: len(sits)]:
        _who(made, box, seat)
    for box in others[len(sits) :]:
        made.button(box, "", ChangeTo(draft.without(seat)), symbol="wrong", look="quiet")


def _sits_wide(made: Page, cell: Box) -> int:
    """How much of a seat is for the choice between person and bot; a sign alone, where there is little room."""
    m = made.m
    return m.of(30) if cell.w > m.of(90) else m.touch


def _who(made: Page, box: Box, seat: int) -> None:
    bot = made.view.draft.players[seat].bot
    label = made.words.say(labels.PERSON)
    if bot is not None:
        label = made.words.told_of(made.words.say(labels.BOT), made.words.say(labels.LEVELS[bot.level][0]))
    if box.w <= made.m.touch:
        label = ""
    made.button(box, label, Go("seat", str(seat)), symbol="person" if bot is None else "bot", size=made.m.small)


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
    made.button(around, sits, ChangeTo(replace(prefs, around=not prefs.around)), symbol="seats", key="a")
    fewest, most = view.draft.playing.players
    begin = Start() if fewest <= len(view.draft.players) <= most else None
    label = made.words.say(labels.START)
    made.button(start, label, begin, look="main", symbol="play", size=m.large, key="return")
