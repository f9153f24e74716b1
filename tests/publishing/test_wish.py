"""`[publish]`: what can be asked for, and the one sentence for what cannot."""

import re
from pathlib import Path
from typing import Any

import pytest

from companion.publishing import wish
from companion.publishing.wish import Publish, PublishError, password_of, read_publish, read_wish


def test_it_is_off_until_it_is_switched_on() -> None:
    assert not Publish().on
    assert not read_publish({}).on
    assert not read_publish({"host": "broker"}).on


def test_what_is_usual() -> None:
    wish = read_publish({"on": True, "host": "broker", "name": "kitchen"})
    assert (wish.where, wish.client_id, wish.topic) == (("broker", 8883), "companion-kitchen", "companion")
    assert wish.tls, "nobody on the way reads it unless that is asked for"
    assert read_publish({"on": True, "host": "broker", "tls": False}).where == ("broker", 1883)
    assert read_publish({"on": True, "host": "::1", "port": 99}).where == ("::1", 99)


@pytest.mark.parametrize(
    ("called", "name"),
    [
        ("Games-Room.local", "games-room"),
        ("Küche 1", "k-che-1"),
        ("x" * 99, "x" * 32),
    ],
)
def test_without_a_name_it_is_called_as_the_computer(called: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: called)
    assert Publish().table == name


@pytest.mark.parametrize(
    ("called", "begins"),
    [("raspberrypi", "raspberrypi"), ("Companion.local", "companion"), ("", "table"), ("--", "table")],
)
def test_where_many_computers_are_called_so_it_has_letters_of_its_own(
    called: str, begins: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two that were just taken out of their boxes throw nobody out."""
    monkeypatch.setattr("socket.gethostname", lambda: called)
    monkeypatch.setattr(wish, "MACHINE", tmp_path / "machine-id")
    assert Publish().table == begins
    names = set()
    for machine in ("0123456789abcdef0123456789abcdef\n", "fedcba9876543210fedcba9876543210\n", "\n"):
        (tmp_path / "machine-id").write_text(machine)
        names.add(Publish().table)
        assert Publish().table == Publish().table
    assert len(names) == 3
    assert begins in names
    assert all(re.fullmatch(f"{begins}(-[0-9a-f]{{4}})?", name) for name in names)
    assert not any(name[-4:] in "0123456789abcdef fedcba9876543210" for name in names if name != begins)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"on": True}, "[publish] host: name the computer on which the broker runs."),
    ({"on": "yes"}, "[publish] on must be true or false."),
    ({"port": "1883"}, "[publish] port must be a whole number."),
    ({"port": True}, "[publish] port must be a whole number."),
    ({"port": 70_000}, "[publish] port must be from 1 to 65535, or 0 for the usual one."),
    ({"port": -1}, "[publish] port must be from 1 to 65535, or 0 for the usual one."),
    ({"host": 7}, "[publish] host must be text in quotes."),
    ({"host": "mqtt://broker"}, "host: this is not a name or an address of a computer"),
    ({"host": "broker:1883"}, "port, user and password have settings of their own."),
    ({"host": "table:secret-7@broker"}, "host: this is not a name"),
    ({"host": "mqtt://table:secret-7@broker"}, "host: this is not a name"),
    ({"host": "broker?user=table&pwd=secret-7"}, "host: this is not a name"),
    ({"topic": "mqtt://table:secret-7@broker/club"}, "topic: this is not one"),
    ({"name": "table:secret-7@broker"}, "name: this cannot be in a topic"),
    ({"user": "table:secret-7\n"}, "user: this is not a name of at most 64 letters."),
    ({"host": "a\nb"}, "is not a name or an address"),
    ({"host": "x" * 999}, "is not a name or an address"),
    ({"name": "Küche"}, "take up to 32 small letters, digits, - and _."),
    ({"name": "a/b"}, "cannot be in a topic"),
    ({"name": "#"}, "cannot be in a topic"),
    ({"name": "+"}, "cannot be in a topic"),
    ({"topic": "a/#"}, "take words of letters and digits with / between them."),
    ({"topic": ""}, "is not one"),
    ({"topic": "/a"}, "is not one"),
    ({"topic": "$SYS"}, "is not one"),
    ({"topic": "x" * 101}, "is not one"),
    ({"user": "x\x00"}, "[publish] user: "),
    ({"client": "x" * 65}, "[publish] client: "),
    ({"password_file": "x"}, "[publish] password_file needs a user, whose password it is."),
    ({"ca": "x", "tls": False}, "[publish] ca is for TLS: set tls = true."),
    ({"password": "secret-7"}, "[publish] 'password': there is no such setting; there are on, host, "),
]


@pytest.mark.parametrize(("data", "sentence"), WRONG)
def test_what_cannot_be(data: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PublishError) as caught:
        read_publish(data)
    said = str(caught.value)
    assert sentence in said
    assert said.startswith("[publish] ")
    assert said.endswith(".")
    assert "\n" not in said
    assert "secret-7" not in said


def test_the_password_is_in_no_text_of_the_wish(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("secret-7\nmore\n")
    wish = read_publish({"on": True, "host": "a", "user": "b", "password_file": "password"}, tmp_path)
    assert password_of(wish) == "secret-7"
    assert "secret-7" not in repr(wish)


def test_a_file_that_was_named_for_it(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text('[publish]\nhost = "broker"\nca = "club.pem"\n')
    wish = read_wish(file)
    assert wish.on
    assert wish.ca == str(tmp_path / "club.pem"), "a file lies beside the file that names it"


@pytest.mark.parametrize(
    "content", [b"", b"[pins]\n", b"publish = 1\n", b"[[publish]]\n", b"\xff", b"[publish", b"a=" + b"[" * 9999]
)
def test_a_file_that_is_none(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "club.toml"
    file.write_bytes(content)
    with pytest.raises(PublishError, match=r"(has no table \[publish\], which names the broker|is not TOML)\.$"):
        read_wish(file)
    with pytest.raises(PublishError, match="cannot be read"):
        read_wish(tmp_path)
