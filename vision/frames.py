"""What a source of pictures hands over, whatever it is: a frame, and what can be asked of a source."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]  # rows × columns × (blue, green, red)
Plane = NDArray[np.uint8]  # rows × columns of grey
Points = NDArray[np.float32]  # … × 2: x and y in a picture
Matrix = NDArray[np.float64]  # 3 × 3


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A moment: the whole picture, a small grey plane of it for noticing change, and when it was taken."""

    picture: Picture
    grey: Plane
    stamp: int  # monotonic nanoseconds, of the sensor where it tells
    number: int  # counts up from 0; a gap is frames that were lost


class Source(Protocol):
    """Frames, in the order in which they were taken."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures."""
        ...

    def frames(self) -> Iterator[Frame]:
        """Until the source ends, or is closed; raises SourceError when it fails."""
        ...

    def about(self) -> dict[str, Any]:
        """What the device says of itself: its name, its controls as they stand."""
        ...

    def close(self) -> None: ...
