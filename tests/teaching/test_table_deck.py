"""Which deck a table's camera reads, and what is said where it cannot be read."""

from pathlib import Path

import pytest

from companion.core.errors import CompanionError
from companion.core.sentence import Sentence
from companion.teaching.table_deck import chosen_deck, deck_at_table
from tests.doors import Run
from tests.teaching.decks import a_deck


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    return tmp_path / "decks"


def test_a_deck_is_chosen_by_its_name_or_its_file(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_deck(kept)
    a_deck(tmp_path / "stick", "theirs")
    assert chosen_deck("triple3") == ("triple3", "")
    assert chosen_deck("mine") == ("triple3", "mine")
    monkeypatch.chdir(tmp_path)
    assert chosen_deck("stick/theirs.deck") == ("triple3", str(tmp_path / "stick" / "theirs.deck"))


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("nix", "there is no such deck"),
        ("./nix.deck", "there is no such file"),
        ("cut", "cut short or damaged"),
    ],
)
def test_a_deck_that_no_table_reads_is_a_sentence(run: Run, kept: Path, word: str, said: str) -> None:
    kept.mkdir()
    (kept / "cut.deck").write_bytes(b"PK")
    code, _, told = run("--deck", word)
    assert code == 2
    assert said in told
    assert told.count("\n") == 1


def test_a_match_finds_its_deck_wherever_that_was_chosen(kept: Path, tmp_path: Path) -> None:
    a_deck(kept)
    elsewhere = tmp_path / "theirs.deck"
    a_deck(tmp_path, "theirs")
    assert deck_at_table("mine", "", "triple3").name == "mine"
    assert deck_at_table("theirs", str(elsewhere)).name == "theirs"
    assert deck_at_table(str(elsewhere), str(elsewhere)).name == "theirs"


def why(asked: str, chosen: str = "", playing: str = "") -> Sentence:
    with pytest.raises(CompanionError) as error:
        deck_at_table(asked, chosen, playing)
    found = error.value.sentence
    assert isinstance(found, Sentence), "it can be said in any language"
    return found


def test_a_deck_that_is_gone_damaged_or_of_another_game_is_a_sentence(kept: Path, tmp_path: Path) -> None:
    assert "mine is not here any more" in why("mine")
    assert "theirs is not here any more" in why(str(tmp_path / "theirs.deck"))
    a_deck(kept, "other")
    assert "mine is not here any more" in why("mine", "other")
    (kept / "mine.deck").write_bytes(b"PK")
    assert "mine cannot be read any more" in why("mine")
    a_deck(kept, "dogs", "three")
    assert why("dogs", "dogs", "triple3") == "The deck dogs is one of Three!: the printed one is read."
