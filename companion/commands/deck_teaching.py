"""What `companion teach` does: shows pictures or frames to the teacher, and tells in words what became of them."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from companion.commands.console import complain, say
from companion.commands.face_labels import FaceLabel, labels_in, words_of
from companion.core.errors import CompanionError
from companion.core.game_faces import GameFaces, faces_of
from companion.games import title_of_game
from companion.teaching.deck_choice import decks_folder
from companion.teaching.still_moments import still_moments
from companion.teaching.teacher import ShownCell, SpoiltPlace, Teacher, TeachingLook, only_in, teacher_of
from companion.watch.watch_sources import shown
from vision.deck_file import BACK, MAT
from vision.files import PICTURES, pictures_of
from vision.locate import find_table
from vision.recording import is_recording
from vision.still import load_picture

WELL, DOUBTFUL, WRONG = 0, 1, 2  # exit codes
ENOUGH = 6_000_000  # pixels; a larger picture is looked at smaller
MOST_SAID = 12  # faces in one sentence
SPOILT = {"covered": "covered", "unclear": "too blurred, too dark or too bright"}


def teach(options: argparse.Namespace) -> int:
    faces = faces_of(options.game)
    labels = labels_in(options.labels, faces.names) if options.labels else ()
    pictures = [path for name in options.sources for path in _pictures_of(name)]
    if len(options.sources) > 1 and not all(_pictures_of(name) for name in options.sources):
        raise CompanionError("Name pictures, or one camera, film or folder: both at once cannot be taught from.")
    if not (faces.told_by or labels or options.in_order) and pictures:
        raise CompanionError(
            f"The faces of {title_of_game(options.game)} must be named: add --labels FILE, or lay them in order and "
            "add --in-order."
        )
    redo = _redo(options, faces)
    teacher = teacher_of(options.name, options.game, options.to or decks_folder(), in_order=options.in_order)
    for face in redo:
        teacher.show_anew(face)
    telling = TeachingWords(teacher)
    failed = telling.look_at(pictures, labels) if pictures else telling.watch(options.sources[0])
    return WRONG if failed else DOUBTFUL if telling.tell() else WELL


def _pictures_of(name: str) -> list[Path]:
    """The picture of that name, or those of a folder; none of what is watched instead."""
    path = Path(name)
    if path.is_dir() and not is_recording(path):
        return pictures_of(path)
    return [path] if path.suffix.lower() in PICTURES else []


def _redo(options: argparse.Namespace, faces: GameFaces) -> list[str]:
    """What is to be forgotten first."""
    redo = [face for face in options.redo.split(",") if face]
    unknown = [face for face in redo if face not in (*faces.names, BACK, MAT)]
    if unknown:
        raise CompanionError(f"--redo {unknown[0][:40]}: {options.game} has no such face.")
    return redo


class TeachingWords:
    """Says at a terminal what the teacher makes of what is shown."""

    def __init__(self, teacher: Teacher) -> None:
        self._teacher = teacher
        self._no_table = ""

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
            self._complain_of(path.name, self._teacher.look_at(path.name, picture, cells, places, mine))
        return failed

    def watch(self, name: str) -> bool:
        """What a source shows, until all faces are known, it ends, or somebody has had enough. Whether it failed."""
        source = shown(name).source
        self._say_begin()
        try:
            with closing(source):
                for number, frame in enumerate(still_moments(source.frames()), 1):
                    self._tell_of(number, self._teacher.glance(f"look {number}", frame.picture))
                    if self._teacher.is_complete:
                        return False
        except KeyboardInterrupt:
            complain("Broken off; what was taught is kept.")
        except CompanionError as error:
            complain(str(error))
            return True
        return False

    def _tell_of(self, number: int, look: TeachingLook) -> None:
        if look.no_table and look.no_table != self._no_table:
            complain(f"Look {number}: {look.no_table}")
        self._no_table = look.no_table
        self._complain_of(f"look {number}", look.spoilt)
        if look.is_unfinished:
            say(f"{look.laid} of {look.asked} cards lie there; the others are still to be laid.")
        if look.is_taught:
            self._tick(number)

    def _complain_of(self, where: str, spoilt: Sequence[SpoiltPlace]) -> None:
        for one in spoilt:
            complain(f"{where}, place {one.place}: it is {SPOILT[one.why]}, and is left out; show it again.")

    # --- telling

    def _tick(self, number: int) -> None:
        if sys.stderr.isatty():
            sys.stderr.write("\a")
        total = len(self._teacher.faces.names)
        say(f"Look {number}: {total - len(self._teacher.missing)} of {total} faces are known.")
        self._say_next()

    def _say_begin(self) -> None:
        teacher = self._teacher
        if not teacher.missing:
            total = len(teacher.faces.names)
            say(f"All {total} faces are known; what is shown now makes them surer. Ctrl-C ends it.")
        elif not teacher.is_in_order:
            say(f"Lay nine cards of {teacher.game}, take your hands away, wait; then lay nine others.")
        self._say_next()

    def _say_next(self) -> None:
        if self._teacher.is_in_order and (following := self._teacher.waiting[:9]):
            wanted = ", ".join(map(words_of, following))
            say(f"Lay, row by row: {wanted}.")

    def tell(self) -> bool:
        """What was taught, what is missing, what is in doubt. Whether anything is."""
        teacher = self._teacher
        self._ask()
        if teacher.deck is None:
            raise CompanionError("No face was seen that could be taught.")
        missing, total = teacher.missing, len(teacher.faces.names)
        say(f"{teacher.path}: {total - len(missing)} of {total} faces of {title_of_game(teacher.game)} are known.")
        if missing:
            more = f" and {len(missing) - MOST_SAID} more" if len(missing) > MOST_SAID else ""
            some = ", ".join(map(words_of, missing[:MOST_SAID]))
            say(f"Missing: {some}{more}.")
        doubts = list(self._doubtful())
        for sentence in doubts:
            complain(sentence)
        for one, other in teacher.alike()[:MOST_SAID]:
            part = only_in(one, other, teacher.faces)
            unlike = f", they differ only in their {part}" if part else ""
            say(f"{words_of(one)} and {words_of(other)} look alike{unlike}: show each once more.")
        return bool(missing or doubts)

    def _ask(self) -> None:
        """Who sits at a terminal says what is in doubt."""
        if not sys.stdin.isatty():
            return
        for cell in self._teacher.doubts:
            question = f"{_called(cell)}: is it 1) {words_of(cell.told.face)} or 2) {words_of(cell.told.or_else)}? "
            try:
                answer = input(question).strip()
            except EOFError:  # nobody answers
                break
            if answer in ("1", "2"):
                self._teacher.decide(cell, cell.told.face if answer == "1" else cell.told.or_else)
        self._teacher.keep()

    def _doubtful(self) -> Iterator[str]:
        for cell in self._teacher.repeated:
            yield f"{_called(cell)}: this card seems to be shown twice, or is none of the deck; it is left out."
        for cell in self._teacher.doubts:
            said, other = words_of(cell.told.face), words_of(cell.told.or_else)
            yield f"{_called(cell)}: it may be {said} or {other}, and is left out; name it with --labels."
        for one in self._teacher.exchanged():
            named_as, like = words_of(one.cell.face), words_of(one.like)
            yield f"{_called(one.cell)}: named {named_as}, and looks like {like}; are two cards exchanged?"


def _called(cell: ShownCell) -> str:
    return f"{cell.where}, place {cell.place}"


def _must_be_there(labels: Sequence[FaceLabel], pictures: Sequence[Path]) -> None:
    names = {path.name for path in pictures}
    if wrong := next((label for label in labels if label.picture not in names), None):
        raise CompanionError(f"--labels names the picture {wrong.picture[:60]}, which is not among those given.")
