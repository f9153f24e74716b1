"""The texts that pybabel finds, the catalogues with their translations, and what the tool says of them."""

import io
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from companion.games import NAMES, game
from companion.words import LANGUAGES, catalogue
from companion.words.blanks import blanks
from tests.said import short_texts
from tools import translations
from tools.translations import ROOT, complaints, extract, main, po_of, texts, unmarked


def extracted(folder: Path, root: Path) -> dict[str, tuple[str, ...]]:
    extract(folder / "companion.pot", root)
    return texts(folder / "companion.pot")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, ...]]:
    return extracted(tmp_path_factory.mktemp("template"), ROOT)


# --- the catalogues --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogue_is_complete_and_sound(language: str, found: dict[str, tuple[str, ...]]) -> None:
    """If this fails: `make words` brings the catalogues up to date and says what is missing."""
    assert list(complaints(language, translations.translations(language), found)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_shipped_was_compiled_from_what_is_edited(language: str) -> None:
    """If this fails: `make words` compiles the catalogues."""
    compiled = io.BytesIO()
    with po_of(language).open("rb") as file:
        write_mo(compiled, read_po(file, locale=language, abort_invalid=True))
    assert catalogue.file_of(language).read_bytes() == compiled.getvalue()


def test_every_text_is_found(found: dict[str, tuple[str, ...]]) -> None:
    """If this fails: a text stands where pybabel does not find it, or has no N_."""
    assert list(unmarked(found, ROOT)) == []


def test_every_label_is_found(found: dict[str, tuple[str, ...]]) -> None:
    said = {text for value in short_texts() for text in texts_in(value)}
    assert said - set(found) == set()


def texts_in(value: object) -> set[str]:
    match value:
        case str():
            return {value}
        case tuple():
            return set().union(*map(texts_in, value))
        case dict():
            return texts_in(tuple(value.values()))
    return set()


@pytest.mark.parametrize("name", NAMES)
def test_every_text_of_a_game_is_found(name: str, found: dict[str, tuple[str, ...]]) -> None:
    playing = game(name)
    told = [text for kind in playing.events for text in (kind.text, kind.open_text, kind.won_by) if text != "{reason}"]
    said = {playing.summary, *told, *(move.doing for move in playing.moves)} - {""}
    assert said - set(found) == set()


# --- what the tool says ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ({}, "de: missing: {player} draws {cards:card|cards}."),
        ({"Gone": "Weg"}, "de: unused: Gone"),
        ({"{player} draws {cards:card|cards}.": "{player} zieht."}, "other blanks"),
        ({"{player} draws {cards:card|cards}.": "{player} zieht {cards}"}, "another ending"),
        ({"{player} draws {cards:card|cards}.": "{player} zieht the {cards}."}, "English word 'the'"),
        ({"{player} draws {cards:card|cards}.": "{player} zieht {cards} ..."}, "typed otherwise than printed"),
        ({"{player} draws {cards:card|cards}.": "{player} zieht {cards}. "}, "a space at an end"),
        ({"{player} draws {cards:card|cards}.": "{player} draws {cards:card|cards}."}, "left in English"),
    ],
)
def test_checks_find_what_is_wrong(said: dict[str, str], complaint: str) -> None:
    wanted = ["{player} draws {cards:card|cards}."]
    assert any(complaint in found for found in complaints("de", said, wanted))


@pytest.mark.parametrize(
    ("language", "said", "complaint"),
    [
        ("de", "Rücke die Kamera näher heran.", "'Rücke' speaks to one alone"),
        ("de", "Rückt die Kamera näher heran.", ""),
        ("de", "Bitte rücken Sie die Kamera näher heran.", "a formal 'Sie'"),
        ("fr", "Prends une autre lampe.", "'Prends' speaks to one alone"),
        ("fr", "Regardez ton tas.", "'ton' speaks to one alone"),
        ("fr", "Elle n'est plus là.", "typed otherwise than printed"),
        ("es", "Usted acerca la cámara.", "a formal 'Usted'"),
        ("pt", "Aproxima a câmara.", "'Aproxima' speaks to one alone"),
    ],
)
def test_the_table_is_spoken_to_as_a_family_is(language: str, said: str, complaint: str) -> None:
    found = list(
        complaints(language, {"Bring it nearer.": said}, {"Bring it nearer.": ("companion/doctor/health.py",)})
    )
    assert [one for one in found if complaint in one] if complaint else found == []


def test_one_player_is_spoken_to_alone() -> None:
    found = {"Click the pile.": ("companion/games/threepia/spread.py",)}
    assert list(complaints("de", {"Click the pile.": "Klick auf deinen Stapel."}, found)) == []


def test_french_has_its_spaces() -> None:
    for good in ("Prêts ?", "Prêts\u00a0?", "« oui »"):
        wrong = [one for one in complaints("fr", {"Ready?": good}, ["Ready?"]) if "no-break" in one]
        assert bool(wrong) == (good != "Prêts\u00a0?"), good


def test_blanks_are_found_within_forms() -> None:
    assert blanks("{n:one {card}|{n} cards} of {player}") == {"n", "card", "player"}


# --- the command -----------------------------------------------------------------------------------------------


PO = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"

msgid "Start"
msgstr "Los geht’s"

msgid "Gone"
msgstr "Weg"
"""


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one file in one language."""
    written(tmp_path, "companion/one.py", 'START = N_("Start")\nBACK = N_("Back")\n')
    monkeypatch.setattr(translations, "ROOT", tmp_path)
    monkeypatch.setattr(translations, "LANGUAGES", ("de",))
    monkeypatch.setattr(catalogue, "LOCALE", tmp_path / "locale")
    written(tmp_path, "locale/de/LC_MESSAGES/companion.po", PO)
    return tmp_path


@pytest.mark.usefixtures("small")
def test_command_brings_catalogues_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "de: unused: Gone",
        "de: missing: Back",
        "2 texts in 1 languages, 2 complaints",
    ]
    assert translations.translations("de") == {"Start": "Los geht’s", "Gone": "Weg", "Back": ""}
    assert catalogue.opened("de").gettext("Start") == "Los geht’s"
    assert catalogue.opened("de").gettext("Gone") == "Gone"
    main(["--drop"])
    assert "Gone" not in translations.translations("de")


@pytest.mark.usefixtures("small")
def test_command_checks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 1
    assert "de: missing: Back" in capsys.readouterr().out
    assert po_of("de").read_text("utf-8") == PO
    assert not catalogue.file_of("de").exists()


def test_command_is_content_where_all_is_said(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(small, "companion/one.py", 'GONE = N_("Gone")\nSTART = N_("Start")\n')
    assert main([]) == 0
    assert capsys.readouterr().out == "2 texts in 1 languages, 0 complaints\n"


# --- finding ---------------------------------------------------------------------------------------------------


def written(folder: Path, where: str, source: str) -> None:
    (folder / where).parent.mkdir(parents=True, exist_ok=True)
    (folder / where).write_text(source, "utf-8")


def test_finds_what_stands_in_a_keyword(tmp_path: Path) -> None:
    source = '''"""About this file."""
NAMES = {"key": N_("This one.")}
class Dealt(Event):
    text: ClassVar[str] = N_("Dealt!")
def rule(state, words):
    words.say("Yes, {who}.", who="Mr Nobody")
    raise Foul("code", move.player, "{player} lost a card: {dog}.", dog=state.dog)
def why(it):
    return Sentence(N_("It fails: {why}.") if it else N_("It fails."), why=Sentence("of {age}", age=it.age))
'''
    written(tmp_path, "hardware/one.py", source)
    wanted = {"This one.", "Dealt!", "Yes, {who}.", "{player} lost a card: {dog}.", "It fails: {why}.", "It fails."}
    found = extracted(tmp_path, tmp_path)
    assert found == dict.fromkeys(wanted | {"of {age}"}, ("hardware/one.py",))
    assert list(unmarked(found, tmp_path)) == []


def test_a_sentence_that_is_put_together_is_told(tmp_path: Path) -> None:
    """Nobody could say it in another language."""
    written(tmp_path, "hardware/one.py", 'LOG = f"not {this} one"\nSentence(f"At most {most} players.")\n')
    assert list(unmarked((), tmp_path)) == ["hardware/one.py:2: a sentence is put together here: give it blanks"]


@pytest.mark.parametrize(
    "source", ['Sentence("It fails." if it else "It works.")', 'words.say("{a}", a=shown(words.say("It fails.")))']
)
def test_what_pybabel_does_not_find_is_told(source: str, tmp_path: Path) -> None:
    written(tmp_path, "vision/one.py", source)
    told = list(unmarked(extracted(tmp_path, tmp_path), tmp_path))
    assert "vision/one.py:1: pybabel does not find this, mark it with N_: It fails." in told


@pytest.mark.parametrize("where", ["companion/games/one/rules.py", "companion/games/one/rules/events.py"])
def test_a_sentence_of_the_rules_without_a_mark_is_told(where: str, tmp_path: Path) -> None:
    source = '''"""A game of cards."""
KEY = "a-key"
TEXT = "{player} has won."
WHY = f"{card} has gone to {pile}"
def rule(state):
    raise ValueError(f"{state} is of no match")
'''
    written(tmp_path, where, source)
    assert [line.partition(".py:")[2] for line in unmarked((), tmp_path)] == [
        "3: pybabel does not find this, mark it with N_: {player} has won.",
        "4: a sentence is put together here: give it blanks",
    ]


@pytest.mark.parametrize("pattern", translations.ALL_SAID)
def test_what_is_looked_at_by_name_is_there(pattern: str) -> None:
    """A file that was renamed is noticed."""
    assert list(ROOT.glob(pattern))
