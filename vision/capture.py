"""An OpenCV capture that may be closed at any time and from any thread.

Letting go of one while a picture is read from it ends the whole process, and a picture may take ten seconds to not
come. So nobody waits here: whoever is reading then lets go of it himself.
"""

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from vision.frames import Picture

_SILENT = 0  # level of OpenCV's log


class Capture:
    """One camera or film. Properties are asked of it between two pictures."""

    def __init__(self, name: str, backend: int) -> None:
        with quiet_opencv():
            self._capture: Any = cv2.VideoCapture(name, backend)
        self._lock = threading.Lock()
        self.is_closed = False
        self.is_open = self._capture.isOpened()

    def read(self) -> Picture | None:
        """The next picture, if it comes."""
        with self._at_work():
            is_good, pixels = (False, None) if self.is_closed else self._capture.read()
            return np.asarray(pixels, np.uint8) if is_good and pixels is not None else None

    def get(self, number: int) -> float:
        with self._at_work():
            return 0.0 if self.is_closed else float(self._capture.get(number))

    def set(self, number: int, value: float) -> None:
        with self._at_work():
            if not self.is_closed:
                self._capture.set(number, value)

    @property
    def size(self) -> tuple[int, int]:
        return int(self.get(cv2.CAP_PROP_FRAME_WIDTH)), int(self.get(cv2.CAP_PROP_FRAME_HEIGHT))

    def close(self) -> None:
        """At once, or as soon as nobody is at work with it."""
        self.is_closed = True
        if self._lock.acquire(blocking=False):
            try:
                self._capture.release()
            finally:
                self._lock.release()

    @contextlib.contextmanager
    def _at_work(self) -> Iterator[None]:
        with self._lock:
            yield
        if self.is_closed:
            self.close()


@contextlib.contextmanager
def quiet_opencv() -> Iterator[None]:
    """What is wrong is said in a sentence of our own; OpenCV's log would go to the screen beside it."""
    opencv: Any = cv2
    logging = opencv if hasattr(opencv, "setLogLevel") else opencv.utils.logging  # OpenCV 4 and 5
    before = logging.getLogLevel()
    logging.setLogLevel(_SILENT)
    try:
        yield
    finally:
        logging.setLogLevel(before)
