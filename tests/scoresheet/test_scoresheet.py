"""Score sheets: what stands on them, how they are painted, where they are saved, and who prints them."""

import errno
import os
from datetime import date
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from companion.core import wholefile as whole
from companion.core.match import Match, set_up
from companion.games import game
from companion.journal import Journal, backup
from companion.reports.progress import rounds
from companion.scoresheet import desk as desks
from companion.scoresheet import places as places_module
from companion.scoresheet import printer
from companion.scoresheet.desk import Desk, MadeSheet, SheetWish, painted
from companion.scoresheet.facts import MOST_ROWS, sheet_of
from companion.scoresheet.page import pdf
from companion.scoresheet.places import SavePlace, file_name, places, save
from companion.words import LANGUAGES, Words
from simulator.playing import play_out
from tests.recorded import NAMES, recorded

DAY = date(2026, 11, 19)
LONG = tuple(f"{name} von Hohenfels-Wittgenstein zu Altenbrück {n}"[:60] for n, name in enumerate(("Anna", "Ben") * 4))
ODD = ("محمد عبد الله", "דוד בן־גוריון", "😀 Emil 🎲", "Θάνος", "Ольга", "สมชาย")


def wish(match: Match, language: str = "en", *, prints: bool = False) -> SheetWish:
    return SheetWish(match, match.now, DAY, language, prints)


def text_of(content: bytes) -> str:
    pages = pypdfium2.PdfDocument(content)
    assert len(pages) == 1
    return str(pages[0].get_textpage().get_text_range())


def played(name: str, people: tuple[str, ...], **house: Any) -> Match:
    playing = game(name)
    match = Match(set_up(playing, people, playing.house(**house), match_id="sheet"))
    for _ in play_out(match, 3, mistakes=0):
        pass
    assert match.outcome is not None
    return match


# --- what stands on it -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_sheet_has_all_names_and_points(name: str) -> None:
    match = recorded(name)
    for language in ("en", tuple(LANGUAGES)[NAMES.index(name) % len(LANGUAGES)]):
        text = text_of(painted(wish(match, language), Words(language)))
        words = text.split()
        assert match.outcome is not None
        for player, score in zip(match.setup.names, match.outcome.scores, strict=True):
            assert player in text
            assert str(score).replace("-", "−") in words or len(match.setup.names) == 1
        assert Words(language).date(DAY) in text
        assert match.game.title.rstrip("³") in text


@pytest.mark.parametrize("name", [name for name in NAMES if rounds(recorded(name))])
def test_a_row_for_each_round(name: str) -> None:
    match = recorded(name)
    sheet = sheet_of(match, Words(), when=DAY, moves="")
    assert [row.scores for row in sheet.rows] == [over.after for over in rounds(match)]
    assert [row.added for row in sheet.rows] == [over.added for over in rounds(match)]


@pytest.mark.parametrize("name", NAMES)
def test_rows_add_up(name: str) -> None:
    match = recorded(name)
    sheet = sheet_of(match, Words(), when=DAY, moves="")
    assert len(sheet.rows) <= MOST_ROWS
    for seat, score in enumerate(match.state.scores):
        if sheet.rows:
            assert sum(row.added[seat] or 0 for row in sheet.rows) == score == sheet.rows[-1].scores[seat]


def test_thirty_rounds_eight_players_and_the_longest_names_stand_on_one_page() -> None:
    many = played("triplexity", LONG[:2], rounds=30, play="advanced")
    assert len(sheet_of(many, Words(), when=DAY, moves="").rows) == 30
    assert "Altenbrück" in text_of(painted(wish(many), Words()))
    full = played("tres", LONG, players=8)
    text = "".join(text_of(painted(wish(full), Words())).split())
    assert all("".join(name.split())[:30] in text for name in LONG)
    six = played("threepia", LONG[:6], way="rounds", rounds=90)
    assert text_of(painted(wish(six), Words()))


def test_names_of_any_script_are_drawn_and_can_be_looked_for() -> None:
    match = played("threepia", ODD, way="rounds", rounds=2)
    content = painted(wish(match), Words())
    text = text_of(content)
    assert "Θάνος" in text
    assert "Ольга" in text
    assert "Emil" in text
    subject = pypdfium2.PdfDocument(content).get_metadata_dict()["Subject"]
    assert all(name in subject for name in ODD)
    blank = painted(wish(played("threepia", tuple("ABCDEF"), way="rounds", rounds=2)), Words())
    assert ink(content) > ink(blank)  # nobody's name is a blank


def ink(content: bytes) -> int:
    """Dark pixels."""
    picture = pypdfium2.PdfDocument(content)[0].render(scale=1).to_pil().convert("L")
    return sum(picture.histogram()[:128])


def test_the_same_match_gives_the_same_bytes() -> None:
    sheet = sheet_of(recorded("threepia-rounds"), Words("nl"), when=DAY, moves="12")
    assert pdf(sheet) == pdf(sheet)


# --- where it is saved -----------------------------------------------------------------------------------------


@pytest.fixture
def stick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One that the machine has mounted."""
    folder = tmp_path / "stick" / "companion"
    folder.mkdir(parents=True)
    monkeypatch.setenv(backup.MOUNTED, str(folder.parent))
    return folder


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "journal.sqlite3"


def test_the_stick_comes_first(stick: Path, journal: Path) -> None:
    assert list(places(journal)) == [SavePlace(stick / "sheets", is_stick=True), SavePlace(journal.parent / "sheets")]
    saved = save(b"PDF", "sheet.pdf", places(journal), Words())
    assert saved.path == stick / "sheets" / "sheet.pdf"
    assert saved.path.read_bytes() == b"PDF"
    assert saved.sentences == ("The score sheet is on the stick: companion/sheets/sheet.pdf",)


def test_without_a_stick_it_lies_beside_the_journal(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "MEDIA", journal.parent / "media")
    saved = save(b"PDF", "sheet.pdf", places(journal), Words("de"))
    assert saved.path == journal.parent / "sheets" / "sheet.pdf"
    assert saved.sentences == (f"Der Punktezettel ist gespeichert: {saved.path}",)


def test_on_a_table_that_the_machine_starts_the_next_copy_takes_it_along(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "MEDIA", journal.parent / "media")
    monkeypatch.setattr(places_module, "MACHINES_JOURNAL", journal)
    saved = save(b"PDF", "sheet.pdf", places(journal), Words())
    assert saved.path == journal.parent / "sheets" / "sheet.pdf"
    assert saved.sentences == (
        "The score sheet is saved, and is copied onto a stick called COMPANION when one is plugged in.",
    )


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (errno.ENOSPC, "there is no room left"),
        (errno.EROFS, "it is read-only"),
        (errno.EIO, "it does not work any more"),
    ],
)
def test_what_cannot_be_saved_is_said_with_the_reason(
    journal: Path, monkeypatch: pytest.MonkeyPatch, number: int, why: str
) -> None:
    def full(_path: Path, _content: bytes) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(whole, "write", full)
    folder = journal.parent / "sheets"
    saved = save(b"PDF", "sheet.pdf", [SavePlace(folder)], Words())
    assert saved.path is None
    assert saved.sentences == (
        f"The score sheet cannot be saved in {folder}: {why}. Plug in a stick that is called COMPANION, and try again.",
    )
    for language in ("de", "fr", "nl"):
        said = save(b"PDF", "sheet.pdf", [SavePlace(folder)], Words(language)).sentences[0]
        assert why not in said


def test_a_disk_that_is_full_leaves_nothing_behind(journal: Path) -> None:
    """Really: more than the file system takes of one file."""
    import resource  # noqa: PLC0415
    import signal  # noqa: PLC0415

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        saved = save(bytes(1000), "sheet.pdf", [SavePlace(journal.parent / "sheets")], Words())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert saved.path is None
    assert "cannot be saved" in saved.sentences[0]
    assert not list((journal.parent / "sheets").iterdir())


def test_a_stick_that_does_not_take_it_is_told_and_the_disk_does(
    stick: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = whole.write

    def full_stick(path: Path, content: bytes) -> None:
        if stick in path.parents:
            raise OSError(errno.ENOSPC, "full")
        write(path, content)

    monkeypatch.setattr(whole, "write", full_stick)
    saved = save(b"PDF", "sheet.pdf", places(journal), Words())
    assert saved.path == journal.parent / "sheets" / "sheet.pdf"
    assert saved.sentences == (
        "The stick does not take the score sheet: there is no room left.",
        f"The score sheet is saved: {saved.path}",
    )


def test_a_folder_of_a_stick_that_leads_elsewhere_is_not_followed(stick: Path, journal: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (stick / "sheets").symlink_to(elsewhere)
    saved = save(b"PDF", "sheet.pdf", places(journal), Words())
    assert saved.path == journal.parent / "sheets" / "sheet.pdf"
    assert saved.sentences[0] == "The stick does not take the score sheet: a file is in the way."
    with Journal.open(journal):
        pass
    with pytest.raises(backup.BackupError, match="not all score sheets: it leads elsewhere"):
        backup.back_up(journal, stick, 10)
    assert not list(elsewhere.iterdir())


def test_nowhere_to_save_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "MEDIA", tmp_path)
    saved = save(b"PDF", "sheet.pdf", places(None), Words())
    assert saved.sentences == ("There is no place for the score sheet: plug in a stick that is called COMPANION.",)


def test_a_file_says_what_it_is_and_can_be_written_anywhere() -> None:
    assert (
        file_name("Triple³", ("Anna", "Ben: x/y"), DAY, "abcdefghij") == "2026-11-19 Triple³ Anna Ben x y abcdefgh.pdf"
    )
    name = file_name("Tres", LONG + ODD, None, "abc")
    assert len(name.encode()) < 120
    assert not set(name) & set('/\\:*?"<>|\n')


def test_a_backup_takes_the_sheets_along(stick: Path, tmp_path: Path) -> None:
    path = tmp_path / "kept" / "journal.sqlite3"
    with Journal.open(path):
        pass
    sheets = path.parent / "sheets"
    sheets.mkdir()
    (sheets / "2026 one.pdf").write_bytes(b"one")
    backup.back_up(path, stick, 10)
    assert (stick / "sheets" / "2026 one.pdf").read_bytes() == b"one"
    (sheets / "2026 two.pdf").write_bytes(b"two")
    (stick / "sheets" / "2026 one.pdf").write_bytes(b"!!!")  # somebody's own; of the same length, it stays
    backup.back_up(path, stick, 10)
    assert (stick / "sheets" / "2026 two.pdf").read_bytes() == b"two"
    assert (stick / "sheets" / "2026 one.pdf").read_bytes() == b"!!!"


# --- who makes it, and the printer -----------------------------------------------------------------------------


def at_once(work: Any) -> None:
    work()


def commands(folder: Path, monkeypatch: pytest.MonkeyPatch, **scripts: str) -> None:
    folder.mkdir()
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_a_printer_is_asked_for_and_is_given_the_sheet(
    tmp_path: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands(
        tmp_path / "bin",
        monkeypatch,
        lpstat='[ "$1" = -d ] && echo "system default destination: Kitchen"',
        lp=f'echo "$@" > {tmp_path}/asked; cat > {tmp_path}/printed',
    )
    monkeypatch.setattr(backup, "MEDIA", tmp_path)
    desk = Desk(lambda: journal, lambda: None, at_once)
    desk.look_for_printer()
    assert desk.printer == "Kitchen"
    desk.make(wish(recorded("tres-out"), prints=True))
    assert desk.made.is_printed
    assert desk.made.sentences[-1] == "It is being printed: Kitchen."
    assert (tmp_path / "printed").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "asked").read_text(encoding="utf-8").startswith("-d Kitchen -t 2026-11-19 Tres")


def test_a_printer_that_refuses_says_why_and_the_file_is_there(
    tmp_path: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands(tmp_path / "bin", monkeypatch, lpstat='echo "Kitchen"', lp='echo "lp: no paper" >&2; exit 1')
    monkeypatch.setattr(backup, "MEDIA", tmp_path)
    desk = Desk(lambda: journal, lambda: None, at_once)
    desk.look_for_printer()
    desk.make(wish(recorded("tres-out"), "de", prints=True))
    assert not desk.made.is_printed
    assert desk.made.path is not None
    assert desk.made.sentences[-1] == "Der Drucker nimmt es nicht an: lp: no paper"


@pytest.mark.parametrize("scripts", [{}, {"lpstat": "exit 1", "lp": "exit 1"}, {"lpstat": "echo Kitchen"}])
def test_no_printer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scripts: dict[str, str]) -> None:
    commands(tmp_path / "bin", monkeypatch, **scripts)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert printer.printer() == ""


def test_a_printer_that_is_set_up_later_is_found(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    desk = Desk(lambda: journal, lambda: told.append(1), at_once)
    for name, count in (("", 0), ("Kitchen", 1), ("Kitchen", 1), ("", 2)):
        monkeypatch.setattr(printer, "printer", lambda name=name: name)
        desk.look_for_printer()
        assert (desk.printer, len(told)) == (name, count)


def test_the_table_goes_on_while_a_sheet_is_made(journal: Path) -> None:
    later: list[Any] = []
    told: list[int] = []
    desk = Desk(lambda: journal, lambda: told.append(1), later.append)
    desk.make(wish(recorded("tres-out")))
    assert desk.made == MadeSheet()
    assert not journal.parent.exists()
    for work in later:
        work()
    assert desk.made.is_done
    assert told


def test_whatever_is_wrong_with_painting_is_said(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> bytes:
        raise RuntimeError("no letters")

    monkeypatch.setattr(desks, "painted", broken)
    desk = Desk(lambda: journal, lambda: None, at_once)
    desk.make(wish(recorded("tres-out")))
    assert desk.made.sentences == ("The score sheet cannot be made: no letters",)
