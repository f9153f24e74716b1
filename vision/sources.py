"""Where frames come from, by the name that somebody types: a camera, a webcam, a film, pictures, a recording."""

import re
import stat
from pathlib import Path

from vision.calibration import CameraSettings
from vision.eye_errors import SourceError
from vision.eyehost import Wanted
from vision.eyeprocess import CameraApart
from vision.files import files
from vision.frames import Source
from vision.recording import Recording, is_recording


def open_source(name: str, *, settings: CameraSettings | None = None) -> Source:
    """A source, open and giving pictures; a SourceError says why not.

    `camera` and `camera:1` are the cameras on a Pi's flat cables, `webcam:0` and `/dev/video0` a webcam; everything
    else is a path. Settings are for cameras; files are as they are.
    """
    if match := re.fullmatch(r"(camera|webcam)(?::(\d{1,3}))?", name):
        kind, number = match[1], int(match[2] or 0)
        if kind == "camera":
            return CameraApart(Wanted(number, settings=settings or CameraSettings()))
        return _webcam(f"/dev/video{number}", settings)
    if re.fullmatch(r"(camera|webcam):.*", name, re.DOTALL):
        raise SourceError(
            f"{name!r} names no camera: write camera, camera:1, webcam:0, or the path of a file or folder."
        )
    return _by_path(name, settings)


def _by_path(name: str, settings: CameraSettings | None) -> Source:
    if not name or "\0" in name:
        raise SourceError(f"{name!r} names no source: write camera, webcam:0, or the path of a film or folder.")
    path = Path(name)
    if re.match(r"/dev/(video|v4l/)", name):
        return _webcam(name, settings)
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise SourceError(f"There is no file or folder {name}; cameras are called camera and webcam:0.") from None
    except OSError as error:
        raise SourceError(f"{name} cannot be looked at: {error.strerror}.") from None
    if stat.S_ISCHR(mode):
        return _webcam(name, settings)
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise SourceError(f"{name} is neither a film nor a folder of pictures.")
    return Recording(path) if is_recording(path) else files(path)


def _webcam(device: str, settings: CameraSettings | None) -> Source:
    return CameraApart(Wanted(settings=settings or CameraSettings(), device=device))
