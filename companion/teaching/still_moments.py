"""When nobody moves anything before a camera: the moments at which a table is looked at to be taught."""

from collections.abc import Iterable, Iterator

from vision.frames import Frame
from vision.gate import SPECKS, Gate

CALM = 1_000_000_000  # nanoseconds without a movement, by the stamps of the frames


def still_moments(frames: Iterable[Frame]) -> Iterator[Frame]:
    """The frame with which each stretch of calm is long enough: one of each, until something moves again."""
    gate: Gate | None = None
    since, is_looked_at = 0, False
    for frame in frames:
        if gate is None or gate.before.shape != frame.grey.shape or gate.motion(frame) > SPECKS:
            gate, since, is_looked_at = Gate(frame), frame.stamp, False
        gate.before = frame.grey
        if not is_looked_at and frame.stamp - since >= CALM:
            is_looked_at = True
            yield frame
