"""Marks stand as the language of the table wants them, also where a screen puts two texts together."""

import re

from companion.display.screens import scene
from companion.display.text_fit import fitted
from companion.words import Words
from tools.gallery.scenes import SIZES, shots

ENGLISH = ("doctor", "settings", "sheet")  # screens that show what the machine has said
COLON = re.compile(r"(?<=[\w)]): ")


def test_french_has_a_space_before_its_colons() -> None:
    for size in SIZES[::3]:
        for shot in shots(size, Words("fr")):
            if not shot.name.startswith(ENGLISH):
                said = [getattr(item, "text", "") or getattr(item, "label", "") for item in scene(shot.view).all()]
                assert [text for text in said if COLON.search(text)] == [], shot.name


def test_no_line_begins_with_dots() -> None:
    for width in range(60, 200, 4):
        lines = fitted("Something else …", (width, 60), 16, lines=3).lines
        assert not any(line.startswith("…") for line in lines), width
