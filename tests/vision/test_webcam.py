"""A webcam on a stand-in for OpenCV's side of it: alone, and in the process of its own that has it at a table."""

import errno
import fcntl
import os
import time
from collections.abc import Callable
from contextlib import closing
from itertools import islice, pairwise
from pathlib import Path

import cv2
import pytest

from tests.vision.fake_capture import FakeCapture, pretend
from vision import eyeprocess, webcam
from vision.calibration import CameraSettings
from vision.eye_errors import SightError, SourceError
from vision.eyehost import Wanted
from vision.eyeprocess import CameraApart
from vision.sources import open_source
from vision.webcam import Webcam

SOON = 20.0  # seconds; a test that waits for so long fails


def always() -> bool:
    return True


def refusal(action: Callable[[], object]) -> str:
    with pytest.raises(SightError) as caught:
        action()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture
def capture(monkeypatch: pytest.MonkeyPatch) -> type[FakeCapture]:
    fresh = type("Capture", (FakeCapture,), {"made": []})
    monkeypatch.setattr(cv2, "VideoCapture", fresh)
    return fresh


@pytest.fixture
def device(tmp_path: Path) -> Path:
    path = tmp_path / "video0"
    path.touch()
    return path


def test_a_webcam_gives_frames_with_the_drivers_stamps(capture: type[FakeCapture], device: Path) -> None:
    source = Webcam(device, settings=CameraSettings(exposure=12_340))
    before = time.monotonic_ns()
    shots = source.shots(always)
    seen = [next(shots) for _ in range(5)]
    assert [round(float(shot.picture.mean())) for shot in seen] == [
        3,
        4,
        5,
        6,
        7,
    ]  # the one it was tried with is not lost
    assert all(early.stamp < late.stamp for early, late in pairwise(seen))
    assert before - 1000 <= seen[0].stamp <= seen[-1].stamp <= time.monotonic_ns()
    assert {shot.stamps for shot in seen} == {"of the driver"}
    assert source.size == (1280, 720)
    assert capture.made[0].set_to[cv2.CAP_PROP_EXPOSURE] == 123
    source.close()
    assert list(shots) == []
    assert capture.made[0].released


@pytest.mark.parametrize("clock", [lambda: time.time() * 1e3, lambda: 0.0, lambda: time.monotonic() * 1e3 + 60_000])
def test_stamps_of_another_clock_are_not_believed(
    capture: type[FakeCapture], device: Path, clock: Callable[[], float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "monotonic_ns", lambda: 100_000_000_000_000)
    capture.clock = clock
    with closing(Webcam(device)) as source:
        shots = source.shots(always)
        seen = [next(shots) for _ in range(3)]
        assert [shot.stamp for shot in seen] == [100_000_000_000_000, 100_000_000_000_001, 100_000_000_000_002]
        assert {shot.stamps for shot in seen} == {"of arrival"}


def test_a_webcam_that_fails(capture: type[FakeCapture], device: Path) -> None:
    with closing(Webcam(device)) as source:
        shots = source.shots(always)
        with pytest.raises(SourceError, match=r"video0 is silent"):
            list(shots)
        device.unlink()
        assert "was pulled out" in refusal(lambda: next(source.shots(always)))
    device.touch()
    capture.pictures = 0
    assert "is silent" in refusal(lambda: Webcam(device))
    capture.opens = False
    assert "it is not a camera" in refusal(lambda: Webcam(device))
    assert all(made.released for made in capture.made)


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.EACCES, "add the user to the group video"),
        (errno.EBUSY, "is busy"),
        (errno.ENODEV, "There is no"),
        (errno.EIO, "cannot be opened: Input/output error"),
    ],
)
def test_what_the_kernel_says_of_a_webcam(
    device: Path, number: int, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", refuse)
    assert says in refusal(lambda: Webcam(device))


@pytest.mark.parametrize(("number", "says"), [(errno.EBUSY, "is busy: another program"), (errno.EINVAL, "")])
def test_a_webcam_whose_buffers_another_program_has(
    capture: type[FakeCapture], device: Path, monkeypatch: pytest.MonkeyPatch, number: int, says: str
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "ioctl", refuse)
    if says:
        assert says in refusal(lambda: Webcam(device))
        assert not capture.made
    else:
        Webcam(device).close()


def test_a_webcam_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webcam, "DEVICES", tmp_path)
    assert "is it plugged in?" in refusal(lambda: Webcam(tmp_path / "video0"))
    (tmp_path / "video1").touch()
    assert refusal(lambda: Webcam(tmp_path / "video0")).endswith(f"there is {tmp_path}/video1.")


# --- in a process of its own


def test_it_is_had_in_a_process_of_its_own(device: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(tmp_path, monkeypatch, 10_000)
    monkeypatch.setattr(eyeprocess, "GRACE", SOON)
    with closing(CameraApart(Wanted(device=str(device)), opening=SOON, patience=SOON)) as source:
        assert source.pid != os.getpid()
        frames = list(islice(source.frames(), 5))
        about = source.about()
    assert source.size == (1280, 720)
    assert frames[0].picture.shape == (720, 1280, 3)
    assert all(early.stamp < late.stamp and early.number < late.number for early, late in pairwise(frames))
    assert (about["kind"], about["device"], about["stamps"]) == ("webcam", str(device), "of the driver")
    assert not Path(f"/proc/{source.pid}").exists()


def test_what_is_wrong_with_it_is_said_across_processes(
    device: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(tmp_path, monkeypatch, 6)
    monkeypatch.setattr(webcam, "DEVICES", tmp_path)
    with closing(CameraApart(Wanted(device=str(device)), opening=SOON, patience=SOON)) as source:
        said = refusal(lambda: list(source.frames()))
    assert said.startswith(f"{device} is silent: pull the webcam out")
    assert "There is no /dev/video99" in refusal(lambda: open_source("webcam:99"))
    monkeypatch.delenv("PYTHONPATH")
    assert "it is not a camera" in refusal(lambda: CameraApart(Wanted(device=str(device))))
