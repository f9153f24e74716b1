"""Wheels for another Python, and for other processors, than this computer's."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tests.rigs.debian import emptied
from tests.rigs.running import PROJECT, RigError, run

PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}
KINDS = {"amd64": "x86_64", "arm64": "aarch64"}  # dpkg's names, and those of wheels
GLIBCS = {"bookworm": 36, "trixie": 41}  # minor versions


def fetch(names: Iterable[str], suite: str, kind: str, into: Path) -> None:
    """What pip would install there of these packages, without what they depend on, as constraints.txt pins them."""
    python, processor = PYTHONS[suite], KINDS[kind]
    platforms = [f"manylinux_2_{minor}_{processor}" for minor in range(17, GLIBCS[suite] + 1)]
    platforms += [f"manylinux2014_{processor}"]
    # pip takes wheels for the Python that is asked for, but compares what they require with the one it runs on
    chosen = ["--no-deps", "--only-binary=:all:", f"--python-version={python}", "--ignore-requires-python"]
    chosen += ["--implementation=cp", *(f"--platform={platform}" for platform in platforms)]
    emptied(into)
    run(*pip(), "download", "--quiet", *chosen, "--dest", into, *(pinned(name, python) for name in names))


def unpack(wheels: Path, site: Path) -> None:
    emptied(site)
    for wheel in sorted(wheels.glob("*.whl")):
        shutil.unpack_archive(wheel, site, "zip")


def pinned(name: str, python: str) -> str:
    """The package in the version that constraints.txt has for this Python; as it is where it has none."""
    old = tuple(map(int, python.split("."))) < (3, 12)
    wanted = re.compile(
        rf'({re.escape(name)}==[^;\s]+)(?:; python_version (<|>=) "3\.12")?(?:; sys_platform.*)?\s*(?:#.*)?'
    )
    for line in (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        found = wanted.fullmatch(line)
        if found and found[2] != (">=" if old else "<"):
            return found[1]
    return name


@cache
def pip() -> tuple[str, ...]:
    found = pip_if_any()
    if not found:
        raise RigError("this needs pip: `apt install python3-pip`, or `make ready-to-play` once.")
    return found


def pip_if_any() -> tuple[str, ...]:
    for python in (sys.executable, str(PROJECT / ".venv/bin/python")):
        command = (python, "-m", "pip")
        if (
            Path(python).exists()
            and not subprocess.run([*command, "--version"], capture_output=True, check=False).returncode
        ):
            return command
    return ()
