"""How the levels of bots differ: `python -m tests.levels [MATCHES]` lets them play each other, two at a table.

The bots are those of the drawn table; cards, rules and time are the real ones, and there is no screen.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from types import SimpleNamespace
from typing import Any

from companion.core.clocks import SECOND
from companion.core.match import Match, set_up
from companion.core.requests import Request
from companion.core.rules import Foul, Move
from companion.core.seats import LEVELS, Bot
from companion.games import game as game_named
from hardware.panel import Key
from simulator.drawn.bot_timing import Bots
from simulator.drawn.sitters import Sitting, seated
from simulator.drawn.spread import Minds, Spread, spread_of

NAMES = ("Anna", "Ben")
MATCHES = 200
LONGEST = 6 * 3600 * SECOND
MISTAKES = 0.06
GAMES: dict[str, dict[str, Any]] = {
    "triplexity": {},
    "three": {},
    "tres": {},
    "threepia": {},
    "triple3": {"chips_to_win": 1},
}


@dataclass
class Bench:
    """A table of bots and nobody else; its time is that of the next thing that happens."""

    match: Match
    spread: Spread | None
    sitting: Sitting | None
    mistakes: float = MISTAKES
    now: int = SECOND
    said: list[tuple[int, Move | Request]] = field(default_factory=list)
    made: list[int] = field(default_factory=list)  # when moves were made

    @property
    def app(self) -> Any:
        return SimpleNamespace(
            match=self.match, view=SimpleNamespace(screen="table", shows_round=False), table_time=lambda now: now
        )

    @property
    def has_persons(self) -> bool:
        return False

    def bot_move(self, minds: Minds, now: int) -> Move | Request | bool | None:
        return self.spread.bot_move(minds, now) if self.spread else None

    def press(self, button: Key, at: int) -> None:
        """What it means is said at once."""

    def say(self, message: Move | Request, at: int) -> None:
        self.said.append((at, message))


class Voices(Bots):
    """Bots that say what others do by a button."""

    def _do(self, deed: Move | Request, now: int, bots: frozenset[str]) -> None:
        del bots
        self._place.say(deed, now)


def played(game: str, bots: tuple[Bot, ...], seed: int, **house: Any) -> Bench:
    """A whole match."""
    playing = game_named(game)
    match = Match(set_up(playing, NAMES[: len(bots)], playing.house(**house), match_id=f"levels-{seed}", bots=bots))
    spread = spread_of(match, seed)
    assert spread is not None
    bench = Bench(match, spread, seated(match.setup, None))
    voices = Voices(bench)
    voices._rng.seed(seed)
    voices.changed(bench.now)
    while match.outcome is None and bench.now < LONGEST:
        due, deadline = voices.due, match.deadline
        assert due is not None
        bench.now = due
        if deadline is not None and deadline.at <= due:
            bench.now = deadline.at
            bench.say(deadline.move, deadline.at)
        else:
            voices.attend(due)
        if make(bench):
            spread.follow(match)
            voices.changed(bench.now)
    return bench


def make(bench: Bench) -> bool:
    """What was said is ruled on."""
    said, bench.said = bench.said, []
    before = len(bench.match.line)
    for at, message in said:
        assert isinstance(message, Move)
        try:
            bench.match.make(replace(message, at=max(at, bench.match.now)))
            bench.made.append(at)
        except Foul:
            pass
    return len(bench.match.line) != before


def wins(game: str, better: str, worse: str, matches: int) -> tuple[float, int]:
    """How many the first level wins of so many matches, a tie half, by turns on either seat; and those not ended."""
    won, open_ = 0.0, 0
    for seed in range(matches):
        seat = seed % 2
        bots = (Bot(better), Bot(worse)) if seat == 0 else (Bot(worse), Bot(better))
        outcome = played(game, bots, seed, **GAMES[game]).match.outcome
        if outcome is None:
            open_ += 1
            won += 0.5
        elif NAMES[seat] in outcome.winners:
            won += 1 / len(outcome.winners)
    return won, open_


def table(matches: int) -> Iterator[str]:
    for game in GAMES:
        for worse, better in combinations(LEVELS, 2):
            won, open_ = wins(game, better, worse, matches)
            yield f"{game:12} {better:7} beats {worse:7} in {100 * won / matches:5.1f} %; not ended: {open_}"


if __name__ == "__main__":
    for line in table(int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES):
        print(line, flush=True)  # noqa: T201
