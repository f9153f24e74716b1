"""Prior odds of Triple³ that can be counted in recorded matches of bots, each with a floor.

Bots know the rules better than people: they lay an illegal card because they mean to, dig out nothing, and take called
cards back. Where counting them would make the tracker blind to people, a floor stands.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.core.clocks import SECOND
from companion.games.triple3.hands import Play, plays_of, write_script
from companion.games.triple3.sight_odds import Odds
from simulator.rendered.script import Script
from tests.benchmarks.noise import told_cards, visits
from tests.benchmarks.true_table import TrueCell, true_cells

FLOORS = {
    "illegal": 0.08,  # people who rely on calls lay more of them
    "taken": 0.01,
    "taken_called": 0.3,  # people let a called card lie
    "stays": 0.1,  # the same
    "knocked": 0.003,
    "knocked_away": 0.002,
    "dug_out": 0.003,  # bots never do
    "hidden_once": 0.0001,  # never in what was counted
    "hidden_again": 0.1,
}
CEILINGS = {"taken_called": 0.6, "stays": 0.5}


@dataclass
class CountedOdds:
    """How often it was so, of so many."""

    counts: dict[str, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0]))

    def add(self, name: str, happened: float, of: float = 1.0) -> None:
        self.counts[name][0] += happened
        self.counts[name][1] += of

    @property
    def odds(self) -> dict[str, float]:
        """By name of `Odds`; nothing that never could have been."""
        return {name: self._within(name) for name in FLOORS if self.counts[name][1]}

    def _within(self, name: str) -> float:
        count, of = self.counts[name]
        return round(min(max(count / of, FLOORS[name]), CEILINGS.get(name, 1.0)), 5)

    @property
    def told(self) -> list[str]:
        return [
            f"{name}: {count:g} of {of:.0f}, {count / max(of, 1e-9):.2g}; floor {FLOORS[name]:g}, "
            f"assumed {getattr(Odds(), name):g}"
            for name, (count, of) in self.counts.items()
        ]


def counted_odds(matches: Iterable[dict[str, Any]]) -> CountedOdds:
    """Of matches that were recorded."""
    found = CountedOdds()
    for match in matches:
        script = write_script(match["seed"], players=2 + match["seed"] % 3, pace=match["pace"])
        plays = plays_of(script)
        _of_plays(found, plays)
        _of_knocks(found, script, plays)
        told = told_cards(match["frames"])
        for cell in true_cells(script):
            for one in told.get(cell.number, []):
                _of_hidden(found, script, cell, (one.since, one.by, one.again))
    return found


def _of_plays(found: CountedOdds, plays: Sequence[Play]) -> None:
    """Illegal ones, and what becomes of cards that lie there."""
    called: dict[int, dict[str, int]] = defaultdict(dict)  # by cell: cards that were refused, and when
    for play in plays:
        on = called[play.cell]
        if play.what == "lay" and play.verdict in ("legal", "illegal"):
            found.add("illegal", play.verdict == "illegal" and not play.legal_in_some_order)
        if play.verdict == "refused":
            continue
        if on:
            found.add("taken_called", play.verdict == "removed")
        else:
            found.add("taken", play.verdict == "taken back")
        if play.verdict == "removed":
            stayed = play.at - on.pop(play.card, play.at)
            found.add("stays", stayed > Odds().stays_after * SECOND)
        elif play.verdict == "illegal":
            on[play.card] = play.at
    for cards in called.values():
        found.add("stays", len(cards), len(cards))


def _of_knocks(found: CountedOdds, script: Script, plays: Sequence[Play]) -> None:
    knocks = sum(arm.what == "knock" for arm in script.arms)
    changes = len(plays) + 2 * knocks
    found.add("knocked", knocks, changes)
    found.add("knocked_away", knocks, changes)
    found.add("dug_out", 0, changes)


def _of_hidden(found: CountedOdds, script: Script, cell: TrueCell, told: tuple[int, int, float]) -> None:
    """Whether something was laid and covered unseen."""
    since, by, again = told
    is_hidden = cell.changes(since, by) > 1
    if visits(script, cell.number, since, by) < 2:
        found.add("hidden_once", is_hidden)
    found.add("hidden_again", is_hidden, again)
