"""How a round stands that is played by hands, and what is planned in it.

Time goes from event to event. What falls on the same moment comes in the order in which it was planned.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from random import Random

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.rules import Foul, Move, Ruling
from companion.games.triple3 import rules as triple3
from companion.games.triple3.hands_table import Lie
from companion.games.triple3.rules import Lay, NobodyCanLay, NotOutYet, State
from simulator.hands.hand_visits import span
from simulator.rendered.script import Lying, Mishap, ScriptedArm, ScriptLine, Seat
from vision.mat import Mat

LONGEST = 900 * SECOND  # of a round; nobody begins anything after it
AROUND = 200 * MILLISECOND  # before and after it is over a cell a hand is in the way there


@dataclass(frozen=True, slots=True)
class Manner:
    """How they play."""

    pace: float  # plays a second, all together
    illegal: float  # share of plays that are meant to be illegal
    trouble: Mapping[str, float]  # chance of each kind, with each card that somebody decides to lay
    plays: int | None  # so many are laid at most


@dataclass(slots=True)
class Visit:
    """An arm that is in the picture, or will be."""

    player: str
    arm: ScriptedArm
    decided: int
    was_legal: bool  # to lay the card, when that was decided

    @property
    def card(self) -> str:
        return self.arm.lying.card if self.arm.lying else ""

    def is_over(self, cell: int, at: int, around: int = 0) -> bool:
        return self.arm.cell == cell and self.arm.there - around <= at < self.arm.leaves + around


class Course:
    """All that has happened so far, and all that is to come."""

    def __init__(
        self, rng: Random, seats: Mapping[str, Seat], hands: Mapping[str, list[str]], manner: Manner, mat: Mat
    ) -> None:
        self.rng = rng
        self.seats = seats
        self.hands = {player: list(cards) for player, cards in hands.items()}
        self.manner = manner
        self.mat = mat
        self.arms: list[ScriptedArm] = []
        self.mishaps: list[Mishap] = []
        self.said: list[ScriptLine] = []
        self.now = 0
        self.flight: list[Visit] = []
        self.free = dict.fromkeys(seats, 0)  # when each player's arms will be gone
        self.spell = 0  # goes up with every "go on"; who woke up in an earlier one sleeps on
        self.laid = 0
        self.is_over = False
        self.lie: Lie
        self.state: State
        self.not_out: Callable[[str], None] = lambda _player: None  # is told who has laid all and is not out yet
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._planned = 0
        self._deeds: set[int] = set()

    def begin(self, piles: list[list[Lying]], state: State) -> None:
        self.lie = Lie(piles)
        self.state = state
        self.now = state.clock.since or 0

    def run(self) -> None:
        """One event after the other, to the last."""
        while self._events:
            self.now, _, event = heappop(self._events)
            event()

    @property
    def goes_on(self) -> bool:
        if self.is_over or self.state.phase != "play" or self.now > LONGEST:
            return False
        return self.manner.plays is None or self.laid < self.manner.plays

    @property
    def quiet(self) -> int:
        """When all arms that were begun will be gone."""
        return max(self.free.values())

    def at(self, at: int, event: Callable[[], None]) -> None:
        self._planned += 1
        heappush(self._events, (max(at, self.now), self._planned, event))

    def within(self, bounds: tuple[float, float], event: Callable[[], None]) -> None:
        self.at(self.now + span(self.rng, bounds), event)

    def own_moment(self, deed: int) -> int:
        """No two things are done in the same nanosecond."""
        while deed in self._deeds:
            deed += 1
        self._deeds.add(deed)
        return deed

    def ruled(self, move: Move) -> None:
        try:
            self._follow(triple3.rule(self.state, move))
        except Foul:
            if isinstance(move, Lay):
                self.lie.refused[move.card] = self.now

    def _follow(self, ruling: Ruling) -> None:
        looked_for = any(laid.open for pile in self.state.piles for laid in pile)
        self.state = ruling.state
        for event in ruling.events:
            if isinstance(event, NotOutYet):
                self.within((400, 1500), partial(self.not_out, event.player))
        if self.state.phase in ("play", "stopped") or self.is_over:
            return
        self.is_over = True
        if not any(isinstance(event, NobodyCanLay) for event in ruling.events):
            [winner] = self.state.rounds[-1].winners
            out = {"move": "out", "player": winner}
            self.said.append(ScriptLine(self.now + span(self.rng, (400, 1500)), out))
            if looked_for:  # by whoever does not know whose cards they are
                self.said.append(ScriptLine(self.said[-1].at + span(self.rng, (4000, 6000)), out))

    def speak(self, word: str, player: str) -> None:
        self.said.append(ScriptLine(self.now, {"move": word, "player": player}))
