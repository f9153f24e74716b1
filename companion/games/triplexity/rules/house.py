"""The numbers and the house rules."""

from dataclasses import dataclass

from companion.core.errors import HouseRuleError
from companion.core.rules import setting
from companion.core.sentence import N_

PLACES = ("left", "centre", "right")
PIECES = 3  # of each colour
HIGHEST = 3  # pieces in a stack


@dataclass(frozen=True, slots=True)
class House:
    play: str = setting(
        "basic", N_("the basic game, or the advanced one with pips and points"), choices=("basic", "advanced")
    )
    faces: tuple[str, ...] = setting(("1/6", "2/5", "3/4"), N_("the two faces of each of a player's three pieces"))
    rounds: int = setting(1, N_("rounds of a match, unless points are agreed"), low=1, high=100)
    points: int = setting(
        0, N_("points that end the match, in any number of rounds; 0 for the rounds"), low=0, high=1000
    )
    count_covered: bool = setting(True, N_("in a winning stack the covered pieces score too"))
    no_return: str = setting(
        "last",
        N_("the piece that was moved last may not go back to where it came from, or no piece by its own last move"),
        choices=("last", "each"),
        before="last",
    )
    repetition_draw: bool = setting(False, N_("the same position for the third time is a draw"))
    rounds_too: bool = setting(
        False,
        N_("points end the match no later than the rounds; only in matches from before"),
        before=True,
        offered=False,
    )

    def __post_init__(self) -> None:
        pips = sorted(pip for faces in self.faces for pip in faces.split("/"))
        pairs = len(self.faces) == PIECES and all(faces.count("/") == 1 for faces in self.faces)
        if not pairs or pips != list("123456"):
            raise HouseRuleError(
                N_("House rule faces: three pairs are needed that share out the six faces of a die, like 1/6,2/5,3/4.")
            )
