"""A deck is taught beside the screen: frames come in, and what the teacher makes of them is looked up when it is there.

The teacher works in a thread of its own, one look after the other; nobody waits for it.
"""

import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.core.background import in_thread
from companion.core.errors import CompanionError
from companion.core.packages import packages
from companion.core.sentence import N_, Sentence, in_turn
from companion.devices.camera import CameraStill, Corners, RoomCamera
from companion.teaching.deck_choice import decks_folder
from companion.teaching.teaching_sight import AlikePair, FaceDoubt, KnownFace, Now, TaughtPlace, TeachingSight

if TYPE_CHECKING:
    from companion.teaching.still_moments import Stillness
    from companion.teaching.teacher import ShownCell, Teacher, TeachingLook
    from vision.frames import Frame, Picture

Job = Callable[[], None]

NEXT = 9  # faces that are asked for at once
MOST_ALIKE = 12  # pairs that are shown
COVERED = N_("Place {place} is covered: show it again.")
UNCLEAR = N_("Place {place} is too blurred, too dark or too bright: show it again.")
AGAIN = N_("Place {place}: this card was shown before, or is none of the deck.")
UNFINISHED = N_("{laid} of {asked} cards lie there; the others are still to be laid.")
NOTHING_NEW = N_("Nothing new lies there.")
FAILED = N_("Teaching has failed ({kind}: {error}). What was taught is kept.")
SPOILT = {"covered": COVERED, "unclear": UNCLEAR}


class TeachingDesk:
    """One deck after the other; `sight` is what is known of it now, nothing while none is taught."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self.sight: TeachingSight | None = None
        self._wake = wake
        self._course: TeachingCourse | None = None
        self._camera: RoomCamera | None = None

    def follow(self, about: tuple[str, str] | None, camera: RoomCamera | None) -> bool:
        """Teach this deck of this game, or none; whether there is something new to be seen."""
        course = self._course
        if about != (course.about if course else None):
            self._end()
            if about is not None:
                self._begin(about, camera)
            return True
        newest = course.sight if course else None
        is_new = newest is not self.sight
        self.sight = newest
        return is_new

    def _begin(self, about: tuple[str, str], camera: RoomCamera | None) -> None:
        self._course = course = TeachingCourse(about, self._wake)
        self.sight, self._camera = course.sight, camera
        if camera is not None:
            camera.lend(course.saw)

    def _end(self) -> None:
        if self._course is not None:
            self._course.end()
        if self._camera is not None:
            self._camera.lend(None)
        self.sight = self._course = self._camera = None

    def decide(self, number: int, face: str) -> None:
        if self._course:
            self._course.decide(number, face)

    def show_anew(self, faces: tuple[str, ...]) -> None:
        if self._course:
            self._course.show_anew(faces)

    def wait(self) -> None:
        """Until everything that was asked for is done."""
        if self._course:
            self._course.wait()


class TeachingCourse:
    """How one deck is taught, from the first look to the last."""

    def __init__(self, about: tuple[str, str], wake: Callable[[], None]) -> None:
        self.about = about
        name, game = about
        self.sight = TeachingSight(name, game)
        self._wake = wake
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._idle = threading.Condition()
        self._asked = self._done = 0
        self._teacher: Teacher | None = None
        self._stillness: Stillness | None = None
        self._looks = self._troubles = 0
        self._note, self._places = "", tuple[TaughtPlace, ...]()
        self._stills: dict[str, tuple[Picture, CameraStill]] = {}
        self._ask(self._load)
        in_thread("teacher")(self._run)

    # --- asked from the loop

    def saw(self, frame: "Frame") -> None:
        """A frame of the camera; it is looked at once the table is still."""
        if self._stillness is not None and self._stillness.begins(frame):
            self._ask(lambda: self._look(frame))

    def decide(self, number: int, face: str) -> None:
        self._ask(lambda: self._decide(number, face))

    def show_anew(self, faces: tuple[str, ...]) -> None:
        self._ask(lambda: self._show_anew(faces))

    def end(self) -> None:
        """What was asked for before is still done: it was seen."""
        self._jobs.put(None)

    def wait(self) -> None:
        with self._idle:
            self._idle.wait_for(lambda: self._done == self._asked)

    def _ask(self, job: Job) -> None:
        self._asked += 1
        self._jobs.put(job)

    # --- in the thread

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
                self.sight = self._told()
            except CompanionError as error:
                self._fail(error.sentence)
            except Exception as error:  # whatever goes wrong in a network or on a disk, the table goes on
                self._fail(Sentence(FAILED, kind=type(error).__name__, error=str(error)))
            with self._idle:
                self._done += 1
                self._idle.notify_all()
            self._wake()

    def _fail(self, why: str) -> None:
        name, game = self.about
        self._stillness = None  # nothing is looked at any more
        self.sight = TeachingSight(name, game, "failed", why)

    def _load(self) -> None:
        with packages():
            from companion.teaching.still_moments import Stillness  # noqa: PLC0415  (loads OpenCV)
            from companion.teaching.teacher import teacher_of  # noqa: PLC0415  (loads OpenCV and the networks)
        name, game = self.about
        self._teacher = teacher_of(name, game, decks_folder())
        self._stillness = Stillness()

    def _look(self, frame: "Frame") -> None:
        teacher = self._teacher
        assert teacher is not None
        before = len(teacher.cells)
        look = teacher.glance("", frame.picture)
        shown = teacher.cells[before:]
        self._looks += look.is_taught
        self._note = _note(look, shown)
        self._places = _places(look, shown, frame, {one.place: one.now for one in self._places})
        self._troubles += bool(look.no_table or look.spoilt or not all(cell.told.face for cell in shown))

    def _decide(self, number: int, face: str) -> None:
        teacher = self._teacher
        cell = teacher.cells[number] if teacher is not None and number < len(teacher.cells) else None
        if teacher is None or cell is None or not cell.is_in_doubt:
            return
        if not face:
            teacher.leave_out(cell)
        elif face in (cell.told.face, cell.told.or_else):
            teacher.decide(cell, face)
        teacher.keep()

    def _show_anew(self, faces: tuple[str, ...]) -> None:
        for face in faces:
            if self._teacher is not None:
                self._teacher.show_anew(face)
        self._note = ""

    # --- what is told of it

    def _told(self) -> TeachingSight:
        teacher = self._teacher
        assert teacher is not None
        from companion.teaching.teacher import only_in  # noqa: PLC0415

        name, game = self.about
        known = {face: self._known(face) for face in teacher.known}
        numbered = enumerate(teacher.cells)
        doubts = tuple(
            FaceDoubt(number, cell.told.face, cell.told.or_else, _still(cell.example.tile))
            for number, cell in numbered
            if cell.is_in_doubt
        )
        alike = tuple(
            AlikePair(known[one], known[other], only_in(one, other, teacher.faces))
            for one, other in teacher.alike()[:MOST_ALIKE]
        )
        following = teacher.waiting[:NEXT] if teacher.is_in_order else ()
        names = teacher.faces.names
        return TeachingSight(
            name, game, "ready", "", self._looks, self._troubles, self._note, names,
            tuple(known.values()), teacher.missing, following, doubts, alike, self._places,
        )  # fmt: skip

    def _known(self, face: str) -> KnownFace:
        assert self._teacher is not None
        taught = self._teacher.known[face]
        tile, still = self._stills.get(face, (None, None))
        if still is None or tile is not taught.tile:
            still = _still(taught.tile)
            self._stills[face] = taught.tile, still
        return KnownFace(face, taught.count, still)


def _still(tile: "Picture") -> CameraStill:
    high, wide = tile.shape[:2]
    return CameraStill(0, (wide, high), tile[..., ::-1].tobytes())


def _note(look: "TeachingLook", shown: "list[ShownCell]") -> str:
    """What the look has to say, in one sentence after the other; nothing if all was well."""
    if look.no_table:
        return look.no_table
    told: list[str] = [Sentence(SPOILT[one.why], place=one.place) for one in look.spoilt]
    told += [Sentence(AGAIN, place=cell.place) for cell in shown if not cell.told.face]
    if look.is_unfinished:
        told.append(Sentence(UNFINISHED, laid=look.laid, asked=look.asked))
    elif not (told or look.is_taught):
        told.append(NOTHING_NEW)
    return told[0] if len(told) == 1 else in_turn(*told) if told else ""


def _places(
    look: "TeachingLook", shown: "list[ShownCell]", frame: "Frame", before: dict[int, Now]
) -> tuple[TaughtPlace, ...]:
    """Where the nine places are in the picture, and what was made of each, now or when something was laid there."""
    if look.cells is None:
        return ()
    now: dict[int, Now] = {**before, **{one.place: one.why for one in look.spoilt}}
    for cell in shown:
        now[cell.place] = "doubt" if cell.is_in_doubt else "known" if cell.told.face else "again"
    high, wide = frame.picture.shape[:2]
    found: list[TaughtPlace] = []
    for place, corners in enumerate((look.cells / (wide, high)).round(4).tolist(), 1):
        at: Corners = tuple((x, y) for x, y in corners)
        found.append(TaughtPlace(place, at, now.get(place, "bare")))
    return tuple(found)
