"""The features network: the first eleven blocks of EfficientNet-Lite0, and nine places of a square after them."""

import os
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
from numpy.typing import NDArray
from tensorflow import keras

from tools.train.lite0 import BLOCKS, STEM, VARIANCE, Weights
from vision.squares import SIDE

PLACES = 3  # in a row and in a column
CHANNELS = BLOCKS[-1].width

Tensor = Any
Scale = NDArray[np.float32]


def network(weights: Weights, scale: Scale | None = None) -> Any:
    """Squares in, PLACES × PLACES × CHANNELS numbers out, each channel divided by its scale."""
    layers = keras.layers
    values: dict[str, list[NDArray[np.float32]]] = {}

    def folded(name: str, norm: str, *, deep: bool = False) -> list[NDArray[np.float32]]:
        """A layer and the normalising after it in one: its kernel and its bias."""
        gain = weights[f"{norm}.weight"] / np.sqrt(weights[f"{norm}.running_var"] + VARIANCE)
        kernel = weights[f"{name}.weight"] * gain[:, None, None, None]
        bias = weights[f"{norm}.bias"] - weights[f"{norm}.running_mean"] * gain
        return [kernel.transpose((2, 3, 0, 1) if deep else (2, 3, 1, 0)), bias]

    def wide(x: Tensor, width: int, name: str, norm: str, kernel: int = 1, stride: int = 1) -> Tensor:
        values[layer := name.strip("_").replace(".", "_")] = folded(name, norm)
        return layers.Conv2D(width, kernel, stride, "same", name=layer)(x)

    def deep(x: Tensor, kernel: int, stride: int, name: str, norm: str) -> Tensor:
        values[layer := name.strip("_").replace(".", "_")] = folded(name, norm, deep=True)
        return layers.ReLU(6.0)(layers.DepthwiseConv2D(kernel, stride, "same", name=layer)(x))

    squares = layers.Input((SIDE, SIDE, 3), batch_size=1)  # of any number it is slower: shapes are reckoned each time
    x = layers.Rescaling(1 / 128, -127 / 128)(squares)
    x = layers.ReLU(6.0)(wide(x, STEM, "_conv_stem", "_bn0", 3, 2))
    values["conv_stem"][0] = values["conv_stem"][0][:, :, ::-1]  # it was taught with red first, and squares have blue
    width = STEM
    for number, block in enumerate(BLOCKS):
        before, called = x, f"_blocks.{number}"
        if block.widen > 1:
            x = layers.ReLU(6.0)(wide(x, width * block.widen, f"{called}._expand_conv", f"{called}._bn0"))
        x = deep(x, block.kernel, block.stride, f"{called}._depthwise_conv", f"{called}._bn1")
        x = wide(x, block.width, f"{called}._project_conv", f"{called}._bn2")
        if block.stride == 1 and block.width == width:
            x = layers.Add()([x, before])
        width = block.width
    pool = SIDE // 16 // PLACES
    mean = np.ones((pool, pool, CHANNELS, 1), np.float32) / pool**2
    values["places"] = [mean if scale is None else mean / scale[:, None]]
    x = layers.DepthwiseConv2D(pool, pool, use_bias=False, name="places")(x)
    model = keras.Model(squares, layers.Flatten(name="features")(x))
    for name, arrays in values.items():
        model.get_layer(name).set_weights(arrays)
    return model
