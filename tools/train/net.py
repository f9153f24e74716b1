"""The network: four answers about one square, from what it shows to how many waves are on it.

Small enough for a Pi to look at nine squares in a few milliseconds: separable convolutions, most of the work done on a
24 × 24 grid, where two waves are still apart.
"""

import os
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import tensorflow as tf
from tensorflow import keras

from vision.deck import COLOURS, COUNTS, SHAPES, STATES
from vision.squares import SIDE

HEADS = {"state": len(STATES), "colour": len(COLOURS), "shape": len(SHAPES), "count": len(COUNTS)}
WIDTHS = (20, 40, 72, 112, 160)

Tensor = Any


def network(side: int = SIDE, *, folded: bool = False) -> Any:
    """Squares of so many pixels in, 18 logits out, head after head; folded, each normalising is in the layer before."""
    layers = keras.layers
    stem, narrow, middle, wide, last = WIDTHS

    def normed(x: Tensor) -> Tensor:
        return layers.ReLU(6.0)(x if folded else layers.BatchNormalization(momentum=0.98)(x))

    def separable(x: Tensor, width: int, stride: int = 1) -> Tensor:
        x = normed(layers.DepthwiseConv2D(3, stride, "same", use_bias=folded)(x))
        return normed(layers.Conv2D(width, 1, use_bias=folded)(x))

    def again(x: Tensor, width: int) -> Tensor:
        return layers.Add()([x, separable(x, width)])

    squares = layers.Input((side, side, 3))
    x = layers.Rescaling(1 / 127.5, -1)(squares)
    x = normed(layers.Conv2D(stem, 3, 2, "same", use_bias=folded)(x))
    x = separable(x, narrow, 2)
    x = again(separable(x, middle), middle)
    x = again(x, middle)
    x = again(separable(x, wide, 2), wide)
    x = again(x, wide)
    x = again(separable(x, last, 2), last)
    x = layers.Dropout(0.1)(layers.GlobalAveragePooling2D()(x))
    heads = [layers.Dense(size, name=name)(x) for name, size in HEADS.items()]
    return keras.Model(squares, layers.Concatenate(name="logits")(heads))


def parts(logits: Tensor) -> dict[str, Tensor]:
    """The logits of each head."""
    found, start = {}, 0
    for name, size in HEADS.items():
        found[name] = logits[:, start : start + size]
        start += size
    return found


def loss(labels: Tensor, logits: Tensor) -> Tensor:
    """What a card is counts only where there is one; the count is the hard one and counts double."""
    weights = {"state": 1.0, "colour": 1.0, "shape": 1.0, "count": 2.0}
    is_card = tf.cast(labels[:, 0] == 0, tf.float32)
    total = tf.zeros(())
    for number, (name, head) in enumerate(parts(logits).items()):
        each = tf.nn.sparse_softmax_cross_entropy_with_logits(tf.cast(labels[:, number], tf.int32), head)
        total += weights[name] * tf.reduce_mean(each if name == "state" else each * is_card)
    return total
