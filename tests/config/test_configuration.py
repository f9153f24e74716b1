"""table.toml: what is right in it holds, what is wrong is one sentence with its line, and nothing stops a game."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.config import board_choice
from companion.config import table_file as configuration
from companion.config import toml_file as handwritten
from companion.config.table_file import Configuration, machines_journal, read_configuration, usual_configuration
from companion.config.toml_file import TOO_LARGE
from companion.core.button_meanings import key_kinds
from companion.publishing.wish import password_of
from hardware.wiring import read_wiring
from tests.tables import FULL, INSTALLED, uncommented

PROJECT = Path(__file__).parents[2]
WHOLE = """
[screen]
size = "1280x720"
language = "de"
[camera]
source = "webcam:0"
settings = "camera.toml"
[journal]
file = "/games/journal.sqlite3"
[wiring]
file = "wiring.toml"
[backup]
folder = "/stick"
keep = 3
[publish]
on = true
host = "broker.example"
"""


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "table.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def read(folder: Path, text: str | bytes) -> Configuration:
    return read_configuration(written(folder, text))


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    found = read(tmp_path, WHOLE)
    assert found.notices == ()
    assert (found.size, found.language, found.camera) == ("1280x720", "de", "webcam:0")
    assert found.camera_settings == tmp_path / "camera.toml", "meant from where the file lies"
    assert found.journal == Path("/games/journal.sqlite3")
    assert found.wiring == tmp_path / "wiring.toml"
    assert (found.backup, found.keep) == (Path("/stick"), 3)
    assert (found.publish.on, found.publish.host) == (True, "broker.example")


def test_without_a_file_everything_is_as_usual() -> None:
    assert read_configuration(None) == Configuration()
    assert not Configuration().publish.on


def test_the_file_that_is_installed_says_nothing_yet_and_all_of_it_may_be_uncommented(tmp_path: Path) -> None:
    found = read_configuration(INSTALLED)
    assert found == Configuration(INSTALLED)
    text = uncommented()
    assert all(
        f"[{name}]" in text for name in ("screen", "camera", "journal", "backup", "publish", "board", "wiring", "token")
    )
    assert not re.search(r"^# ?\[|^# ?\w+ = ", text, re.MULTILINE)
    found = read(tmp_path, text)
    assert found.notices == ()
    assert found.keep == 10
    assert found.wiring == Path("/etc/companion/wiring.toml")
    assert read_wiring(tmp_path / "table.toml", key_kinds()).seats[1].button == 27


def test_the_full_one_has_every_key_there_is() -> None:
    """It is what spoilt ones are made from."""
    data = tomllib.loads(FULL)
    written = {name: set(table[0] if name == "seat" else table) for name, table in data.items()}
    written["token"] |= {"button", "light"}  # where there is one button for all
    assert written == {name: set(keys) for name, keys in configuration.known().items()}
    assert {"host", "password_file", "names"} < written["publish"]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the broker that make install sets up."""
    monkeypatch.setattr(board_choice, "BROKER", tmp_path / "broker")
    (tmp_path / "broker").mkdir()
    (tmp_path / "broker" / board_choice.PASSWORD).write_text("secret\n", encoding="utf-8")


@pytest.mark.parametrize("publish", ["", "[publish]\nname = 'kitchen'", "[publish]\non = false\nhost = 'club.example'"])
@pytest.mark.usefixtures("installed")
def test_a_board_has_a_broker_of_its_own(publish: str, tmp_path: Path) -> None:
    found = read(tmp_path, f"[board]\non = true\n{publish}\n")
    wish = found.publish
    assert found.notices == ()
    assert (found.board.on, found.board.lan, found.board.port) == (True, False, 8333)
    assert (wish.on, wish.where, wish.tls, wish.user) == (True, ("127.0.0.1", 18833), False, "table")
    assert password_of(wish) == "secret"
    assert wish.table == ("kitchen" if "kitchen" in publish else wish.table)


def test_a_board_that_was_not_set_up_says_so_and_the_rest_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_choice, "BROKER", tmp_path / "nowhere")
    found = read(tmp_path, "[screen]\nsize = 'whole'\n[board]\non = true\n[publish]\non = true\n")
    assert [notice.partition(": ")[2] for notice in found.notices] == [f"[board] on: {board_choice.NOT_SET_UP}"]
    assert "line 4" in found.notices[0]
    assert (found.publish.on, found.size) == (False, "whole")


@pytest.mark.usefixtures("installed")
def test_one_broker_at_a_time(tmp_path: Path) -> None:
    """A table publishes to one; that of a club has its own board."""
    found = read(tmp_path, "[board]\non = true\n[publish]\non = true\nhost = 'club.example'\n")
    assert [notice.partition(": ")[2] for notice in found.notices] == [f"[board] on: {board_choice.ELSEWHERE}"]
    assert found.publish.where == ("club.example", 8883)
    found = read(tmp_path, "[board]\non = true\n[publish]\non = true\nhost = 'localhost'\ntls = false\n")
    assert (found.notices, found.publish.where) == ((), ("localhost", 1883))


def test_a_wiring_of_old_is_a_configuration(tmp_path: Path) -> None:
    """Before there was a configuration, table.toml held the wiring only."""
    found = read_configuration(PROJECT / "docs" / "table.toml")
    assert found.notices == ()
    assert found.wiring == PROJECT / "docs" / "table.toml"
    both = (PROJECT / "docs" / "table.toml").read_text(encoding="utf-8") + "\n[screen]\nlanguage = 'nl'\n"
    found = read(tmp_path, both)
    assert (found.notices, found.language) == ((), "nl")
    assert len(read_wiring(tmp_path / "table.toml", key_kinds()).seats) == 4


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('[screen]\nsize = "12x"', 2, "is not a size such as 1280x720"),
        ("[screen]\nsize = 1280", 2, "size must be text in quotes; until then it is as usual."),
        ('[screen]\nlanguage = "xx"', 2, "is not one of"),
        ("[screen]\ncolour = 1", 2, "[screen] has no key colour; known are size, language, bg_stats; it is left out."),
        ("\nscreen = 4", 2, "screen is written [screen]"),
        ("[[screen]]\nsize = 'whole'", 1, "screen is written [screen]"),
        ("[scren]", 1, "there is no table scren; known are screen,"),
        ("[backup]\nkeep = 0", 2, "keep: 0 is not between 1 and 1000"),
        ("[backup]\nkeep = true", 2, "keep must be a number"),
        ('[journal]\nfile = "a\\u0000b"', 2, "this cannot be the name of a file"),
        ("[publish]\non = true", 2, "name the computer on which the broker runs. Nothing is published until then."),
        ("[publish]\nhost = 5", 2, "host must be text in quotes"),
        ("[publish]\nport = 1883\nuser = 'a'\nhost = 'a:b@c'", 4, "host: this is not a name or an address"),
        ("[publish]\nhost = 'a'\npassword = 'b'", 3, "there is no such setting"),
        ("publish = 1", 1, "publish is written [publish]"),
        ("[board]\nlan = 1", 2, "lan must be true or false"),
        ("[board]\nport = 80", 2, "port: 80 is not between 1024 and 65535"),
    ],
)
def test_a_mistake_is_one_sentence_and_the_rest_holds(text: str, line: int, said: str, tmp_path: Path) -> None:
    found = read(tmp_path, text + ("\n[camera]\nsource = 'none'\n" if "camera" not in text else ""))
    assert len(found.notices) == 1
    assert found.notices[0].startswith(f"{tmp_path / 'table.toml'}, line {line}: ")
    assert said in found.notices[0]
    assert found.notices[0].endswith(".")
    assert found == Configuration(found.file, found.notices, camera="none")


@pytest.mark.parametrize(
    ("source", "is_one"),
    [("camera", True), ("camera:1", True), ("webcam:0", True), ("/dev/video0", True), ("clips/camera", True),
     ("webcam:zero", False), ("camera:", False), ("webcam 0", False)],
)  # fmt: skip
def test_a_camera(source: str, is_one: bool, tmp_path: Path) -> None:
    found = read(tmp_path, f"[camera]\nsource = '{source}'\n")
    assert found.camera == (source if is_one else "")
    assert bool(found.notices) is not is_one
    assert is_one or "line 2: source: " in found.notices[0]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[screen", "is not TOML"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"#" * (TOO_LARGE + 1), "is larger than"),
        (b"x = " + b"[" * 5000, "is not TOML"),
    ],
)
def test_a_file_that_cannot_be_read_leaves_everything_as_usual(content: bytes, said: str, tmp_path: Path) -> None:
    found = read(tmp_path, content)
    assert len(found.notices) == 1
    assert said in found.notices[0]
    assert "the table is as usual" in found.notices[0]
    assert found == Configuration(found.file, found.notices, wiring=found.file), "what reads the wiring says it too"


@pytest.mark.parametrize("name", ["none.toml", "."])
def test_a_file_that_is_not_there(name: str, tmp_path: Path) -> None:
    found = read_configuration(tmp_path / name)
    assert len(found.notices) == 1
    assert str(tmp_path) in found.notices[0]


def test_the_nearest_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine, own, here = tmp_path / "etc" / "table.toml", tmp_path / "own" / "companion", tmp_path / "here"
    for folder in (machine.parent, own, here):
        folder.mkdir(parents=True)
    monkeypatch.setattr(configuration, "MACHINES", machine)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    monkeypatch.chdir(here)
    assert usual_configuration() is None
    machine.touch()
    assert usual_configuration() == machine
    (own / "table.toml").touch()
    assert usual_configuration() == own / "table.toml"
    (here / "table.toml").touch()
    assert usual_configuration() == Path("table.toml")


def test_the_machines_own_table_has_its_journal_where_its_unit_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(configuration, "MACHINES", tmp_path / "table.toml")
    monkeypatch.setattr(configuration, "MACHINES_UNIT", tmp_path / "companion.service")
    assert machines_journal(tmp_path / "table.toml") is None, "a desktop, or no appliance at all"
    (tmp_path / "companion.service").touch()
    assert machines_journal(tmp_path / "table.toml") == configuration.MACHINES_JOURNAL
    assert machines_journal(tmp_path / "other.toml") is None
    assert machines_journal(None) is None
    unit = (PROJECT / "systemd" / "companion.service").read_text(encoding="utf-8")
    assert f"COMPANION_JOURNAL={configuration.MACHINES_JOURNAL}\n" in unit
    assert f'# file = "{configuration.MACHINES_JOURNAL}"' in INSTALLED.read_text(encoding="utf-8")


def test_a_home_that_may_not_be_looked_into_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_path: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "exists", refused)
    assert usual_configuration() is None


_VALUES = st.recursive(
    st.one_of(st.booleans(), st.integers(), st.floats(), st.text()),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
_NAMES = st.sampled_from(
    ["screen", "camera", "journal", "wiring", "backup", "publish", "seat", "size", "file", "on", "keep"]
)


def test_a_key_of_very_many_parts_does_not_take_all_memory() -> None:
    with pytest.raises(ValueError, match="line 2 has more than 1000 dots"):
        handwritten.toml("a = 1\n" + ".".join("a" * 32_000) + " = 1")
    assert len(handwritten.toml("a." * 999 + "b = 1")) == 1


@settings(max_examples=300)
@given(
    content=st.one_of(
        st.binary(max_size=200), st.text(alphabet="[]=\n\"'#.{}screnpublihostz0x1_ \\u", max_size=80).map(str.encode)
    )
)
@example(content=b'[screen]\nsize = "\\u0000x"')
@example(content=b"wiring.file = 3\n[[publish]]")
def test_whatever_stands_in_it_there_is_a_configuration(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.toml"
    file.write_bytes(content)
    found = read_configuration(file)
    assert all(str(file) in notice and "\n" not in notice for notice in found.notices)


@settings(max_examples=200)
@given(data=st.dictionaries(_NAMES, st.dictionaries(_NAMES, _VALUES, max_size=3), max_size=4))
def test_whatever_the_values_are(data: dict[str, dict[str, object]], tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.getbasetemp() / "values.toml"
    text = "".join(
        f"[{name}]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in table.items())
        for name, table in data.items()
    )
    file.write_text(text, encoding="utf-8")
    found = read_configuration(file)
    assert all("is not TOML" not in notice for notice in found.notices), text
    assert 1 <= found.keep <= 1000


def toml(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return '"' + "".join(f"\\U{ord(one):08x}" for one in value if not 0xD800 <= ord(one) < 0xE000) + '"'
        case list():
            return "[" + ", ".join(map(toml, value)) + "]"
    return str(value)
