"""The camera of a Pi on a stand-in for picamera2: frames, trouble, restarts, and nothing left behind.

The process is a real one each time; the same is done to the real picamera2 in tests/rigs/camera.
"""

import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision.fake_picamera2 import BLUE, CONTROLS, GREEN, GREY, RED, Plan, log_of, planes, pretend
from vision import eyeprocess, picamera
from vision.calibration import CameraSettings
from vision.eye_errors import SourceError
from vision.eyehost import Wanted
from vision.eyeprocess import TRIES, CameraApart, calibrated
from vision.frames import Frame
from vision.picamera import controls_of, widest
from vision.sources import open_source

SMALL = (128, 72)
DEADLINE = 20.0
SETTINGS = CameraSettings(10_000, 4.0, (2.0, 3.0), 1.5)


class Bench:
    """Where cameras are opened as planned, and closed in the end."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.monkeypatch = folder, monkeypatch
        self.stack = ExitStack()
        self.grace(DEADLINE)
        monkeypatch.setattr(eyeprocess, "DYING", DEADLINE)

    def grace(self, seconds: float) -> None:
        """How long a process may take to end in good order."""
        self.monkeypatch.setattr(eyeprocess, "GRACE", seconds)

    def plan(self, *plans: Plan) -> None:
        pretend(self.folder, self.monkeypatch, *plans)

    def open(self, *plans: Plan, patience: float = DEADLINE, opening: float = DEADLINE, **wanted: Any) -> CameraApart:
        self.plan(*plans)
        source = CameraApart(Wanted(**{"size": SMALL, **wanted}), patience=patience, opening=opening, between=0.0)
        return self.stack.enter_context(closing(source))

    def log(self, key: str) -> list[Any]:
        return [entry[key] for entry in log_of(self.folder) if key in entry]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    bench = Bench(tmp_path, monkeypatch)
    with bench.stack:
        yield bench


def some(source: CameraApart, count: int = 3) -> list[Frame]:
    return list(islice(source.frames(), count))


def refusal(action: Callable[[], object]) -> str:
    with pytest.raises(SourceError) as caught:
        action()
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- Frames


def test_frames_come_as_they_were_taken(bench: Bench) -> None:
    source = bench.open()
    frames = some(source, 20)
    assert source.size == SMALL
    assert all(early.stamp < late.stamp and early.number < late.number for early, late in pairwise(frames))
    assert frames[0].picture.shape == (72, 128, 3)
    assert all((frame.picture == (BLUE, GREEN, RED)).all() for frame in frames)
    assert all((frame.grey == GREY).all() for frame in frames)
    assert source.about()["stamps"] == "of the sensor"


def test_a_frame_stays_what_it_is(bench: Bench) -> None:
    """The memory it came through is used for the next ones, and goes with the process."""
    source = bench.open()
    frame = some(source, 1)[0]
    some(source, 10)
    source.close()
    assert (frame.picture == (BLUE, GREEN, RED)).all()


def test_who_is_slow_gets_the_newest(bench: Bench) -> None:
    source = bench.open()
    frames = source.frames()
    first = next(frames)
    while int(source.about()["frames"]) <= first.number + 10:  # nobody asks for them meanwhile
        threading.Event().wait(0.01)
    assert next(frames).number >= first.number + 10


@pytest.mark.parametrize("form", ["RGB888", "BGR888", "XRGB8888", "XBGR8888", "NV12", "YUV420"])
def test_whatever_the_camera_delivers_becomes_blue_green_red(form: str) -> None:
    if "888" in form:
        orders: dict[str, tuple[int, ...]] = {"RGB888": (BLUE, GREEN, RED), "BGR888": (RED, GREEN, BLUE)}
        orders |= {"XRGB8888": (BLUE, GREEN, RED, 255), "XBGR8888": (RED, GREEN, BLUE, 255)}
        array = np.full((72, 100, len(orders[form])), orders[form], np.uint8)
    else:
        array = planes(100, 72, 128, form)
    picture = picamera.as_bgr(array, form, (100, 72))
    assert picture.shape == (72, 100, 3)
    assert np.abs(picture.astype(int) - (BLUE, GREEN, RED)).max() <= 2


def test_pictures_of_webcams_that_libcamera_has() -> None:
    """MJPEG comes decoded as red, green, blue; YUYV with padded rows and the range of films."""
    decoded = np.full((72, 100, 3), (RED, GREEN, BLUE), np.uint8)
    assert (picamera.as_bgr(decoded, "MJPEG", (100, 72)) == (BLUE, GREEN, RED)).all()
    packed = np.full((72, 128, 2), 128, np.uint8)
    packed[:, :100, 0], packed[:, 50:100, 0] = 16, 235
    picture = picamera.as_bgr(packed, "YUYV", (100, 72))
    assert picture.shape == (72, 100, 3)
    assert (picture[:, :50] == 0).all()
    assert (picture[:, 50:] == 255).all()


def test_planes_with_the_range_of_films() -> None:
    array = np.full((108, 128), 128, np.uint8)
    array[:72, :32], array[:72, 32:64], array[:72, 64:] = 3, 16, 235
    picture = picamera.as_bgr(array, "NV12", (128, 72), full=False)
    assert (picture[:, :64] == 0).all()
    assert picture[0, 127].tolist() == [255, 255, 255]


def test_planes_keep_left_and_right_apart() -> None:
    array = planes(128, 72, 128, "YUV420")
    chroma = array[72:].reshape(72, 64)
    chroma[:, 32:] = 128
    picture = picamera.as_bgr(array, "YUV420", (128, 72))
    assert np.abs(picture[:, :60].astype(int) - (BLUE, GREEN, RED)).max() <= 2
    assert np.abs(picture[:, 68:].astype(int) - GREY).max() <= 2


def test_a_form_that_is_not_known(bench: Bench) -> None:
    bench.open(Plan())
    assert "delivers its pictures as R8" in refusal(lambda: picamera.as_bgr(np.zeros((2, 2)), "R8", (2, 2)))


def test_nv12_from_a_whole_camera(bench: Bench) -> None:
    source = bench.open(Plan(form="NV12"))
    (frame,) = some(source, 1)
    assert np.abs(frame.picture.astype(int) - (BLUE, GREEN, RED)).max() <= 2
    assert source.about()["format"] == "NV12"


def test_one_stream_has_to_do(bench: Bench) -> None:
    source = bench.open(Plan(single=True))
    (frame,) = some(source, 1)
    assert np.abs(frame.grey.astype(int) - GREY).max() <= 2
    assert bench.log("configured")[0]["lores"] is None


def test_the_whole_sensor_is_seen(bench: Bench) -> None:
    """The mode that is nearest to the picture in size shows two thirds of the view."""
    source = bench.open()
    some(source, 1)
    assert bench.log("configured")[0]["sensor"] == {"output_size": [2304, 1296], "bit_depth": 10}
    assert source.about()["mode"]["seen"] == 1


def test_a_camera_without_modes_is_left_to_itself(bench: Bench) -> None:
    source = bench.open(Plan(modes=()))
    some(source, 1)
    assert bench.log("configured")[0]["sensor"] == {}
    assert "mode" not in source.about()


def modes(*rows: tuple[int, int, float, tuple[int, int, int, int]]) -> list[dict[str, Any]]:
    return [
        {"size": (width, height), "fps": fps, "bit_depth": 10, "crop_limits": crop} for width, height, fps, crop in rows
    ]


OF_V2 = modes(
    (640, 480, 206.0, (1000, 752, 1280, 960)),
    (1640, 1232, 41.8, (0, 0, 3280, 2464)),
    (1920, 1080, 47.6, (680, 692, 1920, 1080)),
    (3280, 2464, 21.2, (0, 0, 3280, 2464)),
)


def test_of_modes_that_see_as_much_the_smallest_that_is_enough_and_quick_enough() -> None:
    assert widest(OF_V2, (1280, 720), 30)["output_size"] == (1640, 1232)
    assert widest(OF_V2, (1280, 720), 30)["seen"] == 1
    assert widest(OF_V2, (1920, 1080), 30)["output_size"] == (1920, 1080), "nothing wider is quick enough"
    assert widest(OF_V2, (1920, 1080), 30)["seen"] == 1920 / 3280
    assert widest(OF_V2, (1920, 1080), 20)["output_size"] == (3280, 2464)
    assert widest(OF_V2, (4000, 3000), 10) == {}


def test_the_small_stream_loses_its_padding(bench: Bench) -> None:
    (frame,) = some(bench.open(size=(1296, 972)), 1)  # 320 × 240 of it
    assert frame.grey.shape == (240, 320)
    (frame,) = some(bench.open(size=(200, 100)), 1)  # rows of 200 in 256
    assert (frame.grey == GREY).all()


def test_stamps_of_arrival_where_the_sensor_has_none(bench: Bench) -> None:
    source = bench.open(Plan(sensor=False))
    frames = some(source)
    assert frames[0].stamp < frames[1].stamp < frames[2].stamp
    assert source.about()["stamps"] == "of arrival"


# --- Settings


def test_settings_go_in_before_the_start_and_no_frame_is_older(bench: Bench) -> None:
    source = bench.open(Plan(settles=8, frames=9), settings=SETTINGS, patience=DEADLINE)
    (frame,) = some(source, 1)
    asked = bench.log("configured")[0]["controls"]
    assert asked == {
        "ExposureTime": 10_000,
        "AnalogueGain": 4.0,
        "ColourGains": [2.0, 3.0],
        "AfMode": 0,
        "LensPosition": 1.5,
        "FrameDurationLimits": [33333, 33333],
    }
    about = source.about()
    assert (frame.number, about["frames"], about["held"]) == (0, 1, True)
    assert about["metadata"]["ExposureTime"] == 10_000


def test_a_long_exposure_makes_frames_longer() -> None:
    assert controls_of(Wanted(settings=CameraSettings(50_000)))["FrameDurationLimits"] == (50_000, 50_000)
    assert controls_of(Wanted()) == {"AfMode": 2, "FrameDurationLimits": (33333, 100_000)}


def test_settings_that_never_take_hold_are_no_reason_to_wait_for_ever(bench: Bench) -> None:
    source = bench.open(Plan(settles=10**6), settings=SETTINGS, patience=DEADLINE)
    some(source, 1)
    assert source.about()["held"] is False


def test_a_camera_goes_on_without_what_it_lacks(bench: Bench) -> None:
    source = bench.open(Plan(controls=("ExposureTime",)), settings=SETTINGS)
    some(source, 1)
    assert source.about()["lacking"] == sorted(set(CONTROLS) - {"ExposureTime"})
    assert source.about()["controls"] == {"ExposureTime": 10_000}


def test_settings_are_found(bench: Bench) -> None:
    bench.plan()
    settings = calibrated(size=SMALL)
    assert settings.gain == 2.0
    assert settings.colours == (1.5, 1.7)
    assert settings.lens == 2.0
    assert bench.log("closed") == [True]


# --- Trouble


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (Plan(error="Failed to acquire camera: Device or resource busy"), "The camera is busy"),
        (Plan(error="Pipeline handler in use by another process"), "The camera is busy"),
        (Plan(error="the moon is full"), "The camera cannot be opened: the moon is full."),
        (Plan(cameras=0), "No camera was found"),
        (Plan(form="R8", frames=1), "delivers its pictures as R8"),
    ],
    ids=["busy", "in use", "other", "none", "form"],
)
def test_what_is_wrong_is_said(bench: Bench, plan: Plan, says: str) -> None:
    assert says in refusal(lambda: some(bench.open(plan)))


def test_another_camera_than_there_are(bench: Bench) -> None:
    assert "There is no camera:2; there is camera:0 (fake0), camera:1 (fake1)." in refusal(
        lambda: bench.open(Plan(cameras=2), camera=2)
    )


def test_a_user_who_may_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "media0").touch()
    assert picamera.forbidden(tmp_path) is None
    monkeypatch.setattr(os, "access", lambda path, _: "media0" not in str(path))
    assert "add the user to the group video" in str(picamera.forbidden(tmp_path))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "raise ModuleNotFoundError(\"No module named 'picamera2'\", name='picamera2')",
            "apt install python3-picamera2",
        ),
        ("import libcamera", "libcamera is not there for this Python"),
        ("raise ImportError('libcamera-base.so.0.4: cannot open')", "does not load: libcamera-base.so.0.4"),
        ("raise ValueError('numpy.dtype size changed')", "does not load: numpy.dtype size changed"),
    ],
)
def test_picamera2_that_is_missing_or_broken(bench: Bench, text: str, says: str) -> None:
    bench.plan()
    (bench.folder / "picamera2.py").write_text(text)
    assert says in refusal(lambda: open_source("camera"))


def test_what_others_print_is_not_taken_for_speech(bench: Bench) -> None:
    bench.plan()
    path = bench.folder / "picamera2.py"
    path.write_text(path.read_text() + "print('{\"frame\": 99}', flush=True)\n")
    source = bench.stack.enter_context(closing(CameraApart(Wanted(size=SMALL))))
    some(source, 3)
    assert any("99" in line for line in source.about()["says"])


@pytest.mark.parametrize("ends_by", ["silence", "stop", "exit", "error"])
def test_a_camera_that_goes_wrong_is_started_again(bench: Bench, ends_by: str) -> None:
    source = bench.open(Plan(frames=3, ends_by=ends_by), Plan(), patience=1.0)
    frames = source.frames()
    before = [next(frames)]
    first = source.pid
    while not source.restarts:
        before.append(next(frames))
    *_, last, after = before
    assert after.number > last.number + 1
    assert after.stamp > last.stamp
    assert not Path(f"/proc/{first}").exists()
    assert bench.log("opened") == [0] * (1 + source.about()["restarts"])


@pytest.mark.slow
def test_every_frame_counts_as_a_new_beginning(bench: Bench) -> None:
    source = bench.open(Plan(frames=1, ends_by="exit"))
    some(source, TRIES + 3)
    assert source.restarts == TRIES + 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ends_by", "says"),
    [("silence", "The camera is silent: no picture came for 0.3 s"), ("error", "the frontend has timed out")],
)
def test_in_the_end_it_is_given_up(bench: Bench, ends_by: str, says: str) -> None:
    source = bench.open(Plan(frames=0, ends_by=ends_by), patience=0.3)
    said = refusal(lambda: some(source, 1))
    assert says in said
    assert f"It was started again {TRIES} times, in vain." in said
    assert bench.log("opened") == [0] * (1 + TRIES)
    assert list(source.frames()) == []


def test_a_camera_that_is_busy_only_just_after(bench: Bench) -> None:
    source = bench.open(Plan(frames=1, ends_by="exit"), Plan(error="Device or resource busy"), Plan())
    assert len(some(source, 2)) == 2
    assert source.restarts == 2


def test_what_will_not_pass_is_not_tried_again(bench: Bench) -> None:
    source = bench.open(Plan(frames=1, ends_by="exit"), Plan(cameras=0))
    assert "No camera was found" in refusal(lambda: some(source, 2))
    assert source.restarts == 1


def test_one_that_does_not_even_open(bench: Bench) -> None:
    bench.plan()
    bench.grace(0.1)
    (bench.folder / "picamera2.py").write_text("import threading; threading.Event().wait()")
    assert "does not answer" in refusal(lambda: CameraApart(Wanted(), opening=0.2))
    (bench.folder / "picamera2.py").write_text("import os; os._exit(7)")
    assert "ended without a word" in refusal(lambda: CameraApart(Wanted(), opening=DEADLINE))


# --- Ends


def kinds() -> list[str]:
    return sorted(name.partition(":")[0] for name in _links())


def _links() -> Iterator[str]:
    for path in Path("/proc/self/fd").iterdir():
        try:
            yield str(path.readlink())
        except OSError:
            continue  # of the folder itself


def mapped() -> int:
    return Path("/proc/self/maps").read_text(encoding="utf-8").count("memfd:eye")


def test_it_is_closed_in_good_order(bench: Bench) -> None:
    source = bench.open()
    frames = source.frames()
    next(frames)
    source.close()
    source.close()
    assert list(frames) == []
    assert bench.log("out") == [0]  # all requests were released
    assert bench.log("closed") == [True]


@pytest.mark.parametrize(
    "plan", [Plan(), Plan(wedged=True), Plan(frames=2, ends_by="stop")], ids=["well", "wedged", "stopped"]
)
def test_nothing_is_left(bench: Bench, plan: Plan) -> None:
    bench.grace(DEADLINE if plan == Plan() else 0.1)
    before = kinds(), threading.active_count(), mapped()
    source = bench.open(plan)
    some(source, 2)
    pid = source.pid
    source.close()
    assert not Path(f"/proc/{pid}").exists()
    assert (kinds(), threading.active_count(), mapped()) == before


@pytest.mark.slow
def test_nothing_is_left_of_what_went_wrong(bench: Bench) -> None:
    bench.grace(0.1)
    before = kinds(), threading.active_count(), mapped()
    refusal(lambda: bench.open(Plan(cameras=0)))
    some(bench.open(Plan(frames=1, ends_by="stop"), patience=0.5), 2)
    bench.stack.close()
    assert (kinds(), threading.active_count(), mapped()) == before


def test_a_process_that_is_stuck_is_not_waited_for(bench: Bench) -> None:
    before = kinds(), mapped()
    source = bench.open(Plan(wedged=True))
    some(source, 1)
    bench.grace(0)
    bench.monkeypatch.setattr(eyeprocess, "DYING", -1.0)  # over before it began, as if no signal reached it
    source.close()
    for thread in threading.enumerate():
        if thread.name == "eye that is stuck":
            thread.join(DEADLINE)
    assert not Path(f"/proc/{source.pid}").exists()
    assert (kinds(), mapped()) == before


def test_beside_a_process_that_is_stuck_no_other_is_started(bench: Bench) -> None:
    """Each would hang as well, and after some minutes of tries the table had no room for a thread."""
    source = bench.open(Plan(wedged=True))
    some(source, 1)
    bench.grace(0)
    with bench.monkeypatch.context() as held:
        held.setattr(eyeprocess, "DYING", 0.0)
        held.setattr(subprocess.Popen, "kill", lambda _: None)  # as if no signal reached it
        source.close()
        before = kinds(), threading.active_count()
        for _ in range(5):
            assert "does not let go of it" in refusal(lambda: CameraApart(Wanted(size=SMALL)))
        assert (kinds(), threading.active_count()) == before
    os.kill(source.pid, signal.SIGKILL)
    for thread in threading.enumerate():
        if thread.name == "eye that is stuck":
            thread.join(DEADLINE)
    assert len(some(bench.open(Plan()), 1)) == 1


def test_where_no_thread_can_be_started_nothing_is_left(bench: Bench) -> None:
    bench.plan()
    before = kinds(), mapped()

    def none(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with bench.monkeypatch.context() as short:
        short.setattr(threading.Thread, "start", none)
        assert "cannot be listened to" in refusal(lambda: CameraApart(Wanted(size=SMALL)))
    assert (kinds(), mapped()) == before


def test_closing_ends_a_wait(bench: Bench) -> None:
    source = bench.open(Plan(frames=1), patience=DEADLINE)
    frames = source.frames()
    next(frames)
    rest: list[Frame] = []
    waiting = threading.Thread(target=lambda: rest.extend(frames))
    waiting.start()
    source.close()
    waiting.join(DEADLINE)
    assert not waiting.is_alive()


KEEPING = """
class Popen(subprocess.Popen):
    def __init__(self, *args, pass_fds=(), **more):
        super().__init__(*args, pass_fds=(*pass_fds, int(sys.argv[1])), **more)
subprocess.Popen = Popen
"""

ORPHAN = """
import os, sys
from vision.picamera import controls_of
from vision.sources import open_source
source = open_source("camera")
next(iter(source.frames()))
print(source.pid, flush=True)
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("is_wedged", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_process_that_loses_its_parent_ends(bench: Bench, is_wedged: bool) -> None:
    bench.plan(Plan(wedged=is_wedged))
    read, write = os.pipe()  # which the process gets too, and lets go of when it ends
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    script = ORPHAN.replace("import os, sys", "import os, subprocess, sys\n" + KEEPING)
    with subprocess.Popen(
        [sys.executable, "-c", script, str(write)], pass_fds=(write,), stdout=subprocess.PIPE, env=environment
    ) as parent:
        assert parent.stdout is not None
        orphan = int(parent.stdout.readline())
        os.close(write)
        has_ended, _, _ = select.select([read], [], [], DEADLINE)
        os.close(read)
        if not has_ended:
            os.kill(orphan, signal.SIGKILL)
    assert has_ended
    assert bench.log("closed") == ([] if is_wedged else [True])
