"""What docs/security.md says stops whom, as far as no other file tests it: keys, names, files of others, a stick."""

import os
import random
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.button_meanings import key_kinds
from companion.core.errors import CompanionError
from companion.core.match import Match, set_up
from companion.core.names import LONGEST_NAME
from companion.core.referee import Referee
from companion.core.replies import NoticeReply, Refusal, RulingReply
from companion.core.requests import MoveMessage
from companion.core.session import Session
from companion.devices import machine
from companion.display.app import App
from companion.display.gestures import Gestures
from companion.display.scene import Leave
from companion.games import NAMES, game
from companion.journal import Journal
from companion.journal.backup import SHEETS
from companion.publishing.wish import Publish, password_of
from companion.words import LANGUAGES, Words
from hardware.wiring import read_wiring
from simulator.playing import play_out
from tests.doors import Run

DOCS = Path(__file__).parents[1] / "docs"
PROJECT = DOCS.parent


# --- a child with a keyboard -----------------------------------------------------------------------------------

KEYS = (
    *("escape", "return", "space", "tab", "shift tab", "backspace", "delete", "left", "right", "up", "down", "home"),
    *("f1", "f4", "f11", "f12", "print screen", "sys req", "pause", "left ctrl", "left alt", "left super", "menu"),
    *"abcdefghijklmnopqrstuvwxyz0123456789.,-/\\'\";:<>|!?$%&{}[]()*+~^ ",
)


def test_whatever_is_typed_and_touched_the_table_stays(tmp_path: Path) -> None:
    """Three thousand keys and touches of somebody who means no good; the clock goes on between them."""
    chance, now = random.Random(12), 10**12
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        app = App((800, 480), journal, clock=lambda: now)
        app.surroundings.stays = True
        hands = Gestures(app)
        for _ in range(3000):
            now += chance.choice((10**7, 10**8, 3 * 10**9))
            if chance.random() < 0.5:
                hands.touch(chance.randrange(-50, 900), chance.randrange(-50, 600), now)
            else:
                key = chance.choice(KEYS)
                hands.key(key, key if len(key) == 1 else "", now)
            app.attend(now)
            assert not app.is_left
        app.close(now)
        assert journal.how_many() > 1, "something was played"
        names = {name for one in journal.matches() for name in one.players}
        assert all(name.isprintable() and len(name) <= LONGEST_NAME for name in names)
    assert all(path.name.startswith("journal.sqlite3") or path.name == SHEETS for path in tmp_path.iterdir())
    with Journal(tmp_path / "journal.sqlite3") as journal:  # raises if it is damaged
        for one in journal.matches():
            journal.stored(one.code).folded()


def test_escape_ends_a_window_and_not_the_console() -> None:
    app = App((800, 480))
    app.surroundings.stays = True
    app.take(Leave(is_sure=True), 1)
    assert not app.is_left
    assert app.view.notice
    assert app.view.notice.sentence == "The table stays open: it is switched off at the wall."
    app.surroundings.stays = False
    app.take(Leave(is_sure=True), 2)
    assert app.is_left


@pytest.mark.parametrize(
    ("surroundings", "stays"),
    [
        ({"NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "1000"}, True),
        ({"NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "1000", "WAYLAND_DISPLAY": "w"}, False),
        ({}, False),
    ],
)
def test_where_it_stays(surroundings: dict[str, str], stays: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)
    assert machine.is_on_the_console() == stays


# --- names -----------------------------------------------------------------------------------------------------

CUNNING = (
    "{player.__class__}",
    "%s%n",
    "<b>x</b>",
    "../../etc/passwd",
    "$(reboot)",
    "{0}",
    "'; DROP TABLE entry;--",
    "-rf",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_cunning_name_is_only_a_name(name: str, tmp_path: Path) -> None:
    """In every sentence of every language, in the journal, and in the names of files."""
    playing = game(name)
    names = CUNNING[: playing.players[1]]
    languages = [Words(language) for language in LANGUAGES]
    said = []
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        setup = set_up(playing, names, playing.house())
        session = Session(Referee.begin(setup, 0, journal), None)
        for move, _ in play_out(Match(setup), 2, mistakes=0.2):
            for reply in session.answer(MoveMessage(move, move.at, "")):
                events = reply.events if isinstance(reply, RulingReply) else ()
                said += [words.sentence(event) for event in events if event.text for words in languages]
                if isinstance(reply, Refusal | NoticeReply):
                    said += [words.heard(reply.sentence) for words in languages]
        assert journal.matches()[0].players == names
    told = "\n".join(said)
    assert all(one in told for one in names)
    assert "<class" not in told
    assert len(list(tmp_path.iterdir())) <= 3


@pytest.mark.parametrize(
    "name", ["a\x1b[31mb", "a\nb", "a\u202eb", "\x00", "x" * (LONGEST_NAME + 1), "", " ", "a\u2028b"]
)
def test_a_name_that_nobody_has(name: str) -> None:
    with pytest.raises(CompanionError, match="has 1 to 60 printable characters"):
        set_up(game("three"), (name, "Ben"), game("three").house())


# --- a configuration that points elsewhere ---------------------------------------------------------------------

SECRET = "root:$6$salt$hash:19000:0:99999:7:::"


@pytest.fixture
def secret(tmp_path: Path) -> Iterator[Path]:
    """A file of somebody else, which is as it was afterwards."""
    file = tmp_path / "shadow"
    file.write_text(f"{SECRET}\n" * 20)
    before = (file.read_bytes(), file.stat().st_mtime_ns)
    yield file
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before


def test_a_file_of_others_is_no_journal_and_stays_as_it_is(secret: Path, run: Run) -> None:
    for words in (("matches",), ("replay", "x"), ("referee", "three", "--players", "A,B")):
        code, told, said = run(*words, "--journal", secret)
        assert code == 2
        assert "hash" not in told + said


def test_a_database_of_others_is_left_alone(tmp_path: Path, run: Run) -> None:
    import sqlite3  # noqa: PLC0415

    file = tmp_path / "others.sqlite3"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE secrets (word TEXT)")
    database.close()
    before = file.read_bytes()
    code, _, said = run("matches", "--journal", file)
    assert code == 2
    assert "is a database of another program" in said
    assert file.read_bytes() == before


def test_what_a_file_of_others_says_is_not_repeated(secret: Path, tmp_path: Path, run: Run) -> None:
    """Named as wiring, as configuration, as password, as CA, as a match, as a picture: no word of it is told."""
    (tmp_path / "table.toml").write_text(f'[wiring]\nfile = "{secret}"\n[camera]\nsettings = "{secret}"\n')
    doors = (
        ("doctor", "--bundle", tmp_path / "b.zip", "--configuration", tmp_path / "table.toml"),
        ("import", secret),
        ("read", secret),
        ("watch", secret),
        ("doctor", "buttons", "--wiring", secret),
        ("referee", "three", "--players", "A,B", "--no-journal", "--publish", secret),
        ("rules", "threepia", "--house", f"field={secret}"),
    )
    said = [str(run(*words)) for words in doors]
    with pytest.raises(CompanionError) as caught:
        read_wiring(secret, key_kinds())
    assert "hash" not in "".join((*said, str(caught.value)))
    with zipfile.ZipFile(tmp_path / "b.zip") as opened:
        parts = {name: opened.read(name).decode() for name in opened.namelist()}
    assert "It cannot be read as TOML." in parts["companion-support/configuration.json"]
    assert [name for name, part in parts.items() if "hash" in part] == []
    publish = Publish(user="a", password_file=str(secret))
    assert password_of(publish) == SECRET, (
        "as a password it goes to the broker that the same file names, and no further"
    )
    assert SECRET not in repr(publish)


# --- a stick ---------------------------------------------------------------------------------------------------

can_mount = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0 or not shutil.which("mkfs.ext4"), reason="only root mounts"
)


@can_mount
@pytest.mark.parametrize("has_link", [False, True], ids=["empty", "with a link"])
def test_root_follows_no_link_on_a_stick(tmp_path: Path, has_link: bool) -> None:
    """What is called companion on it may point at anything of this system, which would be given to the table's user."""
    image, where, victim = tmp_path / "stick.img", tmp_path / "7", tmp_path / "victim"
    victim.mkdir()
    image.write_bytes(bytes(4_000_000))
    subprocess.run(["mkfs.ext4", "-q", "-F", image], check=True, capture_output=True)
    where.mkdir()
    if subprocess.run(["mount", "-o", "loop", image, where], check=False, capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    if has_link:
        (where / "companion").symlink_to(victim)
    subprocess.run(["umount", where], check=True)
    script = (PROJECT / "setup" / "stick.sh").read_text(encoding="utf-8")
    mine = script.replace("/run/companion-stick", str(tmp_path)).replace("user=companion", "user=daemon")
    (tmp_path / "stick.sh").write_text(mine)
    surroundings = {**os.environ, "COMPANION_STICK": str(image)}
    try:
        subprocess.run(["sh", tmp_path / "stick.sh", "mount", "7"], check=True, env=surroundings, capture_output=True)
        assert victim.stat().st_uid == 0
        if not has_link:
            assert (where / "companion").stat().st_uid != 0
        options = next(line for line in Path("/proc/mounts").read_text().splitlines() if str(where) in line).split()[3]
        assert {"nosuid", "nodev", "noexec", "nosymfollow"} <= set(options.split(","))
    finally:
        subprocess.run(["umount", where], check=False)


# --- the page --------------------------------------------------------------------------------------------------


def test_every_test_that_the_page_names_is_there() -> None:
    page = (DOCS / "security.md").read_text(encoding="utf-8")
    file, named = "", 0
    for path, test in re.findall(r"`(tests/[\w/]+\.py)?(?:::(\w+))?`", page):
        file = path or file
        text = (PROJECT / file).read_text(encoding="utf-8") if path or test else ""
        assert not test or f"def {test}(" in text, f"{file} has no {test}"
        named += bool(path or test)
    assert named > 40
