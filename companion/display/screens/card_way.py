"""How the referee is to learn of the cards, as a line of the set-up: only what this table can do for this game."""

from dataclasses import replace

from companion.core.card_ways import RULE, Senses, way_of, ways, ways_at
from companion.core.rules import COUNTED, SEEN, TOLD
from companion.display.layout import Box, columns, rows
from companion.display.scene import ChangeTo
from companion.display.screens.camera_view import laid_mat
from companion.display.screens.elements import Page
from companion.display.speech import capital
from companion.display.view import View

BLIND = ("none", "gone", "blind")  # how a camera is that will see nothing


def senses(view: View) -> Senses:
    return Senses(view.sight.state not in BLIND, view.draws)


def looks(view: View) -> bool:
    """The camera is to be tried, because it may be a way of this game."""
    return SEEN in ways(view.draft.playing) and view.sight.state != "none"


def mat_of_another(view: View) -> str:
    """The game whose mat lies there instead of one of the game that is set up."""
    lies = laid_mat(view)
    return lies if lies != view.draft.game else ""


def deep(view: View) -> tuple[int, ...]:
    """How much room the line takes; none where there is nothing to choose."""
    able = ways_at(view.draft.playing, senses(view))
    return (view.m.touch if view.m.wide else view.m.touch + view.m.of(7),) if len(able) > 1 else ()


def line(made: Page, box: Box) -> None:
    m, view = made.m, made.view
    game, house = view.draft.playing, view.draft.house
    able, chosen = ways_at(game, senses(view)), way_of(game, house, senses(view))
    able = tuple(way for way in (SEEN, TOLD, COUNTED) if way in able)
    title, choices = columns(box, m.of(36), 1.0, gap=m.gap) if m.wide else rows(box, m.of(6), 1.0, gap=m.of(1))
    made.text(title, made.words.say("The referee …"), m.body, "quiet", align="left")
    for way, cell in zip(able, columns(choices, *(1.0,) * len(able), gap=m.gap), strict=True):
        change = ChangeTo(replace(view.draft, house=replace(house, **{RULE: way})))
        made.button(cell, capital(made.words.choice(way)), change, on=way == chosen)
