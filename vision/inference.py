"""What runs in the process of its own that vision/runtime.py starts: model files, loaded and asked.

TensorFlow Lite believes a file: one that is spoilt can make it read and write anywhere. Here nothing else is.
Squares and answers lie in memory that both processes see.
"""

import mmap
import os

from vision.apart import Answer, Order, serve
from vision.eye_errors import ModelError
from vision.runtime import Model, loaded, most_squares, of_memory

ROOM = 200_000_000  # bytes beside those that this process begins with


class Inference:
    """Models by their checksums, each with how many numbers it answers for a square of how many pixels."""

    def __init__(self) -> None:
        self._models: dict[str, tuple[Model, int, int]] = {}
        self._memory: mmap.mmap | None = None

    def answer(self, order: Order, files: list[int]) -> Answer:
        try:
            match order:
                case {"load": name, "as": key, "width": width, "side": side}:
                    return self._loaded(name, key, width, side, *files), []
                case {"run": key, "count": count}:
                    return self._run(*self._models[key], count), []
        except ModelError as error:
            return {"wrong": str(error)}, []
        return {}, []

    def _loaded(self, name: str, key: str, width: int, side: int, content: int, memory: int) -> Order:
        with os.fdopen(content, "rb") as file:
            model = loaded(file.read(), name, width, side)
        self._models[key] = model, width, side
        self._memory = mmap.mmap(memory, 0)
        os.close(memory)
        return {"runtime": model.runtime, "micros": model.micros}

    def _run(self, model: Model, width: int, side: int, count: int) -> Order:
        if self._memory is None or not 0 < count <= most_squares(side):
            raise ModelError("There are no squares.")
        squares, logits = of_memory(self._memory, count, width, side)
        logits[:] = model.run(squares)
        return {"run": count}


def main(*words: str) -> None:
    serve(words, ROOM, Inference().answer)
