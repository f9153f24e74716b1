"""A first round of Threepia: rows by shape and by colour, a card that is turned, none that fits, a triangle."""

from companion.core.rules import Move
from companion.core.sentence import N_
from companion.display.scene import Intent
from companion.games.threepia.rules import Begin, Deal, Draw, Lay
from companion.games.threepia.spread import Threepia
from simulator.drawn.guides import Guide, Step
from simulator.drawn.items import Thing


def card(*symbols: str) -> str:
    return " ".join(symbols)


FIELD = (
    card("square-yellow", "square-yellow", "circle-red", "square-red"),
    card("cross-red", "square-green", "triangle-green", "square-red"),
    card("cross-blue", "circle-green", "cross-red", "circle-yellow"),
    card("square-red", "circle-yellow", "circle-blue", "cross-blue"),
)
TWO_ROWS = card("cross-blue", "square-blue", "square-red", "square-yellow")
TURNED = card("circle-red", "circle-blue", "square-blue", "cross-green")
LAST = card("cross-green", "circle-red", "circle-red", "square-yellow")
TRIANGLE = card("cross-blue", "circle-blue", "square-red", "triangle-green")
OTHERS = (
    card("square-blue", "circle-yellow", "circle-yellow", "circle-blue"),
    card("cross-blue", "circle-yellow", "square-yellow", "circle-yellow"),
    card("square-blue", "circle-blue", "cross-yellow", "circle-red"),
)
SPARE = FIELD[0]  # drawn when it makes no difference any more
TARGET = 10


class Round(Threepia):
    def begin(self) -> None:
        super().begin()
        self.cards.stack(FIELD, (TWO_ROWS, TURNED, LAST, *OTHERS, TRIANGLE, *(SPARE,) * 8))

    def places(self, move: Move) -> tuple[Intent, ...]:
        match move:
            case Deal() | Draw():
                return (Thing("pile"),)
            case Lay():
                number = self.cards.hands[move.player].index(move.card)
                place = (Thing("place", move.place),) if self.turned.get(number, 0) == move.turned else ()
                return (Thing("hand", number), *place)
            case _:
                return ()


def steps(me: str, other: str) -> tuple[Step, ...]:
    one, two, three = OTHERS
    return (
        Step(Deal("", FIELD), N_("Click the pile: four cards are the field, three are your hand.")),
        Step(Begin(me), N_("Say on the screen that you begin.")),
        Step(
            Lay(me, "B", TWO_ROWS),
            N_("Drag the lit card onto the lit one: each symbol agrees with the one below it, in shape or in colour."),
        ),
        Step(Lay(other, "D", one)),
        Step(
            Lay(me, "C", TURNED, 1),
            N_("This card fits when it is turned: click it until a place is lit, then drag it there."),
        ),
        Step(Lay(other, "D", two)),
        Step(Draw(me), N_("Your last card fits nowhere. Click the pile: you draw one, and your turn is over.")),
        Step(Draw(other)),
        Step(
            Lay(me, "B", TRIANGLE),
            N_("A triangle fits anywhere and stands for what brings most points. Drag the lit card onto the lit one."),
        ),
        Step(Lay(other, "C", three)),
        Step(Lay(me, "B", LAST), N_("Now your last card fits. An empty hand is worth three points more.")),
    )


GUIDE = Guide(
    "threepia",
    {"target": TARGET},
    Round,
    steps,
    N_("There are other fields, and other ways to win: rounds, the whole deck, or against the clock."),
)
