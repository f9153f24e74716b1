"""The game as the table knows it: the start, the rule for each move, and its name."""

from collections.abc import Callable
from typing import Any

from companion.core.errors import HouseRuleError
from companion.core.rules import Fact, Game, Move, Ruling
from companion.core.sentence import N_, Both, Sentence
from companion.games.threepia.rules.corrections import adjusted, went_on
from companion.games.threepia.rules.deck import begin, deal, deck_count, deck_empty, draw
from companion.games.threepia.rules.events import EVENTS
from companion.games.threepia.rules.house import ALONE, HAND, House
from companion.games.threepia.rules.laying import enter_points, lay
from companion.games.threepia.rules.moves import Begin, Deal, DeckCount, DeckEmpty, Draw, Finish, Lay, Points, TimeUp
from companion.games.threepia.rules.open_table import face_up
from companion.games.threepia.rules.phases import in_time, out_of_phase, ruling
from companion.games.threepia.rules.state import State
from companion.games.threepia.rules.turns import finish, new_clocks, time_up


def start(players: tuple[str, ...], house: House) -> Ruling:
    count = len(players)
    if house.way in ALONE and count > 1:
        raise HouseRuleError(
            Sentence(
                "House rule way: {way} is for one player alone, not for {count}; choose another way to play.",
                way=house.way,
                count=count,
            )
        )
    if house.way not in ALONE and count < 2:
        raise HouseRuleError(
            Sentence(
                "House rule way: {way} needs at least 2 players; alone there are {ALONE}.",
                way=house.way,
                ALONE=Both(ALONE),
            )
        )
    needed = len(house.field.places) + HAND * count
    if needed > house.deck:
        raise HouseRuleError(
            Sentence(
                "House rule deck: {deck} cards are too few for the field {name} and {HAND} each for {count} "
                "players, which takes {needed}.",
                deck=house.deck,
                name=house.field.name,
                HAND=HAND,
                count=count,
                needed=needed,
            )
        )
    nothing = (0,) * count
    return ruling(State(players, house, "deal", "", nothing, nothing, house.deck, clocks=new_clocks(house, count)), [])


def rule(state: State, move: Move) -> Ruling:
    """The ruling on a move, or a Foul."""
    phases, handle = _RULES[type(move)]
    if state.phase not in phases:
        raise out_of_phase(state, move)
    if state.clocks and type(move) is not TimeUp:
        in_time(state, move)
    return handle(state, move)


_RULES: dict[type[Move], tuple[tuple[str, ...], Callable[[State, Any], Ruling]]] = {
    Deal: (("deal",), deal),
    Begin: (("ready",), begin),
    Lay: (("turn",), lay),
    Draw: (("turn",), draw),
    Points: (("turn", "counting"), enter_points),
    DeckEmpty: (("turn",), deck_empty),
    DeckCount: (("turn",), deck_count),
    TimeUp: (("turn",), time_up),
    Finish: (("turn",), finish),
}


def facts(state: State) -> tuple[Fact, ...]:
    """The time of a time trial, and what it is compared by; none of one in which a draw was not needed."""
    if state.outcome is None or state.house.way != "time-trial":
        return ()
    player = state.players[0]
    time = Fact("time-trial", player, state.clocks[0].used)
    if state.house.trial_ends_with_deck:
        return (time,)
    if state.needless:
        return ()
    return (
        time,
        Fact("trial-left", player, state.hands[0]),
        Fact("trial-cards", player, cards_played(state)),
        Fact("trial-word", player, int(state.on_word)),
    )


def cards_played(state: State) -> int:
    """How many cards there are in all, as far as they have been counted."""
    return state.house.deck - state.missing


SUMMARY = N_("""\
Everybody holds three cards of four symbols each. In turn each player lays one on a card of the field; every
symbol must agree in shape or in colour with the one it covers. Triangles may lie on anything, anything may
lie on them, and on the field each stands for one shape and one colour, another in every turn. Every row or
column of equal shapes or equal colours with a symbol of the new card scores: three in a row 1 point, four 2,
five 3, six 4; on the field L box each block of two by two counts instead: three equal 1, four 2. Whoever
plays out the hand gets 3 points and draws three cards; whoever cannot lay draws one, and the turn is over.
The way to play says what wins: a number of points, most points after some rounds or when the deck is used up,
against the clock in each turn or in the whole match, or alone in the best time.""")

GAME = Game(
    "threepia",
    "Threepia",
    (1, 6),
    20,
    SUMMARY,
    House,
    State,
    tuple(_RULES),
    EVENTS,
    start,
    rule,
    facts,
    adjusted=adjusted,
    went_on=went_on,
    out=lambda state: state.out,
    face_up=face_up,
)
