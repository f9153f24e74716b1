"""A match of Three! by pixels through the command line: from the drawn camera to the journal, and once more."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.core.entry import Entry
from companion.games import part
from companion.games.three.hands import write_script
from companion.games.three.rules import DOGS, House
from companion.journal import Journal
from simulator.hands.script_file import script_plain
from simulator.rendered.script import GameScripts, Script
from tests.kept import companion
from tests.three.watched import standing
from vision.eye_errors import NoTableError
from vision.markers import Finder
from vision.mat import BANKS, LATTICE, SMALL
from vision.sheets import mat_picture

HOUSE = House(dogs=DOGS[:3], copies=4, deck=12)
SEED, SMALLER = 15, (800, 450)
OFTEN = {"squared": 0.3, "rests": 0.2, "out of turn": 0.1}

Told = dict[str, Any]


@dataclass(frozen=True)
class Recorded:
    script: Script
    folder: Path
    journal: Path
    told: list[Told]

    def of(self, kind: str) -> list[Told]:
        return [one for one in self.told if one["kind"] == kind]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Twelve cards of three dogs, watched, recorded and kept."""
    place = tmp_path_factory.mktemp("three")
    script = replace(write_script(SEED, players=2, house=HOUSE, trouble=OFTEN, pace=2.0, rate=10.0), size=SMALLER)
    path, folder, journal = place / "match.json", place / "recording", place / "journal.sqlite3"
    path.write_text(json.dumps(script_plain(script)), encoding="utf-8")
    done = companion("watch", path, "--game", "three", "--json", "--journal", journal, "--record", folder)
    assert (done.returncode, done.stderr) == (0, "")
    return Recorded(script, folder, journal, [json.loads(line) for line in done.stdout.splitlines()])


def entries(journal: Path) -> list[Entry]:
    with Journal.open(journal) as kept:
        [match] = kept.matches()
        return list(kept.stored(match.code).entries)


@pytest.mark.slow
def test_every_card_and_every_check_is_told(recorded: Recorded) -> None:
    truth = standing(tuple(part("three", "hands", GameScripts).plays(recorded.script)))
    moves = [one["move"] for one in recorded.of("ruling")]
    plays = [(one["player"], one["dog"]) for one in moves if one["move"] == "play"]
    assert plays == [(one.player, one.dog) for one in truth]
    assert len(plays) == HOUSE.deck
    checks = [one for one in recorded.script.about["plays"] if one["what"] == "check"]
    checked = [event for one in recorded.of("ruling") for event in one["events"] if event["event"] == "checked"]
    assert [(one["player"], one["dog"], one["found"]) for one in checked] == [
        (one["player"], one["dog"], one["found"]) for one in checks
    ]
    assert checks
    assert [*recorded.of("ruling")[-1]["table"]["scores"].values()] == recorded.script.about["scores"]


@pytest.mark.slow
def test_a_recording_watched_again_gives_the_same_journal(recorded: Recorded, tmp_path: Path) -> None:
    again = tmp_path / "again.sqlite3"
    done = companion("watch", recorded.folder, "--game", "three", "--json", "--journal", again)
    assert (done.returncode, done.stderr) == (0, "")
    assert entries(again) == entries(recorded.journal)


def test_a_script_goes_through_json() -> None:
    scripts = part("three", "hands", GameScripts)
    script = scripts.write(5)
    assert scripts.read(scripts.plain(script)) == script
    assert scripts.plays(script)


def test_the_wrong_mat_for_the_game_is_said() -> None:
    with pytest.raises(NoTableError, match="I see the lattice mat, which is for another game"):
        Finder(mats=(BANKS,)).find(mat_picture(LATTICE, 2))
    with pytest.raises(NoTableError, match="I see the banks mat, which is for another game"):
        Finder(mats=(SMALL,)).find(mat_picture(BANKS, 2))


@pytest.mark.parametrize("turned", [0, 2])
def test_the_mat_is_found_and_its_piles_are_where_they_are_printed(turned: int) -> None:
    table = Finder(mats=(BANKS,)).find(np.ascontiguousarray(np.rot90(mat_picture(BANKS, 3), turned)))
    assert table.mat == BANKS
    middles = table.cells.mean(axis=1)
    top, right, bottom, left = middles[:4]
    assert bool(top[1] < bottom[1]) is (turned == 0)
    assert bool(left[0] < right[0]) is (turned == 0)


def test_a_deck_that_was_not_taught_is_said() -> None:
    done = companion("watch", "simulated:1", "--game", "three", "--deck", "nobody", "--no-journal")
    assert done.returncode != 0
    assert "nobody" in done.stderr
    assert "Traceback" not in done.stderr
