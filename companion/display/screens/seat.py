"""Who sits on a seat: a person or a bot, and how well and how fast the bot plays."""

from collections.abc import Mapping
from dataclasses import replace

from companion.core.seats import Bot
from companion.display.layout import Box, columns, rows
from companion.display.scene import Badge, ChangeTo, Go, Intent, Scene
from companion.display.screens.elements import Page, page
from companion.display.view import View
from companion.words import labels

Tiles = Mapping[str, tuple[str, str]]


def scene(view: View) -> Scene:
    seat = min(int(view.about or 0), len(view.draft.players) - 1)
    player, m = view.draft.players[seat], view.m
    made, more, body = page(view, player.name)
    side = min(m.touch, more.w // 4)
    badge, name = columns(more, side, 1.0, gap=m.gap)
    made.add(Badge(badge.middle(side, side).inset(m.gap), player.colour))
    made.button(name, view.words.say(labels.NAME_AND_COLOUR), Go("name", str(seat)), key="n")
    who, *kinds = rows(body.middle(body.w, m.of(96 if m.wide else 110)), 0.8, 1.0, 1.0, gap=2 * m.gap)
    for cell, bot, label, symbol in zip(
        columns(who, 1.0, 1.0, gap=m.gap), (None, player.bot or Bot()), (labels.PERSON, labels.BOT), ("person", "bot"),
        strict=True,
    ):  # fmt: skip
        on = (player.bot is None) is (bot is None)
        made.button(cell, view.words.say(label), _sits(view, seat, bot), symbol=symbol, on=on, size=m.large)
    bot = player.bot
    if bot is not None:
        level = {level: _sits(view, seat, replace(bot, level=level)) for level in labels.LEVELS}
        pace = {pace: _sits(view, seat, replace(bot, pace=pace)) for pace in labels.PACES}
        _tiles(made, kinds[0], labels.LEVELS, bot.level, level)
        _tiles(made, kinds[1], labels.PACES, bot.pace, pace)
    return made.done()


def _sits(view: View, seat: int, bot: Bot | None) -> Intent:
    return ChangeTo(view.draft.with_player(seat, replace(view.draft.players[seat], bot=bot)))


def _tiles(made: Page, box: Box, tiles: Tiles, chosen: str, change: Mapping[str, Intent]) -> None:
    m = made.m
    for (value, (title, about)), cell in zip(tiles.items(), columns(box, *(1.0,) * len(tiles), gap=m.gap), strict=True):
        on = value == chosen
        made.button(cell, "", change[value], on=on)
        upper, lower = rows(cell.inset(2 * m.edge), 1.0, 1.2)
        made.text(upper, made.words.say(title), m.of(5.6), "on-main" if on else "text", lines=2)
        made.text(lower, made.words.say(about), m.small, "on-main" if on else "quiet", lines=4)
