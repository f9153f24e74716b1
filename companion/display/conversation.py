"""What is said to the referee and heard from it, as the door does: messages go in with the stamp of the touch."""

from collections.abc import Callable
from dataclasses import replace

from companion.core.match import Match
from companion.core.referee import Referee
from companion.core.replies import Reply
from companion.core.requests import MoveMessage, Request
from companion.core.rules import Move
from companion.inputs.inbox import Ear
from companion.seat.seating import TableFor, sit_down
from companion.seat.table import Seated

Hearer = Callable[[Reply], None]


class Conversation:
    """With the table of one match after the other; with nobody before the first."""

    def __init__(self, clock: Callable[[], int], table_for: TableFor, is_running: Callable[[], bool]) -> None:
        self.table: Seated | None = None
        self.touched = 0  # the stamp of the newest touch
        self.screen: Hearer = lambda _reply: None  # hears whatever the referee says first ...
        self.hearers: list[Hearer] = []  # ... and then all these
        self._clock = clock
        self._table_for = table_for
        self._is_running = is_running  # as far as it is seen
        self._later: list[Request] = []  # to be said as soon as everything has been heard

    # --- the match

    @property
    def match(self) -> Match | None:
        return self.table.session.referee.match if self.table else None

    def sit_down(self, referee: Referee) -> None:
        self.get_up()
        self.table = sit_down(referee, self._clock, self._table_for)
        self.hear(self.table.session.greeting())

    def get_up(self) -> None:
        if self.table is not None:
            self.table.close()
            self.table = None

    @property
    def ears(self) -> list[Ear]:
        return self.table.ears if self.table else []

    # --- time

    def table_time(self, now: int) -> int:
        """What the clocks of the match say at this stamp."""
        if self.table is None:
            return now
        referee = self.table.session.referee
        return referee.table_time(max(now, referee.stamp or now))

    @property
    def due(self) -> tuple[int, Move] | None:
        """A move that the referee makes by itself, and the stamp at which it falls due."""
        if self.table is None or not self._is_running():
            return None
        referee = self.table.session.referee
        at, deadline = referee.due_at(), referee.match.deadline
        return None if at is None or deadline is None else (at, deadline.move)

    def wakes_at(self, table: Seated) -> list[int | None]:
        """When there is something to take in, or a deadline has fallen due for everybody."""
        return [table.wakes_at, table.inbox.passing.wakes_at(table.session)]

    def attend(self, now: int) -> None:
        """Take in what was pressed, and let time pass: deadlines fall due."""
        table = self.table
        if table is None:
            return
        self.hear(table.attend(now))
        if self._is_running():
            self.hear(list(table.inbox.passing.pass_time(table.session, now)))

    # --- saying and hearing

    def send(self, message: MoveMessage | Request, stamp: int, now: int) -> None:
        if self.table is not None:
            self.table.say(replace(message, at=stamp), stamp)
            self.hear(self.table.attend(now))

    def hear_the_window(self, stamp: int) -> None:
        """Before anybody goes away, whatever may still be pressed."""
        if self.table is not None and self.table.inbox.window:
            self.hear(self.table.attend(stamp + self.table.inbox.window))

    def hear(self, replies: list[Reply]) -> None:
        for reply in replies:
            self.screen(reply)
            for hearer in self.hearers:
                hearer(reply)
        self.say_the_rest()

    def then(self, request: Request) -> None:
        """To be said behind what is heard now."""
        if request not in self._later:
            self._later.append(request)

    def say_the_rest(self) -> None:
        """What follows from what was heard, with the stamp of the touch that it began with."""
        while self._later and self.table is not None:
            referee = self.table.session.referee
            reached = None if referee.match.stands else referee.stamp_of(referee.match.now)
            stamp = max(self.touched, referee.stamp or 0, reached or 0)
            self.send(self._later.pop(0), stamp, max(stamp, self._clock()))
