"""A first round of Triplexity: placed, blocked, won."""

from companion.core.rules import Move
from companion.core.sentence import N_
from companion.display.scene import Intent
from companion.games.triplexity.rules import PLACES, Put, Shift
from companion.games.triplexity.spread import Triplexity
from simulator.drawn.guides import Guide, Step
from simulator.drawn.items import Thing

LEFT, CENTRE, RIGHT = PLACES


class Round(Triplexity):
    def places(self, move: Move) -> tuple[Intent, ...]:
        if isinstance(move, Put):
            return (Thing("piece", (move.player, 0, move.up)), Thing("stack", PLACES.index(move.place)))
        assert isinstance(move, Shift)
        return tuple(Thing("stack", PLACES.index(place)) for place in (move.source, move.target))


def steps(me: str, other: str) -> tuple[Step, ...]:
    return (
        Step(Put(me, LEFT), N_("Drag one of your pieces onto the left place.")),
        Step(Put(other, CENTRE)),
        Step(Put(me, LEFT), N_("Another one onto it: three of your colour in a stack win.")),
        Step(Put(other, CENTRE)),
        Step(Put(me, RIGHT), N_("{other} collects in the centre. Drag your last piece onto the right place.")),
        Step(Put(other, LEFT)),
        Step(
            Shift(me, RIGHT, CENTRE),
            N_("All six lie there. {other} would win in the centre: drag your piece from the right onto it."),
        ),
        Step(Shift(other, LEFT, RIGHT)),
        Step(
            Shift(me, CENTRE, LEFT),
            N_("{other} could not move it back at once. Now drag your piece from the centre to the left!"),
        ),
    )


GUIDE = Guide(
    "triplexity",
    {},
    Round,
    steps,
    N_("One colour on top of all three places wins as well. The bulb on the screen knows who can win."),
)
