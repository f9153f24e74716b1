"""The field files of Threepia: those that come along, and mistakes in those that users draw."""

from pathlib import Path

import pytest

from companion.core.errors import FieldError
from companion.games.threepia import fields
from companion.games.threepia.rules import LONGEST, SQUARE

GOOD = 'name = "Own"\nline = "row"\npicture = """\nAABB\nAABB\n"""\n'


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own.toml"


def test_all_fields_of_the_sheet_come_along() -> None:
    found = {fields.field(name).name for name in fields.names()}
    assert found == {"Square", "Fridge", "Windmill", "Worm", "X", "Snake", "L box"}


def test_the_square_needs_no_file() -> None:
    assert fields.field("square") == SQUARE


@pytest.mark.parametrize("name", fields.names())
def test_points_are_possible_on_each_place(name: str) -> None:
    field = fields.field(name)
    assert 3 <= field.longest <= LONGEST
    assert all(field.geometry.most)
    assert field.line == ("L" if field.name == "L box" else "row")


@pytest.mark.parametrize(
    ("name", "places", "longest"),
    [
        ("square", 4, 4),
        ("fridge", 6, 6),
        ("windmill", 4, 4),
        ("worm", 5, 6),
        ("x", 5, 6),
        ("snake", 5, 6),
        ("l-box", 8, 6),
    ],
)
def test_the_pictures(name: str, places: int, longest: int) -> None:
    field = fields.field(name)
    assert (len(field.places), field.longest) == (places, longest)


def test_a_field_of_ones_own(own: Path) -> None:
    own.write_text('name = "Steps"\nline = "L"\npicture = """\n......\n..bb\n..bbaa\n....aa\n"""\n', encoding="utf-8")
    field = fields.field(str(own))
    assert (field.name, field.line) == ("Steps", "L")
    assert field.places == (("a", 2, 1), ("b", 0, 0))


MISTAKES = {
    "not TOML": ("name = ", "it is not TOML"),
    "too deep": ("a = " + "[" * 5000, "it is not TOML"),
    "unknown key": (GOOD + 'colour = "red"\n', "the key 'colour' is unknown"),
    "no name": (GOOD.replace("name", "# name"), "the key 'name' is missing"),
    "empty name": (GOOD.replace("Own", " "), "the key 'name' is missing"),
    "name a number": (GOOD.replace('"Own"', "3"), "the key 'name' is missing or not a text"),
    "no picture": ('name = "Own"\nline = "row"\n', "the key 'picture' is missing"),
    "another line": (GOOD.replace('"row"', '"ring"'), "line is 'ring'"),
    "only dots": (GOOD.replace("A", ".").replace("B", "."), "no place for a card"),
    "a digit": (GOOD.replace("A", "1"), "line 1 of the picture has '1' at 1"),
    "a space": (GOOD.replace("AAB", "A B"), "line 1 of the picture has ' ' at 2"),
    "half a card": (GOOD.replace("AABB\nAABB", "AABB\nAA.B"), "the letter B, first seen in line 1 at 3"),
    "a bent card": (GOOD.replace("AABB\nAABB", ".AABB\nAA.BB"), "the letter A"),
    "two blocks": (GOOD.replace("AABB\nAABB", "AA.AA\nAA.AA"), "the letter A"),
    "a long line": (GOOD.replace("AABB", "AABBCCDD"), "line 1 of the picture has 8 symbols in a row"),
    "a long column": (GOOD.replace("AABB\nAABB", "\n".join("AABBCCDD")), "column 1 of the picture has 8 symbols"),
    "no row": (GOOD.replace("AABB", "AA.BB"), "no row of three"),
    "no L": (GOOD.replace("AABB", "AA.BB").replace("row", "L"), "no L of three"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gives_one_sentence(own: Path, mistake: str) -> None:
    content, says = MISTAKES[mistake]
    own.write_text(content, encoding="utf-8")
    with pytest.raises(FieldError) as error:
        fields.field(str(own))
    sentence = str(error.value)
    assert sentence.startswith(f"Field file {own}: ")
    assert says in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_a_file_that_cannot_be_read(own: Path, tmp_path: Path) -> None:
    with pytest.raises(FieldError, match="it cannot be read \\(No such file"):
        fields.field(str(own))
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    with pytest.raises(FieldError, match="it cannot be read"):
        fields.field(str(folder))
    with pytest.raises(FieldError, match="it cannot be read"):
        fields.field("a\0b.toml")


def test_a_file_that_is_no_text_or_too_large(own: Path) -> None:
    own.write_bytes(b'name = "\xff"\n')
    with pytest.raises(FieldError, match="byte 8 is not UTF-8"):
        fields.field(str(own))
    own.write_bytes(b"#" * 70000)
    with pytest.raises(FieldError, match="larger than"):
        fields.field(str(own))


def test_a_name_that_no_field_has() -> None:
    with pytest.raises(FieldError, match="There is no field 'circle'; the fields are fridge, l-box,"):
        fields.field("circle")
