"""Pictures that are kept of plays and disputes, in a folder; a full disk is said once, and stops nothing else."""

import os
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
    """A folder for pictures."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
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
            whole.write(path, _packed(path.suffix, picture), lasting=False)  # the match does not wait for a picture
        except OSError as error:
            self.trouble = Sentence(
                "No more pictures are kept in {folder}: {strerror}. The match goes on.",
                folder=self.folder,
                strerror=error.strerror or error,
            )
            return ""
        return str(path)

    def pair(self, number: int, before: "Look | None", after: "Look | None") -> list[str]:
        """A cell before and after, as far as there are pictures."""
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
