"""From the fitted networks to what is shipped: TensorFlow Lite files, their card, and squares to check by."""

import hashlib
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import tensorflow as tf

from companion.core import wholefile as whole
from tools.train.certainty import Chances, acceptance, chances, temperatures, told, weighed
from tools.train.data import Labels, Set
from tools.train.fit import logits_of, right
from tools.train.unfolding import network_in
from vision.cell_answer import spread_over
from vision.runtime import CARD, FORMAT, HEADS
from vision.squares import FINE_SIDE, SIDE, Squares

FLOAT, WHOLE, CHECK = "reader-float32.tflite", "reader-int8.tflite", "reader-check.npz"
FINE_FLOAT, FINE_WHOLE, FINE_CHECK = "closer-float32.tflite", "closer-int8.tflite", "closer-check.npz"
CHECKED = 60  # squares to compare the files by
SHOWN = 600  # squares that show the converter how large things get


def float_file(model: Any) -> bytes:
    return bytes(tf.lite.TFLiteConverter.from_keras_model(model).convert())


def whole_file(model: Any, shown: Set) -> bytes:
    """Everything in 8 bits, black being -128 and white 127."""
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: ([square[None].astype(np.float32)] for square in _range_of(shown))
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = converter.inference_output_type = tf.int8
    return bytes(converter.convert())


def _range_of(shown: Set) -> Any:
    """Squares from black to white, so that a step of the input is one of 255."""
    squares = np.array(shown.squares[:SHOWN])
    squares[0], squares[1] = 0, 255
    return squares


# --- The files


def written(model: Any, learn: Set, check: Set, folder: Path, about: dict[str, Any]) -> dict[str, Any]:
    """Write the files and their card, each beside and then renamed; returns the card."""
    files = {FLOAT: float_file(model), WHOLE: whole_file(model, learn)}
    logits = logits_of(model, check)
    heat = temperatures(check.labels, logits)
    found = chances(logits, heat)
    accepted = acceptance(check.labels, found)
    card = {
        "format": FORMAT,
        "deck": "triple3",
        "side": SIDE,
        "labels": {name: list(values) for name, values in HEADS.items()},
        "files": _described(files),
        "temperatures": {name: round(value, 3) for name, value in heat.items()},
        "accepted": round(accepted, 4),
        "trained": about,
        "held out": _held_out(check.labels, logits, found, accepted),
    }
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        whole.write(folder / name, data)
    whole.write(folder / CARD, (json.dumps(card, indent=2, ensure_ascii=False) + "\n").encode())
    np.savez_compressed(folder / CHECK, squares=np.array(check.squares[:CHECKED]), logits=logits[:CHECKED])
    return card


def closer_written(model: Any, learn: Set, check: Set, folder: Path, about: dict[str, Any]) -> dict[str, Any]:
    """Write the network that looks closely beside the first one, and into its card; returns the card."""
    files = {FINE_FLOAT: float_file(model), FINE_WHOLE: whole_file(model, learn)}
    card: dict[str, Any] = json.loads((folder / CARD).read_text(encoding="utf-8"))
    second = logits_of(model, check)
    first = logits_of(network_in(folder / FLOAT, SIDE), Set(_smaller(check.squares), check.labels))
    weight, heat = weighed(check.labels, first / spread_over(card["temperatures"]), second)
    both = first / spread_over(card["temperatures"]) + weight * second
    found = chances(both, heat)
    accepted = card["accepted"]  # a higher one leaves our own deck untold under lamps
    card["closer"] = {
        "side": FINE_SIDE,
        "files": _described(files),
        "temperatures": {name: round(value, 3) for name, value in heat.items()},
        "weight": weight,
        "accepted": accepted,
        "trained": about,
        "held out": _held_out(check.labels, both, found, accepted),
    }
    for name, data in files.items():
        whole.write(folder / name, data)
    whole.write(folder / CARD, (json.dumps(card, indent=2, ensure_ascii=False) + "\n").encode())
    np.savez_compressed(folder / FINE_CHECK, squares=np.array(check.squares[:CHECKED]), logits=second[:CHECKED])
    return card


def _described(files: dict[str, bytes]) -> dict[str, dict[str, Any]]:
    return {name: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)} for name, data in files.items()}


def _smaller(squares: Squares) -> Squares:
    """As the first network is shown them."""
    return np.stack([cv2.resize(square, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for square in squares])


def _held_out(labels: Labels, logits: Any, found: Chances, accepted: float) -> dict[str, Any]:
    sure, is_right = told(labels, found)
    is_card, is_told = labels[:, 0] == 0, sure >= accepted
    return {
        "squares": len(labels),
        "right": {name: round(share, 5) for name, share in right(labels, logits).items()},
        "cards accepted": round(float(is_told[is_card].mean()), 5),
        "wrong among accepted": round(float((~is_right[is_told]).mean()), 6),
    }
