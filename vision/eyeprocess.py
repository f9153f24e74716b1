"""A camera as a source: a process that has it, watched, killed when it is silent, started again.

Nothing here waits longer than it says. The frames come through memory that has no name, so that there is nothing
to clean up whoever dies; the process ends with the pipe that this one holds.
"""

import json
import mmap
import os
import selectors
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import IO, Any

import numpy as np

from vision.calibration import CameraSettings, found
from vision.eye_errors import SourceError
from vision.eyehost import ARRIVAL, Wanted
from vision.frames import Frame
from vision.grey import grey_size

OPENING = 20.0  # seconds; the first start from a slow card takes some
PATIENCE = 3.0  # seconds without a frame
GRACE = 1.0  # seconds to end in good order
DYING = 1.0  # seconds to be gone once it is killed
BETWEEN = 0.5  # seconds before a camera that was just let go is tried again
TRIES = 3  # starts in a row that bring no frame

_stuck: dict["EyeProcess", Wanted] = {}  # in the kernel, where no signal reaches them: another would hang beside them

# Like a spawned process of multiprocessing: the same interpreter, looking for modules in the same places.
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from vision.eyehost import main; main(sys.argv[2:])"


@dataclass(frozen=True, slots=True)
class Shown:
    """A frame that lies in the shared memory."""

    slot: int
    number: int
    stamp: int


class EyeProcess:
    """One process with the camera in it, and what it has said so far."""

    def __init__(self, wanted: Wanted) -> None:
        self.opened: dict[str, Any] = {}
        self.failure = ""
        self.may_pass = True  # the failure, by itself
        self.newest: dict[str, Any] = {}  # what was told of the newest frame
        self.words: deque[str] = deque(maxlen=20)  # what libcamera had to say
        self._news = threading.Condition()
        self._shown: Shown | None = None
        self._over = False
        self._map: mmap.mmap | None = None
        self._is_ended = False
        self._wanted, self._advice = wanted, _advice(wanted)
        if wanted in _stuck.values():
            raise SourceError(f"The camera hangs, and its driver does not let go of it. {self._advice}")
        self._memory = os.memfd_create("eye")
        try:
            self._process = _started(wanted, self._memory)
        except OSError as error:
            os.close(self._memory)
            raise SourceError(f"The camera's process cannot be started: {error.strerror}.") from None
        self._listener = threading.Thread(target=self._listen, name="eye", daemon=True)
        try:
            self._listener.start()
        except RuntimeError as error:  # there are too many threads
            self.end(at_once=True)
            raise SourceError(f"The camera's process cannot be listened to: {error}.") from None

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_until_opened(self, patience: float) -> None:
        with self._news:
            self._news.wait_for(lambda: self.opened or self._over, patience)
        if not self.opened:
            silent = "The camera's process ended without a word." if self._over else "The camera does not answer."
            raise SourceError(self.failure or f"{silent} {self._advice}")

    def take(self, patience: float) -> Frame | None:
        """The newest frame, as soon as there is one; None if there is none for so many seconds, or never will be."""
        with self._news:
            self._news.wait_for(lambda: self._shown or self._over, patience)
            shown, self._shown = self._shown, None
            if shown is None or self._map is None:
                return None
            frame = self._copied(shown, self._map)
            self._give_back(shown.slot)
        return frame

    def _copied(self, shown: Shown, memory: mmap.mmap) -> Frame:
        width, height = self.opened["size"]
        across, down = grey_size((width, height))
        whole, small = width * height * 3, across * down
        place = shown.slot * (whole + small)
        picture = np.frombuffer(memory, np.uint8, whole, place).reshape(height, width, 3).copy()
        grey = np.frombuffer(memory, np.uint8, small, place + whole).reshape(down, across).copy()
        return Frame(picture, grey, shown.stamp, shown.number)

    def _give_back(self, slot: int) -> None:
        """Only while `_news` is held, so that the pipe is not closed, and its number another file's, in between."""
        with suppress(OSError, ValueError):  # it has ended, or been closed meanwhile
            os.write(_open(self._process.stdin).fileno(), bytes([slot]))

    # What the process says, in a thread of its own so that no slot is kept because nobody asks for frames.

    def _listen(self) -> None:
        speech, words = _open(self._process.stdout), _open(self._process.stderr)
        rests = {speech: b"", words: b""}
        with selectors.DefaultSelector() as both:
            both.register(speech, selectors.EVENT_READ)
            both.register(words, selectors.EVENT_READ)
            while speech in rests:
                for key, _ in both.select():
                    pipe: Any = key.fileobj
                    more = os.read(pipe.fileno(), 65536)
                    *lines, rests[pipe] = (rests[pipe] + more).split(b"\n")
                    for line in lines:
                        self._hear(line, is_speech=pipe is speech)
                    if not more:
                        both.unregister(pipe)
                        del rests[pipe]
        with self._news:
            self._over = True
            self._news.notify_all()

    def _hear(self, line: bytes, *, is_speech: bool) -> None:
        if not is_speech:
            self.words.append(line.decode(errors="replace")[:300])
            return
        told = json.loads(line)
        with self._news:
            match told:
                case {"frame": slot, "number": number, "stamp": stamp}:
                    if self._shown is not None:
                        self._give_back(self._shown.slot)
                    self._shown, self.newest = Shown(slot, number, stamp), told
                case {"opened": opened}:
                    self._map = mmap.mmap(self._memory, 0)
                    self.opened = opened
                case {"failed": sentence, "passing": may_pass}:
                    self.failure, self.may_pass = sentence, may_pass
            self._news.notify_all()

    # Ends

    def end(self, *, at_once: bool = False) -> None:
        """Hang up, give it a moment to leave the camera in good order, or none, and let go of everything."""
        if self._is_ended:
            return
        self._is_ended, process = True, self._process
        with self._news, suppress(OSError):
            _open(process.stdin).close()
        if not at_once:
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
        process.kill()
        try:
            process.wait(DYING)
        except subprocess.TimeoutExpired:  # it is not waited for
            _stuck[self] = self._wanted
            threading.Thread(target=self._leave, name="eye that is stuck", daemon=True).start()
        else:
            self._leave()

    def _leave(self) -> None:
        self._process.wait()
        _stuck.pop(self, None)
        if self._listener.ident is not None:
            self._listener.join()
        _open(self._process.stdout).close()
        _open(self._process.stderr).close()
        with self._news:
            self._shown = None
            if self._map is not None:
                self._map.close()
                self._map = None
            if self._memory >= 0:
                os.close(self._memory)
                self._memory = -1


def _started(wanted: Wanted, memory: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", _START, json.dumps(sys.path), json.dumps(asdict(wanted)), str(memory)]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=(memory,),
        process_group=0,  # a Ctrl-C is for this process, which ends the other
        env={"LIBCAMERA_LOG_LEVELS": "*:ERROR", **os.environ},
    )


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise ValueError("not a pipe")
    return pipe


def _advice(wanted: Wanted) -> str:
    if wanted.device:
        return "Pull the webcam out and plug it in again, into another socket if that helps."
    return "Look at both ends of its flat cable and at its power, or switch the Pi off and on again."


class CameraApart:
    """A camera in a process of its own. Frames are the newest there are: whoever is slow gets fewer, not older ones."""

    def __init__(
        self,
        wanted: Wanted,
        *,
        patience: float = PATIENCE,
        opening: float = OPENING,
        between: float = BETWEEN,
    ) -> None:
        self._wanted, self._patience, self._opening, self._between = wanted, patience, opening, between
        self.restarts = 0
        self._fruitless = 0  # starts in a row without a frame
        self._next = 0  # the number of the next frame, if none gets lost
        self._base = 0  # the number of the process's first one
        self._closed = threading.Event()
        self._change = threading.Lock()  # of the process for another
        self._eye = EyeProcess(wanted)
        try:
            self._eye.wait_until_opened(opening)
        except SourceError:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """Of the process that has the camera at present."""
        return self._eye.pid

    @property
    def size(self) -> tuple[int, int]:
        width, height = self._eye.opened.get("size", self._wanted.size)
        return width, height

    def frames(self) -> Iterator[Frame]:
        while not self._closed.is_set():
            frame = self._eye.take(self._patience)
            if frame is not None:
                self._fruitless = 0
                self._next = self._base + frame.number + 1
                yield Frame(frame.picture, frame.grey, frame.stamp, self._base + frame.number)
            elif not self._closed.is_set():
                self._start_again()

    def _start_again(self) -> None:
        """Kill the process that is silent, and have another one. Something that will not pass is raised."""
        before = self._eye
        before.end(at_once=True)
        if before.failure and not before.may_pass:
            self.close()
            raise SourceError(before.failure)
        if self._fruitless >= TRIES:
            self.close()
            why = (
                before.failure
                or f"The camera is silent: no picture came for {self._patience:g} s. {_advice(self._wanted)}"
            )
            raise SourceError(f"{why} It was started again {TRIES} times, in vain.")
        if self._fruitless:
            self._closed.wait(self._between)
        with self._change:
            if self._closed.is_set():
                return
            self._fruitless += 1
            self.restarts += 1
            self._base = self._next + 1  # at least one is lost
            self._eye = EyeProcess(self._wanted)
        with suppress(SourceError):  # there will be no frame, and another try if that can help
            self._eye.wait_until_opened(self._opening)

    def about(self) -> dict[str, Any]:
        eye = self._eye
        newest = eye.newest
        return {
            "kind": "camera",
            **eye.opened,
            "grey": grey_size(self.size),
            "settings": asdict(self._wanted.settings),
            "held": newest.get("held"),
            "metadata": newest.get("metadata", {}),
            "stamps": newest.get("stamps", ARRIVAL),
            "frames": self._base + newest.get("number", -1) + 1,
            "restarts": self.restarts,
            "says": list(eye.words),
        }

    def close(self) -> None:
        """At any time, from any thread, more than once; frames() ends."""
        with self._change:
            if self._closed.is_set():
                return
            self._closed.set()
            self._eye.end()


def calibrated(camera: int = 0, size: tuple[int, int] = (1280, 720)) -> CameraSettings:
    """What the camera finds by itself for the light and the distance that there are now."""
    source = CameraApart(Wanted(camera, size))
    try:
        return found(source.about()["metadata"] for _ in source.frames())
    finally:
        source.close()
