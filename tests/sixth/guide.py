"""A first round of Sticks."""

from simulator.drawn.guides import Guide, Step
from tests.sixth.rules import Take
from tests.sixth.spread import Sticks


def _steps(me: str, other: str) -> tuple[Step, ...]:
    return (
        Step(Take(me, 2), "Take two sticks, on the screen."),
        Step(Take(other, 2)),
        Step(Take(me, 1), "Take the last one."),
    )


GUIDE = Guide("sticks", {"sticks": 5}, Sticks, _steps, "Whoever takes the last stick wins.")
