"""A stored match keeps the rules it was played by: what earlier companions kept is folded to what they made of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.core.codec import plain
from companion.core.errors import CompanionError
from companion.core.house import house_as_kept
from companion.core.rules import Foul
from companion.games import NAMES, game
from companion.journal import Journal, Stored
from tests.matches.earlier import FOLDER, JOURNAL, Line, journals, rulings, told, unpacked

HOUSES = FOLDER / "houses.json"
REMEDY = (
    "A stored match keeps the rules it was played by. A rule that changes becomes a house rule, "
    "`setting(..., before=OLD)`, where OLD is what was played by until now (docs/architecture.md, Decisions)."
)


# --- house rules -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_set_up_kept_without_a_house_rule_has_what_was_played_by(name: str) -> None:
    frozen, today = json.loads(HOUSES.read_text(encoding="utf-8"))[name], plain(house_as_kept(game(name), {}))
    changed = [rule for rule in frozen if frozen[rule] != today.get(rule)]
    wrong = [
        f"{name}, house rule {rule}: a match kept without it was played by {frozen[rule]}, and would now be by "
        f"{today.get(rule)}. Give its setting before={frozen[rule]!r}."
        for rule in changed
    ]
    wrong += [
        f"{name}, house rule {rule} is new: give its setting `before`, what was played by when there was no such rule, "
        f"and write that into {HOUSES.name}."
        for rule in set(today) - set(frozen)
    ]
    assert not wrong, "\n".join([*wrong, REMEDY])


# --- journals --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("journal_name", journals())
@pytest.mark.parametrize("name", NAMES)
def test_earlier_match_folds_to_what_it_was(name: str, journal_name: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(unpacked(f"{journal_name}{JOURNAL}"))
    with Journal.open(path) as journal:
        assert not journal.notices
        kept = {one.code: journal.stored(one.code) for one in journal.matches(name)}
    frozen = [lines for lines in rulings(journal_name) if lines[0]["match"] in kept]
    assert {lines[0]["match"] for lines in frozen} == set(kept)
    found = [differs(lines, kept[lines[0]["match"]]) for lines in frozen]
    wrong = [line for line in found if line]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(kept)} matches of {name} are other ones now:", *wrong, REMEDY])


def differs(frozen: list[Line], stored: Stored) -> str:
    """The first difference of a match, in a line."""
    lines, was, now = told(stored.setup, stored.entries), Line(), Line()
    for number, line in enumerate(frozen):
        where = f"{stored.setup.id}, " + (f"entry {number} ({stored.entries[number - 1]})" if number else "its set-up")
        try:
            today = next(lines)
        except (CompanionError, Foul) as error:
            return f"{where} is refused: {error}"
        was |= line.pop("then")
        now |= today.pop("then")
        if found := unlike(line, today) or unlike(was, now):
            return f"{where}: {found}"
    return "" if len(frozen) == len(stored.entries) + 1 else f"{stored.setup.id} has {len(stored.entries)} entries"


def unlike(was: Any, now: Any, where: str = "") -> str:
    """Where two values differ; what is told beside what was told then is no difference."""
    if isinstance(was, dict) and isinstance(now, dict):
        found = (unlike(was[key], now.get(key, "not told"), f"{where}.{key}") for key in was)
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        pairs = enumerate(zip(was, now, strict=True))
        found = (unlike(one, other, f"{where}[{place}]") for place, (one, other) in pairs)
    else:
        return "" if was == now else f"{where.removeprefix('.')} was {was}, and is {now}"
    return next(filter(None, found), "")
