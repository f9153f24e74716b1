"""A recording: what a camera showed, what was said and what was told of it, in a folder that can be watched again.

The folder holds the pictures as JPEG, `stamps.txt` with a line `NUMBER.jpg STAMP` for each in the order in which they
came, `about.json`, and lines of JSON in `said.jsonl`, `sightings.jsonl` and `told.jsonl`. Whoever watches while it is
made is handed the pictures as they were kept, so that watching the folder gives the same again, bit for bit. A line of
`stamps.txt` is written when its picture is whole: what is cut off in the middle is good up to there.
"""

import contextlib
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

import cv2
import numpy as np

from companion.core import plainfile
from companion.core import wholefile as whole
from companion.core.sentence import Sentence
from vision.apart import one_ahead
from vision.eye_errors import PictureError, SourceError
from vision.files import STAMPS, stamp_lines
from vision.frames import Frame
from vision.grey import grey_of, grey_size
from vision.still import load_picture

FORMAT = 1
ABOUT = "about.json"
TRUTH = "truth.json"
SAID, SIGHTINGS, TOLD = "said.jsonl", "sightings.jsonl", "told.jsonl"
STREAMS = (SAID, SIGHTINGS, TOLD)
QUALITY = 95
RESERVE = 64_000_000  # bytes of the disk that are left to the journal
SECOND = 1_000_000_000
_LINE = re.compile(r"((\d{1,19})(?:-\d{1,19})?\.jpg) (\d{1,19})")
_LARGEST_ABOUT = 1_000_000  # bytes
_LARGEST = 8_000_000  # bytes of what was said; read JSON takes twenty times its room


# --- making one ------------------------------------------------------------------------------------------------


class Recorder:
    """Keeps what is looked at. A disk that is full ends the recording, and nothing else: `trouble` says it."""

    def __init__(self, folder: Path, about: Mapping[str, Any]) -> None:
        self.folder = folder
        self.trouble = ""  # one sentence, as soon as nothing more is kept
        self.frames = 0
        self._about = {"recording": FORMAT, **about}
        self._highest = -1
        self._shape: tuple[int, ...] = ()
        self._files: dict[str, IO[bytes]] = {}
        _must_be_empty(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _write_whole(folder / ABOUT, self._about)
            for name in (STAMPS, *STREAMS):
                self._files[name] = (folder / name).open("xb", buffering=0)
        except OSError as error:
            self._shut()
            raise SourceError(f"{folder} cannot be recorded into: {error.strerror or error}.") from None

    def kept(self, frame: Frame) -> Frame:
        """The frame as it will be when the recording is watched."""
        if self.trouble:
            return frame
        content = encoded(frame)
        try:
            self._must_fit(frame)
            self._must_have_room()
            name = self._name(frame.number)
            _write(self.folder / name, content)
            self._append(STAMPS, f"{name} {frame.stamp}")
        except OSError as error:
            self._give_up(error)
            return frame
        self.frames += 1
        return decoded(content, frame)

    def note(self, stream: str, line: Mapping[str, Any]) -> None:
        """A line of one of the streams."""
        if self.trouble:
            return
        try:
            self._append(stream, _written(line))
        except OSError as error:
            self._give_up(error)

    def heard(self, at: int, message: Mapping[str, Any]) -> None:
        """Something that was said after the frames so far."""
        self.note(SAID, {"at": at, "after": self.frames, "message": message})

    def truth(self, truth: Mapping[str, Any]) -> None:
        """What really happens on the table, where somebody knows."""
        with self._giving_up():
            _write_whole(self.folder / TRUTH, truth)

    def close(self) -> None:
        """The recording is whole; without this it counts as cut off."""
        if not self.trouble and self._files:
            with self._giving_up():
                _write_whole(self.folder / ABOUT, {**self._about, "frames": self.frames})
        self._shut()

    def _name(self, number: int) -> str:
        """The frame's number; where that went back, the place in the recording as well."""
        name = f"{number:07}.jpg" if number > self._highest else f"{number:07}-{self.frames:07}.jpg"
        self._highest = max(self._highest, number)
        return name

    def _append(self, stream: str, line: str) -> None:
        content = f"{line}\n".encode()
        if self._files[stream].write(content) != len(content):
            raise OSError(0, "the disk took only a part of it")

    def _must_fit(self, frame: Frame) -> None:
        self._shape = self._shape or frame.picture.shape
        if frame.picture.shape != self._shape:
            raise OSError(0, "the pictures have another size now")

    def _must_have_room(self) -> None:
        if shutil.disk_usage(self.folder).free < RESERVE:
            raise OSError(0, "the disk is full")

    @contextlib.contextmanager
    def _giving_up(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        why = (error.strerror or str(error)).rstrip(".")
        self.trouble = Sentence(
            "The recording {folder} ends here, after {frames} frames: {why}. The match goes on.",
            folder=self.folder,
            frames=self.frames,
            why=why,
        )
        self._shut()

    def _shut(self) -> None:
        for file in self._files.values():
            with contextlib.suppress(OSError):
                file.close()
        self._files = {}


def encoded(frame: Frame) -> bytes:
    _, content = cv2.imencode(".jpg", frame.picture, [int(cv2.IMWRITE_JPEG_QUALITY), QUALITY])
    return bytes(content.tobytes())


def decoded(content: bytes, frame: Frame) -> Frame:
    picture = np.asarray(cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_UNCHANGED), np.uint8)
    return Frame(picture, grey_of(picture), frame.stamp, frame.number)


def _must_be_empty(folder: Path) -> None:
    try:
        is_file, is_used = folder.exists() and not folder.is_dir(), folder.is_dir() and any(folder.iterdir())
    except OSError as error:
        raise SourceError(f"{folder} cannot be recorded into: {error.strerror}.") from None
    if is_file:
        raise SourceError(f"{folder} is a file: name a folder that is empty, or not there yet, to record into.")
    if is_used:
        raise SourceError(f"The folder {folder} has something in it: name one that is empty, or not there yet.")


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        raise


def _write_whole(path: Path, data: Mapping[str, Any]) -> None:
    text = json.dumps(data, ensure_ascii=False, indent=1, default=_told_as)
    whole.write(path, f"{text}\n".encode())


def _written(line: Mapping[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"), default=_told_as)


def _told_as(value: Any) -> Any:
    """What a camera says of itself may be of any kind."""
    return value.item() if isinstance(value, np.generic) else str(value)


# --- watching one ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Heard:
    """A message of the recording: its stamp, and after how many frames it came."""

    at: int
    after: int
    message: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Kept:
    name: str
    number: int
    stamp: int


def is_recording(path: Path) -> bool:
    """Whether somebody has recorded into this folder; other folders hold pictures."""
    return (path / ABOUT).exists() and (path / STAMPS).exists()


class Recording:
    """A recording as a source of frames: the same as when it was made, in the same order."""

    def __init__(self, path: Path) -> None:
        self.path, self._closed = path, False
        self.told = _about(path)
        self._kept, self._is_whole = _kept(path)
        if not self._kept:
            raise SourceError(f"The recording {path} has no frame: it was stopped before there was one.")
        self._size = _size(self.told, path)

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def said(self) -> tuple[Heard, ...]:
        """The messages of people and buttons, in the order in which they came."""
        return tuple(_said(self.path / SAID))

    def frames(self) -> Iterator[Frame]:
        for frame in one_ahead(partial(self._frame, place, one) for place, one in enumerate(self._kept)):
            if self._closed:
                return
            yield frame
        expected = self.told.get("frames")
        if not self._closed and not (self._is_whole and expected == len(self._kept)):
            raise self._broken(
                len(self._kept), "whoever made it was stopped in the middle, or copied only a part of it"
            )

    def _frame(self, place: int, one: _Kept) -> Frame:
        try:
            picture = load_picture(self.path / one.name)
        except PictureError as error:
            raise self._broken(place, f"{str(error).rstrip('.')}") from None
        if (picture.shape[1], picture.shape[0]) != self._size:
            raise self._broken(place, f"{one.name} has another size than {self._size[0]} × {self._size[1]}")
        return Frame(picture, grey_of(picture), one.stamp, one.number)

    def _broken(self, frames: int, why: str) -> SourceError:
        lasted = (self._kept[frames - 1].stamp - self._kept[0].stamp) / SECOND if frames else 0
        return SourceError(f"The recording {self.path} breaks off after {frames} frames, at {lasted:.1f} s: {why}.")

    def about(self) -> dict[str, Any]:
        return {
            "kind": "recording",
            "name": str(self.path),
            "size": self._size,
            "grey": grey_size(self._size),
            "frames": len(self._kept),
            "stamps": "of the recording",
        }

    def close(self) -> None:
        self._closed = True


def _about(path: Path) -> dict[str, Any]:
    damaged = f"{path / ABOUT} is damaged; take it away to watch the pictures of the folder without it"
    try:
        found = json.loads(_content(path / ABOUT, _LARGEST_ABOUT).decode())
    except (ValueError, RecursionError):
        raise SourceError(f"{damaged}.") from None
    if not isinstance(found, dict) or not isinstance(found.get("recording"), int):
        raise SourceError(f"{damaged}: it does not say that this is a recording.")
    if found["recording"] != FORMAT:
        raise SourceError(
            f"The recording {path} has the form {found['recording']}, and this companion knows {FORMAT}: it is too old."
        )
    return found


def _size(about: dict[str, Any], path: Path) -> tuple[int, int]:
    match about.get("size"):
        case [int(width), int(height)] if min(width, height) > 0:
            return width, height
    raise SourceError(f"{path / ABOUT}: size must be the width and the height of the pictures.")


def _kept(path: Path) -> tuple[list[_Kept], bool]:
    """The frames, and whether the last line is whole."""
    found, is_whole = [], True
    for number, line in stamp_lines(path / STAMPS):
        is_whole = line.endswith("\n")
        if not is_whole:
            break
        match = _LINE.fullmatch(line[:-1])
        if not match:
            raise SourceError(f"{path / STAMPS}, line {number}: a line is NUMBER.jpg, a space, and nanoseconds.")
        found.append(_Kept(match[1], int(match[2]), int(match[3])))
    return found, is_whole


def _said(path: Path) -> Iterator[Heard]:
    if not path.exists():
        return
    *lines, _ = _text(path, _LARGEST).split("\n")
    for number, line in enumerate(lines, 1):
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = None
        match data:
            case {"at": int(at), "after": int(after), "message": dict(message)}:
                yield Heard(at, after, message)
            case _:
                raise SourceError(f"{path}, line {number}: a line has at, after and message.")


def _text(path: Path, most: int) -> str:
    try:
        return _content(path, most).decode()
    except UnicodeDecodeError:
        raise SourceError(f"{path} cannot be read as text.") from None


def _content(path: Path, most: int) -> bytes:
    try:
        return plainfile.content(path, most)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.") from None
