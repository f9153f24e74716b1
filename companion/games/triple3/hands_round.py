"""One round of Triple³ played by hands: who reaches for which cell when, and what comes of it."""

from collections.abc import Mapping
from functools import partial
from math import exp
from random import Random

from companion.core.clocks import MILLISECOND, SECOND
from companion.games.triple3.hands_arms import Arms
from companion.games.triple3.hands_course import Course, Manner
from companion.games.triple3.hands_stops import Stops
from companion.games.triple3.hands_ways import Ways
from companion.games.triple3.rules import State
from simulator.hands.hand_visits import USUAL_VISIT
from simulator.rendered.script import Lying, Seat
from vision.mat import Mat


class Round:
    """What has happened so far in one round. `play` goes on to its end."""

    def __init__(
        self, rng: Random, seats: Mapping[str, Seat], hands: Mapping[str, list[str]], manner: Manner, mat: Mat
    ) -> None:
        self._course = Course(rng, seats, hands, manner, mat)
        arms = Arms(self._course)
        stops = Stops(self._course, arms, self._wake_all)
        self._ways = stops.ways = Ways(self._course, arms, stops.call)
        arms.call_stop, self._course.not_out = stops.call, stops.claim

    def play(self, piles: list[list[Lying]], state: State) -> Course:
        """From "go", at the stamp of which the state was begun; what has happened then."""
        course = self._course
        course.begin(piles, state)
        self._wake_all((300, 1500))
        course.run()
        return course

    def _wake_all(self, bounds: tuple[float, float]) -> None:
        course = self._course
        for player in course.seats:
            course.within(bounds, partial(self._wake, player, course.spell))

    def _wake(self, player: str, spell: int) -> None:
        """A player looks for something to do, does it, and will look again."""
        course = self._course
        if spell != course.spell or not course.goes_on:
            return
        if course.free[player] <= course.now:
            self._ways.do_something(player)
        awake = max(course.free[player], course.now)
        course.at(awake + self._thinking(player), partial(self._wake, player, spell))

    def _thinking(self, player: str) -> int:
        """Shorter when the table has fallen behind its pace, longer with few cards to choose from."""
        course = self._course
        ahead = sum(map(len, course.hands.values())) / len(course.hands) - len(course.hands[player])
        behind = course.state.clock.used_at(course.now) / SECOND * course.manner.pace - course.laid
        hurry = 0.15 * min(max(behind, -5), 15) - 0.12 * ahead
        mean = (len(course.seats) / course.manner.pace - USUAL_VISIT) * exp(-hurry)
        return int(course.rng.expovariate(1 / max(mean, 0.06)) * SECOND) + 20 * MILLISECOND
