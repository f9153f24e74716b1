"""The game as the table knows it: the start, the rule for each move, and its name."""

from collections.abc import Callable
from typing import Any

from companion.core.errors import HouseRuleError
from companion.core.rules import Game, Move, Ruling
from companion.core.sentence import N_, Sentence
from companion.games.three.rules.checks import call, check
from companion.games.three.rules.corrections import adjusted, hidden, looks_anew, recalled
from companion.games.three.rules.events import EVENTS
from companion.games.three.rules.house import HAND, House
from companion.games.three.rules.moves import Begin, Call, Check, Choose, Declare, Hand, Pass, Play, Release, Strike
from companion.games.three.rules.open_table import face_up
from companion.games.three.rules.phases import nobodys_strike, out_of_phase, ruling
from companion.games.three.rules.state import State
from companion.games.three.rules.strikes import choose, hand, release, strike, together
from companion.games.three.rules.turns import begin, declare, pass_turn, play


def start(players: tuple[str, ...], house: House) -> Ruling:
    dealt = HAND * len(players)
    if dealt > house.deck:
        raise HouseRuleError(
            Sentence(
                "House rule deck: {deck} cards are too few to deal {HAND} each to {players} players.",
                deck=house.deck,
                HAND=HAND,
                players=len(players),
            )
        )
    empty = (0,) * len(players)
    state = State(
        players,
        house,
        "setup",
        "",
        hands=(HAND,) * len(players),
        deck=house.deck - dealt,
        piles=((),) * len(players),
        banks=empty,
        gone=(0,) * len(house.dogs),
    )
    return ruling(state)


def rule(state: State, move: Move) -> Ruling:
    """The ruling on a move, or a Foul."""
    phases, handle = _RULES[type(move)]
    if state.phase not in phases:
        is_nobodys = isinstance(move, Strike) and not move.player
        raise nobodys_strike(state) if is_nobodys else out_of_phase(state, move)
    return handle(state, move)


_RULES: dict[type[Move], tuple[tuple[str, ...], Callable[[State, Any], Ruling]]] = {
    Begin: (("setup",), begin),
    Play: (("turn",), play),
    Declare: (("turn", "final"), declare),
    Strike: (("turn", "final"), strike),
    Call: (("struck",), call),
    Hand: (("whose",), hand),
    Choose: (("tied",), choose),
    Release: (("struck", "whose", "tied"), release),
    Check: (("check",), check),
    Pass: (("final",), pass_turn),
}


SUMMARY = N_("""\
Everybody holds three cards and plays one a turn onto their own pile, of which only the top card is seen.
Whoever thinks that another player has three or more of one dog on the pile strikes the token, first come
first served, and names the player and the dog. Three or more: the cards go to the caller's bank; fewer: to
the bank of the player who was called. At the start of their turn a player may declare instead: three or
more go to their own bank, fewer leave the game. When all hands are empty there is one last round to declare
in; then the most cards in the bank win.""")

GAME = Game(
    "three",
    "Three!",
    (2, 4),
    15,
    SUMMARY,
    House,
    State,
    tuple(_RULES),
    EVENTS,
    start,
    rule,
    together=together,
    adjusted=adjusted,
    looks_anew=looks_anew,
    hidden=hidden,
    recalled=recalled,
    scored_in="cards",
    halts=("whose", "tied", "struck", "check"),
    face_up=face_up,
)
