"""From the fitted network to what is shipped: two TensorFlow Lite files, their card, and squares to check by."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from companion.core import wholefile as whole
from tools.train.certainty import acceptance, chances, temperatures, told
from tools.train.data import Set
from tools.train.fit import logits_of, right
from vision.runtime import CARD, FORMAT, HEADS
from vision.squares import SIDE

FLOAT, WHOLE, CHECK = "reader-float32.tflite", "reader-int8.tflite", "reader-check.npz"
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
    sure, is_right = told(check.labels, found)
    is_card, is_told = check.labels[:, 0] == 0, sure >= accepted
    card = {
        "format": FORMAT,
        "deck": "triple3",
        "side": SIDE,
        "labels": {name: list(values) for name, values in HEADS.items()},
        "files": {
            name: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)} for name, data in files.items()
        },
        "temperatures": {name: round(value, 3) for name, value in heat.items()},
        "accepted": round(accepted, 4),
        "trained": about,
        "held out": {
            "squares": len(check),
            "right": {name: round(share, 5) for name, share in right(check.labels, logits).items()},
            "cards accepted": round(float(is_told[is_card].mean()), 5),
            "wrong among accepted": round(float((~is_right[is_told]).mean()), 6),
        },
    }
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        whole.write(folder / name, data)
    whole.write(folder / CARD, (json.dumps(card, indent=2, ensure_ascii=False) + "\n").encode())
    np.savez_compressed(folder / CHECK, squares=np.array(check.squares[:CHECKED]), logits=logits[:CHECKED])
    return card
