"""The columns of the mat as a camera sees them: the card of the table in each, and what is played with it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.core.clocks import SECOND
from companion.games.tres.columns import COLUMNS, PLACES, below, column_of, is_for_table

if TYPE_CHECKING:
    from vision.sightings import CardSeen, CellNow, Look, NoCard

STILL = SECOND // 8  # places have been clear for so long: what is seen there lies there
COUNTS, REFUSED, UNDONE = "counts", "refused", "undone"  # what was ruled on the cards of a column
REMEMBERED = 6 * SECOND  # a card that was lifted before that of the table is


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card that came to lie at a place."""

    place: int
    card: str
    since: int
    by: int
    stamp: int
    arms: tuple[str, ...] = ()
    before: "Look | None" = None
    after: "Look | None" = None


@dataclass(slots=True)
class Column:
    """One card of the table, and what lies below it."""

    number: int
    card: str = ""  # of the table, as the match has it; none while it has none here
    played: dict[int, SeenCard] = field(default_factory=dict)  # by place
    lifted: dict[int, SeenCard] = field(default_factory=dict)  # the same, off again; what that means is open
    remembered: dict[int, SeenCard] = field(default_factory=dict)  # the same when the card of the table still lay
    lifted_at: int = 0  # when the newest of them went
    bare_at: int = 0  # when the card of the table went
    turned_up: SeenCard | None = None  # what came there, and is not in the match yet
    verdict: str = ""  # counts or refused
    code: str = ""  # why it was refused
    ruled: frozenset[tuple[int, str]] = frozenset()
    move: int = 0  # of the match, that counts
    missed: bool = False  # a card below could not be read
    off: list[SeenCard] = field(default_factory=list)  # were refused and are lifted, and nobody has said so
    later: list[SeenCard] = field(default_factory=list)  # came behind a play that nothing was ruled on

    @property
    def hand(self) -> dict[int, SeenCard]:
        """What was played here, lifted or not."""
        return {**self.lifted, **self.played}

    @property
    def is_open(self) -> bool:
        """Something lies here on which nothing was ruled."""
        return bool(self.hand) and not self.verdict

    @property
    def is_swept(self) -> bool:
        """What was played is gone with the card of the table, and nothing was ruled on it."""
        return self.is_open and bool(self.bare_at or self.turned_up)

    @property
    def since(self) -> int:
        return min(one.since for one in self.hand.values())

    @property
    def key(self) -> frozenset[tuple[int, str]]:
        return frozenset((one.place, one.card) for one in self.hand.values())

    def clear(self) -> None:
        """What was played is done with."""
        self.played, self.lifted, self.remembered = {}, {}, {}
        self.verdict, self.code, self.ruled, self.move, self.missed = "", "", frozenset(), 0, False


class SeenColumns:
    """What lies there, as far as it was seen."""

    def __init__(self) -> None:
        self.columns = {number: Column(number) for number in COLUMNS}
        self.faces: dict[int, str] = {}  # by place: a card, "" for bare, "?" for what is none
        self._clear: dict[int, int] = {}  # places that are clear, since when
        self._hidden: dict[int, int] = {}  # places that are not, since when

    @property
    def is_known(self) -> bool:
        return len(self.faces) == PLACES

    @property
    def table(self) -> dict[int, str]:
        """The cards of the table that are in the match, by column."""
        return {number: column.card for number, column in self.columns.items() if column.card}

    # --- what comes

    def whole(self, looks: "Sequence[Look]", stamp: int) -> None:
        """All places were read, at the beginning or anew."""
        for place, look in enumerate(looks, 1):
            face = look.card or ("" if look.state == "empty" else "?")
            if face != self.faces.get(place):
                self.shows(place, face, SeenCard(place, face, stamp, stamp, stamp, after=look))

    def changed(self, seen: "CardSeen | NoCard") -> None:
        face = seen.after.card or ("" if seen.after.state == "empty" else "?")
        by = getattr(seen, "by", 0) or seen.after.stamp
        arms = tuple(side for side in getattr(seen, "arms", ()) if side)
        self.shows(
            seen.cell, face, SeenCard(seen.cell, face, seen.since, by, seen.after.stamp, arms, seen.before, seen.after)
        )

    def shows(self, place: int, face: str, seen: SeenCard) -> None:
        """A place shows something else than before."""
        before = self.faces.get(place, "")
        self.faces[place] = face
        self._comes(before, face, seen)

    def _comes(self, before: str, face: str, seen: SeenCard) -> None:
        place = seen.place
        column = self.columns[column_of(place)]
        is_first_for_table = is_for_table(place) and not column.turned_up
        if column.is_swept and not is_first_for_table and (face or place not in column.played):
            column.later.append(seen)
            return
        if face and not is_for_table(place):
            self._played_anew(column)
        if is_for_table(place):
            self._table_shows(column, face, seen)
        elif face in ("", "?"):
            if place in column.played:
                column.lifted[place] = column.played.pop(place)
                column.lifted_at = seen.stamp
        else:
            if before not in ("", "?") and place in column.played and not seen.arms:
                seen = _as_read_now(column.played[place], seen)
            column.played[place] = seen
            column.lifted.pop(place, None)

    def _played_anew(self, column: Column) -> None:
        """Another card comes to a column: what was lifted before is off for good, if that of the table lies there."""
        if column.verdict == COUNTS and (column.bare_at or column.card):
            column.clear()
        elif column.lifted and not column.bare_at and not column.turned_up:
            self.put_back(column)
            if not column.played:
                column.verdict, column.code, column.ruled = "", "", frozenset()

    def put_back(self, column: Column) -> None:
        """What was lifted is off for good."""
        gone = {(one.place, one.card): one for one in column.lifted.values()}
        column.off += [one for key, one in gone.items() if key in column.ruled]
        column.lifted, column.ruled = {}, column.ruled - gone.keys()

    def begin_anew(self, column: Column) -> None:
        """What was played is done with, and what came since counts."""
        column.clear()
        later, column.later = column.later, []
        for seen in later:
            self._comes("", seen.card, seen)

    def _table_shows(self, column: Column, face: str, seen: SeenCard) -> None:
        if face == "":
            column.bare_at, column.turned_up = seen.stamp, None
        elif face == column.card and not (column.is_swept and not column.played):
            column.bare_at, column.turned_up = 0, None
        elif face != "?":
            column.turned_up = seen

    def note(self, cells: "Sequence[CellNow]", stamp: int) -> None:
        """What the watcher has of each place now."""
        for place, cell in enumerate(cells[:PLACES], 1):
            if cell.now == "clear":
                self._clear.setdefault(place, stamp)
                self._hidden.pop(place, None)
            else:
                self._clear.pop(place, None)
                self._hidden[place] = cell.since

    # --- what is known of it

    def is_clear(self, place: int) -> bool:
        return place in self._clear

    def is_still(self, column: Column, since: int) -> bool:
        """All places of a column are seen, and have been since then."""
        places = (column.number, *below(column.number))
        return all(self._clear.get(place, since + 1) <= since for place in places)

    def is_hidden_before(self, stamp: int) -> bool:
        """What came before then may not be seen yet."""
        return any(since <= stamp for since in self._hidden.values())

    def is_open_before(self, stamp: int) -> bool:
        """Something came before then on which nothing was ruled."""
        return any(
            (column.is_open and column.since < stamp)
            or (column.turned_up is not None and column.turned_up.by < stamp)
            or self._has_gone(column)
            for column in self.columns.values()
        )

    def _has_gone(self, column: Column) -> bool:
        """The card of the table is off, and the match has it still."""
        return bool(column.card and column.bare_at)

    def remembers(self, column: Column, stamp: int) -> bool:
        return bool(column.remembered) and stamp - column.lifted_at < REMEMBERED

    def with_hands(self) -> Iterator[Column]:
        """The columns in which cards lie that nothing was ruled on."""
        return (column for column in self.columns.values() if column.played and not column.verdict)


def _as_read_now(first: SeenCard, seen: SeenCard) -> SeenCard:
    """The same card, read otherwise than at first."""
    return SeenCard(
        seen.place, seen.card, first.since, first.by, seen.stamp, first.arms, first.before, after=seen.after
    )
