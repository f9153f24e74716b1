"""`companion doctor reader` and `camera` with a deck that was taught."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.doors import Run
from tests.teaching.decks import a_deck
from tests.vision.laid import seen
from vision.deck import CARDS


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    return tmp_path / "decks"


def test_the_reader_tells_what_its_deck_lacks(run: Run, kept: Path) -> None:
    a_deck(kept, known=CARDS[:60])
    code, told, _ = run("doctor", "reader", "--deck", "mine")
    assert code == 0
    assert "Deck mine: 60 of 64 faces of Triple³, 0 pairs look alike." in told
    assert "4 faces of the deck mine are missing" in told
    _, told, _ = run("doctor", "reader", "--json", "--deck", "mine")
    assert json.loads(told)["deck"]["missing"] == list(CARDS[60:])


def test_a_deck_that_cannot_be_read_is_one_sentence(run: Run, kept: Path) -> None:
    kept.mkdir()
    (kept / "cut.deck").write_bytes(b"PK")
    for device in ("reader", "camera"):
        code, _, said = run("doctor", device, "--deck", "cut")
        assert code == 2
        assert "cut short or damaged" in said
        assert said.count("\n") == 1


def test_the_camera_is_looked_through_with_that_deck(run: Run, kept: Path, tmp_path: Path) -> None:
    """Its faces look like nothing: not all of the cards can be of it."""
    a_deck(kept)
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), seen(CARDS[:9], np.random.default_rng(1)).picture)
    _, told, _ = run("doctor", "camera", picture, "--deck", "triple3")
    assert "Readable: 9 of 9 cells" in told
    _, told, _ = run("doctor", "camera", picture, "--deck", "mine")
    assert "Readable: 9 of 9 cells" not in told
