"""The deck files that come with the companion: they are what their card says, and every face of them is read."""

import hashlib
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.errors import CompanionError
from companion.core.game_faces import faces_of
from companion.core.shipped_decks import CARD, FOLDER, must_be_shipped, shipped_decks
from companion.games import part
from tools.train import printed_decks
from vision.deck_file import LARGEST, MAT, packed, read_deck
from vision.features import FeatureNetwork
from vision.frames import Picture, Points
from vision.mat import Point
from vision.printed_deck import PrintedDeck, face_picture
from vision.reader import Reader

NAMED = [pytest.param(*one, id=one[0]) for one in printed_decks.printed()]
ABOUT = json.loads((FOLDER / CARD).read_text(encoding="utf-8"))
LIGHTS = {"plain": (1.0, 1.0, 1.0), "lamp": (0.62, 0.84, 1.0), "dusk": (0.5, 0.45, 0.42)}  # blue, green, red
SIDE = 170


def test_there_is_a_file_of_each_printed_deck_that_no_network_knows() -> None:
    assert set(shipped_decks()) == {name for name, _, _ in printed_decks.printed()}
    assert {path.name for path in shipped_decks().values()} == set(ABOUT["files"])


@pytest.mark.parametrize(("name", "game", "size"), NAMED)
def test_it_is_what_its_card_says(name: str, game: str, size: Point) -> None:
    path = shipped_decks()[name]
    must_be_shipped(path)
    content, deck, told = path.read_bytes(), read_deck(path), ABOUT["files"][path.name]
    assert (told["sha256"], told["bytes"]) == (hashlib.sha256(content).hexdigest(), len(content))
    assert len(content) <= LARGEST
    assert (deck.name, deck.game, deck.faces) == (name, game, faces_of(game).names)
    assert (told["faces"], tuple(told["size"])) == (len(deck.faces), size)
    assert not deck.missing
    assert MAT in [deck.tiles[at] for at in deck.shown]
    assert deck.network == ABOUT["made"]["network"] == FeatureNetwork().name


def test_another_file_in_its_place_is_refused(tmp_path: Path) -> None:
    for name in (CARD, "three.deck"):
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    must_be_shipped(tmp_path / "three.deck")
    (tmp_path / "three.deck").write_bytes((FOLDER / "tres.deck").read_bytes())
    with pytest.raises(CompanionError, match=r"is not the file that decks\.json names"):
        must_be_shipped(tmp_path / "three.deck")
    (tmp_path / CARD).write_text('{"files": []}', encoding="utf-8")
    with pytest.raises(CompanionError, match=r"does not name three\.deck"):
        must_be_shipped(tmp_path / "three.deck")
    (tmp_path / CARD).unlink()
    with pytest.raises(CompanionError, match="cannot be checked"):
        must_be_shipped(tmp_path / "three.deck")


def laid(paper: PrintedDeck, faces: tuple[str, ...], size: Point) -> tuple[Picture, Points]:
    """Up to nine faces on white paper, each a little turned, and their cells."""
    table: Picture = np.full((3 * SIDE, 3 * SIDE, 3), 240, np.uint8)
    quads = []
    for at, name in enumerate(faces):
        face = face_picture(paper, name, round(0.82 * SIDE), size)
        height, width = face.shape[:2]
        corner = np.array((at % 3 * SIDE, at // 3 * SIDE), np.float32)
        turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), (at % 4) * 90 + at - 4, 1)
        turn[:, 2] += corner + (SIDE - np.array((width, height))) / 2
        cv2.warpAffine(face, turn, (3 * SIDE, 3 * SIDE), dst=table, borderMode=cv2.BORDER_TRANSPARENT)
        quads.append(corner + np.array(((0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)), np.float32))
    return table, np.stack(quads)


@pytest.mark.parametrize(("name", "game", "size"), NAMED)
def test_every_face_is_read_in_every_light(name: str, game: str, size: Point) -> None:
    """Of the taller cards of Tres the yellow 3 may look like a 5."""
    paper, deck = part(game, "paper", PrintedDeck), read_deck(shipped_decks()[name])
    for gains in LIGHTS.values():
        reader, missed = Reader(taught=deck), []
        for first in range(0, len(deck.faces), 9):
            faces = deck.faces[first : first + 9]
            picture, cells = laid(paper, faces, size)
            found = reader.read(np.asarray(picture * np.array(gains), np.uint8), cells)
            missed += [(face, one.guess) for face, one in zip(faces, found, strict=True) if one.guess != face]
            assert all(one.card in (None, face) for face, one in zip(faces, found, strict=True))
        assert missed in ([], [("yellow-3", "yellow-5")] if name == "tres-tall" else [])


def test_the_same_deck_is_made_from_the_same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printed_decks, "TOGETHER", 2)
    size = (54.0, 54.0)
    first, again = (printed_decks.deck_of("three", "three", size, squares=2) for _ in range(2))
    assert packed(first) == packed(again)
    monkeypatch.setattr(printed_decks, "SEED", printed_decks.SEED + 1)
    assert packed(printed_decks.deck_of("three", "three", size, squares=2)) != packed(first)
