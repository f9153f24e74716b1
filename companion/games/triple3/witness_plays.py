"""What a witness of Triple³ keeps: plays that the match does not have, moves that it has lately, cells, troubles."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import CELLS, State
from companion.games.triple3.witness_orders import Happening
from companion.watch.evidence import Evidence
from companion.watch.tracker import Belief, PlaceChange

if TYPE_CHECKING:
    from vision.sightings import Look

NOTHING_SEEN = PlaceChange(-1, 0, (), 0, 0, 0)
IN_LINE = {
    cell: frozenset(other for _, cells in triple3.LINES if cell in cells for other in cells if other != cell)
    for cell in CELLS
}


@dataclass(slots=True)
class Play:
    """A card that lies on a cell and that the match does not have: on its way there, or refused."""

    cell: int
    card: str
    evidence: Evidence
    # held, called, aside (undone by people), moved (knocked here), and to be said with Lies: odd, or stays (was called)
    status: str = "held"
    hidden: int = 0
    since: int = 0  # when it came to that status
    blind: bool = False  # nobody watched when it was laid
    came_from: int = 0
    is_told: bool = False  # that it was knocked here
    tried: "list[Ruled]" = field(default_factory=list)  # behind which it cannot go
    change: PlaceChange = NOTHING_SEEN  # as the tracker knows it ...
    belief: Belief | None = None  # ... and what it made of it lately

    @property
    def is_called(self) -> bool:
        """It was called, and lies there without counting."""
        return self.status in ("called", "stays")

    @property
    def ruled_at(self) -> int:
        return self.evidence.stamp + self.evidence.held

    @property
    def happening(self) -> Happening:
        return Happening(self.cell, self.card, self.evidence.since, self.evidence.by or self.evidence.stamp)


@dataclass(frozen=True, slots=True)
class Ruled:
    """A move that came of a sighting, with the piles before it: what may have to go behind another one."""

    happening: Happening
    play: Play | None
    before: State
    is_fixed: bool = False  # said with Lies: it cannot go behind another


@dataclass(slots=True)
class Trouble:
    """Cells, or the whole table (no cells), that are out of step."""

    since: int
    code: str


@dataclass(slots=True)
class Eye:
    """What the watcher has of one cell."""

    look: "Look | None" = None
    is_clear: bool = False
    turned: int = 0  # when it became clear, or ceased to be
    seen: int = 0  # when what was told of it was last seen to lie there
    readable: bool = True
    asked: int | None = None  # when it was to be read anew
