"""The doctor's findings: what is missing is one too, and nothing that goes wrong in looking is more than that."""

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion.core.errors import CompanionError
from companion.devices.camera import CameraSight, RoomCamera
from companion.doctor.health import (
    AILING,
    DEVICES,
    LITTLE,
    LOOKING,
    MISSING,
    REMEDIES,
    WORKS,
    Around,
    Finding,
    Rounds,
    in_short,
    looked_at,
    of_buttons,
    of_camera,
    of_journal,
    of_reader,
    of_screen,
    of_sound,
    through,
    usual_checks,
)
from vision import picture_doctor as doctor
from vision.eye_errors import SourceError
from vision.sources import open_source

WIRED = """\
[pins]
driver = "{driver}"

[token]
kind = "ring"

[[seat]]
button = 17

[[seat]]
button = 27
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, where nothing is wired."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def test_every_device_of_a_table_is_looked_at() -> None:
    assert tuple(usual_checks(Around(lambda: (800, 480)))) == DEVICES


@pytest.mark.parametrize(("size", "state"), [((800, 480), WORKS), ((320, 320), WORKS), ((300, 900), AILING)])
def test_a_screen(size: tuple[int, int], state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    found = of_screen(size)
    assert (found.state, bool(found.remedy)) == (state, state == AILING)
    assert str(size[0]) in found.sentence


def test_a_table_without_a_journal() -> None:
    assert of_journal(None).state == MISSING


def test_a_journal_that_is_well(tmp_path: Path) -> None:
    (tmp_path / "journal").write_bytes(bytes(2_500_000))
    found = of_journal(tmp_path / "journal")
    assert found.state == WORKS
    assert found.sentence.startswith("The journal takes 3 MB; ")


def test_a_journal_that_is_gone(tmp_path: Path) -> None:
    found = of_journal(tmp_path / "journal")
    assert (found.state, found.sentence) == (MISSING, "The journal is not there any more.")


class _Usage(NamedTuple):
    free: int


def test_a_disk_that_is_nearly_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "journal").touch()
    monkeypatch.setattr("shutil.disk_usage", lambda _path: _Usage(LITTLE - 1))
    found = of_journal(tmp_path / "journal")
    assert (found.state, found.remedy) == (AILING, "Make room on the disk.")


def test_a_journal_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "journal").touch()
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert of_journal(tmp_path / "journal").sentence == "The journal cannot be written."


def test_what_was_said_of_the_journal_when_it_was_opened(tmp_path: Path) -> None:
    (tmp_path / "journal").touch()
    found = of_journal(tmp_path / "journal", ("It was damaged.",))
    assert (found.state, found.sentence) == (AILING, "It was damaged.")


def test_no_buttons(own: Path) -> None:
    assert not list(own.iterdir())
    assert of_buttons().state == MISSING


def test_simulated_buttons(own: Path) -> None:
    (own / "table.toml").write_text(WIRED.format(driver="simulated"))
    found = of_buttons()
    assert (found.device, found.state) == ("buttons", WORKS)
    assert "simulated" in found.sentence
    assert "2" in found.remedy


def test_buttons_on_a_machine_without_pins(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (own / "table.toml").write_text(WIRED.format(driver="libgpiod"))
    monkeypatch.setattr("hardware.chips.DEVICES", own)
    found = of_buttons()
    assert (found.state, found.sentence) == (MISSING, "The pins of the buttons cannot be used.")
    assert found.detail


@pytest.mark.parametrize("text", ["[pins]\ndriver = 7\n", "[[seat]]\nbutton = 99\n"])
def test_mistakes_in_the_wiring(text: str, own: Path) -> None:
    (own / "table.toml").write_text(text)
    found = of_buttons()
    assert (found.state, found.sentence) == (AILING, "There are mistakes in the wiring file.")
    assert "line" in found.detail


def test_a_wiring_that_is_no_text(own: Path) -> None:
    (own / "table.toml").write_bytes(b"\xff\x00")
    assert of_buttons().sentence == "The wiring file cannot be read."


def test_a_camera_that_is_not_there(tmp_path: Path) -> None:
    found = through(lambda: open_source(str(tmp_path / "none")))
    assert (found.device, found.state, found.sentence) == ("camera", MISSING, "No camera can be opened.")
    assert str(tmp_path) in found.detail


def test_a_camera_that_sees_the_table() -> None:
    found = through(lambda: open_source(str(Path(__file__).parents[2] / "vision" / "selftest" / "daylight.jpg")))
    assert found.state in (WORKS, AILING)
    assert "cells can be read" in found.sentence


def test_remedies_in_short_are_for_what_the_doctor_of_cameras_says() -> None:
    source = Path(doctor.__file__).read_text(encoding="utf-8")
    for sign, remedy in REMEDIES.items():
        assert sign in source, sign
        assert in_short(["Something else.", f"So {sign} here: do."]) == (remedy, "")
    assert in_short(["Something else.", "More."]) == ("", "Something else.")


def no_source() -> Any:
    raise SourceError("It is not there.")


@pytest.mark.parametrize(
    ("sight", "state"),
    [
        (CameraSight("found"), WORKS),
        (CameraSight("looking", "It is dark."), AILING),
        (CameraSight("blind", "There is no model."), AILING),
        (CameraSight("opening"), AILING),
        (CameraSight("gone", "The cable is out."), MISSING),
        (CameraSight("off"), MISSING),
    ],
)
def test_a_camera_at_work_is_not_opened_a_second_time(sight: CameraSight, state: str) -> None:
    """Only one that is off is opened, and here it is not there."""
    camera = RoomCamera(no_source)
    camera.sight = sight
    found = of_camera(camera)
    assert (found.state, found.detail) == (state, "It is not there." if sight.state == "off" else sight.why)
    camera.close()


@pytest.mark.parametrize(
    ("volume", "troubles", "state"),
    [(0, (), WORKS), (0, ("It is broken.",), WORKS), (6, ("It is broken.",), MISSING), (6, (), WORKS)],
)
def test_the_sound(volume: int, troubles: tuple[str, ...], state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    found = of_sound(volume, troubles)
    assert (found.state, "broken" in found.sentence) == (state, state == MISSING)


def test_no_device_for_the_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SDL_AUDIODRIVER", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("companion.doctor.health.SOUND_DEVICES", tmp_path / "none")
    assert of_sound(6, ()).state == MISSING


def test_the_reader_tries_its_own_pictures() -> None:
    found = of_reader()
    assert found.state == WORKS
    assert found.sentence.startswith("It reads ")


# --- whatever goes wrong ---------------------------------------------------------------------------------------


def fail(error: Exception) -> Callable[[], Finding]:
    def check() -> Finding:
        raise error

    return check


@pytest.mark.parametrize(
    ("error", "state", "said"),
    [
        (ImportError("no cv2", name="cv2"), MISSING, "The package cv2 is not installed or does not load."),
        (CompanionError("It is on fire."), AILING, "It is on fire."),
        (RuntimeError("of a driver\nin two lines"), AILING, "RuntimeError: of a driver in two lines"),
        (OSError(5, "Input/output error"), AILING, "OSError: [Errno 5] Input/output error"),
    ],
)
def test_whatever_goes_wrong_is_a_finding(error: Exception, state: str, said: str) -> None:
    found = looked_at("camera", fail(error))
    assert (found.device, found.state) == ("camera", state)
    assert said in (found.remedy, found.detail)


def test_all_devices_at_once_and_one_that_hangs() -> None:
    """The others are told of; the one that hangs is not looked at a second time before it is done."""
    held, woken = threading.Event(), threading.Semaphore(0)
    asked = []

    def hangs() -> Finding:
        asked.append("camera")
        assert held.wait(10)
        return Finding("camera", WORKS)

    rounds = Rounds({"camera": hangs, "screen": lambda: Finding("screen", WORKS)}, woken.release)
    assert [finding.state for finding in rounds.findings] == ["", ""]
    rounds.look()
    assert woken.acquire(timeout=10)
    assert {finding.device: finding.state for finding in rounds.findings} == {"camera": LOOKING, "screen": WORKS}
    assert rounds.is_looking
    rounds.look()
    assert woken.acquire(timeout=10)
    held.set()
    assert woken.acquire(timeout=10)
    assert not rounds.is_looking
    assert asked == ["camera"]
    assert {finding.state for finding in rounds.findings} == {WORKS}
