"""The small pictures in a deck file, which may come from anybody: decoded apart, as every picture is."""

import tempfile
from pathlib import Path

from vision.deck_file import DeckFile
from vision.frames import Picture
from vision.still import load_picture
from vision.teaching import tiles_of


def tiles_in(deck: DeckFile) -> list[Picture]:
    """One for each face, the back and the mat."""
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        path = Path(folder) / "faces.jpg"
        path.write_bytes(deck.sheet)
        return tiles_of(load_picture(path), len(deck.tiles))
