"""The numbers and the house rules."""

from dataclasses import dataclass

from companion.core.rules import COUNTED, SEEN, TOLD, setting
from companion.core.sentence import N_
from companion.games.triple3.rules.cards import DECK
from companion.games.triple3.rules.grid import CELLS

TO_DEAL = len(DECK) - len(CELLS)


@dataclass(frozen=True, slots=True)
class House:
    chips_to_win: int = setting(4, N_("chips that win the match; 1 for a single round"), low=1, high=12)
    illegal_plays: str = setting(
        "call", N_("an illegal play is called at once, or it is kept for the next Stop!"), choices=("call", "keep")
    )
    illegal_wins: bool = setting(
        False,
        N_("an illegal card that was kept wins like any other; only in matches from before"),
        before=True,
        offered=False,
    )
    cards: str = setting(
        SEEN,
        N_("a camera sees the cards, the referee is told each of them, or it only counts the rounds"),
        choices=(SEEN, TOLD, COUNTED),
        before=SEEN,
    )
    hints: bool = setting(False, N_("what fits on each cell is shown to everybody while cards are laid"), before=True)
