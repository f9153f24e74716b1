"""What runs in the process of its own that vision/eyeprocess.py starts: a camera, and nothing else.

A camera that stalls blocks whoever waits for it, for good at times, and can be got rid of only together with its
process; what decodes its pictures may take the process down with it. So everything that touches a driver runs here.

It says what happens in lines of JSON: `opened` once, then a `frame` for each picture that lies in a slot of the
shared memory, or `failed` with a sentence. Back come the numbers of slots that were emptied; the end of that pipe is
the end of this process.
"""

import json
import mmap
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from vision.calibration import CameraSettings
from vision.eye_errors import SourceError
from vision.frames import Picture, Plane
from vision.grey import grey_size

SLOTS = 4
LAST_WORDS = 2.0  # seconds for stopping in good order
ARRIVAL = "of arrival"  # a stamp that no driver has given

IsWanted = Callable[[], bool]


class PassingError(SourceError):
    """What is wrong may pass by itself, such as a camera that somebody else has."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of a camera: of the Pi's, by its number, or of the webcam that is this device."""

    camera: int = 0
    size: tuple[int, int] = (1280, 720)
    rate: float = 30  # frames per second
    settings: CameraSettings = field(default_factory=CameraSettings)
    device: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A picture with its grey plane, and where its stamp is from."""

    picture: Picture
    grey: Plane
    stamp: int
    stamps: str
    held: bool | None = None  # the settings that were asked for are in it
    told: dict[str, Any] = field(default_factory=dict)  # by the camera


class Hosted(Protocol):
    """A camera that is open and gives pictures."""

    @property
    def size(self) -> tuple[int, int]: ...
    def about(self) -> dict[str, Any]: ...
    def shots(self, is_wanted: IsWanted) -> Iterator[Shot]: ...
    def close(self) -> None: ...


def in_a_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200].rstrip(".") or type(error).__name__


class _Slots:
    """The shared memory: room for a few pictures with their grey planes, and which of them are free."""

    def __init__(self, memory: int, size: tuple[int, int], orders: int) -> None:
        grey = grey_size(size)
        self._picture, self._grey = (size[1], size[0], 3), (grey[1], grey[0])
        self._room = size[0] * size[1] * 3 + grey[0] * grey[1]
        os.ftruncate(memory, SLOTS * self._room)
        self._memory = mmap.mmap(memory, SLOTS * self._room)
        self._free = set(range(SLOTS))
        self._orders = orders
        os.set_blocking(orders, False)

    def are_wanted(self) -> bool:
        """False once the other process has hung up; the slots that it gave back are free."""
        try:
            given = os.read(self._orders, 64)
        except BlockingIOError:
            return True
        self._free.update(given)
        return bool(given)

    def put(self, picture: Picture, grey: Plane) -> int | None:
        """Where they were put; None where there is no room."""
        if not self._free:
            return None
        slot = self._free.pop()
        place = slot * self._room
        np.copyto(np.ndarray(self._picture, np.uint8, self._memory, place), picture)
        place += picture.size
        np.copyto(np.ndarray(self._grey, np.uint8, self._memory, place), grey)
        return slot


def show(camera: Hosted, slots: _Slots, tell: Callable[[dict[str, Any]], None]) -> None:
    """Frame after frame, until nobody wants them any more."""
    for number, shot in enumerate(camera.shots(slots.are_wanted)):
        slot = slots.put(shot.picture, shot.grey)
        if slot is not None:
            told = {"number": number, "stamp": shot.stamp, "stamps": shot.stamps, "held": shot.held}
            tell({"frame": slot, **told, "metadata": shot.told})


def serve(wanted: Wanted, memory: int, orders: int, tell: Callable[[dict[str, Any]], None]) -> int:
    camera: Hosted | None = None
    try:
        camera = _opened(wanted)
        slots = _Slots(memory, camera.size, orders)
        tell({"opened": {"size": camera.size, **camera.about()}})
        show(camera, slots, tell)
    except BrokenPipeError:  # nobody listens any more
        pass
    except SourceError as error:
        return _failed(tell, str(error), may_pass=isinstance(error, PassingError))
    except Exception as error:  # whatever it is, the other process is to know it
        return _failed(tell, f"The camera failed: {in_a_line(error)}.", may_pass=True)
    finally:
        _leave(camera)
    return 0


def _opened(wanted: Wanted) -> Hosted:
    if wanted.device:
        from vision.webcam import Webcam  # noqa: PLC0415

        return Webcam(Path(wanted.device), wanted.size, wanted.settings)
    from vision.picamera import PiCamera  # noqa: PLC0415

    return PiCamera(wanted)


def _failed(tell: Callable[[dict[str, Any]], None], sentence: str, *, may_pass: bool) -> int:
    with suppress(BrokenPipeError):
        tell({"failed": sentence, "passing": may_pass})
    return 2


def _leave(camera: Hosted | None) -> None:
    """In good order, if that does not take long."""
    end = threading.Timer(LAST_WORDS, os._exit, (2,))
    end.daemon = True
    end.start()
    if camera is not None:
        camera.close()


def main(words: Iterable[str]) -> int:
    """What the other process wants, and the number of the file that is the shared memory."""
    text, memory = words
    data = json.loads(text)
    colours = data["settings"]["colours"]
    settings = CameraSettings(**{**data["settings"], "colours": colours and tuple(colours)})
    wanted = Wanted(**{**data, "size": tuple(data["size"]), "settings": settings})
    speech = os.dup(1)
    os.dup2(2, 1)  # what others print is none of ours

    def tell(what: dict[str, Any]) -> None:
        os.write(speech, json.dumps(what, default=str).encode() + b"\n")

    code = serve(wanted, int(memory), 0, tell)
    sys.stderr.flush()
    os._exit(code)  # libcamera crashes at times when the interpreter is taken down around it
