"""What a player wants to do next, and the ways to lay a card, each with its kind of trouble."""

from collections.abc import Callable

from companion.core.clocks import MILLISECOND, SECOND
from companion.games.triple3.hands_arms import Arms
from companion.games.triple3.hands_course import AROUND, Course, Visit
from companion.games.triple3.hands_table import LINE_MATES, NEIGHBOURS
from companion.games.triple3.rules import BITS, CELLS, accepted
from simulator.hands.hand_visits import (
    MISHAPS,
    Times,
    cells_covered,
    knocked,
    lying,
    mishap,
    slipped,
    span,
    visit,
)

TAKEN_IN = 500 * MILLISECOND  # a card has landed for so long when others have seen which it is
CAREFUL = 0.97  # of those who see a hand over a cell do not reach for it
PATIENCE = 3 * SECOND // 2  # for which a player waits until two can do something at once
WAYS = (
    "simultaneous",
    "covered twice",
    "taken back",
    "hover",
    "passing",
    "slipped",
    "squared",
    "knocked",
    "same arms",
    "stop",
)
BOLD = "on an illegal card"
KINDS = (*WAYS, BOLD, *MISHAPS)
Choice = tuple[int, str]


class Ways:
    """By what lies on the table and what is in hand now."""

    def __init__(self, course: Course, arms: Arms, call_stop: Callable[[str], None]) -> None:
        self._course = course
        self._arms = arms
        self._ways: dict[str, Callable[[str, Choice, str], object]] = {
            "simultaneous": self._lay_at_once,
            "covered twice": self._cover_twice,
            "hover": self._hover,
            "passing": self._pass,
            "squared": self.square,
            "knocked": self._knock,
            "same arms": self._lay_two,
            "stop": lambda player, _choice, _kind: call_stop(player),
        }

    def do_something(self, player: str) -> None:
        course = self._course
        choice = self._choice(player)
        if choice is None:
            course.free[player] = course.now + span(course.rng, (300, 900))
            return
        for name in MISHAPS:
            if course.rng.random() < course.manner.trouble.get(name, 0):
                self._befall(name)
        kind = self._kind()
        self._ways.get(kind, self._lay)(player, self._or_wrong(player, choice), kind)

    def _kind(self) -> str:
        course = self._course
        drawn = course.rng.random()
        for kind in WAYS:
            drawn -= course.manner.trouble.get(kind, 0)
            if drawn < 0:
                return kind
        return ""

    def _or_wrong(self, player: str, choice: Choice, cells: frozenset[int] = frozenset(CELLS)) -> Choice:
        """Now and then another card, which is illegal."""
        course = self._course
        if course.rng.random() < course.manner.illegal:
            return self._choice(player, cells, wrong=True) or choice
        return choice

    def _choice(
        self,
        player: str,
        cells: frozenset[int] = frozenset(CELLS),
        *,
        wrong: bool = False,
        after: Choice | None = None,
    ) -> Choice | None:
        """A cell and a card for it, by what lies on the table now (`after` another card of one's own is laid); at first
        by the cards that come to hand."""
        course = self._course
        wanted = [cell for cell in self._open_cells() if cell in cells]
        course.rng.shuffle(wanted)
        hand, grid = course.hands[player], course.lie.seen(course.now)
        if after:
            grid = (*grid[: after[0] - 1], after[1], *grid[after[0] :])
            hand = [card for card in hand if card != after[1]]
        takes = [(cell, accepted(grid, cell)) for cell in wanted]
        at_hand = course.rng.sample(hand, min(2 if wrong else 6, len(hand)))
        for cards in (at_hand, hand):
            for cell, values in takes:
                for card in cards:
                    if bool(values & BITS[card]) is not wrong:
                        return cell, card
        return None

    def _open_cells(self) -> list[int]:
        """Where one would lay a card: not under a cover, a hand, or on an illegal card."""
        course = self._course
        is_careful = course.rng.random() < CAREFUL
        is_bold = course.rng.random() < course.manner.trouble.get(BOLD, 0)
        return [
            cell
            for cell in CELLS
            if not course.lie.is_closed(cell, course.now)
            and not (is_careful and course.lie.changed[cell] > course.now - TAKEN_IN)
            and not (is_careful and any(come.is_over(cell, course.now, AROUND) for come in course.flight))
            and (is_bold or not course.lie.has_refused(cell))
        ]

    def _lay(self, player: str, choice: Choice, kind: str) -> Visit:
        course = self._course
        return self._reach(player, choice, kind, visit(course.rng, course.now))

    def _reach(self, player: str, choice: Choice, kind: str, times: Times) -> Visit:
        course = self._course
        cell, card = choice
        course.hands[player].remove(card)
        lies = slipped(course.rng, card) if kind == "slipped" else lying(course.rng, card)
        return self._arms.start(player, times, cell, "lay", lies, kind=kind)

    def _lay_at_once(self, player: str, choice: Choice, kind: str) -> None:
        """Two players, two cells, the same moment; often in one line."""
        course = self._course
        cells = LINE_MATES[choice[0]] if course.rng.random() < 0.6 else frozenset(CELLS) - {choice[0]}
        times = visit(course.rng, course.now)
        self._with_another((player, choice, times), cells, span(course.rng, (-200, 200)), kind)

    def _cover_twice(self, player: str, choice: Choice, kind: str) -> None:
        """A second card on the same cell before the first hand has left the picture of it."""
        course = self._course
        times = visit(course.rng, course.now)
        gap = course.rng.randrange(60 * MILLISECOND, times.gone - times.deed)
        self._with_another((player, choice, times), frozenset({choice[0]}), gap, kind)

    def _with_another(self, first: tuple[str, Choice, Times], cells: frozenset[int], gap: int, kind: str) -> None:
        """Somebody else lays a card too, so much later; who is free earlier waits for the other."""
        course = self._course
        player, choice, times = first
        other = min((one for one in course.seats if one != player), key=lambda one: (course.free[one], one))
        theirs = visit(course.rng, max(course.now, course.free[other]))
        late = theirs.deed - gap - times.deed
        second = self._choice(other, cells) if late < PATIENCE else None
        if second is None:
            self._reach(player, choice, "", times)
            return
        second = self._or_wrong(other, second, cells)
        self._reach(player, choice, kind, times.later(max(late, 0)))
        self._reach(other, second, kind, theirs.later(max(-late, 0)))

    def _lay_two(self, player: str, choice: Choice, kind: str) -> None:
        """Both hands of one player, two cells."""
        course = self._course
        times = visit(course.rng, course.now)
        second = self._choice(player, frozenset(CELLS) - {choice[0]}, after=choice)
        if second is None:
            self._reach(player, choice, "", times)
            return
        theirs = visit(course.rng, course.now)
        late = theirs.deed - times.deed - span(course.rng, (100, 600))
        self._reach(player, choice, kind, times.later(max(late, 0)))
        self._reach(player, second, kind, theirs.later(max(-late, 0)))

    def _hover(self, player: str, choice: Choice, kind: str) -> None:
        """Thought better of it."""
        course = self._course
        self._hold_over(player, choice, kind, visit(course.rng, course.now, (500, 1500)))

    def _pass(self, player: str, choice: Choice, kind: str) -> None:
        """Rests over another cell on the way."""
        course = self._course
        other = course.rng.choice([cell for cell in CELLS if cell != choice[0]])
        rests = self._hold_over(player, (other, choice[1]), kind, visit(course.rng, course.now, (200, 600)))
        self._reach(player, choice, kind, visit(course.rng, rests.arm.gone))

    def _hold_over(self, player: str, choice: Choice, kind: str, times: Times) -> Visit:
        return self._arms.start(player, times, choice[0], "hover", lying(self._course.rng, choice[1]), kind=kind)

    def square(self, player: str, _choice: Choice, kind: str) -> None:
        """Squares a pile up, and lays nothing."""
        course = self._course
        piles = [pile for pile in enumerate(course.lie.piles, 1) if len(pile[1]) > 1]
        open_piles = [pile for pile in piles if not course.lie.is_closed(pile[0], course.now)]
        if open_piles:
            cell, pile = course.rng.choice(open_piles)
            aims = lying(course.rng, pile[-1].card)
            self._arms.start(player, visit(course.rng, course.now), cell, "square", aims, kind=kind)

    def _knock(self, player: str, _choice: Choice, kind: str) -> None:
        """A sleeve shoves a card over to the next cell."""
        course = self._course
        cell = course.rng.choice(CELLS)
        onto = course.rng.choice(NEIGHBOURS[cell])
        top = course.lie.top(cell)
        if top:
            lies = knocked(course.rng, top.card)
            self._arms.start(player, visit(course.rng, course.now), cell, "knock", lies, onto=onto, kind=kind)

    def _befall(self, name: str) -> None:
        """A cover comes when all arms are away; nobody reaches below it."""
        course = self._course
        if name != "covered":
            course.mishaps.append(mishap(course.rng, name, course.now, course.mat))
        elif max(course.lie.covered.values(), default=0) < course.now:
            cover = mishap(course.rng, name, max(course.quiet, course.now), course.mat)
            course.mishaps.append(cover)
            course.lie.covered = dict.fromkeys(cells_covered(cover, course.mat), cover.until)
