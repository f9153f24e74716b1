"""What a ruling costs, early and late in a match, and what playing a stored match again costs."""

import itertools
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.core.clocks import SECOND
from companion.core.codec import parsed, written
from companion.core.entry import Made
from companion.core.match import Match, set_up
from companion.core.record import move_plain
from companion.core.rules import Foul, Game, Move
from companion.games import NAMES, game
from companion.games.threepia import rules as threepia
from companion.games.triplexity import rules as triplexity
from companion.journal import Journal
from simulator.playing import play_out, seated
from tests.benchmarks import Row, best_of, median

MATCHES = 8  # of each game, by different seeds
PLAYERS = ("Anna", "Ben")
POSITIONS_COUNTED = triplexity.House(play="advanced", repetition_draw=True)
BASELINE = "write and read the move's JSON line"


def rows() -> Iterator[Row]:
    for name in NAMES:
        yield _typical(name)
    yield _late(_endless(1050, POSITIONS_COUNTED), game("triplexity"), "one round of Triplexity, positions counted")
    yield _late(list(itertools.islice(_typed(), 1050)), game("threepia"), "Threepia, points typed in")
    yield from _stored()


def _pairs(playing: Game, house: Any, seed: int, *, mistakes: float = 0.0) -> Iterator[tuple[Any, Move]]:
    """Every accepted move of a match, with the state it was made in."""
    match = Match(seated(playing, house))
    before = match.state
    for move, told in play_out(match, seed, mistakes=mistakes):
        if not isinstance(told, Foul):
            yield before, move
        before = match.state


def _cost(playing: Game, state: Any, move: Move) -> float:
    return best_of(lambda: playing.rule(state, move))


def _typical(name: str) -> Row:
    playing = game(name)
    pairs = [pair for seed in range(MATCHES) for pair in _pairs(playing, playing.house(), seed)]
    costs = [_cost(playing, state, move) for state, move in pairs]
    lines = [best_of(lambda move=move: parsed(written(move_plain(move)))) for _, move in pairs]  # type: ignore[misc]
    return Row(
        f"one ruling of {playing.title}, median of {len(costs):,}",
        median(costs),
        "µs",
        6,
        BASELINE,
        median(lines),
        "30 µs is the aim",
    )


def _late(pairs: list[tuple[Any, Move]], playing: Game, what: str) -> Row:
    early = median([_cost(playing, *pair) for pair in pairs[10:60]])
    late = median([_cost(playing, *pair) for pair in pairs[1000:1050]])
    return Row(f"a ruling after 1,000 moves ({what})", late, "µs", 2, "the same after 10 moves", early)


def _endless(moves: int, house: triplexity.House) -> list[tuple[Any, Move]]:
    """One round of Triplexity in which nobody wins, however long."""
    playing = game("triplexity")
    chance = random.Random(1)
    state = playing.start(PLAYERS, house).state
    pairs: list[tuple[Any, Move]] = []
    while len(pairs) < moves:
        move = _as_move(state, chance.choice(triplexity.options(state.position)))
        after = playing.rule(state, move).state
        if after.phase != "over":
            pairs.append((state, move))
            state = after
        elif chance.random() < 0.2:  # perhaps every way from here ends the round: go back and try another
            del pairs[-3:]
            state = playing.rule(*pairs[-1]).state
    return pairs


def _as_move(state: triplexity.State, option: triplexity.Option) -> Move:
    turn, target = state.turn or "Anna", triplexity.PLACES[option.target]
    if option.source is None:
        return triplexity.Put(turn, target, state.in_hand[state.players.index(turn)][0].up)
    return triplexity.Shift(turn, triplexity.PLACES[option.source], target)


def _typed() -> Iterator[tuple[Any, Move]]:
    """A match of Threepia without an end, the points typed in."""
    match = Match(seated(game("threepia"), threepia.House(way="rounds", rounds=1000, deck=1000), 6))
    for at in itertools.count(SECOND, SECOND):
        turn, before = match.state.turn, match.state
        openings: dict[str, Move] = {"deal": threepia.Deal("", at=at), "ready": threepia.Begin("Anna", at=at)}
        move = openings.get(before.phase) or threepia.Draw(turn, at=at)
        match.make(move)
        yield before, move


def _stored() -> Iterator[Row]:
    """A match of 10,000 moves, kept by the journal, read and played again."""
    house = triplexity.House()
    setup = set_up(game("triplexity"), PLAYERS, house)
    moves = [move for _, move in _endless(10_000, house)]
    with tempfile.TemporaryDirectory() as folder, Journal.open(Path(folder) / "journal.sqlite3") as journal:
        journal.take_in(setup, tuple(map(Made, moves)), 0)
        seconds = best_of(lambda: _read_again(journal, setup.id, len(moves)), 3) / 1e6
    lines = [written(move_plain(move)) for move in moves]
    baseline = best_of(lambda: [parsed(line) for line in lines]) / 1e6
    yield Row(
        "a stored match of 10,000 moves read and ruled again",
        seconds,
        "s",
        25,
        "only parse its 10,000 lines",
        baseline,
        "1 s is the aim",
    )


def _read_again(journal: Journal, code: str, moves: int) -> None:
    stored = journal.stored(code)
    assert len(Match.folded(stored.setup, stored.entries).line) == moves
