"""Reading: what lies on each cell, how sure that is, and, where it is not sure enough, why.

Every cell is looked at once. One that leaves a doubt is looked at again, turned and a little nearer or farther, and
what the looks say is weighed together. A reader that is still in doubt says so and gives what it thinks likely.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.sentence import N_, Sentence
from vision.cell_answer import BuiltInDeck, CellAnswer, KnownDeck
from vision.cells import cut, side_of, whitened
from vision.deck import CARDS, STATES, State
from vision.deck_file import DeckFile
from vision.features import FeatureNetwork
from vision.frames import Picture, Points
from vision.mat import Mat
from vision.mat_light import MatLight, mat_light
from vision.once import once
from vision.runtime import FOLDER, quickest, quickest_closer
from vision.squares import FINE_SIDE, SIDE, Squares
from vision.taught_deck import TaughtDeck
from vision.veil import tinge

TOO_SMALL = N_("too small, {side} pixels wide: bring the camera nearer")
CELLS = 9
SMALLEST = 40.0  # pixels of a cell's side in the picture; waves of a smaller one run into each other
DOUBT = 0.98  # below it a cell is looked at again
STRICTER = 10  # times less doubt is let pass where light or focus may hide something
LOOKS = 0.5  # of the confidence, from which a cell looks like a card by itself
LIKELY = 4  # so many cards are named as likely
ZOOMS = (1.0, 0.93, 1.07, 0.97)  # of the looks, each turned by a quarter more than the one before
FINE_OF = 2  # every second of them is a close look as well: four tell no more than two

BARE = [STATES.index("empty"), STATES.index("foreign")]  # what a square that shows nothing may be

WASHED = 0.25  # of a square that shows nothing, so much may be burnt out: where more is, so may be what was drawn
TINGED = 0.14  # so much the colour of one card's paper may differ before it is taken for light that lies on it
BURNT = 252  # grey from which it is
GREY = 14  # so far apart the three colours of a grey point may be
WHY_NOT: dict[State, str] = {
    "empty": N_("no card lies there"),
    "face-down": N_("the card lies face down"),
    "hand": N_("a hand or an arm covers it"),
    "foreign": N_("it is not a card of this deck"),
}

WHICH_IS_ON = N_("it looks like {card}, which is on cell {first}")

Likely = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """One cell: `card` is only there if it is sure, `likely` always says what it might be."""

    cell: int
    state: State
    card: str | None
    confidence: float
    reason: str = ""  # why there is no card: one sentence without the cell's number
    likely: Likely = ()

    @property
    def guess(self) -> str | None:
        """The likeliest card, however unsure."""
        return self.likely[0][0] if self.likely else None


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """What was seen of some cells."""

    squares: Squares
    answers: list[CellAnswer]
    sides: list[float]  # of the cells in the picture, in pixels


class Reader:
    """A deck that is known, and the looking again: the deck of the model's own card, or one that was taught."""

    def __init__(
        self, folder: Path = FOLDER, *, deck: str = "", only: str = "", taught: DeckFile | None = None
    ) -> None:
        about, self.model = quickest(folder, deck, only)
        self._deck: KnownDeck = BuiltInDeck(about, self.model, quickest_closer(about, folder, only))
        self._is_taught = taught is not None
        if taught is not None:
            self._deck = TaughtDeck(taught, FeatureNetwork(folder, only=only), self._deck)

    @property
    def cards(self) -> tuple[str, ...]:
        """The faces that it knows."""
        return self._deck.cards

    def read(self, picture: Picture, cells: Points, mat: Mat | None = None) -> tuple[Reading, ...]:
        """The cells of a picture, numbered from 1; no card is on two of them."""
        looked = self.look(picture, cells, self.light_of(picture, cells, mat))
        numbers = range(1, len(cells) + 1)
        if not self._deck.is_once:
            return self.told(looked, numbers)
        given = replace(looked, answers=once(looked.answers))
        return tuple(self._with_the_other(self.told(given, numbers), looked.answers))

    def light_of(self, picture: Picture, cells: Points, mat: Mat | None) -> MatLight | None:
        """What a mat's patches say of the light: of a deck that was taught colours are what fails in another light."""
        is_wanted = self._is_taught and mat is not None and mat.spans == 1 and len(cells) == len(mat.places)
        return mat_light(picture, cells, mat) if is_wanted and mat is not None else None

    def look(self, picture: Picture, cells: Points, light: MatLight | None = None) -> Looked:
        """The same, before it is told: what several pictures say can be weighed together."""
        looked = self.glance(picture, cells, light)
        for at, answer in enumerate(looked.answers):
            if answer.state.argmax() == 0 and answer.confidence < DOUBT:
                looked.answers[at] = self._again(picture, cells[at], light)
        return looked

    def glance(self, picture: Picture, cells: Points, light: MatLight | None = None) -> Looked:
        """One look, however doubtful."""
        squares = cut(picture, cells)
        answers = self.answers(squares if light is None else light.off(squares))
        return Looked(squares, answers, [side_of(corners) for corners in cells])

    def told(self, looked: Looked, numbers: Iterable[int]) -> tuple[Reading, ...]:
        """What is told of cells with these numbers, of each by itself."""
        is_grey = self._deck.has_colours and not has_colours(looked.squares)
        return tuple(
            self._reading(number, square, answer, side, is_grey=is_grey)
            for number, square, answer, side in zip(numbers, looked.squares, looked.answers, looked.sides, strict=True)
        )

    def _with_the_other(self, readings: Sequence[Reading], answers: Sequence[CellAnswer]) -> Iterator[Reading]:
        """Of a cell in doubt that by itself looks like a card: which other cell does so too, if that is why."""
        names = [self._deck.cards[int(answer.cards.argmax())] for answer in answers]
        alone = [name if answer.confidence > LOOKS else "" for name, answer in zip(names, answers, strict=True)]
        for reading, card in zip(readings, alone, strict=True):
            others = [other for other, its in zip(readings, alone, strict=True) if its == card and other is not reading]
            if reading.state != "unclear" or not card or not others:
                yield reading
                continue
            other = max(others, key=lambda one: one.confidence)
            text = WHICH_IS_ON if other.card == card else N_("it looks like {card}, and so does cell {first}")
            yield replace(reading, reason=Sentence(text, card=spoken(card), first=other.cell))

    def answers(self, squares: Squares) -> list[CellAnswer]:
        """One look at each."""
        return self._deck.answers(squares)

    def _again(self, picture: Picture, corners: Points, light: MatLight | None) -> CellAnswer:
        middle = corners.mean(0)
        looks = np.stack([np.roll((corners - middle) * zoom + middle, turn, 0) for turn, zoom in enumerate(ZOOMS)])
        shown = cut(picture, looks), cut(picture, looks[::FINE_OF], FINE_SIDE)
        return self._deck.together(*(shown if light is None else map(light.off, shown)))

    def _reading(
        self, cell: int, square: NDArray[np.uint8], answer: CellAnswer, side: float, *, is_grey: bool
    ) -> Reading:
        state = STATES[int(answer.state.argmax())]
        best = np.argsort(answer.cards)[::-1][:LIKELY]
        likely = tuple((self._deck.cards[at], float(answer.cards[at] * answer.state[0])) for at in best)
        if state in ("foreign", "empty") and is_bare(square):
            return self._bare(cell, square, answer, likely)
        if is_grey:
            return Reading(cell, "unclear", None, 0.0, N_("the picture has no colours"), ())
        if state not in ("card", "unclear") and answer.state.max() >= self._deck.accepted_state:
            return Reading(cell, state, None, float(answer.state.max()), WHY_NOT[state], likely)
        reason = self._reason(state, square, answer, side, likely)
        if reason:
            return Reading(cell, "unclear", None, likely[0][1], reason, likely)
        return Reading(cell, "card", likely[0][0], likely[0][1], "", likely)

    def _bare(self, cell: int, square: NDArray[np.uint8], answer: CellAnswer, likely: Likely) -> Reading:
        """Of a square that shows nothing: nothing is there, unless light may have washed it out."""
        sure = float(answer.state[BARE].sum())
        if _burnt(square) <= WASHED and sure >= self._deck.accepted_state:
            return Reading(cell, "empty", None, sure, N_("nothing is drawn there"), ())
        reason = N_("it is burnt out by light") if _burnt(square) > WASHED else N_("it cannot be made out")
        return Reading(cell, "unclear", None, likely[0][1], reason, likely)

    def _reason(self, state: State, square: NDArray[np.uint8], answer: CellAnswer, side: float, likely: Likely) -> str:
        """Why this is not told as a card; nothing if it is."""
        if state != "card":
            spoilt = _spoilt(square) or N_("it cannot be made out")
            return (
                spoilt if state == "unclear" else Sentence("{spoilt}: {unlike}?", spoilt=spoilt, unlike=WHY_NOT[state])
            )
        if side < SMALLEST:
            return Sentence(TOO_SMALL, side=round(side))
        if answer.confidence >= 1 - (1 - self._deck.accepted) / STRICTER:
            return ""
        spoilt = _spoilt(square)
        return _doubt(likely, spoilt) if spoilt or answer.confidence < self._deck.accepted else ""


def has_colours(squares: Squares) -> bool:
    """Anything but greys, in at least a few points of a few cells."""
    points = squares[:, ::6, ::6].astype(np.int16)
    return bool((points.max(3) - points.min(3) > GREY).mean() > 0.002)


def is_bare(square: NDArray[np.uint8]) -> bool:
    """White without anything drawn on it: an empty place of a mat, or a blank card, which look the same."""
    [white] = whitened(square[None])
    middle = _middle(white)
    grey = cv2.cvtColor(middle, cv2.COLOR_BGR2GRAY)
    around = cv2.medianBlur(grey, 31)
    drawn = cv2.subtract(around, grey) > 30
    coloured = middle.max(2).astype(np.int16) - middle.min(2) > 45
    return bool(drawn.mean() < 0.03 and coloured.mean() < 0.05 and around.mean() > 90)


def spoken(card: str) -> str:
    """The name of a card as a player says it."""
    if card not in CARDS:
        return card.replace("-", " ")
    colour, shape, count = card.split("-")
    return Sentence("the {what} with {count}", what=f"{colour} {shape}", count=int(count))


# --- Why there is no card


def _doubt(likely: Likely, spoilt: str) -> str:
    first, second = (card.split("-") for card, _ in (*likely, *likely)[:2])
    if len(first) != len(second):
        first, second = ([card] for card, _ in likely[:2])
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    unlike = tuple(Sentence("{one} or {other}", one=one, other=other) for one, other in pairs)
    if not unlike:
        return spoilt or N_("it cannot be made out")
    if spoilt:
        return Sentence("{spoilt}: {unlike}?", spoilt=spoilt, unlike=unlike)
    return Sentence("it may be {unlike}", unlike=unlike)


def _spoilt(square: NDArray[np.uint8]) -> str:
    """What is wrong with the light or the focus, if that can be seen."""
    middle = cv2.cvtColor(_middle(square), cv2.COLOR_BGR2GRAY)
    if middle.max() < 45:
        return N_("it is too dark")
    burnt = _burnt(square)
    if burnt > 0.6:
        return N_("it is burnt out by light")
    if burnt > 0.12 and middle.mean() < 215:
        return N_("glare hides a part of it")
    if tinge(square) > TINGED:
        return N_("glare hides a part of it")
    contrast = max(float(middle.std()), 6.0)
    if cv2.Laplacian(middle, cv2.CV_32F).std() / contrast < 0.12:
        return N_("it is blurred")
    return ""


def _burnt(square: NDArray[np.uint8]) -> float:
    """The share of a square's middle in which light has left nothing."""
    return float((cv2.cvtColor(_middle(square), cv2.COLOR_BGR2GRAY) >= BURNT).mean())


def _middle(square: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return square[SIDE // 5 : -SIDE // 5, SIDE // 5 : -SIDE // 5]
