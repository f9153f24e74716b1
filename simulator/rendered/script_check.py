"""Whether a script can be drawn; it may come from a file that somebody wrote."""

from collections.abc import Iterator
from itertools import pairwise

from simulator.rendered.mishaps import KNOWN
from simulator.rendered.printed_faces import is_face
from simulator.rendered.script import Script, ScriptedArm
from vision.eye_errors import SourceError

SMALLEST, LARGEST = 160, 8000


def check(script: Script) -> None:
    """A SourceError with the first thing that is wrong."""
    for fault in _faults(script):
        raise SourceError(f"This script cannot be drawn: {fault}.")


def _faults(script: Script) -> Iterator[str]:
    if not SMALLEST <= min(script.size) <= max(script.size) <= LARGEST:
        yield f"its pictures are {script.size[0]} × {script.size[1]}; make them {SMALLEST} to {LARGEST} pixels"
    if not 0 < script.rate <= 1000 or script.length <= 0:
        yield f"it has {script.rate:g} frames a second for {script.length / 1e9:g} s; both must be more than nothing"
    if len(script.grid) > script.cells:
        there = f"{script.cells} places" if script.places else "nine cells"
        yield f"it has {len(script.grid)} piles, and there are {there}"
    for cell, pile in enumerate(script.grid, 1):
        for lying in pile:
            if not is_face(lying.card, script.paper):
                yield f"cell {cell} has a card {lying.card[:40]!r}, which there is not"
    for number, arm in enumerate(script.arms, 1):
        yield from (f"arm {number} {fault}" for fault in _faults_of(arm, script))
    for mishap in script.mishaps:
        if mishap.what not in KNOWN:
            yield f"there is no mishap {mishap.what[:40]!r}, only {', '.join(KNOWN)}"


def _faults_of(arm: ScriptedArm, script: Script) -> Iterator[str]:
    cells = range(1, script.cells + 1)
    times = (arm.enters, arm.there, arm.deed, arm.leaves, arm.gone)
    if any(first > second for first, second in pairwise(times)):
        yield f"goes back in time: {', '.join(map(str, times))}"
    if arm.cell not in cells or (arm.what in ("knock", "move") and arm.onto not in cells):
        yield f"works on cell {arm.cell if arm.cell not in cells else arm.onto}; cells are 1 to {script.cells}"
    if any(cell not in cells for cell in arm.also):
        yield f"gathers from cells {', '.join(map(str, arm.also))}; cells are 1 to {script.cells}"
    if arm.lying is None and arm.what in ("lay", "move", "put"):
        yield "has nothing to lay: tell how the card lies"
    for lying in (arm.lying, *arm.pile) if arm.what in ("lay", "hover", "move", "put") else ():
        if lying and not is_face(lying.card, script.paper):
            yield f"has a card {lying.card[:40]!r}, which there is not"
