"""Names in any script are drawn right, and what no font has is drawn too."""

import struct
import unicodedata
from pathlib import Path

import pygame
import pytest

from companion.display import typeface
from companion.display.pieces import written
from companion.display.text_fit import fitted, width_of
from companion.display.typeface import BOLD, REGULAR, FontRun, font, letters_of, runs
from companion.words import LANGUAGES
from tests.said import said_in

INK = (255, 255, 255)
ODD = (
    "😀🦊",
    "👩‍👩‍👧 and 👍🏽",
    "漢字",
    "\u200b",
    "\u2800",
    "\u3164\u3164",
    "a\x07b",
    "\U0001e900",
    "𐍈",
    "e\u0301\u0323\u0321",
    "\ue0ff",
    "\u0301",
)
PIECES = (
    "Anna",
    "Βασίλης",
    "Ольга",
    "שלום",
    "שָׁלוֹם",
    "محمد علي",
    "नमस्ते",
    "ไทย",
    "3",
    "(",
    ")",
    "🦊",
    "♥",
    "\u2068",
    "\u2069",
)


def of(text: str, face: str = REGULAR) -> list[str]:
    return [run.text for run in runs(text, face)]


@pytest.fixture(autouse=True)
def _only_our_own_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine has."""
    monkeypatch.setattr(typeface, "_SYSTEM", ())
    monkeypatch.setattr(typeface, "_NOTO", Path("/nowhere"))
    typeface._of_its_script.cache_clear()
    typeface.others.cache_clear()
    runs.cache_clear()


@pytest.mark.parametrize("face", [REGULAR, BOLD])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_of_every_language_is_in_both_fonts(language: str, face: str) -> None:
    said = "".join(f"{text}{told}" for text, told in said_in(language).items()) + "ΑΩαωάΆ АЯая ẾỗữĐ Þðß …„“«»‘’–×³"
    assert {letter for letter in said if letter.isprintable() and ord(letter) not in letters_of(face)} == set()


def test_names_from_right_to_left_stand_so_with_their_letters_joined() -> None:
    assert of("محمد") == ["دمحم"]
    assert runs("محمد", BOLD)[0].script == "Arab"
    joined = pygame.mask.from_surface(written("محمد", 100, BOLD, INK))
    assert len(joined.connected_components(minimum=20)) == 1


def test_letters_that_reach_low_are_whole() -> None:
    """The dots of the last letter lie below what is usual, beside another word as well."""
    alone, beside = (written(text, 100, REGULAR, INK).get_bounding_rect().bottom for text in ("علي", "محمد علي"))
    assert alone == beside > font(100).get_height()


def test_a_name_keeps_its_place_in_a_sentence() -> None:
    assert "".join(of("محمد 3, שלום 4: Ben (2)")) == "دمحم 3, םולש 4: Ben (2)"
    assert "".join(of("محمد علي won")) == "يلع دمحم won"
    assert "".join(of("Ben, \u2068דוד\u2069 · 12 (דוד 3 בן)")) == "Ben, דוד · 12 (ןב 3 דוד)"


def test_marks_stay_with_their_letters() -> None:
    shown = "".join(of("שָׁלוֹם"))
    bases = [letter for letter in shown if not unicodedata.combining(letter)]
    assert bases == list("םולש")
    assert shown.endswith("ש\u05b8\u05c1")


@pytest.mark.parametrize("text", ODD)
def test_nothing_is_drawn_blank_and_no_letter_is_left_out_by_a_font(text: str) -> None:
    drawn = written(text, 40, REGULAR, INK)
    assert pygame.mask.from_surface(drawn).count() > 20
    assert drawn.get_width() == width_of(text, 40, REGULAR)
    for run in runs(text, REGULAR):
        assert not run.face or {ord(letter) for letter in run.text if letter != "\u200d"} <= letters_of(run.face)


def test_what_no_font_has_is_told_apart() -> None:
    assert runs("🦊", BOLD) == (FontRun("🦊", ""),)
    fox, bear = (pygame.image.tobytes(written(one, 40, BOLD, INK), "RGBA") for one in "🦊🐻")
    assert fox != bear


def test_a_script_may_have_its_own_font(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As Debian's fonts-noto-core has them; one that is damaged is as none."""
    monkeypatch.setattr(typeface, "_NOTO", tmp_path)
    monkeypatch.setattr(typeface, "_SYMBOLS", ())
    tile, file = "\U0001f000", tmp_path / "NotoSansMahjong-Regular.ttf"
    file.write_bytes(typeface.font_file("NotoSansSymbols2_Regular"))
    assert runs(f"{tile} Ann", BOLD)[0] == FontRun(tile, str(file))
    (tmp_path / "NotoSansTamil-Regular.ttf").write_bytes(bytes(300))
    assert runs("தமிழ்", BOLD)[0].face == ""


def test_a_hundred_odd_names_fit_their_box() -> None:
    for number in range(100):
        text = " ".join(PIECES[number * step % len(PIECES)] for step in (1, 2, 3, 5, 7, 11))
        fit = fitted(text, (200, 60), 30, lines=2)
        assert all(width_of(line, fit.size, fit.face) <= 200 for line in fit.lines)
        assert all(written(line, fit.size, fit.face, INK).get_width() <= 200 for line in fit.lines)


def test_a_font_says_which_letters_it_has_in_either_form() -> None:
    """FiraGO's table is of the first form; one with later planes is of the second."""
    group = struct.pack(">HHIIIIII", 12, 0, 28, 0, 1, 0x1F600, 0x1F602, 1)
    assert list(typeface._all(group, 0)) == [0x1F600, 0x1F601, 0x1F602]
    assert ord("a") in letters_of(REGULAR)
    assert 0x1F600 not in letters_of(REGULAR)
    assert unicodedata.name(chr(max(letters_of("NotoSansSymbols2_Regular")))).startswith(
        ("SYMBOL", "BLOCK", "SEGMENTED")
    )
