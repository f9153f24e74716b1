"""Matches as an earlier companion kept them, with what it made of them: `earlier/NAME.sqlite3.xz` is its journal, and
`earlier/NAME.rulings.xz` says, entry by entry, what came of it.

A stored match keeps the rules it was played by: tests/core/test_earlier.py folds these again by today's rules. They are
never made anew; tests/matches/make_earlier.py makes others.
"""

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.core.codec import plain
from companion.core.correction import Correction
from companion.core.entry import Entry
from companion.core.match import Match, Setup
from companion.core.record import move_plain
from companion.core.rules import Ruling

FOLDER = Path(__file__).parent / "earlier"
JOURNAL, RULINGS = ".sqlite3.xz", ".rulings.xz"

Line = dict[str, Any]


def journals() -> list[str]:
    """Their names."""
    return sorted(path.name.removesuffix(JOURNAL) for path in FOLDER.glob(f"*{JOURNAL}"))


def unpacked(name: str) -> bytes:
    return lzma.decompress((FOLDER / name).read_bytes())


def rulings(journal: str) -> Iterator[list[Line]]:
    """Of each match what was told, line by line; the first is about its set-up."""
    found: list[Line] = []
    for line in map(json.loads, unpacked(f"{journal}{RULINGS}").splitlines()):
        if "match" in line and found:
            yield found
            found = []
        found.append(line)
    yield found


# --- what came of an entry -------------------------------------------------------------------------------------


def came(found: Ruling | Correction | None) -> Any:
    """What an entry did, as people heard it."""
    if isinstance(found, Ruling):
        return plain(found.sentences)
    if found is None:
        return None
    return {
        "was": move_plain(found.was),
        "now": found.now and move_plain(found.now),
        "scores": plain((found.scores_before, found.scores_after)),
        "winners": plain((found.winners_before, found.winners_after)),
        "changes": [{**plain(change), "move": move_plain(change.move)} for change in found.changes],
    }


def standing(match: Match) -> Line:
    """All that can be seen of a match, but what it is played by."""
    state, due = match.state, match.state.deadline
    seen = {**plain(state), "scores": plain(state.scores), "deadline": due and [due.at, move_plain(due.move)]}
    del seen["house"]
    return seen | {
        "moves": len(match.line),
        "table time": match.now,
        "stands": match.stands,
        "paused": plain(match.paused),
        "abandoned": plain(match.abandoned),
        "undoes": match.history.undoes,
        "can be made again": match.history.redoes if match.can_redo else "",
    }


def told(setup: Setup, entries: tuple[Entry, ...]) -> Iterator[Line]:
    """What comes of each entry: what was said, and what is different after it."""
    match = Match(setup)
    before = standing(match)
    yield {"match": setup.id, "house": plain(setup.house), "then": before}
    for entry in entries:
        said = came(match.take(entry))
        after = standing(match)
        yield {"came": said, "then": {key: value for key, value in after.items() if value != before[key]}}
        before = after
