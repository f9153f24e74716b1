"""Bots playing a match out under a real referee, move by move: the demo, the soak and the tests watch it."""

from collections.abc import Iterator
from typing import Any

from companion.bots import table as bots_at
from companion.match import Match, Setup, set_up
from companion.referee import Told
from companion.rules import Foul, Game, Move

MOST_MOVES = 100_000  # a match of bots that has not ended by then never will

NAMES = ("Anna", "Ben", "Clara", "Dario", "Elif", "Finn", "Grete", "Hugo")

Step = tuple[Move, Told | Foul]


def seated(game: Game, house: Any, count: int = 0) -> Setup:
    """A set-up for bots: as many as wanted, or a usual number for the game."""
    fewest, most = game.players
    solo = getattr(house, "way", "") in ("time-trial", "relaxed")
    return set_up(game, NAMES[: count or (1 if solo else max(2, min(3, most), fewest))], house)


def play_out(match: Match, seed: int, *, seen: bool = True, mistakes: float = 0.1) -> Iterator[Step]:
    """Every move that bots try until the match is over, with its ruling or the foul it was."""
    table = bots_at(match.game, match.setup.names, match.setup.house, seed, seen=seen, mistakes=mistakes)
    for _ in range(MOST_MOVES):
        if match.outcome:
            return
        move = table.next_move(match.state)
        while (due := match.overdue(move.at)) is not None:
            ruling = match.make(due.move)
            table.ruled(ruling)
            yield due.move, Told(len(match.line), due.move, ruling)
            if match.outcome:
                return
            move = table.next_move(match.state)
        try:
            ruling = match.make(move)
        except Foul as foul:
            yield move, foul
            continue
        table.ruled(ruling)
        yield move, Told(len(match.line), move, ruling)
    raise RuntimeError(f"{match.game.title} with seed {seed} has not ended after {MOST_MOVES} moves.")
