"""Files that others made are opened in one way: what else is opened, where, and why that may be."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.display.remembered import UNREADABLE, Remembered
from companion.publishing.wish import Publish, PublishError, password_of
from tests.attacks import files

PROJECT = Path(__file__).parents[1]
OPENS = ("open", "read_text", "read_bytes", "VideoCapture", "imread", "load_verify_locations")
OTHER_OPENS = ("Journal.", "wave.", "plainfile.", "places.")
NOT_TO_READ = ("wb", "xb", "os.O_WRONLY", "os.devnull")

ALLOWED = {
    "companion/core/plainfile.py": ("opened",),  # the one way
    # of the system
    "companion/doctor/bundle.py": ("_first", "_lines"),
    "companion/devices/disk.py": ("ask", "_mounted", "unmounted"),
    "companion/devices/machine.py": ("is_pi",),
    "companion/publishing/wish.py": ("_letters",),
    "companion/devices/connectors.py": ("connected",),
    "companion/devices/board_page.py": ("_listening",),
    "vision/webcam.py": ("__init__", "_must_open", "_name"),
    # in the process that is there for it
    "vision/decoding.py": ("_opened",),
    # that came with the program, or that it has just written
    "companion/display/typeface.py": ("font_file",),
    "companion/words/catalogue.py": ("opened",),
    "companion/display/film.py": ("mp4", "_count"),
    "companion/devices/lock.py": ("only_one",),
    # inside of a file that has been read
    "vision/deck_file.py": ("_part",),
    # folders, to make them lasting or to be alone there
    "companion/core/wholefile.py": ("keep_names",),
    "companion/journal/backup.py": ("_last", "_alone_in"),
}
ROOMS = ("companion/journal/", "companion/journal/salvage.py", "tools/train/")  # a journal is looked at by its own room


def openings(path: Path) -> Iterator[tuple[str, str]]:
    """The functions that read something, and the calls by which they do."""
    text = path.read_text(encoding="utf-8")
    if not any(f"{name}(" in text for name in OPENS):
        return
    tree = ast.parse(text)
    functions = [found for found in ast.walk(tree) if isinstance(found, ast.FunctionDef)]
    calls = [found for found in ast.walk(tree) if isinstance(found, ast.Call) and _name(found) in OPENS]
    for call in calls:
        said = ast.unparse(call)
        if not said.startswith(OTHER_OPENS) and not any(map(said.count, NOT_TO_READ)):
            inside = [one for one in functions if one.lineno <= call.lineno <= (one.end_lineno or 0)]
            yield inside[-1].name if inside else "", said


def _name(call: ast.Call) -> str:
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def test_nothing_else_is_opened() -> None:
    found = []
    for room in ("companion", "hardware", "simulator", "vision"):
        for path in sorted((PROJECT / room).rglob("*.py")):
            place = str(path.relative_to(PROJECT))
            if not place.startswith(ROOMS):
                allowed = ALLOWED.get(place, ())
                found += [f"{place}, {name}: {said}" for name, said in openings(path) if name not in allowed]
    assert found == [], "read it by companion/core/plainfile.py"


@pytest.mark.parametrize("make", files.MAKES.values(), ids=files.MAKES)
def test_preferences_and_passwords_that_are_no_files(tmp_path: Path, make: files.Make) -> None:
    path = tmp_path / "thing"
    make(path)
    remembered = Remembered(path)
    assert remembered.notice == UNREADABLE or "reset" in remembered.notice
    with pytest.raises(PublishError, match="The file with the password"):
        password_of(Publish(host="localhost", user="a", password_file=str(tmp_path / "thing")))


def test_a_pipe_holds_nobody_up(tmp_path: Path) -> None:
    """By the real program; the others are in tests/attacks/files.py."""
    assert "it is a pipe" in files.through("a match that is imported", files.a_pipe)(tmp_path)
