"""What a camera adds to the table of Triple³: what it sees on the cells, what is out of step and the way back."""

from companion.display.layout import Box, rows
from companion.display.scene import Intent, Picture, Say, Symbol
from companion.display.screens.camera_view import WIDE, state_of
from companion.display.screens.elements import Page
from companion.display.view import View
from companion.games.triple3.rules import CELLS, Lay
from companion.watch.messages import LookRequest

Sign = tuple[str, str]  # a symbol and its colour


# --- a cell ----------------------------------------------------------------------------------------------------


def sign_of(view: View, cell: int) -> Sign | None:
    """What is wrong on a cell, or that something is over it."""
    step = view.sight.step
    if cell in step.astray:
        return "eye", "warn"
    if cell in step.called:
        return "no", "bad"
    return None


def is_covered(view: View, cell: int) -> bool:
    places = view.sight.places
    return bool(places) and places[cell - 1].now in ("covered", "changed")


def touch_on(view: View, cell: int) -> Intent | None:
    """To look at a cell again that is out of step."""
    return Say(LookRequest(cell)) if cell in view.sight.step.astray else None


# --- before the round ------------------------------------------------------------------------------------------


def laying_out(page: Page, box: Box) -> None:
    """The nine cells as they lie, or while they are not found the picture itself."""
    page.panel(box)
    m = page.m
    inside = box.inset(m.edge)
    picture, said = rows(inside, round(inside.w / WIDE), 1.0, gap=m.gap)
    still = page.view.sight.still
    if still is None:
        side = m.of(16)
        page.add(Symbol(picture.middle(side, side), "camera", "quiet"))
    else:
        page.add(Picture(picture, still=still))
    page.text(said, state_of(page.view), m.of(4.8), lines=7)


def lying(view: View) -> dict[int, str]:
    """The cards that are read on the cells."""
    return {place.cell: place.card for place in view.sight.places if place.card}


def asks(view: View) -> str:
    """What is to be done next, as far as the camera can tell."""
    count = len(lying(view))
    if count == len(CELLS):
        return view.words.say("Deal out the others. What is left over is laid on the grid, one by one.")
    return view.words.say("The camera reads {count} of 9 cards.", count=count) if count else ""


# --- while it is played ----------------------------------------------------------------------------------------


def called(view: View) -> list[tuple[Lay, str]]:
    """Illegal cards that lie there still, and who perhaps laid them."""
    return [(Lay("", cell, found.card), _perhaps(found.guess)) for cell, found in view.sight.step.called.items()]


def guess_of(view: View, number: int) -> str:
    """Who perhaps made a move."""
    return _perhaps(view.sight.step.guesses.get(number, ""))


def _perhaps(guess: str) -> str:
    """Marked as no more than that."""
    return f" · {guess}?" if guess else ""


def covered_sign(page: Page, box: Box) -> None:
    page.add(Symbol(box, "hand", "quiet"))
