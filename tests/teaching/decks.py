"""Decks in a folder, for tests that do not ask how well they are read."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from companion.core.game_faces import faces_of
from vision.deck_file import ENDING, TURNS, DeckFile, write_deck
from vision.features import FeatureNetwork
from vision.frames import Picture
from vision.teaching import Lesson, TaughtPicture

GREY: Picture = np.full((56, 56, 3), 120, np.uint8)


def a_deck(folder: Path, name: str = "mine", game: str = "triple3", known: Sequence[str] = ()) -> DeckFile:
    """One whose faces look like nothing in particular, all of them if none is named."""
    faces, network = faces_of(game), FeatureNetwork()
    lesson = Lesson(name, game, faces.names, len(faces.parts), bool(faces.told_by), {})
    chance = np.random.default_rng(7)
    for face in known or faces.names:
        looks = chance.normal(0, 3, (TURNS, network.width)).astype(np.float32)
        lesson.show(face, TaughtPicture(looks, GREY))
    deck = lesson.deck(network.name)
    write_deck(folder / f"{name}{ENDING}", deck)
    return deck
