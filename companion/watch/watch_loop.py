"""`companion watch`: frames in, one after the other, with what people say in between; sightings out or, with a game,
rulings. Whatever is wrong with a source is one sentence, and what was ruled so far is kept."""

import os
import select
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from companion.clocks import SECOND, shown
from companion.codec import parsed, read_optional
from companion.door import Lines
from companion.exc import CompanionError, MalformedError
from companion.feed import Feed, Gone
from companion.protocol import LONGEST_LINE, Touch, error_reply, notice_reply, reply_plain
from companion.showing import Cue, Showing
from companion.watched import Line, TableLine, TableLostLine, TroubleLine, line_of, line_plain

if TYPE_CHECKING:
    from vision.frames import Frame
    from vision.recording import Recorder
    from vision.sightings import Sighting
    from vision.watcher import Watcher

PATIENCE = 10 * SECOND  # with a film that shows no table
ATTEND = SECOND // 10  # how long a live source is waited for before the time is looked at
IN_VAIN = 3  # how often a source may fail, one time after the other, without having shown anything new
GONE = "gone"  # in a recording, instead of a message: the camera was, and why
_READ = 65_536

Reply = dict[str, Any]
News = Line | Reply
Tell = Callable[[News, int], None]  # with the newest stamp of a frame


class Judge(Protocol):
    """What becomes of sightings and of what is said."""

    def saw(self, seen: "list[Sighting]", frame: "Frame") -> Iterable[News]:
        """What became known with a frame, which may be nothing."""
        ...

    def heard(self, message: dict[str, Any], stamp: int) -> Iterable[News]:
        """Something was said, pressed, or typed."""
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

    def heard(self, message: dict[str, Any], stamp: int) -> None:
        """A message with its stamp; what it is is for the judge to say."""
        if self._recorder:
            self._recorder.heard(stamp, message)
        self.tell(self._judge.heard(message, stamp))

    def refused(self, error: CompanionError, identity: str = "") -> None:
        """A message that is none."""
        self.tell([reply_plain(error_reply(error), identity)])

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
            reply = line_plain(one) if isinstance(one, Line) else one
            self.errors += reply["kind"] == "error"
            if self._recorder:
                self._recorder.note("told.jsonl", reply)
            self._told(one, self.clock)
        self._look_after_recorder()

    def _look_after_recorder(self) -> None:
        if self._recorder and self._recorder.trouble and not self._trouble_told:
            self._trouble_told = True
            self.tell([notice(self._recorder.trouble)])


def notice(sentence: str) -> Reply:
    return reply_plain(notice_reply(sentence))


# --- what is typed ---------------------------------------------------------------------------------------------


class Ear:
    """The standard input, read as far as there is something: messages, or what is wrong with a line."""

    def __init__(self, source: int) -> None:
        self._source, self._lines = source, Lines()
        self.is_open = True

    def fileno(self) -> int:
        return self._source

    def has_something(self, seconds: float = 0) -> bool:
        return self.is_open and bool(select.select([self._source], [], [], seconds)[0])

    def take(self) -> Iterator[dict[str, Any] | CompanionError]:
        """What stands there now; call it when there is something."""
        data = os.read(self._source, _READ)
        self.is_open = bool(data)
        for line in self._lines.cut(data) if data else self._lines.last():
            if line is None:
                yield MalformedError(f"The line is longer than {LONGEST_LINE} bytes.")
            elif line.strip():
                yield _message(line)


def _message(line: bytes) -> dict[str, Any] | CompanionError:
    try:
        found = parsed(line)
        if not isinstance(found, dict):
            raise MalformedError("A message must be a JSON object.")
        read_optional(int, found.get("at"), "at")
    except CompanionError as error:
        return error
    return found


# --- files: their stamps are the clock -------------------------------------------------------------------------


class Reel:
    """What is watched as quickly as it comes: time is what its frames say, and goes as far as they go."""

    def __init__(self, watch: Watch, showing: Showing, ear: Ear) -> None:
        self._watch, self._showing, self._ear = watch, showing, ear
        self._cues = list(showing.cues)
        self._typed: list[Cue] = []  # with stamps that are still to come
        self._in_vain = 0

    def run(self) -> None:
        while self._is_gone():
            pass
        for cue in (*self._cues, *self._typed):
            self._say(cue)
        self._listen()
        self._must_have_table(0)

    def _is_gone(self) -> bool:
        """Watch until the end, or until a camera is gone that comes back when frames are asked for again."""
        from vision.exc import SourceError  # noqa: PLC0415

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
            self._say_before(frame)
            self._watch.frame(frame)
            self._must_have_table(PATIENCE)
            self._listen()

    def _say(self, cue: Cue) -> None:
        if GONE in cue.message and cue.after is not None:
            self._watch.gone(cue.at, str(cue.message[GONE]))
        else:
            self._watch.heard(cue.message, cue.at)

    def _say_before(self, frame: "Frame") -> None:
        for cues in (self._cues, self._typed):
            while cues and self._is_due(cues[0], frame):
                self._say(cues.pop(0))

    def _is_due(self, cue: Cue, frame: "Frame") -> bool:
        if cue.after is not None:
            return cue.after <= self._watch.frames
        return bool(self._watch.frames) and cue.at < frame.stamp

    def _must_have_table(self, patience: int) -> None:
        """After a sensible while: what a film does not show, it will not show to anybody who waits."""
        from vision.exc import NoTableError  # noqa: PLC0415

        watch, looked = self._watch, self._watch.clock - self._watch.first
        if not watch.has_table and looked >= patience:
            raise NoTableError(f"{self._showing.name} shows no table in {shown(looked)}: {watch.missing.rstrip('.')}.")

    def _listen(self) -> None:
        while self._ear.has_something():
            for message in self._ear.take():
                self._answer(message)

    def _answer(self, message: dict[str, Any] | CompanionError) -> None:
        if isinstance(message, CompanionError):
            self._watch.refused(message)
            return
        at = message.pop("at", None)
        if at is None or at <= self._watch.clock:
            self._watch.heard(message, self._watch.clock if at is None else at)
        else:
            self._typed.append(Cue(message, at))
            self._typed.sort(key=lambda cue: cue.at)


def _must_have_size(frame: "Frame", size: tuple[int, int]) -> None:
    from vision.exc import SourceError  # noqa: PLC0415

    now = frame.picture.shape[1::-1]
    if now != size:
        raise SourceError(
            f"Frame {frame.number} is {now[0]} × {now[1]}, and those before it are {size[0]} × {size[1]}: frames of "
            "one size can be watched."
        )


# --- cameras: this machine's clock is the clock ----------------------------------------------------------------


class Buttons(Protocol):
    """What is pressed, as messages, in the order of the stamps; `companion.presses` for a table that is watched."""

    @property
    def window(self) -> int:
        """How long a press may be on its way."""
        ...

    @property
    def wakes_at(self) -> int | None: ...

    def fileno(self) -> int: ...
    def attend(self, now: int) -> Iterable[Cue | str]:
        """Messages that are due, and sentences that people must know."""
        ...

    def touch(self, message: dict[str, Any], stamp: int) -> Iterable[Reply]:
        """Press a simulated one."""
        ...


class Stage:
    """What is watched as it happens: frames, messages and presses, whichever is there."""

    def __init__(
        self,
        watch: Watch,
        showing: Showing,
        ear: Ear,
        buttons: Buttons | None = None,
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        assert showing.again
        self._watch, self._ear, self._buttons, self._now = watch, ear, buttons, now
        self._waiting: list[Cue] = []  # for presses from before them that may still be on their way
        self._window = buttons.window if buttons else 0
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
        ears: list[Any] = [self._feed, *([self._ear] if self._ear.is_open else ()), *filter(None, [self._buttons])]
        select.select(ears, [], [], self._patience() / SECOND)
        for news in self._feed.take():
            if isinstance(news, Gone):
                self._watch.gone(news.at, news.why)
            else:
                self._watch.frame(news)
        if self._ear.has_something():
            for message in self._ear.take():
                self._take(message)
        self._answer()

    def _patience(self) -> int:
        wakes = [cue.at + self._window for cue in self._waiting]
        if self._buttons and self._buttons.wakes_at is not None:
            wakes.append(self._buttons.wakes_at)
        return min([ATTEND, *(max(0, at - self._now()) for at in wakes)])

    def _take(self, message: dict[str, Any] | CompanionError) -> None:
        if isinstance(message, CompanionError):
            self._watch.refused(message)
            return
        given = message.pop("at", None)
        at = self._now() if given is None else given
        if self._buttons and message.get("do") == Touch.word:
            self._watch.tell(self._buttons.touch(message, at))
        else:
            self._waiting.append(Cue(message, at))

    def _answer(self) -> None:
        """What is due, in the order of the stamps."""
        now = self._now()
        due = [cue for cue in self._waiting if cue.at + self._window <= now]
        self._waiting = [cue for cue in self._waiting if cue not in due]
        for one in self._buttons.attend(now) if self._buttons else ():
            if isinstance(one, str):
                self._watch.tell([notice(one)])
            else:
                due.append(one)
        for cue in sorted(due, key=lambda cue: cue.at):
            self._watch.heard(cue.message, cue.at)
