"""Frames from files: a film, a folder of pictures, or one picture.

The pictures of a folder come in the order of their stamps. The stamps (nanoseconds) are those of a file `stamps.txt`
beside them, with a line `name stamp` for each; or those in their names, after an @, as in `0001@33366700.jpg`; or else
they are counted from the frame rate, in the order of the names, in which 10 comes after 9.
"""

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise, repeat
from pathlib import Path
from typing import Any

from companion.core import plainfile
from companion.core.errors import UnreadableError
from vision.apart import Apart, one_ahead
from vision.eye_errors import PictureError, SourceError
from vision.frames import Frame, Picture
from vision.grey import grey_of, grey_size
from vision.still import decoded, load_picture, picture_size

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
STAMPS = "stamps.txt"
MOST = 400_000  # pictures: nearly four hours
_LARGEST = 16_000_000  # bytes of a list of them
RATE = 30.0  # frames per second where nothing tells
SECOND = 1_000_000_000
_ANEW = "Copy it again, or save it anew and smaller."
_MOST_PIXELS = 16_000_000  # of a film: twice as many as 4K has
_BAD_IN_A_ROW = 25  # frames that cannot be decoded before a film is given up


@dataclass(frozen=True, slots=True)
class _Stamped:
    path: Path
    stamp: int


class Folder:
    """A folder of pictures, all of the same size; or one picture."""

    def __init__(self, path: Path) -> None:
        self._path, self._closed = path, False
        self._pictures, self._stamps = _stamped(path)
        self._size = picture_size(self._pictures[0].path)

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def frames(self) -> Iterator[Frame]:
        pictures = one_ahead(partial(load_picture, one.path) for one in self._pictures)
        for number, (one, picture) in enumerate(zip(self._pictures, pictures, strict=True)):
            if self._closed:
                return
            size = (picture.shape[1], picture.shape[0])
            if size != self._size:
                raise SourceError(
                    f"{one.path} is {size[0]} × {size[1]}, and the pictures before it are {self._size[0]} × "
                    f"{self._size[1]}: all pictures of a folder must have the same size."
                )
            yield Frame(picture, grey_of(picture), one.stamp, number)

    def about(self) -> dict[str, Any]:
        return {
            "kind": "pictures",
            "name": str(self._path),
            "size": self._size,
            "grey": grey_size(self._size),
            "frames": len(self._pictures),
            "stamps": self._stamps,
        }

    def close(self) -> None:
        self._closed = True


def _stamped(path: Path) -> tuple[list[_Stamped], str]:
    """The pictures in their order, and where their stamps come from."""
    if not path.is_dir():
        return [_Stamped(path, 0)], "none"
    pictures = pictures_of(path)
    if (path / STAMPS).exists():
        return _from_list(path / STAMPS, pictures), "of the list"
    named = [(one, re.search(r"@(\d{1,19})$", one.stem)) for one in pictures]
    if all(match for _, match in named):
        return _in_order([_Stamped(one, int(match[1])) for one, match in named if match], path), "of the names"
    return [_Stamped(one, round(place * SECOND / RATE)) for place, one in enumerate(pictures)], "counted"


def pictures_of(folder: Path) -> list[Path]:
    """In the order of their names; a SourceError says why there are none."""
    try:
        pictures = sorted(_pictures(folder), key=lambda one: _natural(one.name))
    except OSError as error:
        raise SourceError(f"The folder {folder} cannot be read: {error.strerror}.") from None
    if len(pictures) > MOST:
        raise SourceError(f"The folder {folder} has more than {MOST} pictures: take some of them out.")
    if not pictures:
        raise SourceError(f"There is no picture in the folder {folder}: JPEG, PNG, WebP or BMP.")
    return pictures


def _pictures(folder: Path) -> Iterator[Path]:
    """One more than there may be, at most."""
    named = (one for one in folder.iterdir() if one.suffix.lower() in PICTURES and not one.name.startswith("."))
    return islice(named, MOST + 1)


def _natural(name: str) -> list[tuple[int, str]]:
    """So that 10 comes after 9."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d{1,19})", name.lower())]


def _from_list(path: Path, pictures: list[Path]) -> list[_Stamped]:
    there = {one.name: one for one in pictures}
    listed = []
    for number, line in stamp_lines(path):
        name, _, stamp = line.strip().rpartition(" ")
        if not line.strip():
            continue
        if not re.fullmatch(r"[0-9]{1,19}", stamp):
            raise SourceError(f"{path}, line {number}: a line is the name of a picture, a space, and nanoseconds.")
        if name.strip() not in there:
            raise SourceError(f"{path}, line {number}: there is no picture {name.strip()!r} beside it.")
        listed.append(_Stamped(there[name.strip()], int(stamp)))
    if not listed:
        raise SourceError(f"{path} lists no picture: write them into it, or take it away.")
    return _in_order(listed, path)


def stamp_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a list of pictures with their numbers, each with its end."""
    try:
        text = plainfile.text(path, _LARGEST)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise SourceError(f"{path} cannot be read as text.") from None
    for number, line in enumerate(re.finditer(r"[^\n]*\n|[^\n]+", text), 1):
        if number > MOST:
            raise SourceError(f"{path} lists more than {MOST} pictures: take some of them out.")
        yield number, line[0]


def _in_order(stamped: list[_Stamped], where: Path) -> list[_Stamped]:
    ordered = sorted(stamped, key=lambda one: one.stamp)
    for before, after in pairwise(ordered):
        if before.stamp == after.stamp:
            raise SourceError(f"{where}: {before.path.name} and {after.path.name} have the same stamp, {after.stamp}.")
    return ordered


class Clip:
    """A film, as quickly as it is asked for; its stamps count from its beginning. A process of its own decodes it."""

    def __init__(self, path: Path) -> None:
        self._path, self._decoder = path, Apart("vision.decoding")
        told = self._opened()
        self._rate = told["rate"] if 0 < told["rate"] < 1000 else RATE
        self._told = round(told["frames"])
        self._size = round(told["width"]), round(told["height"])
        if not told["is_open"] or min(self.size) < 1:
            self.close()
            raise SourceError(f"{path} is not a film or a picture that can be read, or it is damaged.")
        if math.prod(self.size) > _MOST_PIXELS:
            self.close()
            width, height = self.size
            most = f"more than {_MOST_PIXELS // 10**6} megapixels"
            raise SourceError(f"{path} is too large: {width} × {height} are {most}. Make it smaller.")

    def _opened(self) -> dict[str, Any]:
        try:
            with plainfile.opened(self._path) as file:
                if not os.fstat(file.fileno()).st_size:
                    raise SourceError(f"{self._path} is empty.")
                return decoded(self._decoder, {"film": True}, file.fileno(), anew=_ANEW)[0]
        except PictureError as error:
            self.close()
            raise SourceError(f"{self._path} {error}") from None
        except UnreadableError as error:
            raise SourceError(str(error)) from None
        except SourceError:
            raise
        except OSError as error:
            raise SourceError(f"{self._path} cannot be read: {error.strerror}.") from None

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def frames(self) -> Iterator[Frame]:
        number, last, missed = 0, -1, 0
        for found in one_ahead(repeat(self._next)):
            if self._decoder.is_closed or missed == _BAD_IN_A_ROW:
                break
            if found is None:
                missed += 1
                continue
            number += missed
            picture, told = found
            last, missed = max(last + 1, self._stamp(number, told)), 0
            yield Frame(picture, grey_of(picture), last, number)
            number += 1
        if not self._decoder.is_closed and number < self._told - max(2, self._told // 50):
            raise SourceError(f"{self._path} breaks off: it has {number} frames of {self._told}. Copy it again.")

    def _next(self) -> tuple[Picture, float] | None:
        """The next picture, if it comes, and its time in the film in milliseconds."""
        try:
            answer, picture = decoded(self._decoder, {"next": True}, anew=_ANEW)
        except PictureError as error:
            if self._decoder.is_closed:
                return None
            self.close()
            raise SourceError(f"{self._path} {error}") from None
        return None if picture is None else (picture, answer["ms"])

    def _stamp(self, number: int, told: float) -> int:
        """The film's own, or counted where it tells none."""
        return round(told * 1e6) if told > 0 else round(number * SECOND / self._rate)

    def about(self) -> dict[str, Any]:
        return {
            "kind": "film",
            "name": str(self._path),
            "size": self.size,
            "grey": grey_size(self.size),
            "frames": self._told if self._told > 0 else None,
            "rate": self._rate,
            "stamps": "of the film",
        }

    def close(self) -> None:
        self._decoder.close()


def files(path: Path) -> Folder | Clip:
    """Whichever it is."""
    if path.is_dir() or path.suffix.lower() in PICTURES:
        return Folder(path)
    try:
        return Clip(path)
    except SourceError as not_a_film:
        try:
            return Folder(path)
        except PictureError:
            raise not_a_film from None
