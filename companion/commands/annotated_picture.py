"""A picture of a table with what was read drawn into it, in a file."""

from collections.abc import Sequence
from pathlib import Path

import cv2

from companion.core import wholefile as whole
from companion.core.errors import CompanionError
from vision.frames import Picture
from vision.locate import TableView
from vision.overlay import overlaid
from vision.reader import Reading

QUALITY = 92  # of a JPEG


def annotate(path: Path, picture: Picture, table: TableView, readings: Sequence[Reading], title: str) -> None:
    _keep(path, overlaid(picture, table, readings, title))


def _keep(path: Path, picture: Picture) -> None:
    """Write a picture so that it is there whole or not at all."""
    settings = [] if path.suffix.lower() == ".png" else [int(cv2.IMWRITE_JPEG_QUALITY), QUALITY]
    written, content = cv2.imencode(path.suffix.lower(), picture, settings)
    if not written:
        raise CompanionError(f"{path} cannot be made of this picture.")
    try:
        whole.write(path, content.tobytes())
    except OSError as error:
        raise CompanionError(f"{path} cannot be written: {error.strerror or error}.") from None
