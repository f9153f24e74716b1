"""A match that a camera watches, with its buttons: frames, presses and messages, in the order of their stamps.

Until the camera and the model are there, and when they cannot be had at all, the match goes on by touches.
"""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.album import Album
from companion.bench import Bench, LookRequest
from companion.camera import BY, Blind, Camera, Film, Looked, News, Startled
from companion.clocks import MILLISECOND, SECOND
from companion.dispute import Really
from companion.exc import CompanionError, MatchError
from companion.feed import Gone
from companion.outofstep import Step
from companion.presses import Meant, Presses
from companion.protocol import MoveMessage, NoticeReply, Request, Session, error_reply, reply_plain
from companion.table import Ear
from companion.witness import Witness

if TYPE_CHECKING:
    from vision.ring import Ring

PEEK = 100 * MILLISECOND  # until it is looked again whether pictures of a dispute are drawn
FILM = 10 * SECOND
CHANGES = ("ruling", "correction", "done")  # the replies after which a match may stand otherwise

Reply = dict[str, Any]


class WatchedTable:
    """A session, the camera that watches its table and, where there are buttons, the presses that go into it.

    `seats` says which player sits at which side of the mat, for guesses; `deals` is a handicap; `pictures` is where
    those of disputes are kept, otherwise they are gone with the match.
    """

    def __init__(
        self,
        session: Session,
        camera: Camera,
        presses: Presses | None = None,
        *,
        seats: Mapping[str, str] | None = None,
        deals: tuple[int, ...] = (),
        pictures: Path | None = None,
    ) -> None:
        self.session = session
        self.window = presses.window if presses else 0
        self._camera, self._presses = camera, presses
        self._seats, self._deals, self._pictures = seats, deals, pictures
        self._said: list[MoveMessage | Request] = []  # they wait for presses from before them
        self._bench: Bench | None = None  # as soon as there is an eye
        self._benches = 0
        self._ring: Ring | None = None  # the last seconds
        self._has_seen = self._is_gone = False
        self._step = Step()
        self._attended = 0
        self._room = ExitStack()
        camera.watch()

    # --- what is waited for

    @property
    def ears(self) -> list[Ear]:
        return [*self._camera.ears, *([self._presses] if self._presses else [])]

    @property
    def wakes_at(self) -> int | None:
        """The stamp at which `attend` has something to do, apart from what comes by the ears."""
        found = [_stamp(message) + self.window for message in self._said]
        if self._presses and self._presses.wakes_at is not None:
            found.append(self._presses.wakes_at)
        if self._bench and self._bench.wakes_at is not None:
            found.append(self._bench.wakes_at)
        if self._bench and self._bench.is_drawing:
            found.append(self._attended + PEEK)
        return min(found, default=None)

    # --- what goes in

    def say(self, message: MoveMessage | Request, now: int) -> None:
        """A message, answered by `attend` as soon as nothing stamped earlier can come any more."""
        self._said.append(message if message.at is not None else replace(message, at=now))

    def attend(self, now: int) -> list[Reply]:
        """The replies to everything that is due: the frames first, which are older than what is said meanwhile."""
        self._attended = now
        found = [{**reply, "by": BY} for news in self._camera.attend(now) for reply in self._of_camera(news)]
        found += [reply for message in self._due(now, found) for reply in self._answered(message)]
        if self._bench:
            found += self._bench.time_is(now)
            found += self._disputed_again(found)
        if self._presses:
            self._presses.follow(self.session.referee.match)
            self._presses.arm(now)
        self._tell(found)
        return found

    def close(self) -> None:
        """The match stays as it is kept; camera and buttons belong to the room."""
        self._leave_bench()
        self._room.close()
        self._camera.rest()

    def _due(self, now: int, found: list[Reply]) -> list[MoveMessage | Request]:
        """In the order of their stamps; what is only to be told of the buttons is found at once."""
        due = [message for message in self._said if _stamp(message) + self.window <= now]
        self._said = [message for message in self._said if message not in due]
        for one in self._presses.attend(now) if self._presses else ():
            if isinstance(one, Meant):
                due.append(MoveMessage(one.move, one.stamp, ""))
            else:
                found.append(_notice(one.sentence))
        return sorted(due, key=_stamp)

    def _answered(self, message: MoveMessage | Request) -> Iterator[Reply]:
        if self._bench:
            yield from self._bench.told(message)
        elif isinstance(message, LookRequest | Really):
            error = MatchError(self._camera.sight.why or "The camera does not see the table yet.")
            yield reply_plain(error_reply(error), message.id)
        else:
            yield from self.session.answer(message)

    def _disputed_again(self, found: list[Reply]) -> list[Reply]:
        """How the last plays stand, when something has changed about them during a dispute."""
        kinds = [reply["kind"] for reply in found]
        changed = max((at for at, kind in enumerate(kinds) if kind in CHANGES), default=-1)
        if not self._bench or changed < 0 or "dispute" in kinds[changed:]:
            return []
        return list(self._bench.disputed())

    # --- what is seen

    def _of_camera(self, news: News) -> Iterator[Reply]:
        match news:
            case Looked(frame, seen):
                self._has_seen = True
                if bench := self._sat_down():
                    if self._is_gone:
                        yield from bench.back(frame.stamp)
                    self._is_gone = False
                    yield from bench.saw(seen, frame)
            case Gone(at, why):
                if self._bench and self._has_seen:
                    self._is_gone = True
                    yield from self._bench.gone(at, why)
                else:
                    yield _notice(f"{why} The match goes on by touch.")
            case Blind(why):
                self._leave_bench()
                yield _notice(f"{why} The match goes on by touch.")
            case Startled(why):
                self._leave_bench()
                yield _notice(why)

    def _sat_down(self) -> Bench | None:
        """The bench of the eye that watches now; none while there is no eye."""
        if self._bench is None and self._camera.eye is not None:
            from vision.ring import Ring  # noqa: PLC0415

            self._benches += 1
            self._ring = Ring(FILM / SECOND)
            self._bench = Bench(self._camera.eye, self.session, self._witness, self._album(), self._ring)
        return self._bench

    def _witness(self) -> Witness:
        return Witness(deals=self._deals, seats=self._seats)

    def _album(self) -> Album | None:
        """A folder for the pictures of disputes; without one there are none."""
        try:
            if self._pictures is None:
                self._pictures = Path(self._room.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
            return Album(self._pictures / str(self._benches))
        except (OSError, CompanionError):
            return None

    def _leave_bench(self) -> None:
        if self._bench:
            self._bench.close()
            self._bench = self._ring = None
            self._step = Step()

    def _tell(self, found: list[Reply]) -> None:
        """What a screen may show besides the match."""
        for reply in found:
            self._step = self._step.after(reply)
        is_stopped = self.session.referee.match.state.phase == "stopped"
        self._camera.tell(self._step, self._film() if is_stopped else None)

    def _film(self) -> Film | None:
        """The seconds before a Stop!, for as long as it is disputed."""
        film = self._camera.sight.film
        if film is None and self._ring and self._ring.stamps:
            newest = self._ring.stamps[-1]
            kept = self._ring.hold(newest - FILM, newest).kept
            return Film(tuple(one.stamp for one in kept), tuple(one.jpeg for one in kept), self._camera.sight.places)
        return film


def _stamp(message: MoveMessage | Request) -> int:
    assert message.at is not None
    return message.at


def _notice(sentence: str) -> Reply:
    return reply_plain(NoticeReply(sentence))
