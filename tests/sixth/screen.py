"""The table of Sticks on the screen: the sticks that are left, and a button for each number that may be taken."""

from companion.display.layout import Box, columns, rows
from companion.display.scene import Go, PanelItem, Say, Scene
from companion.display.screens.elements import Page, match_page, player_tile, tiles
from companion.display.screens.table_screen import TableScreen
from companion.display.view import View
from companion.words import labels
from tests.sixth.rules import State, Take


def scene(view: View) -> Scene:
    state, m = view.match.state, view.m
    page, _, body = match_page(view, view.words.say(labels.WHOSE_TURN, player=state.turn))
    people, sticks, acts = rows(body, 1.0, 1.0, m.of(16), gap=m.gap)
    for player, taken, cell in zip(state.players, state.taken, tiles(people, len(state.players), m), strict=True):
        player_tile(page, cell, player, str(taken), on=player == state.turn)
    draw_sticks(page, sticks, state.left)
    _acts(page, acts, state)
    return page.done(escape=Go("menu"))


def draw_sticks(page: Page, box: Box, count: int) -> None:
    page.panel(box)
    for cell in columns(box.inset(page.m.edge), *(1.0,) * max(1, count), gap=2)[:count]:
        page.add(PanelItem(cell.middle(max(2, cell.w // 3), cell.h), "yellow", "rim", 1))


def _acts(page: Page, box: Box, state: State) -> None:
    most = min(state.house.most, state.left)
    for count, cell in enumerate(columns(box, *(1.0,) * most, gap=page.m.gap), 1):
        page.button(cell, str(count), Say(Take(state.turn, count)), size=page.m.large, key=str(count))


SCREEN = TableScreen(scene)
