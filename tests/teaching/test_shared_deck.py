"""A deck that was taught in one home is sent to another, and read there."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.doors import Run
from tests.vision.laid import seen
from vision.deck import CARDS

NINE = CARDS[0:63:7]


def test_a_deck_is_read_in_another_home(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs, stick = tmp_path / "ours", tmp_path / "theirs", tmp_path / "stick"
    stick.mkdir()
    for number in (1, 2):
        cv2.imwrite(str(tmp_path / f"{number}.png"), seen(NINE, np.random.default_rng(number)).picture)
    monkeypatch.setenv("COMPANION_DECKS", str(ours))
    run("teach", "grandmother's", "--game", "triple3", tmp_path / "1.png")
    code, told, _ = run("decks", "export", "grandmother's", stick)
    assert code == 0
    monkeypatch.setenv("COMPANION_DECKS", str(theirs))
    code, _, said = run("read", tmp_path / "2.png", "--deck", "grandmother's")
    assert code == 2
    assert "there is no such deck" in said
    assert run("decks", "import", stick / "grandmother's.deck")[0] == 0
    code, told, _ = run("read", tmp_path / "2.png", "--deck", "grandmother's", "--json")
    assert code == 0
    read = [cell["card"] for cell in json.loads(told)["cells"]]
    assert [card for card, lies in zip(read, NINE, strict=True) if card != lies] == [
        card for card in read if card is None
    ]
    assert sum(card is not None for card in read) >= 8
