"""Makes the rig's Debian 13, once: libcamera from Debian, picamera2 from the package index."""

from pathlib import Path

from tests.rigs.debian import Recipe, Root, make
from tests.rigs.running import BUILT as RIGS
from tests.rigs.steps import Step, make_all

BUILT = RIGS / "camera"
PYTHON = "/opt/eye/bin/python"
# PiDNG and videodev2, which picamera2 asks for, come as source; nothing of ours needs a compiler.
RECIPE = Recipe("trixie", (
    "python3-libcamera", "libcamera-ipa", "python3-prctl", "python3-numpy", "python3-pil",
    "python3-jsonschema", "python3-tqdm", "python3-piexif", "python3-libarchive-c", "python3-venv", "python3-dev",
    "gcc", "libc6-dev", "ca-certificates",
))  # fmt: skip
WHEELS = ("picamera2==0.3.38", "opencv-python-headless")
ROOT = Root(BUILT / "debian")


def make_root() -> None:
    make(RECIPE, ROOT.path)


def install_wheels() -> None:
    ROOT.must("python3", "-m", "venv", "--clear", "--system-site-packages", str(Path(PYTHON).parents[1]))
    ROOT.must(PYTHON, "-m", "pip", "install", "--no-input", *WHEELS)


def build() -> None:
    steps = (Step("Debian 13 with libcamera", make_root, str(RECIPE)), Step("picamera2", install_wheels, str(WHEELS)))
    make_all(steps, BUILT / "stamps")
