"""How a face of a deck is drawn: as the camera saw it, as its game draws it, or by its name."""

from companion.core.match import COLOURS
from companion.display.layout import Box, rows
from companion.display.scene import Item, PanelItem, Picture
from companion.display.screens.elements import Page
from companion.display.screens.table_screen import screen_of
from companion.teaching.teaching_sight import KnownFace, TeachingSight
from companion.words import labels

ALSO = {"back": labels.BACK_OF_CARDS, "mat": labels.EMPTY_MAT}


def of_teaching(page: Page) -> TeachingSight:
    """What is known of the deck that is taught; of the one that a screen is about, before that."""
    game, _, name = page.view.about.partition(":")
    return page.view.teaching or TeachingSight(name, game)


def face_name(page: Page, face: str) -> str:
    also = ALSO.get(face)
    return page.words.say(also) if also else page.words.card(face)


def drawn_face(page: Page, box: Box, game: str, face: str, size: int = 0) -> None:
    """As the game draws it, a number on its colour, or its name."""
    found: tuple[Item, ...] = tuple(screen_of(game).face(box, face))
    page.add(*found)
    colour, _, number = face.partition("-")
    if not found and colour in COLOURS and number.isdecimal():
        paper = box.shaped(1, 1)
        page.add(PanelItem(paper, colour, radius=max(2, paper.w // 12)))
        page.text(paper.inset(paper.w // 6), number, paper.h // 2, f"on-{colour}")
    elif not found:
        page.text(box, face_name(page, face), size or page.m.small, "quiet", lines=4)


def seen_face(page: Page, box: Box, known: KnownFace) -> None:
    page.add(Picture(box.shaped(1, 1), still=known.still))


def named_face(page: Page, box: Box, game: str, face: str) -> None:
    """Drawn, with its name below."""
    picture, name = rows(box, 1.0, page.m.of(5), gap=2)
    drawn_face(page, picture, game, face)
    page.text(name, face_name(page, face), page.m.of(3.8), "quiet")
