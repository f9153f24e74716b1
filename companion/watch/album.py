"""Pictures that are kept of plays and disputes, in a folder; a full disk is said once, and stops nothing else."""

import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core import wholefile as whole
from companion.core.errors import CompanionError
from companion.core.sentence import Sentence

if TYPE_CHECKING:
    from vision.frames import Picture
    from vision.sightings import Look

QUALITY = 90  # of a JPEG


class Album:
    """A folder for pictures: those before and after each play, or with `disputes_only` nothing but what is disputed."""

    def __init__(self, folder: Path, *, disputes_only: bool = False) -> None:
        self.folder = folder
        self.disputes_only = disputes_only
        self.kept = 0  # pictures
        self.is_closed = False  # somebody wants no more of this dispute
        self._writing = threading.Lock()
        self.trouble = ""  # one sentence, as soon as nothing more is kept
        try:
            folder.mkdir(parents=True, exist_ok=True)
            beside = folder / f".{os.getpid()}"
            beside.touch()
            beside.unlink()
        except OSError as error:
            raise CompanionError(f"Pictures cannot be kept in {folder}: {error.strerror or error}.") from None

    def keep(self, name: str, picture: "Picture | None") -> str:
        """Where the picture is now; nothing if there is none, or it could not be kept."""
        if picture is None or self.trouble:
            return ""
        path = self.folder / name
        try:
            with self._writing:
                if self.is_closed:
                    return ""
                whole.write(path, _packed(path.suffix, picture), lasting=False)  # the match does not wait for a picture
                self.kept += 1
        except OSError as error:
            self.trouble = Sentence(
                "No more pictures are kept in {folder}: {strerror}. The match goes on.",
                folder=self.folder,
                strerror=error.strerror or error,
            )
            return ""
        return str(path)

    def forget(self) -> None:
        """All pictures go, and none comes until the next dispute."""
        with self._writing:
            self.is_closed, self.kept = True, 0
            for path in self.folder.iterdir():
                path.unlink(missing_ok=True)

    def begin_anew(self) -> None:
        """Another dispute."""
        self.is_closed = False

    def pair(self, number: int, before: "Look | None", after: "Look | None") -> list[str]:
        """A cell before and after, as far as there are pictures."""
        if self.disputes_only:
            return []
        named = (("before", before), ("after", after))
        kept = [self.keep(f"{number:04}-{when}.png", look.square) for when, look in named if look]
        return list(filter(None, kept))


def _packed(ending: str, picture: "Picture") -> bytes:
    import cv2  # noqa: PLC0415

    settings = [] if ending == ".png" else [int(cv2.IMWRITE_JPEG_QUALITY), QUALITY]
    return cv2.imencode(ending, picture, settings)[1].tobytes()


@dataclass(frozen=True, slots=True)
class ShownDispute:
    """Where the pictures of a dispute will be: the page, and those of each play."""

    page: str
    plays: tuple[tuple[str, ...], ...]
