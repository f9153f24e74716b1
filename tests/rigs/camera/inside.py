"""Runs inside the rig: our source of frames on the real picamera2, row by row of a table.

The camera is libcamera's virtual one and shows four JPEG files in turn. It delivers NV12 only, has no exposure, gain,
colours or focus to set, and two processes may have it at once; that it is busy is therefore shown within one.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.rigs.camera import signatures
from vision.calibration import CameraSettings
from vision.eye_errors import SourceError
from vision.eyehost import Wanted
from vision.eyeprocess import CameraApart
from vision.frames import Frame
from vision.grey import grey_of
from vision.sources import open_source

CAMERAS = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
FRAMES = Path("/tmp/frames")
SEAM = Path("/tmp/seam")
FAKE = Path(__file__).parents[2] / "vision" / "fake_picamera2.py"
COLOURS = ((40, 40, 220), (60, 200, 60), (220, 60, 40), (128, 128, 128))  # blue, green, red
NEAR = 6  # levels that JPEG and NV12 may cost
DEADLINE = 120.0  # seconds for what must come; nothing is judged by how long it takes
SILENT = 3.0  # seconds in which the camera has dozens of pictures to show, and so is silent without one

CAMERA = """\
%YAML 1.1
---
"Virtual0":
  supported_formats:
  - {width: 1280, height: 720, frame_rates: [30, 60]}
  - {width: 320, height: 180, frame_rates: [30, 60]}
  frames:
    path: "/tmp/frames"
  location: "CameraLocationFront"
  model: "frames"
"""

# Found before picamera2, and gone when that is imported in its place. In a trouble of the rig's own making when asked.
FINDER = """\
import os, sys
sys.path.remove("/tmp/seam")
del sys.modules["picamera2"]
from tests.rigs.camera import virtual
virtual.install()
virtual.trouble(os.environ.get("RIG_TROUBLE", ""))
sys.path.insert(0, "/tmp/seam")
"""


class WrongError(Exception):
    """A check that failed."""


def must(is_so: object, why: object) -> None:
    if not is_so:
        raise WrongError(str(why))


def prepare() -> None:
    for folder in (FRAMES, SEAM / "picamera2", CAMERAS.parent):
        folder.mkdir(parents=True, exist_ok=True)
    for number, colour in enumerate(COLOURS):
        picture = np.full((720, 1280, 3), colour, np.uint8)
        cv2.imwrite(str(FRAMES / f"{number}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    CAMERAS.write_text(CAMERA, encoding="ascii")
    (SEAM / "picamera2" / "__init__.py").write_text(FINDER, encoding="ascii")
    sys.path.insert(0, str(SEAM))


# --- What is looked at


def files_here() -> list[str]:
    found = []
    for link in Path("/proc/self/fd").iterdir():
        try:
            found.append(str(link.readlink()).partition(":")[0])
        except OSError:
            continue  # the folder's own
    return sorted(found)


def processes() -> set[int]:
    return {int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()}


def maps() -> int:
    return Path("/proc/self/maps").read_text(encoding="ascii").count("memfd")


def until(is_so: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + DEADLINE
    while not is_so():
        must(time.monotonic() < end, what)
        time.sleep(0.01)


@contextmanager
def trouble(kind: str) -> Iterator[None]:
    os.environ["RIG_TROUBLE"] = kind
    try:
        yield
    finally:
        del os.environ["RIG_TROUBLE"]


def sentence_of(action: Callable[[], object]) -> str:
    try:
        action()
    except SourceError as error:
        return str(error)
    raise WrongError("nothing was said")


def shown(frame: Frame) -> int:
    """Which of the pictures a frame is, by its colour; all of it is of that colour."""
    for number, colour in enumerate(COLOURS):
        if np.abs(frame.picture.astype(int) - colour).max() <= NEAR:
            return number
    raise WrongError(f"a picture of no such colour: {frame.picture[::240, ::320].tolist()}")


# --- The rows


def same_signatures() -> str:
    real = Path(str(import_module("importlib.util").find_spec("picamera2.request").origin)).parent
    wrong = list(signatures.differences(FAKE, real))
    must(not wrong, "; ".join(wrong))
    return f"{signatures.count(FAKE)} methods of the stand-in"


def start() -> str:
    began = time.monotonic()
    with closing(open_source("camera")) as source:
        frame = next(iter(source.frames()))
        about = source.about()
    must(source.size == (1280, 720) and frame.picture.shape == (720, 1280, 3), source.size)
    must(frame.grey.shape == (180, 320), frame.grey.shape)
    must(about["format"] == "NV12" and about["name"] == "frames", about)
    return f"first frame after {time.monotonic() - began:.1f} s, {about['format']}, lacks {', '.join(about['lacking'])}"


def colours() -> str:
    with closing(open_source("camera")) as source:
        frames = list(islice(source.frames(), 24))
    seen = [shown(frame) for frame in frames]
    must(set(seen) == set(range(len(COLOURS))), seen)
    far = max(int(np.abs(frame.grey.astype(int) - grey_of(frame.picture)).max()) for frame in frames)
    must(far <= NEAR, f"the grey plane is {far} levels off")
    return f"{len(seen)} frames in {len(set(seen))} colours, grey plane within {far} levels"


def stamps() -> str:
    with closing(open_source("camera")) as source:
        before = time.monotonic_ns()
        frames = [(frame.number, frame.stamp, time.monotonic_ns()) for frame in islice(source.frames(), 90)]
        about = source.about()
    must(all(early[1] < late[1] for early, late in pairwise(frames)), "stamps out of order")
    must(all(early[0] < late[0] for early, late in pairwise(frames)), "numbers out of order")
    must(all(stamp < arrival for _, stamp, arrival in frames), "a stamp in the future")
    must(about["stamps"] == "of the sensor", about["stamps"])
    rate = len(frames) / ((frames[-1][2] - before) / 1e9)
    return f"{len(frames)} frames, numbers to {frames[-1][0]}, {rate:.0f} a second"


def newest_first() -> str:
    with closing(open_source("camera")) as source:
        frames = source.frames()
        first = next(frames)
        left = time.monotonic_ns()
        time.sleep(1)
        back = time.monotonic_ns()
        second = next(frames)
    must(second.stamp > (left + back) / 2, "an old frame after a pause")
    must(second.number > first.number + 1, "no gap in the numbers")
    return f"a second without asking: {second.number - first.number - 1} frames are passed over"


def settings_that_it_lacks() -> str:
    settings = CameraSettings(10_000, 2.0, (1.5, 1.7), 2.0)
    with closing(open_source("camera", settings=settings)) as source:
        shown(next(iter(source.frames())))
        lacking = source.about()["lacking"]
    must(set(lacking) == set(settings.controls()), lacking)
    return f"goes on without {', '.join(lacking)}"


def goes_on(harm: Callable[[int], object]) -> str:
    with closing(CameraApart(Wanted(), patience=SILENT)) as source:
        frames = source.frames()
        first = next(frames)
        harmed = source.pid
        harm(harmed)
        after = next(frame for frame in frames if source.restarts)
        must(source.pid != harmed and source.restarts == 1, "not started again")
        must(not Path(f"/proc/{harmed}").exists(), "the old process is still there")
        must(after.number > first.number + 1 and after.stamp > first.stamp, "numbers or stamps go back")
        shown(after)
    return "noticed, killed, started again, frames go on"


def stalls() -> str:
    return goes_on(lambda pid: os.kill(pid, signal.SIGSTOP))


def dies() -> str:
    return goes_on(lambda pid: os.kill(pid, signal.SIGKILL))


def silent_for_good() -> str:
    with trouble("silent"), closing(CameraApart(Wanted(), patience=1.0, between=0.1)) as source:
        return sentence_of(lambda: next(iter(source.frames())))


def busy() -> str:
    with trouble("busy"):
        return sentence_of(lambda: open_source("camera"))


def no_such_camera() -> str:
    return sentence_of(lambda: open_source("camera:7"))


def closes_while_stalled() -> str:
    with closing(open_source("camera")) as source:
        next(iter(source.frames()))
        os.kill(source.pid, signal.SIGSTOP)  # type: ignore[attr-defined]
        began = time.monotonic()
    return f"after {time.monotonic() - began:.1f} s"


def nothing_leaks() -> str:
    before = (files_here(), processes(), maps(), sorted(os.listdir("/dev/shm")))  # noqa: PTH208
    for _ in range(10):
        with closing(open_source("camera")) as source:
            shown(next(iter(source.frames())))
    after = (files_here(), processes(), maps(), sorted(os.listdir("/dev/shm")))  # noqa: PTH208
    must(before == after, f"{before} became {after}")
    return f"10 times: {len(after[0])} files, {len(after[1])} processes, before and after"


ORPHAN = """\
from vision.sources import open_source
source = open_source("camera")
next(iter(source.frames()))
print(source.pid, flush=True)
import threading; threading.Event().wait()
"""


def parent_is_killed() -> str:
    environment = {**os.environ, "PYTHONPATH": f"{SEAM}:{os.environ['PYTHONPATH']}"}
    with subprocess.Popen([sys.executable, "-c", ORPHAN], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        orphan = int(parent.stdout.readline())
        parent.kill()
    until(lambda: orphan not in processes() or is_zombie(orphan), "the camera's process outlives its parent")
    return "the camera's process ends by itself"


def is_zombie(pid: int) -> bool:
    """Ended, and waiting for the rig's first process, which does not collect strangers."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2].startswith("Z")
    except OSError:
        return True


ROWS: tuple[Callable[[], str], ...] = (
    same_signatures, start, colours, stamps, newest_first, settings_that_it_lacks, stalls, dies, silent_for_good, busy,
    no_such_camera, closes_while_stalled, nothing_leaks, parent_is_killed,
)  # fmt: skip


def versions() -> str:
    libcamera: Any = import_module("libcamera")
    metadata: Any = import_module("importlib.metadata")
    found = {
        "Python": sys.version.split()[0],
        "libcamera": libcamera.CameraManager.singleton().version,
        "picamera2": metadata.version("picamera2"),
        "numpy": np.__version__,
        "OpenCV": cv2.__version__,
    }
    return ", ".join(f"{name} {version}" for name, version in found.items())


def main() -> int:
    cv2.setNumThreads(1)
    prepare()
    print(versions())
    bad = 0
    for row in ROWS:
        try:
            verdict, told = "good", row()
        except Exception as error:
            verdict, told = "WRONG", f"{type(error).__name__}: {error}"
            bad += 1
        print(f"{row.__name__.replace('_', ' '):24} {verdict:6} {told}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
