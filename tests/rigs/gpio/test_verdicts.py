"""What the host makes of how a guest's modules ended, and what the guest makes of a press that is noticed late."""

from importlib import metadata
from pathlib import Path

import pytest

from companion import __version__
from hardware.panel import Key
from tests.rigs.gpio import __main__ as rig
from tests.rigs.gpio import vm
from tests.rigs.gpio.guest import HELD_UP, held_up
from tests.rigs.gpio.inside_presses import LATE, Finger, Noticed, Truth, invented
from tests.rigs.gpio.vm import Outcome
from tests.rigs.running import DISTURBED, FAILED, GOOD


@pytest.mark.parametrize(
    ("exits", "why_not", "code"),
    [
        ({"one": 0, "two": 0}, "", GOOD),
        ({"one": 0, "two": HELD_UP}, "", DISTURBED),
        ({"one": 1, "two": HELD_UP}, "", FAILED),
        ({"one": HELD_UP}, "the time was up", FAILED),
        ({}, "", FAILED),
    ],
)
def test_codes(exits: dict[str, int], why_not: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rig, "PROJECT", tmp_path)
    (tmp_path / "console").touch()
    assert rig.judge(Outcome([], 1.0, tmp_path / "console", why_not, exits)) == code


def test_a_module_that_was_held_up_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("tests.rigs.gpio.guest.say", told.append)
    with pytest.raises(SystemExit) as ended:
        held_up("no edge came.")
    assert ended.value.code == HELD_UP
    assert told == ["held up: no edge came."]


def test_the_guest_finds_the_entry_points_of_the_project(tmp_path: Path) -> None:
    """They are written down as pip would have done it, with nothing installed."""
    for name, text in vm.written_by_pip().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    [found] = metadata.distributions(path=[str(tmp_path)])
    assert (found.metadata["Name"], found.version) == ("table-companion", __version__)
    points = {(point.group, point.name) for point in found.entry_points}
    assert {("console_scripts", "companion"), ("gpiozero_pin_factories", "libgpiod")} <= points


def press() -> Truth:
    key = Key("turn", 0)
    return Truth(Finger(key, 0, ((0, 0), (10, 1))), begins=1000, begun=1010, over=2000, off=0, rest=10**9)


def test_a_late_notice_is_of_its_press_only_as_far_as_the_table_was_held_up() -> None:
    late = Noticed(Key("turn", 0), 2000 + LATE + 500)
    assert invented([press()], [late], lambda *_: 0) == [late]
    assert invented([press()], [late], lambda *_: 499) == [late]
    assert invented([press()], [late], lambda *_: 500) == []
    early = Noticed(Key("turn", 0), 999)
    assert invented([press()], [early], lambda *_: 10**9) == [early]
