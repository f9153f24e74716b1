"""A sixth game, made as docs/add-a-game.md says: one folder and one line. All of the house plays it, unchanged."""

import json
import re
import tempfile
import time
from pathlib import Path
from typing import Any

import pygame
import pytest

from companion.core.button_meanings import button_kinds, key_kinds
from companion.core.match import Match, set_up
from companion.core.referee import Referee, Told
from companion.core.replies import Reply, ruling_reply
from companion.core.requests import MoveMessage
from companion.core.seats import Bot
from companion.core.session import Session
from companion.display.art import drawing
from companion.display.layout import Size
from companion.display.painter import Painter
from companion.display.scene import Art, ChangeTo, Go, Practise, Say, Start
from companion.display.screens import scene
from companion.games import NAMES, game, has, part
from companion.journal import Journal
from companion.publishing.publisher import Publisher
from companion.publishing.wish import Publish
from companion.reports.statistics import tallied
from companion.seat.door import Door
from companion.seat.table import PlainTable
from companion.sounds.cues import Cue, heard
from companion.words import Words
from hardware.wiring import Seat, Wiring, read_wiring
from simulator.drawn.items import Thing
from simulator.playing import play_out, seated
from tests.display.beside import Visitor
from tests.display.table import Guests
from tests.doors import Run
from tests.inputs.test_presses import MS, At
from tests.levels import played as played_beside
from tests.sixth.rules import Take

FOLDER = Path(__file__).parents[1] / "sixth"
PAGE = FOLDER.parents[1] / "docs" / "add-a-game.md"
SIZE: Size = (800, 480)


@pytest.fixture(autouse=True)
def sticks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one line."""
    monkeypatch.setitem(NAMES, "sticks", "tests.sixth")


def setting() -> Any:
    playing = game("sticks")
    return set_up(playing, ("Anna", "Ben"), playing.house(sticks=5), match_id="sticks")


# --- the page --------------------------------------------------------------------------------------------------


def test_the_files_of_the_page_are_those_of_the_game() -> None:
    text = PAGE.read_text(encoding="utf-8")
    shown = dict(re.findall(r"^`(\w+\.py)`[^\n]*\n\n```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    files = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.py") if file.name != "__init__.py"}
    assert set(shown) == set(files)
    for name, code in shown.items():
        assert code == files[name].replace("tests.sixth", "companion.games.sticks"), name


def test_the_page_tells_of_every_part_that_a_game_has() -> None:
    text = PAGE.read_text(encoding="utf-8")
    package = PAGE.parents[1] / "companion" / "games"
    of_all = set.intersection(
        *({file.name for file in (package / name).glob("*.py")} for name in NAMES if name != "sticks")
    )
    missing = [name for name in of_all if f"`{name}`" not in text and name != "__init__.py"]
    assert missing == []


PARTS = (
    "art",
    "bot",
    "buttons",
    "cues",
    "guide",
    "house",
    "paper",
    "print",
    "rulebook",
    "screen",
    "spread",
    "tallies",
    "words",
)


@pytest.mark.parametrize("name", [*NAMES, "sticks"])
@pytest.mark.parametrize("room", PARTS)
def test_every_game_has_the_same_files(name: str, room: str) -> None:
    """A game may leave one out; those that come along leave none."""
    assert has(name, room)


EXEMPT = ("companion/games/",)  # the games themselves


def test_outside_of_its_package_nobody_knows_a_game() -> None:
    """But for the registry, and for documents, tests and tools."""
    names = "|".join(name for name in NAMES if name != "sticks")
    wanted = re.compile(rf'"({names})"|games\.({names})\b|games import ({names})\b')
    root = PAGE.parents[1]
    files = [file for room in ("companion", "hardware", "simulator", "vision") for file in (root / room).rglob("*.py")]
    found = [
        f"{where}: {line}"
        for file in files
        if not (where := file.relative_to(root).as_posix()).startswith(EXEMPT)
        for line in file.read_text(encoding="utf-8").splitlines()
        if wanted.search(line)
    ]
    assert len(files) > 300
    assert found == []


# --- the command line ------------------------------------------------------------------------------------------


def test_it_is_played_through_the_door() -> None:
    session = Session(Referee.begin(setting(), None), None)
    said: list[str] = []
    lines = (
        b'{"move":"take","player":"Anna","count":2,"at":5}',
        b'{"move":"take","player":"Anna","at":6}',
        b'{"do":"undo","at":7}',
        b'{"move":"take","player":"Anna","count":3,"at":8}',
        b'{"move":"take","player":"Ben","count":2,"at":9}',
    )
    with tempfile.TemporaryFile() as source:
        source.write(b"\n".join(lines))
        source.seek(0)
        Door(PlainTable(session), said.append, own_clock=False).serve(source.fileno())
    replies = [json.loads(line) for line in said[1:]]
    assert [reply["kind"] for reply in replies] == ["ruling", "foul", "done", "ruling", "ruling"]
    assert replies[0]["events"][0]["sentence"] == "Anna takes 2, and 3 lie there."
    assert replies[1]["code"] == "not-your-turn"
    assert replies[-1]["table"]["over"]["winners"] == ["Ben"]


def without_time(text: str) -> str:
    """An exported match, but for how long its clock had run when it was exported."""
    return re.sub(r'"time":\d+', "", text)


def test_a_demo_is_kept_shown_exported_and_imported(run: Run, tmp_path: Path) -> None:
    journal, other, file = tmp_path / "one", tmp_path / "two", tmp_path / "match.json"
    code, told, said = run("demo", "sticks", "--players", "Anna,Ben", "--house", "sticks=9", "--journal", journal)
    assert (code, said) == (0, "")
    assert "takes" in told
    with Journal.open(journal) as opened:
        match = opened.matches()[0].code
    assert "sticks" in run("matches", "--journal", journal)[1]
    assert "Anna takes" in run("replay", match, "--journal", journal)[1]
    assert run("export", match, "--journal", journal, "--output", file)[0] == 0
    assert run("import", file, "--journal", other)[0] == 0
    again, first = run("export", match, "--journal", other)[1], file.read_text(encoding="utf-8")
    assert without_time(again) == without_time(first)
    assert "house rule At once at most" not in run("export", match, "--sheet", "--journal", other)[1]
    assert "house rule Sticks: 9" in run("export", match, "--sheet", "--journal", other)[1]
    assert "most = 3" in run("rules", "sticks")[1]


def test_pictures_of_its_moments_are_saved(run: Run, tmp_path: Path) -> None:
    assert run("demo", "sticks", "--seed", "4", "--pictures", tmp_path)[0] == 0
    kinds = {file.stem.partition("-")[2] for file in (tmp_path / "sticks").glob("*.png")}
    assert kinds >= {"taken", "result"}


def test_it_is_printed(run: Run, tmp_path: Path) -> None:
    assert run("print", "sticks", "deck", "--to", str(tmp_path / "sheets"), "--size", "63x88")[0] == 0
    assert [file.name for file in (tmp_path / "sheets").iterdir()] == ["sticks-deck-63x88-a4.pdf"]


def test_a_house_rule_of_it_is_checked(run: Run) -> None:
    code, _, said = run("demo", "sticks", "--house", "most=7")
    assert (code, said) == (2, "companion: House rule most: 7 is more than 5.\n")


# --- the screen ------------------------------------------------------------------------------------------------


def painted(guests: Guests) -> bytes:
    surface = pygame.Surface(SIZE)
    Painter(surface, "dark").paint(guests.app.scene, guests.hour.now)
    return pygame.image.tobytes(surface, "RGB")


def test_it_is_offered_set_up_and_played_on_the_screen() -> None:
    pygame.font.init()
    guests = Guests(SIZE)
    assert "sticks" in {item.name for item in guests.app.scene.items if isinstance(item, Art)}
    guests.do(Go("players", "sticks"))
    guests.do(Go("house"))
    assert "At once at most" in {getattr(item, "text", "") for item in guests.app.scene.items}
    guests.app.take(ChangeTo(guests.app.view.draft, Start()), guests.hour.now)
    before = painted(guests)
    guests.do(lambda intent: isinstance(intent, Say) and isinstance(intent.message, Take) and intent.message.count == 2)
    assert painted(guests) != before
    assert guests.app.match is not None
    assert guests.app.match.state.left == 13


def test_its_rules_and_its_picture_are_drawn() -> None:
    guests = Guests(SIZE)
    guests.app.take(Go("rules", "sticks"), guests.hour.now)
    said = {getattr(item, "text", "") for item in guests.app.scene.items}
    assert {"Anna takes 2, and 13 lie there.", "Ben cannot take 4 of 13."} <= said
    assert len(drawing("game-sticks")) == 4


def test_its_history_and_its_players_are_shown(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal") as journal:
        referee = Referee.begin(setting(), 0, journal)
        for at, count in enumerate((3, 2)):
            referee.make(Take(referee.match.state.turn, count), at)
        summary = journal.matches()[0]
        assert (summary.game, summary.winners) == ("sticks", ("Ben",))
        assert {tally.player: tally.wins for tally in tallied(journal.stored("sticks").folded())} == {
            "Anna": 0,
            "Ben": 1,
        }
    guests = Guests(SIZE, tmp_path / "journal")
    guests.do(Go("history"))
    assert guests.journal is not None
    until = 100
    while not any("Sticks" in getattr(item, "text", "") for item in guests.app.scene.items) and until:
        guests.wait(0.1)
        time.sleep(0.02)
        until -= 1
    assert until, "the history is read beside the screen"
    guests.journal.close()


# --- beside the screen -----------------------------------------------------------------------------------------


@pytest.fixture
def visitor() -> Any:
    found = Visitor()
    yield found
    found.close()


def test_it_is_laid_beside_the_screen_and_bots_play(visitor: Visitor) -> None:
    visitor.sits_down("sticks")
    visitor.touch(Thing("sticks"))
    assert visitor.state.left == 14
    while visitor.state.turn != visitor.me:
        visitor.goes_on()
    assert visitor.state.left < 14


def test_its_bots_play_a_match_at_the_drawn_table() -> None:
    bench = played_beside("sticks", (Bot(), Bot()), 3)
    assert bench.match.outcome


def test_somebody_is_led_through_a_round() -> None:
    guests = Guests(SIZE)
    guests.app.take(Go("players", "sticks"), guests.hour.now)
    view = guests.app.view
    offered = {item.intent for item in scene(type(view)(**{**vars(view), "can_lead": True})).targets()}
    assert Practise("sticks") in offered


# --- ears, hands, others ---------------------------------------------------------------------------------------


def replies(seed: int = 3) -> list[Reply]:
    playing = game("sticks")
    match = Match(seated(playing, playing.house()))
    found: list[Reply] = []
    for _, told in play_out(match, seed, mistakes=0.3):
        if isinstance(told, Told):
            found.append(ruling_reply(match, told))
    return found


def test_it_is_heard() -> None:
    cues = [sound.cue for reply in replies() if (sound := heard("sticks", reply))]
    assert set(cues[:-1]) == {Cue.LEGAL}
    assert cues[-1] is Cue.WIN


def test_a_button_takes_a_stick() -> None:
    seats = tuple(Seat(pin, pin + 8, {"take": pin + 4}) for pin in (4, 5, 6))
    at = At("sticks", wiring=Wiring(seats=seats))
    at.contact("take", 0, MS)
    at.pass_time()
    assert (at.match.state.left, at.match.state.turn) == (14, "Ben")
    at.contact("take", 2, MS)
    at.pass_time()
    assert at.match.state.left == 14
    assert at.last("notice")["sentence"] == "Clara, take button: it does nothing now, it is Ben's turn."


def test_its_buttons_can_be_wired(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("[[seat]]\nbutton = 4\ntake = 5\n[[seat]]\nbutton = 6\n", encoding="utf-8")
    assert read_wiring(file, key_kinds()).seats[0].keys == {"take": 5}
    assert "take" in button_kinds()


class Outbox(Publisher):
    def __init__(self) -> None:
        wish = Publish(on=True, host="127.0.0.1", port=1, tls=False, name="t")
        super().__init__(wish, print, today=lambda: "2026-11-18T21:00:00.000+00:00")


def test_it_is_published() -> None:
    outbox, session = Outbox(), Session(Referee.begin(setting(), 0), None)
    for at, count in enumerate((3, 2)):
        message = MoveMessage(Take(session.referee.match.state.turn, count), at, "")
        for reply in session.answer(message):
            outbox.heard(reply, session.referee.match)
    told = []
    while (content := outbox.outbox.next_ruling()) is not None:
        told.append(json.loads(content))
    assert [one["game"] for one in told] == ["sticks", "sticks"]
    assert told[-1]["over"]["winners"] == ["Ben"]


# --- what a game may leave out ---------------------------------------------------------------------------------

NEEDLESS = ("buttons", "screen", "cues", "words", "art", "rulebook", "tallies", "house", "guide")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The same game with rules and a bot, and nothing else."""
    package = tmp_path / "bare"
    package.mkdir()
    for name in ("__init__.py", "rules.py", "bot.py"):
        code = (
            (FOLDER / name)
            .read_text(encoding="utf-8")
            .replace("tests.sixth", "bare")
            .replace('"sticks",', '"bare",', 1)
        )
        (package / name).write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(NAMES, "bare", "bare")
    return "bare"


def test_a_game_of_rules_alone_is_played_on_the_table_of_any_game(bare: str) -> None:
    guests = Guests(SIZE)
    guests.do(Go("players", bare))
    guests.app.take(ChangeTo(guests.app.view.draft, Start()), guests.hour.now)
    guests.do(lambda intent: isinstance(intent, Say) and type(intent.message).__name__ == "Take")
    assert guests.app.match is not None
    assert guests.app.match.state.left == 14
    guests.app.take(Go("rules", bare), guests.hour.now)
    assert any("Whoever takes the last one wins." in getattr(item, "text", "") for item in guests.app.scene.items)
    assert Words().rule(game(bare), "most") == "Most"
    assert all(part(bare, room, object).__class__ is object for room in NEEDLESS)


def test_a_game_that_nobody_has_registered_is_none() -> None:
    assert "bare" not in NAMES
