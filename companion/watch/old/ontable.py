"""What lies on a watched table of Triple³, as far as is known, beside what the match has of it; and how both are told.

The match is the truth of the rules. What is physically there is not always the same: a play that was called still lies
there until it is taken back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import log
from typing import TYPE_CHECKING

from companion.core.clocks import SECOND
from companion.core.match import Match
from companion.core.requests import MoveMessage, Request
from companion.core.rules import Foul, Move
from companion.core.sentence import N_, Sentence
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import CELLS, Lies, State, TakeBack
from companion.games.triple3.sight import Triple3Sight, grid_of
from companion.watch.evidence import Act, Evidence, LookAgain, Noticed, OutOfStep, PutRight, Statement
from companion.watch.old.orders import Happening
from companion.watch.tracker import Belief, PlaceChange, Tracker

if TYPE_CHECKING:
    from vision.sightings import CardSeen, Look

CLEAR = 2 * SECOND  # hands off for so long, and what lies there counts
KNOCKED = 3 * SECOND  # a card that slid to another cell may be put back for so long
REMEMBERED = 12  # moves that may still have to go behind another one
HANDS_OFF = N_("Take your hands off the table for two seconds, or touch the cell that is wrong.")

IN_LINE = {
    cell: frozenset(other for _, cells in triple3.LINES if cell in cells for other in cells if other != cell)
    for cell in CELLS
}


UNLIKE = log(0.1)  # that a card does not count of which it was said that it does, if nobody objects
NOTHING_SEEN = PlaceChange(-1, 0, (), 0, 0, 0)


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
    against: tuple[str, ...] = ()  # the nine cards as they counted when it was called
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


class OnTable:
    """The piles, what is wrong with them, and what follows from it. `seats` says which player sits at which side of the
    mat, for guesses."""

    def __init__(self, seats: Mapping[str, str] | None = None) -> None:
        self._seats = dict(seats or {})
        self._eyes = {cell: Eye() for cell in CELLS}
        self._stacks: list[list[str]] = [[] for _ in CELLS]
        self._plays: dict[str, Play] = {}
        self._tail: list[Ruled] = []  # the newest moves of the line, as far as they came from here
        self._lifted: dict[str, tuple[int, int]] = {}  # cards taken from cells: which, and when the cell was clear
        self._troubles: dict[int, Trouble] = {}
        self._latest = 0  # stamp of the newest message
        self._acts: list[Act] = []
        self._stamp = 0
        self._match: Match
        self._state: State
        self._tracker: Tracker | None = None  # begun anew when somebody else changes the match
        self._changes = 0

    # --- what the tracker has of it

    def _tracked(self) -> Tracker:
        """The hypotheses that explain what has been seen; the match is where they begin."""
        if self._tracker is None:
            keeps = self._state.house.illegal_plays == "keep"
            held = self._held()
            self._tracker = Tracker(
                Triple3Sight(keeps=keeps), grid_of(self._settled_piles(held), self._not_counting(keeps))
            )
            for play in held:
                if play.change.faces:
                    self._tracker.take(play.change)
        return self._tracker

    def _learn_that_it_counts(self, play: Play) -> None:
        """It was said that a card counts where it lies, and nobody has objected."""
        if self._tracker is None:
            return
        sight = Triple3Sight()
        if play.came_from:
            self._tracker.branch(lambda table: sight.moved(table, play.cell, play.card))
        else:
            self._tracker.learn(lambda table: UNLIKE if sight.counts(table, play.cell, play.card) is False else 0.0)

    def _settled_piles(self, held: list[Play]) -> list[list[str]]:
        """What lies there but for what is held; where nothing of the match is seen, what the match has there."""
        mine = {play.card for play in held}
        piles = [[card for card in stack if card not in mine] for stack in self._stacks]
        for pile, known in zip(piles, self._state.piles, strict=True):
            if all(card in self._plays for card in pile):
                pile[:0] = [laid.card for laid in known if laid.card not in mine and laid.card not in pile]
        return piles

    def _not_counting(self, keeps: bool) -> set[str]:
        """What was called, unless the house keeps it, and what people have undone."""
        return {play.card for play in self._plays.values() if play.status == "aside" or (play.is_called and not keeps)}

    def _change_of(self, evidence: Evidence, card: str) -> PlaceChange:
        """What was seen, as people have put it right."""
        self._changes += 1
        by = max(evidence.by or evidence.stamp, evidence.since)
        return PlaceChange(self._changes, evidence.cell, ((card, 1.0),), evidence.since, by, evidence.stamp)

    def _change(self, sighting: "CardSeen") -> PlaceChange:
        self._changes += 1
        faces = ((str(sighting.after.card), 1.0),)
        by = max(sighting.by or sighting.after.stamp, sighting.since)
        return PlaceChange(
            self._changes, sighting.cell, faces, sighting.since, by, sighting.after.stamp, sighting.again
        )

    def not_before(self, stamp: int) -> None:
        """Something else was ruled on at this stamp: what is said from now on comes after it."""
        self._latest = max(self._latest, stamp)

    def _top(self, cell: int) -> str:
        """The card that lies uppermost, as far as anybody has seen; nothing where the only one was knocked away."""
        stack = self._stacks[cell - 1]
        return stack[-1] if stack else ""

    def _where(self, card: str) -> int:
        return next((cell for cell, stack in zip(CELLS, self._stacks, strict=True) if card in stack), 0)

    def _is_in_match(self, card: str) -> bool:
        return any(laid.card == card for pile in self._state.piles for laid in pile)

    def _held(self) -> list[Play]:
        found = [play for play in self._plays.values() if play.status == "held"]
        return sorted(found, key=lambda play: play.evidence.stamp)

    def _is_known(self, cell: int) -> bool:
        """Whether what was last seen on a cell is what should lie there, and could be read."""
        eye = self._eyes[cell]
        return eye.readable and (eye.look is None or eye.look.card == self._top(cell))

    def _match_agrees(self, cell: int) -> bool:
        """Whether the match has the pile that lies there, but for what it refused."""
        there = [card for card in self._stacks[cell - 1] if card not in self._plays]
        return there == [laid.card for laid in self._state.piles[cell - 1]]

    def _piles_of(self, state: State) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(laid.card for laid in pile) for pile in state.piles)

    def _off(self, card: str) -> bool:
        """A card that the match does not have is gone from its cell; whether it was one."""
        play = self._plays.pop(card, None)
        if play is None:
            return False
        if play.is_called or play.status == "aside":
            self._do(PutRight(self._stamp, play.cell, card, self._stamp - play.ruled_at))
        if play.status == "moved":
            self._lifted.pop(card, None)
            return False
        return True

    def _guess(self, sighting: "CardSeen") -> str:
        return self._seats.get(sighting.arms[0], "") if len(sighting.arms) == 1 else ""

    def _is_misread(self, sighting: "CardSeen") -> bool:
        """Nothing touched the cell since it was read otherwise: it was read wrongly."""
        asked = self._eyes[sighting.cell].asked
        return not sighting.arms and (
            sighting.since == sighting.after.stamp or (asked is not None and asked <= sighting.since)
        )

    def _say_knocked(self, play: Play) -> None:
        play.is_told = True
        sentence = Sentence(
            "{card} was knocked from cell {came_from} to {cell}.",
            card=play.card,
            came_from=play.came_from,
            cell=play.cell,
        )
        self._do(Noticed(self._stamp, (play.came_from, play.cell), "knocked", sentence))

    def _impossible(self, cell: int, card: str, where: int) -> None:
        """A card that lies buried elsewhere."""
        eye = self._eyes[cell]
        eye.readable = False
        if cell not in self._troubles:
            self._do(LookAgain(self._stamp, (cell,)))
        sentence = Sentence(
            "Cell {cell} looks like {card}, but that lies in the pile of {where}.", cell=cell, card=card, where=where
        )
        way_back = Sentence(
            "If it is a card of another deck, take it off cell {cell}; if not, touch the cell.", cell=cell
        )
        self._out_of_step(cell, "seen-already", sentence, way_back)

    # --- saying

    def _out_of_step(self, cell: int, code: str, sentence: str, way_back: str = HANDS_OFF) -> None:
        if cell in self._troubles and self._troubles[cell].code == code:
            return
        self._troubles[cell] = Trouble(self._stamp, code)
        self._do(OutOfStep(self._stamp, (cell,) if cell else (), code, sentence, way_back))

    def _do(self, act: Act) -> None:
        self._acts.append(act)

    def _at(self, stamp: int | None = None) -> int:
        self._latest = max(self._latest, self._stamp if stamp is None else stamp)
        return self._latest

    def _send(self, what: Move | Request, evidence: Evidence | None, at: int | None = None) -> None:
        message = MoveMessage(what, self._at(at), "") if isinstance(what, Move) else what
        self._do(Statement(self._stamp, message, evidence))

    def _make(self, move: Move, evidence: Evidence | None = None, at: int | None = None) -> bool:
        """Make a move, if the rules let; whether they did."""
        try:
            self._state = triple3.rule(self._state, replace(move, at=self._match.now)).state
        except Foul:
            return False
        self._send(move, evidence, at)
        self._tail = []
        return True

    def _make_or_say(self, move: TakeBack | Lies, cell: int, evidence: Evidence | None = None) -> bool:
        """The same; and where the rules do not let, what is out of step."""
        try:
            triple3.rule(self._state, replace(move, at=self._match.now))
        except Foul as foul:
            self._out_of_step(cell, foul.code, foul.sentence)
            return False
        return self._make(move, evidence)
