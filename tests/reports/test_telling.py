"""A match told in lines, in every language: cards by their names, and nothing of a running match that is a secret."""

import re
from pathlib import Path

import pypdfium2
import pytest

from companion.cli import main
from companion.core.entry import Abandoned, Made
from companion.core.match import Match, set_up
from companion.games.three import rules as three
from companion.journal import Journal, Stored
from companion.reports.ending import thrown_away
from companion.reports.entries import steps
from companion.reports.logbook import step_lines
from companion.reports.summary import sheet
from companion.reports.telling import telling_of
from companion.words import LANGUAGES, Words
from tests.kept import keep
from tests.recorded import NAMES, recorded

COLOURS = "red|blue|yellow|green|purple|orange|white|black"
SHAPES = "circle|diamond|plus|star|square|cross|triangle"
CODE = re.compile(rf"\b(({COLOURS})-(({SHAPES})|\d)|({SHAPES})-({COLOURS})|plus3)\b")


def lines_of(match: Match, language: str) -> list[str]:
    words = Words(language)
    telling = telling_of(match, words)
    lines = [telling.ruling_line(number, done.move, done.ruling) for number, done in enumerate(match.line, 1)]
    return [*lines, telling.how_it_ended(match), *thrown_away(match, words)]


def stored(match: Match, *more: Abandoned) -> Stored:
    return Stored(match.setup, (*(Made(done.move) for done in match.line), *more), 0, 0, "")


@pytest.mark.parametrize("name", NAMES)
def test_cards_have_names_in_every_language(name: str) -> None:
    match = recorded(name)
    sheets = [line for language in ("en", "fr") for line in sheet(stored(match), Words(language)).splitlines()]
    for language in LANGUAGES:
        for line in (*lines_of(match, language), *sheets):
            assert not CODE.search(line), line
            assert not {"{", "}"} & set(line), line


@pytest.mark.parametrize("name", NAMES)
def test_no_line_is_left_in_english(name: str) -> None:
    match = recorded(name)
    english = lines_of(match, "en")
    for language in ("de", "fr", "it", "es", "pt", "nl"):
        told = lines_of(match, language)
        same = [line for line, other in zip(english, told, strict=True) if line == other]
        assert not same


def test_a_card_is_said_as_the_catalogue_has_it() -> None:
    english, german = (" ".join(lines_of(recorded("triple3-out"), language)) for language in ("en", "de"))
    assert re.search(rf"(?i)({COLOURS}) ({SHAPES}) [0-3] on cell", english)
    assert re.search(r"(Rot|Blau|Lila|Gelb)e[rs]? (Kreis|Raute|Plus|Stern) [0-3] auf Feld", german)


def a_running_match() -> Match:
    match = Match(set_up(three.GAME, ["Anna", "Ben"], three.House(rearm=0), match_id="runs"))
    match.make(three.Begin("Anna"))
    for turn, (player, dog) in enumerate([("Anna", "Sky"), ("Ben", "Snow"), ("Anna", "Honey"), ("Ben", "Ember")], 1):
        match.make(three.Play(player, dog, at=turn))
    return match


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_running_match_keeps_its_secrets(language: str) -> None:
    match, words = a_running_match(), Words(language)
    kept = stored(match)
    told = "\n".join([*lines_of(match, language), *sheet(kept, words).splitlines()[3:]])
    told += "\n".join(
        line for step in steps(kept.setup, kept.entries) for line in step_lines(step, telling_of(match, words))
    )
    assert not re.search("Sky|Snow|Honey|Ember", told)
    over = sheet(stored(match, Abandoned(9, "")), words)
    assert "Sky" in over
    assert "Snow" in over


# --- the commands ----------------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "journal.sqlite3"
    monkeypatch.setenv("COMPANION_JOURNAL", str(found))
    match = recorded("tres-out")
    with Journal.open(found) as journal:
        keep(journal, match.setup, [Made(done.move) for done in match.line])
    return found


@pytest.mark.usefixtures("path")
def test_a_replay_and_a_sheet_in_the_language_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    match = recorded("tres-out")
    code = match.setup.id
    assert main(["replay", code, "--language", "de"]) == 0
    assert capfd.readouterr().out.splitlines() == lines_of(match, "de")
    assert main(["replay", code, "--entries", "--language", "fr"]) == 0
    assert "Coup 1\u00a0:" in capfd.readouterr().out
    assert main(["export", code, "--sheet", "--language", "nl"]) == 0
    assert "gewonnen" in capfd.readouterr().out
    for command in (["replay", code], ["export", code, "--sheet"]):
        assert main([*command, "--language", "xx"]) == 2
        assert "Nobody here speaks 'xx'" in capfd.readouterr().err


def test_a_sheet_in_a_pdf_is_a_page(path: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    match = recorded("tres-out")
    file = tmp_path / "fridge.pdf"
    assert main(["export", match.setup.id, "--sheet", "--output", str(file), "--language", "de"]) == 0
    text = pypdfium2.PdfDocument(file)[0].get_textpage().get_text_range()
    assert "Dario gewinnt!" in text
    with Journal.open(path) as journal:
        keep(journal, a_running_match().setup, [Made(done.move) for done in a_running_match().line])
    assert main(["export", "runs", "--sheet", "--output", str(tmp_path / "not.pdf")]) == 2
    assert "still runs" in capfd.readouterr().err
    assert not (tmp_path / "not.pdf").exists()
