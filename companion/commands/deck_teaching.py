"""What `companion teach` does: looks at pictures or frames, learns what lies there, and writes the deck after each.

Whatever was taught stays, however it ends: the file is whole at every moment, and a second `teach` goes on with it.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from companion.commands.console import complain, say
from companion.commands.deck_choice import ENDING, decks_folder
from companion.commands.face_labels import Label, labels_in, words_of
from companion.core.errors import CompanionError
from companion.core.game_faces import GameFaces, faces_of
from vision.cells import cut, whitened
from vision.deck import STATES
from vision.deck_file import BACK, MAT, DeckFile, proper_name, read_deck, write_deck
from vision.deck_pictures import tiles_in
from vision.features import FeatureNetwork
from vision.files import PICTURES
from vision.frames import Frame, Picture, Points
from vision.locate import find_table
from vision.markers import Finder
from vision.naming import Named, named
from vision.reader import Reader, is_bare
from vision.sources import open_source
from vision.squares import Squares
from vision.still import load_picture
from vision.teaching import Example, Lesson, example_of, lesson_of, too_alike

WELL, DOUBTFUL, WRONG = 0, 1, 2  # exit codes
ENOUGH = 6_000_000  # pixels; a larger picture is looked at smaller
SEED = 5  # of how taught squares are moved and lit: the same pictures make the same deck
SPOILT = 0.9  # so surely hidden or blurred, a square teaches nothing
STILL, CALM = 4.0, 8  # grey levels between two frames, and so many such frames in a row: nobody moves anything
OTHER = 12.0  # grey levels; by more than this a place shows something else than it did
MOST_SAID = 12  # faces in one sentence

CARD, DOWN, EMPTY, HAND, UNCLEAR = (STATES.index(state) for state in ("card", "face-down", "empty", "hand", "unclear"))


def teach(options: argparse.Namespace) -> int:
    faces = faces_of(options.game)
    path = (options.to or decks_folder()) / f"{proper_name(options.name)}{ENDING}"
    labels = labels_in(options.labels, faces.names) if options.labels else ()
    pictures = [Path(name) for name in options.sources if Path(name).suffix.lower() in PICTURES]
    if len(options.sources) > 1 and len(pictures) < len(options.sources):
        raise CompanionError("Name pictures, or one camera, film or folder: both at once cannot be taught from.")
    if not (faces.told_by or labels or options.in_order) and pictures:
        raise CompanionError(
            f"The faces of {options.game} must be named: add --labels FILE, or lay them in order and add --in-order."
        )
    teacher = Teacher(_lesson(path, options, faces), faces, path, in_order=options.in_order or not faces.told_by)
    failed = teacher.look_at(pictures, labels) if pictures else teacher.watch(options.sources[0])
    return WRONG if failed else DOUBTFUL if teacher.tell() else WELL


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
    example: Example
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

    # --- looking

    def look_at(self, pictures: Sequence[Path], labels: Sequence[Label]) -> bool:
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
        """Frames, until all faces are known, the source ends, or somebody has had enough."""
        source = open_source(name)
        before: Squares | None = None
        taught: Squares | None = None
        calm, number, finder = 0, 0, Finder()
        self._say_next()
        with closing(source):
            try:
                for frame in source.frames():
                    cells = _cells_of(frame, finder)
                    squares = None if cells is None else cut(frame.picture, cells)
                    calm = (
                        calm + 1
                        if squares is not None and before is not None and _apart(squares, before).max() < STILL
                        else 0
                    )
                    before = squares
                    if calm < CALM or squares is None or cells is None:
                        continue
                    new = [at + 1 for at in range(9) if taught is None or _apart(squares, taught)[at] > OTHER]
                    if new:
                        taught, number = squares, number + 1
                        self._take(f"look {number}", frame.picture, cells, new, {})
                        self._keep()
                        self._tick(number)
                    if self._deck is not None and not self._deck.missing:
                        break
            except KeyboardInterrupt:
                complain("Broken off; what was taught is kept.")
        return False

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

    def _say_next(self) -> None:
        if self._in_order and (following := list(self._waiting())[:9]):
            say(f"Lay, row by row: {', '.join(map(words_of, following))}.")

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
            say(f"Missing: {', '.join(map(words_of, missing[:MOST_SAID]))}{more}.")
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
            answer = input(question).strip()
            if answer in ("1", "2"):
                cell.face = cell.told.face if answer == "1" else cell.told.or_else
        self._keep()

    def _repeated(self) -> Iterator[str]:
        """A face that is there once and was shown twice in one go."""
        for cell in self._cells:
            if not cell.told.face:
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


def _must_be_there(labels: Sequence[Label], pictures: Sequence[Path]) -> None:
    names = {path.name for path in pictures}
    if wrong := next((label for label in labels if label.picture not in names), None):
        raise CompanionError(f"--labels names the picture {wrong.picture[:60]}, which is not among those given.")


def _cells_of(frame: Frame, finder: Finder) -> Points | None:
    """Where the places are; nothing while the table cannot be found, a hand is in front of it."""
    try:
        return find_table(frame.picture, finder=finder).cells
    except CompanionError:
        return None


def _apart(squares: Squares, others: Squares) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """How much each square has changed, in grey levels."""
    one, other = (whitened(each).mean(3).reshape(len(each), -1) for each in (squares, others))
    return np.asarray(np.abs(one - other).mean(1))
