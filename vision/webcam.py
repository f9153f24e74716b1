"""A USB webcam by V4L2, through OpenCV, as vision/eyehost.py has it in a process of its own."""

import errno
import fcntl
import os
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.calibration import CameraSettings
from vision.eye_errors import SourceError
from vision.eyehost import ARRIVAL, IsWanted, PassingError, Shot
from vision.frames import Picture
from vision.grey import grey_of

DEVICES = Path("/dev")
WARMING = 5  # pictures that may be missing in the beginning
OLDEST = 5_000_000_000  # nanoseconds; a stamp further from now is of another clock

_SILENT = 0  # level of OpenCV's log
_REQBUFS = 0xC0145608  # VIDIOC_REQBUFS
_CAPTURED_AND_MAPPED = (1, 1, 0, 0)  # V4L2_BUF_TYPE_VIDEO_CAPTURE, V4L2_MEMORY_MMAP

# Exposure in steps of 100 µs; 1 is V4L2's number for "by hand".
_BY_HAND = 1
_TOLD = {
    "exposure by hand": cv2.CAP_PROP_AUTO_EXPOSURE,
    "exposure": cv2.CAP_PROP_EXPOSURE,
    "gain": cv2.CAP_PROP_GAIN,
    "focus by itself": cv2.CAP_PROP_AUTOFOCUS,
    "focus": cv2.CAP_PROP_FOCUS,
    "white by itself": cv2.CAP_PROP_AUTO_WB,
    "white": cv2.CAP_PROP_WB_TEMPERATURE,
}


class Webcam:
    """One webcam. A webcam that is silent is noticed by OpenCV, after ten seconds."""

    def __init__(
        self, device: Path, size: tuple[int, int] = (1280, 720), settings: CameraSettings | None = None
    ) -> None:
        _must_open(device)
        self._device = device
        self._by_buffer = True
        with _quiet_opencv():
            self._capture: Any = cv2.VideoCapture(str(device), cv2.CAP_V4L2)
        self._is_closed = False
        try:
            if not self._capture.isOpened():
                raise SourceError(f"{device} gives no pictures: it is not a camera, or only the raw half of one.")
            self._set(size, settings or CameraSettings())
            self._first: Picture | None = self._warmed()
            self._shape = self._first.shape[:2]
        except Exception:
            self.close()
            raise

    def _set(self, size: tuple[int, int], settings: CameraSettings) -> None:
        self._capture.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))  # raw needs more than USB 2 has
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 2)
        if settings.exposure is not None:
            self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _BY_HAND)
            self._capture.set(cv2.CAP_PROP_EXPOSURE, max(1, round(settings.exposure / 100)))

    def _warmed(self) -> Picture:
        for _ in range(WARMING):
            picture = self._read()
            if picture is not None:
                return picture
        raise self._silence()

    def _read(self) -> Picture | None:
        """The next picture, if it comes."""
        is_good, pixels = self._capture.read()
        return np.asarray(pixels, np.uint8) if is_good and pixels is not None else None

    def _silence(self) -> SourceError:
        if not self._device.exists():
            return SourceError(f"{self._device} is gone: the webcam was pulled out. Plug it in again.")
        return SourceError(
            f"{self._device} is silent: pull the webcam out, plug it in again, into another socket if that helps."
        )

    @property
    def size(self) -> tuple[int, int]:
        """As the pictures come, whatever was asked for."""
        height, width = self._shape
        return width, height

    def shots(self, is_wanted: IsWanted) -> Iterator[Shot]:
        last = -1
        while is_wanted() and (picture := self._next()) is not None:
            last = max(last + 1, self._stamp())
            yield Shot(picture, grey_of(picture), last, "of the driver" if self._by_buffer else ARRIVAL)

    def _next(self) -> Picture | None:
        """Nothing once it is closed."""
        if self._is_closed:
            return None
        first, self._first = self._first, None
        picture = first if first is not None else self._read()
        if picture is None:
            raise self._silence()
        return picture

    def _stamp(self) -> int:
        """The driver's own, of the buffer, as long as that is on the monotonic clock; else the time of arrival."""
        stamp = round(self._capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
        now = time.monotonic_ns()
        self._by_buffer = self._by_buffer and 0 <= now - stamp < OLDEST
        return stamp if self._by_buffer else now

    def about(self) -> dict[str, Any]:
        letters = int(self._capture.get(cv2.CAP_PROP_FOURCC)) & 0xFFFFFFFF
        return {
            "kind": "webcam",
            "name": _name(self._device),
            "device": str(self._device),
            "format": letters.to_bytes(4, "little").decode("ascii", "replace"),
            "rate": self._capture.get(cv2.CAP_PROP_FPS),
            "controls": {name: self._capture.get(number) for name, number in _TOLD.items()},
        }

    def close(self) -> None:
        self._is_closed = True
        self._capture.release()


@contextmanager
def _quiet_opencv() -> Iterator[None]:
    """What is wrong is said in a sentence of our own; OpenCV's log would go to the screen beside it."""
    opencv: Any = cv2
    logging = opencv if hasattr(opencv, "setLogLevel") else opencv.utils.logging  # OpenCV 4 and 5
    before = logging.getLogLevel()
    logging.setLogLevel(_SILENT)
    try:
        yield
    finally:
        logging.setLogLevel(before)


def _name(device: Path) -> str:
    with suppress(OSError):
        return Path("/sys/class/video4linux", device.resolve().name, "name").read_text(encoding="utf-8").strip()
    return device.name


def _must_open(device: Path) -> None:
    """What the kernel says of it, in a sentence; OpenCV would only say no."""
    try:
        number = os.open(device, os.O_RDWR | os.O_NONBLOCK)
    except OSError as error:
        raise _explained(error, device) from None
    try:
        for buffers in (1, 0):  # many may open a webcam, but only one of them may have buffers of it
            fcntl.ioctl(number, _REQBUFS, struct.pack("5I", buffers, *_CAPTURED_AND_MAPPED))
    except OSError as error:
        if error.errno == errno.EBUSY:
            raise _explained(error, device) from None
    finally:
        os.close(number)


def _explained(error: OSError, device: Path) -> SourceError:
    match error.errno:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            there = sorted(DEVICES.glob("video*"), key=lambda path: (len(path.name), path.name))
            named = f"{', '.join(map(str, there))}." if there else "no webcam at all: is it plugged in?"
            return SourceError(f"There is no {device}; there is {named}")
        case errno.EACCES | errno.EPERM:
            return SourceError(
                f"This user may not open {device}: add the user to the group video (`sudo adduser $USER video`) and "
                "log in again."
            )
        case errno.EBUSY:
            return PassingError(f"{device} is busy: another program has the webcam. Close that program.")
        case _:
            return SourceError(f"{device} cannot be opened: {error.strerror}.")
