"""All rigs in the order in which they are run, and what each needs of this computer."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.rigs.debian import own_kind
from tests.rigs.lending import mirror_if_any
from tests.rigs.running import PROJECT
from tests.rigs.wheels import pip_if_any

OWN = str(PROJECT / ".venv/bin/python")
PLACES = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"  # where root finds programs
WINDOWS = "import companion, cv2, numpy, pygame"


@dataclass(frozen=True, slots=True)
class Need:
    """Something without which a rig is left out."""

    what: str
    how: str  # to get it
    is_met: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Rig:
    """One rig, as a command of its own."""

    name: str
    command: tuple[str, ...]
    needs: tuple[Need, ...] = ()

    def missing(self) -> str:
        """What keeps it from being run here, and how to get that."""
        return "; ".join(f"needs {need.what}: {need.how}" for need in self.needs if not need.is_met())


def program(name: str, package: str) -> Need:
    return Need(name, f"apt install {package}", lambda: shutil.which(name, path=PLACES) is not None)


def room(gigabytes: int) -> Need:
    return Need(
        f"{gigabytes} GB of disk for build/ and .cache/", "make room",
        lambda: shutil.disk_usage(PROJECT).free >= gigabytes << 30,
    )  # fmt: skip


def _has_windows() -> bool:
    try:
        return not subprocess.run([OWN, "-c", WINDOWS], cwd=PROJECT, capture_output=True, check=False).returncode
    except OSError:
        return False


ROOT = Need("root's rights", "run it with sudo", lambda: os.geteuid() == 0)
MIRROR = Need("a Debian whose apt knows its mirror", "apt-get update", lambda: bool(mirror_if_any()))
DEBIAN = (ROOT, program("debootstrap", "debootstrap"), MIRROR)
AMD64 = Need("an x86-64 processor", "run it on such a computer", lambda: own_kind() == "amd64")
PIP = Need("pip", "apt install python3-pip, or make ready-to-play", lambda: bool(pip_if_any()))
SCREENS = tuple(
    program(name, package) for name, package in (("Xvfb", "xvfb"), ("xdotool", "xdotool"), ("xinput", "xinput"))
)
OWN_PYTHON = Need("the project's own Python", "make ready-to-play", _has_windows)
POSTGRESQL = Need("PostgreSQL", "apt install postgresql", lambda: any(Path("/usr/lib/postgresql").glob("*/bin/initdb")))


def of_module(name: str, module: str, *needs: Need, python: str = sys.executable) -> Rig:
    return Rig(name, (python, "-m", f"tests.rigs.{module}"), needs)


# What is quick and what others lean on comes first.
RIGS = (
    of_module("install", "install", *DEBIAN, room(2)),
    of_module("camera", "camera", *DEBIAN, room(3)),
    of_module("fresh", "fresh.bare_debian", *DEBIAN, room(4)),
    of_module("firstminute", "firstminute", *SCREENS, OWN_PYTHON, python=OWN),
    of_module("evening", "evening", *SCREENS, OWN_PYTHON, python=OWN),
    of_module("club", "club", OWN_PYTHON, program("mosquitto", "mosquitto"), POSTGRESQL, python=OWN),
    of_module("gpio", "gpio", *DEBIAN, AMD64, PIP, room(5)),
    of_module("arm64", "arm64", *DEBIAN, AMD64, PIP, room(4)),
    of_module("appliance", "appliance", *DEBIAN, AMD64, PIP, room(14)),
)
