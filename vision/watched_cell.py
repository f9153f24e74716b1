"""One of the nine cells as it was last seen clearly, and what has been going on there since."""

from dataclasses import dataclass, field

from vision.faults import SECOND
from vision.sightings import CellNow, Look, Now, Side
from vision.votes import Votes

SELDOM = SECOND // 8  # between two looks at a cell that cannot be read, or has a hand over it
PATIENCE = 8 * SECOND // 10  # before it is told that a cell cannot be read


@dataclass(slots=True)
class WatchedCell:
    number: int
    is_pile: bool = False  # it lies face down: only the hands that come there are told
    look: Look | None = None
    dirty: int | None = 0  # since when it may show something else; None: it is as it was
    disturbed: bool = False  # something was over it, or it looked different
    beside: bool = False  # an arm is close by
    shows_card: bool = False  # as far as a glance at a cell tells that may be covered
    next_glance: int = 0
    arms: list[Side] = field(default_factory=list)
    moved: tuple[int, int] | None = None  # the first and the last frame since then in which something moved there
    votes: Votes = field(default_factory=Votes)
    tried: int | None = None  # when the last look in doubt was ...
    doubted: int = 0  # ... and for how long there was doubt in all, arms over the cell or not in between
    next_try: int = 0
    still: int | None = None  # since when nothing moves there
    bare: tuple[str, int] | None = None
    told: bool = False  # that it cannot be read
    called: dict[str, str] = field(default_factory=dict)  # what is read there, and what people say it is
    seen: int = 0  # when the last look was last seen to hold
    now: CellNow = field(default_factory=lambda: CellNow("unknown", 0))

    def forget_looks(self) -> None:
        self.votes.forget()
        self.tried = self.bare = None

    def soil(self, since: int, *, disturbed: bool) -> None:
        if self.dirty is None:
            self.dirty = since
            self.arms.clear()
            self.moved = None
            self.tried = self.bare = None
            self.votes.stir(since)
            self.doubted, self.told, self.next_try = 0, False, 0
        self.disturbed = self.disturbed or disturbed

    def moves(self, stamp: int) -> None:
        self.still, self.beside, self.shows_card, self.next_glance = None, False, False, 0
        self.moved = (self.moved[0] if self.moved else stamp, stamp)
        self.votes.is_stirred = True
        self.tried = self.bare = None

    def doubt(self, stamp: int) -> bool:
        """Another look in doubt; whether that has been going on for long."""
        if self.tried is not None:
            self.doubted += min(stamp - self.tried, 2 * SELDOM)
        self.tried = stamp
        return self.doubted >= PATIENCE

    def worked_on(self, side: Side) -> None:
        if self.dirty is not None and side not in self.arms:
            self.arms.append(side)

    def call(self, card: str, read: str | None) -> None:
        """What is read there is this card: somebody has said so, and means it however often it is read again."""
        self.called = {one: card if really == read else really for one, really in self.called.items()}
        if read is not None and read != card:
            self.called[read] = card

    def as_read(self, card: str) -> str:
        """What is read there where it is this card."""
        return next((read for read, really in self.called.items() if really == card), card)

    def clean(self) -> None:
        self.settle()
        self.votes.forget()

    def settle(self) -> None:
        """It has been told what lies there."""
        self.dirty = self.moved = self.tried = self.bare = None
        self.doubted, self.told = 0, False
        self.disturbed = False
        self.arms.clear()
        self.votes.settle()

    def show(self, now: Now, stamp: int) -> None:
        if self.now.now != now:
            self.now = CellNow(now, stamp, self.seen)
