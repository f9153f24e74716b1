"""The example of docs/display.md is a screen that works."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from companion.display.screens import SCREENS
from companion.words import Words
from tools.gallery.scenes import SIZES, shots

PAGE = Path(__file__).parents[2] / "docs" / "display.md"


def test_the_example_works_at_every_size() -> None:
    code = re.search(r"```python\n(\"\"\"Whose turn.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code
    names: dict[str, Any] = {}
    exec(code.group(1), names)
    for size in SIZES:
        view = next(shot.view for shot in shots(size, Words()) if shot.name == "anygame")
        assert len(names["scene"](view).items) >= 6


def test_every_file_of_the_package_is_in_the_table() -> None:
    text = PAGE.read_text(encoding="utf-8")
    package = PAGE.parents[1] / "companion" / "display"
    missing = [
        file.name for file in package.glob("*.py") if not file.name.startswith("__") and f"`{file.name}`" not in text
    ]
    assert missing == []


def test_every_screen_is_a_file() -> None:
    folder = PAGE.parents[1] / "companion" / "display" / "screens"
    assert {f"{module}.py" for module in SCREENS.values()} <= {file.name for file in folder.glob("*.py")}


def test_screens_are_put_together_without_pygame() -> None:
    code = (
        "import sys, companion.display.app, tools.gallery.scenes as g\n"
        "from companion.display.screens import scene\n"
        "from companion.words import Words\n"
        "[scene(shot.view) for shot in g.shots((800, 480), Words())]\n"
        "print([name for name in ('pygame', 'cv2', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
