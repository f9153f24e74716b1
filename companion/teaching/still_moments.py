"""When nobody moves anything before a camera: the moments at which a table is looked at to be taught."""

from collections.abc import Iterable, Iterator

from vision.frames import Frame
from vision.gate import SPECKS, Gate

CALM = 1_000_000_000  # nanoseconds without a movement, by the stamps of the frames


class Stillness:
    """Is shown one frame after the other."""

    def __init__(self) -> None:
        self._gate: Gate | None = None
        self._since, self._is_told = 0, False

    def begins(self, frame: Frame) -> bool:
        """With this frame a stretch of calm is long enough; once, until something moves again."""
        gate = self._gate
        if gate is None or gate.before.shape != frame.grey.shape or gate.motion(frame) > SPECKS:
            gate = self._gate = Gate(frame)
            self._since, self._is_told = frame.stamp, False
        gate.before = frame.grey
        if self._is_told or frame.stamp - self._since < CALM:
            return False
        self._is_told = True
        return True


def still_moments(frames: Iterable[Frame]) -> Iterator[Frame]:
    """The frame with which each stretch of calm is long enough."""
    stillness = Stillness()
    return (frame for frame in frames if stillness.begins(frame))
