"""Writes what the last run of all attacks found into docs/security.md and docs/reliability.md:
`python -m tests.attacks --page`."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from tests.attacks.attack import Ending
from tests.benchmarks.__main__ import machine

PROJECT = Path(__file__).parents[2]
RESULTS = PROJECT / ".cache" / "attacks.json"
FOLDER = re.compile(r"/\S*attack-\w+/")  # in which an attack was run
BEGIN, END = "<!-- attacks: begin -->", "<!-- attacks: end -->"
# What happens to a table without anybody meaning harm; everything else is somebody's doing.
OF_ITSELF = ("memory", "open files", "threads", "signals", "clock", "surroundings", "disk", "journal")
SECURITY, RELIABILITY = PROJECT / "docs" / "security.md", PROJECT / "docs" / "reliability.md"


def table(found: list[Ending]) -> Iterator[str]:
    yield "| on | what is done | how it ended |"
    yield "|---|---|---|"
    for one in sorted(found, key=lambda one: one.on):
        words = "**it harmed**" if one.has_harmed else _in_a_cell(one.words)
        yield f"| {one.on} | {_in_a_cell(one.name)} | {words} |"


def _in_a_cell(text: str) -> str:
    text = FOLDER.sub("", text)
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())


def written(text: str, found: list[Ending], when: str) -> str:
    """The page with this table between its marks."""
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    count = f"{len(found)} attacks, {sum(one.has_harmed for one in found)} of them harmed. {when}"
    return "\n".join([before + BEGIN, "", count, "", *table(found), "", END]) + after


def write() -> None:
    found = [Ending(**one) for one in json.loads(RESULTS.read_text(encoding="utf-8"))]
    when = f"`make attack` on {datetime.now(UTC).date()}, {machine()}."
    for path, is_of_itself in ((RELIABILITY, True), (SECURITY, False)):
        mine = [one for one in found if (one.on in OF_ITSELF) == is_of_itself]
        path.write_text(written(path.read_text(encoding="utf-8"), mine, when), encoding="utf-8")
