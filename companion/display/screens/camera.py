"""What the camera sees now: its picture with the cells that were found, and the cards that are read on them."""

from companion.display.layout import columns, grid, rows
from companion.display.scene import Picture, Scene, Symbol
from companion.display.screens import watched
from companion.display.screens.parts import page
from companion.display.view import View
from companion.words import labels


def scene(view: View) -> Scene:
    made, _, body = page(view, view.words.say(labels.CAMERA))
    m, sight = view.m, view.sight
    if m.wide:
        picture, beside = columns(body, 1.0, round(body.h * 0.62), gap=m.gap)
        cards, said = rows(beside, beside.w, 1.0, gap=m.gap)
    else:
        picture, beside = rows(body, round(body.w / watched.WIDE) + 2 * m.edge, 1.0, gap=m.gap)
        side = min(beside.w, beside.h - m.of(24))
        cards, said = rows(beside, side, 1.0, gap=m.gap)
        cards = cards.middle(side, side)
    made.panel(picture)
    if sight.still is None:
        made.add(Symbol(picture.middle(m.of(20), m.of(20)), "camera", "quiet"))
    else:
        made.add(Picture(picture.inset(m.edge), still=sight.still, outlines=watched.outlines(view)))
    if sight.places:
        watched.seen_cards(made, grid(cards, 9, 3, max(2, m.gap // 2), down=3))
    made.text(said if sight.places else beside, watched.state_of(view), m.body, lines=12)
    return made.done(is_live=True)
