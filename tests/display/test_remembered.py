"""Preferences from one evening to the next; whatever stands in their file, people can play."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from companion.core import wholefile as whole
from companion.display.app import App
from companion.display.remembered import Remembered, beside
from companion.display.scene import ChangeTo
from companion.display.view import Prefs
from tests.teaching.decks import a_deck

OTHER = Prefs("bright", "fr", around=True, volume=3, speech=True, decks={"triple3": "mine"})


def test_beside_the_journal() -> None:
    assert beside(Path("/somewhere/journal.sqlite3")) == Path("/somewhere/preferences.json")


def test_nothing_is_known_at_first(tmp_path: Path) -> None:
    found = Remembered(tmp_path / "new" / "preferences.json")
    assert (found.prefs, found.notice) == (Prefs(), "")
    assert not (tmp_path / "new").exists()


def test_every_preference_comes_back(tmp_path: Path) -> None:
    file = tmp_path / "new" / "preferences.json"
    assert Remembered(file).keep(OTHER) == ""
    assert Remembered(file).prefs == OTHER
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_what_has_not_changed_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Remembered(tmp_path / "preferences.json")
    kept.keep(OTHER)
    monkeypatch.setattr(whole, "write", None)
    assert kept.keep(OTHER) == ""


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00\xff", b"{", b"[]", b"7", b'"dark"', b"[" * 200_000, b'{"theme": "dark"' + b" " * 70_000 + b"}"],
    ids=range(8),
)
def test_a_damaged_file_is_kept_aside(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "preferences.json"
    file.write_bytes(content)
    found = Remembered(file)
    assert found.prefs == Prefs()
    reset = "The settings were damaged and have been reset; the old ones are kept in preferences.json.bad."
    assert found.notice == reset
    assert (tmp_path / "preferences.json.bad").read_bytes() == content
    assert Remembered(file).notice == ""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("theme", "pink"), ("theme", 1), ("theme", None), ("theme", ["dark"])),
        *(("language", "xx"), ("language", "DE"), ("language", {})),
        *(("around", 1), ("around", "yes"), ("volume", 11), ("volume", -1), ("volume", True), ("volume", 2.5)),
        *(("volume", 10**30), ("speech", None), ("brightness", 3), ("decks", "mine"), ("decks", {"chess": "mine"})),
        *(("decks", {"triple3": ""}), ("decks", {"triple3": 3}), ("decks", {"triple3": "a\nb"})),
    ],
)
def test_what_cannot_be_is_as_at_first_and_the_rest_stays(name: str, value: Any, tmp_path: Path) -> None:
    file = tmp_path / "preferences.json"
    file.write_text(json.dumps({**asdict(OTHER), name: value}))
    found = Remembered(file)
    usual = {name: getattr(Prefs(), name)} if hasattr(Prefs(), name) else {}
    assert found.prefs == replace(OTHER, **usual)
    assert found.notice == f"The settings had something unknown, which has been reset: {name}."
    assert json.loads((tmp_path / "preferences.json.bad").read_text())[name] == value


def test_an_older_file_with_fewer_preferences(tmp_path: Path) -> None:
    file = tmp_path / "preferences.json"
    file.write_text('{"theme": "bright"}')
    found = Remembered(file)
    assert (found.prefs, found.notice) == (Prefs("bright"), "")


@pytest.mark.parametrize("is_there", [True, False])
def test_a_deck_chosen_when_there_was_one_for_all_games(
    is_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path))
    if is_there:
        a_deck(tmp_path, "mine", "threepia")
    file = tmp_path / "preferences.json"
    file.write_text('{"theme": "bright", "deck": "mine"}')
    found = Remembered(file)
    assert (found.prefs, found.notice) == (Prefs("bright", decks={"threepia": "mine"} if is_there else {}), "")


def test_a_folder_that_cannot_be_written_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    kept = Remembered(tmp_path / "file" / "preferences.json")
    until = "they last until the table is closed"
    assert kept.keep(OTHER) == f"The settings cannot be saved in {tmp_path / 'file'}: {until}."
    assert kept.keep(Prefs("bright")) == ""


def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "preferences.json").mkdir()
    found = Remembered(tmp_path / "preferences.json")
    assert found.prefs == Prefs()
    assert found.notice == "The settings cannot be read: everything has been reset."
    assert found.keep(OTHER)


# --- at the app ------------------------------------------------------------------------------------------------


def test_the_app_begins_with_them_and_keeps_them(tmp_path: Path) -> None:
    file = tmp_path / "preferences.json"
    app = App((800, 480), remember=Remembered(file))
    app.take(ChangeTo(OTHER), 0)
    assert (app.view.notice, app.words.language) == (None, "fr")
    later = App((800, 480), remember=Remembered(file))
    assert (later.prefs, later.words.language) == (OTHER, "fr")


def test_the_app_says_what_is_wrong_with_them_in_the_language_of_the_table(tmp_path: Path) -> None:
    file = tmp_path / "preferences.json"
    file.write_text('{"language": "de", "theme": "pink"}')
    notice = App((800, 480), remember=Remembered(file)).view.notice
    assert notice is not None
    assert notice.sentence == "In den Einstellungen stand Unbekanntes, das zurückgesetzt ist: theme."


def test_the_app_goes_on_where_they_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    app = App((800, 480), remember=Remembered(tmp_path / "file" / "preferences.json"))
    app.take(ChangeTo(OTHER), 0)
    notice = app.view.notice
    assert notice is not None
    assert "tmp" in notice.sentence or str(tmp_path) in notice.sentence
    app.take(ChangeTo(Prefs("contrast")), 1)
    assert app.prefs.theme == "contrast"
