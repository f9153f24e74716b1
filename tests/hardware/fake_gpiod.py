"""The kernel's side of libgpiod's bindings: chips with lines, requests with a queue of stamped edges, and trouble.

What is data in the bindings (settings, values, events) is theirs; chips and requests are ours. A request has a real
file number that can be polled, and keeps its lines busy until the last holder of that file lets go, as the kernel's
does: a thread that sleeps in poll on it is such a holder, and so is a forked child.
"""

import errno
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import gpiod
import pytest
from gpiod.line import Bias, Direction, Edge, Value

from hardware import chips, line_request
from hardware.line_request import RISING, LineEvent

DEADLINE = 20.0  # seconds after which what a test waits for will not come
PULLED = {Bias.PULL_UP: True, Bias.PULL_DOWN: False}


@dataclass
class Wire:
    """What is soldered to a line, and how the line is set."""

    contact: bool | None = None  # what the wire is connected to; None: nothing
    bias: Bias = Bias.DISABLED
    output: bool | None = None
    floats_at: bool = False

    @property
    def level(self) -> bool:
        if self.output is not None:
            return self.output
        return PULLED.get(self.bias, self.floats_at) if self.contact is None else self.contact


class Kernel:
    """All chips of a machine, and the bindings to them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.chips: dict[str, FakeChip] = {}
        self.chips_ever: list[FakeChip] = []
        self.line = gpiod.line
        self.LineSettings = gpiod.LineSettings
        self.opened = 0  # chips, ever

    @classmethod
    def booted(cls, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Self:
        kernel = cls(folder)
        monkeypatch.setattr(chips, "DEVICES", folder)
        monkeypatch.setattr(chips, "bindings", lambda: kernel)
        monkeypatch.setattr(line_request, "events_of", kernel.events_of)
        monkeypatch.setattr(line_request, "levels_of", kernel.levels_of)
        monkeypatch.setattr(chips, "uevents", lambda: None)  # the news of this machine's own devices
        return kernel

    def plug(self, name: str = "gpiochip0", label: str = "pinctrl-bcm2711", count: int = 58) -> "FakeChip":
        path = self.folder / name
        path.touch()
        self.chips[str(path)] = FakeChip(name, label, count)
        self.chips_ever.append(self.chips[str(path)])
        return self.chips[str(path)]

    def unplug(self, chip: "FakeChip", *, quietly: bool = False) -> None:
        """The chip is unbound. Before Linux 6.6 (`quietly`) that wakes nobody who sleeps."""
        path = self.folder / chip.name
        path.unlink()
        del self.chips[str(path)]
        chip.go(quietly=quietly)

    def events_of(self, number: int) -> list[LineEvent]:
        return self._request_at(number).read(line_request.QUEUE)

    def levels_of(self, number: int, places: Mapping[int, int]) -> dict[int, bool]:
        request = self._request_at(number)
        assert [request.offsets[place] for place in places.values()] == list(places), "places are the request's"
        return {line: bool(value) for line, value in zip(places, request.get_values(list(places)), strict=True)}

    def _request_at(self, number: int) -> "FakeRequest":
        for chip in self.chips_ever:
            for request in chip.requests:
                if request.is_at(number):
                    return request
        raise OSError(errno.EBADF, "Bad file descriptor")

    def is_gpiochip_device(self, path: str) -> bool:
        return path in self.chips

    def Chip(self, path: str) -> "Opened":  # noqa: N802
        self.opened += 1
        if path not in self.chips:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        if not self.chips[path].permitted:
            raise PermissionError(errno.EACCES, "Permission denied")
        return Opened(self.chips[path])


class FakeChip:
    """A chip, with fingers on its lines."""

    def __init__(self, name: str, label: str, count: int) -> None:
        self.name, self.label, self.lines = name, label, count
        self.permitted = True
        self.refuses: dict[int, int] = {}  # errors by line
        self.requested = 0  # requests, ever
        self.wires = [Wire() for _ in range(count)]
        self.requests: list[FakeRequest] = []
        self.lock = threading.RLock()
        self._held_back = False

    def contact(
        self, line: int, level: bool | None, *, at: int | None = None, lost: bool = False, reported: bool | None = None
    ) -> int:
        """What the wire is connected to changes; the stamp of it. The edge may be lost, or its level read wrongly."""
        stamp = time.monotonic_ns() if at is None else at
        with self.lock:
            before = self.wires[line].level
            self.wires[line].contact = level
            if self.wires[line].level != before and not lost:
                self._edge(line, stamp, self.wires[line].level if reported is None else reported)
        return stamp

    def press(self, line: int, **how: Any) -> int:
        return self.contact(line, level=False, **how)

    def let_go(self, line: int, **how: Any) -> int:
        return self.contact(line, level=None, **how)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Whatever happens in here is found together by whoever reads."""
        with self.lock:
            self._held_back = True
            try:
                yield
            finally:
                self._held_back = False
                for request in self.requests:
                    request.wake()

    def level(self, line: int) -> bool:
        with self.lock:
            return self.wires[line].level

    def holder(self, line: int) -> "FakeRequest | None":
        self.requests = [request for request in self.requests if not request.is_dead]
        return next((request for request in self.requests if line in request.offsets), None)

    def request(self, config: Mapping[int, gpiod.LineSettings], size: int) -> "FakeRequest":
        with self.lock:
            for line in config:
                if line >= self.lines:
                    raise ValueError("line offset of out range")
                if line in self.refuses:
                    raise OSError(self.refuses[line], os.strerror(self.refuses[line]))
                if self.holder(line):
                    raise OSError(errno.EBUSY, "Device or resource busy")
            for line, settings in config.items():
                self.set(line, settings)
            request = FakeRequest(self, config, size)
            self.requests.append(request)
            self.requested += 1
            return request

    def set(self, line: int, settings: gpiod.LineSettings) -> None:
        wire = self.wires[line]
        before = wire.level
        wire.bias = settings.bias
        wire.output = bool(settings.output_value) if settings.direction is Direction.OUTPUT else None
        if wire.level != before:
            self._edge(line, time.monotonic_ns(), wire.level)

    def go(self, *, quietly: bool) -> None:
        with self.lock:
            for request in self.requests:
                request.hang_up(quietly=quietly)

    def _edge(self, line: int, at: int, level: bool) -> None:
        for request in self.requests:
            if not request.is_released and line in request.offsets:
                request.put(line, at, level)
                if not self._held_back:
                    request.wake()


class Opened:
    """An open chip."""

    def __init__(self, chip: FakeChip) -> None:
        self._chip = chip

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def get_info(self) -> gpiod.ChipInfo:
        return gpiod.ChipInfo(self._chip.name, self._chip.label, self._chip.lines)

    def request_lines(
        self,
        config: Mapping[int, gpiod.LineSettings],
        consumer: str,  # noqa: ARG002
        event_buffer_size: int = 16,
    ) -> "FakeRequest":
        return self._chip.request(config, event_buffer_size)


class FakeRequest:
    """Lines in somebody's hands, and the queue of their edges."""

    def __init__(self, chip: FakeChip, config: Mapping[int, gpiod.LineSettings], size: int) -> None:
        self.offsets = list(config)
        self.is_released = False
        self.on_read: Callable[[], object] | None = None  # something that happens just then
        self._chip = chip
        self._watched = {line for line, settings in config.items() if settings.edge_detection is Edge.BOTH}
        self._queue: deque[LineEvent] = deque(maxlen=size)  # when it is full, the oldest is dropped
        self._seqno = 0
        self._line_seqno = dict.fromkeys(config, 0)
        self._gone = self._quietly_gone = False
        self._out, self._in = os.pipe()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)

    @property
    def fd(self) -> int:
        if self._quietly_gone:
            self.hang_up(quietly=False)
        return self._out

    def is_at(self, number: int) -> bool:
        return not self.is_released and self._out == number

    @property
    def is_dead(self) -> bool:
        """Released, and nobody else holds its file."""
        if not self.is_released:
            return False
        if not self._gone:
            try:
                os.write(self._in, b"?")
            except BrokenPipeError:
                self._gone = True
                os.close(self._in)
        return self._gone

    def put(self, line: int, at: int, level: bool) -> None:
        if line in self._watched:
            self._seqno += 1
            self._line_seqno[line] += 1
            self._queue.append(LineEvent(at, RISING if level else 2, line, self._seqno, self._line_seqno[line]))

    def wake(self) -> None:
        if self._queue and not self.is_released and not self._gone:
            with suppress(BlockingIOError):
                os.write(self._in, b"!")

    def hang_up(self, *, quietly: bool) -> None:
        self._quietly_gone = quietly
        if not quietly and not self._gone:
            self._gone = True
            os.close(self._in)
            if not self.is_released:
                self._drain()

    def read(self, most: int) -> list[LineEvent]:
        with self._chip.lock:
            self._check()
            if not self._queue:
                raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
            self._drain()
            found = [self._queue.popleft() for _ in range(min(most, len(self._queue)))]
            self.wake()
        self._happen()
        return found

    def _happen(self) -> None:
        happens, self.on_read = self.on_read, None
        if happens:
            happens()

    def get_values(self, lines: list[int]) -> list[Value]:
        with self._chip.lock:
            self._check(lines)
            found = [Value.ACTIVE if self._chip.wires[line].level else Value.INACTIVE for line in lines]
        self._happen()
        return found

    def get_value(self, line: int) -> Value:
        return self.get_values([line])[0]

    def set_value(self, line: int, value: Value) -> None:
        with self._chip.lock:
            self._check([line])
            self._chip.wires[line].output = bool(value)

    def reconfigure_lines(self, config: Mapping[int, gpiod.LineSettings]) -> None:
        with self._chip.lock:
            self._check(config)
            for line, settings in config.items():
                self._chip.set(line, settings)

    def release(self) -> None:
        with self._chip.lock:
            if not self.is_released:
                self.is_released = True
                os.close(self._out)

    def _check(self, lines: Any = ()) -> None:
        if self.is_released:
            raise gpiod.RequestReleasedError
        if self._gone or self._quietly_gone:
            self.hang_up(quietly=False)  # whoever polls from now on is told
            raise OSError(errno.ENODEV, "No such device")
        if not set(lines) <= set(self.offsets):
            raise OSError(errno.EINVAL, "Invalid argument")

    def _drain(self) -> None:
        with suppress(BlockingIOError):
            while os.read(self._out, 4096):
                pass


class Heard:
    """A callback that remembers, and can be waited for."""

    def __init__(self) -> None:
        self.all: list[Any] = []
        self._change = threading.Condition()

    def __call__(self, *told: Any) -> None:
        with self._change:
            self.all.append(told[0] if len(told) == 1 else told)
            self._change.notify_all()

    def hear(self, told: Any) -> None:
        """The same for those who do not take any callable."""
        self(told)

    def wait(self, count: int) -> list[Any]:
        """What was heard, once it is so much; neither more nor less is expected."""
        with self._change:
            assert self._change.wait_for(lambda: len(self.all) >= count, DEADLINE), f"heard only {self.all}"
            found, self.all = self.all, []
        assert len(found) == count, found
        return found


def until(is_so: Callable[[], bool]) -> None:
    """Wait for something that tells nobody when it has happened."""
    deadline = time.monotonic() + DEADLINE
    while not is_so():
        assert time.monotonic() < deadline, "it does not happen"
        threading.Event().wait(0.001)
