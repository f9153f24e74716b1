"""What the buttons mean in Triple³: whoever strikes the token says Stop!, and the stop button says it for nobody."""

from companion.core.button_meanings import TOKEN, ButtonKind, ButtonMeanings
from companion.core.photo_finish import Finish
from companion.core.rules import Move
from companion.core.sentence import N_
from companion.games.triple3.rules import State, Stop


def _struck(_told: State | Move, finish: Finish) -> Stop:
    """In whatever state; and what a strike that was made becomes with another finish."""
    return Stop(finish.winner, finish)


def _stop(_state: State, _player: str) -> Stop:
    return Stop("")


BUTTONS = ButtonMeanings(
    strikes=(Stop.word,),
    struck=_struck,
    corrected=_struck,
    kinds=(ButtonKind("stop", N_("stop button"), _stop, at_table=True),),
    pressed=lambda _state, move: TOKEN if isinstance(move, Stop) else "",
)
