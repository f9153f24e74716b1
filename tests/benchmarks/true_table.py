"""What truly lay where on a simulated table and which hands hid it, cell by cell: what a perfect eye could know.

The stretches are those by which `hands_truth` says which plays were hidden at the same time.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.games.triple3.hands_truth import arms_over
from companion.games.triple3.rules import CELLS
from simulator.hands.hand_visits import cells_covered
from simulator.rendered.script import Lying, Script, ScriptedArm
from vision.mat import SMALL

Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True)
class CellVisit:
    """A hand that comes to a cell, not one that only reaches across it."""

    begins: int  # it hides the cell from then ...
    ends: int  # ... until then
    arm: ScriptedArm

    @property
    def deed(self) -> int:
        return self.arm.deed


class TrueCell:
    """One of the nine."""

    def __init__(self, number: int, pile: Sequence[str]) -> None:
        self.number = number
        self.visits: list[CellVisit] = []
        self.across: list[Stretch] = []  # hidden by arms on their way elsewhere, or by what lies over the cell
        self._when, self._tops = [-1], ["".join(pile[-1:])]

    def shows(self, at: int) -> str:
        """The card on top; "" for none."""
        return self._tops[bisect_right(self._when, at) - 1]

    def becomes(self, at: int, pile: Sequence[str]) -> None:
        self._when.append(at)
        self._tops.append("".join(pile[-1:]))

    def changes(self, since: int, until: int) -> int:
        """How often another card came to lie on top in a stretch of time."""
        return bisect_right(self._when, until) - bisect_right(self._when, since)

    def covered(self, since: int, until: int) -> str:
        """The last card that came to lie there in a stretch and was covered in it; "" for none."""
        first, last = bisect_right(self._when, since), bisect_right(self._when, until)
        return self._tops[last - 2] if last - first > 1 else ""

    def with_next(self) -> Iterator[tuple[CellVisit, CellVisit | None]]:
        """Each visit and the one that begins next."""
        following: list[CellVisit | None] = [*self.visits[1:], None]
        yield from zip(self.visits, following, strict=False)  # without a visit there is none

    def held(self) -> Iterator[tuple[str, int, int]]:
        """The cards that are held over it and taken along again, each with its visit."""
        for visit in self.visits:
            if visit.arm.what == "hover" and visit.arm.lying is not None:
                yield visit.arm.lying.card, visit.begins, visit.ends

    def hidden(self) -> list[Stretch]:
        """The stretches in which nobody sees it, each as long as no moment is free in between."""
        return joined([*((one.begins, one.ends) for one in self.visits), *self.across])

    def longest_free(self, begins: int, ends: int) -> int:
        """Of a gap between two visits: the longest stretch in which nothing else is in the way."""
        longest, free = 0, begins
        for hides, until in self.across:
            if until > begins and hides < ends:
                longest, free = max(longest, hides - free), max(free, until)
        return max(longest, ends - free)


def true_cells(script: Script) -> tuple[TrueCell, ...]:
    """The nine cells of a script."""
    piles = [[one.card for one in pile] for pile in script.grid]
    cells = tuple(TrueCell(number, pile) for number, pile in zip(CELLS, piles, strict=True))
    for arm in sorted(script.arms, key=lambda one: one.deed):
        for number in _moved(piles, arm, arm.lying):
            cells[number - 1].becomes(arm.deed, piles[number - 1])
    hiding = _hiding(script)
    for number, over in hiding.items():
        _hide(cells[number - 1], over)
    for mishap in script.mishaps:
        if mishap.what == "cover":
            for number in cells_covered(mishap, script.mat or SMALL):
                cells[number - 1].across.append((mishap.at, mishap.until))
    for cell in cells:
        cell.visits.sort(key=lambda one: (one.begins, one.deed))
        cell.across.sort()
    return cells


def _hiding(script: Script) -> dict[int, list[tuple[int, int, ScriptedArm]]]:
    """The arms over each cell; one that shoves a card over is at both."""
    hiding = arms_over(script)
    for over in list(hiding.values()):
        for begins, ends, arm in over:
            if arm.onto and arm.what == "knock" and all(arm is not one for _, _, one in hiding[arm.onto]):
                hiding[arm.onto].append((begins, ends, arm))  # what it shoves comes there
    return hiding


def _hide(cell: TrueCell, over: Sequence[tuple[int, int, ScriptedArm]]) -> None:
    for begins, ends, arm in over:
        if cell.number in (arm.cell, arm.onto):
            cell.visits.append(CellVisit(begins, ends, arm))
        else:
            cell.across.append((begins, ends))


def _moved(piles: list[list[str]], arm: ScriptedArm, lying: Lying | None) -> tuple[int, ...]:
    """Does what the arm does; the cells that show something else then."""
    pile = piles[arm.cell - 1]
    if arm.what == "lay" and lying:
        pile.append(lying.card)
    elif arm.what == "take" and pile:
        pile.pop()
    elif arm.what == "knock" and pile:
        piles[arm.onto - 1].append(pile.pop())
        return arm.cell, arm.onto
    else:
        return ()
    return (arm.cell,)


def joined(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Without those that touch another."""
    found: list[Stretch] = []
    for begins, ends in sorted(stretches):
        if found and begins <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], ends)
        else:
            found.append((begins, ends))
    return found
