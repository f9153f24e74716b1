"""What the network is shown: squares of one size, as the camera saw them."""

import numpy as np
from numpy.typing import NDArray

SIDE = 96  # pixels of a square
FINE_SIDE = 128  # pixels of one that is looked at closely

Squares = NDArray[np.uint8]  # … × SIDE × SIDE × 3
