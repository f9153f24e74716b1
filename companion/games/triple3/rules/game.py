"""The game as the table knows it: the start, the rule for each move, and its name."""

from collections.abc import Callable
from typing import Any

from companion.core.rules import Fact as KeptFact
from companion.core.rules import Game, Move, Ruling
from companion.core.sentence import N_
from companion.games.triple3.rules.claims import claim_out, go_on, stop, together
from companion.games.triple3.rules.corrections import adjusted, carried
from companion.games.triple3.rules.events import EVENTS
from companion.games.triple3.rules.house import House
from companion.games.triple3.rules.laying import lay, take_back
from companion.games.triple3.rules.looking import lies
from companion.games.triple3.rules.moves import Deal, Go, GoOn, Lay, Left, Lies, Out, Stop, Stuck, TakeBack
from companion.games.triple3.rules.open_table import face_up
from companion.games.triple3.rules.phases import out_of_phase, ruling
from companion.games.triple3.rules.rounds import deal, go, say_left, stuck
from companion.games.triple3.rules.state import State, hidden, round_of


def start(players: tuple[str, ...], house: House) -> Ruling:
    return ruling(State(players, house, chips=(0,) * len(players)))


def rule(state: State, move: Move) -> Ruling:
    """The ruling on a move, or a Foul."""
    phases, handle = _RULES[type(move)]
    if state.phase not in phases:
        raise out_of_phase(state, move)
    return handle(state, move)


_RULES: dict[type[Move], tuple[tuple[str, ...], Callable[[State, Any], Ruling]]] = {
    Deal: (("deal", "ready"), deal),
    Go: (("ready",), go),
    Lay: (("play",), lay),
    TakeBack: (("play", "stopped"), take_back),
    Lies: (("play", "stopped"), lies),
    Stop: (("play",), stop),
    GoOn: (("stopped",), go_on),
    Out: (("play", "stopped"), claim_out),  # the token that says so may have been taken for a Stop!
    Stuck: (("play",), stuck),
    Left: (("count",), say_left),
}


def _facts(state: State) -> tuple[KeptFact, ...]:
    return tuple(KeptFact("round", winner, done.time) for done in state.rounds for winner in done.winners)


SUMMARY = N_("""\
Nine cards lie in a 3×3 grid, the other 55 are dealt out. Everybody lays cards at the same time, one by one,
always on a card of the grid. A card is legal if it gives a row, a column or a diagonal through its cell a value
in common (colour, shape or number) that the line did not have before. Whoever lays the last card wins the round
and a chip; if nobody can lay any more, fewest cards left win. First to four chips wins the match.""")

GAME = Game(
    "triple3",
    "Triple³",
    (2, 4),
    10,
    SUMMARY,
    House,
    State,
    tuple(_RULES),
    EVENTS,
    start,
    rule,
    _facts,
    together=together,
    round_of=round_of,
    carried=carried,
    adjusted=adjusted,
    hidden=hidden,
    scored_in="chips",
    halts=("stopped",),
    face_up=face_up,
)
