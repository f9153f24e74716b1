"""`companion watch`: a simulated table ruled on, its recording ruled on again, and one sentence for what is wrong."""

import json
import shutil
import sys
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import jsonschema
import numpy as np
import pytest

from companion.cli import main
from companion.core.entry import Entry
from companion.games.triple3.hands import script_plain
from companion.games.triple3.rules import CELLS, DECK, is_legal
from companion.journal import Journal
from simulator.rendered.script import Deed, Lying, Script, ScriptedArm, ScriptLine, Seat
from tests.doors import Refused, Run, sentence
from tests.kept import PROJECT, companion, without_rights
from tests.vision.laid import SHOTS
from tools.schema import shown, watching_schema, watching_tables, with_tables
from vision.picture_doctor import SELFTEST
from vision.recording import ABOUT, Recording

SECOND = 1_000_000_000
PAGE = PROJECT / "docs" / "watching.md"
SCHEMA = watching_schema()
VALID = jsonschema.Draft202012Validator(SCHEMA)
MATCH = ("--game", "triple3", "--no-journal")

Told = dict[str, Any]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command in this process: its exit code, and what it wrote where."""
    path = tmp_path / "typed"
    path.touch()

    def it(*arguments: object, typed: str = "") -> tuple[int, str, str]:
        path.write_text(typed, encoding="utf-8")
        with path.open(encoding="utf-8") as typed_in:
            monkeypatch.setattr(sys, "stdin", typed_in)
            code = main(["watch", *map(str, arguments)])
        return code, *capfd.readouterr()

    return it


def replies(told: str) -> list[Told]:
    found = [json.loads(line) for line in told.splitlines()]
    for one in found:
        VALID.validate(one)
    return found


def kinds(told: list[Told]) -> list[str]:
    return [one["kind"] for one in told]


# --- a stretch of play -----------------------------------------------------------------------------------------


class Hands:
    """Writes a script, arm by arm; knows what may be laid."""

    def __init__(self) -> None:
        self.grid = list(DECK[::7][:9])
        self._begin = tuple((Lying(card),) for card in self.grid)
        self.used = set(self.grid)
        self.arms: list[ScriptedArm] = []
        self.said: list[ScriptLine] = []

    def reach(self, seat: Seat, at: float, cell: int, what: Deed, card: str = "") -> None:
        enters, there, deed, leaves, gone = (round((at + step) * SECOND) for step in (-0.5, -0.1, 0, 0.1, 0.5))
        lying = Lying(card, (1.0, -1.0), 3.0) if card else None
        self.arms.append(ScriptedArm(seat, enters, there, deed, leaves, gone, cell, what, lying))

    def lay(self, seat: Seat, at: float, *, legal: bool) -> tuple[int, str]:
        cell, card = next(
            (cell, card)
            for cell, card in product(CELLS, DECK)
            if card not in self.used and is_legal(tuple(self.grid), cell, card) == legal
        )
        self._put(seat, at, cell, card, counts=legal)
        return cell, card

    def _put(self, seat: Seat, at: float, cell: int, card: str, *, counts: bool) -> None:
        self.reach(seat, at, cell, "lay", card)
        self.used.add(card)
        if counts:
            self.grid[cell - 1] = card

    def say(self, at: float, **message: Any) -> None:
        self.said.append(ScriptLine(round(at * SECOND), message))

    def script(self, seconds: float) -> Script:
        about = {
            "game": "triple3",
            "players": ["Anna", "Ben"],
            "seats": {"Anna": "bottom", "Ben": "top"},
            "deals": [28, 27],
        }
        length, arms, said = round(seconds * SECOND), tuple(self.arms), tuple(self.said)
        return Script(11, length, self._begin, arms, (), said, size=(768, 432), rate=15, about=about)


def a_stretch() -> Hands:
    """A legal play, an illegal one taken back, Stop!, a correction, and a card that is lifted for a while."""
    hands = Hands()
    hands.say(1, move="go")
    first, card = hands.lay("bottom", 2, legal=True)
    cell, _ = hands.lay("top", 3.4, legal=False)
    hands.reach("top", 4.8, cell, "take")
    hands.say(5.6, move="stop", player="Ben")
    hands.say(5.8, do="correct", number=3, move={"move": "lay", "player": "Anna", "cell": first, "card": card})
    hands.say(6.2, move="go-on")
    other = 9 if first != 9 else 8
    hands.reach("top", 7.4, other, "take")
    hands.reach("top", 9.2, other, "lay", hands.grid[other - 1])
    return hands


@pytest.fixture(scope="module")
def stretch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As a script in a file."""
    path = tmp_path_factory.mktemp("script") / "stretch.json"
    path.write_text(json.dumps(script_plain(a_stretch().script(10.4))), encoding="utf-8")
    return path


@dataclass(frozen=True)
class Recorded:
    folder: Path
    journal: Path
    told: list[Told]


@pytest.fixture(scope="module")
def recorded(stretch: Path, tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """The stretch, watched once, recorded and kept."""
    place = tmp_path_factory.mktemp("recorded")
    folder, journal = place / "recording", place / "journal.sqlite3"
    done = companion("watch", stretch, "--game", "triple3", "--json", "--journal", journal, "--record", folder)
    assert (done.returncode, done.stderr) == (0, "")
    return Recorded(folder, journal, replies(done.stdout))


@pytest.fixture
def copied(recorded: Recorded, tmp_path: Path) -> Path:
    """A recording to be harmed: its pictures are the same files, what is written is its own."""
    folder = tmp_path / "copied"
    folder.mkdir()
    for one in recorded.folder.iterdir():
        if one.suffix == ".jpg":
            (folder / one.name).hardlink_to(one)
        elif one.is_file():
            shutil.copy(one, folder)
    return folder


def entries(journal: Path) -> list[Entry]:
    """Of the one match that is kept."""
    with Journal.open(journal) as kept:
        [match] = kept.matches()
        return list(kept.stored(match.code).entries)


def without(told: Any, *keys: str) -> Any:
    """The same without what differs from one watching to the other."""
    if isinstance(told, list):
        return [without(one, *keys) for one in told]
    return (
        {key: without(value, *keys) for key, value in told.items() if key not in keys}
        if isinstance(told, dict)
        else told
    )


# --- rulings, and the same again -------------------------------------------------------------------------------


def test_a_stretch_of_play_is_ruled_on(recorded: Recorded) -> None:
    told = recorded.told
    assert kinds(told) == [
        "match",
        "ruling",
        "ruling",
        "ruling",
        "foul",
        "put-right",
        "ruling",
        "dispute",
        "correction",
        "ruling",
        "out-of-step",
        "in-step",
    ]
    assert [one["move"]["move"] for one in told if one["kind"] == "ruling"] == ["deal", "go", "lay", "stop", "go-on"]
    legal, illegal = told[3], told[4]
    assert legal["events"][0]["event"] == "played-legally"
    assert illegal["code"] == "no-new-triple"
    for one in (legal, illegal):
        evidence = one["evidence"]
        assert evidence["since"] < evidence["at"]
        assert evidence["before"]["frame"] < evidence["after"]["frame"]
        for path in evidence["pictures"]:
            assert cv2.imread(path).shape == (96, 96, 3)
    assert told[10]["code"] == "no-card"
    assert told[10]["way_back"].startswith("Put ")


def test_on_stop_the_last_plays_come_up_with_their_pictures(recorded: Recorded) -> None:
    [dispute] = [one for one in recorded.told if one["kind"] == "dispute"]
    assert [(play["verdict"], play["number"]) for play in dispute["plays"]] == [("called", 0), ("legal", 3)]
    assert dispute["plays"][1]["sentence"] == recorded.told[3]["events"][0]["sentence"]
    for play in dispute["plays"]:
        verdict, moment = (cv2.imread(path) for path in play["pictures"])
        assert verdict.shape == (720, 1280, 3)
        assert moment.shape == (240, 1280, 3)
    assert cv2.imread(dispute["page"]).shape == (720, 1280, 3)


def test_a_recording_gives_the_same_journal_ruling_by_ruling(run: Run, recorded: Recorded, tmp_path: Path) -> None:
    again = tmp_path / "again.sqlite3"
    code, told, said = run(recorded.folder, "--game", "triple3", "--json", "--journal", again)
    assert (code, said) == (0, "")
    assert without(replies(told), "id", "pictures", "page") == without(recorded.told, "id", "pictures", "page")
    assert entries(again) == entries(recorded.journal)


def test_a_recording_holds_all_that_came_in_and_all_that_was_told(recorded: Recorded) -> None:
    folder = recorded.folder
    assert [json.loads(line) for line in (folder / "told.jsonl").read_text().splitlines()] == recorded.told
    for line in (folder / "sightings.jsonl").read_text().splitlines():
        VALID.validate(json.loads(line))
    truth = json.loads((folder / "truth.json").read_text())
    assert truth["script"] == json.loads(json.dumps(script_plain(a_stretch().script(10.4))))
    about = json.loads((folder / ABOUT).read_text())
    assert (about["players"], about["seats"], about["deals"]) == (["Anna", "Ben"], ["bottom", "top"], [28, 27])
    assert about["frames"] == 156
    assert [(one.message.get("do") or one.message["move"]) for one in Recording(folder).said()] == [
        "go",
        "stop",
        "correct",
        "go-on",
    ]


def test_without_a_game_the_same_recording_gives_sightings(run: Run, recorded: Recorded) -> None:
    code, told, said = run(recorded.folder, "--json")
    assert (code, said) == (0, "")
    found = replies(told)
    assert kinds(found) == ["table-seen", "grid-seen", "card-seen", "card-seen", "card-seen", "no-card", "card-seen"]
    assert found[2]["after"]["card"] == recorded.told[3]["move"]["card"]
    code, told, said = run(recorded.folder)
    assert (code, said) == (0, "")
    lines = told.splitlines()
    assert len(lines) == len(found)
    assert lines[0] == "    0.0 s  The table is found by the markers of the small mat."
    card = found[2]["after"]["card"].replace("-", " ")
    assert f"Cell {found[2]['cell']}: {card}, where " in lines[2]


def test_in_words_each_ruling_is_a_line_and_what_it_rests_on_another(run: Run, recorded: Recorded) -> None:
    code, told, said = run(recorded.folder, *MATCH)
    assert (code, said) == (0, "")
    lines = told.splitlines()
    assert lines[0].startswith("Triple³: Anna, Ben; match ")
    assert lines[1].endswith("Round 1: dealt 28, 27.")
    assert any(line.startswith("   3") and " on cell " in line for line in lines)
    assert any(line.startswith("   ✗") and "is illegal" in line for line in lines)
    assert any(line.startswith("   ?") and "Put " in line for line in lines)
    assert any(line.startswith("   =") and "in step again" in line for line in lines)
    assert sum("covered for" in line for line in lines) == 2


# --- what is wrong with what is asked for ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("simulated", "--game", "threepia", "--deck", "three"), "do not belong together: it has the cards of Three!"),
        (("simulated", "--game", "chess"), "there is no such game"),
        (("simulated", "--deck", "set"), "there is no such deck; there are triple3"),
        (("simulated", "--game", "triple3", "--deck", "set"), "there is no such deck; there are triple3"),
        (("simulated", "--players", "Anna,Ben"), "--players needs a game"),
        (("simulated", "--no-journal"), "--no-journal needs a game"),
        (("simulated", *MATCH, "--journal", "x"), "contradict"),
        (("simulated:x", "--json"), "names no simulated table"),
        (("simulated", *MATCH, "--seats", "left"), "--seats names 1, and 3 play"),
        (("simulated", *MATCH, "--seats", "left,north,top"), "'north': a seat is at"),
        (("simulated", *MATCH, "--deals", "1"), "--deals names 1, and 3 play"),
        (("simulated", *MATCH, "--deals", "x"), "is not a list of numbers"),
        (("simulated", *MATCH, "--players", "Anna"), "2 to 4 players"),
        (("simulated", *MATCH, "--house", "chips_to_win=0"), "chips_to_win"),
        (("simulated", *MATCH, "--buttons", "table.toml"), "--buttons are for cameras"),
        (("nowhere.mp4",), "There is no file or folder nowhere.mp4"),
        (("nowhere.json",), "There is no file nowhere.json"),
        (("",), "names no source"),
        (("camera:x",), "names no camera"),
        (("/dev/video99",), "There is no /dev/video99"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    refused: Refused, arguments: tuple[str, ...], says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert says in refused(*arguments)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is not JSON"),
        (b"[]", "must be an object"),
        (b"{}", "this is missing"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_a_script_that_is_none_is_one_sentence(refused: Refused, tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "script.json"
    path.write_bytes(content)
    told = refused(path)
    assert told.startswith(f"{path} is no script of the simulated table: ")
    assert says in told


def test_a_folder_that_cannot_be_recorded_into(refused: Refused, stretch: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "is a file" in refused(stretch, "--record", tmp_path / "file")
    assert "has something in it" in refused(stretch, "--record", tmp_path)
    assert "Pictures cannot be kept" in refused(stretch, "--pictures", tmp_path / "file")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["file", "typed"]


def test_a_folder_that_may_not_be_written(stretch: Path, tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o555)
    done = companion("watch", stretch, "--record", tmp_path / "locked" / "new", **without_rights())
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot be recorded into: Permission denied." in sentence(done.stderr)


# --- what is wrong with a source -------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A folder with the same table in ten pictures."""
    folder = tmp_path / "table"
    folder.mkdir()
    for number in range(10):
        shutil.copy(SELFTEST / SHOTS[0], folder / f"{number}{Path(SHOTS[0]).suffix}")
    return folder


def test_pictures_of_a_table_are_watched(run: Run, table: Path) -> None:
    code, told, said = run(table, "--json")
    assert (code, said) == (0, "")
    assert kinds(replies(told))[0] == "table-seen"


def test_a_film_without_markers_is_one_sentence_and_nothing_is_kept(run: Run, tmp_path: Path) -> None:
    noise = np.random.default_rng(1)
    film = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 5, (320, 240))
    for _ in range(15):
        film.write(cv2.GaussianBlur(noise.integers(90, 160, (240, 320, 3), np.uint8), (9, 9), 3))
    film.release()
    for game in ((), ("--game", "triple3", "--players", "Anna,Ben", "--journal", tmp_path / "journal")):
        code, told, said = run(tmp_path / "film.avi", "--json", *game)
        assert code == 2
        assert "film.avi shows no table in " in sentence(said)
        assert [one for one in kinds(replies(told)) if one not in ("table-lost", "notice")] == []
    with Journal.open(tmp_path / "journal") as journal:
        assert journal.matches() == []


def test_a_film_does_not_know_who_plays(refused: Refused, table: Path) -> None:
    assert "--players NAME,NAME,… is needed" in refused(table, *MATCH)


def test_pictures_of_changing_size_are_one_sentence_after_what_was_seen(run: Run, table: Path) -> None:
    assert cv2.imwrite(str(table / "5.png"), np.zeros((90, 120, 3), np.uint8))
    for old in table.glob("5.*"):
        if old.suffix != ".png":
            old.unlink()
    code, told, said = run(table, "--json")
    assert code == 2
    assert "must have the same size" in sentence(said)
    assert kinds(replies(told))[0] == "table-seen"


def test_a_recording_cut_short_is_ruled_on_up_to_there(run: Run, copied: Path, tmp_path: Path) -> None:
    lines = (copied / "stamps.txt").read_text().splitlines(keepends=True)
    (copied / "stamps.txt").write_text("".join(lines[:75]))
    code, told, said = run(copied, "--game", "triple3", "--json", "--journal", tmp_path / "journal")
    assert code == 2
    assert "breaks off after 75 frames, at 4.9 s" in sentence(said)
    found = replies(told)
    assert [one["move"]["move"] for one in found if one["kind"] == "ruling"] == ["deal", "go", "lay"]
    assert len(entries(tmp_path / "journal")) == 3


def test_a_picture_of_a_recording_that_is_damaged_is_where_it_ends(run: Run, copied: Path) -> None:
    path = copied / "0000070.jpg"
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content[:1000])
    code, told, said = run(copied, *MATCH, "--json")
    assert code == 2
    assert "breaks off after 70 frames" in sentence(said)
    assert kinds(replies(told))[:2] == ["match", "ruling"]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"players": "Anna"}, "about.json: players must be a list"),
        ({"players": [1, 2]}, "about.json: players[0] must be text"),
        ({"players": []}, "--players NAME,NAME,… is needed"),
        ({"house": {"jokers": 1}}, "jokers"),
        ({"house": 7}, "about.json: house must be an object"),
        ({"seats": "left"}, "about.json: seats must be a list"),
        ({"deals": ["x"]}, "about.json: deals[0] must be a whole number"),
        ({"game": "three"}, "shows a match of three, not of triple3"),
        ({"game": 3}, "about.json: game must be text"),
        ({"size": [10, 10]}, "another size"),
        ({"recording": None}, "does not say that this is a recording"),
    ],
)
def test_what_a_recording_says_of_itself_may_be_damaged(
    run: Run, copied: Path, changed: dict[str, Any], says: str
) -> None:
    about = json.loads((copied / ABOUT).read_text())
    (copied / ABOUT).write_text(json.dumps(about | changed))
    code, told, said = run(copied, *MATCH, "--json")
    assert (code, told) == (2, "")
    assert says in sentence(said)


def test_what_is_typed_reaches_the_match(run: Run, copied: Path) -> None:
    (copied / "said.jsonl").write_text("")
    typed = '{"move":"go","at":1000000000,"id":"mine"}\nnonsense\n{"do":"look","cell":4,"at":3000000000}\n'
    code, told, said = run(copied, *MATCH, "--json", typed=typed)
    assert (code, said) == (2, "")
    found = replies(told)
    assert [(one["code"], one["sentence"][:20]) for one in found if one["kind"] == "error"] == [
        ("malformed", "The line is not JSON")
    ]
    assert [one["move"]["move"] for one in found if one.get("re") == "mine"] == ["go"]
    assert [one["do"] for one in found if one["kind"] == "done"] == ["look"]


# --- the page --------------------------------------------------------------------------------------------------


def test_the_schema_and_the_page_are_up_to_date() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    made = (PROJECT / "docs" / "watching.schema.json").read_text(encoding="utf-8")
    assert made == shown(SCHEMA), "python -m tools.schema docs"
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_tables(page, watching_tables()), "python -m tools.schema docs"


def test_the_examples_of_the_page_are_of_the_form_that_the_schema_describes() -> None:
    examples = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith('{"kind"')]
    assert len(examples) >= 3
    for line in examples:
        VALID.validate(json.loads(line))


@pytest.mark.parametrize("line", [{"kind": "card-seen"}, {"kind": "dance"}, {"kind": "foul", "evidence": {}}])
def test_the_schema_refuses_what_is_not_told(line: Told) -> None:
    assert not VALID.is_valid(line)
