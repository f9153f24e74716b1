"""What the rig makes of an act that fails: a row, evidence in a folder that is named, and the next act all the same."""

from pathlib import Path
from typing import Any

import pytest

from tests.rigs.appliance import page as pages
from tests.rigs.appliance.machine import SIZE, is_lit
from tests.rigs.appliance.page import Page
from tests.rigs.running import RigError


class Guest:
    """A machine that is on, and says what it is asked to."""

    is_on = True

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def snapshot(self, name: str) -> Path:
        picture = self._folder / f"{name}.png"
        picture.write_bytes(b"picture")
        return picture

    def run(self, _command: str) -> None:
        pass

    def fetch(self, _path: str, to: Path) -> bool:
        to.write_text("journal", encoding="utf-8")
        return True

    def cut(self) -> None:
        self.is_on = False


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Guest:
    monkeypatch.setattr(pages, "RUN", tmp_path)
    (tmp_path / "console").write_text("console", encoding="utf-8")
    return Guest(tmp_path)


@pytest.mark.parametrize("error", [RigError("the stick is lost"), ValueError("the stick is lost"), OSError()])
def test_a_failed_act_hides_no_other(error: Exception, guest: Any, tmp_path: Path) -> None:
    page, recovered = Page(tmp_path / "failed"), []
    with page.sitting(guest, lambda: recovered.append(True)):
        with page.act("A stick, and another"):
            raise error
        with page.act("the next") as act:
            act.note("went well")
    assert [(row.what, row.good) for row in page.rows] == [("A stick, and another", False), ("the next", True)]
    assert not page.is_good
    assert recovered == [True]
    kept = tmp_path / "failed" / "01-a-stick-and-another"
    assert str(kept) in page.rows[0].words
    assert sorted(path.name for path in kept.iterdir()) == ["console", "failed.png", "journal.log"]
    assert not guest.is_on


def test_a_table_that_does_not_come_back_hides_no_act_either(guest: Any, tmp_path: Path) -> None:
    def recover() -> None:
        raise RigError("waited 120 s for the games.")

    page = Page(tmp_path / "failed")
    with page.sitting(guest, recover):
        with page.act("one") as act:
            act.note("it is so", good=False)
        with page.act("two") as act:
            act.note("well")
    assert [row.good for row in page.rows] == [False, True]


def test_a_black_picture_is_none() -> None:
    header = b"P6\n800 480\n255\n"
    dots = SIZE[0] * SIZE[1] * 3
    assert not is_lit(header + bytes(dots))
    assert not is_lit(header + bytes([12]) * dots), "a console without a word on it"
    assert is_lit(header + bytes([12]) * (dots - 2000) + bytes([200]) * 2000)
