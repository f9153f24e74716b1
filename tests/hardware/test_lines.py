"""The reader of input lines, on a stand-in for the kernel: no edge is lost or invented, and trouble is told."""

import errno
import gc
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from hardware import chips, edge_reader, line_request, lines, wakeup
from hardware.edge_reader import Edge
from hardware.line_request import LineEvent
from hardware.lines import InputLines
from hardware.pin_errors import ChipGoneError, LineTakenError, NoChipError, NoLineError, NoPermissionError, PinsError
from tests.hardware.fake_gpiod import DEADLINE, FakeChip, Heard, Kernel, until

PI_5 = {
    "gpiochip0": "pinctrl-rp1",
    "gpiochip10": "gpio-brcmstb@107d508500",
    "gpiochip11": "gpio-brcmstb@107d508520",
    "gpiochip12": "gpio-brcmstb@107d517c00",
    "gpiochip13": "gpio-brcmstb@107d517c20",
}
OLD_PI_5 = {"gpiochip0": "gpio-brcmstb@107d508500", "gpiochip1": "gpio-brcmstb@107d508520", "gpiochip4": "pinctrl-rp1"}
PI_4 = {"gpiochip0": "pinctrl-bcm2711", "gpiochip1": "raspberrypi-exp-gpio"}
PI_3 = {"gpiochip0": "pinctrl-bcm2835", "gpiochip1": "raspberrypi-exp-gpio"}
PI_1 = {"gpiochip0": "pinctrl-bcm2835"}


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    return Kernel.booted(tmp_path, monkeypatch)


@pytest.fixture
def chip(kernel: Kernel) -> FakeChip:
    return kernel.plug()


@pytest.fixture
def notices() -> Heard:
    return Heard()


@pytest.fixture
def inputs(chip: FakeChip, notices: Heard) -> Iterator[InputLines]:  # noqa: ARG001
    inputs = InputLines(on_notice=notices)
    yield inputs
    inputs.close()


@pytest.fixture
def raised(monkeypatch: pytest.MonkeyPatch) -> Heard:
    """What callbacks raised, as the interpreter was told of it."""
    heard = Heard()
    monkeypatch.setattr(threading, "excepthook", heard)
    return heard


def listen(inputs: InputLines, line: int, pull: str = "up", heard: Heard | None = None) -> Heard:
    heard = heard or Heard()
    inputs.claim(line, pull)
    inputs.notify(line, heard)
    return heard


def fell(line: int, at: int, *, sure: bool = True) -> Edge:
    return Edge(line, is_high=False, at=at, sure=sure)


def rose(line: int, at: int, *, sure: bool = True) -> Edge:
    return Edge(line, is_high=True, at=at, sure=sure)


def quiet(inputs: InputLines, heard: Heard) -> None:
    """Nothing more comes: what is told behind everything else is told next."""
    inputs.claim(50, "up")
    last = Heard()
    inputs.notify(50, last)
    with inputs._work():
        inputs._delivery.edges.append(fell(50, time.monotonic_ns()))
        inputs._wakeup.rouse()
    last.wait(1)
    inputs.release(50)
    assert heard.all == []


# --- edges -----------------------------------------------------------------------------------------------------


def test_an_edge_is_told_with_the_kernels_stamp(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    pressed = chip.press(5)
    assert heard.wait(1) == [fell(5, pressed)]
    let_go = chip.let_go(5)
    assert heard.wait(1) == [rose(5, let_go)]


def test_a_line_held_when_it_is_claimed_tells_nothing_until_it_changes(chip: FakeChip, inputs: InputLines) -> None:
    chip.press(5)
    heard = listen(inputs, 5)
    assert not inputs.is_high(5)
    assert heard.all == []
    at = chip.let_go(5)
    assert heard.wait(1) == [rose(5, at)]


def test_the_queue_order_is_kept_over_lines(chip: FakeChip, inputs: InputLines) -> None:
    heard = Heard()
    for line in (5, 6, 7):
        listen(inputs, line, heard=heard)
    with chip.at_once():
        stamps = [chip.press(line) for line in (6, 5, 7)] + [chip.let_go(5)]
    assert [(edge.line, edge.at, edge.sure) for edge in heard.wait(4)] == [
        (line, at, True) for line, at in zip((6, 5, 7, 5), stamps, strict=True)
    ]


def test_nothing_is_debounced(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    with chip.at_once():
        for number in range(101):
            chip.contact(5, None if number % 2 else False)
    edges = heard.wait(101)
    assert [edge.is_high for edge in edges] == [bool(number % 2) for number in range(101)]
    assert all(edge.sure for edge in edges)


def test_a_level_read_late_is_put_right_by_the_count(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    with chip.at_once():
        chip.press(5, reported=True)
        chip.let_go(5)
        chip.press(5, reported=True)
    edges = heard.wait(3)
    assert [edge.is_high for edge in edges] == [False, True, False]
    assert all(edge.sure for edge in edges)


def test_a_single_level_read_wrongly_is_put_right_too(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    pressed = chip.press(5, reported=True)
    assert heard.wait(1) == [fell(5, pressed)]


def test_a_press_whose_edge_was_lost_shows_when_it_is_let_go(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    chip.press(5, lost=True)
    at = chip.let_go(5)
    assert heard.wait(2) == [fell(5, at, sure=False), rose(5, at, sure=False)]
    at = chip.press(5)
    assert heard.wait(1) == [fell(5, at)]


def test_a_release_whose_edge_was_lost_does_not_swallow_the_next_press(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    chip.press(5)
    heard.wait(1)
    chip.let_go(5, lost=True)
    at = chip.press(5)
    assert heard.wait(2) == [rose(5, at, sure=False), fell(5, at, sure=False)]


def test_a_lost_last_edge_of_a_batch_is_noticed_by_the_level(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    with chip.at_once():
        pressed = chip.press(5)
        chip.let_go(5, lost=True)
    edges = heard.wait(2)
    assert edges[0] == fell(5, pressed)
    assert edges[1].is_high
    assert not edges[1].sure


def test_lost_in_the_middle_the_edges_before_are_sure(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    with chip.at_once():
        first, second = chip.press(5), chip.let_go(5)
        chip.press(5, lost=True)
        last = chip.let_go(5)
    assert heard.wait(4) == [fell(5, first), rose(5, second), fell(5, last, sure=False), rose(5, last, sure=False)]


def test_an_edge_on_its_way_is_not_taken_for_a_lost_one(
    chip: FakeChip, inputs: InputLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The level shows a change a moment before the queue has its edge."""
    for module in (edge_reader, lines):
        monkeypatch.setattr(module, "ON_ITS_WAY", 2)  # seconds: long enough for a slow machine
    heard = listen(inputs, 5)
    request = chip.requests[-1]
    read, bounced = request.read, list[int]()

    def and_bounce(most: int) -> list[Any]:
        """Behind reading the queue, so that the level read next is of an edge still unread."""
        found = read(most)
        if not bounced:
            bounced.append(chip.let_go(5, lost=True))
        return found

    monkeypatch.setattr(request, "read", and_bounce)
    pressed = chip.press(5)
    assert heard.wait(1) == [fell(5, pressed)]
    request.put(5, bounced[0], level=True)
    request.wake()
    assert heard.wait(1) == [rose(5, bounced[0])]
    quiet(inputs, heard)


def test_an_edge_on_its_way_is_not_taken_for_a_lost_one_when_something_else_is_odd(
    chip: FakeChip, inputs: InputLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (edge_reader, lines):
        monkeypatch.setattr(module, "ON_ITS_WAY", 2)  # seconds: long enough for a slow machine
    heard, odd = listen(inputs, 5), listen(inputs, 6)
    bounced: list[int] = []
    request = chip.requests[-1]
    request.on_read = lambda: bounced.append(chip.let_go(5, lost=True))
    with chip.at_once():
        pressed = chip.press(5)
        chip.press(6, reported=True)
    assert heard.wait(1) == [fell(5, pressed)]
    odd.wait(1)
    chip.let_go(6, reported=False)  # the levels are looked at once more
    odd.wait(1)
    request.put(5, bounced[0], level=True)
    request.wake()
    assert heard.wait(1) == [rose(5, bounced[0])]


def test_an_edge_between_the_queue_and_the_levels_is_read_too(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    let_go: list[int] = []
    chip.requests[-1].on_read = lambda: let_go.append(chip.let_go(5))
    pressed = chip.press(5, reported=True)
    assert heard.wait(2) == [fell(5, pressed), rose(5, let_go[0])]


def test_while_edges_keep_coming_they_are_handed_out(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    left = iter(range(20))

    def next_one() -> None:
        number = next(left, None)
        if number is not None:
            chip.requests[-1].on_read = next_one
            chip.contact(5, None if number % 2 == 0 else False)

    chip.requests[-1].on_read = next_one
    chip.press(5)
    edges = heard.wait(21)
    assert [edge.is_high for edge in edges] == [bool(number % 2) for number in range(21)]
    assert all(edge.sure for edge in edges)
    quiet(inputs, heard)


def test_an_overflow_is_noticed_and_the_levels_are_read_again(
    chip: FakeChip, inputs: InputLines, notices: Heard
) -> None:
    heard, other = listen(inputs, 5), listen(inputs, 6)
    with chip.at_once():
        chip.press(6)
        for number in range(line_request.QUEUE + 2):
            chip.contact(5, None if number % 2 else False)
    [sentence] = notices.wait(1)
    assert sentence.startswith("3 edges of gpiochip0 got lost on their way.")
    assert inputs._reader.lost == 3
    [edge] = other.wait(1)
    assert (edge.is_high, edge.sure) == (False, False)
    until(lambda: len(heard.all) >= line_request.QUEUE)
    assert not heard.all[0].sure  # it came behind the gap
    assert all(edge.sure for edge in heard.all[1:])
    assert heard.all[-1].is_high


def test_after_an_overflow_edges_are_sure_again(chip: FakeChip, inputs: InputLines, notices: Heard) -> None:
    heard = listen(inputs, 5)
    with chip.at_once():
        for number in range(line_request.QUEUE + 2):
            chip.contact(5, None if number % 2 else False)
    notices.wait(1)
    until(lambda: len(heard.all) >= line_request.QUEUE)
    heard.all.clear()
    at = chip.press(5)
    assert heard.wait(1) == [fell(5, at)]


# --- adding and taking away ------------------------------------------------------------------------------------


def test_one_request_holds_all_lines(chip: FakeChip, inputs: InputLines) -> None:
    for line in (5, 6, 7):
        inputs.claim(line, "up")
    assert [request.offsets for request in chip.requests if not request.is_released] == [[5, 6, 7]]


@pytest.mark.parametrize(
    "change",
    [lambda inputs: inputs.claim(9, "up"), lambda inputs: inputs.release(6), lambda inputs: inputs.claim(6, "down")],
    ids=["added", "removed", "repulled"],
)
def test_an_edge_that_is_waiting_is_not_lost(
    chip: FakeChip, inputs: InputLines, change: Callable[[InputLines], None]
) -> None:
    heard = listen(inputs, 5)
    inputs.claim(6, "up")
    with inputs._lock:  # the thread cannot read now
        pressed = chip.press(5)
        change(inputs)
    assert heard.wait(1) == [fell(5, pressed)]


@pytest.mark.parametrize(
    "change",
    [lambda inputs: inputs.claim(9, "up"), lambda inputs: inputs.release(6), lambda inputs: inputs.claim(6, "down")],
    ids=["added", "removed", "repulled"],
)
def test_the_other_lines_are_heard_afterwards(
    chip: FakeChip, inputs: InputLines, change: Callable[[InputLines], None]
) -> None:
    heard = listen(inputs, 5)
    inputs.claim(6, "up")
    change(inputs)
    at = chip.press(5)
    assert heard.wait(1) == [fell(5, at)]


def test_a_change_while_nobody_holds_the_lines_is_told_as_unsure(
    chip: FakeChip, inputs: InputLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = listen(inputs, 5)
    opened = InputLines._open

    def slowly(self: InputLines) -> None:
        chip.press(5)
        opened(self)

    monkeypatch.setattr(InputLines, "_open", slowly)
    inputs.claim(6, "up")
    [edge] = heard.wait(1)
    assert (edge.line, edge.is_high, edge.sure) == (5, False, False)


def test_a_new_line_tells_no_change(chip: FakeChip, inputs: InputLines) -> None:
    chip.press(5)
    heard = listen(inputs, 5)
    quiet(inputs, heard)


def test_what_a_bias_does_to_a_level_is_no_news(chip: FakeChip, inputs: InputLines) -> None:
    inputs.claim(5)
    heard = listen(inputs, 5, "up")
    assert inputs.is_high(5)
    quiet(inputs, heard)
    at = chip.press(5)
    assert heard.wait(1) == [fell(5, at)]


def test_not_even_to_somebody_who_listened_before(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5, "floating")
    inputs.claim(5, "up")
    quiet(inputs, heard)
    at = chip.press(5)
    assert heard.wait(1) == [fell(5, at)]


def test_a_new_request_counts_anew(chip: FakeChip, inputs: InputLines, notices: Heard) -> None:
    heard = listen(inputs, 5)
    for number in range(5):
        chip.contact(5, None if number % 2 else False)
    heard.wait(5)
    inputs.claim(6, "up")
    at = chip.let_go(5)
    assert heard.wait(1) == [rose(5, at)]
    with chip.at_once():
        for number in range(line_request.QUEUE + 2):
            chip.contact(5, None if number % 2 else False)
    notices.wait(1)
    assert inputs._reader.lost == 2


def test_edges_from_before_somebody_listened_are_not_told(chip: FakeChip, inputs: InputLines) -> None:
    inputs.claim(5, "up")
    with inputs._lock:
        chip.press(5)
        heard = listen(inputs, 5)
    quiet(inputs, heard)
    at = chip.let_go(5)
    assert heard.wait(1) == [rose(5, at)]


def test_claiming_again_with_the_same_bias_asks_nothing(chip: FakeChip, inputs: InputLines) -> None:
    inputs.claim(5, "up")
    asked = chip.requested
    inputs.claim(5, "up")
    assert chip.requested == asked


def test_a_line_can_be_claimed_while_edges_are_missing(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    with chip.at_once():
        chip.requests[-1]._seqno += 3  # three edges that the kernel stamped and nobody can read
        chip.press(5)
        inputs.claim(6, "up")
    assert inputs.levels() == {5: False, 6: True}
    [edge] = heard.wait(1)
    assert not edge.sure


def test_a_claim_that_fails_leaves_everything_as_it_was(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    with inputs._lock:
        before = chip.press(5)
        with pytest.raises(NoLineError):
            inputs.claim(58)
    assert heard.wait(1) == [fell(5, before)]
    assert not inputs.claimed(58)
    at = chip.let_go(5)
    assert heard.wait(1) == [rose(5, at)]


def test_a_bias_that_fails_leaves_the_line_as_it_was(
    chip: FakeChip, inputs: InputLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = listen(inputs, 5)

    def refuse(_config: Any) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(chip.requests[-1], "reconfigure_lines", refuse)
    with pytest.raises(NoLineError):
        inputs.claim(5, "down")
    assert inputs.pull_of(5) == "up"
    at = chip.press(5)
    assert heard.wait(1) == [fell(5, at)]


def test_the_thread_can_sleep_while_lines_change_hands(chip: FakeChip, inputs: InputLines) -> None:
    """A thread asleep in poll keeps a request alive after it was released, and its lines busy with it."""
    heard = listen(inputs, 5)
    for line in range(10, 20):
        inputs.claim(line, "up")
    for line in range(10, 20):
        inputs.release(line)
    at = chip.press(5)
    assert heard.wait(1) == [fell(5, at)]


def test_a_device_collected_in_the_middle_of_the_work_is_released_behind_it(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    inputs.claim(6, "up")

    class Forgotten:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            inputs.release(6)

    def collect() -> None:
        Forgotten()
        gc.collect()

    chip.requests[-1].on_read = collect
    at = chip.press(5)
    assert heard.wait(1) == [fell(5, at)]
    until(lambda: not inputs.claimed(6) and chip.holder(6) is None)
    at = chip.let_go(5)
    assert heard.wait(1) == [rose(5, at)]


# --- callbacks, closing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(3), KeyboardInterrupt()])
def test_a_callback_that_raises_costs_nobody_an_edge(
    chip: FakeChip, inputs: InputLines, raised: Heard, error: BaseException
) -> None:
    def refuse(_edge: Edge) -> None:
        raise error

    heard = listen(inputs, 6)
    inputs.claim(5, "up")
    inputs.notify(5, refuse)
    with chip.at_once():
        chip.press(5)
        at = chip.press(6)
    assert heard.wait(1) == [fell(6, at)]
    [told] = raised.wait(1)
    assert told.exc_value is error


def test_a_notice_that_raises_ends_nothing_either(kernel: Kernel, chip: FakeChip, raised: Heard) -> None:
    def refuse(_sentence: str) -> None:
        raise ValueError

    inputs = InputLines(on_notice=refuse)
    heard = listen(inputs, 5)
    kernel.unplug(chip)
    raised.wait(1)
    chip = kernel.plug()
    raised.wait(1)
    at = chip.press(5)
    assert heard.wait(1)[0].at == at
    inputs.close()


def test_closing_gives_the_lines_back_and_tells_nothing_more(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    thread = inputs._thread
    assert thread
    inputs.close()
    inputs.close()
    assert not thread.is_alive()
    assert chip.holder(5) is None
    chip.press(5)
    assert heard.all == []
    with pytest.raises(PinsError, match="gpiochip0 are closed"):
        inputs.claim(6)
    inputs.release(5)


def test_closing_from_a_callback(chip: FakeChip, inputs: InputLines) -> None:
    other = listen(inputs, 6)
    inputs.claim(5, "up")
    inputs.notify(5, lambda _edge: inputs.close())
    thread = inputs._thread
    assert thread
    with chip.at_once():
        chip.press(5)
        chip.press(6)
    thread.join(DEADLINE)
    assert not thread.is_alive()
    assert other.all == []


def test_closing_without_ever_having_claimed(kernel: Kernel) -> None:
    kernel.plug()
    InputLines().close()


def test_a_callback_may_ask_and_claim(chip: FakeChip, inputs: InputLines) -> None:
    heard = Heard()

    def ask(edge: Edge) -> None:
        inputs.claim(7, "up")
        heard((edge.is_high, inputs.levels()))

    inputs.claim(5, "up")
    inputs.notify(5, ask)
    chip.press(5)
    assert heard.wait(1) == [(False, {5: False, 7: True})]


def test_no_file_number_is_left_behind(kernel: Kernel) -> None:
    chip = kernel.plug()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        inputs = InputLines()
        for line in (5, 6, 7):
            inputs.claim(line)
        inputs.close()
        assert chip.holder(5) is None
    assert len(list(Path("/proc/self/fd").iterdir())) == before


# --- the kernel's own writing ---


def test_events_are_read_as_the_kernel_writes_them() -> None:
    """`struct gpio_v2_line_event`: 48 bytes, the last 24 of them padding."""
    source, sink = os.pipe()
    os.write(sink, b"".join(
        stamp.to_bytes(8, sys.byteorder)
        + b"".join(word.to_bytes(4, sys.byteorder) for word in (kind, line, number, own))
        + bytes(24)
        for stamp, kind, line, number, own in ((123_456_789_012_345, 1, 17, 5, 2), (1, 2, 27, 6, 1))
    ))  # fmt: skip
    assert line_request.events_of(source) == [(123_456_789_012_345, line_request.RISING, 17, 5, 2), (1, 2, 27, 6, 1)]
    os.close(source)
    os.close(sink)


def test_levels_are_asked_for_as_the_kernel_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """`struct gpio_v2_line_values`: a bit for each line, by its place in the request."""
    asked: list[tuple[int, int, bytes]] = []

    def kernel(number: int, code: int, values: bytes) -> bytes:
        asked.append((number, code, values))
        return (0b100).to_bytes(8, sys.byteorder) + values[8:]

    monkeypatch.setattr("fcntl.ioctl", kernel)
    assert line_request.levels_of(7, {17: 0, 5: 2}) == {17: False, 5: True}
    assert asked == [(7, 0xC010B40E, bytes(8) + (0b101).to_bytes(8, sys.byteorder))]


def test_an_edge_that_comes_after_its_level_was_told_is_no_further_one(chip: FakeChip, inputs: InputLines) -> None:
    """The kernel stamps and counts it at once, and its own thread hands it on later: until then it seems to be lost."""
    heard = listen(inputs, 5)
    listen(inputs, 6)
    request = chip.requests[-1]
    with chip.at_once():
        at = chip.press(5, lost=True)
        request._seqno += 1
        number = request._seqno
        chip.press(6)
    (found,) = heard.wait(1)
    assert (found.is_high, found.sure) == (False, False)
    with chip.at_once():
        request._queue.append(LineEvent(at, 2, 5, number, 1))
    assert heard.wait(1) == [fell(5, at, sure=False)], "neither a release before it nor a second press"
    at = chip.let_go(5)
    assert [edge.is_high for edge in heard.wait(1)] == [True]


# --- what it costs ---------------------------------------------------------------------------------------------


@pytest.fixture
def pumped(chip: FakeChip, notices: Heard) -> Iterator[InputLines]:  # noqa: ARG001
    inputs = InputLines(on_notice=notices, threaded=False)
    yield inputs
    inputs.close()


def calls_of(work: Callable[[], object]) -> int:
    """How many functions of Python are entered: a measure that no clock and no other work disturbs."""
    count = 0

    def enter(_frame: FrameType, event: str, _of: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(enter)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_a_pump_that_finds_nothing_costs_nearly_nothing(chip: FakeChip, pumped: InputLines) -> None:
    """The table pumps whenever it wakes, for whatever reason."""
    heard = listen(pumped, 5)
    chip.press(5)
    pumped.pump()
    heard.wait(1)
    pumped.pump()
    pumped._wakeup.due = wakeup.NEVER  # however slow this computer is
    assert calls_of(pumped.pump) <= 12  # five of them in the stand-in


def test_what_falls_due_is_done_by_a_pump_that_finds_nothing(chip: FakeChip, pumped: InputLines) -> None:
    heard = listen(pumped, 5)
    chip.press(5)
    pumped.pump()
    heard.wait(1)
    chip.let_go(5, lost=True)
    deadline = time.monotonic() + DEADLINE
    while not heard.all and time.monotonic() < deadline:
        time.sleep(pumped.nap or 0.001)
        pumped.pump()
    assert [(edge.is_high, edge.sure) for edge in heard.wait(1)] == [(True, False)]


# --- sleeping --------------------------------------------------------------------------------------------------


def test_an_idle_thread_sleeps(chip: FakeChip, inputs: InputLines) -> None:
    """Not once does it wake in half a second, once it is at rest. The kernel counts how often it left the processor."""
    heard = listen(inputs, 5)
    chip.press(5)
    heard.wait(1)
    assert inputs._thread
    status = Path(f"/proc/self/task/{inputs._thread.native_id}/status")

    def wakes() -> int:
        return sum(int(line.split()[1]) for line in status.read_text().splitlines() if "ctxt_switches" in line)

    until(lambda: not inputs._reader.unchecked)
    woken = []
    for _ in range(5):  # what it still had to do on a busy machine may fall into the first
        before = wakes()
        threading.Event().wait(0.5)
        woken.append(wakes() - before)
        if not woken[-1]:
            break
    assert woken[-1] == 0, woken
    chip.let_go(5)
    heard.wait(1)
    assert wakes() > before


def test_a_doubt_wakes_it_for_a_moment_only(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    with chip.at_once():
        chip.press(5)
        chip.let_go(5, lost=True)
    heard.wait(2)
    until(lambda: inputs.nap in (None, lines.LOOK_AFTER_CHIP))


# --- a chip that goes and comes --------------------------------------------------------------------------------


@pytest.fixture
def at_once_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "COME_BACK", 0.01)


@pytest.mark.usefixtures("at_once_back")
def test_a_chip_that_goes_is_told_and_comes_back(
    kernel: Kernel, chip: FakeChip, inputs: InputLines, notices: Heard
) -> None:
    heard, other = listen(inputs, 5), listen(inputs, 6)
    kernel.unplug(chip)
    assert notices.wait(1) == ["gpiochip0 is gone. Buttons do nothing until it is back; go on by touch."]
    assert inputs.is_gone
    with pytest.raises(ChipGoneError):
        inputs.levels()
    again = kernel.plug("gpiochip3")
    again.press(6)
    assert notices.wait(1) == ["gpiochip3 is back: the buttons work again."]
    assert not inputs.is_gone
    assert inputs.levels() == {5: True, 6: False}
    [edge] = other.wait(1)
    assert (edge.is_high, edge.sure) == (False, False)
    at = again.press(5)
    assert heard.wait(1) == [fell(5, at)]


@pytest.mark.usefixtures("at_once_back")
def test_a_chip_that_goes_without_a_word_is_noticed_by_whoever_looks(
    kernel: Kernel, chip: FakeChip, inputs: InputLines, notices: Heard
) -> None:
    listen(inputs, 5)
    kernel.unplug(chip, quietly=True)
    with pytest.raises(ChipGoneError, match=r"^Gpiochip0 is gone\.$"):
        inputs.levels()
    assert notices.wait(1)[0].startswith("gpiochip0 is gone.")


def test_a_chip_that_is_gone_keeps_nobody_busy(
    kernel: Kernel, chip: FakeChip, inputs: InputLines, notices: Heard
) -> None:
    listen(inputs, 5)
    kernel.unplug(chip)
    notices.wait(1)
    opened = kernel.opened
    kernel.plug("gpiochip7", "no-header")  # each look opens it
    threading.Event().wait(0.3)
    assert kernel.opened - opened <= 1


@pytest.mark.usefixtures("at_once_back")
def test_edges_read_before_the_chip_went_are_told(
    kernel: Kernel, chip: FakeChip, inputs: InputLines, notices: Heard
) -> None:
    heard = listen(inputs, 5)
    request = chip.requests[-1]
    read = request.read

    def and_go(most: int) -> list[Any]:
        found = read(most)
        kernel.unplug(chip)
        return found

    request.read = and_go  # type: ignore[method-assign]
    at = chip.press(5)
    assert heard.wait(1) == [fell(5, at)]
    notices.wait(1)


@pytest.mark.usefixtures("at_once_back")
def test_lines_can_be_given_back_while_the_chip_is_gone(
    kernel: Kernel, chip: FakeChip, inputs: InputLines, notices: Heard
) -> None:
    heard = listen(inputs, 5)
    inputs.claim(6, "up")
    kernel.unplug(chip)
    inputs.release(6)
    with pytest.raises((ChipGoneError, NoChipError)):
        inputs.claim(7)
    assert notices.wait(1)[0].startswith("gpiochip0 is gone.")
    again = kernel.plug()
    notices.wait(1)
    assert again.holder(6) is again.holder(7) is None
    at = again.press(5)
    assert heard.wait(1) == [fell(5, at)]


@pytest.mark.usefixtures("at_once_back")
def test_permission_that_comes_later_is_waited_for(
    kernel: Kernel, chip: FakeChip, inputs: InputLines, notices: Heard
) -> None:
    """udev gives the group its right a moment after the file is there."""
    heard = listen(inputs, 5)
    kernel.unplug(chip)
    notices.wait(1)
    again = kernel.plug()
    again.permitted = False
    opened = kernel.opened
    until(lambda: kernel.opened > opened)
    again.permitted = True
    notices.wait(1)
    at = again.press(5)
    assert heard.wait(1) == [fell(5, at)]


# --- what can be wrong -----------------------------------------------------------------------------------------


def test_a_line_that_does_not_exist(inputs: InputLines) -> None:
    with pytest.raises(NoLineError, match=r"^There is no line 58 of gpiochip0 that can be used so\.$"):
        inputs.claim(58)


def test_a_line_that_somebody_else_holds(kernel: Kernel, chip: FakeChip, inputs: InputLines) -> None:
    other = InputLines()
    other.claim(6)
    heard = listen(inputs, 5)
    with pytest.raises(LineTakenError, match=r"^Line 6 of gpiochip0 is held by another program or by the kernel"):
        inputs.claim(6)
    other.close()
    inputs.claim(6)
    at = chip.press(5)
    assert heard.wait(1) == [fell(5, at)]
    assert kernel.opened


def test_a_chip_that_may_not_be_opened(kernel: Kernel, chip: FakeChip) -> None:
    chip.permitted = False
    with pytest.raises(NoPermissionError, match=r"^This user may not open /dev/gpiochip0: add the user to the group"):
        InputLines()
    with pytest.raises(NoPermissionError):
        InputLines("pinctrl-bcm2711")
    assert kernel.opened == 2


def test_permission_taken_away_while_running(chip: FakeChip, inputs: InputLines, notices: Heard) -> None:
    heard = listen(inputs, 5)
    chip.permitted = False
    with pytest.raises(NoPermissionError):
        inputs.claim(6)
    assert notices.wait(1)[0].startswith("This user may not use")
    assert heard.all == []


@pytest.mark.usefixtures("at_once_back")
def test_whatever_the_kernel_says_the_thread_goes_on(
    chip: FakeChip, inputs: InputLines, notices: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = listen(inputs, 5)

    def refuse(_lines: list[int]) -> list[Any]:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(chip.requests[-1], "get_values", refuse)
    chip.press(5, reported=True)
    assert [sentence.split(":")[0] for sentence in notices.wait(2)] == [
        "This user may not use gpiochip0",
        "gpiochip0 is back",
    ]
    until(lambda: bool(heard.all))
    heard.all.clear()
    at = chip.let_go(5)
    assert heard.wait(1) == [rose(5, at)]


def test_a_level_of_a_line_that_nobody_claimed(inputs: InputLines) -> None:
    with pytest.raises(NoLineError):
        inputs.is_high(9)
    assert inputs.levels() == {}


# --- the right chip --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("there", "name"),
    [(PI_1, "gpiochip0"), (PI_3, "gpiochip0"), (PI_4, "gpiochip0"), (PI_5, "gpiochip0"), (OLD_PI_5, "gpiochip4")],
    ids=["1", "3", "4", "5", "5-old-kernel"],
)
def test_the_chip_of_the_header_is_known_by_its_label(kernel: Kernel, there: dict[str, str], name: str) -> None:
    for other, label in there.items():
        kernel.plug(other, label)
    assert chips.find() == kernel.folder / name


@pytest.mark.parametrize("wanted", ["gpiochip11", "gpio-brcmstb@107d508520", "{folder}/gpiochip11"])
def test_a_chip_can_be_named(kernel: Kernel, wanted: str) -> None:
    for other, label in PI_5.items():
        kernel.plug(other, label)
    assert chips.find(wanted.format(folder=kernel.folder)) == kernel.folder / "gpiochip11"


def test_a_chip_that_is_not_there(kernel: Kernel) -> None:
    kernel.plug(label="gpio-mockup-A")
    with pytest.raises(NoChipError, match=r"^There is no GPIO chip gpiochip7; there is gpiochip0 \(gpio-mockup-A\)\.$"):
        chips.find("gpiochip7")
    with pytest.raises(NoChipError, match=r"header here; there is gpiochip0 \(gpio-mockup-A\)\. Name one with"):
        chips.find()


def test_no_chip_at_all(kernel: Kernel) -> None:
    assert kernel.chips == {}
    with pytest.raises(NoChipError, match="there is none at all"):
        chips.find()


def test_a_file_that_only_looks_like_a_chip(kernel: Kernel) -> None:
    (kernel.folder / "gpiochip0").touch()
    kernel.plug("gpiochip1")
    assert chips.find() == kernel.folder / "gpiochip1"


# --- a forked child --------------------------------------------------------------------------------------------


def test_a_forked_child_keeps_no_line(chip: FakeChip, inputs: InputLines) -> None:
    heard = listen(inputs, 5)
    ready, go = os.pipe(), os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of any fork beside a thread
        child = os.fork()
    if child == 0:
        os.write(ready[1], b"!")
        os.read(go[0], 1)
        os._exit(0)
    try:
        os.read(ready[0], 1)
        inputs.claim(6, "up")
        at = chip.press(5)
        assert heard.wait(1) == [fell(5, at)]
    finally:
        os.write(go[1], b"!")
        os.waitpid(child, 0)
        for number in (*ready, *go):
            os.close(number)
