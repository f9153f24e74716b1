"""What `companion teach` does: looks at pictures or frames, learns what lies there, and writes the deck after each.

Whatever was taught stays, however it ends: the file is whole at every moment, and a second `teach` goes on with it.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.commands.console import complain, say
from companion.commands.face_labels import FaceLabel, labels_in, words_of
from companion.core.errors import CompanionError
from companion.core.game_faces import GameFaces, faces_of
from companion.teaching.deck_choice import ENDING, decks_folder
from companion.teaching.still_moments import still_moments
from companion.watch.watch_sources import shown
from vision.cells import cut
from vision.deck import STATES
from vision.deck_file import BACK, MAT, DeckFile, proper_name, read_deck, write_deck
from vision.deck_pictures import tiles_in
from vision.features import FeatureNetwork, Features
from vision.files import PICTURES, pictures_of
from vision.frames import Frame, Picture, Points
from vision.locate import find_table
from vision.markers import Finder
from vision.naming import Named, named
from vision.reader import Reader, is_bare
from vision.recording import is_recording
from vision.squares import Squares
from vision.still import load_picture
from vision.teaching import Lesson, TaughtPicture, example_of, lesson_of, too_alike

WELL, DOUBTFUL, WRONG = 0, 1, 2  # exit codes
ENOUGH = 6_000_000  # pixels; a larger picture is looked at smaller
SEED = 5  # of how taught squares are moved and lit: the same pictures make the same deck
SPOILT = 0.9  # so surely hidden or blurred, a square teaches nothing
OTHER = 0.8  # of what looks at one card scatter by; farther from what lay there, something else lies there
MOST_SAID = 12  # faces in one sentence

CARD, DOWN, EMPTY, HAND, UNCLEAR = (STATES.index(state) for state in ("card", "face-down", "empty", "hand", "unclear"))


def teach(options: argparse.Namespace) -> int:
    faces = faces_of(options.game)
    path = (options.to or decks_folder()) / f"{proper_name(options.name)}{ENDING}"
    labels = labels_in(options.labels, faces.names) if options.labels else ()
    pictures = [path for name in options.sources for path in _pictures_of(name)]
    if len(options.sources) > 1 and not all(_pictures_of(name) for name in options.sources):
        raise CompanionError("Name pictures, or one camera, film or folder: both at once cannot be taught from.")
    if not (faces.told_by or labels or options.in_order) and pictures:
        raise CompanionError(
            f"The faces of {options.game} must be named: add --labels FILE, or lay them in order and add --in-order."
        )
    teacher = Teacher(_lesson(path, options, faces), faces, path, in_order=options.in_order or not faces.told_by)
    failed = teacher.look_at(pictures, labels) if pictures else teacher.watch(options.sources[0])
    return WRONG if failed else DOUBTFUL if teacher.tell() else WELL


def _pictures_of(name: str) -> list[Path]:
    """The picture of that name, or those of a folder; none of what is watched instead."""
    path = Path(name)
    if path.is_dir() and not is_recording(path):
        return pictures_of(path)
    return [path] if path.suffix.lower() in PICTURES else []


def _lesson(path: Path, options: argparse.Namespace, faces: GameFaces) -> Lesson:
    """A new one, or the one of a deck that is there already; what is to be shown anew is forgotten."""
    redo = [face for face in options.redo.split(",") if face]
    unknown = [face for face in redo if face not in (*faces.names, BACK, MAT)]
    if unknown:
        raise CompanionError(f"--redo {unknown[0][:40]}: {options.game} has no such face.")
    if not path.exists():
        return Lesson(options.name, options.game, faces.names, len(faces.parts), bool(faces.told_by), {})
    deck = read_deck(path)
    if deck.game != options.game:
        raise CompanionError(f"{path} is a deck of {deck.game}, not of {options.game}: give yours another name.")
    lesson = lesson_of(deck, tiles_in(deck))
    for face in redo:
        lesson.known.pop(face, None)
    return lesson


@dataclass(slots=True, eq=False)
class Cell:
    """A place that was looked at, and what was found out about it."""

    where: str  # as it is told: "table.jpg, place 4"
    example: TaughtPicture
    square: Squares
    face: str = ""  # as somebody named it
    told: Named = field(default_factory=lambda: Named(""))


class Teacher:
    """Collects what pictures show, names it, and keeps the deck."""

    def __init__(self, lesson: Lesson, faces: GameFaces, path: Path, *, in_order: bool) -> None:
        self._begun, self._faces, self._path, self._in_order = lesson, faces, path, in_order
        self._network, self._reader = FeatureNetwork(), Reader()
        if lesson.known and read_deck(path).network != self._network.name:
            raise CompanionError(
                f"{path} was taught by another version of the companion: give the new one another name."
            )
        self._rng = np.random.default_rng(SEED)
        self._cells: list[Cell] = []
        self._deck: DeckFile | None = None
        self._finder, self._no_table = Finder(), ""
        self._lying: dict[int, Features] = {}  # what was last taught from each place, as it looked

    # --- looking

    def look_at(self, pictures: Sequence[Path], labels: Sequence[FaceLabel]) -> bool:
        """Each picture; a sentence for each that fails. Whether one did."""
        _must_be_there(labels, pictures)
        failed = False
        for path in pictures:
            try:
                picture = load_picture(path, most=ENOUGH)
                cells = find_table(picture).cells
            except CompanionError as error:
                failed = True
                complain(str(error) if path.name in str(error) else f"{path}: {error}")
                continue
            mine = {label.place: label.face for label in labels if label.picture == path.name}
            places = sorted(mine) if labels else range(1, 10)
            self._take(path.name, picture, cells, places, mine)
            self._keep()
        return failed

    def watch(self, name: str) -> bool:
        """What a source shows, until all faces are known, it ends, or somebody has had enough. Whether it failed."""
        source = shown(name).source
        self._say_begin()
        try:
            with closing(source):
                for number, frame in enumerate(still_moments(source.frames()), 1):
                    self._glance(number, frame)
                    if self._is_complete():
                        return False
        except KeyboardInterrupt:
            complain("Broken off; what was taught is kept.")
        except CompanionError as error:
            complain(str(error))
            return True
        return False

    def _glance(self, number: int, frame: Frame) -> None:
        """Teach what lies there now and did not before."""
        try:
            cells = find_table(frame.picture, finder=self._finder).cells
        except CompanionError as error:
            if str(error) != self._no_table:
                complain(f"Look {number}: {error}")
            self._no_table = str(error)
            return
        self._no_table = ""
        squares = cut(frame.picture, cells)
        looks = self._network.of(squares)
        new = [at for at, look in enumerate(looks) if self._is_new(at, look, squares[at])]
        asked = len(list(islice(self._waiting(), len(cells)))) if self._in_order else 0
        laid = sum(not is_bare(squares[at]) for at in new)
        if laid < asked:
            if laid:
                say(f"{laid} of {asked} cards lie there; the others are still to be laid.")
            return
        if not new:
            return
        for at in new:
            self._lying[at] = looks[at]
        self._take(f"look {number}", frame.picture, cells, [at + 1 for at in new], {})
        self._keep()
        self._tick(number)

    def _is_new(self, at: int, look: Features, square: NDArray[np.uint8]) -> bool:
        """A nudged card is not new, nor is the mat, once it is known."""
        if is_bare(square):
            return MAT not in self._begun.known and all(cell.face != MAT for cell in self._cells)
        return at not in self._lying or float(np.sqrt(((look - self._lying[at]) ** 2).mean())) > OTHER

    def _is_complete(self) -> bool:
        """Whether all that was missing is known."""
        was_missing = any(face not in self._begun.known for face in self._faces.names)
        return was_missing and self._deck is not None and not self._deck.missing

    def _take(self, where: str, picture: Picture, cells: Points, places: Iterable[int], faces: dict[int, str]) -> None:
        """What lies on these places, as far as it can be learned from."""
        chosen = list(places)
        if not chosen:
            return
        squares = cut(picture, cells[[place - 1 for place in chosen]])
        waiting = self._waiting()
        for place, square, answer in zip(chosen, squares, self._reader.answers(squares), strict=True):
            called, face = f"{where}, place {place}", faces.get(place, "")
            if answer.state[HAND] > SPOILT or answer.state[UNCLEAR] > SPOILT:
                what = "covered" if answer.state[HAND] > SPOILT else "too blurred, too dark or too bright"
                complain(f"{called}: it is {what}, and is left out; show it again.")
                continue
            if not face and answer.state[[DOWN, EMPTY]].sum() > SPOILT:
                face = BACK if answer.state[DOWN] > answer.state[EMPTY] else MAT
            elif not face and is_bare(square):
                face = MAT
            elif not face and self._in_order:
                face = next(waiting, "")
                if not face:
                    continue
            self._cells.append(
                Cell(called, example_of(picture, cells[place - 1], self._network, self._rng), square[None], face)
            )

    def _waiting(self) -> Iterator[str]:
        """Faces that nobody has shown, in the order of the game's list."""
        shown = {*self._begun.known, *(cell.face for cell in self._cells)}
        return iter([face for face in self._faces.names if face not in shown])

    # --- naming and keeping

    def _keep(self) -> None:
        """Name what was seen so far, and write the deck."""
        self._name()
        lesson = Lesson(
            self._begun.name, self._begun.game, self._begun.faces, self._begun.parts, self._begun.is_once,
            {face: known.copy() for face, known in self._begun.known.items()},
        )  # fmt: skip
        for cell in self._cells:
            if cell.told.face and not cell.told.or_else:  # better missing than under another's name
                lesson.show(cell.told.face, cell.example)
        if any(face in lesson.known for face in lesson.faces):
            self._deck = lesson.deck(self._network.name)
            write_deck(self._path, self._deck)

    def _name(self) -> None:
        """By what people said; else by what the reader guesses of all of them together."""
        for cell in self._cells:
            if cell.face:
                cell.told = Named(cell.face)
        asked = [cell for cell in self._cells if not cell.face]
        said = {cell.face for cell in self._cells}
        free = [face for face in self._faces.names if face not in said]
        for cell, told in zip(asked, self._guessed(asked, free), strict=True):
            cell.told = told

    def _guessed(self, cells: Sequence[Cell], free: Sequence[str]) -> list[Named]:
        if not cells:
            return []
        answers = self._reader.answers(np.concatenate([cell.square for cell in cells]))
        strength = self._network.spread.strength
        return named([cell.example for cell in cells], answers, self._faces.names, free, strength, self._begun.parts)

    # --- telling

    def _tick(self, number: int) -> None:
        if sys.stderr.isatty():
            sys.stderr.write("\a")
        known = 0 if self._deck is None else len(self._faces.names) - len(self._deck.missing)
        say(f"Look {number}: {known} of {len(self._faces.names)} faces are known.")
        self._say_next()

    def _say_begin(self) -> None:
        if all(face in self._begun.known for face in self._faces.names):
            say(f"All {len(self._faces.names)} faces are known; what is shown now makes them surer. Ctrl-C ends it.")
        elif not self._in_order:
            say(f"Lay nine cards of {self._begun.game}, take your hands away, wait; then lay nine others.")
        self._say_next()

    def _say_next(self) -> None:
        if self._in_order and (following := list(self._waiting())[:9]):
            wanted = ", ".join(map(words_of, following))
            say(f"Lay, row by row: {wanted}.")

    def tell(self) -> bool:
        """What was taught, what is missing, what is in doubt. Whether anything is."""
        self._ask()
        if self._deck is None:
            raise CompanionError("No face was seen that could be taught.")
        missing = self._deck.missing
        total = len(self._faces.names)
        say(f"{self._path}: {total - len(missing)} of {total} faces of {self._begun.game} are known.")
        if missing:
            more = f" and {len(missing) - MOST_SAID} more" if len(missing) > MOST_SAID else ""
            some = ", ".join(map(words_of, missing[:MOST_SAID]))
            say(f"Missing: {some}{more}.")
        doubts = [*self._repeated(), *self._uncertain(), *self._contradicted()]
        for sentence in doubts:
            complain(sentence)
        for one, other in too_alike(self._deck)[:MOST_SAID]:
            unlike = _only_in(one, other, self._faces)
            say(f"{words_of(one)} and {words_of(other)} look alike{unlike}: show each once more.")
        return bool(missing or doubts)

    def _ask(self) -> None:
        """Who sits at a terminal says what is in doubt."""
        if not sys.stdin.isatty():
            return
        for cell in [cell for cell in self._cells if cell.told.or_else]:
            question = f"{cell.where}: is it 1) {words_of(cell.told.face)} or 2) {words_of(cell.told.or_else)}? "
            try:
                answer = input(question).strip()
            except EOFError:  # nobody answers
                break
            if answer in ("1", "2"):
                cell.face = cell.told.face if answer == "1" else cell.told.or_else
        self._keep()

    def _repeated(self) -> Iterator[str]:
        """A face that is there once and was shown twice in one go: no matter, if nothing is missing."""
        for cell in self._cells:
            if not cell.told.face and self._deck is not None and self._deck.missing:
                yield f"{cell.where}: this card seems to be shown twice, or is none of the deck; it is left out."

    def _uncertain(self) -> Iterator[str]:
        for cell in self._cells:
            if cell.told.or_else and not cell.face:
                said, other = words_of(cell.told.face), words_of(cell.told.or_else)
                yield f"{cell.where}: it may be {said} or {other}, and is left out; name it with --labels."

    def _contradicted(self) -> Iterator[str]:
        """Cards that somebody named, and that look like another: two of them may be exchanged."""
        said = [cell for cell in self._cells if cell.face in self._faces.names]
        if not self._faces.told_by or len(said) < len(self._faces.names) // 2 or self._in_order:
            return
        for cell, found in zip(said, self._guessed(said, self._faces.names), strict=True):
            if found.face and found.face != cell.face and not found.or_else:
                named_as, like = words_of(cell.face), words_of(found.face)
                yield f"{cell.where}: named {named_as}, and looks like {like}; are two cards exchanged?"


def _only_in(one: str, other: str, faces: GameFaces) -> str:
    words = list(zip(one.split("-"), other.split("-"), strict=False))
    unlike = [name for name, (a, b) in zip(faces.parts, words, strict=False) if a != b]
    return f", they differ only in their {unlike[0]}" if len(unlike) == 1 else ""


def _must_be_there(labels: Sequence[FaceLabel], pictures: Sequence[Path]) -> None:
    names = {path.name for path in pictures}
    if wrong := next((label for label in labels if label.picture not in names), None):
        raise CompanionError(f"--labels names the picture {wrong.picture[:60]}, which is not among those given.")
