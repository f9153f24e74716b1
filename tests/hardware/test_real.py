"""A panel on pins, on a stand-in for the kernel: what its driver raises costs nobody the match."""

import errno
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.clocks import SECOND
from companion.devices.buttons import UNREAD, UNREAD_FOR, Buttons
from hardware import lines
from hardware.panel import Key, Light
from hardware.real import RealPanel
from hardware.wiring import Seat, Wiring
from tests.hardware.fake_gpiod import DEADLINE, FakeChip, FakeRequest, Kernel

WIRING = Wiring(seats=(Seat(17, 18), Seat(27, 23)), status=24, buzzer=25)
STRIKE = Key("strike", 0)


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    return Kernel.booted(tmp_path, monkeypatch)


@pytest.fixture
def chip(kernel: Kernel) -> FakeChip:
    return kernel.plug()


@pytest.fixture
def buttons(chip: FakeChip) -> Iterator[Buttons]:  # noqa: ARG001
    said: list[str] = []
    with closing(Buttons(lambda: WIRING, RealPanel, said.append, lambda work: work())) as buttons:
        for second in range(20):
            buttons.attend(second * SECOND)
        assert state(buttons) == "working"
        yield buttons


def test_edges_that_nobody_fetches_are_noticed(buttons: Buttons, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 20 * SECOND
    buttons.inbox.take()
    assert buttons.hangs(now) == ""
    with monkeypatch.context() as patched:
        patched.setattr(lines, "PUMPED_WITHIN", 0)
        assert buttons.hangs(now) == ""
        assert buttons.hangs(now + UNREAD_FOR) == ""
        assert buttons.hangs(now + UNREAD_FOR + 1) == UNREAD
    buttons.inbox.take()
    assert buttons.hangs(now + 2 * UNREAD_FOR) == ""


def test_a_chip_that_goes_while_nobody_plays_is_gone_for_whoever_reads(kernel: Kernel, buttons: Buttons) -> None:
    kernel.unplug(next(iter(kernel.chips.values())))
    buttons.inbox.take()
    assert buttons.part.reason == "The pins of the buttons are gone."
    assert buttons.inbox.nap is not None
    kernel.plug()
    deadline = time.monotonic() + DEADLINE
    while state(buttons) == "gone" and time.monotonic() < deadline:
        time.sleep(buttons.inbox.nap or 0.01)
        buttons.inbox.take()
    assert state(buttons) == "working"


def state(buttons: Buttons) -> str:
    return buttons.part.state


def out_of_memory(*_: object) -> None:
    raise OSError(errno.ENOMEM, "Cannot allocate memory")


@pytest.mark.parametrize("asked", ["set_value", "get_values"])
def test_an_error_that_nobody_knows_is_one_of_the_buttons(
    asked: str, chip: FakeChip, buttons: Buttons, monkeypatch: pytest.MonkeyPatch
) -> None:
    buttons.show(STRIKE, Light.WON)
    assert chip.level(18)
    with monkeypatch.context() as patched:
        patched.setattr(FakeRequest, asked, out_of_memory)
        buttons.status(Light.WON)
        buttons.levels()
        buttons.buzz(0.1)
        buttons.show(STRIKE, Light.OFF)
        assert state(buttons) == "gone"
        assert "Cannot allocate memory" in buttons.part.detail
    buttons.show(STRIKE, Light.WON)
    for second in range(20, 24):
        buttons.attend(second * SECOND)
    assert state(buttons) == "working", "all pins had been given back"
    assert buttons.levels()[STRIKE] is False
    assert chip.level(18), "and it is lit as it should be"
