"""A deck's file comes back as it was written, and whatever else it is, one sentence says so."""

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.deck_file import (
    ABOUT,
    ACROSS,
    FINE_STEP,
    LARGEST,
    MEANS,
    MIDDLE,
    SCATTER,
    SHEET,
    STEP,
    TILE,
    TURNS,
    DeckFile,
    Scatter,
    packed,
    proper_name,
    read_deck,
    unpacked,
    write_deck,
)
from vision.eye_errors import DeckError

WIDTH = 8
FACES = ("Ember", "Sky", "Snow")


def some_deck(**changes: Any) -> DeckFile:
    sheet = cv2.imencode(".jpg", np.zeros((TILE, ACROSS * TILE, 3), np.uint8))[1].tobytes()
    rng = np.random.default_rng(1)
    means = STEP * np.round(rng.normal(0, 4, (3, TURNS, WIDTH))).astype(np.float32)
    means[2] = -means[0] - means[1]
    scatter = Scatter(FINE_STEP * np.round(rng.normal(0, 9, (2, WIDTH))).astype(np.float32), 0.25)
    deck = DeckFile(
        name="our dogs",
        game="three",
        faces=FACES,
        is_once=False,
        network="abc",
        means=means,
        scatter=scatter,
        shown=(0, 2, 3),
        counts=(1, 2, 1),
        parts=0,
        sheet=sheet,
    )
    return replace(deck, **changes)


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "decks" / "our dogs.deck"
    write_deck(path, some_deck())
    found = read_deck(path)
    assert np.array_equal(found.means, some_deck().means)
    assert np.allclose(found.scatter.matrix, some_deck().scatter.matrix)
    assert replace(found, means=some_deck().means).missing == ("Sky",)
    for name in ("name", "game", "faces", "is_once", "network", "shown", "counts", "parts", "sheet"):
        assert getattr(found, name) == getattr(some_deck(), name)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def refused(content: bytes) -> str:
    with pytest.raises(DeckError) as error:
        unpacked(content)
    assert "\n" not in str(error.value)
    assert str(error.value).endswith(".")
    return str(error.value)


def changed(change: Callable[[dict[str, Any]], object], **parts: bytes) -> bytes:
    """The same file with something else written in it."""
    with zipfile.ZipFile(io.BytesIO(packed(some_deck()))) as file:
        held = {name: file.read(name) for name in (ABOUT, MIDDLE, MEANS, SCATTER, SHEET)}
    about = json.loads(held[ABOUT])
    change(about)
    held = {**held, ABOUT: json.dumps(about).encode(), **parts}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, content in held.items():
            file.writestr(name, content)
    return out.getvalue()


def nothing(_about: dict[str, Any]) -> None:
    pass


@pytest.mark.parametrize("length", [0, 10, 100, -30])
def test_cut_short(length: int) -> None:
    assert "cut short or damaged" in refused(packed(some_deck())[:length])


def test_another_version() -> None:
    assert "is of version 7" in refused(changed(lambda about: about.update(deck=7)))


def test_an_earlier_version() -> None:
    """It held other numbers."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr(ABOUT, json.dumps({"deck": 1, "name": "mine"}))
        file.writestr("means.f2", b"")
    assert refused(out.getvalue()).endswith("this companion reads 2: teach the deck again.")


def test_numbers_are_kept_nearly() -> None:
    """To the nearest step, and none grows beyond what a byte holds."""
    means = some_deck().means + np.random.default_rng(2).normal(0, 2, some_deck().means.shape).astype(np.float32)
    found = unpacked(packed(some_deck(means=means)))
    assert np.abs(found.means - means).max() < 0.6 * STEP
    means[0, 0, 0] = 500
    assert unpacked(packed(some_deck(means=means))).means[0, 0, 0] > unpacked(packed(some_deck())).means[0, 0, 0] > -500


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", ".hidden", "", "x" * 41, "a\nb", "C:\\deck", "con\0"])
def test_a_name_that_leads_elsewhere(name: str) -> None:
    assert "cannot be the name of a deck" in refused(changed(lambda about: about.update(name=name)))


@pytest.mark.parametrize("name", ["mine", "Triple³ of Anna", "très-2"])
def test_a_name_that_can_be(name: str) -> None:
    assert proper_name(name) == name


@pytest.mark.parametrize(
    "change",
    [
        lambda about: about.update(faces=[]),
        lambda about: about.update(faces=["Sky", "Sky"]),
        lambda about: about.update(faces=["../x", "y"]),
        lambda about: about.update(faces="Sky"),
        lambda about: about.update(shown=[0, 0, 1]),
        lambda about: about.update(shown=[0, 1, 9]),
        lambda about: about.update(shown=[0, True, 2]),
        lambda about: about.update(counts=[1, 0, 1]),
        lambda about: about.update(counts=[1]),
        lambda about: about.update(features=1_000_000_000),
        lambda about: about.update(features=-8),
        lambda about: about.update(directions=3),
        lambda about: about.update(directions=-2),
        lambda about: about.update(parts=99),
        lambda about: about.update(network=None),
        lambda about: about.pop("game"),
    ],
)
def test_what_cannot_be_a_deck(change: Callable[[dict[str, Any]], object]) -> None:
    assert "does not hold what a deck must hold" in refused(changed(change))


@pytest.mark.parametrize("number", [np.nan, np.inf, 60_000])
def test_numbers_out_of_all_bounds(number: float) -> None:
    middle = np.zeros((TURNS, WIDTH), np.float16)
    middle[2, 3] = number
    assert "out of all bounds" in refused(changed(nothing, **{MIDDLE: middle.tobytes()}))
    assert "out of all bounds" in refused(changed(lambda about: about.update(rest=float(number))))


@pytest.mark.parametrize("rest", [-1, None, "1"])
def test_a_variance_that_is_none(rest: object) -> None:
    assert "out of all bounds" in refused(changed(lambda about: about.update(rest=rest)))


@pytest.mark.parametrize("sheet", [b"", b"GIF89a", some_deck().sheet[:-40]])
def test_a_sheet_that_is_none(sheet: bytes) -> None:
    assert "does not hold" in refused(changed(nothing, **{SHEET: sheet}))


def test_more_than_it_says() -> None:
    """A bomb of zeros."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name in (ABOUT, MIDDLE, MEANS, SCATTER, SHEET):
            file.writestr(name, bytes(30_000_000))
    assert len(out.getvalue()) < LARGEST
    assert "holds more than any deck does" in refused(out.getvalue())


def test_huge(tmp_path: Path) -> None:
    path = tmp_path / "huge.deck"
    path.write_bytes(bytes(LARGEST + 1))
    with pytest.raises(DeckError, match=r"cannot be read: it is larger than .+\."):
        read_deck(path)


def test_too_much_to_be_written(tmp_path: Path) -> None:
    means = np.random.default_rng(1).normal(0, 50, (3, TURNS, 50_000)).astype(np.float32)
    with pytest.raises(DeckError, match="is the most"):
        write_deck(tmp_path / "x.deck", some_deck(means=means))
    assert not list(tmp_path.iterdir())
