"""A taught deck at a table: the match keeps its name, the camera reads it, and one that is gone stops nobody."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.clocks import SECOND
from companion.display.scene import ChangeTo, Go, GoOn, Scene, Start, Text
from companion.display.view import Prefs
from companion.games.triple3.hands import write_script
from hardware.wiring import Seat, Wiring
from simulator.rendered.rendered_table import SimulatedTable
from tests.display.camera import Mixed
from tests.teaching.decks import a_deck
from vision.reader import Reader
from vision.taught_deck import TaughtDeck

RING = Wiring(seats=tuple(Seat(button=pin, light=pin + 8) for pin in (4, 5)), keys={"stop": 21})


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    return tmp_path / "decks"


@contextmanager
def guests(folder: Path) -> Iterator[Mixed]:
    script = replace(write_script(3, players=2, plays=1, trouble={}), size=(640, 360), rate=5.0, length=60 * SECOND)
    found = Mixed(RING, lambda hour: lambda: SimulatedTable(script, start=hour.now), journal=folder / "journal.sqlite3")
    try:
        yield found
    finally:
        found.close()


def sit_down(found: Mixed) -> None:
    found.do(Go("players", "triple3"))
    found.do(Start())
    found.wait(0.5)


def said(scene: Scene) -> str:
    return " ".join(item.text for item in scene.all() if isinstance(item, Text))


def read_with(found: Mixed) -> str:
    """The deck of what watches; nothing for the printed one."""
    assert found.camera is not None
    found.camera.wait()
    found.wait(0.5)
    reader = found.camera._reader
    assert isinstance(reader, Reader)
    return "taught" if isinstance(reader._deck, TaughtDeck) else ""


def test_a_match_is_played_with_the_deck_that_was_chosen(kept: Path, tmp_path: Path) -> None:
    a_deck(kept)
    with guests(tmp_path) as found:
        found.app.take(ChangeTo(Prefs(decks={"triple3": "mine"})), found.hour.now)
        sit_down(found)
        assert found.app.match is not None
        assert found.app.match.setup.deck == "mine"
        assert read_with(found) == "taught"
        code = found.app.match.setup.id
        assert found.journal is not None
        assert found.journal.stored(code).setup.deck == "mine"
        found.do(Go("menu"))
        found.do(Go("games"))
        found.app.take(ChangeTo(Prefs()), found.hour.now)
        found.app.take(Go("match", code), found.hour.now)
        assert "Deck: mine" in said(found.app.scene)
        found.do(lambda intent: isinstance(intent, Go | GoOn) and intent in (Go("table"), GoOn(code)))
        assert read_with(found) == "taught", "whatever is chosen since"


@pytest.mark.parametrize("harm", ["deleted", "damaged", "of another game"])
def test_a_deck_that_cannot_be_read_is_told_and_the_printed_one_read(kept: Path, tmp_path: Path, harm: str) -> None:
    a_deck(kept)
    with guests(tmp_path) as found:
        found.app.take(ChangeTo(Prefs(decks={"triple3": "mine"})), found.hour.now)
        match harm:
            case "deleted":
                (kept / "mine.deck").unlink()
            case "damaged":
                (kept / "mine.deck").write_bytes(b"PK")
            case _:
                a_deck(kept, "mine", "three")
        sit_down(found)
        assert found.app.match is not None
        assert found.app.match.setup.deck == ""
        assert found.app.prefs.decks == {}
        assert "the printed one is read" in said(found.app.scene)
        assert read_with(found) == ""


def test_a_match_whose_deck_is_gone_goes_on_with_the_printed_one(kept: Path, tmp_path: Path) -> None:
    a_deck(kept)
    with guests(tmp_path) as found:
        found.app.take(ChangeTo(Prefs(decks={"triple3": "mine"})), found.hour.now)
        sit_down(found)
        assert found.app.match is not None
        code = found.app.match.setup.id
    (kept / "mine.deck").unlink()
    with guests(tmp_path) as found:
        found.do(GoOn(code))
        assert read_with(found) == ""
        notice = found.app.view.notice
        assert notice is not None
        assert notice.sentence == "The deck mine is not here any more: the printed one is read."
