"""The conversation in which a deck is taught, without anybody who tells it: what was shown, which faces are known by
it, what is missing, in doubt or too alike, and the file that holds it.

Whatever was taught stays, however it ends: the file is whole at every moment, and a second teacher goes on with it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from companion.core.errors import CompanionError
from companion.core.game_faces import GameFaces, faces_of
from companion.core.sentence import N_, Sentence
from companion.core.shipped_decks import ENDING
from vision.cell_answer import CellAnswer
from vision.cells import cut
from vision.deck import STATES
from vision.deck_file import BACK, MAT, DeckFile, proper_name, read_deck, write_deck
from vision.deck_pictures import tiles_in
from vision.features import NEAR, FeatureNetwork, Features
from vision.frames import Picture, Points
from vision.locate import find_table
from vision.markers import Finder
from vision.naming import Named, named
from vision.reader import Reader, is_bare
from vision.teaching import Lesson, Taught, TaughtPicture, example_of, lesson_of, too_alike

SEED = 5  # of how taught squares are moved and lit: the same pictures make the same deck
SPOILT = 0.9  # so surely hidden or blurred, a square teaches nothing
OTHER_GAME = N_("{deck} is a deck of {title}, not of {other}: give yours another name.")
OTHER_VERSION = N_("{deck} was taught by another version of the companion: give the new one another name.")
OTHER = 0.95  # of what looks at one card scatter by; farther from what lay there, something else lies there

CARD, DOWN, EMPTY, HAND, UNCLEAR = (STATES.index(state) for state in ("card", "face-down", "empty", "hand", "unclear"))

Why = Literal["covered", "unclear"]


@dataclass(slots=True, eq=False)
class ShownCell:
    """A place that was looked at, and what was found out about it."""

    where: str  # the picture or the look
    place: int
    example: TaughtPicture
    answer: CellAnswer
    face: str = ""  # as somebody named it
    told: Named = field(default_factory=lambda: Named(""))

    @property
    def is_in_doubt(self) -> bool:
        return bool(self.told.or_else) and not self.face


@dataclass(frozen=True, slots=True)
class SpoiltPlace:
    """A place that taught nothing, and why."""

    place: int
    why: Why


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A cell that was named, and looks like another face."""

    cell: ShownCell
    like: str


@dataclass(frozen=True, slots=True, eq=False)
class TeachingLook:
    """What became of one look at the table. Of nothing new nothing is taught; `laid` of `asked` cards lie there, where
    they are to lie in an order."""

    no_table: str = ""  # why none was found
    cells: Points | None = None
    laid: int = 0
    asked: int = 0
    spoilt: tuple[SpoiltPlace, ...] = ()
    is_taught: bool = False

    @property
    def is_unfinished(self) -> bool:
        """Some of the cards that were asked for lie there, and others do not."""
        return 0 < self.laid < self.asked


def teacher_of(name: str, game: str, folder: Path, *, in_order: bool = False) -> "Teacher":
    """Of a new deck, or of one that is there already."""
    faces, path = faces_of(game), folder / f"{proper_name(name)}{ENDING}"
    return Teacher(_lesson(name, game, faces, path), faces, path, in_order=in_order or not faces.told_by)


def _lesson(name: str, game: str, faces: GameFaces, path: Path) -> Lesson:
    if not path.exists():
        return Lesson(name, game, faces.names, len(faces.parts), bool(faces.told_by), {})
    deck = read_deck(path)
    if deck.game != game:
        raise CompanionError(Sentence(OTHER_GAME, deck=str(path), title=deck.game, other=game))
    return lesson_of(deck, tiles_in(deck))


class Teacher:
    """Collects what pictures show, names it, and keeps the deck."""

    def __init__(self, lesson: Lesson, faces: GameFaces, path: Path, *, in_order: bool) -> None:
        self.path, self.faces, self.is_in_order = path, faces, in_order
        self._begun = lesson
        self._network, self._reader = FeatureNetwork(), Reader()
        if lesson.known and read_deck(path).network != self._network.name:
            raise CompanionError(Sentence(OTHER_VERSION, deck=str(path)))
        self._rng = np.random.default_rng(SEED)
        self.deck: DeckFile | None = None  # as it was written last
        self.cells: list[ShownCell] = []
        self._lesson = lesson  # with what was shown
        self._anew: dict[str, Taught] = {}  # what stays in the file until it was shown again
        self._finder = Finder()
        self._lying: dict[int, Features] = {}  # what was last taught from each place, as it looked in each turn
        self._had_all = not self.missing

    # --- what is known

    @property
    def game(self) -> str:
        return self._begun.game

    @property
    def known(self) -> dict[str, Taught]:
        """What was shown and named, the back and the mat among it."""
        return self._lesson.known

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(face for face in self.faces.names if face not in self.known)

    @property
    def is_complete(self) -> bool:
        """All that was missing is known."""
        return not self._had_all and not self.missing

    @property
    def waiting(self) -> tuple[str, ...]:
        """Faces that nobody has shown, in the order of the game's list."""
        shown = {*self._begun.known, *(cell.face for cell in self.cells)}
        return tuple(face for face in self.faces.names if face not in shown)

    @property
    def doubts(self) -> list[ShownCell]:
        """What may be one of two faces, and is learned as neither."""
        return [cell for cell in self.cells if cell.is_in_doubt]

    @property
    def repeated(self) -> list[ShownCell]:
        """Cards that seem to be shown a second time, or are none of the deck; no matter, if nothing is missing."""
        return [cell for cell in self.cells if not cell.told.face and self.missing]

    def exchanged(self) -> list[Exchanged]:
        """What somebody named, and looks like another: two cards may be exchanged."""
        said = [cell for cell in self.cells if cell.face in self.faces.names]
        if not self.faces.told_by or len(said) < len(self.faces.names) // 2 or self.is_in_order:
            return []
        guessed = zip(said, self._guessed(said, self.faces.names), strict=True)
        return [
            Exchanged(cell, found.face)
            for cell, found in guessed
            if found.face and found.face != cell.face and not found.or_else
        ]

    def alike(self) -> list[tuple[str, str]]:
        """Faces that can hardly be told from each other, the most alike first."""
        pairs = too_alike(self.deck) if self.deck else []
        return [pair for pair in pairs if not self._anew.keys() & set(pair)]

    # --- looking

    def look_at(
        self, where: str, picture: Picture, cells: Points, places: Iterable[int], faces: dict[int, str]
    ) -> tuple[SpoiltPlace, ...]:
        """Learn what lies on these places, as far as it can be learned from."""
        spoilt = tuple(self._take(where, picture, cells, list(places), faces))
        self.keep()
        return spoilt

    def glance(self, where: str, picture: Picture) -> TeachingLook:
        """Learn what lies there now and did not before."""
        try:
            cells = find_table(picture, finder=self._finder).cells
        except CompanionError as error:
            return TeachingLook(no_table=error.sentence)
        squares = cut(picture, cells)
        looks = self._network.of(squares)
        new = [at for at, look in enumerate(looks) if self._is_new(at, look, squares[at])]
        asked = len(list(islice(self.waiting, len(cells)))) if self.is_in_order else 0
        laid = sum(not is_bare(squares[at]) for at in new)
        if laid < asked or not new:
            return TeachingLook(cells=cells, laid=laid, asked=asked)
        before = len(self.cells)
        spoilt = self.look_at(where, picture, cells, [at + 1 for at in new], {})
        turned = {cell.place - 1: cell.example.features[..., :NEAR] for cell in self.cells[before:]}
        hidden = [one.place - 1 for one in spoilt]
        self._lying.update({at: turned.get(at, looks[at][None]) for at in new if at not in hidden})
        return TeachingLook("", cells, laid, asked, spoilt, is_taught=True)

    def _is_new(self, at: int, look: Features, square: NDArray[np.uint8]) -> bool:
        """A card that was nudged or turned is not new, nor is the mat, once it is known."""
        if is_bare(square):
            self._lying.pop(at, None)  # the same card may be laid there again
            return MAT not in self._begun.known and all(cell.face != MAT for cell in self.cells)
        return at not in self._lying or float(np.sqrt(((look - self._lying[at]) ** 2).mean(1).min())) > OTHER

    def _take(
        self, where: str, picture: Picture, cells: Points, places: Sequence[int], faces: dict[int, str]
    ) -> Iterator[SpoiltPlace]:
        if not places:
            return
        squares = cut(picture, cells[[place - 1 for place in places]])
        waiting = iter(self.waiting)
        for place, square, answer in zip(places, squares, self._reader.answers(squares), strict=True):
            face = faces.get(place, "")
            if answer.state[HAND] > SPOILT or answer.state[UNCLEAR] > SPOILT:
                self._lying.pop(place - 1, None)
                yield SpoiltPlace(place, "covered" if answer.state[HAND] > SPOILT else "unclear")
                continue
            if not face and answer.state[[DOWN, EMPTY]].sum() > SPOILT:
                face = BACK if answer.state[DOWN] > answer.state[EMPTY] else MAT
            elif not face and is_bare(square):
                face = MAT
            elif not face and self.is_in_order:
                face = next(waiting, "")
                if not face:
                    continue
            example = example_of(picture, cells[place - 1], self._network, self._rng)
            self.cells.append(ShownCell(where, place, example, answer, face))

    # --- what people say

    def decide(self, cell: ShownCell, face: str) -> None:
        """Which of two faces it is; what follows for others is known with it once `keep` was called."""
        cell.face = face

    def leave_out(self, cell: ShownCell) -> None:
        """It is neither: nothing is learned from it."""
        self.cells.remove(cell)

    def show_anew(self, face: str) -> None:
        """Forget what is known of it, wherever it lay; if it is not shown again, the file has it as it was."""
        if face in self.known:
            self._anew[face] = self.known[face]
        self._begun.known.pop(face, None)
        for cell in [cell for cell in self.cells if cell.told.face == face]:
            self.cells.remove(cell)
            self._lying.pop(cell.place - 1, None)
        self.keep()

    # --- naming and keeping

    def keep(self) -> None:
        """Name what was seen so far, and write the deck."""
        self._name()
        begun = self._begun
        known = {face: taught.copy() for face, taught in begun.known.items()}
        self._lesson = lesson = Lesson(begun.name, begun.game, begun.faces, begun.parts, begun.is_once, known)
        for cell in self.cells:
            if cell.told.face and not cell.told.or_else:  # better missing than under another's name
                lesson.show(cell.told.face, cell.example)
        self._anew = {face: taught for face, taught in self._anew.items() if face not in known}
        written = replace(lesson, known={**self._anew, **known})
        if any(face in written.known for face in lesson.faces):
            self.deck = written.deck(self._network.name)
            write_deck(self.path, self.deck)

    def _name(self) -> None:
        """By what people said; else by what the reader guesses of all of them together."""
        for cell in self.cells:
            if cell.face:
                cell.told = Named(cell.face)
        asked = [cell for cell in self.cells if not cell.face]
        said = {cell.face for cell in self.cells}
        free = [face for face in self.faces.names if face not in said]
        for cell, told in zip(asked, self._guessed(asked, free), strict=True):
            cell.told = told

    def _guessed(self, cells: Sequence[ShownCell], free: Sequence[str]) -> list[Named]:
        if not cells:
            return []
        answers, strength = [cell.answer for cell in cells], self._network.spread.strength
        return named([cell.example for cell in cells], answers, self.faces.names, free, strength, self._begun.parts)


def only_in(one: str, other: str, faces: GameFaces) -> str:
    """The part of their names in which alone two faces differ; nothing, if it is not one."""
    words = list(zip(one.split("-"), other.split("-"), strict=False))
    unlike = [name for name, (a, b) in zip(faces.parts, words, strict=False) if a != b]
    return unlike[0] if len(unlike) == 1 else ""
