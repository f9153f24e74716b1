"""Sticks: whoever takes the last one wins. Functions from a state and a move to a ruling."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from companion.core.rules import (
    Deadline,
    Ended,
    Event,
    Game,
    May,
    Move,
    Outcome,
    Ruling,
    Turn,
    changed,
    ended,
    seat_after,
    setting,
)

LAST = "The last stick is taken."


@dataclass(frozen=True, slots=True)
class House:
    sticks: int = setting(15, "how many sticks lie there", low=5, high=40)
    most: int = setting(3, "how many may be taken at once", low=2, high=5)


@dataclass(frozen=True, slots=True)
class State:
    players: tuple[str, ...]
    house: House
    left: int
    turn: str
    taken: tuple[int, ...]
    phase: str = "turn"
    outcome: Outcome | None = None

    @property
    def scores(self) -> tuple[int, ...]:
        return self.taken

    @property
    def deadline(self) -> Deadline | None:
        return None


@dataclass(frozen=True, slots=True)
class Take(Move):
    doing: ClassVar[str] = "take"
    count: int = 1


@dataclass(frozen=True, slots=True)
class Took(Event):
    text: ClassVar[str] = "{player} takes {count}, and {rest} lie there."
    player: str
    count: int
    rest: int


def start(players: tuple[str, ...], house: House) -> Ruling:
    state = State(players, house, house.sticks, players[0], (0,) * len(players))
    return _ruling(state, Turn(state.turn))


def rule(state: State, move: Take) -> Ruling:
    """The ruling on a move, or a Foul."""
    if state.outcome:
        raise move.foul("match-over", "{player} cannot take: the match is over.")
    if move.player != state.turn:
        raise move.foul("not-your-turn", "{player} cannot take now: it is {turn}'s turn.", turn=state.turn)
    if not 1 <= move.count <= min(state.house.most, state.left):
        raise move.foul("too-many", "{player} cannot take {count} of {rest}.", count=move.count, rest=state.left)
    seat, rest = state.players.index(move.player), state.left - move.count
    taken = changed(state.taken, seat, state.taken[seat] + move.count)
    state = replace(state, left=rest, taken=taken, turn=seat_after(state.players, move.player))
    told = Took(move.player, move.count, rest)
    if rest:
        return _ruling(state, told, Turn(state.turn))
    outcome = Outcome((move.player,), taken, LAST)
    return _ruling(replace(state, phase="over", turn="", outcome=outcome), told, ended(outcome))


def _ruling(state: State, *events: Event) -> Ruling:
    may: tuple[Any, ...] = () if state.outcome else (May("take", (state.turn,)),)
    return Ruling(state, events, may)


GAME = Game(
    "sticks",
    "Sticks",
    (2, 4),
    5,
    "Sticks lie on the table. In turn everybody takes one, two or three. Whoever takes the last one wins.",
    House,
    State,
    (Take,),
    (Took, Turn, Ended),
    start,
    rule,
    lies_open=True,
)
