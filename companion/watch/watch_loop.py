"""`companion watch`: frames in, one after the other, with what people say in between; sightings out or, with a game,
rulings. Whatever is wrong with a source is one sentence, and what was ruled so far is kept."""

import select
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

from companion.core.clocks import SECOND, shown
from companion.core.referee import NEVER
from companion.core.replies import ErrorReply, NoticeReply, Reply
from companion.core.requests import Message, Touch, stamp_of
from companion.core.session import Session
from companion.core.wire import message_plain, reply_plain
from companion.inputs.inbox import Inbox
from companion.inputs.line_source import LineSource, NoMessage, message_of
from companion.inputs.presses import Noted
from companion.watch.feed import Feed, Gone
from companion.watch.sighting_text import Line, TableLine, TableLostLine, TroubleLine, line_of, line_plain
from companion.watch.watch_sources import Showing, TimedMessage
from vision.eye_errors import NoTableError, SourceError

if TYPE_CHECKING:
    from vision.frames import Frame
    from vision.recording import Recorder
    from vision.sightings import Sighting
    from vision.watcher import Watcher

PATIENCE = 10 * SECOND  # with a film that shows no table
ATTEND = SECOND // 10  # how long a live source is waited for before the time is looked at
IN_VAIN = 3  # how often a source may fail, one time after the other, without having shown anything new
GONE = "gone"  # in a recording, instead of a message: the camera was, and why

News = Line | Reply
Tell = Callable[[News, int], None]  # with the newest stamp of a frame


class Judge(Protocol):
    """What becomes of sightings and of what is said."""

    def saw(self, seen: "list[Sighting]", frame: "Frame") -> Iterable[News]:
        """What became known with a frame, which may be nothing."""
        ...

    def heard(self, message: Message) -> Iterable[News]:
        """Something was said, pressed, or typed; it has its stamp."""
        ...

    def gone(self, stamp: int, why: str) -> Iterable[News]:
        """The camera shows nothing any more, and is tried again."""
        ...

    def back(self, stamp: int) -> Iterable[News]: ...


class Watch:
    """One table watched, whatever shows it: what comes in is kept if it is to be, and so is what is told of it."""

    def __init__(self, eye: "Watcher", judge: Judge, tell: Tell, recorder: "Recorder | None" = None) -> None:
        self._eye, self._judge, self._told, self._recorder = eye, judge, tell, recorder
        self._trouble_told = False
        self._gone = False
        self.missing = "there is none"  # why there is no table, as long as there was none
        self.has_table = False
        self.frames = 0
        self.first = 0  # stamp of the first frame ...
        self.clock = 0  # ... and the newest
        self.errors = 0

    def frame(self, frame: "Frame") -> None:
        if self._recorder:
            frame = self._recorder.kept(frame)
            self._look_after_recorder()
        if not self.frames:
            self.first = self.clock = frame.stamp
        self.frames += 1
        self.clock = max(self.clock, frame.stamp)
        seen = self._eye.watch(frame)
        self._note(seen)
        if self._gone:
            self._gone = False
            self.tell(self._judge.back(frame.stamp))
        self.tell(self._judge.saw(seen, frame))

    def heard(self, message: Message) -> None:
        """A message with its stamp."""
        if self._recorder:
            self._recorder.heard(stamp_of(message), message_plain(message))
        self.tell(self._judge.heard(message))

    def refused(self, said: NoMessage) -> None:
        """It is kept as well, so that it is told of whenever the recording is watched."""
        if self._recorder and said.data is not None:
            data = {name: one for name, one in said.data.items() if name != "at"}
            self._recorder.heard(said.data.get("at", self.clock), data)
        self.tell([said.reply])

    def gone(self, stamp: int, why: str) -> None:
        self._gone = True
        if self._recorder:
            self._recorder.heard(stamp, {GONE: why})
        self.tell(self._judge.gone(stamp, why))

    def _note(self, seen: "list[Sighting]") -> None:
        for one in seen:
            line = line_of(one)
            self.has_table = self.has_table or isinstance(line, TableLine)
            if isinstance(line, TableLostLine | TroubleLine):
                self.missing = line.why if isinstance(line, TableLostLine) else line.sentence
            if self._recorder:
                self._recorder.note("sightings.jsonl", line_plain(line))

    def tell(self, news: Iterable[News]) -> None:
        for one in news:
            self.errors += isinstance(one, ErrorReply)
            if self._recorder:
                self._recorder.note("told.jsonl", news_plain(one))
            self._told(one, self.clock)
        self._look_after_recorder()

    def _look_after_recorder(self) -> None:
        if self._recorder and self._recorder.trouble and not self._trouble_told:
            self._trouble_told = True
            self.tell([NoticeReply(self._recorder.trouble)])


def news_plain(news: News) -> dict[str, Any]:
    """What is told, as JSON."""
    return line_plain(news) if isinstance(news, Line) else reply_plain(news)


# --- files: their stamps are the clock -------------------------------------------------------------------------


class FileLoop:
    """What is watched as quickly as it comes: time is what its frames say, and goes as far as they go."""

    def __init__(self, watch: Watch, showing: Showing, lines: LineSource) -> None:
        self._watch, self._showing, self._lines = watch, showing, lines
        self._inbox = Inbox()
        self._placed: list[tuple[int, Message | NoMessage | Gone]] = []  # with the number of frames before it
        self._wrong: list[tuple[int, NoMessage]] = []  # with its stamp
        for cue in showing.cues:
            self._put(cue)
        self._wrong.sort(key=lambda one: one[0])
        self._in_vain = 0

    def _put(self, cue: TimedMessage) -> None:
        """Of a recording among its frames; of a script by its stamp."""
        said = message_of({**cue.message, "at": cue.at}, self._lines.reader)
        if cue.after is not None:
            is_gone = GONE in cue.message
            self._placed.append((cue.after, Gone(cue.at, str(cue.message[GONE])) if is_gone else said))
        elif isinstance(said, NoMessage):
            self._wrong.append((cue.at, said))
        else:
            self._inbox.put(said, cue.at)

    def run(self) -> None:
        while self._is_gone():
            pass
        self._say_placed(NEVER)
        self._say_the_rest()
        self._listen()
        self._say_the_rest()
        self._must_have_table(0)

    def _is_gone(self) -> bool:
        """Watch until the end, or until a camera is gone that comes back when frames are asked for again."""
        before, newest = self._watch.frames, self._watch.clock
        try:
            self._watch_frames()
        except SourceError as error:
            is_further = not before or self._watch.clock > newest  # some begin anew and fail where they failed before
            self._in_vain = 0 if is_further else self._in_vain + 1
            if not self._showing.comes_back or self._watch.frames == before or self._in_vain == IN_VAIN:
                raise
            self._watch.gone(self._watch.clock, error.sentence)
            return True
        return False

    def _watch_frames(self) -> None:
        size = self._showing.source.size
        for frame in self._showing.source.frames():
            _must_have_size(frame, size)
            self._say_placed(self._watch.frames)
            if self._watch.frames:
                self._say(frame.stamp - 1)
            self._watch.frame(frame)
            self._must_have_table(PATIENCE)
            self._listen()

    def _say_placed(self, frames: int) -> None:
        """What was recorded comes at its place among the frames."""
        while self._placed and self._placed[0][0] <= frames:
            match self._placed.pop(0)[1]:
                case Gone(at, why):
                    self._watch.gone(at, why)
                case NoMessage() as said:
                    self._watch.refused(said)
                case message:
                    self._watch.heard(message)

    def _say_the_rest(self) -> None:
        while (at := self._next()) is not None:
            self._say(at)

    def _next(self) -> int | None:
        """The stamp of what is to be said next."""
        waiting = self._inbox.wakes_at
        return min([at for at, _ in self._wrong[:1]] + ([] if waiting is None else [waiting]), default=None)

    def _say(self, until: int) -> None:
        while self._wrong and self._wrong[0][0] <= until:
            self._watch.refused(self._wrong.pop(0)[1])
        for one in self._inbox.take(until):
            assert not isinstance(one, Noted)
            self._watch.heard(one)

    def _must_have_table(self, patience: int) -> None:
        """After a sensible while: what a film does not show, it will not show to anybody who waits."""
        watch, looked = self._watch, self._watch.clock - self._watch.first
        if not watch.has_table and looked >= patience:
            raise NoTableError(f"{self._showing.name} shows no table in {shown(looked)}: {watch.missing.rstrip('.')}.")

    def _listen(self) -> None:
        """What is typed has the newest frame's stamp, or waits for its own."""
        while self._lines.has_something:
            for message in self._lines.take():
                if isinstance(message, NoMessage):
                    self._watch.refused(message)
                else:
                    self._inbox.put(message, self._watch.clock)
                    self._say(self._watch.clock)


def _must_have_size(frame: "Frame", size: tuple[int, int]) -> None:
    now = frame.picture.shape[1::-1]
    if now != size:
        raise SourceError(
            f"Frame {frame.number} is {now[0]} × {now[1]}, and those before it are {size[0]} × {size[1]}: frames of "
            "one size can be watched."
        )


# --- cameras: this machine's clock is the clock ----------------------------------------------------------------


class LiveLoop:
    """What is watched as it happens: frames, messages and presses, whichever is there."""

    def __init__(
        self,
        watch: Watch,
        showing: Showing,
        lines: LineSource,
        inbox: Inbox | None = None,
        session: Callable[[], Session | None] = lambda: None,
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """`session`: of the match that the buttons belong to, as soon as there is one."""
        assert showing.again
        self._watch, self._lines, self._now = watch, lines, now
        self._inbox, self._session = inbox or Inbox(), session
        self._feed = Feed(showing.source, showing.again)

    def run(self) -> None:
        """Until somebody interrupts it."""
        try:
            while True:
                self.once()
        finally:
            self._feed.close()

    def once(self) -> None:
        """Whatever is there, the frames first: they are older than what is said while they are looked at."""
        ears: list[Any] = [self._feed, *([self._lines] if self._lines.is_open else ()), *self._inbox.ears]
        select.select(ears, [], [], self._patience() / SECOND)
        for news in self._feed.take():
            if isinstance(news, Gone):
                self._watch.gone(news.at, news.why)
            else:
                self._watch.frame(news)
        if self._lines.has_something:
            for message in self._lines.take():
                self._take(message)
        self._answer(self._now())

    def _patience(self) -> int:
        wakes = self._inbox.wakes_at
        return ATTEND if wakes is None else max(0, min(ATTEND, wakes - self._now()))

    def _take(self, message: Message | NoMessage) -> None:
        if isinstance(message, NoMessage):
            self._watch.refused(message)
        elif isinstance(message, Touch) and self._inbox.has_buttons:
            self._watch.tell(self._inbox.touched(message, self._session(), self._now()))
        else:
            self._inbox.put(message, self._now())

    def _answer(self, now: int) -> None:
        """What is due, in the order of the stamps."""
        for one in self._inbox.take(now):
            if isinstance(one, Noted):
                self._watch.tell([NoticeReply(one.sentence)])
            else:
                self._watch.heard(one)
        if session := self._session():
            self._inbox.follow(session.referee, now)
