"""Matches of bots before the drawn camera, from the first frame to the last."""

import json
from dataclasses import fields
from pathlib import Path

import pytest

from companion.core.errors import MalformedError
from companion.core.record import read_move
from companion.core.rules import Foul
from companion.games import part
from companion.games.tres.hands import plays_of, write_script
from companion.games.tres.rules import GAME, Deal, Dealer, Draw, Fill, House, Keep, Play, State, Take
from companion.teaching.deck_choice import reader_of
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import GameScripts, Script
from tests.benchmarks.columns_told import EyeNoise, watched_without_pixels
from tests.kept import companion, contents
from tests.tres.watched import judged, watched
from vision.locate import find_table
from vision.markers import Finder
from vision.mat import COLUMNS, NINE
from vision.reader import Reader


def printed() -> Reader:
    return reader_of("tres")


def test_a_match_by_pixels() -> None:
    """Some turns, with cards that do not fit, from the first frame to the last."""
    script = write_script(11, players=2, turns=4, trouble={"illegal": 0.5}, rate=10.0)
    found = watched(script, printed())
    tally = judged(found)
    assert tally.faults == []
    assert tally.played == tally.plays > 0
    assert tally.called == tally.refused > 0
    assert tally.sizes == 1
    assert [move.word for move in found.line[:2]] == ["dealer", "deal"]


@pytest.mark.parametrize("seed", range(6))
def test_what_bots_do_is_a_match(seed: int) -> None:
    """Each deed by the rules, from the three cards that lie there at first; what is no run is refused."""
    script = write_script(seed)
    names = tuple(script.about["players"])
    state: State = GAME.rule(GAME.start(names, House()).state, Dealer(script.about["dealer"])).state
    table = tuple(script.grid[place][0].card for place in range(3))
    state = GAME.rule(state, Deal(script.about["dealer"], table)).state
    said = {line.at: line.message for line in script.said}
    for deed in plays_of(script):
        if state.phase == "drawn" and deed.player != state.turn and deed.what in ("draw", "play", "refused"):
            state = GAME.rule(state, Keep(state.turn)).state
        match deed.what:
            case "fill":
                state = GAME.rule(state, Fill(deed.player, deed.card)).state
            case "play":
                state = GAME.rule(state, Play(deed.player, deed.card, tuple(deed.cards))).state
            case "draw":
                state = GAME.rule(state, Draw(deed.player)).state
            case "take":
                assert state.owed(deed.player) == deed.count
                state = GAME.rule(state, Take(deed.player)).state
            case "tres" | "catch":
                state = GAME.rule(state, read_move(GAME, said[deed.at])).state
            case "refused":
                with pytest.raises(Foul, match="consecutive"):
                    GAME.rule(state, Play(deed.player, deed.card, tuple(deed.cards)))
    assert [len(hand) for hand in state.hands] == script.about["hands"]


def test_a_script_goes_through_json() -> None:
    scripts = part("tres", "hands", GameScripts)
    script = scripts.write(5)
    assert scripts.read(scripts.plain(script)) == script
    assert scripts.plays(script)
    data = scripts.plain(script)
    data["grid"][0] = [*data["grid"][0], *data["grid"][0], *data["grid"][0]]
    with pytest.raises(MalformedError, match="lies there"):
        scripts.read(data)


def test_the_wrong_mat_is_told() -> None:
    """Whoever looks for the mat with nine places finds this one, and says so."""
    script = Script(5, 1, ((),), mat=COLUMNS, places=COLUMNS.places, paper="tres")
    picture = SimulatedTable(script).frame_at(0).picture
    assert find_table(picture, finder=Finder(mats=(COLUMNS,))).mat == COLUMNS
    with pytest.raises(Exception, match="columns"):
        find_table(picture, finder=Finder(mats=NINE))


def test_a_recording_watched_again_gives_the_same_journal(tmp_path: Path) -> None:
    """By the command itself: the script is watched and recorded, the recording is watched."""
    script = write_script(12, players=2, turns=1, trouble={}, rate=8.0)
    file = tmp_path / "script.json"
    file.write_text(json.dumps(part("tres", "hands", GameScripts).plain(script)), encoding="utf-8")
    journals = [tmp_path / "one.sqlite3", tmp_path / "two.sqlite3"]
    folder = tmp_path / "recording"
    for source, journal, more in ((file, journals[0], ("--record", folder)), (folder, journals[1], ())):
        done = companion("watch", source, "--game", "tres", "--json", "--journal", journal, *more)
        assert (done.returncode, done.stderr) == (0, "")
    one, two = (list(contents(journal)[0].values()) for journal in journals)
    assert one == two
    assert len(one[0]) > 3


@pytest.mark.parametrize("seed", [501, 502, 503])
def test_a_match_told_without_noise_comes_out_whole(seed: int) -> None:
    """An eye that misses nothing, whole matches of two to four players with all that bots do wrongly."""
    script = write_script(seed)
    tally = judged(watched_without_pixels(script, EyeNoise(*[0.0] * len(fields(EyeNoise)))))
    assert tally.faults == []
    assert tally.played == tally.plays > 0
    assert (tally.sizes, tally.touches) == (1, 0)
