"""Odds and noise are counted in recordings; thresholds reach who tells verdicts; what makes things worse is left."""

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.triple3.sight_odds import Odds, Sureness
from tests.benchmarks import calibrate
from tests.benchmarks.calibrate import Calibration, Cost, Trials, chosen, written
from tests.benchmarks.counted_odds import CEILINGS, FLOORS, counted_odds
from tests.benchmarks.noise import GAPS, Noise, TooFewError, fitted, kept_matches, noise, told_cards
from tests.benchmarks.sightings import Judging, judged, seed_of

RECORDED = Path(__file__).with_name("recorded")
NOW = Calibration(Odds(), Sureness())


@pytest.fixture(scope="module")
def matches() -> list[dict[str, Any]]:
    return list(kept_matches(RECORDED))


def test_the_noise_is_counted_in_what_was_recorded(matches: list[dict[str, Any]]) -> None:
    found = fitted(matches).noise()
    told = sum(len(of) for one in matches for of in told_cards(one["frames"]).values())
    assert found.about["matches"] == len(matches)
    assert found.about["sightings"] == told > 50
    assert found.spread["again one"][20] < 0.05  # the middle of what is told where one hand came
    assert all(one <= other for one, other in zip(found.seen, found.seen[1:], strict=False))
    assert found.seen[-1] > 0.9  # what lies free for a second is seen


def test_the_kept_noise_can_be_read() -> None:
    found = noise()
    assert isinstance(found, Noise)
    assert len(found.seen) == len(GAPS) + 1
    assert 0 < found.about["matches"] <= found.about["sightings"]


def test_too_few_matches_are_said_to_be_too_few(matches: list[dict[str, Any]]) -> None:
    with pytest.raises(TooFewError, match="Too few matches were recorded: of 'again more'"):
        fitted(matches).text  # noqa: B018
    with pytest.raises(TooFewError, match="no 'again more'"):
        replace(noise(), spread={}).drawn(Random(0), "again hidden", "again more")


def test_odds_are_counted_and_keep_their_floors(matches: list[dict[str, Any]]) -> None:
    found = counted_odds(matches)
    assert set(found.odds) <= set(FLOORS) <= set(Odds.__dataclass_fields__)
    assert all(FLOORS[name] <= value <= CEILINGS.get(name, 1.0) for name, value in found.odds.items())
    assert found.odds["dug_out"] == FLOORS["dug_out"]
    count, of = found.counts["illegal"]
    assert 0 < count < of / 4
    assert found.odds["illegal"] == pytest.approx(max(count / of, FLOORS["illegal"]), abs=1e-5)


def test_thresholds_reach_who_tells() -> None:
    """And are gone again with the next match."""
    [path] = RECORDED.glob("*.json.gz")
    job = Judging(*seed_of(path), "kept", path)
    usual, at_once = (
        Counter(ruled.told for ruled in judged(one).ruled)
        for one in (job, replace(job, calibrated=(Odds(), Sureness(legal=0.0))))
    )
    assert usual["illegal"] > at_once["illegal"] == 0
    assert usual["legal"] < at_once["legal"]


class Made(Trials):
    """Costs as a test has them."""

    def __init__(self, costs: dict[str, float]) -> None:
        self._costs = costs

    def cost(self, calibration: Calibration) -> Cost:
        changed = [name for name, value in calibration.plain.items() if value != NOW.plain[name]]
        return Cost(1000, 0, 0, 100 + int(sum(self._costs.get(name, 0) for name in changed)))


def last(costs: dict[str, float], counted: dict[str, float]) -> Calibration:
    *_, (found, _) = chosen(NOW, counted, Made(costs))
    return found


def test_what_makes_it_worse_is_left_as_it_was() -> None:
    counted = {"illegal": 0.2, "taken": 0.2}
    assert last({}, counted).odds == replace(Odds(), **counted)
    assert last({"odds.taken": 5}, counted).odds == replace(Odds(), illegal=0.2)
    assert last({"odds.taken": 5, "odds.illegal": 5}, counted).odds == Odds()


def test_thresholds_are_taken_that_make_it_cheaper() -> None:
    assert last({}, {}).sureness == Sureness()
    assert last({"sureness.legal": -3, "sureness.illegal": 4}, {}).sureness == Sureness(legal=calibrate.LEGAL[0])


def test_what_is_written_can_be_imported() -> None:
    one = Calibration(Odds(illegal=0.125), Sureness(illegal=0.01))
    found: dict[str, object] = {}
    exec(written(one, "Said of it."), found)
    assert (found["ODDS"], found["SURENESS"]) == (one.odds, one.sureness)
    assert "Said of it." in str(found["__doc__"])


def test_nothing_recorded_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["calibrate", str(tmp_path)])
    with pytest.raises(SystemExit, match="There is nothing kept in"):
        calibrate.main()
