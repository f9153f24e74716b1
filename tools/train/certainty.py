"""How sure is sure: chances that come true, and the least at which a reading is told."""

from typing import Any

import numpy as np

from tools.train.data import Labels
from vision.runtime import HEADS

WEIGHTS = (0.5, 1.0, 1.5, 2.0, 3.0, 5.0)  # that are tried
WRONG_AT_MOST = 0.02  # of the readings that are told, of squares that are far harder than a table's

Chances = dict[str, np.ndarray[Any, np.dtype[np.float64]]]


def temperatures(labels: Labels, logits: Any) -> dict[str, float]:
    """What to divide each head's logits by so that its chances come true."""
    is_card = labels[:, 0] == 0
    found, start = {}, 0
    for at, (name, values) in enumerate(HEADS.items()):
        head, truth = logits[:, start : start + len(values)].astype(np.float64), labels[:, at]
        start += len(values)
        if name != "state":
            head, truth = head[is_card], truth[is_card]
        heats = np.linspace(0.5, 4, 141)
        found[name] = float(heats[np.argmin([_surprise(head / heat, truth) for heat in heats])])
    return found


def weighed(labels: Labels, first: Any, second: Any) -> tuple[float, dict[str, float]]:
    """How much the second network's word counts beside the first's, and what both together are to be divided by."""
    found = []
    for weight in WEIGHTS:
        both = first + weight * second
        heat = temperatures(labels, both)
        chance = chances(both, heat)
        is_card = labels[:, 0] == 0
        truth = np.stack([chance[name][np.arange(len(labels)), labels[:, at]] for at, name in enumerate(HEADS)], 1)
        logs = np.log(np.maximum(truth, 1e-9))
        found.append((float(logs[:, 0].mean() + logs[is_card, 1:].sum(1).mean()), weight, heat))
    _, weight, heat = max(found, key=lambda one: one[0])
    return weight, heat


def _surprise(head: Any, truth: Any) -> float:
    head = head - head.max(1, keepdims=True)
    return float((np.log(np.exp(head).sum(1)) - head[np.arange(len(head)), truth]).mean())


def chances(logits: Any, heat: dict[str, float]) -> Chances:
    found, start = {}, 0
    for name, values in HEADS.items():
        head = logits[:, start : start + len(values)].astype(np.float64) / heat[name]
        start += len(values)
        raised = np.exp(head - head.max(1, keepdims=True))
        found[name] = raised / raised.sum(1, keepdims=True)
    return found


def told(labels: Labels, found: Chances) -> tuple[Any, Any]:
    """How sure each square's reading as a card is, and whether it is right."""
    sure = found["state"][:, 0] * np.prod([found[name].max(1) for name in HEADS if name != "state"], 0)
    hits = [found[name].argmax(1) == labels[:, at] for at, name in enumerate(HEADS)]
    return sure, np.all(hits, 0)


def acceptance(labels: Labels, found: Chances) -> float:
    """The least confidence above which at most WRONG_AT_MOST of the readings are wrong."""
    sure, is_right = told(labels, found)
    order = np.argsort(-sure)
    wrong = np.cumsum(~is_right[order]) / np.arange(1, len(order) + 1)
    good = np.flatnonzero((wrong <= WRONG_AT_MOST) & (sure[order] >= 0.5))
    least = float(sure[order][good[-1]]) if len(good) else 1.0
    return min(max(least, 0.8), 0.995)
