"""The features network: both files say what the network said, and are refused if they are other files."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.eye_errors import ModelError
from vision.features import CARD, NEAR, RAW, SPREAD, FeatureNetwork
from vision.runtime import FOLDER, loaded

CHECK = FOLDER / "features-check.npz"
FLOAT, WHOLE = "features-float32.tflite", "features-int8.tflite"
BOUNDS = {FLOAT: 3_000_000, WHOLE: 1_000_000, SPREAD: 2_000_000}  # bytes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "models"))


def refused(folder: Path) -> str:
    with pytest.raises(ModelError) as error:
        FeatureNetwork(folder)
    assert str(error.value).endswith(".")
    return str(error.value)


def answers(name: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    with np.load(CHECK) as check:
        squares, features = check["squares"], check["features"].astype(np.float32)
    return features, loaded((FOLDER / name).read_bytes(), name, RAW).run(squares)


def test_float_file_says_what_the_network_said() -> None:
    network, file = answers(FLOAT)
    assert network.shape == file.shape == (len(network), RAW)
    assert np.abs(network - file).max() < 0.01  # the network's answers are kept in 16 bits


def test_8_bit_file_says_nearly_the_same() -> None:
    """Each square is nearer to itself than to any other of its card, by the features that decks are made of."""
    network, file = answers(WHOLE)
    spread = FeatureNetwork().spread
    one, other = spread.of(network)[:, :NEAR], spread.of(file)[:, :NEAR]
    apart = np.linalg.norm(one[:, None] - other, axis=2)
    assert (apart.argmin(1) == np.arange(len(one))).all()
    assert np.median(np.diag(apart)) < 0.5 * np.median(apart)


def test_files_are_small_and_as_their_card_says() -> None:
    about = json.loads((FOLDER / CARD).read_text(encoding="utf-8"))["files"]
    assert set(about) == set(BOUNDS)
    for name, told in about.items():
        assert (FOLDER / name).stat().st_size == told["bytes"] <= BOUNDS[name]


@pytest.mark.parametrize("name", [FLOAT, SPREAD])
def test_another_file_is_refused(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"something else")
    assert "damaged or of another version" in refused(folder)


def rename_a_file(about: dict[str, Any]) -> None:
    about["files"] = {"../features.tflite": {"sha256": ""}, SPREAD: about["files"][SPREAD]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda about: about.update(format=99), "another version"),
        (lambda about: about.pop("files"), "not the card"),
        (rename_a_file, "lies elsewhere"),
        (lambda about: about["files"].pop(SPREAD), "names no model"),
    ],
)
def test_a_card_that_cannot_be_used(folder: Path, change: Callable[[dict[str, Any]], object], said: str) -> None:
    about = json.loads((folder / CARD).read_text(encoding="utf-8"))
    change(about)
    (folder / CARD).write_text(json.dumps(about), encoding="utf-8")
    assert said in refused(folder)


def test_no_card(folder: Path) -> None:
    (folder / CARD).unlink()
    assert "cannot be read" in refused(folder)
