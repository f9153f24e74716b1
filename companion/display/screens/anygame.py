"""The table of a game that has no screen of its own: whose turn it is, the scores, and what happened last."""

from companion.core.rules import Move
from companion.display.layout import columns, grid, rows
from companion.display.scene import Go, Say, Scene
from companion.display.screens.elements import match_page, player_tile, tiles
from companion.display.speech import capital, news
from companion.display.view import View
from companion.words import labels


def scene(view: View) -> Scene:
    seen, m = view.match, view.m
    page, more, body = match_page(view, seen.game.title)
    page.text(more, view.words.say(labels.MOVES_COUNT, count=len(seen.line)), m.body, "quiet")
    if m.wide:
        people, told = columns(body, 1.0, 1.4, gap=m.gap)
    else:
        people, told = rows(body, 1.0, 1.4, gap=m.gap)
    names, scores = seen.state.players, seen.state.scores
    for player, score, cell in zip(names, scores, tiles(people, len(names), m), strict=True):
        player_tile(page, cell, player, str(score), on=player == seen.state.turn)
    sentences, acts = rows(told, 1.0, 1.0, gap=m.gap)
    page.panel(sentences)
    page.text(sentences.inset(m.edge), "\n".join(news(view.words, view.match)[-3:]), m.body, align="left", lines=6)
    moves = _simple(view)
    for move, cell in zip(moves, grid(acts, max(1, len(moves)), 2, m.gap, down=2), strict=False):
        page.button(cell, capital(view.words.say(move.doing or move.word)), Say(move))
    return page.done(escape=Go("menu"))


def _simple(view: View) -> list[Move]:
    """The moves that need nothing but a player, for whoever may make them first."""
    kinds = {kind.word: kind for kind in view.match.game.moves if not kind.by_referee}
    found = []
    for word, players in view.match.may.items():
        try:
            found.append(kinds[word](players[0]))
        except (KeyError, TypeError, IndexError):
            continue
    return found
