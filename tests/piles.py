"""What lies on the cells of a simulated table at a moment, as its script has it."""

from simulator.rendered.script import Lying, Script, ScriptedArm


def piles_at(script: Script, at: int) -> tuple[tuple[Lying, ...], ...]:
    """What lies on the nine cells at a moment, from bottom to top."""
    piles = [list(pile) for pile in script.grid]
    for arm in sorted(script.arms, key=lambda one: one.deed):
        if arm.deed <= at:
            _do(piles, arm)
    return tuple(map(tuple, piles))


def _do(piles: list[list[Lying]], arm: ScriptedArm) -> None:
    pile = piles[arm.cell - 1]
    if arm.what == "lay" and arm.lying:
        pile.append(arm.lying)
    elif arm.what == "take" and pile:
        pile.pop()
    elif arm.what == "square" and arm.lying and pile:
        pile[:] = [Lying(one.card, arm.lying.slip, arm.lying.turn) for one in pile]
    elif arm.what == "knock" and arm.lying and pile:
        piles[arm.onto - 1].append(Lying(pile.pop().card, arm.lying.slip, arm.lying.turn))
    elif arm.what == "move" and arm.lying and pile:
        pile.pop()
        piles[arm.onto - 1].append(arm.lying)
