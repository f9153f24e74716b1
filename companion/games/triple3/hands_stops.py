""" "Stop!": who calls it, what is put in order on the table, and who goes on."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from companion.core.clocks import MILLISECOND
from companion.games.triple3.hands_arms import Arms
from companion.games.triple3.hands_course import Course
from companion.games.triple3.hands_ways import Ways
from companion.games.triple3.rules import CELLS, GoOn, Out, Stop
from simulator.hands.hand_visits import visit

TOO_LATE = 250 * MILLISECOND  # a card that is nearer to the table than this lies there before anybody heard "Stop!"


class Stops:
    """Nobody calls it while a card is nearly on the table."""

    def __init__(self, course: Course, arms: Arms, wake_all: Callable[[tuple[float, float]], None]) -> None:
        self.ways: Ways
        self._course = course
        self._arms = arms
        self._wake_all = wake_all

    def call(self, player: str) -> None:
        self._halt(Stop(player))

    def claim(self, player: str) -> None:
        """Somebody is out, and has laid an illegal card: what lies on top goes back."""
        self._halt(Out(player))

    def _halt(self, move: Stop | Out) -> None:
        course = self._course
        if course.is_over or course.state.phase != "play":
            return
        nearly = [come.arm.deed for come in course.flight if course.now <= come.arm.deed <= course.now + TOO_LATE]
        if nearly:
            course.at(max(nearly) + 5 * MILLISECOND, partial(self._halt, move))
            return
        course.speak(move.word, move.player)
        course.ruled(replace(move, at=course.now))
        course.at(course.quiet, partial(course.within, (500, 1500), self._tidy))

    def _tidy(self) -> None:
        """One thing after the other, and then on."""
        course = self._course
        if course.is_over or course.state.phase != "stopped":
            return
        is_covered = any(course.lie.is_covered(cell, course.now) for cell in CELLS)
        if course.quiet > course.now or course.lie.knocked or is_covered:
            course.within((300, 600), self._tidy)
            return
        wrong = [cell for cell in CELLS if self._is_wrong(cell)]
        if wrong:
            self._take_from(wrong[0])
        elif course.rng.random() < 0.3:
            self.ways.square(course.rng.choice(list(course.seats)), (0, ""), "squared")
        else:
            course.within((500, 2000), self._go_on)
            return
        course.within((200, 500), self._tidy)

    def _is_wrong(self, cell: int) -> bool:
        """An illegal card that can be taken off, or that lies under others and was never let pass."""
        course = self._course
        top = course.state.piles[cell - 1][-1]
        return course.lie.has_refused(cell) or (course.lie.is_top(top.card, cell) and not top.legal)

    def _take_from(self, cell: int) -> None:
        course = self._course
        top = course.lie.top(cell)
        if top:
            self._arms.start(course.lie.owners[top.card], visit(course.rng, course.now), cell, "take", top)

    def _go_on(self) -> None:
        course = self._course
        if course.is_over:
            return
        player = course.rng.choice(list(course.seats))
        course.speak("go-on", player)
        course.ruled(GoOn(player, at=course.now))
        course.spell += 1
        self._wake_all((200, 1200))
