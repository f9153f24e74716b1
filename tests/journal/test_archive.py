"""A match as a file: out of one journal, into another, and the same lines when it is played again."""

import json
import random
import resource
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.core.clocks import SECOND
from companion.core.codec import written
from companion.core.entry import Abandoned, Corrected
from companion.core.errors import CompanionError, ImportedMatchError, MatchError
from companion.core.match import Match, set_up
from companion.core.record import setup_plain
from companion.core.referee import LATEST, Referee
from companion.core.requests import Abandon, Correct, MoveMessage, Pause, Redo, Request, Resume, Undo
from companion.core.session import Session
from companion.games import NAMES, game
from companion.games.threepia import rules as threepia
from companion.journal import Journal
from companion.journal.archive import LARGEST, archived, read_archive, write_whole
from companion.journal.chain import links
from simulator.playing import play_out, seated
from tests.kept import companion, contents, keep, played

Content = dict[str, Any]


@pytest.fixture
def exported(tmp_path: Path) -> Content:
    """A match of Three! as an exported file holds it."""
    with Journal.open(tmp_path / "from.sqlite3") as journal:
        keep(journal, *played("three"))
        found = json.loads(archived(journal.stored(journal.matches()[0].code), is_chained=False))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_there_and_back(tmp_path: Path, name: str) -> None:
    setup, entries = played(name)
    file = tmp_path / "match.json"
    with Journal.open(tmp_path / "one.sqlite3") as one, Journal.open(tmp_path / "two.sqlite3") as two:
        match = keep(one, setup, entries)
        match.undo()
        match.redo()
        match.correct(1, match.line[0].move)
        file.write_text(archived(one.stored(setup.id)), encoding="utf-8")
        stored = read_archive(file)
        two.take_in(stored.setup, stored.entries, stored.time, stored.began)
        assert two.stored(setup.id).time == match.now
        assert archived(two.stored(setup.id)) == archived(replace(one.stored(setup.id), time=match.now))
        assert isinstance(two.stored(setup.id).entries[-1], Corrected)
        assert [replace(summary, time=0) for summary in two.matches()] == one.matches()
        assert two.most_wins() == one.most_wins()


def test_the_command_gives_the_same_lines_again(tmp_path: Path) -> None:
    one, two, file = (tmp_path / name for name in ("one.sqlite3", "two.sqlite3", "match.json"))
    with Journal.open(one) as journal:
        keep(journal, *played("tres"))
        code = journal.matches()[0].code
    assert companion("export", code, "--journal", one, "--output", file).returncode == 0
    assert companion("export", code, "--journal", one).stdout == file.read_text(encoding="utf-8")
    taken = companion("import", file, "--journal", two)
    assert (taken.returncode, taken.stdout) == (0, f"Taken in: match {code}, {len(played('tres')[1])} entries.\n")
    for how in ([], ["--json"]):
        lines = [companion("replay", code, *how, "--journal", journal).stdout for journal in (one, two)]
        assert lines[0] == lines[1] != ""
    again = companion("import", file, "--journal", two)
    assert again.returncode == 2
    assert again.stderr.endswith(f"match {code} is in this journal already.\n")


def _without(key: str) -> Callable[[Content], object]:
    return lambda content: content.pop(key)


def _with(key: str, value: object) -> Callable[[Content], object]:
    return lambda content: content.update({key: value})


def _setup(key: str, value: object) -> Callable[[Content], object]:
    return lambda content: content["setup"].update({key: value})


def _house(key: str, value: object) -> Callable[[Content], object]:
    return lambda content: content["setup"]["house"].update({key: value})


def _entry(value: object) -> Callable[[Content], object]:
    return lambda content: content["entries"].insert(3, value)


SPOILED = {
    "no-head": _without("companion"),
    "no-setup": _without("setup"),
    "more": _with("more", 1),
    "newer": _with("companion", 2),
    "format-text": _with("companion", "1"),
    "time-text": _with("time", "now"),
    "time-too-long": _with("time", LATEST + 1),
    "no-date": _with("began", "yesterday\x1b[2J"),
    "entries-text": _with("entries", "none"),
    "entry-number": _entry(7),
    "entry-kind": _entry({"kind": "x", "body": {}}),
    "entry-key": _entry({"kind": "made", "body": {}, "z": 1}),
    "entry-null": _entry({"kind": "made", "body": None}),
    "entry-twice": lambda content: content["entries"].append(content["entries"][0]),
    "entry-resumed": _entry({"kind": "resumed", "body": {}}),
    "entry-body": _entry({"kind": "undone", "body": {"at": 1}}),
    "entry-correction": _entry({"kind": "corrected", "body": {"number": 99, "move": None}}),
    "entry-move": _entry({"kind": "made", "body": {"move": "dance", "player": "Anna"}}),
    "game": _setup("game", "chess"),
    "code": _setup("id", "a code\nof two lines"),
    "no-code": _setup("id", ""),
    "rematch": _setup("rematch_of", "x" * 99),
    "nobody": _setup("players", []),
    "twins": _setup("players", [{"name": "Anna", "colour": "red"}, {"name": "Anna", "colour": "blue"}]),
    "colour": _setup("players", [{"name": "Anna", "colour": ""}, {"name": "Ben", "colour": "blue"}]),
    "house-key": _house("colour_of_cat", 1),
    "house-type": _house("copies", "six"),
    "deck": _house("deck", 49),
}


@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED)
def test_a_spoiled_file_is_refused_in_a_sentence(
    tmp_path: Path,
    exported: Content,
    spoil: Callable[[Content], object],
) -> None:
    spoil(exported)
    file = tmp_path / "match.json"
    file.write_text(json.dumps(exported), encoding="utf-8")
    with pytest.raises(ImportedMatchError) as caught:
        read_archive(file)
    sentence = str(caught.value)
    assert sentence.startswith(str(file))
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert "\x1b" not in sentence


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 99_999,
        b'{"companion":1,"companion":1}',
        b"SQLite format 3\x00",
        b'{"companion":1',
        b"\x00" * 99,
        b"9" * 9999,
    ],
    ids=range(11),
)
def test_what_is_no_match_file(tmp_path: Path, content: bytes) -> None:
    journal, file = tmp_path / "journal.sqlite3", tmp_path / "file.json"
    with Journal.open(journal) as opened:
        keep(opened, *played("three"))
    before = contents(journal)
    file.write_bytes(content)
    with pytest.raises(ImportedMatchError, match=r"is not a match file: .*\.$"):
        read_archive(file)
    assert contents(journal) == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda entries: entries.pop(7), "entry 8 does not follow the one before it"),
        (lambda entries: entries.insert(7, entries[6]), "entry 8 does not follow the one before it"),
        (lambda entries: entries.pop(), "it has [0-9]+ entries, and [0-9]+ were exported"),
        (lambda entries: entries.append(entries[0]), "it has [0-9]+ entries, and [0-9]+ were exported"),
        (lambda entries: entries.insert(8, entries.pop(9)), "entry 9 does not follow the one before it"),
    ],
    ids=["missing", "doubled", "cut-off", "too-many", "out-of-order"],
)
def test_the_chain_of_an_exported_file_tells(
    tmp_path: Path, change: Callable[[list[Content]], object], said: str
) -> None:
    with Journal.open(tmp_path / "from.sqlite3") as journal:
        keep(journal, *played("three"))
        exported = json.loads(archived(journal.stored(journal.matches()[0].code)))
    file = tmp_path / "file.json"
    file.write_text(json.dumps(exported), encoding="utf-8")
    assert len(read_archive(file).entries) == len(exported["entries"])
    change(exported["entries"])
    file.write_text(json.dumps(exported), encoding="utf-8")
    with pytest.raises(ImportedMatchError, match=said):
        read_archive(file)


def test_a_chain_from_before_there_was_a_house_rule_holds(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    with Journal.open(tmp_path / "from.sqlite3") as journal:
        keep(journal, *played("three"))
        found = json.loads(archived(journal.stored(journal.matches()[0].code)))
    del found["setup"]["house"]["rearm"]
    entries = [("setup", found["setup"]), *((entry["kind"], entry["body"]) for entry in found["entries"])]
    found["chain"] = list(links((kind, written(body)) for kind, body in entries))
    file.write_text(json.dumps(found), encoding="utf-8")
    assert read_archive(file).setup.house.rearm == 0


def test_a_file_exported_before_there_were_chains_is_taken_in(tmp_path: Path, exported: Content) -> None:
    assert exported["companion"] == 1
    file = tmp_path / "file.json"
    file.write_text(json.dumps(exported), encoding="utf-8")
    assert len(read_archive(file).entries) == len(exported["entries"])


def test_a_broken_file_leaves_the_journal_unchanged(tmp_path: Path, exported: Content) -> None:
    journal, file = tmp_path / "journal.sqlite3", tmp_path / "file.json"
    with Journal.open(journal) as opened:
        keep(opened, *played("tres"))
    exported["entries"].append(exported["entries"][0])
    file.write_text(json.dumps(exported), encoding="utf-8")
    before = journal.read_bytes()
    done = companion("import", file, "--journal", journal)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert journal.read_bytes() == before


@pytest.mark.parametrize("name", ["/dev/zero", "/", "/no/such/file"])
def test_what_is_no_file(name: str) -> None:
    with pytest.raises(ImportedMatchError) as caught:
        read_archive(Path(name))
    assert str(caught.value).startswith(f"{name} ")


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    with file.open("wb") as opened:
        opened.truncate(LARGEST + 1)
    with pytest.raises(ImportedMatchError, match="larger than 8 MB"):
        read_archive(file)


@pytest.mark.parametrize("where", ["no/folder/match.json", "file/match.json", ".", "folder"])
def test_a_file_that_cannot_be_written(tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    Path("folder").mkdir()
    with pytest.raises(CompanionError, match=r"\.$"):
        write_whole(Path(where), "text")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", "folder"]


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "match.json"
    write_whole(file, "old")
    write_whole(file, "new")
    assert file.read_text(encoding="utf-8") == "new"

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CompanionError, match="No space left on device"):
        write_whole(file, "newest")
    assert [(one.name, one.read_text(encoding="utf-8")) for one in tmp_path.iterdir()] == [("match.json", "new")]


# --- matches that somebody made to do harm ---------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_whatever_a_table_does_can_be_taken_in_elsewhere(tmp_path: Path, name: str) -> None:
    """The bounds are for nobody who plays: undone, paused, corrected, with deadlines that fell due, at any moment."""
    playing, chance = game(name), random.Random(7)
    house = playing.house() if name != "threepia" else playing.house(way="time")
    setup = seated(playing, house)
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        session, at = Session(Referee.begin(setup, 0, journal), None), 0
        for number, (move, _) in enumerate(play_out(Match(setup), 5, mistakes=0.1)):
            at = max(at, move.at) + chance.choice((0, 0, SECOND, 40 * SECOND))
            session.answer(MoveMessage(move, at, ""))
            for request in _now_and_then(session, chance, at):
                session.answer(request)
            if number % 9 == 0:
                file = tmp_path / "match.json"
                file.write_text(archived(journal.stored(setup.id)), encoding="utf-8")
                assert read_archive(file).setup == setup
            if number > 150:
                break


def _now_and_then(session: Session, chance: random.Random, at: int) -> list[Request]:
    match chance.randrange(12):
        case 0:
            return [Undo(at=at), Redo(at=at)]
        case 1:
            return [Pause("tea", at=at), Resume(at=at)]
        case 2 if session.referee.match.line:
            return [Correct(len(session.referee.match.line), None, at=at), Undo(at=at)]
    return []


def _threepia(entries: list[Content], time: int = 0) -> Content:
    setup = set_up(game("threepia"), ("Anna", "Ben"), threepia.House(way="time"))
    made = [{"kind": "made", "body": {"move": "deal", "at": 1}}, *entries]
    return {"companion": 1, "began": "2026-01-01", "time": time, "setup": setup_plain(setup), "entries": made}


CENTURY = 2**61
BEGIN = {"kind": "made", "body": {"move": "begin", "player": "Anna", "at": 2}}
YEARS = {
    "time": _threepia([BEGIN], CENTURY),
    "move": _threepia([BEGIN, {"kind": "made", "body": {"move": "draw", "player": "Anna", "at": CENTURY}}]),
    "pause": _threepia([BEGIN, {"kind": "paused", "body": {"at": CENTURY}}]),
    "abandoned": _threepia([BEGIN, {"kind": "abandoned", "body": {"at": CENTURY}}]),
}


@pytest.mark.parametrize("content", YEARS.values(), ids=YEARS)
def test_a_match_that_leaves_years_to_be_made_up_for(tmp_path: Path, content: Content) -> None:
    """Each turn has a minute: the referee would rule for ever, and fill the disk with it."""
    file = tmp_path / "match.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ImportedMatchError, match="would have ruled by itself before that"):
        read_archive(file)


def test_a_correction_does_not_rule_for_ever() -> None:
    match = Match(set_up(game("threepia"), ("Anna", "Ben"), threepia.House(way="time")))
    match.make(threepia.Deal("", at=1))
    match.make(threepia.Begin("Anna", at=2))
    match.pause(CENTURY)
    match.resume()
    state = match.state
    with pytest.raises(MatchError, match="would change more than 10000 rulings: undo it instead"):
        match.correct(2, threepia.Begin("Ben"))
    assert match.state is state


def test_a_match_of_corrections(tmp_path: Path) -> None:
    setup = set_up(game("triplexity"), ("Anna", "Ben"), game("triplexity").house())
    made: list[Content] = []
    for number in range(300):
        place = ("left", "centre", "right")[number % 3]
        made.append(
            {"kind": "corrected", "body": {"number": 1, "move": {"move": "put", "player": "Anna", "place": place}}}
        )
    first = {"kind": "made", "body": {"move": "put", "player": "Anna", "place": "left"}}
    content = {"companion": 1, "began": "2026-01-01", "time": 0, "setup": setup_plain(setup)}
    file = tmp_path / "match.json"
    file.write_text(json.dumps({**content, "entries": [first, *made]}))
    assert len(read_archive(file).entries) == 301
    file.write_text(json.dumps({**content, "entries": [first, *made * 66, *made]}))
    with pytest.raises(ImportedMatchError, match="20101 entries, and 20000 are more than a match has"):
        read_archive(file)


def test_corrections_are_counted_by_their_work(
    tmp_path: Path, exported: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.journal.archive.MOST_RULED_AGAIN", 100)
    move = exported["entries"][0]["body"]
    exported["entries"] = [*exported["entries"][:30], *[{"kind": "corrected", "body": {"number": 1, "move": move}}] * 9]
    file = tmp_path / "match.json"
    file.write_text(json.dumps(exported), encoding="utf-8")
    with pytest.raises(ImportedMatchError, match="there are more corrections than anybody makes"):
        read_archive(file)


@pytest.mark.parametrize("piece", [b"[],", b"{},", b'"",', b"[[[[[[[[[[]]]]]]]]]],", b"9.9,"])
def test_a_file_of_nothing_but_brackets_needs_no_more_memory_than_a_pi_has(tmp_path: Path, piece: bytes) -> None:
    file = tmp_path / "bomb.json"
    head = b'{"companion":1,"began":"","time":0,"setup":0,"entries":['
    file.write_bytes(head + piece * ((LARGEST - len(head) - 9) // len(piece)) + b"0]}")
    done = companion("import", file, "--journal", tmp_path / "j", preexec_fn=_with_little_memory)
    assert done.returncode == 2
    assert done.stderr.startswith("companion: ")
    assert done.stderr.count("\n") == 1


def _with_little_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (600_000_000, 600_000_000))


def test_what_was_typed_does_not_speak_to_the_terminal(tmp_path: Path) -> None:
    """Colours, titles, cursors, and lines that look like ours."""
    with Journal.open(tmp_path / "j") as journal:
        setup = seated(game("triplexity"), game("triplexity").house())
        session = Session(Referee.begin(setup, 0, journal), None)
        for message in (
            Pause("\x1b]0;x\x07", at=1),
            Resume(at=1),
            Abandon("\x1b[2J\x9b31m\u202eoff\r\nWon by: me", at=2),
        ):
            session.answer(message)
    for words in (("matches",), ("replay", setup.id), ("export", setup.id), ("export", setup.id, "--sheet")):
        done = companion(*words, "--journal", tmp_path / "j")
        assert done.returncode == 0
        assert not [one for one in done.stdout if not one.isprintable() and one not in "\n\t"]
        assert "\nWon by: me" not in done.stdout
    file = tmp_path / "match.json"
    file.write_text(companion("export", setup.id, "--journal", tmp_path / "j").stdout, encoding="utf-8")
    assert read_archive(file).entries[-1] == Abandoned(2, "\x1b[2J\x9b31m\u202eoff\r\nWon by: me"), "as it was written"
