"""A match that a camera watches, with its buttons: frames, presses and messages, in the order of their stamps.

Until the camera and the model are there, and when they cannot be had at all, the match goes on by touches.
"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.errors import CompanionError, MatchError
from companion.core.match import is_stopped
from companion.core.replies import CorrectionReply, DoneReply, ErrorReply, NoticeReply, Refusal, Reply, RulingReply
from companion.core.requests import Message, MoveMessage, stamp_of
from companion.core.sentence import N_, Sentence
from companion.core.session import Session
from companion.devices.camera import BY, Blind, Cards, Film, LookedAt, News, OtherDeck, RoomCamera, Startled
from companion.games import part
from companion.inputs.inbox import Ear, Inbox
from companion.inputs.presses import Noted, Presses
from companion.watch.album import Album
from companion.watch.bench import Bench
from companion.watch.feed import Gone
from companion.watch.game_watch import GameWatch, Seating
from companion.watch.messages import DisputeReply, LookRequest, Really
from companion.watch.out_of_step import Differences

if TYPE_CHECKING:
    from vision.frames import Frame
    from vision.ring import Ring
    from vision.sightings import Sighting

PEEK = 100 * MILLISECOND  # until it is looked again whether pictures of a dispute are drawn
FILM = 10 * SECOND
CHANGES = RulingReply | CorrectionReply | DoneReply  # the replies after which a match may stand otherwise


class WatchedTable:
    """A session, the camera that watches its table and, where there are buttons, the presses that go into it.

    `seats` says which player sits at which side of the mat, for guesses; `deals` is a handicap; `pictures` is where
    those of disputes are kept, otherwise they are gone with the match.
    """

    def __init__(
        self,
        session: Session,
        camera: RoomCamera,
        presses: Presses | None = None,
        *,
        seats: Mapping[str, str] | None = None,
        deals: tuple[int, ...] = (),
        pictures: Path | None = None,
    ) -> None:
        self.session = session
        self.inbox = Inbox(presses)
        session.margin = presses.margin if presses else session.margin
        self._camera = camera
        self._seating, self._pictures = Seating(seats or {}, deals), pictures
        self._bench: Bench | None = None  # as soon as there is an eye
        self._benches = 0
        self._bench_wakes_at: int | None = None
        self._ring: Ring | None = None  # the last seconds
        self._film: Film | None = None  # of the Stop! that holds
        self._has_seen = self._is_gone = False
        self._is_to_be_bared = False  # what is told of it is to be told without them
        self._has_forgotten = False  # the pictures of the Stop! that holds
        self._step = Differences()
        self._room = ExitStack()
        camera.keepers.append(self.forget_pictures)
        setup = session.referee.match.setup
        camera.watch(Cards(setup.game, setup.deck))

    def forget_pictures(self) -> None:
        """Those of disputes, and the last seconds that a dispute would show."""
        self._has_forgotten = self._is_to_be_bared = self._is_stopped
        self._film = None
        if self._ring:
            self._ring.clear()
        if self._bench:
            self._bench.forget_pictures()

    # --- what is waited for

    @property
    def ears(self) -> list[Ear]:
        return [*self._camera.ears, *self.inbox.ears]

    @property
    def wakes_at(self) -> int | None:
        """The stamp at which `attend` has something to do, apart from what comes by the ears."""
        bench = self._bench_wakes_at if self._bench else None
        return min((at for at in (self.inbox.wakes_at, bench) if at is not None), default=None)

    # --- what goes in

    def say(self, message: Message, now: int) -> None:
        """A message, answered by `attend` as soon as nothing stamped earlier can come any more."""
        self.inbox.put(message, now)

    def attend(self, now: int) -> list[Reply]:
        """The replies to everything that is due: the frames first, which are older than what is said meanwhile."""
        found = [replace(reply, by=BY) for news in self._camera.attend(now) for reply in self._of_camera(news)]
        for message in self.inbox.take(now):
            found += self._of_table(message)
        found += list(self._guarded(self._time_is(now, found)))
        self.inbox.follow(self.session.referee, now)
        self._tell(found)
        return found

    def close(self) -> None:
        """The match stays as it is kept; camera and buttons belong to the room."""
        self._camera.keepers.remove(self.forget_pictures)
        self._leave_bench()
        self._room.close()
        self._camera.rest()

    def _of_table(self, one: Message | Noted) -> Iterator[Reply]:
        if isinstance(one, Noted):
            yield NoticeReply(one.sentence)
        else:
            yield from self._answered(one)

    def _answered(self, message: Message) -> Iterator[Reply]:
        """By the bench, if there is one; whatever becomes of it, there is an answer."""
        answers: list[Reply] = []
        before = self._bench
        yield from self._guarded(self._told(message, answers))
        if not (self._bench or _is_among(answers, message)):
            stamp = stamp_of(message)
            yield from self._answered_without_bench(replace(message, at=before.in_time(stamp) if before else stamp))

    def _told(self, message: Message, answers: list[Reply]) -> Iterator[Reply]:
        for reply in self._bench.heard(message) if self._bench else ():
            answers.append(reply)
            yield reply

    def _answered_without_bench(self, message: Message) -> Iterator[Reply]:
        if isinstance(message, LookRequest | Really):
            error = MatchError(self._camera.sight.why or N_("The camera does not see the table yet."))
            yield ErrorReply(error, re=message.id)
        else:
            yield from self.session.answer(message)

    def _time_is(self, now: int, found: list[Reply]) -> Iterator[Reply]:
        """What is due at the bench though no frames come."""
        if (bench := self._bench) is None:
            return
        due = list(bench.time_is(now))
        yield from due
        if _is_to_be_told_again([*found, *due]) or self._is_to_be_bared:
            self._is_to_be_bared = False
            yield from bench.disputed()
        self._bench_wakes_at = now + PEEK if bench.is_drawing else bench.wakes_at
        self._has_forgotten = self._has_forgotten and self._is_stopped
        if self._is_stopped and self._film is None and not self._has_forgotten:
            self._film = self._filmed()

    def _guarded(self, replies: Iterable[Reply]) -> Iterator[Reply]:
        """Whatever goes wrong in the eye, the witness, the ring or the pictures, the match goes on without them."""
        try:
            yield from replies
        except Exception as error:
            yield self.session.greeting()[-1]  # something may have been ruled that nobody was told
            yield from self._of_camera(self._camera.startled(error))

    # --- what is seen

    def _of_camera(self, news: News) -> Iterator[Reply]:
        match news:
            case LookedAt(frame, seen):
                self._has_seen = True
                yield from self._guarded(self._saw(seen, frame))
            case Gone(at, why):
                if self._bench and self._has_seen:
                    self._is_gone = True
                    yield from self._guarded(self._bench.gone(at, why))
                else:
                    yield NoticeReply(Sentence("{why} The match goes on by touch.", why=why))
            case Blind(why):
                self._leave_bench()
                yield NoticeReply(Sentence("{why} The match goes on by touch.", why=why))
            case OtherDeck(why):
                yield NoticeReply(why)
            case Startled(why):
                self._leave_bench()
                yield NoticeReply(why)

    def _saw(self, seen: "list[Sighting]", frame: "Frame") -> Iterator[Reply]:
        if bench := self._sat_down():
            if self._is_gone:
                yield from bench.back(frame.stamp)
            self._is_gone = False
            yield from bench.saw(seen, frame)

    def _sat_down(self) -> Bench | None:
        """The bench of the eye that watches now; none while there is no eye."""
        if self._bench is None and self._camera.eye is not None:
            from vision.ring import Ring  # noqa: PLC0415

            self._benches += 1
            self._ring = Ring(FILM / SECOND)
            game = part(self.session.referee.match.setup.game, "watch", GameWatch)
            self._bench = Bench(self._camera.eye, self.session, game, self._seating, self._album(), self._ring)
        return self._bench

    def _album(self) -> Album | None:
        """A folder for the pictures of disputes; without one there are none."""
        try:
            if self._pictures is None:
                self._pictures = Path(self._room.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
            return Album(self._pictures / str(self._benches), disputes_only=True)
        except (OSError, CompanionError):
            return None

    def _leave_bench(self) -> None:
        bench, self._bench, self._ring = self._bench, None, None
        self._step = Differences()
        if bench:
            with suppress(Exception):  # it may be what goes wrong
                for message in bench.unanswered:
                    self.inbox.put(message, 0)
                bench.close()

    @property
    def _is_stopped(self) -> bool:
        return is_stopped(self.session.referee.match)

    def _tell(self, found: list[Reply]) -> None:
        """What a screen may show besides the match."""
        for reply in found:
            self._step = self._step.after(reply)
        self._film = self._film if self._is_stopped else None
        kept = self._bench.pictures_kept if self._bench else 0
        self._camera.tell(self._step, self._film, kept + (len(self._film.jpegs) if self._film else 0))

    def _filmed(self) -> Film | None:
        """The seconds before a Stop!, for as long as it is disputed."""
        if not self._ring or not self._ring.stamps:
            return None
        newest = self._ring.stamps[-1]
        kept = self._ring.hold(newest - FILM, newest).kept
        return Film(tuple(one.stamp for one in kept), tuple(one.jpeg for one in kept), self._camera.sight.places)


def _is_to_be_told_again(found: list[Reply]) -> bool:
    """Something has changed about the last plays since the dispute was told."""
    changed = max((at for at, reply in enumerate(found) if isinstance(reply, CHANGES)), default=-1)
    return changed >= 0 and not any(isinstance(reply, DisputeReply) for reply in found[changed:])


def _is_among(answers: list[Reply], message: Message) -> bool:
    """Before somebody's own move others may have been ruled on: what the camera had seen."""
    if not isinstance(message, MoveMessage):
        return bool(answers)
    return any(
        isinstance(reply, Refusal)
        or (isinstance(reply, RulingReply) and reply.move.word == message.move.word)
        or (isinstance(reply, CorrectionReply) and reply.re == message.id)  # it tied with a claim before it
        for reply in answers
    )
