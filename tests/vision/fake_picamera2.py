"""A stand-in for picamera2, with its signatures, for the process that has the camera.

That process imports `picamera2` and finds this (`pretend` sees to it). What the camera is like, and what it does
wrong, is in the environment as JSON: a `Plan` for each time it is opened, the last one for all later times. What was
done to it is written to a file, a line of JSON each.
"""

# ruff: noqa: ARG002, B006, FBT002, PLR0913, PLR0917 - the signatures are picamera2's

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pytest

PLANS, LOG = "FAKE_CAMERA_PLANS", "FAKE_CAMERA_LOG"
BLUE, GREEN, RED = 200, 100, 50
GREY = 96  # of that colour, as luma
PADDED = 64  # bytes to which the rows of the small stream are padded
PACE = 0.005  # seconds from frame to frame
# Of the Camera Module 3: width, height, frames a second, and how wide a part of the sensor is seen.
MODES = ((1536, 864, 120.1, 3072), (2304, 1296, 56.0, 4608), (4608, 2592, 14.3, 4608))
CONTROLS = ("AfMode", "LensPosition", "ExposureTime", "AnalogueGain", "ColourGains", "FrameDurationLimits")


@dataclass
class Plan:
    """One life of the camera."""

    cameras: int = 1
    error: str = ""  # of opening it
    form: str = "RGB888"  # that it delivers, whatever is asked
    space: str = "sYCC"
    single: bool = False  # one stream at a time
    controls: tuple[str, ...] = CONTROLS
    modes: tuple[tuple[int, int, float, int], ...] = MODES
    settles: int = 3  # frames until the controls take hold
    frames: int | None = None  # that it gives before it goes wrong
    ends_by: str = "silence"  # or stop (of the process), exit, error
    sensor: bool = True  # it stamps its frames
    wedged: bool = False  # it cannot be stopped


def pretend(folder: Path, monkeypatch: "pytest.MonkeyPatch", *plans: Plan) -> None:
    (folder / "picamera2.py").write_text("from tests.vision.fake_picamera2 import *\n", encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv(LOG, str(folder / "log"))
    monkeypatch.setenv(PLANS, json.dumps([asdict(plan) for plan in plans or (Plan(),)]))


def log_of(folder: Path) -> list[dict[str, Any]]:
    path = folder / "log"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def _log(**what: Any) -> None:
    with Path(os.environ[LOG]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(what, default=str) + "\n")


def _plan() -> Plan:
    lives = Path(os.environ[LOG]).read_text(encoding="utf-8").count('"opened"') if Path(os.environ[LOG]).exists() else 0
    plans = json.loads(os.environ[PLANS])
    return Plan(**plans[min(lives, len(plans) - 1)])


class Job:
    def __init__(self, camera: "Picamera2") -> None:
        self.camera = camera


class Picamera2:
    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return [{"Model": f"fake{number}", "Id": str(number), "Num": number} for number in range(_plan().cameras)]

    def __init__(
        self, camera_num: int = 0, verbose_console: Any = None, tuning: Any = None, allocator: Any = None
    ) -> None:
        self.plan = _plan()
        _log(opened=camera_num, pid=os.getpid())
        if self.plan.error:
            try:
                raise RuntimeError(self.plan.error)
            except RuntimeError as cause:
                raise RuntimeError("Camera __init__ sequence did not complete.") from cause
        self.configuration: dict[str, Any] = {}
        self.out = 0  # requests that were not released yet
        self.taken = 0

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        return dict.fromkeys(self.plan.controls, (0, 1, None))

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        if not self.plan.modes:
            raise RuntimeError("no raw streams")
        return [
            {"size": (width, height), "fps": fps, "bit_depth": 10, "crop_limits": (0, 0, seen, seen * 9 // 16)}
            for width, height, fps, seen in self.plan.modes
        ]

    def create_preview_configuration(
        self,
        main: Any = {},
        lores: Any = None,
        raw: Any = {},
        transform: Any = None,
        colour_space: Any = None,
        buffer_count: int = 4,
        controls: Any = {},
        display: str = "main",
        encode: str = "main",
        queue: bool = True,
        sensor: Any = {},
        use_case: str = "preview",
    ) -> dict[str, Any]:
        streams = {"main": {**main}, "lores": lores and {**lores}}
        return {**streams, "buffer_count": buffer_count, "controls": controls, "sensor": sensor}

    def configure(self, camera_config: Any = None) -> None:
        if camera_config["lores"] and self.plan.single:
            raise RuntimeError("Invalid camera configuration")
        unknown = set(camera_config["controls"]) - set(self.plan.controls)
        if unknown:
            raise RuntimeError(f"Control {unknown.pop()} is not advertised by libcamera")
        _log(configured=camera_config)
        self.configuration = {**camera_config, "colour_space": self.plan.space}
        self.configuration["main"]["format"] = self.plan.form
        for stream in filter(None, (camera_config["main"], camera_config["lores"])):
            stream["stride"] = -(-stream["size"][0] // PADDED) * PADDED

    def camera_configuration(self) -> dict[str, Any]:
        return self.configuration

    def start(self, config: Any = None, show_preview: Any = False) -> None:
        _log(started=True)

    def capture_request(self, wait: Any = None, signal_function: Any = None, flush: Any = None) -> Any:
        assert wait is False, "a wait that nothing can end"
        return Job(self)

    def wait(self, job: Job, timeout: float | None = None) -> "CompletedRequest":
        assert timeout is not None, "a wait without an end"
        if self.out >= self.configuration["buffer_count"] or self._is_over():
            threading.Event().wait(timeout)
            raise TimeoutError
        time.sleep(PACE)
        self.out += 1
        self.taken += 1
        return CompletedRequest(self.taken, self)

    def _is_over(self) -> bool:
        if self.plan.frames is None or self.taken < self.plan.frames:
            return False
        ends: dict[str, Callable[[], object]] = {
            "silence": lambda: None,
            "stop": lambda: os.kill(os.getpid(), signal.SIGSTOP),
            "exit": lambda: os._exit(1),
            "error": self._fail,
        }
        ends[self.plan.ends_by]()
        return True

    def _fail(self) -> None:
        raise RuntimeError("the frontend has timed out")

    def stop(self) -> None:
        if self.plan.wedged:
            threading.Event().wait()
        _log(stopped=True, out=self.out)

    def close(self) -> None:
        _log(closed=True)


class CompletedRequest:
    def __init__(self, request: Any, picam2: Picamera2) -> None:
        self.number: int = request
        self.camera = picam2
        self.stamp = time.monotonic_ns() - 1_000_000

    def release(self) -> None:
        self.camera.out -= 1
        assert self.camera.out >= 0, "released twice"

    def get_metadata(self) -> dict[str, Any]:
        told: dict[str, Any] = {"ExposureTime": 20_000 + self.number, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.7)}
        told |= {"LensPosition": 2.0, "AfState": 2, "FrameDuration": 33333}
        if self.camera.plan.sensor:
            told["SensorTimestamp"] = self.stamp
        if self.number > self.camera.plan.settles:
            told |= self.camera.configuration["controls"]
        return {name: value for name, value in told.items() if name in CONTROLS[1:5] or not name.startswith("Af")}

    def make_array(self, name: str) -> NDArray[np.uint8]:
        stream = self.camera.configuration[name]
        width, height = stream["size"]
        if name == "lores":
            return planes(width, height, stream["stride"], stream["format"])
        match stream["format"]:
            case "RGB888":
                return np.full((height, width, 3), (BLUE, GREEN, RED), np.uint8)
            case "BGR888":
                return np.full((height, width, 3), (RED, GREEN, BLUE), np.uint8)
            case "XRGB8888":
                return np.full((height, width, 4), (BLUE, GREEN, RED, 255), np.uint8)
            case "XBGR8888":
                return np.full((height, width, 4), (RED, GREEN, BLUE, 255), np.uint8)
        return planes(width, height, stream["stride"], stream["format"])


def planes(width: int, height: int, stride: int, form: str) -> NDArray[np.uint8]:
    """The colour as luma and chroma, in rows with padding (NV12: without, as picamera2 hands it over)."""
    red, blue = 128 + round(0.713 * (RED - GREY)), 128 + round(0.564 * (BLUE - GREY))
    if form == "NV12":
        array = np.full((height * 3 // 2, width), GREY, np.uint8)
        array[height:, 0::2], array[height:, 1::2] = blue, red
        return array
    array = np.zeros((height * 3 // 2, stride), np.uint8)
    array[:height, :width] = GREY
    halves = array[height:].reshape(height, stride // 2)
    halves[: height // 2, : width // 2], halves[height // 2 :, : width // 2] = blue, red
    return array
