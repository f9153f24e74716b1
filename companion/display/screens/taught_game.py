"""Of which game the deck is that is to be taught."""

from companion.core.game_faces import faces_of, taught_games
from companion.core.sentence import N_
from companion.display.layout import Box, best_grid, columns, rows
from companion.display.scene import Art, Go, PanelItem, Scene, Symbol
from companion.display.screens.elements import Page, page
from companion.display.view import View
from companion.games import game as game_named
from companion.words import labels

NO_CAMERA = N_("A deck is taught before a camera, and this table has none. Pictures of it can be taught at a computer.")
BY_ITSELF = N_("{count} cards in any order")
IN_ORDER = N_("{count:{count} face|{count} faces} in the order that is shown")


def scene(view: View) -> Scene:
    made, _, body = page(view, view.words.say(labels.TEACH_A_DECK))
    if view.sight.state == "none":
        sign, told = rows(body, 1.0, 1.0, gap=view.m.gap)
        made.add(Symbol(sign.middle(view.m.of(20), view.m.of(20)), "camera", "quiet"))
        made.text(told, view.words.say(NO_CAMERA), view.m.of(6), lines=6)
        return made.done()
    games = taught_games()
    for number, (name, box) in enumerate(zip(games, best_grid(body, len(games), 2.4, view.m.gap), strict=True), 1):
        _tile(made, box, name, str(number))
    return made.done()


def _tile(made: Page, box: Box, name: str, key: str) -> None:
    m, faces = made.m, faces_of(name)
    made.add(PanelItem(box, "panel", "line", radius=m.of(2.4), intent=Go("deck-name", name), key=key))
    inside = box.inset(m.edge)
    picture, told = columns(inside, min(inside.h, inside.w // 3), 1.0, gap=m.gap)
    made.add(Art(picture.shaped(1, 1), name))
    title, about = rows(told, 1.0, 1.0)
    made.text(title, game_named(name).title, m.of(6.4), align="left")
    how = BY_ITSELF if faces.told_by else IN_ORDER
    made.text(about, made.words.say(how, count=len(faces.names)), m.small, "quiet", align="left", lines=3)
