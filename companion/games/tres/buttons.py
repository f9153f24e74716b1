"""What the buttons mean in Tres: the tres button says it, and a hand on the token catches whoever kept silent."""

from dataclasses import replace

from companion.core.button_meanings import TOKEN, ButtonKind, ButtonMeanings
from companion.core.photo_finish import Finish, How, among
from companion.core.rules import Move
from companion.core.sentence import N_, Sentence
from companion.games.tres import words as own
from companion.games.tres.rules import Catch, State, Tres

NOBODY = ""  # the hand on a token that is one button for all


def _struck(state: State, finish: Finish) -> Catch | Sentence:
    """The catch by the first who can make one; of two who are silent the table says whom."""
    silent, struck = state.silent, [one.seat for one in finish.order if one.how is not How.HELD]
    if NOBODY in struck:
        return Sentence("The token was struck: say on the screen who has caught whom.")
    for seat in struck:
        others = [player for player in silent if player != seat]
        if len(others) == 1:
            return Catch(seat, others[0], among(finish, {*struck} - {*others}))
        if others:
            return Sentence(
                "{seat} struck first, and {whom} were silent: say on the screen who is caught.", seat=seat, whom=others
            )
    return Sentence("{seat} struck, but nobody else was silent with three cards.", seat=struck[0])


def _corrected(was: Move, finish: Finish) -> Catch | None:
    """Whom a catch was for is in the move already."""
    if not isinstance(was, Catch):
        return None
    catchers = among(finish, {one.seat for one in finish.order if one.seat != was.whom})
    return replace(was, player=catchers.order[0].seat, finish=catchers)


def _tres(_state: State, player: str) -> Tres:
    return Tres(player)


def _pressed(state: State, move: Move) -> str:
    """A catch is a strike where the token knows whom."""
    if isinstance(move, Tres):
        return "tres"
    is_clear = isinstance(move, Catch) and [one for one in state.silent if one != move.player] == [move.whom]
    return TOKEN if is_clear else ""


BUTTONS = ButtonMeanings(
    strikes=(Catch.word,),
    struck=_struck,
    may_miss=True,
    corrected=_corrected,
    kinds=(ButtonKind("tres", N_("tres button"), _tres, at_seats=True, sign="3", word=own.TRES),),
    pressed=_pressed,
)
