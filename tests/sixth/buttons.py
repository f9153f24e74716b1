"""What the buttons mean in Sticks: the take button of a seat takes one."""

from companion.core.button_meanings import ButtonKind, ButtonMeanings
from tests.sixth.rules import State, Take


def _takes(state: State, player: str) -> Take | None:
    return Take(player) if player == state.turn else None


BUTTONS = ButtonMeanings(kinds=(ButtonKind("take", "take button", _takes, at_seats=True, sign="1"),))
