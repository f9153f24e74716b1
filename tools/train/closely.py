"""Fitting the network that looks closely: it begins as the first one is, and learns wide editions in larger squares."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

from tools.train.data import Set
from tools.train.fit import Falling
from tools.train.net import loss

BATCH = 64
RATE = 1.5e-3


def closely_fitted(model: Any, learn: Set, passes: int, seed: int) -> Iterator[float]:
    """The model learns where it is; the mean loss of every pass."""
    keras.utils.set_random_seed(seed)
    optimizer = keras.optimizers.AdamW(Falling(RATE, passes * (len(learn) // BATCH)), weight_decay=1e-4)

    @tf.function
    def step(squares: Any, labels: Any) -> Any:
        gains = tf.random.uniform((BATCH, 1, 1, 3), 0.92, 1.08) * tf.random.uniform((BATCH, 1, 1, 1), 0.92, 1.08)
        with tf.GradientTape() as tape:
            told = loss(labels, model(tf.minimum(tf.cast(squares, tf.float32) * gains, 255.0), training=True))
        weights = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(told, weights), weights, strict=True))
        return told

    rng = np.random.default_rng(seed)
    for _ in range(passes):
        losses = []
        order = rng.permutation(len(learn))
        for start in range(0, len(learn) - BATCH + 1, BATCH):
            some = np.sort(order[start : start + BATCH])
            turned = np.rot90(learn.squares[some], int(rng.integers(4)), (1, 2))
            losses.append(float(step(np.ascontiguousarray(turned), learn.labels[some])))
        yield float(np.mean(losses))
