"""A first round of Three!: a pile that is remembered, a call, a declaration, a call that was wrong."""

from companion.core.rules import Move
from companion.core.sentence import N_
from companion.display.scene import Intent
from companion.games.three.rules import DOGS, Begin, Call, Check, Declare, Play, Strike
from companion.games.three.spread import Three
from hardware.panel import Key
from simulator.drawn.guides import Guide, Step
from simulator.drawn.items import PressKey, Thing

EMBER, SKY, JUNIPER, HONEY, SNOW, MISTY, DOMINO = (DOGS[number].name for number in (0, 1, 2, 3, 6, 7, 5))
MINE, THEIRS = (EMBER, HONEY, EMBER), (SKY, SKY, SNOW)
DRAWN = (SNOW, SKY, EMBER, HONEY, JUNIPER, MISTY, MISTY, DOMINO)  # in turn
COUNTED = ("found",)  # whoever checks may count, or let the referee do so


class Round(Three):
    def begin(self) -> None:
        super().begin()
        cards = [dog.name for dog in self.house.dogs for _ in range(self.house.copies)]
        for card in (*MINE, *THEIRS, *DRAWN):
            cards.remove(card)
        self.cards.stack(dict(zip(self.names, (MINE, THEIRS), strict=True)), (*DRAWN, *cards))

    def places(self, move: Move) -> tuple[Intent, ...]:
        match move:
            case Play():
                return (Thing("hand", self.cards.hands[move.player].index(move.dog)), Thing("pile", move.player))
            case Strike():
                return (PressKey(Key("strike", self.names.index(move.player))),)
            case _:
                return ()


def steps(me: str, other: str) -> tuple[Step, ...]:
    return (
        Step(Begin(me), N_("Say on the screen that you begin.")),
        Step(Play(me, EMBER), N_("Drag {dog} onto your pile. You draw another dog by yourself.")),
        Step(Play(other, SKY)),
        Step(Play(me, HONEY), N_("Only the top of a pile is seen. Lay {dog} over it, so that nobody remembers.")),
        Step(Play(other, SKY)),
        Step(Play(me, EMBER), N_("A second {dog} onto your pile.")),
        Step(Play(other, SNOW)),
        Step(Play(me, SNOW), N_("Hide it below {dog}. And remember what {other} plays!")),
        Step(Play(other, SKY)),
        Step(Strike(me), N_("That was {other}'s third Sky. Strike: press the space bar, or the red token.")),
        Step(Call(me, other, SKY), N_("You were first. Touch the dog on the screen: {dog}.")),
        Step(Check(other, 3)),
        Step(Play(me, EMBER), N_("Three of a kind are yours! Now your third {dog} onto your pile.")),
        Step(Play(other, HONEY)),
        Step(Declare(me, EMBER), N_("Nobody has noticed. Touch Declare on the screen, then {dog}.")),
        Step(Check(me), N_("Your pile is in your hand. Let the referee count, on the screen."), COUNTED),
        Step(Play(me, JUNIPER), N_("Your bank grows. Play {dog}.")),
        Step(Strike(other)),
        Step(Call(other, me, HONEY)),
        Step(
            Check(me),
            N_("{other} believes that you have three of Honey. Let the referee count: fewer than three are yours."),
            COUNTED,
        ),
    )


GUIDE = Guide(
    "three",
    {"call_timeout": 600, "rearm": 0},
    Round,
    steps,
    N_("So it goes on until all hands are empty. Then the most dogs in a bank win."),
)
