"""Who may import whom: every law of pyproject.toml is broken on purpose in a copy, and caught."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
ROOMS = ("companion", "hardware", "vision", "simulator", "tools", "tests")

# The law, the file that breaks it, and what is imported there.
BROKEN = (
    ("Rules compute", "companion/games/three/rules.py", "import random"),
    ("The words that all games share", "companion/core/clocks.py", "import time"),
    ("A game is one package", "companion/games/tres/bot.py", "import companion.games.three.rules"),
    ("Core and journal know no pins", "companion/journal/rows.py", "import numpy"),
    ("Core knows no journal", "companion/core/names.py", "import companion.journal.rows"),
    ("The display decides nothing", "companion/display/scene.py", "import hardware.lines"),
    ("Hardware knows no game", "hardware/lines.py", "import companion.core.rules"),
    ("Vision knows no rules", "vision/mat.py", "import companion.core.match"),
    ("Tests are imported by tests only", "companion/config/home.py", "import tests.tables"),
    ("Tools are imported by tools and tests only", "vision/mat.py", "import tools.schema"),
    ("The drawn table and its bots", "companion/journal/file.py", "import simulator.bots"),
    ("Commands are loaded by the command line only", "companion/words/labels.py", "import companion.commands"),
    ("The board is a service of its own", "companion/seat/table.py", "import companion.board.hall"),
    ("The board reads what was published", "companion/board/phrases.py", "import companion.seat.table"),
    ("Inside a room nothing runs in a circle", "companion/core/errors.py", "import companion.core.match"),
    ("Rooms stand on each other", "companion/words/labels.py", "import companion.display.scene"),
)


def _lint(folder: Path) -> str:
    """What import-linter says of the laws, and of those that are broken once more, with the reason."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as l; l()", "--no-cache"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={"COLUMNS": "1000"}, check=False)
    assert done.stdout, done.stderr
    assert done.returncode == ("BROKEN" in done.stdout)
    return done.stdout


def _laws() -> list[str]:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    return [law["name"] for law in settings["contracts"]]


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is said of a copy of the house in which each of them is broken once."""
    folder = tmp_path_factory.mktemp("house")
    for room in ROOMS:
        shutil.copytree(PROJECT / room, folder / room, ignore=_everything_but_modules)
    shutil.copy(PROJECT / "pyproject.toml", folder)
    for _, path, line in BROKEN:
        with (folder / path).open("a", encoding="utf-8") as module:
            module.write(f"\n{line}\n")
    return _lint(folder)


def _everything_but_modules(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if not name.endswith(".py") and not (Path(folder) / name).is_dir()}


def test_every_law_is_kept() -> None:
    said = _lint(PROJECT)
    assert [law for law in _laws() if f"{law} KEPT" not in said] == []


def test_every_law_is_tried() -> None:
    assert [law for law in _laws() if not any(law.startswith(name) for name, _, _ in BROKEN)] == []


@pytest.mark.parametrize(("name", "path", "line"), BROKEN, ids=[name for name, _, _ in BROKEN])
def test_a_broken_law_is_caught(broken: str, name: str, path: str, line: str) -> None:
    law = next(law for law in _laws() if law.startswith(name))
    assert f"{law} BROKEN" in broken
    reason = broken.split(f"{law}\n---", 1)[1].split("\n---", 1)[0]
    assert Path(path).stem in reason
    assert line.rsplit(".", maxsplit=1)[-1].removeprefix("import ") in reason
