"""What runs the attacks, and what it writes down; the attacks themselves are run by `make attack`."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.attacks import __main__ as running
from tests.attacks import page
from tests.attacks.attack import Attack, Ending, made


def test_each_attack_has_a_name_of_its_own() -> None:
    names = [(one.on, one.name) for one in running.known()]
    assert len(names) == len(set(names)) > 30


def test_one_that_harms_is_told_and_the_others_are_run(capsys: pytest.CaptureFixture[str]) -> None:
    def harms(_folder: Path) -> str:
        raise AssertionError("a ruling is lost")

    running.ALL[:] = [Attack("disk", "harms", harms), Attack("disk", "stands", lambda folder: f"{folder.is_dir()}")]
    harmed, stood = running.told(running.endings([0, 1], 1))
    assert (harmed.has_harmed, stood.has_harmed, stood.words) == (True, False, "True")
    said = capsys.readouterr().out
    assert said.startswith("HARMED")
    assert "a ruling is lost" in said


def test_one_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def hangs(_folder: Path) -> str:
        while True:
            pass

    monkeypatch.setattr("tests.attacks.attack.PATIENCE", 0.05)
    assert made(Attack("disk", "hangs", hangs)).has_harmed


def test_the_page_has_what_was_found() -> None:
    found = [
        Ending("disk", "full", "stood|<by>\nitself", 1.0, has_harmed=False),
        Ending("broker", "hangs", "a traceback", 2.0, has_harmed=True),
    ]
    text = page.written(f"before\n{page.BEGIN}\nold\n{page.END}\nafter\n", found, "Today.")
    assert "old" not in text
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "2 attacks, 1 of them harmed. Today." in text
    assert text.index("| broker | hangs | **it harmed** |") < text.index("| disk | full | stood\\|&lt;by> itself |")


def test_the_pages_have_their_marks() -> None:
    for path in (page.SECURITY, page.RELIABILITY):
        page.written(path.read_text(encoding="utf-8"), [], "")


def test_some_of_them_and_all_but_some(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    attacks = [Attack("disk", "full", str), Attack("disk", "gone", str), Attack("broker", "hangs", str)]
    monkeypatch.setattr(running, "known", lambda: attacks)
    monkeypatch.setattr(page, "RESULTS", tmp_path / "cache" / "results.json")

    def made_of(*words: str) -> list[str]:
        told: list[Ending] = []

        def kept(found: Iterable[Ending]) -> list[Ending]:
            told[:] = found
            return told

        monkeypatch.setattr(running, "told", kept)
        running.main([*words, "--one"])
        return [one.name for one in told]

    assert made_of("disk:") == ["full", "gone"]
    assert made_of("--but", "disk:") == ["hangs"]
    assert made_of("disk:", "--but", "gone") == ["full"]
    assert made_of() == ["full", "gone", "hangs"]
