"""Matches of Triplexity before the drawn camera: ruled on, recorded, and with something wrong in their middle."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.entry import STOP
from companion.games import part
from companion.games.triplexity.hands import write_script
from companion.games.triplexity.rules import PLACES
from companion.journal import Journal
from simulator.rendered.script import GameScripts, Script, ScriptLine
from tests.kept import companion
from tests.triplexity.faults import FAULTS, Fault, watched
from tests.triplexity.watched import judged, reader
from tests.triplexity.watched import watched as match_watched

SMALL = (640, 360)


def a_script(play: str = "basic") -> Script:
    """Eight moves at least, some of them refused, and the round is won."""
    trouble = {"illegal": 0.3, "taken back": 0.1}
    return replace(write_script(5, play=play, rounds=1, long=8, pace=2.0, trouble=trouble, rate=10.0), size=SMALL)


@pytest.mark.parametrize("play", ["basic", "advanced"])
def test_a_match_by_pixels(play: str) -> None:
    tally = judged(match_watched(a_script(play), reader()))
    assert tally.faults == []
    assert tally.seen == tally.moves >= 8
    assert tally.called == tally.refused > 0
    assert tally.scores == 1


def with_stop() -> Script:
    """Two moves and a refused one, then Stop! while nobody is at the table, and a third."""
    script = a_script()
    arms = script.arms
    quiet = (max(arm.gone for arm in arms[:3]) + arms[3].enters) // 2
    assert quiet < arms[3].enters
    said = (ScriptLine(quiet, {"do": "pause", "why": STOP}), ScriptLine(quiet + 1_000_000, {"do": "resume"}))
    return replace(script, said=said, length=arms[3].gone + 2_000_000_000)


def test_a_recording_gives_the_same_journal(tmp_path: Path) -> None:
    """What was watched once, and recorded, is watched again; Stop! shows the last plays and where they were seen."""
    scripts = part("triplexity", "hands", GameScripts)
    script, recording = tmp_path / "script.json", tmp_path / "recording"
    script.write_text(json.dumps(scripts.plain(with_stop())), encoding="utf-8")
    kept = [tmp_path / "one.sqlite3", tmp_path / "two.sqlite3"]
    watch = ("--game", "triplexity", "--json", "--journal")
    first = companion("watch", script, *watch, kept[0], "--record", recording)
    again = companion("watch", recording, *watch, kept[1])
    assert (first.returncode, first.stderr, again.returncode, again.stderr) == (0, "", 0, "")
    lines = []
    for journal in kept:
        with Journal.open(journal) as opened:
            [match] = opened.matches()
            lines.append(list(opened.stored(match.code).entries))
    assert lines[0] == lines[1]
    told = [json.loads(line) for line in first.stdout.splitlines()]
    [dispute] = [one for one in told if one["kind"] == "dispute"]
    assert [play["number"] for play in dispute["plays"]] == list(range(len(dispute["plays"]), 0, -1)) != []
    assert all(play["evidence"]["place"] in PLACES for play in dispute["plays"])
    assert sum(one["kind"] == "ruling" for one in told) == len(dispute["plays"]) + 1


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=[pytest.mark.long] if fault.is_long else [], id=fault.name) for fault in FAULTS],
)
def test_a_fault_in_mid_match(fault: Fault) -> None:
    """It is told, and all is in step when it is over; every move is ruled on as it was made."""
    found = watched(fault.make())
    tally = judged(found)
    assert (fault.code in found.codes) if fault.code else not found.codes
    assert found.open == {}
    assert tally.faults == []
    assert tally.seen == tally.moves == 12
    assert all(asked.sentence.endswith((".", "?")) and asked.way_back.endswith((".", "?")) for asked in found.asked)
