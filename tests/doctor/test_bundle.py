"""`companion doctor` and its bundle: what is in the file, and above all what is not."""

import contextlib
import fcntl
import io
import json
import os
import socket
import sqlite3
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.config import table_file as configuration
from companion.config.table_file import Configuration, read_configuration
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.requests import MoveMessage, Pause, read_message
from companion.core.session import Session
from companion.devices.lock import beside, is_open
from companion.doctor import bundle, checkup
from companion.doctor.bundle import LOG, PART, BundleWish, Cleaning, packed, write_bundle
from companion.doctor.health import AILING, WORKS, Finding
from companion.games import game
from companion.journal import Journal
from companion.journal.archive import read_archive
from tests.doors import Refused, Run
from tests.kept import companion, without_rights
from tests.replies import told as as_told

NAMES = ("Annalena", 'Zoë "Z" O\'Neil', "Bartholomäus")
PASSWORD = "open-sesame-7"
UNITS = Path(__file__).parents[2] / "systemd"
FILES = {
    "README.txt",
    "findings.json",
    "versions.json",
    "configuration.json",
    "journal.json",
    "match.json",
    "refused.json",
    "log.txt",
}

LOGGED = """2026-11-18T20:00:00+0000 companion[99]: The journal /home/annalena/x/journal.sqlite3 cannot be written.
2026-11-18T20:00:01+0000 companion[99]: It is Annalena's turn, not Zoë "Z" O'Neil's.
2026-11-18T20:00:02+0000 companion[99]: {"player": "Zo\\u00eb \\"Z\\" O'Neil", "password": "open-sesame-7"}
2026-11-18T20:00:03+0000 companion[99]: camera rtsp://annalena:open-sesame-7@10.0.0.9/stream is gone
2026-11-18T20:00:04+0000 companion[99]: /ROOT/core, /media/annalena/stick
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's home with a table that was played at, and with a log."""
    home = tmp_path / "home" / "annalena"
    programs = home / "bin"
    programs.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setattr("socket.gethostname", lambda: "annalenas-pi")
    monkeypatch.setattr(bundle, "findings", lambda *_: (Finding("journal", WORKS, f"{home}/x is well."),))
    (home / "logged").write_text(LOGGED)
    logged(home, f'[ "$1" = --unit=companion.service ] && cat {home}/logged')
    (home / "password").write_text(f"{PASSWORD}\n")
    (home / "table.toml").write_text(
        "# Annalena's table, open-sesame-7\n"
        f'[publish]\non = true\nhost = "broker"\nuser = "annalena"\npassword_file = "{home}/password"\n'
        '[camera]\nsource = "rtsp://annalena:open-sesame-7@10.0.0.9/stream"\n'
    )
    play(home / "journal.sqlite3")
    return home


def logged(home: Path, script: str) -> None:
    """What journalctl does."""
    program = home / "bin" / "journalctl"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


def play(file: Path) -> None:
    """A match with a foul and a pause, and with names in what people typed."""
    playing = game("tres")
    with Journal.open(file) as journal:
        referee = Referee.begin(set_up(playing, NAMES, playing.house()), 0, journal)
        session = Session(referee, None)
        for at, message in enumerate(
            (
                {"move": "dealer", "player": NAMES[0]},
                {"move": "pass", "player": NAMES[1]},
                {"move": "dealer", "player": NAMES[2]},
            ),
            1,
        ):
            session.answer(read_message(playing, {**message, "at": at}))
        session.answer(Pause("Annalena is at the phone", at=9))


def wish(home: Path, **more: Any) -> BundleWish:
    usual = {"journal": home / "journal.sqlite3", "configuration": read_configuration(home / "table.toml")}
    return BundleWish(home / "support.zip", **{**usual, **more})


def made(asked: BundleWish) -> dict[str, str]:
    said: list[str] = []
    write_bundle(asked, said.append)
    assert len(said) == 1
    assert said[0].startswith(str(asked.file))
    with zipfile.ZipFile(asked.file) as opened:
        assert opened.testzip() is None
        found = {name: opened.read(name).decode() for name in opened.namelist()}
    assert all(name.startswith("companion-support/") for name in found)
    return {name.removeprefix("companion-support/"): text for name, text in found.items()}


def test_everything_is_in_it(home: Path) -> None:
    parts = made(wish(home))
    assert set(parts) == FILES
    assert json.loads(parts["findings.json"])[0]["state"] == WORKS
    versions = json.loads(parts["versions.json"])
    assert "pytest" in versions["packages"]
    assert versions["memory"]["MemTotal"].endswith("kB")
    health = json.loads(parts["journal.json"])
    assert (health["trouble"], health["rows"]["match"], health["matches"]) == ("", 1, [["tres", "running", 1]])
    assert json.loads(parts["configuration.json"])["table"]["publish"]["host"] == "broker"
    assert "Annalena" in parts["match.json"]
    assert json.loads(parts["refused.json"])
    assert "It is Annalena's turn" in parts["log.txt"]


@pytest.mark.parametrize("names", [True, False])
def test_no_password_and_no_home_is_in_it(home: Path, names: bool) -> None:
    everything = "\n".join(made(wish(home, names=names)).values())
    for secret in (PASSWORD, "sesame", str(home), "/home/annalena", "/media/annalena", "/root", "annalena:"):
        assert secret not in everything, secret
    assert '"user": "(removed)"' in everything
    assert "rtsp://(removed)@10.0.0.9/stream" in everything


def test_no_name_is_in_it(home: Path) -> None:
    parts = made(wish(home, names=False))
    everything = "\n".join(parts.values())
    for name in ("annalena", "zoë", "zo\\u00eb", "neil", "barthol", "annalenas-pi"):
        assert name not in everything.lower(), name
    assert "It is Player 1's turn, not Player 3's." in parts["log.txt"]
    assert "Player 1 is at the phone" in parts["match.json"]


def test_a_match_without_names_can_be_played_again(home: Path) -> None:
    parts = made(wish(home, names=False))
    file = home / "match.json"
    file.write_text(parts["match.json"])
    stored = read_archive(file)
    assert stored.setup.names == ("Player 1", "Player 3", "Player 2")
    assert len(stored.entries) == 2


def test_players_called_like_words_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "findings", lambda *_: (Finding("journal", AILING, "made is well."),))
    playing = game("three")
    names = ("made", "begin", "three", "player")
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        session = Session(Referee.begin(set_up(playing, names, playing.house()), 0, journal), None)
        session.answer(read_message(playing, {"move": "begin", "player": "begin", "at": 1}))
    asked = BundleWish(tmp_path / "s.zip", tmp_path / "journal.sqlite3", Configuration(), names=False)
    file = tmp_path / "match.json"
    file.write_text(made(asked)["match.json"])
    assert set(read_archive(file).setup.names) == {"Player 1", "Player 2", "Player 3", "Player 4"}


# --- whole, bounded, and only looking --------------------------------------------------------------------------


def test_the_journal_is_only_looked_at(home: Path) -> None:
    before = {path.name: path.read_bytes() for path in home.glob("journal.sqlite3*")}
    made(wish(home))
    assert {name: (home / name).read_bytes() for name in before} == before


def test_a_table_that_is_open_is_not_disturbed(home: Path) -> None:
    playing = game("three")
    with Journal.open(home / "journal.sqlite3") as journal:
        session = Session(Referee.begin(set_up(playing, ("A1", "B2"), playing.house()), 0, journal), None)
        made(wish(home))
        (reply,) = as_told(session.answer(read_message(playing, {"move": "begin", "player": "A1", "at": 5})))
        assert reply["kind"] == "ruling"


@pytest.mark.parametrize("names", [True, False])
def test_a_damaged_journal_is_a_finding(home: Path, names: bool) -> None:
    journal = home / "journal.sqlite3"
    with Journal.open(journal):
        pass
    content = bytearray(journal.read_bytes())
    content[:2048] = os.urandom(2048)
    journal.write_bytes(content)
    parts = made(wish(home, names=names))
    assert json.loads(parts["journal.json"])["trouble"]
    assert journal.read_bytes() == bytes(content), "nothing was mended"
    if not names:
        assert "log.txt" not in parts, "nobody knows which names are in it"
        assert "annalena" not in "".join(parts.values()).lower()


@pytest.mark.parametrize("names", [True, False])
def test_without_a_journal(home: Path, names: bool) -> None:
    parts = made(wish(home, journal=home / "none" / "journal.sqlite3", names=names))
    assert json.loads(parts["journal.json"])["trouble"] == "There is none."
    assert not (home / "none").exists()
    if names:
        assert parts["match.json"] == "There is no match.\n"
    else:
        assert not {"log.txt", "match.json", "refused.json"} & set(parts), "nobody knows which names are in them"
        assert "annalena" not in "".join(parts.values()).lower()


@pytest.mark.parametrize("what", ["folder", "file"])
def test_a_journal_that_may_not_be_read(home: Path, what: str) -> None:
    """It is another user's, as on an appliance; root is stopped by nothing, so the rights are given up."""
    kept = home / "kept" / "journal.sqlite3"
    kept.parent.mkdir()
    play(kept)
    (kept.parent if what == "folder" else kept).chmod(0)
    try:
        done = companion("doctor", "--bundle", home / "s.zip", "--without-names", "--journal", kept, **without_rights())
        round_of_all = companion("doctor", "--journal", kept, **without_rights())
        copied = companion("backup", home, "--journal", kept, **without_rights())
    finally:
        (kept.parent if what == "folder" else kept).chmod(0o700)
    hidden = f"The journal {kept} may not be read by this user: try it with sudo."
    assert done.returncode == 0
    assert "companion: " not in done.stderr
    with zipfile.ZipFile(home / "s.zip") as opened:
        assert "log.txt" not in "".join(opened.namelist())
        health = json.loads(opened.read("companion-support/journal.json"))
        found = {one["device"]: one for one in json.loads(opened.read("companion-support/findings.json"))}
    assert health["trouble"] == hidden.replace(str(home), "~")
    assert found["journal"]["sentence"] == health["trouble"]
    assert found["camera"], "and everything else is told"
    assert hidden in round_of_all.stdout
    assert (copied.returncode, copied.stderr) == (2, f"companion: {hidden}\n")


def test_a_long_log_is_its_end(home: Path) -> None:
    with (home / "logged").open("w") as file:
        for number in range(60_000):
            file.write(f"line {number} of a long log that never ends\n")
    text = made(wish(home))["log.txt"]
    assert len(text) <= LOG
    assert text.startswith("line ")
    assert text.endswith("line 59999 of a long log that never ends\n")
    assert (home / "support.zip").stat().st_size < LOG


@pytest.mark.parametrize("script", ["exit 1", "kill -9 $$", "true"])
def test_without_a_log(home: Path, script: str) -> None:
    logged(home, script)
    assert made(wish(home))["log.txt"].startswith("The system's log has nothing of it")


def test_a_log_that_hangs(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "PATIENCE", 0.2)
    logged(home, "exec sleep 60")
    assert made(wish(home))["log.txt"].startswith("The system's log has nothing of it")


def test_what_is_too_large_is_left_out_and_says_so() -> None:
    with zipfile.ZipFile(io.BytesIO(packed({"a": "x" * (PART + 1), "b": "y\ud800"}))) as opened:
        assert opened.read("companion-support/a") == f"It is left out: it has {PART + 1} bytes.\n".encode()
        assert opened.read("companion-support/b") == b"y\\ud800"


def test_a_configuration_that_is_no_toml_is_left_out(home: Path) -> None:
    (home / "logged").write_text("x")
    (home / "table.toml").write_text(f'[publish]\npassword = "{PASSWORD}"\nhost = = 1\n')
    parts = made(wish(home))
    assert json.loads(parts["configuration.json"])["table"] == "It cannot be read as TOML."
    assert PASSWORD not in "".join(parts.values())


def test_a_password_written_where_none_belongs(home: Path) -> None:
    """Somebody who does not read the page writes it into table.toml itself."""
    (home / "logged").write_text("nothing\n")
    (home / "table.toml").write_text(
        f'[publish]\npassword = "{PASSWORD}"\n[wifi]\nsecret_word = """\n{PASSWORD}"""\nAPIkey = ["{PASSWORD}"]\n'
    )
    assert PASSWORD not in "".join(made(wish(home)).values())


def cleaning(**more: Any) -> Cleaning:
    return Cleaning(BundleWish(Path("x"), Path("x"), Configuration(**more)), ())


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("camera rtsp://u:pa/ss@cam is gone", "camera rtsp://(removed)@cam is gone"),
        ("camera rtsp://u:p@ss@cam/1 is gone", "camera rtsp://(removed)@cam/1 is gone"),
        ("host table:ss-7@broker is no name", "host (removed)@broker is no name"),
        ('host = "table:ss-7@broker"', 'host = "(removed)@broker"'),
        ("http://cam/video?user=admin&pwd=ss-7", 'http://cam/video?user="(removed)"&pwd="(removed)"'),
        ("http://cam/video?pass=ss-7", 'http://cam/video?pass="(removed)"'),
        ("Passwort = ss 7, or so", 'Passwort = "(removed)"'),
        ("wifi_password2: ss-7", 'wifi_password2: "(removed)"'),
        ('{"password": "s\\"s-7", "volume": 3}', '{"password": "(removed)", "volume": 3}'),
        ("psk=ss-7", 'psk="(removed)"'),
        ("apiKey: ss-7 is wrong", 'apiKey: "(removed)" is wrong'),
        ("token: ss-7", 'token: "(removed)"'),
        ("Authorization: Bearer ss-7 sent", 'Authorization: "(removed)" sent'),
        ("PIN: 7777", 'PIN: "(removed)"'),
        ("user = 'ss-7'", 'user = "(removed)"'),
    ],
)
def test_no_password_stays_in_a_text(text: str, left: str) -> None:
    assert cleaning().text(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "It may not be read by this user: try it with sudo.",
        "password_file: it cannot be read",
        "The broker refuses the user or the password.",
        "[publish] password_file needs a user, whose password it is.",
        "2026-11-18T20:00:00+0000 companion[99]: all is well",
        "Anna passes: Ben, 3 of 20",
    ],
)
def test_what_only_sounds_like_one_stays(text: str) -> None:
    assert cleaning().text(text) == text


@pytest.mark.parametrize(
    "key",
    ["psk", "token", "pwd", "passwords", "mqtt_password2", "apiKey", "Passwort", "auth", "pin", "wifiPSK", "user"],
)
def test_a_key_that_says_what_it_holds(key: str) -> None:
    assert json.loads(cleaning().data({key: "ss-7"})) == {key: "(removed)"}
    assert json.loads(cleaning().data({"of": [{key: ["ss-7"]}]})) == {"of": [{key: "(removed)"}]}


def test_tables_that_are_called_like_one_stay() -> None:
    wired = {"token": {"kind": "ring"}, "pins": {"driver": "simulated"}, "publish": {"password_file": "/etc/p"}}
    assert json.loads(cleaning().data(wired)) == wired


@pytest.mark.parametrize("line", ['host = "table:{}@broker"', 'host = "mqtt://table:{}@broker"', "port = 99999"])
def test_a_mistake_in_publishing_gives_no_password_away(home: Path, line: str) -> None:
    """Then nothing is published; what the file with the password says is looked for all the same."""
    (home / "table.toml").write_text(
        f'[publish]\non = true\n{line.format(PASSWORD)}\nuser = "annalena"\npassword_file = "password"\n'
    )
    (home / "logged").write_text(f"2026-11-18T20:00:03+0000 companion[99]: {PASSWORD} is what somebody typed\n")
    asked = wish(home)
    assert len(asked.configuration.notices) == 1
    assert PASSWORD not in asked.configuration.notices[0]
    assert PASSWORD not in "".join(made(asked).values())


def test_of_a_file_of_others_only_its_place_is_told(home: Path) -> None:
    """It may be TOML and hold anything, under any key."""
    (home / "others.toml").write_text(
        '[pins]\ndriver = "lgpio"\nhint = "ss-7"\n[vault]\ncode = "ss-7"\n[[seat]]\nlight = ["ss-7"]\n'
    )
    (home / "table.toml").write_text(
        f'plain = "ss-7"\n[wiring]\nfile = "{home}/others.toml"\n[camera]\nhint = "ss-7"\n'
    )
    parts = made(wish(home))
    assert "ss-7" not in "".join(parts.values())
    told = json.loads(parts["configuration.json"])
    unknown = "(no key of this file)"
    assert told["wiring"] == {
        "pins": {"driver": "lgpio", "hint": unknown},
        "vault": unknown,
        "seat": [{"light": unknown}],
    }
    assert told["table"] == {"plain": unknown, "wiring": {"file": "~/others.toml"}, "camera": {"hint": unknown}}


@pytest.mark.parametrize("user", [0, 1000])
def test_the_log_of_every_unit(home: Path, user: int, monkeypatch: pytest.MonkeyPatch) -> None:
    logged(home, f'echo "$@" >>{home}/asked; echo "said to $1"')
    monkeypatch.setattr("os.geteuid", lambda: user)
    text = made(wish(home))["log.txt"]
    asked = (home / "asked").read_text().splitlines()
    of_system = {
        f"--unit={path.name.replace('@.', '@*.')}"
        for path in UNITS.glob("companion*.service")
        if "desktop" not in path.name
    }
    of_session = {f"--unit={path.name}" for path in UNITS.glob("companion-desktop*.service")}
    assert [{word for word in line.split() if "unit" in word} for line in asked] == [of_system, of_session][
        : 1 + (user > 0)
    ]
    assert ("--user" in asked[-1]) == bool(user)
    assert text.count("said to") == len(asked)


@pytest.mark.parametrize("where", ["folder", "none/support.zip", "file/support.zip"])
def test_a_file_that_cannot_be(home: Path, where: str, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "folder").mkdir()
    (home / "file").touch()
    monkeypatch.chdir(home)
    made(wish(home))  # SQLite has its files beside the journal now
    before = sorted(home.rglob("*"))
    assert where in refused("doctor", "--bundle", where, "--journal", "journal.sqlite3")
    assert sorted(home.rglob("*")) == before


def test_another_file_is_not_written_over(home: Path, refused: Refused) -> None:
    letter = home / "letter.txt"
    letter.write_text("Dear Anna", encoding="utf-8")
    assert "is no bundle: take another name" in refused("doctor", "--bundle", letter, "--journal", home / "none")
    assert letter.read_text(encoding="utf-8") == "Dear Anna"
    made(wish(home))
    made(wish(home))  # a bundle is, by another


def test_a_full_disk_leaves_what_was_there(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(wish(home))
    before = (home / "support.zip").read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.core.wholefile.write", full)
    with pytest.raises(Exception, match="cannot be written: No space left on device"):
        write_bundle(wish(home), print)
    assert (home / "support.zip").read_bytes() == before


def test_short_passwords_do_not_riddle_the_texts(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text('[publish]\nhost = "broker"\nuser = "b"\npassword_file = "p"\n')
    found = read_configuration(tmp_path / "table.toml")
    for password, said in (("a", "a bad day"), ("a bad", "(removed) day")):
        (tmp_path / "p").write_text(f"{password}\n")
        assert Cleaning(BundleWish(tmp_path, tmp_path, found), ()).text("a bad day") == said


# --- the command -----------------------------------------------------------------------------------------------


@pytest.fixture
def one_round(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def these(*found: Finding) -> None:
        checks = {one.device: lambda one=one: one for one in found}
        monkeypatch.setattr(checkup, "usual_checks", lambda _: checks)

    return these


def test_a_round_of_everything(one_round: Callable[..., None], run: Run, tmp_path: Path) -> None:
    one_round(Finding("screen", AILING), Finding("journal", WORKS, "It is well."), Finding("camera", WORKS, "It sees."))
    (tmp_path / "j").touch()
    code, told, said = run("doctor", "--journal", tmp_path / "j")
    assert (code, said) == (0, "")
    off = "publishing    works     Nothing is published, as nobody has switched it on."
    assert told.splitlines() == ["journal       works     It is well.", "camera        works     It sees.", off]
    one_round(Finding("sound", AILING, "Silence.", "Plug it in.", "ALSA"))
    code, told, _ = run("doctor", "--json", "--journal", tmp_path / "j")
    assert code == 1
    assert json.loads(told)[0] == (
        {"device": "sound", "state": AILING, "sentence": "Silence.", "remedy": "Plug it in.", "detail": "ALSA"}
    )


def test_a_device_that_does_not_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import threading  # noqa: PLC0415

    is_over = threading.Event()

    def hangs() -> Finding:
        is_over.wait(20)
        return Finding("camera", WORKS)

    monkeypatch.setattr(checkup, "usual_checks", lambda _: {"camera": hangs})
    (tmp_path / "j").touch()
    (found,) = checkup.findings(tmp_path / "j", patience=0.1)
    is_over.set()
    assert found.state == "does not answer"


def test_the_camera_of_an_open_table_is_left_alone(one_round: Callable[..., None], tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    journal.touch()
    one_round(Finding("camera", AILING))
    assert not is_open(journal)
    with beside(journal).open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert is_open(journal)
        (found,) = checkup.findings(journal)
        assert found == checkup.IN_USE
    assert not is_open(journal)


def test_a_journal_that_is_not_there_yet(tmp_path: Path, run: Run) -> None:
    _, told, _ = run("doctor", "--journal", tmp_path / "new" / "journal.sqlite3")
    (line,) = (line for line in told.splitlines() if line.startswith("journal"))
    assert "works" in line
    assert "the first one makes" in line
    (tmp_path / "file").touch()
    _, told, _ = run("doctor", "--journal", tmp_path / "file" / "journal.sqlite3")
    (line,) = (line for line in told.splitlines() if line.startswith("journal"))
    assert "missing" in line
    assert "name another file" in line


def test_the_configuration_that_is_named_is_the_one_looked_at(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "other.toml"
    file.write_text(
        '[camera]\nsource = "webcam:77"\n[pins]\ndriver = "simulated"\n[[seat]]\nbutton = 17\n[[seat]]\nbutton = 27\n'
    )
    _, told, _ = run("doctor", "--configuration", file, "--journal", tmp_path / "journal.sqlite3")
    lines = {line.split()[0]: line for line in told.splitlines()}
    assert "The buttons are simulated" in lines["buttons"]
    assert "/dev/video77" in lines["camera"]
    file.write_text('[camera]\nsource = "none"\n')
    _, told, _ = run("doctor", "--configuration", file, "--journal", tmp_path / "journal.sqlite3")
    assert "This table does without a camera." in told


def test_publishing_is_a_finding(tmp_path: Path) -> None:
    """Off, wrong, nobody there, somebody there."""
    file = tmp_path / "table.toml"

    def found(text: str) -> Finding:
        file.write_text(f"[publish]\n{text}")
        return checkup.of_publishing(read_configuration(file))

    assert (found("").state, found("").sentence) == (WORKS, "Nothing is published, as nobody has switched it on.")
    wrong = found("on = true\n")
    assert (wrong.state, wrong.sentence) == (AILING, "Nothing is published.")
    assert "line 2: [publish] host: name the computer" in wrong.detail
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        there = f'on = true\nhost = "127.0.0.1"\nport = {port}\nname = "kitchen"\n'
        well = found(there)
        assert well == Finding(
            "publishing", WORKS, f"Somebody listens at port {port} of 127.0.0.1; this table is published as kitchen."
        )
    assert found(there) == Finding("publishing", AILING, "No broker runs at the host and port of [publish].")
    unknown = found('on = true\nhost = "no-such-broker.invalid"\n')
    assert unknown.sentence == "The name of the broker is not known in this network."


def test_the_round_looks_at_publishing_too(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "table.toml"
    file.write_text('[publish]\non = true\nhost = "127.0.0.1"\nport = 1\n[camera]\nsource = "none"\n')
    _, told, _ = run("doctor", "--configuration", file, "--journal", tmp_path / "journal.sqlite3")
    (line,) = (line for line in told.splitlines() if line.startswith("publishing"))
    assert line == "publishing    ailing    No broker runs at the host and port of [publish]."


def test_the_command(home: Path, run: Run, refused: Refused) -> None:
    code, told, said = run(
        "doctor", "--bundle", home / "s.zip", "--without-names", "--journal", home / "journal.sqlite3"
    )
    assert (code, said) == (0, "")
    assert told.endswith("without players' names, without passwords; it was sent to nobody.\n")
    assert refused("doctor", "--without-names") == "--without-names is of a bundle: add --bundle FILE.zip."
    assert refused("doctor", "--bundle", "x", "reader").startswith("A bundle is of everything")


@pytest.fixture
def appliance(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The journal of a machine that starts the table itself, at which somebody else is logged in."""
    settings, kept = home / "etc", home / "state" / "journal.sqlite3"
    for folder in (settings, kept.parent):
        folder.mkdir()
    (settings / "table.toml").touch()
    (settings / "companion.service").touch()
    (home / "journal.sqlite3").rename(kept)
    monkeypatch.setattr(configuration, "MACHINES", settings / "table.toml")
    monkeypatch.setattr(configuration, "MACHINES_UNIT", settings / "companion.service")
    monkeypatch.setattr(configuration, "MACHINES_JOURNAL", kept)
    for name in ("COMPANION_JOURNAL", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(home / "bin")
    return kept


def test_by_hand_the_machines_journal_is_looked_at(appliance: Path, home: Path, run: Run, refused: Refused) -> None:
    assert run("doctor", "--bundle", home / "s.zip", "--without-names")[0] == 0
    with zipfile.ZipFile(home / "s.zip") as opened:
        match, log = (opened.read(f"companion-support/{name}").decode() for name in ("match.json", "log.txt"))
    assert '"tres"' in match
    assert "annalena" not in (match + log).lower()
    assert run("backup", home / "etc")[0] == 0
    assert [path.stat().st_size for path in (home / "etc").glob("matches-*")] == [appliance.stat().st_size]
    (home / "etc" / "companion.service").unlink()
    assert refused("backup", home / "etc").startswith(f"There is no journal {home}/.local/state/companion/")


@pytest.mark.parametrize("by", ["option", "surroundings", "file"])
def test_another_journal_can_be_named(
    appliance: Path, home: Path, by: str, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = str(home / "other.sqlite3")
    words = ["--journal", other] if by == "option" else []
    if by == "surroundings":
        monkeypatch.setenv("COMPANION_JOURNAL", other)
    if by == "file":
        configuration.MACHINES.write_text(f'[journal]\nfile = "{other}"\n')
    assert refused("backup", home / "etc", *words).startswith(f"There is no journal {other}")
    assert appliance.exists()


def test_the_copy_is_gone_afterwards(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    made(wish(home))
    assert list(tmp_path.glob("companion-*")) == []


def test_names_of_every_match_are_known(home: Path) -> None:
    with contextlib.closing(sqlite3.connect(home / "journal.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM player").fetchone() == (3,)
    playing = game("three")
    with Journal.open(home / "journal.sqlite3") as journal:
        session = Session(Referee.begin(set_up(playing, ("Xaver", "Yvonne"), playing.house()), 0, journal), None)
        session.answer(MoveMessage(playing.moves[0]("Xaver", at=1), 1, ""))
    assert "Annalena" not in made(wish(home, names=False))["log.txt"], "she played another day"
