"""The house itself: its rooms, what importing costs, pins that agree with what is asked for, nothing of one machine."""

import importlib.util
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).parents[2]
ROOMS = ("companion", "companion/games", "docs", "hardware", "models", "setup", "systemd", "tests", "vision")
HEAVY = ("cv2", "numpy", "pygame", "gpiozero", "gpiod", "tflite_runtime", "ai_edge_litert", "reportlab", "paho")
PYTHONS = ("3.11", "3.12", "3.13")


# --- Rooms


@pytest.mark.parametrize("room", ROOMS)
def test_room_is_there(room: str) -> None:
    assert (PROJECT / room).is_dir()


# --- Importing


@pytest.mark.parametrize("module", ["companion", "companion.core.rules", "companion.cli"])
def test_importing_brings_nothing_heavy(module: str) -> None:
    if not _exists(module):
        pytest.skip(f"there is no {module}")
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PROJECT)
    assert module in done.stdout.split()
    assert not set(done.stdout.split()) & set(HEAVY)


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


# --- Pins


def _asked_for() -> list[Requirement]:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    return [Requirement(text) for text in [*project["dependencies"], *(text for extra in extras for text in extra)]]


def _pin_lines() -> list[str]:
    lines = (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in (line.split("#")[0].strip() for line in lines) if line]


def _pins(python: str) -> dict[str, str]:
    """What is pinned for this Python on Linux: name to version."""
    found: dict[str, str] = {}
    for pin in (Requirement(line) for line in _pin_lines()):
        if _applies(pin, python):
            name = canonicalize_name(pin.name)
            assert name not in found, f"{name} is pinned twice for Python {python}"
            found[name] = str(pin.specifier).removeprefix("==")
    return found


def _applies(requirement: Requirement, python: str) -> bool:
    surroundings = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": "linux"}
    return requirement.marker is None or requirement.marker.evaluate(surroundings)


def test_constraints_are_exact_pins_and_nothing_else() -> None:
    shape = re.compile(r'[\w.-]+==[\w.]+(; (python_version|sys_platform) [<>=]+ "[\w.]+")?')
    assert [line for line in _pin_lines() if not shape.fullmatch(line)] == []


@pytest.mark.parametrize("python", PYTHONS)
def test_everything_asked_for_is_pinned_inside_its_range(python: str) -> None:
    pins = _pins(python)
    for asked in (asked for asked in _asked_for() if _applies(asked, python)):
        pin = pins.get(canonicalize_name(asked.name))
        assert pin is not None, f"{asked.name} is not pinned for Python {python}"
        assert pin in asked.specifier, f"constraints.txt has {asked.name} {pin}, pyproject.toml asks for {asked}"


@pytest.mark.skipif(Path(sys.prefix) != PROJECT / ".venv", reason="only what `make test` installed is pinned")
def test_everything_installed_is_what_was_pinned() -> None:
    installed = {canonicalize_name(found.name): found.version for found in distributions(path=_site())}
    del installed[canonicalize_name("table-companion")]
    pins = _pins(f"{sys.version_info.major}.{sys.version_info.minor}")
    assert {name: pins.get(name) for name in installed} == installed


def _site() -> list[str]:
    return [entry for entry in sys.path if entry.startswith(sys.prefix)]


# --- Nothing of one machine

REGISTRY = r"(pypi|pythonhosted|piwheels)\.(org|python|com)|(deb|security|snapshot)\.debian\.org"
OWN_PATH = r"(?<![\w.~-])/(work|root|opt/wheels|opt/pypi|Users)/"
OF_ONE_MACHINE = re.compile(f"{REGISTRY}|{OWN_PATH}")
MADE = {"build", "__pycache__"}
TEXT = {"", ".cfg", ".csv", ".html", ".json", ".jsonl", ".md", ".py", ".service", ".sh", ".sql", ".toml", ".txt"}


def _texts(folder: Path = PROJECT) -> Iterator[Path]:
    """Every text file that belongs to the project; hidden folders are made, all but .ci."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and (path.name == ".ci" or not path.name.startswith(".")) and path.name not in MADE:
            yield from _texts(path)
        elif (
            path.is_file() and path.suffix in TEXT and path.name != ".git"
        ):  # a file where the folder is a second work tree
            yield path


def test_no_machine_is_named() -> None:
    named = []
    for path in _texts():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if OF_ONE_MACHINE.search(line):
                named.append(f"{path.relative_to(PROJECT)}:{number}: {line.strip()}")
    assert named == []
