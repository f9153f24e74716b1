"""Input lines of a chip in one request to the kernel: one queue of edges, and levels that are read in one go."""

import contextlib
import errno
import fcntl
import os
import select
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from companion.core.sentence import Sentence
from hardware import chips
from hardware.pin_errors import ChipGoneError

QUEUE = 1024  # edges that the kernel keeps for us


class LineEvent(NamedTuple):
    """An edge as the kernel writes it: `struct gpio_v2_line_event`."""

    timestamp_ns: int
    kind: int
    line_offset: int
    global_seqno: int
    line_seqno: int


Written = tuple[int, int, int, int, int]  # the same, without the names, which take longer to give than to use
RISING = 1
_EVENT = struct.Struct("=QIIII24x")
_VALUES = struct.Struct("=QQ")  # `struct gpio_v2_line_values`: levels, and of which lines, by their places
_GET_VALUES = 0xC010B40E  # GPIO_V2_LINE_GET_VALUES_IOCTL


def events_of(number: int) -> list[Written]:
    """The events that wait in a request's file, straight from the kernel: the bindings make objects of them that
    take longer to make than all the rest of the way."""
    return list(_EVENT.iter_unpack(os.read(number, QUEUE * _EVENT.size)))


def levels_of(number: int, places: Mapping[int, int]) -> dict[int, bool]:
    """The levels of lines with these places in a request's file, for the same reason."""
    mask = sum(1 << place for place in places.values())
    bits, _ = _VALUES.unpack(fcntl.ioctl(number, _GET_VALUES, _VALUES.pack(0, mask)))
    return {line: bool(bits >> place & 1) for line, place in places.items()}


class LineRequest:
    """Lines that are held, each an input with its bias: up, down or floating."""

    def __init__(self, chip: Path, pulls: Mapping[int, str]) -> None:
        newest = list(pulls)[-1]
        try:
            with chips.bindings().Chip(str(chip)) as opened:
                self._held = opened.request_lines(_settings(pulls), "companion", QUEUE)
        except OSError as error:
            raise chips.explained(error, chip, newest) from None
        except ValueError as error:  # the bindings' own word for a line that the chip does not have
            raise chips.explained(OSError(errno.EINVAL, str(error)), chip, newest) from None
        self.chip = chip
        self.number = int(self._held.fd)  # of the request's file
        os.set_blocking(self.number, False)  # an empty queue is to be no reason to wait
        self._places = {line: place for place, line in enumerate(pulls)}
        self._poll = select.poll()
        self._poll.register(self.number, select.POLLIN)

    def is_waiting(self) -> bool:
        """There are edges in the queue."""
        ready = self._poll.poll(0)
        if ready and ready[0][1] & (select.POLLERR | select.POLLHUP | select.POLLNVAL):
            raise ChipGoneError(Sentence("{name} is gone.", name=self.chip.name))
        return bool(ready)

    def levels(self, lines: Iterable[int]) -> dict[int, bool]:
        places = {line: self._places[line] for line in lines}
        return levels_of(self.number, places) if places else {}

    def reconfigure(self, pulls: Mapping[int, str]) -> None:
        self._held.reconfigure_lines(_settings(pulls))

    def release(self) -> None:
        with contextlib.suppress(OSError):
            self._held.release()


def _settings(pulls: Mapping[int, str]) -> dict[int, Any]:
    gpiod = chips.bindings()
    line = gpiod.line
    bias = {"up": line.Bias.PULL_UP, "down": line.Bias.PULL_DOWN, "floating": line.Bias.DISABLED}
    return {
        number: gpiod.LineSettings(
            direction=line.Direction.INPUT,
            edge_detection=line.Edge.BOTH,
            bias=bias[pull],
            event_clock=line.Clock.MONOTONIC,
        )
        for number, pull in pulls.items()
    }
