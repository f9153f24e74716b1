"""The game as the table knows it: the start, the rule for each move, and its name."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.core.errors import HouseRuleError
from companion.core.rules import COUNTED, Game, Move, Ruling
from companion.core.sentence import N_, Sentence
from companion.games.tres.rules.cards import deck
from companion.games.tres.rules.corrections import adjusted, hidden, recalled
from companion.games.tres.rules.dealing import deal, dealer, fill, show_card
from companion.games.tres.rules.events import EVENTS
from companion.games.tres.rules.house import HAND, THREE, House
from companion.games.tres.rules.laying import lay, play
from companion.games.tres.rules.moves import (
    Catch,
    Deal,
    Dealer,
    Draw,
    Fill,
    Keep,
    Lay,
    Pass,
    Play,
    ShowCard,
    Take,
    Tres,
)
from companion.games.tres.rules.open_table import face_up
from companion.games.tres.rules.phases import AFTER_DEAL, ONLY, out_of_phase, ruling, way_of
from companion.games.tres.rules.saying import catch, together, tres
from companion.games.tres.rules.state import State
from companion.games.tres.rules.turns import draw, keep, pass_turn, take


def start(players: tuple[str, ...], house: House) -> Ruling:
    if len(players) > house.players:
        raise HouseRuleError(
            Sentence(
                "House rule players: at most {players} may take part, not {players2}.",
                players=house.players,
                players2=len(players),
            )
        )
    cards = sum(deck(house).values())
    needed = HAND * len(players) + THREE
    if cards < needed:
        raise HouseRuleError(
            Sentence(
                "House rules colours, number_copies, action_copies, jokers: {cards} cards are too few to deal "
                "{HAND} each to {players} players and {THREE} to the table; that takes {needed}.",
                cards=cards,
                HAND=HAND,
                players=len(players),
                THREE=THREE,
                needed=needed,
            )
        )
    nobody = ("",) * len(players)
    state = State(players, house, "dealer", "", ((),) * len(players), cards, contenders=players, tres=nobody)
    return ruling(state)


def rule(state: State, move: Move) -> Ruling:
    """The ruling on a move, or a Foul."""
    phases, handle = _RULES[type(move)]
    if move.player not in state.players:
        raise move.foul("unknown-player", "{player} is not in this match.")
    if _is_drawn_unsaid(state, move):
        drawn = draw(state, Draw(move.player, at=move.at))
        ruling = rule(drawn.state, move)
        return replace(ruling, events=(*drawn.events, *ruling.events))
    if state.phase not in phases or (move.word in ONLY and ONLY[move.word] != way_of(state)):
        raise out_of_phase(state, move)
    return handle(state, move)


def _is_drawn_unsaid(state: State, move: Move) -> bool:
    """Where cards are only counted, keeping or playing the card that was drawn says that it was drawn."""
    draws = isinstance(move, Keep) or (isinstance(move, Lay) and move.drew)
    return draws and state.phase == "turn" and state.house.cards == COUNTED


_RULES: dict[type[Move], tuple[tuple[str, ...], Callable[[State, Any], Ruling]]] = {
    ShowCard: (("dealer",), show_card),
    Dealer: (("dealer",), dealer),
    Deal: (("deal",), deal),
    Fill: (("fill", "turn"), fill),
    Play: (("turn", "drawn"), play),
    Lay: (("turn", "drawn"), lay),
    Draw: (("turn",), draw),
    Keep: (("drawn",), keep),
    Take: (("pay",), take),
    Pass: (("turn",), pass_turn),
    Tres: (AFTER_DEAL, tres),
    Catch: (AFTER_DEAL, catch),
}


SUMMARY = N_("""\
Everybody starts with seven cards; whoever has none left first wins. Three cards lie open, and a turn begins by
filling them up to three. Then take one of them together with one or two cards of your hand, so that they are
consecutive numbers; 9 and 1 are neighbours. All of them are discarded. If you cannot or will not, draw one card;
only that card may still be played. Three cards of one colour in a play: the next player draws three. Action
cards count as 3 and as any colour: Reverse turns the direction, Skip passes over the next player, +3 makes the
next player draw three, and all of that adds up. Turning up on the table they act at once on the player whose
turn it is. A numeral joker is any number. Say "tres" whenever you hold exactly three cards: whoever is caught
silent by another player draws three.""")

GAME = Game(
    "tres",
    "Tres",
    (2, 8),
    20,
    SUMMARY,
    House,
    State,
    tuple(_RULES),
    EVENTS,
    start,
    rule,
    together=together,
    adjusted=adjusted,
    hidden=hidden,
    recalled=recalled,
    scored_in="cards",
    is_fewest_best=True,
    face_up=face_up,
)
