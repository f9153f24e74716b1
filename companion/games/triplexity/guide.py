"""A first round of Triplexity: placed, blocked, won."""

from companion.beside.guides import Guide, Step
from companion.beside.items import Thing
from companion.beside.triplexity import Triplexity
from companion.display.scene import Intent
from companion.games.triplexity import PLACES, Put, Shift
from companion.rules import Move

LEFT, CENTRE, RIGHT = PLACES


class Round(Triplexity):
    def places(self, move: Move) -> tuple[Intent, ...]:
        if isinstance(move, Put):
            return (Thing("piece", (move.player, 0, move.up)), Thing("stack", PLACES.index(move.place)))
        assert isinstance(move, Shift)
        return tuple(Thing("stack", PLACES.index(place)) for place in (move.source, move.target))


def steps(me: str, other: str) -> tuple[Step, ...]:
    return (
        Step(Put(me, LEFT), "Drag one of your pieces onto the left place."),
        Step(Put(other, CENTRE)),
        Step(Put(me, LEFT), "Another one onto it: three of your colour in a stack win."),
        Step(Put(other, CENTRE)),
        Step(Put(me, RIGHT), "{other} collects in the centre. Drag your last piece onto the right place."),
        Step(Put(other, LEFT)),
        Step(
            Shift(me, RIGHT, CENTRE),
            "All six lie there. {other} would win in the centre: drag your piece from the right onto it.",
        ),
        Step(Shift(other, LEFT, RIGHT)),
        Step(
            Shift(me, CENTRE, LEFT),
            "{other} could not move it back at once. Now drag your piece from the centre to the left!",
        ),
    )


GUIDE = Guide(
    "triplexity",
    {},
    Round,
    steps,
    "One colour on top of all three places wins as well. The bulb on the screen knows who can win.",
)
