"""The game as the table knows it: the start, the rule for each move, and its name."""

from collections.abc import Callable
from typing import Any

from companion.core.rules import Game, Move, Ruling
from companion.core.sentence import N_
from companion.games.triplexity.rules.events import EVENTS
from companion.games.triplexity.rules.house import House
from companion.games.triplexity.rules.moves import Put, Shift
from companion.games.triplexity.rules.open_table import face_up
from companion.games.triplexity.rules.placing import put, shift
from companion.games.triplexity.rules.rounds import carried, fresh, round_of, ruling
from companion.games.triplexity.rules.state import State


def start(players: tuple[str, ...], house: House) -> Ruling:
    return ruling(fresh(State(players, house)))


def rule(state: State, move: Move) -> Ruling:
    """The ruling on a move, or a Foul."""
    if state.phase == "over":
        raise move.foul("match-over", "{player} cannot {move}: the match is over.")
    if state.mover >= 0 and move.player != state.turn:
        raise move.foul("not-your-turn", "{player} cannot {move} now: it is {turn}'s turn.", turn=state.turn)
    return _RULES[type(move)](state, move)


_RULES: dict[type[Move], Callable[[State, Any], Ruling]] = {Put: put, Shift: shift}


SUMMARY = N_("""\
Each player has three pieces of one colour. In turn they place a piece on one of three places, in stacks of at most
three. When all six lie there, a turn moves any top piece, whoever owns it, to another place with room, but never
the piece moved last back to where it came from. A stack of three of one colour, or one colour on top of all three
places, wins for the owner of that colour, even if the other player did it. In the advanced game every move turns
the piece over, and the winner scores the pips that show on the winning pieces.""")

GAME = Game(
    "triplexity",
    "Triplexity",
    (2, 2),
    10,
    SUMMARY,
    House,
    State,
    tuple(_RULES),
    EVENTS,
    start,
    rule,
    round_of=round_of,
    carried=carried,
    lies_open=True,
    face_up=face_up,
)
