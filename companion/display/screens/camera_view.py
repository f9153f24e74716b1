"""What the camera sees now: its picture with the cells that were found, and the cards that are read on them."""

from companion.core.game_print import game_on, mats_of
from companion.core.sentence import N_
from companion.display.layout import Box, columns, grid, rows
from companion.display.scene import CardItem, ForgetPictures, Go, Outline, Picture, Scene, Symbol
from companion.display.screens.elements import Page, page
from companion.display.view import View
from companion.games import title_of_game
from companion.words import labels

WIDE = 16 / 9  # a camera's picture
NINE = 9  # places in three rows
ROLES = {"clear": "good", "covered": "quiet", "changed": "warn", "unreadable": "bad", "unknown": "quiet"}
TELLS = {"covered": " …", "changed": " …", "unreadable": " ?", "unknown": " ?"}
STATES = {
    "none": N_("There is no camera."),
    "off": N_("The camera is off."),
    "opening": N_("The camera is being opened."),
    "gone": N_("The camera shows nothing."),
    "blind": N_("The cards cannot be read."),
    "looking": N_("The table is not found yet."),
    "found": N_("I see the table."),
}


def scene(view: View) -> Scene:
    made, _, body = page(view, view.words.say(labels.CAMERA))
    m, sight = view.m, view.sight
    is_nine = len(sight.places) in (0, NINE)
    if m.wide:
        picture, beside = columns(body, 1.0, round(body.h * (0.62 if is_nine else 0.4)), gap=m.gap)
        cards, said = rows(beside, beside.w, 1.0, gap=m.gap)
    else:
        picture, beside = rows(body, round(body.w / WIDE) + 2 * m.edge, 1.0, gap=m.gap)
        side = min(beside.w, beside.h - m.of(24))
        cards, said = rows(beside, side, 1.0, gap=m.gap)
        cards = cards.middle(side, side)
    made.panel(picture)
    if sight.still is None:
        made.add(Symbol(picture.middle(m.of(20), m.of(20)), "camera", "quiet"))
    else:
        made.add(Picture(picture.inset(m.edge), still=sight.still, outlines=outlines(view)))
    has_cards = bool(sight.places) and is_nine
    if has_cards:
        seen_cards(made, grid(cards, NINE, 3, max(2, m.gap // 2), down=3))
    told = said if has_cards else beside
    if sight.kept:
        told = _kept(made, told, has_cards=has_cards)
    if not (sight.kept and has_cards):  # that they are found is to be seen, and there is little room
        _said(made, told)
    return made.done(is_live=True)


def _said(made: Page, box: Box) -> None:
    """How the camera is, and the way to the game whose mat lies there."""
    m, view = made.m, made.view
    lies = laid_mat(view)
    is_played = view.seen is not None and not view.seen.is_over
    if not lies or is_played:
        made.text(box, state_of(view), m.body, lines=12)
        return
    said, way = rows(box, 1.0, m.of(15), gap=m.gap)
    made.text(said, state_of(view), m.body, lines=12)
    made.button(way, title_of_game(lies), Go("players", lies), look="main", symbol="play", key="g")


def _kept(made: Page, box: Box, *, has_cards: bool) -> Box:
    """That pictures are kept, and the one touch with which they are gone; what is left of the box."""
    m, words = made.m, made.words
    shares = (1.0,) if has_cards else (0.6, 1.0)
    *left, says, button = rows(box, *shares, m.of(14), gap=m.gap // 2)
    made.text(says, words.say(labels.PICTURES_KEPT, count=made.view.sight.kept), m.small, "warn", lines=5)
    made.button(button, words.say(labels.FORGET_PICTURES), ForgetPictures(), symbol="erase", key="f", size=m.small)
    return left[0] if left else says


def state_of(view: View) -> str:
    """What there is to say of the camera, in one sentence."""
    return view.words.heard(view.sight.why) or view.words.say(STATES[view.sight.state])


def laid_mat(view: View) -> str:
    """The game whose mat people have laid there; a drawn table lays one by itself."""
    return "" if view.draws else game_on(view.sight.mat)


def other_mat(view: View, game: str) -> str | None:
    """That the mat of another game lies there, or nobody's."""
    lies = view.sight.mat
    if not lies or lies in mats_of(game):
        return None
    of = game_on(lies)
    return view.words.say("This is the mat of {game}.", game=title_of_game(of)) if of else state_of(view)


def outlines(view: View) -> tuple[Outline, ...]:
    """The places in the camera's picture; of many those that show something."""
    places = view.sight.places
    is_few = len(places) <= NINE
    return tuple(
        Outline(place.corners, ROLES[place.now], f"{place.cell}{TELLS.get(place.now, '')}" if is_few else "")
        for place in places
        if is_few or place.card or place.now != "clear"
    )


def seen_cards(page: Page, boxes: list[Box]) -> None:
    """The nine cards as they were read last, each with what the camera has of its cell."""
    m = page.m
    for place, box in zip(page.view.sight.places, boxes, strict=False):
        width = max(2, m.of(0.6))
        page.panel(box, "panel", ROLES[place.now], width=width)
        inside = box.inset(width + max(1, m.of(0.4)))
        if place.card:
            page.add(CardItem(inside.shaped(1, 1), place.card))
        else:
            page.text(inside, TELLS.get(place.now, " –").strip(), m.large, "quiet")
