"""What lies on a watched table of Triple³, as far as is known, beside what the match has of it.

The match is the truth of the rules. What is physically there is not always the same: a play that was called still lies
there until it is taken back.
"""

from collections.abc import Mapping
from math import log
from typing import TYPE_CHECKING, NamedTuple

from companion.games.triple3.rules import CELLS
from companion.games.triple3.sight import Triple3Sight, grid_of
from companion.games.triple3.witness_account import Account
from companion.games.triple3.witness_plays import Eye, Play
from companion.games.triple3.witness_words import knocked, seen_already
from companion.watch.evidence import Evidence, LookAgain, PutRight
from companion.watch.tracker import PlaceChange, Tracker

if TYPE_CHECKING:
    from vision.sightings import CardSeen

UNLIKE = log(0.01)  # that a card does not count of which it was said that it does, if nobody objects


class Doubtful(NamedTuple):
    """A cell that shows one of a few cards: what was seen, and what the tracker has of it."""

    seen: "CardSeen"
    change: PlaceChange


class SeenTable:
    """The piles, and the plays that the match does not have. `seats` says which player sits at which side of the mat,
    for guesses."""

    def __init__(self, account: Account, seats: Mapping[str, str]) -> None:
        self.eyes = {cell: Eye() for cell in CELLS}
        self.stacks: list[list[str]] = [[] for _ in CELLS]
        self.plays: dict[str, Play] = {}
        self.lifted: dict[str, tuple[int, int]] = {}  # cards taken from cells: which, and when the cell was clear
        self.tracker: Tracker | None = None  # begun anew when somebody else changes the match
        self.doubtful: dict[int, Doubtful] = {}  # cells that show one of a few cards, and nobody knows which
        self._account = account
        self._seats = seats
        self._changes = 0

    # --- what the tracker has of it

    def tracked(self) -> Tracker:
        """The hypotheses that explain what has been seen; the match is where they begin."""
        if self.tracker is None:
            keeps = self._account.state.house.illegal_plays == "keep"
            held = self.held()
            grid = grid_of(self._settled_piles(held), self._not_counting(keeps=keeps))
            self.tracker = Tracker(Triple3Sight(keeps=keeps), grid)
            for play in held:
                if play.change.faces:
                    self.tracker.take(play.change)
            for doubt in self.doubtful.values():
                self.tracker.take(doubt.change)
        return self.tracker

    def learn_that_it_counts(self, play: Play) -> None:
        """It was said that a card counts where it lies, and nobody has objected."""
        if self.tracker is None:
            return
        sight = Triple3Sight()
        if play.came_from:
            self.tracker.branch(lambda table: sight.moved(table, play.cell, play.card))
        else:
            self.tracker.learn(lambda table: UNLIKE if sight.counts(table, play.cell, play.card) is False else 0.0)

    def _settled_piles(self, held: list[Play]) -> list[list[str]]:
        """What lies there but for what is held; where nothing of the match is seen, what the match has there."""
        mine = {play.card for play in held}
        piles = [[card for card in stack if card not in mine] for stack in self.stacks]
        for pile, known in zip(piles, self._account.state.piles, strict=True):
            if all(card in self.plays for card in pile):
                pile[:0] = [laid.card for laid in known if laid.card not in mine and laid.card not in pile]
        return piles

    def _not_counting(self, *, keeps: bool) -> set[str]:
        """What was called, unless the house keeps it, and what people have undone."""
        return {play.card for play in self.plays.values() if play.status == "aside" or (play.is_called and not keeps)}

    def change_of(self, evidence: Evidence, card: str) -> PlaceChange:
        """What was seen, as people have put it right."""
        self._changes += 1
        by = max(evidence.by or evidence.stamp, evidence.since)
        return PlaceChange(self._changes, evidence.cell, ((card, 1.0),), evidence.since, by, evidence.stamp)

    def change(self, sighting: "CardSeen", faces: tuple[tuple[str, float], ...] = ()) -> PlaceChange:
        self._changes += 1
        faces = faces or ((str(sighting.after.card), sighting.after.confidence),)
        by = max(sighting.by or sighting.after.stamp, sighting.since)
        again = sighting.again * (1 - sighting.carried)  # of a hand that carried a card away it is known what it did
        stamp, between = sighting.after.stamp, sighting.between
        return PlaceChange(self._changes, sighting.cell, faces, sighting.since, by, stamp, again, between)

    # --- what lies there

    def top(self, cell: int) -> str:
        """The card that lies uppermost, as far as anybody has seen; nothing where the only one was knocked away."""
        stack = self.stacks[cell - 1]
        return stack[-1] if stack else ""

    def where(self, card: str) -> int:
        return next((cell for cell, stack in zip(CELLS, self.stacks, strict=True) if card in stack), 0)

    def held(self) -> list[Play]:
        found = [play for play in self.plays.values() if play.status == "held"]
        return sorted(found, key=lambda play: play.evidence.stamp)

    def is_in_match(self, card: str) -> bool:
        return any(laid.card == card for pile in self._account.state.piles for laid in pile)

    def is_known(self, cell: int) -> bool:
        """Whether what was last seen on a cell is what should lie there, and could be read."""
        eye = self.eyes[cell]
        return eye.readable and (eye.look is None or eye.look.card == self.top(cell))

    def is_weighed(self, cell: int) -> bool:
        """Whether it is known, or what is not known of it is in the odds."""
        return cell in self.doubtful or self.is_known(cell)

    def match_agrees(self, cell: int) -> bool:
        """Whether the match has the pile that lies there, but for what it refused."""
        there = [card for card in self.stacks[cell - 1] if card not in self.plays]
        return there == [laid.card for laid in self._account.state.piles[cell - 1]]

    def as_the_match(self) -> None:
        """What the match has lies there."""
        self.stacks = [[laid.card for laid in pile] for pile in self._account.state.piles] or [[] for _ in CELLS]

    # --- what was seen of it

    def guess(self, sighting: "CardSeen") -> str:
        return self._seats.get(sighting.arms[0], "") if len(sighting.arms) == 1 else ""

    def is_misread(self, sighting: "CardSeen") -> bool:
        """Nothing touched the cell since it was read otherwise: it was read wrongly."""
        asked = self.eyes[sighting.cell].asked
        return not sighting.arms and (
            sighting.since == sighting.after.stamp or (asked is not None and asked <= sighting.since)
        )

    def off(self, card: str) -> bool:
        """A card that the match does not have is gone from its cell; whether it was one."""
        play = self.plays.pop(card, None)
        if play is None:
            return False
        if play.is_called or play.status == "aside":
            stamp = self._account.stamp
            self._account.do(PutRight(stamp, play.cell, card, stamp - play.ruled_at))
        if play.status == "moved":
            self.lifted.pop(card, None)
            return False
        return True

    def say_knocked(self, play: Play) -> None:
        play.is_told = True
        self._account.do(knocked(self._account.stamp, play))

    def impossible(self, cell: int, card: str, where: int) -> None:
        """A card that lies buried elsewhere."""
        self.eyes[cell].readable = False
        if cell not in self._account.troubles:
            self._account.do(LookAgain(self._account.stamp, (cell,)))
        self._account.out_of_step(cell, seen_already(cell, card, where))
