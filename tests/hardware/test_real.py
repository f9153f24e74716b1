"""A panel on pins, on a stand-in for the kernel: what its driver raises costs nobody the match."""

import errno
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.buttons import Buttons
from companion.clocks import SECOND
from hardware.panel import Key, Light
from hardware.real import RealPanel
from hardware.wiring import Seat, Wiring
from tests.hardware.fake_gpiod import FakeChip, FakeRequest, Kernel

WIRING = Wiring(seats=(Seat(17, 18), Seat(27, 23)), status=24, buzzer=25)
STRIKE = Key("strike", 0)


@pytest.fixture
def chip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeChip:
    return Kernel.booted(tmp_path, monkeypatch).plug()


@pytest.fixture
def buttons(chip: FakeChip) -> Iterator[Buttons]:  # noqa: ARG001
    said: list[str] = []
    with closing(Buttons(lambda: WIRING, RealPanel, said.append, lambda work: work())) as buttons:
        for second in range(20):
            buttons.attend(second * SECOND)
        assert state(buttons) == "working"
        yield buttons


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
