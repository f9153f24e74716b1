"""The camera of a Raspberry Pi by picamera2, as vision/eyehost.py has it in a process of its own.

Everything that touches picamera2 is here, and nothing here is needed by anybody but that process.
"""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.calibration import automatic, took_hold
from vision.eye_errors import SourceError
from vision.eyehost import ARRIVAL, IsWanted, PassingError, Shot, Wanted, in_a_line
from vision.frames import Picture, Plane
from vision.grey import grey_of, grey_size

BUFFERS = 4  # of the camera; one is held while it is copied
LOOK = 0.2  # seconds; how often the wait for a frame looks whether it is still wanted
HOLDING = 30  # frames that are kept back at most until the settings have taken hold
PLAUSIBLE = 10_000_000_000  # nanoseconds that a frame can be old
SLOWEST = 100_000  # microseconds a frame may take when the camera judges by itself

# What is told of each frame, where the camera tells it.
TOLD = (
    "ExposureTime", "AnalogueGain", "DigitalGain", "ColourGains", "ColourTemperature", "Lux",
    "LensPosition", "AfState", "FocusFoM", "FrameDuration",
)  # fmt: skip


def controls_of(wanted: Wanted) -> dict[str, Any]:
    """Those that go in before the camera starts."""
    shortest = round(1e6 / wanted.rate)
    if not (held := wanted.settings.controls()):
        return {**automatic(), "FrameDurationLimits": (shortest, max(shortest, SLOWEST))}
    steady = max(shortest, wanted.settings.exposure or 0)
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
        raise SourceError(f"picamera2 is there and does not load: {in_a_line(error)}.") from None
    return picamera2


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
        causes.append(in_a_line(cause))
        cause = cause.__cause__
    whole = " ".join(causes).lower()
    if "busy" in whole or "in use" in whole:
        return PassingError("The camera is busy: another program has it. Close that program, or restart the Pi.")
    if "permission" in whole or "not permitted" in whole:
        return forbidden() or SourceError(
            "This user may not open the camera: `sudo adduser $USER video`, log in again."
        )
    return PassingError(f"The camera cannot be opened: {causes[-1]}.")


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


def widest(modes: Sequence[Mapping[str, Any]], size: tuple[int, int], rate: float) -> dict[str, Any]:
    """The mode of a sensor that sees the most; of those the one with the fewest pixels that is as large as the picture
    and as quick as is wanted. `seen` is how much of the sensor's width it shows."""
    fit = [one for one in modes if min(one["size"][0] / size[0], one["size"][1] / size[1]) >= 1 and one["fps"] >= rate]
    if not fit:
        return {}
    most = max(_seen(one) for one in fit)
    found = min((one for one in fit if _seen(one) == most), key=lambda one: one["size"][0])
    share = found["crop_limits"][2] / max(one["crop_limits"][2] for one in modes)
    return {"output_size": tuple(found["size"]), "bit_depth": found["bit_depth"], "seen": share}


def _seen(mode: Mapping[str, Any]) -> int:
    """How many of the sensor's own pixels go into it."""
    return int(mode["crop_limits"][2]) * int(mode["crop_limits"][3])


class PiCamera:
    """One opened and started camera."""

    def __init__(self, wanted: Wanted) -> None:
        library = _library()
        there = library.Picamera2.global_camera_info()
        if wanted.camera >= len(there):
            raise _no_camera(wanted.camera, there)
        self._settings = wanted.settings
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
        asked = controls_of(wanted)
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
        asked = {"buffer_count": BUFFERS, "controls": self.controls, "sensor": self._sensor(wanted)}
        try:
            self._camera.configure(make(main=main, lores=small, **asked))
        except RuntimeError:
            self._camera.configure(make(main=main, lores=None, **asked))

    def _sensor(self, wanted: Wanted) -> dict[str, Any]:
        """The mode of the sensor: left to itself, libcamera takes the one that is nearest to the picture in size, which
        may be cut out of the middle. Empty where the camera has no modes to choose from."""
        try:
            modes = self._camera.sensor_modes
        except Exception:  # what has no raw pictures has no modes, and says so in many ways
            modes = []
        self.mode = widest(modes, wanted.size, wanted.rate)
        return {name: self.mode[name] for name in ("output_size", "bit_depth") if name in self.mode}

    @property
    def size(self) -> tuple[int, int]:
        width, height = self._main["size"]
        return int(width), int(height)

    @property
    def form(self) -> str:
        return str(self._main["format"])

    def about(self) -> dict[str, Any]:
        told = {"name": self.name, "format": self.form, "controls": self.controls, "lacking": self.lacking}
        return {**told, "mode": self.mode} if self.mode else told

    def shots(self, is_wanted: IsWanted) -> Iterator[Shot]:
        """None that is older than the settings, within reason."""
        holding = HOLDING
        while (request := self._request(is_wanted)) is not None:
            try:
                metadata = request.get_metadata()
                held = took_hold(self._settings, metadata)
                holding = 0 if held else holding - 1
                if holding > 0:
                    continue
                picture = self.picture(request)
                stamp, is_sensors = _stamp(metadata)
                told = {name: metadata[name] for name in TOLD if name in metadata}
                yield Shot(
                    picture, self.grey(request, picture), stamp, "of the sensor" if is_sensors else ARRIVAL, held, told
                )
            finally:
                request.release()

    def _request(self, is_wanted: IsWanted) -> Any:
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


def _stamp(metadata: dict[str, Any]) -> tuple[int, bool]:
    """When the frame was taken, by the sensor if that is on the monotonic clock."""
    now, told = time.monotonic_ns(), metadata.get("SensorTimestamp")
    is_sensors = isinstance(told, int) and 0 <= now - told < PLAUSIBLE
    return (told if is_sensors and isinstance(told, int) else now), is_sensors
