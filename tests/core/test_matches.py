"""Every match kept in tests/matches is ruled again, message by message, exactly as it is written there."""

import json
from pathlib import Path

import jsonschema
import pytest

from companion.core.record import read_setup
from companion.core.referee import Referee
from companion.core.requests import read_message
from companion.core.session import Session
from companion.core.wire import reply_plain
from tests.matches.make import ENDINGS, heard
from tools.schema import schema

FOLDER = Path(__file__).parents[1] / "matches"
FILES = sorted(FOLDER.glob("*.jsonl"))


def validator(name: str) -> jsonschema.Draft202012Validator:
    whole = schema()
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": whole["$defs"]})


def test_every_ending_has_its_file() -> None:
    assert {file.stem for file in FILES} == set(ENDINGS)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_match_is_ruled_as_written(file: Path) -> None:
    head, *lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    setup = read_setup(head["match"])
    session = Session(Referee.begin(setup, 0), None)
    received, sent = validator(f"{setup.game}.in"), validator(f"{setup.game}.out")
    for reply in session.greeting():
        sent.validate(reply_plain(reply))
    for told, said in zip(lines[::2], lines[1::2], strict=True):
        received.validate(told["told"])
        assert heard(session, told["told"]) == said
    for reply in session.answer(read_message(session.referee.match.game, {"do": "show", "at": session.referee.table})):
        sent.validate(reply_plain(reply))
    assert not session.referee.match.is_running
