"""Texts fit: smaller first, then in more lines, and cut short only in the end."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.display.text_fit import ELLIPSIS, digits_size, digits_width, fitted, width_of


def test_what_fits_is_as_large_as_was_asked_for() -> None:
    fit = fitted("Anna", (400, 60), 40)
    assert (fit.lines, fit.size, fit.is_cut) == (("Anna",), 40, False)


def test_what_does_not_fit_is_made_smaller() -> None:
    fit = fitted("Anna has a long sentence to say", (200, 60), 40, least=8)
    assert fit.size < 40
    assert not fit.is_cut
    assert width_of(fit.lines[0], fit.size, fit.face) <= 200


def test_more_lines_keep_letters_larger() -> None:
    text = "Anna has a long sentence to say"
    one, two = fitted(text, (200, 60), 40, least=8), fitted(text, (200, 60), 40, least=8, lines=2)
    assert len(two.lines) == 2
    assert two.size > one.size


def test_what_fits_in_no_way_ends_with_dots() -> None:
    fit = fitted("Maximiliane-Josephine von Hohenfels", (90, 20), 30, least=14)
    assert fit.is_cut
    assert fit.lines[-1].endswith(ELLIPSIS)
    assert width_of(fit.lines[-1], fit.size, fit.face) <= 90


TEXTS = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=70)


@settings(max_examples=150)
@given(TEXTS, st.integers(30, 400), st.integers(20, 200), st.integers(1, 4))
def test_nothing_is_ever_wider_or_longer_than_its_box(text: str, width: int, height: int, lines: int) -> None:
    fit = fitted(text, (width, height), 48, least=12, lines=lines)
    assert len(fit.lines) <= lines
    assert all(width_of(line, fit.size, fit.face) <= width for line in fit.lines)
    assert fit.size == 12 or fit.height <= height + 1


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Counter-clockwise", ("Counter-", "clockwise")),
        ("Anna-Sophie-Charlotte", ("Anna-Sophie-", "Charlotte")),
        ("Ann-Bo", ("Ann-Bo",)),
        ("-12345678901234", ("-1234567890123", "4")),
    ],
)
def test_a_long_word_is_broken_at_its_hyphens(text: str, lines: tuple[str, ...]) -> None:
    assert fitted(text, (130, 60), 20, least=18, lines=3).lines == lines


def test_a_line_that_was_asked_for_is_kept() -> None:
    assert fitted("one\ntwo", (300, 100), 30, lines=3).lines == ("one", "two")
    assert fitted("one\ntwo", (300, 100), 30).lines == ("one two",)


def test_digits_fill_their_box_up() -> None:
    size = digits_size("0:00", (2000, 100), 900)
    assert 125 < size < 140  # a line of words would be 86
    assert digits_width("0:00", digits_size("0:00", (150, 1000), 900)) <= 150


def test_digits_are_never_wider_than_their_box() -> None:
    for text in ("0:00", "00:00", "0.0", "0:00:00"):
        for width in range(5, 1500):
            size = digits_size(text, (width, 2000), 900)
            assert size == 4 or digits_width(text, size) <= width


def test_another_digit_moves_nothing() -> None:
    assert len({digits_width(text, 60) for text in ("1:11", "8:40", "0:00")}) == 1
