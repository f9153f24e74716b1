"""A game in our own words, for whoever has not played it yet."""

from companion.display.layout import columns, rows
from companion.display.scene import Art, Scene
from companion.display.screens.parts import page, span
from companion.display.view import View
from companion.games import game as game_named


def scene(view: View) -> Scene:
    game, m = game_named(view.about), view.m
    made, more, body = page(view, game.title)
    made.text(more, span(view.words, *game.players), m.small, "quiet", align="right")
    picture, words = columns(body, m.of(44), 1.0, gap=2 * m.gap) if m.wide else rows(body, 1.0, 2.4, gap=m.gap)
    made.add(Art(picture.shaped(1, 1), game.name))
    summary = view.words.summary(game)
    made.text(words, summary, m.body, align="left", lines=24)
    return made.done()
