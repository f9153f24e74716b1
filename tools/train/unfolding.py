"""The network in a file of ours, as one that can learn further, of squares of any size."""

from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tools.train.net import HEADS, network

CONVOLUTIONS = ("CONV_2D", "DEPTHWISE_CONV_2D")
PLAIN = tf.lite.experimental.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES


def network_in(path: Path, side: int) -> Any:
    """Its convolutions follow each other in the file as they were made; its heads go where their answers are joined."""
    file = tf.lite.Interpreter(str(path), experimental_preserve_all_tensors=True, experimental_op_resolver_type=PLAIN)
    steps = file._get_ops_details()  # noqa: SLF001 - there is no other way to a file's numbers
    model = network(side, folded=True)
    ours = [layer for layer in model.layers if type(layer).__name__ in ("Conv2D", "DepthwiseConv2D")]
    theirs = [step for step in steps if step["op_name"] in CONVOLUTIONS]
    for layer, step in zip(ours, theirs, strict=True):
        kernel, bias = (file.get_tensor(at) for at in step["inputs"][1:3])
        layer.set_weights([np.transpose(kernel, (1, 2, 3, 0)), bias])
    [joined] = [step for step in steps if step["op_name"] == "CONCATENATION"]
    heads = {step["outputs"][0]: step for step in steps if step["op_name"] == "FULLY_CONNECTED"}
    for name, answer in zip(HEADS, joined["inputs"], strict=True):
        kernel, bias = (file.get_tensor(at) for at in heads[answer]["inputs"][1:3])
        model.get_layer(name).set_weights([kernel.T, bias])
    return model
