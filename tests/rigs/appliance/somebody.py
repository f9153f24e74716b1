"""Somebody who sits at the table in the virtual machine: sees what it shows, touches it, presses buttons, remembers
what was told."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.rigs.appliance.machine import Machine
from tests.rigs.load import Patience
from tests.rigs.running import RigError

SEATS = (17, 27)  # lines of the two seats' buttons, as setup/table.toml has them
SHOWS = 120  # seconds until the table shows what it is asked for, under emulation
AGAIN = 10  # seconds after which a touch that changed nothing is tried again

Moves = dict[int, Any]


@dataclass
class Somebody:
    machine: Machine
    scene: dict[str, Any] = field(default_factory=dict)
    match: str = ""
    told: dict[str, Moves] = field(default_factory=dict)  # the moves of each match that were ruled on, by their numbers
    sentences: list[str] = field(default_factory=list)  # fouls and notices
    clock: Callable[[], int] = lambda: 0
    told_at: dict[tuple[str, int], int] = field(default_factory=dict)  # of each move, by this clock

    def __post_init__(self) -> None:
        self.machine.hear = self.hears

    def hears(self, told: dict[str, Any]) -> None:
        if "screen" in told:
            self.scene = told
            return
        reply = told.get("reply", {})
        match reply.get("kind"):
            case "match":
                self.match = reply["id"]
            case "ruling":
                self.ruled[reply["number"]] = reply["move"]
                self.told_at[self.match, reply["number"]] = self.clock()
            case "foul" | "notice" | "error":
                self.sentences.append(reply["sentence"])

    @property
    def ruled(self) -> Moves:
        """The moves of this match."""
        return self.told.setdefault(self.match, {})

    # --- what is shown

    @property
    def screen(self) -> str:
        return str(self.scene.get("screen", ""))

    @property
    def phase(self) -> str:
        return str(self.scene.get("phase", ""))

    @property
    def moves(self) -> int:
        return self.scene.get("moves") or 0

    @property
    def stands(self) -> tuple[Any, ...]:
        """Where the table is on the way to the next move."""
        return self.screen, self.moves, self.phase, self.scene.get("way"), self.scene.get("paused")

    def target(self, word: str) -> tuple[int, int] | None:
        """The middle of what does that, if it can be touched."""
        return next(((x, y) for intent, (x, y) in self.scene.get("targets", ()) if word in intent), None)

    def wait(self, done: Callable[[], bool], what: str, seconds: float = SHOWS) -> None:
        self.machine.wait(done, seconds, f"{what}; shown is {self.screen or 'nothing'} {self.phase}")

    def wait_for_offer(self, seconds: float = 300) -> None:
        """Until the match can be gone on with."""
        self.wait(lambda: self.target("GoOn(") is not None, "the match to be offered", seconds)

    def forget_screen(self) -> None:
        """The table begins anew: what it showed before counts for nothing."""
        self.scene = {}

    # --- what is done

    def touch(self, word: str, screen: str) -> None:
        """Touch what does that, until the screen is another one."""
        self.wait(lambda: self.target(word) is not None, f"{word} to be touched")
        patience = Patience(SHOWS)
        while self.screen != screen:
            place = self.target(word)
            if place:
                self.machine.touch(*place)
            self._look(lambda: self.screen == screen)
            if patience.is_over:
                raise RigError(f"touching {word} does not show {screen}, but {self.screen}.")

    def _look(self, done: Callable[[], bool]) -> None:
        patience = Patience(AGAIN)
        while not done() and not patience.is_over:
            self.machine.listen(0.1)

    def plays(self, moves: int) -> None:
        """So many moves more, each by what has to be touched for it."""
        wanted, patience = self.moves + moves, Patience(SHOWS)
        while self.moves < wanted:
            before = self.stands
            self.goes_on()
            self._look(lambda before=before: self.stands != before)  # type: ignore[misc]
            if patience.is_over:
                raise RigError(f"{moves} moves were not made; shown is {self.screen} {self.phase}.")

    def goes_on(self) -> None:
        """One touch in the direction of the next move, from wherever the table is."""
        way = self.scene.get("way")
        if way:
            self.machine.touch(*way[0])
            return
        for word in ("Resume(", "GoOn(", "Rematch(", "Start()", "about='three'"):
            place = self.target(word)
            if place:
                self.machine.touch(*place)
                return

    def strikes(self, seat: int = 0) -> None:
        """A hand on the button of a seat."""
        self.machine.press(SEATS[seat])

    def strikes_first(self, seat: int) -> Any:
        """The same, and what was told of it. It is done once: a strike that counts for nothing would be a fault."""
        self.wait(lambda: self.target("Strike(") is not None, "the token to be free")  # it re-arms after a call
        before = set(self.ruled)
        self.strikes(seat)

        def struck() -> list[Any]:
            return [move for number, move in self.ruled.items() if number not in before and move.get("finish")]

        self.wait(lambda: bool(struck()), f"the strike of seat {seat + 1} to be told")
        return struck()[0]

    def plays_until(self, end: float, chance: random.Random) -> None:
        """As busily as can be, with a strike now and then; whoever cuts the power does not wait for a move to end."""
        while time.monotonic() < end:
            before = self.stands
            if self.phase == "turn" and chance.random() < 0.15:
                self.strikes(chance.randrange(2))
            else:
                self.goes_on()
            until = min(end, time.monotonic() + 2)
            while self.stands == before and time.monotonic() < until:
                self.machine.listen(0.02)
