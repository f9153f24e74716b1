"""A first round of Tres: a run, take three, drawing, tres, a joker."""

from companion.core.rules import Move
from companion.core.sentence import N_
from companion.display.scene import Intent
from companion.games.tres.rules import JOKER, Deal, Draw, Fill, Keep, Play, ShowCard, Take, Tres, deck
from companion.games.tres.told_spread import TresTable
from hardware.panel import Key
from simulator.drawn.guides import Guide, Step
from simulator.drawn.items import PressKey, Thing

SHOWN = ("green-4", "blue-8")  # drawn for dealer
MINE = ("red-2", "red-4", "red-5", "yellow-7", "blue-2", "green-9", "blue-7")
THEIRS = ("red-7", "green-4", "yellow-3", "blue-5", "green-1", "yellow-9", "red-8")
TABLE = ("red-3", "blue-9", "green-6")
TAKEN = ("yellow-2", "green-8", "blue-3")
NEXT = ("yellow-5", "green-2", "red-1", "blue-6", "red-9", "yellow-8", JOKER, "red-7", "green-3")


class Round(TresTable):
    def begin(self) -> None:
        super().begin()
        first = (*MINE, *THEIRS, *TABLE, *TAKEN, *NEXT)
        rest = [card for card, copies in deck(self.house).items() for _ in range(copies - first.count(card))]
        self.cards.stack((*first, *rest), dict(zip(self.names, SHOWN, strict=True)))

    def places(self, move: Move) -> tuple[Intent, ...]:
        match move:
            case Play():
                hand, table = self.cards.hands[move.player], self.state.table
                mine = (Thing("hand", hand.index(card)) for card in move.cards)
                return (*mine, Thing("table", table.index(move.table_card)))
            case Tres():
                return (PressKey(Key("tres", self.names.index(move.player))),)
            case _:
                return (Thing("pile"),)


def steps(me: str, other: str) -> tuple[Step, ...]:
    return (
        Step(ShowCard(me, SHOWN[0]), N_("Everybody draws for dealer: click the pile.")),
        Step(ShowCard(other, SHOWN[1])),
        Step(Deal(other, TABLE)),
        Step(
            Play(me, "red-3", ("red-2", "red-4")),
            N_(
                "Choose the two lit cards and put them onto {table_card}: a run. "
                "All one colour: {other} must draw three!"
            ),
        ),
        Step(Take(other)),
        Step(Fill(other, "yellow-5")),
        Step(Play(other, "green-6", ("red-7",))),
        Step(Fill(me, "green-2"), N_("Your turn begins with three cards on the table: click the pile to turn one up.")),
        Step(Draw(me), N_("None of your cards is a neighbour of 9, 5 or 2. Click the pile to draw one.")),
        Step(Play(me, "blue-9", ("red-1",)), N_("You drew {cards}: 9 and 1 are neighbours. Put it onto {table_card}.")),
        Step(Fill(other, "blue-6")),
        Step(Draw(other)),
        Step(Keep(other)),
        Step(
            Play(me, "blue-6", ("red-5", "yellow-7")),
            N_("The colour need not be the same. Choose {cards} and put them onto {table_card}."),
        ),
        Step(Tres(me), N_("You have three cards: say so before {other} notices. Press your small button, or V.")),
        Step(Fill(other, "yellow-8")),
        Step(Play(other, "yellow-5", ("green-4",))),
        Step(Fill(me, JOKER), N_("Click the pile to fill the table.")),
        Step(Play(me, "yellow-8", ("blue-7", "green-9")), N_("Choose {cards} and put them onto {table_card}.")),
        Step(Fill(other, "red-7")),
        Step(Draw(other)),
        Step(Keep(other)),
        Step(Play(me, JOKER, ("blue-2",)), N_("A joker is any number: put your last card onto it and win.")),
    )


GUIDE = Guide(
    "tres",
    {},
    Round,
    steps,
    N_("If somebody else has three cards and is silent, strike. Action cards turn, skip, or make others draw."),
)
