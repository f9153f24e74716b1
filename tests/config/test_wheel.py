"""The wheel: everything that lies in the rooms is in it, and in an empty venv it plays and reads."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
ROOMS = ("companion", "hardware", "simulator", "vision")
FOLDERS = (*ROOMS, "models")
PAPERS = ("pyproject.toml", "README.md", "LICENSE")
COMPANION = ("-m", "companion")
MADE = shutil.ignore_patterns("__pycache__", "*.pyc")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, for building writes beside the sources."""
    project, to = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("wheel")
    for folder in FOLDERS:
        shutil.copytree(PROJECT / folder, project / folder, ignore=MADE)
    for paper in PAPERS:
        shutil.copy(PROJECT / paper, project)
    code = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(to)], cwd=project, check=True, capture_output=True)
    (found,) = to.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def venv(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty venv with the wheel; what others made is taken from where the tests have it."""
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder), "platbase": str(folder)}))
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    # A path in such a file is looked at last, and what is editable in it is not followed.
    (site / "others.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder


def _run(venv: Path, *arguments: str, folder: Path) -> str:
    surroundings = {"HOME": str(folder), "PATH": os.defpath, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    command = [str(venv / "bin" / "python"), *arguments]
    done = subprocess.run(
        command, cwd=folder, env=surroundings, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_everything_in_the_rooms_is_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        held = set(packed.namelist())
    files = {
        path.relative_to(PROJECT).as_posix()
        for folder in FOLDERS
        for path in (PROJECT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".po"  # they go in compiled
    }
    assert files - held == set()
    strangers = {name.split("/")[0] for name in held - files}
    assert {name for name in strangers if not name.endswith(".dist-info")} == set()


def test_the_command_is_the_wheels(venv: Path, wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        entry = next(name for name in packed.namelist() if name.endswith("entry_points.txt"))
        assert "companion = companion.__main__:main" in packed.read(entry).decode()
    code = f"import {', '.join(ROOMS)}; print({', '.join(f'{room}.__file__' for room in ROOMS)}, sep='\\n')"
    places = _run(venv, "-c", code, folder=tmp_path).split()
    assert [place for place in places if not place.startswith(str(venv))] == []
    assert _run(venv, *COMPANION, "--version", folder=tmp_path).startswith("companion ")


def test_a_match_of_bots_with_its_pictures_and_in_german(venv: Path, tmp_path: Path) -> None:
    """Rules, bots, the fields of Threepia, the screen with its pictures, the journal and the words are there."""
    told = _run(venv, *COMPANION, "demo", "threepia", "--seed", "1", "--journal", "kept.sqlite3", folder=tmp_path)
    assert told.rstrip().endswith("15 were needed.")
    _run(venv, *COMPANION, "demo", "threepia", "--seed", "1", "--pictures", "pictures", folder=tmp_path)
    assert list((tmp_path / "pictures").rglob("*.png")) != []
    code = _run(venv, *COMPANION, "matches", "--journal", "kept.sqlite3", folder=tmp_path).split()[0]
    told = _run(venv, *COMPANION, "replay", code, "--journal", "kept.sqlite3", "--language", "de", folder=tmp_path)
    assert "gewinnt" in told


def test_a_picture_is_read(venv: Path, tmp_path: Path) -> None:
    told = _run(venv, *COMPANION, "read", str(PROJECT / "vision/selftest/daylight.jpg"), folder=tmp_path)
    assert "yellow diamond 1   red star 3      yellow star 3" in told
