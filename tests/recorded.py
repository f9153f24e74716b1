"""The matches that are kept in tests/matches, played again to their ends."""

import json
from functools import cache
from pathlib import Path

from companion.core.match import Match
from companion.core.record import read_setup
from companion.core.referee import Referee
from companion.core.session import Session
from tests.matches.make import heard

FOLDER = Path(__file__).parent / "matches"
NAMES = tuple(sorted(file.stem for file in FOLDER.glob("*.jsonl")))


@cache
def recorded(name: str) -> Match:
    head, *lines = map(json.loads, (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
    session = Session(Referee.begin(read_setup(head["match"]), 0), None)
    for line in lines[::2]:
        heard(session, line["told"])
    return session.referee.match
