"""The camera of a Raspberry Pi by picamera2, as it runs in the process of its own that vision/eyeprocess.py starts.

A camera that stalls blocks whoever waits for it, for good at times, and can be got rid of only together with its
process. So everything that touches picamera2 is here, and nothing here is needed by anybody but that process.

It says what happens in lines of JSON: `opened` once, then a `frame` for each picture that lies in a slot of the
shared memory, or `failed` with a sentence. Back come the numbers of slots that were emptied; the end of that pipe is
the end of this process.
"""

import json
import mmap
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.calibration import Settings, automatic, took_hold
from vision.exc import SourceError
from vision.frames import Picture, Plane
from vision.grey import grey_of, grey_size

SLOTS = 4
BUFFERS = 4  # of the camera; one is held while it is copied
LOOK = 0.2  # seconds; how often the wait for a frame looks whether it is still wanted
HOLDING = 30  # frames that are kept back at most until the settings have taken hold
LAST_WORDS = 2.0  # seconds for stopping in good order
PLAUSIBLE = 10_000_000_000  # nanoseconds that a frame can be old
SLOWEST = 100_000  # microseconds a frame may take when the camera judges by itself

# What is told of each frame, where the camera tells it.
TOLD = (
    "ExposureTime", "AnalogueGain", "DigitalGain", "ColourGains", "ColourTemperature", "Lux",
    "LensPosition", "AfState", "FocusFoM", "FrameDuration",
)  # fmt: skip


class BusyError(SourceError):
    """Somebody else has the camera; that can pass."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of the camera."""

    camera: int = 0
    size: tuple[int, int] = (1280, 720)
    rate: float = 30  # frames per second
    settings: Settings = field(default_factory=Settings)

    def controls(self) -> dict[str, Any]:
        """Those that go in before the camera starts."""
        shortest = round(1e6 / self.rate)
        if not (held := self.settings.controls()):
            return {**automatic(), "FrameDurationLimits": (shortest, max(shortest, SLOWEST))}
        steady = max(shortest, self.settings.exposure or 0)
        return {**held, "FrameDurationLimits": (steady, steady)}


# --- Sentences


def _library() -> Any:
    try:
        import picamera2  # noqa: PLC0415
    except ImportError as error:
        if error.name in ("picamera2", "libcamera"):
            raise SourceError(
                f"{error.name} is not there for this Python: on a Raspberry Pi `sudo apt install python3-picamera2` and"
                " a virtual environment made with --system-site-packages; elsewhere take a webcam, as in /dev/video0."
            ) from None
        raise SourceError(f"picamera2 is there and does not load: {error}.") from None
    except Exception as error:  # numpy of another generation raises a ValueError, for one
        raise SourceError(f"picamera2 is there and does not load: {_line(error)}.") from None
    return picamera2


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200].rstrip(".") or type(error).__name__


def forbidden(devices: Path = Path("/dev")) -> SourceError | None:
    """What keeps a user from a camera who is not in the group video."""
    for path in sorted([*devices.glob("media*"), *devices.glob("video*")]):
        if not os.access(path, os.R_OK | os.W_OK):
            return SourceError(
                f"This user may not open {path}: add the user to the group video (`sudo adduser $USER video`) and log "
                "in again."
            )
    return None


def _no_camera(number: int, there: list[Any]) -> SourceError:
    if there:
        names = ", ".join(f"camera:{place} ({camera.get('Model', 'nameless')})" for place, camera in enumerate(there))
        return SourceError(f"There is no camera:{number}; there is {names}.")
    return forbidden() or SourceError(
        "No camera was found: switch the Pi off, look at both ends of the flat cable, and try `rpicam-hello "
        "--list-cameras`."
    )


def _not_opened(error: Exception) -> SourceError:
    causes: list[str] = []
    cause: BaseException | None = error
    while cause is not None:
        causes.append(_line(cause))
        cause = cause.__cause__
    whole = " ".join(causes).lower()
    if "busy" in whole or "in use" in whole:
        return BusyError("The camera is busy: another program has it. Close that program, or restart the Pi.")
    if "permission" in whole or "not permitted" in whole:
        return forbidden() or SourceError(
            "This user may not open the camera: `sudo adduser $USER video`, log in again."
        )
    return BusyError(f"The camera cannot be opened: {causes[-1]}.")


# --- Pictures


def as_bgr(array: Any, form: str, size: tuple[int, int], *, full: bool = True) -> Picture:
    """A stream's array as a picture, whatever the camera chose to deliver."""
    turned = {
        "BGR888": cv2.COLOR_RGB2BGR,
        "XRGB8888": cv2.COLOR_BGRA2BGR,
        "XBGR8888": cv2.COLOR_RGBA2BGR,
        "MJPEG": cv2.COLOR_RGB2BGR,
        "YUYV": cv2.COLOR_YUV2BGR_YUYV,
    }
    if form == "RGB888":
        return np.asarray(array, np.uint8)
    if form in ("NV12", "YUV420"):
        return _from_planes(array, form, size, full=full)
    if form not in turned:
        raise SourceError(f"The camera delivers its pictures as {form}, which the companion cannot read.")
    return np.asarray(cv2.cvtColor(array, turned[form]), np.uint8)[: size[1], : size[0]]


# Films keep black at 16 and white at 235, and colours as narrow.
_LEVELS = np.arange(256)
_FILM_LUMA = np.clip(np.rint((_LEVELS - 16) * (255 / 219)), 0, 255).astype(np.uint8)
_FILM_CHROMA = np.clip(np.rint(128 + (_LEVELS - 128) * (255 / 224)), 0, 255).astype(np.uint8)


def _from_planes(array: Any, form: str, size: tuple[int, int], *, full: bool) -> Picture:
    width, height = size
    rest = array[height:]
    if form == "NV12":
        pairs = rest.reshape(height // 2, -1, 2)[:, : width // 2]
        blue, red = pairs[..., 0], pairs[..., 1]
    else:  # the blue ones, then the red ones, two rows of them in one of the array
        halves = rest.reshape(height, -1)[:, : width // 2]
        blue, red = halves[: height // 2], halves[height // 2 :]
    luma = np.asarray(array[:height, :width], np.uint8)
    if not full:
        luma, blue, red = cv2.LUT(luma, _FILM_LUMA), _FILM_CHROMA[blue], _FILM_CHROMA[red]
    planes = [luma, *(cv2.resize(np.ascontiguousarray(plane), size) for plane in (red, blue))]
    return np.asarray(cv2.cvtColor(cv2.merge(planes), cv2.COLOR_YCrCb2BGR), np.uint8)


# --- The camera


class Camera:
    """One opened and started camera."""

    def __init__(self, wanted: Wanted) -> None:
        library = _library()
        there = library.Picamera2.global_camera_info()
        if wanted.camera >= len(there):
            raise _no_camera(wanted.camera, there)
        self.name = str(there[wanted.camera].get("Model", "camera"))
        try:
            self._camera = library.Picamera2(wanted.camera)
        except Exception as error:  # picamera2 raises RuntimeError, libcamera what it likes
            raise _not_opened(error) from None
        try:
            self._start(wanted)
        except Exception:
            self.close()
            raise

    def _start(self, wanted: Wanted) -> None:
        has = self._camera.camera_controls
        asked = wanted.controls()
        self.lacking = sorted(name for name in asked if name not in has)
        self.controls = {name: value for name, value in asked.items() if name in has}
        self._configure(wanted)
        configuration = self._camera.camera_configuration()
        self._main, self._small = configuration["main"], configuration["lores"]
        self._full = not str(configuration["colour_space"]).startswith(("SMPTE170M", "Rec709", "Rec2020"))
        self._camera.start()

    def _configure(self, wanted: Wanted) -> None:
        """With a small stream of its own for the grey plane, if the camera can do two at a time."""
        make = self._camera.create_preview_configuration
        main = {"size": wanted.size, "format": "RGB888"}  # which is blue, green, red in the array
        small = {"size": grey_size(wanted.size), "format": "YUV420"}
        try:
            self._camera.configure(make(main=main, lores=small, buffer_count=BUFFERS, controls=self.controls))
        except RuntimeError:
            self._camera.configure(make(main=main, lores=None, buffer_count=BUFFERS, controls=self.controls))

    @property
    def size(self) -> tuple[int, int]:
        width, height = self._main["size"]
        return int(width), int(height)

    @property
    def form(self) -> str:
        return str(self._main["format"])

    def request(self, is_wanted: Callable[[], bool]) -> Any:
        """The next one that is complete; None once nobody wants it any more."""
        job = self._camera.capture_request(wait=False)
        while is_wanted():
            with suppress(TimeoutError):
                return self._camera.wait(job, timeout=LOOK)
        return None

    def picture(self, request: Any) -> Picture:
        return as_bgr(request.make_array("main"), self.form, self.size, full=self._full)

    def grey(self, request: Any, picture: Picture) -> Plane:
        if not self._small or self._small["format"] not in ("YUV420", "NV12"):
            return grey_of(picture)
        width, height = self._small["size"]
        luma = request.make_array("lores")[:height, :width]  # its rows are padded
        if (width, height) == (size := grey_size(self.size)):
            return np.asarray(luma, np.uint8)
        return np.asarray(cv2.resize(np.ascontiguousarray(luma), size, interpolation=cv2.INTER_AREA), np.uint8)

    def close(self) -> None:
        with suppress(Exception):  # it is being got rid of
            self._camera.stop()
            self._camera.close()


# --- The process


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


def _stamp(metadata: dict[str, Any]) -> tuple[int, bool]:
    """When the frame was taken, by the sensor if that is on the monotonic clock."""
    now, told = time.monotonic_ns(), metadata.get("SensorTimestamp")
    is_sensors = isinstance(told, int) and 0 <= now - told < PLAUSIBLE
    return (told if is_sensors and isinstance(told, int) else now), is_sensors


def show(camera: Camera, wanted: Wanted, slots: _Slots, say: Callable[[dict[str, Any]], None]) -> None:
    """Frame after frame, until nobody wants them any more."""
    number, holding = 0, HOLDING
    while (request := camera.request(slots.are_wanted)) is not None:
        try:
            metadata = request.get_metadata()
            held = took_hold(wanted.settings, metadata)
            holding = 0 if held else holding - 1
            if holding > 0:
                continue
            picture = camera.picture(request)
            slot = slots.put(picture, camera.grey(request, picture))
        finally:
            request.release()
        stamp, is_sensors = _stamp(metadata)
        if slot is not None:
            told = {name: metadata[name] for name in TOLD if name in metadata}
            say({"frame": slot, "number": number, "stamp": stamp, "sensor": is_sensors, "held": held, "metadata": told})
        number += 1


def serve(wanted: Wanted, memory: int, orders: int, say: Callable[[dict[str, Any]], None]) -> int:
    camera: Camera | None = None
    try:
        camera = Camera(wanted)
        slots = _Slots(memory, camera.size, orders)
        about = {"name": camera.name, "size": camera.size, "format": camera.form, "controls": camera.controls}
        say({"opened": {**about, "lacking": camera.lacking}})
        show(camera, wanted, slots, say)
    except BrokenPipeError:  # nobody listens any more
        pass
    except SourceError as error:
        return _failed(say, str(error), may_pass=isinstance(error, BusyError))
    except Exception as error:  # whatever it is, the other process is to know it
        return _failed(say, f"The camera failed: {_line(error)}.", may_pass=True)
    finally:
        _leave(camera)
    return 0


def _failed(say: Callable[[dict[str, Any]], None], sentence: str, *, may_pass: bool) -> int:
    with suppress(BrokenPipeError):
        say({"failed": sentence, "passing": may_pass})
    return 2


def _leave(camera: Camera | None) -> None:
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
    settings = Settings(
        **{**data["settings"], "colours": data["settings"]["colours"] and tuple(data["settings"]["colours"])}
    )
    wanted = Wanted(data["camera"], tuple(data["size"]), data["rate"], settings)
    speech = os.dup(1)
    os.dup2(2, 1)  # what others print is none of ours

    def say(what: dict[str, Any]) -> None:
        os.write(speech, json.dumps(what, default=str).encode() + b"\n")

    code = serve(wanted, int(memory), 0, say)
    sys.stderr.flush()
    os._exit(code)  # libcamera crashes at times when the interpreter is taken down around it
