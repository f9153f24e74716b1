"""What is owed to the broker: every entry that the journal has and the broker has not acknowledged, in its order.

It is read from the journal and never kept in memory, so a day without a broker, a crash or a power cut costs nothing.
`note` may be called from any thread and does next to nothing; all else belongs to the thread that publishes.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from companion.core.codec import plain, written
from companion.core.errors import CompanionError
from companion.doctor.anonymous import Naming
from companion.journal.follower import FollowedMatch, Follower, KeptRow
from companion.publishing.cursor import Cursor, cursor_beside
from companion.publishing.entry_payloads import VERSION, EntryMoment, EntryTeller, HeadNow

WINDOW = 20  # entries on their way that the broker has not acknowledged
AT_ONCE = 50  # entries that are read in one go
SLICE = 0.005  # seconds of work in a row, after which it rests as long: the table comes first
AGAIN = 2.0  # seconds until a journal that could not be read is read again
SAVED = 0.5  # seconds between two writings of the cursor
FORGETFUL = (
    1800.0  # seconds: what a broker has acknowledged it may not have written down when it dies; Mosquitto's usual
)
MOST_AGAIN = 500  # entries that are sent once more to a broker that was gone
MOST_MOMENTS = 5000

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class NotedReply:
    """Something was told at the table. `entries`: of the match; `greets`: it was begun, or is gone on with."""

    match: str
    entries: int
    as_of: str
    greets: bool = False
    made_at: int = 0  # table time of the move that was ruled on, if a camera saw it
    chance: float | None = None


@dataclass(slots=True)
class Moments:
    """What is remembered of the telling of entries, as long as there is room."""

    _reached: dict[str, int] = field(default_factory=dict)
    _told: OrderedDict[tuple[str, int], str] = field(default_factory=OrderedDict)
    _chances: OrderedDict[tuple[str, int], float] = field(default_factory=OrderedDict)

    def take(self, noted: NotedReply) -> None:
        before = self._reached.get(noted.match, noted.entries - 1)
        if noted.greets:
            before = -1 if noted.entries == 0 else noted.entries
        for number in range(before + 1, noted.entries + 1):
            self._told[noted.match, number] = noted.as_of
        self._reached[noted.match] = noted.entries
        if noted.chance is not None:
            self._chances[noted.match, noted.made_at] = noted.chance
        for kept in (self._told, self._chances):
            while len(kept) > MOST_MOMENTS:
                kept.popitem(last=False)

    def reached(self, match: str) -> int | None:
        """The newest entry that was told at the table since this began; None: nothing of this match was."""
        return self._reached.get(match)

    def of(self, match: str, row: KeptRow) -> EntryMoment:
        made_at = row.body.get("at", 0) if row.kind == "made" else None
        chance = None if made_at is None else self._chances.get((match, made_at))
        return EntryMoment(self._told.get((match, row.number), ""), chance)


@dataclass(slots=True)
class OwedMatch:
    """A match on its way: read so far, and told so far."""

    code: str
    followed: FollowedMatch
    teller: EntryTeller
    rows: deque[KeptRow]


class Owed:
    """`journal`: where it is now, if there is one. `head` is told the newest entry of a match that was read so far."""

    def __init__(
        self, journal: Callable[[], Path | None], table: str, broker: str, head: Callable[[bytes], None], say: Say,
        *, naming: Naming = "whole",
    ) -> None:  # fmt: skip
        self._journal, self._table, self._broker, self._naming = journal, table, broker, naming
        self._head, self._say = head, say
        self._noted: deque[NotedReply] = deque()
        self._moments = Moments()
        self._path: Path | None = None
        self._cursor: Cursor | None = None
        self._pending: dict[str, None] = {}  # matches that may have entries the broker has not, in their order
        self._delivery: OwedMatch | None = None
        self._on_way: deque[tuple[str, int]] = deque()  # as they were sent
        self._numbers: dict[int, tuple[str, int]] = {}  # the same by the broker's numbers
        self._acknowledged: set[tuple[str, int]] = set()
        self._lately: deque[tuple[float, str, int]] = deque(maxlen=MOST_AGAIN)
        self._not_before = self._saved = self._rested = 0.0
        self._next: tuple[str, int] | None = None  # handed out by `next_entry`, and not sent yet
        self._trouble = ""

    # --- any thread ---

    def note(self, noted: NotedReply) -> None:
        self._noted.append(noted)

    @property
    def is_idle(self) -> bool:
        """The broker has everything, as far as is known."""
        return not (self._noted or self._pending or self._on_way)

    # --- the one who sends ---

    def attend(self) -> None:
        """Write down which matches are owed, whether there is a broker or not."""
        if self._noted and time.monotonic() >= self._not_before:
            try:
                self._take_notes()
            except CompanionError as error:
                self._fail(error.sentence)

    def next_entry(self) -> bytes | None:
        """To be handed to the broker now, if there is something and it has not enough to acknowledge."""
        if len(self._on_way) >= WINDOW or time.monotonic() < self._not_before:
            return None
        try:
            return self._found()
        except CompanionError as error:
            self._fail(error.sentence)
        return None

    def sent(self, number: int) -> None:
        """What was handed out last is on its way under this number."""
        assert self._next is not None
        self._on_way.append(self._next)
        self._numbers[number] = self._next

    def acknowledged(self, number: int) -> None:
        """The broker has it: the cursor moves behind everything that it has without a gap."""
        which = self._numbers.pop(number, None)
        if which is None or self._cursor is None:
            return
        self._acknowledged.add(which)
        while self._on_way and self._on_way[0] in self._acknowledged:
            one = self._on_way.popleft()
            self._acknowledged.discard(one)
            self._cursor.move(*one)
            self._lately.append((time.monotonic(), *one))
        if not self._on_way or time.monotonic() - self._saved > SAVED:
            self.save()

    def save(self) -> None:
        self._saved = time.monotonic()
        try:
            if self._cursor:
                self._cursor.save()
        except CompanionError as error:
            self._fail(error.sentence)

    def gone(self, *, was_wanted: bool = False) -> None:
        """What was not acknowledged is sent again. A broker that was lost may have forgotten what it acknowledged of
        late, so that is sent again too."""
        again = {code for code, _ in self._on_way}
        self._on_way.clear()
        self._numbers.clear()
        self._acknowledged.clear()
        if self._cursor and not was_wanted:
            since = time.monotonic() - FORGETFUL
            for _, code, number in (one for one in self._lately if one[0] > since):
                again.add(code)
                self._cursor.move(code, min(number - 1, self._cursor.numbers.get(code, -1)))
            self._lately.clear()
        self._delivery = None
        self._pending = {**dict.fromkeys(sorted(again)), **self._pending}

    def close(self) -> None:
        if self._cursor:
            self._cursor.close()
        self._cursor = self._path = None

    # --- finding it ---

    def _found(self) -> bytes | None:
        self._take_notes()
        while self._pending:
            code = next(iter(self._pending))
            delivery = self._delivery_of(code)
            found = self._told(delivery) if delivery else None
            if found is not None:
                return found
            del self._pending[code]
            if delivery:
                self._tell_head(delivery)
        return None

    def _take_notes(self) -> None:
        cursor = self._opened()
        while cursor and self._noted:
            noted = self._noted[0]
            if noted.match in cursor.numbers or self._is_kept(noted.match):
                cursor.owe(noted.match)
                self._moments.take(noted)
                self._pending[noted.match] = None
            self._noted.popleft()
        if cursor is None:
            self._noted.clear()  # nobody keeps what is played

    def _is_kept(self, code: str) -> bool:
        assert self._path is not None
        return Follower(self._path).match(code) is not None

    def _opened(self) -> Cursor | None:
        """The cursor of the journal that there is now; of a journal that comes later, its own."""
        path = self._journal()
        if path != self._path:
            self.gone(was_wanted=True)
            self._pending = {}
            self.close()
        if path is not None and self._cursor is None:
            self._cursor, self._path = Cursor(cursor_beside(path), self._broker), path
            self._look_for_debts(self._cursor)
        return self._cursor

    def _look_for_debts(self, cursor: Cursor) -> None:
        """Of earlier evenings."""
        assert self._path is not None
        lasts = Follower(self._path).lasts(cursor.numbers)
        owed = [code for code, number in cursor.numbers.items() if lasts.get(code, -1) > number]
        self._pending = {**dict.fromkeys(owed), **self._pending}
        cursor.forget_old(cursor.numbers.keys() - set(owed))

    def _delivery_of(self, code: str) -> OwedMatch | None:
        if self._delivery is not None and self._delivery.code == code:
            return self._delivery
        assert self._path is not None
        follower = Follower(self._path)
        followed = follower.match(code)
        rows = follower.rows(followed, -1, AT_ONCE) if followed else []
        if not followed or not rows:
            return None
        teller = EntryTeller(self._table, followed.began, rows[0].body, naming=self._naming)
        self._delivery = OwedMatch(code, followed, teller, deque(rows))
        return self._delivery

    def _told(self, delivery: OwedMatch) -> bytes | None:
        """The next entry that the broker has not; none where there is none."""
        assert self._cursor is not None
        has = self._cursor.numbers.get(delivery.code, -1)
        for row in self._rows(delivery):
            entry = delivery.teller.tell(row, self._moments.of(delivery.code, row))
            self._pace()
            if row.number > has:
                self._next = delivery.code, row.number
                return written(plain(entry)).encode()
        return None

    def _rows(self, delivery: OwedMatch) -> Iterator[KeptRow]:
        """Those that were not told yet. What is on the disk and not told at the table has a moment to come."""
        assert self._path is not None
        until = self._moments.reached(delivery.code)
        while True:
            if not delivery.rows:
                number = delivery.teller.number
                delivery.rows.extend(Follower(self._path).rows(delivery.followed, number, AT_ONCE))
            if not delivery.rows or (until is not None and delivery.rows[0].number > until):
                return
            yield delivery.rows.popleft()

    def _tell_head(self, delivery: OwedMatch) -> None:
        teller = delivery.teller
        as_of = self._moments.of(delivery.code, KeptRow(teller.number, "", {})).as_of
        head = HeadNow(VERSION, self._table, delivery.code, teller.number, teller.chain.hash, as_of)
        self._head(written(plain(head)).encode())

    def _pace(self) -> None:
        """Whoever has much to tell rests for half of the time."""
        now = time.monotonic()
        if now - self._rested > 4 * SLICE:  # it has waited for something meanwhile
            self._rested = now
        elif now - self._rested > SLICE:
            time.sleep(now - self._rested)
            self._rested = time.monotonic()

    def _fail(self, why: str) -> None:
        """Said once; it is tried again."""
        self._not_before = time.monotonic() + AGAIN
        self._delivery = None
        if why != self._trouble:
            self._trouble = why
            self._say(why)
