"""Matches with every kind of trouble, kept as what the watcher told of them: what is mended stays mended.

`python -m tests.benchmarks.sightings record FOLDER --first SEED --matches 1 --pace P` keeps others.
"""

from collections import defaultdict
from pathlib import Path

import pytest

from tests.benchmarks.sightings import Judging, judged, seed_of
from tests.benchmarks.watching import Result

KEPT = Path(__file__).with_name("kept")
# Of each match and each kind of trouble in it: cards that were laid, and those of which the right verdict is told.
TOLD = {
    "0.35-94004": {
        "nothing": (34, 33),
        "slipped": (1, 1),
        "nudge": (3, 3),
        "passing": (1, 1),
        "cover": (2, 2),
        "simultaneous": (4, 4),
        "glare": (6, 6),
    },
    "0.35-94023": {
        "nothing": (46, 46),
        "flicker": (2, 2),
        "slipped": (3, 3),
        "moved": (1, 1),
        "passing": (2, 2),
        "simultaneous": (2, 2),
    },
    "0.35-94024": {
        "nothing": (50, 50),
        "same arms": (2, 2),
        "taken back": (2, 2),
        "slipped": (1, 1),
        "covered twice": (2, 1),
        "passing": (1, 1),
        "light": (3, 3),
        "simultaneous": (1, 1),
    },
}


@pytest.fixture(scope="module", params=sorted(TOLD))
def match(request: pytest.FixtureRequest) -> tuple[str, Result]:
    path = KEPT / f"{request.param}.json.gz"
    return request.param, judged(Judging(*seed_of(path), "kept", path))


def test_no_verdict_is_wrong(match: tuple[str, Result]) -> None:
    _, result = match
    assert [one for one in result.ruled if one.is_untrue] == []
    assert result.invented == []


def test_what_was_told_rightly_of_each_trouble_is_told_again(match: tuple[str, Result]) -> None:
    name, result = match
    found = defaultdict(list)
    for one in result.ruled:
        found[one.kind].append(one.is_true)
    assert {kind: len(right) for kind, right in found.items()} == {kind: of for kind, (of, _) in TOLD[name].items()}
    assert not {kind: sum(right) for kind, right in found.items() if sum(right) < TOLD[name][kind][1]}
