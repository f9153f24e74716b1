"""The commands as modules: each is in the list, says what the list says, and is loaded when it is asked for."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from companion import __version__, commands
from companion.commands import BOARDS, COMMANDS, DOCTORS, TABLE, command
from tests.doors import Refused, Run, sentence
from tests.kept import PROJECT

ENDING = "_command.py"
LISTED = {**COMMANDS, **DOCTORS, **BOARDS}
HEAVY = ("cv2", "numpy", "pygame", "reportlab", "paho", "gpiozero", "PIL", "ssl", "asyncio", "multiprocessing")
MODULES = 150  # that `--help` may load; 119 with Python 3.11


def loaded_by(*lines: tuple[str, ...]) -> set[str]:
    """The modules of a process in which these command lines were run."""
    code = (
        "import sys; from companion.cli import main\n"
        f"for words in {lines!r}: main(words)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PROJECT, check=True)
    return set(done.stderr.splitlines()[-1].split())


def test_every_module_is_listed() -> None:
    files = {path.name.removesuffix(ENDING) for path in Path(commands.__file__).parent.glob(f"*{ENDING}")}
    assert files == {name.replace(" ", "_") for name in (*LISTED, TABLE)}


@pytest.mark.parametrize("name", LISTED)
def test_a_command_says_of_itself_what_the_list_says(name: str) -> None:
    found = command(name)
    assert (name, LISTED[name]) == (found.NAME, found.HELP)


@pytest.mark.parametrize("name", LISTED)
def test_the_list_and_the_command_show_the_same_line(name: str, run: Run) -> None:
    code, told, said = run(*name.split(), "--help")
    assert (code, said) == (0, "")
    assert told.startswith(f"usage: companion {name} [-h]")
    assert LISTED[name] in " ".join(told.split())
    _, of_all, _ = run(*name.split()[:-1], "--help")
    assert f"{name.rsplit(maxsplit=1)[-1]} {LISTED[name]}" in " ".join(of_all.split())


def test_the_list_loads_no_command() -> None:
    loaded = loaded_by(("--help",), ("--version",))
    assert "companion.commands.command_parser" in loaded
    assert not [name for name in loaded if name.startswith("companion.") and name.endswith("_command")]
    assert len(loaded) <= MODULES


def test_a_command_loads_no_other() -> None:
    loaded = {name for name in loaded_by(("rules", "--help")) if name.endswith("_command")}
    assert loaded == {"companion.commands.rules_command"}


def test_no_help_loads_what_is_heavy() -> None:
    assert not loaded_by(*((*name.split(), "--help") for name in LISTED)) & set(HEAVY)


def test_a_word_that_is_no_command(refused: Refused) -> None:
    assert refused("mathces").startswith("Argument COMMAND: invalid choice: 'mathces' (choose from 'referee', ")


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        ("cv2", ("print", "deck", "--to", "sheets")),
        ("cv2", ("watch", "simulated")),
        ("pygame", ("demo", "three", "--pictures", "pictures")),
        ("pygame", ("demo", "three", "--record", "film.gif")),
    ],
)
def test_a_missing_package_is_a_sentence(missing: str, words: tuple[str, ...], tmp_path: Path) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; sys.path.insert(0, {str(PROJECT)!r})\n"
    code += f"from companion.cli import main; sys.exit(main({words!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    said = f"The package {missing} is not installed or does not load: `make play` installs what is needed."
    assert (done.returncode, sentence(done.stderr)) == (2, said)


# --- late imports ----------------------------------------------------------------------------------------------

LATE = "# noqa: " + "PLC0415"
OF_OTHERS = ("companion/games/", "companion/display/screens/")


def test_late_imports_are_listed_with_their_reason() -> None:
    page = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = page.partition("## Late imports")[2].partition("## How")[0].splitlines()
    listed = {path for row in rows if row.startswith("| `") for path in re.findall(r"`([^`]+)`", row.split("|")[1])}
    files = (path.relative_to(PROJECT) for path in (PROJECT / "companion").rglob("*.py"))
    late = {str(path) for path in files if LATE in (PROJECT / path).read_text(encoding="utf-8").replace("F401, ", "")}
    assert {path for path in late if not path.startswith(OF_OTHERS)} == listed


# --- the version -----------------------------------------------------------------------------------------------


def test_the_version_is_told(run: Run) -> None:
    assert run("--version") == (0, f"companion {__version__}\n", "")


def test_the_version_of_the_package_is_that_of_the_tree() -> None:
    """It stands in one place, so that a tree that was never installed knows it too."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "companion.__version__"}
    try:
        assert version("table-companion") == __version__
    except PackageNotFoundError:
        pytest.skip("the tree is not installed")


def test_a_tree_that_is_not_installed_tells_its_version() -> None:
    """Without the packages of others, too."""
    code = f"import sys; sys.path.insert(0, {str(PROJECT)!r}); from companion.cli import main; main(['--version'])"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, cwd="/", check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"companion {__version__}\n", "")
