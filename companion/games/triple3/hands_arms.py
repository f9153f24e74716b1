"""Arms on their way over the table, and what they do when they arrive.

A player decides by what lies on the table when the arm starts; what is there when the arm arrives may be something
else.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from companion.core.clocks import MILLISECOND
from companion.games.triple3 import rules as triple3
from companion.games.triple3.hands_course import AROUND, Course, Visit
from companion.games.triple3.hands_table import LINE_MATES, Knocked
from companion.games.triple3.rules import Lay, TakeBack
from simulator.hands.hand_visits import Times, lying, span, visit
from simulator.rendered.script import Deed, Lying, ScriptedArm

NOTICED = 300 * MILLISECOND  # what was done longer ago than this, everybody who looks has seen
WATCHFUL = 0.95  # of those whose card is no longer good when the hand arrives, and who could see it, do not lay it
POLITE = 0.93  # of those who find that somebody was first at the same cell leave it to him


class Arms:
    """They do what they came for, or let it be."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self.call_stop: Callable[[str], None] = lambda _player: None  # is told who cannot get at an illegal card
        self._doings: dict[Deed, Callable[[Visit], None]] = {
            "lay": self._lay_down,
            "take": self._take_away,
            "hover": lambda _come: None,
            "square": self._square_up,
            "knock": self._shove,
        }

    def start(
        self, player: str, times: Times, cell: int, what: Deed, lies: Lying, *, onto: int = 0, kind: str = ""
    ) -> Visit:
        course = self._course
        deed = course.own_moment(times.deed)
        leaves = max(times.leaves, deed)
        seat = course.seats[player]
        arm = ScriptedArm(seat, times.enters, times.there, deed, leaves, times.gone, cell, what, lies, onto, kind)
        is_legal = what == "lay" and triple3.is_legal(course.lie.seen(course.now), cell, lies.card)
        begun = Visit(player, arm, course.now, is_legal)
        course.flight.append(begun)
        course.free[player] = max(course.free[player], arm.gone)
        course.at(deed, partial(self._arrive, begun))
        return begun

    def _arrive(self, come: Visit) -> None:
        """The hand is where it wanted to be; it does what it came for, or lets it be."""
        course = self._course
        if come.arm.what == "lay" and self._waits(come):
            return
        if self._can(come):
            self._doings[come.arm.what](come)
        else:
            self._let_be(come)
        course.arms.append(come.arm)
        course.at(come.arm.leaves + AROUND, partial(course.flight.remove, come))

    def _waits(self, come: Visit) -> bool:
        """Behind a hand that is still over the cell."""
        course = self._course
        cell, arm = come.arm.cell, come.arm
        others = [other.arm for other in course.flight if other is not come and other.is_over(cell, course.now)]
        leaves = max((other.leaves for other in others if other.deed < course.now), default=0)
        is_wanted = any(other is not come and other.player == come.player for other in course.flight)
        if not leaves or is_wanted or arm.kind == "covered twice" or not self._can(come):
            return False
        waits = leaves - course.now + span(course.rng, (20, 150))
        deed = course.own_moment(arm.deed + waits)
        come.arm = replace(arm, deed=deed, leaves=max(arm.leaves + waits, deed), gone=arm.gone + waits + 1)
        course.free[come.player] = max(course.free[come.player], come.arm.gone)
        course.at(deed, partial(self._arrive, come))
        return True

    def _can(self, come: Visit) -> bool:
        course = self._course
        arm, card = come.arm, come.card
        match arm.what:
            case "lay":
                return course.goes_on and not course.lie.is_closed(arm.cell, course.now) and self._still_wants(come)
            case "take":
                is_there = course.lie.is_top(card, arm.cell) and not course.lie.is_closed(arm.cell, course.now)
                return is_there and (card in course.lie.refused or not course.is_over)
            case "knock":
                is_put_back = course.lie.knocked == Knocked(arm.onto, arm.cell, card)
                return is_put_back or (course.goes_on and course.lie.can_be_knocked(arm, course.now))
            case "square":
                return not course.lie.is_closed(arm.cell, course.now)
            case _:
                return True

    def _still_wants(self, come: Visit) -> bool:
        """Most see in time that something else lies there now, and that the card is no longer good for it."""
        course = self._course
        cell = come.arm.cell
        if come.arm.kind == "covered twice":
            return True
        if course.lie.changed[cell] > come.decided and course.rng.random() < POLITE:
            return False
        around = (cell, *LINE_MATES[cell])
        could_see = any(come.decided < course.lie.changed[other] <= course.now - NOTICED for other in around)
        if not could_see or not come.was_legal or course.rng.random() > WATCHFUL:
            return True
        return not course.lie.has_refused(cell) and triple3.is_legal(course.lie.seen(course.now), cell, come.card)

    def _let_be(self, come: Visit) -> None:
        """The hand goes back as it came."""
        course = self._course
        what, card = come.arm.what, come.card
        if what == "lay":
            course.hands[come.player].append(card)
        carried = come.arm.lying if what == "lay" else None
        come.arm = replace(come.arm, what="hover", lying=carried, onto=0, kind="hover")
        if what == "take" and card in course.lie.refused:
            course.within((300, 900), partial(self.fetch, come.player, card))

    def _lay_down(self, come: Visit) -> None:
        course = self._course
        arm, card = come.arm, come.card
        course.lie.lay(arm, come.player)
        course.laid += 1
        course.ruled(Lay(come.player, arm.cell, card, at=arm.deed))
        is_legal = card not in course.lie.refused and course.state.piles[arm.cell - 1][-1].legal
        if card in course.lie.refused:
            course.within((1000, 4000), partial(self.fetch, come.player, card))
        if arm.kind != "taken back":
            return
        if is_legal and not course.is_over:
            soon = span(course.rng, (0, 150) if course.rng.random() < 0.5 else (900, 1300))
            course.at(arm.gone + soon, partial(self.fetch, come.player, card, arm.kind))
        else:
            come.arm = replace(arm, kind="")

    def _take_away(self, come: Visit) -> None:
        course = self._course
        card = course.lie.take(come.arm)
        owner = course.lie.owners[card]
        course.hands[owner].append(card)
        if card in course.lie.refused:
            del course.lie.refused[card]
        else:
            course.ruled(TakeBack(owner, come.arm.cell, at=come.arm.deed))

    def _square_up(self, come: Visit) -> None:
        course = self._course
        top = course.lie.top(come.arm.cell)
        if come.arm.lying and top:
            come.arm = replace(come.arm, lying=replace(come.arm.lying, card=top.card))
            course.lie.square(come.arm)

    def _shove(self, come: Visit) -> None:
        course = self._course
        course.lie.shove(come.arm)
        if course.lie.knocked:
            owner = course.lie.owners.get(come.card, come.player)
            course.at(come.arm.gone + span(course.rng, (300, 1200)), partial(self._put_back, owner))

    def _put_back(self, owner: str) -> None:
        course = self._course
        missing = course.lie.knocked
        if missing is None:
            return
        if course.free[owner] > course.now:
            course.at(course.free[owner], partial(self._put_back, owner))
            return
        times, lies = visit(course.rng, course.now), lying(course.rng, missing.card)
        self.start(owner, times, missing.onto, "knock", lies, onto=missing.cell, kind="knocked")

    def fetch(self, player: str, card: str, kind: str = "") -> None:
        """The player takes a card back as soon as may be; if others lie on it by then and it is illegal, all stop."""
        course = self._course
        cell = course.lie.cell_of(card)
        if not cell or course.state.phase == "stopped" or (course.is_over and card not in course.lie.refused):
            return
        top = course.lie.top(cell)
        if course.free[player] > course.now:
            course.at(course.free[player] + span(course.rng, (20, 200)), partial(self.fetch, player, card, kind))
        elif course.lie.is_closed(cell, course.now):
            course.within((300, 900), partial(self.fetch, player, card, kind))
        elif top and top.card == card:
            self.start(player, visit(course.rng, course.now), cell, "take", top, kind=kind)
        elif card in course.lie.refused:
            self.call_stop(player)
