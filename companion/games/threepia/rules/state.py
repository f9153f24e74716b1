"""The table at one moment, and what can be asked of it."""

from dataclasses import dataclass

from companion.core.clocks import Clock
from companion.core.rules import Deadline, Outcome
from companion.games.threepia.rules.house import House
from companion.games.threepia.rules.moves import TimeUp


@dataclass(frozen=True, slots=True)
class Due:
    """Points of a turn that has ended. `points` is None while the player owes them."""

    player: str
    points: int | None
    bonus: int = 0  # for an empty hand


@dataclass(frozen=True, slots=True)
class State:
    """A table of Threepia. Cards add up: hands + deck + laid + missing = the whole deck."""

    players: tuple[str, ...]
    house: House
    phase: str  # deal, ready, turn, counting, over
    turn: str
    scores: tuple[int, ...]
    hands: tuple[int, ...]
    deck: int
    laid: int = 0  # cards on the field, covered ones too
    missing: int = 0  # cards that were counted in the deck and were not there; less than 0: there were more
    field: tuple[str, ...] = ()  # the cards that lie uncovered, as they lie; empty where nobody showed them
    held: tuple[str, ...] = ()  # the cards in hand of who plays alone; empty where none of them was shown
    on_word: bool = False  # alone, a card was laid or drawn while the referee did not know field and hand
    needless: int = 0  # draws of a time trial with a card in hand that fitted
    clocks: tuple[Clock, ...] = ()  # stopwatch: of each player; time: of the turn; time-trial: of the game
    out: tuple[str, ...] = ()  # whose time is used up
    waiting: tuple[Due, ...] = ()  # from the first turn on whose points are owed
    turns: int = 0  # that have ended since the first, with those of players who were passed over
    idle: int = 0  # turns since the last card in which nothing was laid and nothing was left to draw
    ending: str = ""  # why play is finished, while points are still owed
    outcome: Outcome | None = None

    @property
    def owed(self) -> tuple[str, ...]:
        """Whose points are still to be entered, oldest first."""
        return tuple([due.player for due in self.waiting if due.points is None])

    @property
    def is_seen(self) -> bool:
        return bool(self.field)

    @property
    def clock(self) -> Clock | None:
        """The clock of the turn."""
        if not self.clocks or not self.turn:
            return None
        return self.clocks[self.players.index(self.turn) if self.house.way == "stopwatch" else 0]

    @property
    def runs_out_at(self) -> int | None:
        clock = self.clock
        return clock.runs_out_at if clock else None

    @property
    def deadline(self) -> Deadline | None:
        at = self.runs_out_at
        return None if at is None else Deadline(at, TimeUp(self.turn, at=at))
