"""A steady picture: focus, exposure and colour gains found once by the camera itself, then held fast.

The camera runs on its own judgement until what it says of its frames no longer changes; the `Settings` are what it
had found by then. Set before it starts, they take hold a few frames later: the frames' metadata shows when.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from companion.core import plainfile
from companion.core import wholefile as whole
from companion.core.errors import TooLargeError
from vision.eye_errors import SourceError

STEADY = 8  # frames in a row that agree
LONGEST = 300  # frames until the light is called restless
MANUAL, CONTINUOUS = 0, 2  # AfMode
FOCUSED = 2  # AfState
TOO_LARGE = 4096  # bytes; a file of settings is a line

Metadata = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """What is held fast; None where the camera has no such thing."""

    exposure: int | None = None  # microseconds
    gain: float | None = None
    colours: tuple[float, float] | None = None  # gains of red and blue
    lens: float | None = None  # dioptres: 1 / metres

    def controls(self) -> dict[str, Any]:
        """What picamera2 is to be given. Exposure and gain switch the automatic off by themselves, the gains too."""
        wanted: dict[str, Any] = {
            "ExposureTime": self.exposure,
            "AnalogueGain": self.gain,
            "ColourGains": self.colours,
            "AfMode": None if self.lens is None else MANUAL,
            "LensPosition": self.lens,
        }
        return {name: value for name, value in wanted.items() if value is not None}


def automatic() -> dict[str, Any]:
    """The controls of a camera that is to find out by itself: only focusing has to be asked for."""
    return {"AfMode": CONTINUOUS}


def found(metadata: Iterable[Metadata]) -> CameraSettings:
    """What the camera has settled on, from the metadata of its frames, one after the other."""
    seen: list[Metadata] = []
    for frame in islice(metadata, LONGEST):
        seen = [*seen[1 - STEADY :], frame]
        if len(seen) == STEADY and _is_steady(seen):
            return _settings(seen)
    raise SourceError(
        "The camera does not come to rest: let nothing move in its picture, keep the light as it is, and try again."
    )


def _is_steady(seen: list[Metadata]) -> bool:
    if any(frame.get("AfState", FOCUSED) not in (0, FOCUSED) for frame in seen):  # 0: it has no focus to find
        return False
    lights = [float(frame.get("ExposureTime", 1)) * float(frame.get("AnalogueGain", 1)) for frame in seen]
    lenses = [float(frame.get("LensPosition", 0)) for frame in seen]
    reds, blues = zip(*(frame.get("ColourGains", (1, 1)) for frame in seen), strict=True)
    return all(max(some) <= 1.02 * min(some) for some in (lights, reds, blues)) and max(lenses) - min(lenses) <= 0.1


def _settings(seen: list[Metadata]) -> CameraSettings:
    def middle(name: str) -> float | None:
        told = [float(frame[name]) for frame in seen if name in frame]
        return median(told) if told else None

    exposure = middle("ExposureTime")
    gains = [frame["ColourGains"] for frame in seen if "ColourGains" in frame]
    colours = (median(red for red, _ in gains), median(blue for _, blue in gains)) if gains else None
    return CameraSettings(
        None if exposure is None else round(exposure), middle("AnalogueGain"), colours, middle("LensPosition")
    )


def took_hold(settings: CameraSettings, metadata: Metadata) -> bool:
    """Whether a frame was taken as set. A camera rounds to whole lines and steps; what it does not tell counts."""
    gains = metadata.get("ColourGains", settings.colours)
    pairs = [
        (settings.exposure, metadata.get("ExposureTime"), 0.02, 100.0),
        (settings.gain, metadata.get("AnalogueGain"), 0.05, 0.0),
        (settings.lens, metadata.get("LensPosition"), 0.0, 0.1),
        *((want, have, 0.02, 0.0) for want, have in zip(settings.colours or (), gains or (), strict=False)),
    ]
    return all(
        want is None or have is None or abs(have - want) <= max(share * want, least)
        for want, have, share, least in pairs
    )


# --- On disk


def write_settings(path: Path, settings: CameraSettings) -> None:
    """Beside, then renamed: a power cut leaves the old settings or the new ones."""
    try:
        whole.write(path, f"{json.dumps(asdict(settings))}\n".encode())
    except OSError as error:
        raise SourceError(f"The camera's settings cannot be kept in {path}: {error.strerror}.") from None


def read_settings(path: Path) -> CameraSettings:
    again = "find them anew"
    try:
        data = json.loads(plainfile.content(path, TOO_LARGE))
    except TooLargeError:
        raise SourceError(f"{path} holds no settings of a camera: {again}.") from None
    except OSError as error:
        raise SourceError(f"The camera's settings in {path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        raise SourceError(f"{path} holds no settings of a camera: {again}.") from None
    try:
        return _checked(data)
    except (TypeError, ValueError, KeyError):
        raise SourceError(f"{path} holds settings that no camera has: {again}.") from None


_RANGES = {"exposure": (1, 10_000_000), "gain": (1, 1000), "lens": (0, 100), "colours": (0.01, 100)}


def _checked(data: Any) -> CameraSettings:
    if not isinstance(data, dict) or set(data) != {field.name for field in fields(CameraSettings)}:
        raise ValueError
    for name, (low, high) in _RANGES.items():
        value = data[name]
        for one in [] if value is None else value if name == "colours" else [value]:
            if isinstance(one, bool) or not isinstance(one, int | float) or not low <= one <= high:
                raise ValueError
    red, blue = data["colours"] or (1, 1)
    whole = None if data["exposure"] is None else round(data["exposure"])
    return CameraSettings(whole, data["gain"], (red, blue) if data["colours"] else None, data["lens"])
