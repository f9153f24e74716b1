"""A stand-in for OpenCV's side of a webcam; in other processes too, of which Python loads it at their start."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import cv2
import numpy as np

if TYPE_CHECKING:
    import pytest

PICTURES = "FAKE_WEBCAM_PICTURES"  # so many come, then none
PROJECT = Path(__file__).parents[2]


class FakeCapture:
    """Gives grey pictures that become brighter."""

    opens = True
    pictures = int(os.environ.get(PICTURES, "10"))
    warms_up = 2
    clock: ClassVar[Callable[[], float]] = lambda: time.monotonic_ns() / 1e6
    made: ClassVar[list["FakeCapture"]] = []

    def __init__(self, name: str, backend: int) -> None:
        assert backend == cv2.CAP_V4L2
        self.name, self.asked = name, 0
        self.set_to: dict[int, float] = {}
        self.released = False
        self.made.append(self)

    def isOpened(self) -> bool:  # noqa: N802 - as OpenCV's
        return self.opens and not self.released

    def set(self, what: int, value: float) -> bool:
        self.set_to[what] = value
        return True

    def get(self, what: int) -> float:
        return type(self).clock() if what == cv2.CAP_PROP_POS_MSEC else self.set_to.get(what, 0.0)

    def read(self) -> tuple[bool, Any]:
        self.asked += 1
        if self.asked <= self.warms_up or self.asked > self.pictures:
            return False, None
        return True, np.full((720, 1280, 3), self.asked, np.uint8)

    def release(self) -> None:
        self.released = True


def pretend(folder: Path, monkeypatch: "pytest.MonkeyPatch", pictures: int = 10) -> None:
    """In processes that are started from now on."""
    text = "import cv2\nfrom tests.vision.fake_capture import FakeCapture\ncv2.VideoCapture = FakeCapture\n"
    (folder / "sitecustomize.py").write_text(text, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{PROJECT}")
    monkeypatch.setenv(PICTURES, str(pictures))
