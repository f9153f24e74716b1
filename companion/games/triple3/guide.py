"""A first round of Triple³, with four cards only: shape, number, colour, and a Stop!"""

from companion.core.rules import Move
from companion.core.sentence import N_
from companion.display.scene import Intent
from companion.games.triple3.rules import DECK, Deal, Go, GoOn, Lay, Stop
from companion.games.triple3.spread import Triple3
from simulator.drawn.guides import Guide, Step
from simulator.drawn.items import Thing

GRID = (
    *("red-diamond-0", "blue-plus-3", "blue-star-2"),
    *("purple-diamond-0", "red-circle-0", "red-star-1"),
    *("blue-star-1", "yellow-diamond-0", "blue-star-3"),
)
MINE = ("yellow-diamond-3", "purple-star-3", "red-plus-2", "red-circle-2")
THEIRS = ("yellow-plus-0", "blue-circle-1", "yellow-circle-3")
DEALS = (len(MINE), len(DECK) - len(GRID) - len(MINE))


class Round(Triple3):
    def shuffled(self) -> list[str]:
        first = (*GRID, *MINE, *THEIRS)
        return [*first, *(card for card in DECK if card not in first)]

    def to_deal(self) -> Deal:
        return Deal("", GRID, (), DEALS)

    def places(self, move: Move) -> tuple[Intent, ...]:
        match move:
            case Deal():
                return (Thing("pile"),)
            case Lay():
                return (Thing("card", move.card), Thing("cell", move.cell))
            case _:
                return ()


def steps(me: str, other: str) -> tuple[Step, ...]:
    one, two, three = THEIRS
    first, second, third, last = MINE
    return (
        Step(Deal("", GRID, (), DEALS), N_("Click the pile to deal. For this first round you have only four cards.")),
        Step(Go(""), N_("Everybody lays at the same time. Touch Go! on the screen.")),
        Step(
            Lay(me, 7, first),
            N_("Drag the lit card onto the lit cell: with the two above it, all three show a diamond."),
        ),
        Step(Lay(other, 2, one)),
        Step(
            Lay(me, 8, second), N_("A number counts as well. Make the bottom row all three: three waves on each card.")
        ),
        Step(Lay(other, 6, two)),
        Step(Lay(me, 9, third), N_("Diagonals count too. Lay the red card into the lit corner.")),
        Step(Lay(other, 4, three)),
        Step(Stop(other)),
        Step(GoOn(""), N_("{other} has called Stop!: nobody lays now. The table is in order: go on by the screen.")),
        Step(Lay(me, 6, last), N_("Your last card: two waves in the right column. Whoever is out wins the round.")),
    )


GUIDE = Guide(
    "triple3",
    {"chips_to_win": 1},
    Round,
    steps,
    N_("Usually all cards are dealt out, and four rounds win. If nobody can lay any more, the fewest cards win."),
)
