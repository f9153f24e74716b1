"""Fitting the network to the squares: so many passes, always the same order, a rate that falls to nothing."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

from tools.train.data import Labels, Set
from tools.train.net import HEADS, loss, network, parts

BATCH = 128
RATE = 4e-3
WARM = 300  # steps until the rate is reached


def fitted(learn: Set, passes: int, seed: int) -> Iterator[tuple[float, Any]]:
    """The model after every pass, and the mean loss in it."""
    keras.utils.set_random_seed(seed)
    model = network()
    rate = Falling(RATE, passes * (len(learn) // BATCH))
    optimizer = keras.optimizers.AdamW(rate, weight_decay=2e-4)

    @tf.function(jit_compile=False)
    def step(squares: Any, labels: Any) -> Any:
        gains = tf.random.uniform((BATCH, 1, 1, 3), 0.92, 1.08) * tf.random.uniform((BATCH, 1, 1, 1), 0.92, 1.08)
        with tf.GradientTape() as tape:
            told = loss(labels, model(tf.minimum(tf.cast(squares, tf.float32) * gains, 255.0), training=True))
        slopes = tape.gradient(told, model.trainable_variables)
        optimizer.apply_gradients(zip(slopes, model.trainable_variables, strict=True))
        return told

    for number in range(passes):
        losses = [float(step(squares, labels)) for squares, labels in _batches(learn, seed + number)]
        yield float(np.mean(losses)), model


@keras.utils.register_keras_serializable()
class Falling(keras.optimizers.schedules.LearningRateSchedule):
    """Up in a straight line, down along a cosine."""

    def __init__(self, highest: float, steps: int) -> None:
        self.highest, self.steps = highest, steps

    def __call__(self, step: Any) -> Any:
        at = tf.cast(step, tf.float32)
        down = 0.5 * (1 + tf.cos(math.pi * tf.minimum(1.0, at / self.steps)))
        return self.highest * tf.minimum(1.0, (at + 1) / WARM) * (0.002 + 0.998 * down)

    def get_config(self) -> dict[str, Any]:
        return {"highest": self.highest, "steps": self.steps}


def _batches(learn: Set, seed: int) -> Iterator[tuple[Any, Labels]]:
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(learn))
    for start in range(0, len(learn) - BATCH + 1, BATCH):
        some = np.sort(order[start : start + BATCH])
        yield np.rot90(learn.squares[some], int(rng.integers(4)), (1, 2)), learn.labels[some]


def logits_of(model: Any, some: Set) -> np.ndarray[Any, np.dtype[np.float32]]:
    batches = [some.squares[at : at + 256].astype(np.float32) for at in range(0, len(some), 256)]
    return np.concatenate([np.asarray(model(batch, training=False)) for batch in batches])


def right(labels: Labels, logits: Any) -> dict[str, float]:
    """The share that is right: of all squares for the state, of the cards for what they are, and of cards in whole."""
    is_card = labels[:, 0] == 0
    hits = {name: head.argmax(1) == labels[:, at] for at, (name, head) in enumerate(parts(logits).items())}
    found = {name: float(hit.mean() if name == "state" else hit[is_card].mean()) for name, hit in hits.items()}
    whole = np.all([hits[name] for name in HEADS], 0)
    return {**found, "card": float(whole[is_card].mean())}
