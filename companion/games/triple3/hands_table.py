"""What lies on the simulated table of Triple³ at a moment, and what people who look at it make of it."""

from dataclasses import dataclass

from companion.core.clocks import MILLISECOND
from companion.games.triple3.rules import CELLS, LINES
from simulator.rendered.script import Lying, ScriptedArm

CALLED = 800 * MILLISECOND  # from laying an illegal card until all know that it does not count

LINE_MATES = {cell: frozenset(sum((line for _, line in LINES if cell in line), ())) - {cell} for cell in CELLS}


def _is_next(one: int, other: int) -> bool:
    rows, columns = abs((one - 1) // 3 - (other - 1) // 3), abs((one - 1) % 3 - (other - 1) % 3)
    return rows + columns == 1


NEIGHBOURS = {cell: tuple(other for other in CELLS if _is_next(cell, other)) for cell in CELLS}


@dataclass(frozen=True, slots=True)
class Knocked:
    """A card that was shoved from its cell to another, until it is put back."""

    cell: int
    onto: int
    card: str


class Lie:
    """The nine piles, whose cards they are, and which of them do not count."""

    def __init__(self, piles: list[list[Lying]]) -> None:
        self.piles = piles
        self.owners: dict[str, str] = {}  # who laid a card
        self.refused: dict[str, int] = {}  # cards that lie there and that the referee has not let pass, since when
        self.changed = dict.fromkeys(CELLS, -1)  # when a card came to a cell, or left it
        self.covered: dict[int, int] = {}  # cells with something over them, and until when
        self.knocked: Knocked | None = None

    # --- What people see

    def seen(self, at: int) -> tuple[str, ...]:
        """The nine cards as people take them: a card that was knocked over counts where it was, and one that was
        called illegal does not count."""
        tops = [self._counting(pile, at) for pile in self.piles]
        if self.knocked:
            tops[self.knocked.cell - 1] = self.knocked.card
            tops[self.knocked.onto - 1] = self.piles[self.knocked.onto - 1][-2].card
        return tuple(tops)

    def _counting(self, pile: list[Lying], at: int) -> str:
        cards = (lies.card for lies in reversed(pile))
        return next((card for card in cards if self.refused.get(card, at) > at - CALLED), "")

    def top(self, cell: int) -> Lying | None:
        return self.piles[cell - 1][-1] if self.piles[cell - 1] else None

    def is_top(self, card: str, cell: int) -> bool:
        top = self.top(cell)
        return top is not None and top.card == card

    def cell_of(self, card: str) -> int:
        """Where a card lies; 0 if nowhere."""
        return next((cell for cell in CELLS if any(lies.card == card for lies in self.piles[cell - 1])), 0)

    def has_refused(self, cell: int) -> bool:
        return any(lies.card in self.refused for lies in self.piles[cell - 1])

    def is_covered(self, cell: int, at: int) -> bool:
        return self.covered.get(cell, -1) >= at

    def is_closed(self, cell: int, at: int) -> bool:
        """Nobody lays there: something is over it, or a card that was knocked is missing from it, or lies there."""
        if self.knocked and cell in (self.knocked.cell, self.knocked.onto):
            return True
        return self.is_covered(cell, at)

    def can_be_knocked(self, arm: ScriptedArm, at: int) -> bool:
        if self.knocked or arm.lying is None or not self.is_top(arm.lying.card, arm.cell):
            return False
        return not any(self.has_refused(cell) or self.is_closed(cell, at) for cell in (arm.cell, arm.onto))

    # --- What arms do

    def lay(self, arm: ScriptedArm, player: str) -> None:
        if arm.lying:
            self.piles[arm.cell - 1].append(arm.lying)
            self.owners[arm.lying.card] = player
            self.changed[arm.cell] = arm.deed

    def take(self, arm: ScriptedArm) -> str:
        """The card that was on top."""
        self.changed[arm.cell] = arm.deed
        return self.piles[arm.cell - 1].pop().card

    def square(self, arm: ScriptedArm) -> None:
        pile, lies = self.piles[arm.cell - 1], arm.lying
        if lies:
            pile[:] = [Lying(one.card, lies.slip, lies.turn) for one in pile]

    def shove(self, arm: ScriptedArm) -> None:
        """The top card over to another cell; the second time, back."""
        if arm.lying:
            self.piles[arm.onto - 1].append(arm.lying)
            self.piles[arm.cell - 1].pop()
            self.knocked = None if self.knocked else Knocked(arm.cell, arm.onto, arm.lying.card)
