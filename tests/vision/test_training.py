"""The pictures that the reader learns from: the same from the same seed, of all kinds, labelled with what they show."""

from collections import Counter

import numpy as np
import pytest

from tools.train import data
from tools.train.card_art import HUES, a_style, colour_ink, face, mask_of, outline, size_of
from tools.train.cell_scene import printer, sample
from tools.train.certainty import acceptance, chances, temperatures
from tools.train.data import FIRST, Labels, chunk, printed
from vision.deck import STATES
from vision.squares import SIDE


def no_edition(_rng: np.random.Generator) -> None:
    """Styles of card_art only."""


def logits_for(labels: Labels, sure: float, wrong: int) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """Such as a network would give that is right but for the first so many counts."""
    logits = np.zeros((len(labels), 18))
    for at, start in enumerate((0, 6, 10, 14)):
        logits[np.arange(len(labels)), start + labels[:, at]] = sure
    logits[:wrong, 14:] = np.roll(logits[:wrong, 14:], 1, 1) / 4
    return logits


def test_a_seed_says_everything() -> None:
    first, again = (sample(np.random.default_rng([7, 7]), SIDE, FIRST.edition) for _ in range(2))
    assert np.array_equal(first[0], again[0])
    assert first[1] == again[1]


def test_all_kinds_come_about_as_often_as_they_should() -> None:
    rng = np.random.default_rng(1)
    labels = [sample(rng, 64, no_edition)[1] for _ in range(300)]
    states = Counter(STATES[label.state] for label in labels)
    assert set(states) == set(STATES)
    assert 0.5 < states["card"] / 300 < 0.78
    for attribute in ("colour", "shape", "count"):
        assert {getattr(label, attribute) for label in labels if label.state == 0} == {0, 1, 2, 3}


def test_a_face_fills_its_card_and_differs_from_the_others_of_its_style() -> None:
    style = a_style(np.random.default_rng(3))
    faces = [face(style, colour, shape, count) for colour in range(4) for shape in range(4) for count in range(4)]
    width, height = size_of(style)
    assert {one.shape for one in faces} == {(height, width, 3)}
    assert mask_of(style)[height // 2, width // 2] == 255
    unlike = [np.abs(a.astype(int) - b).mean() for at, a in enumerate(faces) for b in faces[:at]]
    assert min(unlike) > 0.1


@pytest.mark.parametrize("seed", range(20))
def test_a_plus_is_as_symmetrical_as_a_plus(seed: int) -> None:
    points = outline(a_style(np.random.default_rng(seed)), 2)
    turned = points @ np.array([[0, 1], [-1, 0]])
    assert {tuple(point) for point in points.round(6) + 0.0} == {tuple(point) for point in turned.round(6) + 0.0}
    mirrored = points * [-1, 1]
    assert {tuple(point) for point in points.round(6) + 0.0} == {tuple(point) for point in mirrored.round(6) + 0.0}


@pytest.mark.parametrize("seed", range(20))
def test_colours_stay_what_a_person_calls_them(seed: int) -> None:
    style = a_style(np.random.default_rng(seed))
    for colour, (low, high) in enumerate(HUES):
        assert low <= style.hues[colour] <= high
    (_, green, red), (blue, _, dull) = colour_ink(style, 0), colour_ink(style, 1)
    assert red > green
    assert blue > dull


def test_a_printer_changes_the_ink_and_not_the_card() -> None:
    rng = np.random.default_rng(2)
    made = {printer(rng, printed)("red-star-2").shape for _ in range(20)}
    assert made <= {(150, 150, 3), (150, 107, 3)}
    assert len(made) == 2


def test_a_chunk_is_the_same_in_whatever_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "CHUNK", 20)
    squares, labels = chunk(3, seed=5)
    again, their = chunk(3, seed=5)
    assert np.array_equal(squares, again)
    assert np.array_equal(labels, their)
    other, _ = chunk(4, seed=5)
    assert not np.array_equal(squares, other)


# --- how sure is sure


def cards(count: int) -> Labels:
    rng = np.random.default_rng(0)
    return np.column_stack([np.zeros(count), *(rng.integers(0, 4, count) for _ in range(3))]).astype(np.uint8)


def test_an_overconfident_head_is_cooled() -> None:
    labels = cards(1000)
    heat = temperatures(labels, logits_for(labels, 12.0, 0))
    assert heat["count"] < 1
    logits = logits_for(labels, 12.0, 0)
    logits[:100, 14:] = np.roll(logits[:100, 14:], 1, 1)
    assert temperatures(labels, logits)["count"] > 2


def test_what_is_accepted_is_right() -> None:
    labels = cards(4000)
    found = chances(logits_for(labels, 9.0, 300), dict.fromkeys(("state", "colour", "shape", "count"), 1.0))
    least = acceptance(labels, found)
    sure = found["state"][:, 0] * found["colour"].max(1) * found["shape"].max(1) * found["count"].max(1)
    assert (sure >= least).sum() == 3700
