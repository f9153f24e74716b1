"""Bots playing a match out under a real referee, move by move: the demo, the soak and the tests watch it."""

from collections.abc import Iterator
from typing import Any

from companion.core.game_house import house_of
from companion.core.match import Match, Setup, set_up
from companion.core.referee import Told
from companion.core.replies import Reply, RulingReply, TimeReply
from companion.core.requests import Message, MoveMessage, Time, stamp_of
from companion.core.rules import Foul, Game, Move
from companion.seat.table import Seated
from simulator.bots import table as bots_at

MOST_MOVES = 100_000  # a match of bots that has not ended by then never will

NAMES = ("Anna", "Ben", "Clara", "Dario", "Elif", "Finn", "Grete", "Hugo")

Step = tuple[Move, Told | Foul]


def seated(game: Game, house: Any, count: int = 0) -> Setup:
    """A set-up for bots: as many as wanted, or a usual number for the game."""
    fewest, most = game.players
    solo = house_of(game.name).is_alone(house)
    return set_up(game, NAMES[: count or (1 if solo else max(2, min(3, most), fewest))], house)


def play_at(table: Seated, seed: int, *, seen: bool = True, mistakes: float = 0.1) -> Iterator[tuple[int, Reply]]:
    """What is told at a table where bots say their moves as people do, until the match is over; with the table time at
    which each was said."""
    referee, match = table.session.referee, table.session.referee.match
    bots = bots_at(match.game, match.setup.names, match.setup.house, seed, seen=seen, mistakes=mistakes)

    def say(message: Message) -> list[Reply]:
        at = stamp_of(message)
        table.say(message, at)
        found = [reply for reply in table.attend(at) if not isinstance(reply, TimeReply)]
        for reply in found:
            if isinstance(reply, RulingReply):
                bots.ruled(match.line[reply.number - 1].ruling)
        return found

    for _ in range(MOST_MOVES):
        if match.outcome:
            return
        move = bots.next_move(match.state)
        at = (referee.stamp or 0) + move.at - referee.table
        # A deadline is over when its moment has passed; who waits for that has nothing to say himself.
        told = say(Time(at=at + 1 if move.by_referee else at))
        has_changed = any(isinstance(reply, RulingReply) for reply in told)
        if not move.by_referee and not has_changed:
            told += say(MoveMessage(move, at, ""))
        yield from ((move.at, reply) for reply in told)
    raise _endless(match, seed)


def _endless(match: Match, seed: int) -> RuntimeError:
    return RuntimeError(f"{match.game.title} with seed {seed} has not ended after {MOST_MOVES} moves.")


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
    raise _endless(match, seed)
