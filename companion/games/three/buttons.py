"""What the buttons mean in Three!: a hand on the token is a strike, and the rules say whether it was too early."""

from companion.core.button_meanings import TOKEN, ButtonMeanings, TokenRest
from companion.core.clocks import SECOND
from companion.core.photo_finish import Finish
from companion.core.rules import Move
from companion.games.three.rules import State, Strike


def _struck(_told: State | Move, finish: Finish) -> Strike:
    """In whatever state; and what a strike that was made becomes with another finish."""
    return Strike(finish.winner, finish.tied, finish)


def _rest(state: State) -> TokenRest | None:
    """After a call the token fills, and may be closed for longer to whoever called wrongly."""
    if not (state.free_at or any(state.kept_out)):
        return None
    out = dict(zip(state.players, state.kept_out, strict=False))
    return TokenRest(state.free_at - state.house.rearm * SECOND, state.free_at, out)


BUTTONS = ButtonMeanings(
    strikes=(Strike.word,),
    struck=_struck,
    corrected=_struck,
    void=Strike,
    rest=_rest,
    pressed=lambda _state, move: TOKEN if isinstance(move, Strike) else "",
)
