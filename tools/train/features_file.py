"""From EfficientNet-Lite0 and drawn cards to the features network that is shipped: two files, their spread, their card.

The spread turns numbers into features along which the squares of one card scatter by one, in whatever light and place
they were seen; those come first along which the cards of an edition differ most.
"""

import hashlib
import io
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.core import wholefile as whole
from tools.train.data import Set
from tools.train.export import SHOWN, float_file, whole_file
from tools.train.features_net import CHANNELS, PLACES, Scale, network
from tools.train.lite0 import Weights
from tools.train.scatter import Scattered
from vision.features import CARD, FORMAT, NEAR, RAW, SPREAD
from vision.runtime import loaded
from vision.squares import SIDE, Squares

FLOAT, WHOLE, CHECK = "features-float32.tflite", "features-int8.tflite", "features-check.npz"
CHECKED = 30  # squares to compare the files by
FIRM = 0.02  # of the mean scatter is added everywhere: what hardly moved here may move elsewhere
LEAST = 0.01  # of a feature's strength
LOUD = 90  # percentile by which channels are made alike

Raw = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class FittedFeatures:
    """The spread, as it is written."""

    middle: Raw
    directions: NDArray[np.float16]
    strength: Raw  # how much the cards of an edition differ along each; one card scatters by one
    anywhere: Raw  # the inverse of how the first of them scatter over the cards of all editions


def raw_of(model: Any, squares: Squares) -> Raw:
    """What the network says of squares, by TensorFlow itself, which is slow."""
    return np.concatenate([np.asarray(model(square[None].astype(np.float32), training=False)) for square in squares])


def scale_of(raw: Raw) -> Scale:
    """How large each channel gets, wherever it is."""
    channels = np.abs(raw).reshape(-1, PLACES * PLACES, CHANNELS)
    return np.percentile(channels, LOUD, (0, 1)).astype(np.float32)


def spread_of(raw: Raw, drawn: Scattered) -> FittedFeatures:
    """Whitened by the scatter within cards, turned to where the cards of an edition differ."""
    each = np.unique(np.stack([drawn.editions, drawn.cards]), axis=1, return_inverse=True)[1].ravel()
    count = np.bincount(each)
    means = np.stack([np.bincount(each, column) for column in raw.T.astype(np.float64)], 1) / count[:, None]
    edition_of = np.array([drawn.editions[each == card][0] for card in range(len(count))])
    apart = means - np.stack([means[edition_of == number].mean(0) for number in edition_of])
    within = raw - means[each]
    scatter = within.T @ within / (len(raw) - len(count))
    scatter += np.eye(len(scatter)) * FIRM * np.trace(scatter) / len(scatter)
    values, vectors = np.linalg.eigh(scatter)
    white = vectors / np.sqrt(values)
    differs = apart @ white
    strength, turn = np.linalg.eigh(differs.T @ differs / len(differs))
    # A mean of some scenes scatters too, and that is no difference between cards.
    strength -= len(count) / len(raw)
    best = np.argsort(-strength)
    directions = (white @ turn)[:, best]
    anywhere = np.linalg.inv(np.cov(raw.astype(np.float64) @ directions[:, :NEAR], rowvar=False))
    return FittedFeatures(
        raw.mean(0),
        directions.astype(np.float16),
        np.maximum(strength[best], LEAST).astype(np.float32),
        anywhere.astype(np.float32),
    )


def written(weights: Weights, drawn: Scattered, folder: Path, about: dict[str, Any]) -> dict[str, Any]:
    """Write the files and their card, each beside and then renamed; returns the card."""
    raw = loaded(float_file(network(weights)), FLOAT, RAW).run(drawn.squares)
    scale = scale_of(raw)
    model = network(weights, scale)
    raw /= np.tile(scale, PLACES * PLACES)
    step = max(1, len(drawn.squares) // SHOWN)
    shown = Set(drawn.squares[::step], np.empty((len(drawn.squares[::step]), 4), np.uint8))
    files = {FLOAT: float_file(model), WHOLE: whole_file(model, shown), SPREAD: _packed(spread_of(raw, drawn))}
    card = {
        "format": FORMAT,
        "side": SIDE,
        "files": {
            name: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)} for name, data in files.items()
        },
        "made": {**about, "squares": len(drawn.squares), "parameters": model.count_params()},
    }
    for name, data in files.items():
        whole.write(folder / name, data)
    whole.write(folder / CARD, (json.dumps(card, indent=2, ensure_ascii=False) + "\n").encode())
    checked = drawn.squares[:: max(1, len(raw) // CHECKED)]
    np.savez_compressed(folder / CHECK, squares=checked, features=raw_of(model, checked).astype(np.float16))
    return card


def _packed(fitted: FittedFeatures) -> bytes:
    packed = io.BytesIO()
    np.savez_compressed(packed, **asdict(fitted))
    return packed.getvalue()
