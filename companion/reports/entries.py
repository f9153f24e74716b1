"""The entries of a match one by one, each with what it did."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.core.correction import Done
from companion.core.entry import Corrected, Entry, Made, Redone, Undone
from companion.core.match import Match, Setup
from companion.core.record import entry_plain
from companion.core.referee import Told
from companion.core.replies import CorrectionReply, DoneReply, RulingReply, correction_reply, done_reply, ruling_reply
from companion.core.rules import inner

Sentences = tuple[str, ...]
Line = tuple[Done, ...]


@dataclass(frozen=True, slots=True)
class Affected:
    """What an undo takes back, a redo makes again and a correction puts right."""

    what: str  # move, correction
    number: int  # of the move in the line
    entry: int  # of the correction; 0 for a move
    was: Sentences  # what the ruling on the move said before this; nothing if it did not count
    now: Sentences  # and what it says now
    done: tuple[Done | None, Done | None] = inner((None, None))  # the same, as it was ruled


@dataclass(frozen=True, slots=True)
class EntryStep:
    """An entry, and what it did."""

    entry: int  # its number in the journal
    did: str  # made, undone, redone, paused, resumed, corrected, abandoned
    at: int  # table time
    is_by_referee: bool  # a move that was made because its deadline had come
    why: str  # of a pause, and of the end of a match that was abandoned
    counts: bool | None  # of a correction: whether what was played after an end that comes earlier now counts
    of: Affected | None
    scores_before: dict[str, int]
    reply: RulingReply | CorrectionReply | DoneReply  # what was told of it
    made: Done | None = inner(None)  # of a move


@dataclass(frozen=True, slots=True)
class Taken:
    """An entry, and how things stood before it."""

    number: int
    entry: Entry
    what: str  # an undo takes back, or a redo makes again: a move or a correction
    line: Line  # nothing for a move, which only adds to it
    scores: tuple[int, ...]
    is_due: bool
    came: Any
    match: Match  # as it is now

    @property
    def at(self) -> int:
        """When it was made, where it says so; else the table time."""
        entry = self.entry
        return (entry.move.at if isinstance(entry, Made) else getattr(entry, "at", 0)) or self.match.now

    @property
    def is_of_correction(self) -> bool:
        return isinstance(self.entry, Corrected) or self.what == "correction"

    @property
    def now(self) -> Line:
        return tuple(self.match.line)


def taken(setup: Setup, entries: Iterable[Entry]) -> Iterator[Taken]:
    match = Match(setup)
    for number, entry in enumerate(entries, 1):
        what = _what(match, entry)
        line = () if isinstance(entry, Made) else tuple(match.line)
        scores, due = match.state.scores, match.state.deadline
        is_due = due is not None and entry == Made(due.move)
        yield Taken(number, entry, what, line, scores, is_due, match.take(entry), match)


def _what(match: Match, entry: Entry) -> str:
    match entry:
        case Undone(correction):
            return "correction" if correction else "move"
        case Redone():
            return match.history.redoes
    return ""


# --- one by one ------------------------------------------------------------------------------------------------


def steps(setup: Setup, entries: Iterable[Entry]) -> Iterator[EntryStep]:
    """Every entry of a match, in order."""
    corrections = _Corrections()
    for one in taken(setup, entries):
        kind, _ = entry_plain(one.entry)
        act = _act(one, corrections.follow(one))
        scores = dict(zip(setup.names, one.scores, strict=True))
        why, counts = getattr(one.entry, "why", ""), getattr(one.entry, "counts", None)
        made = one.now[-1] if isinstance(one.entry, Made) else None
        yield EntryStep(one.number, kind, one.at, one.is_due, why, counts, act, scores, _reply(one), made)


def _reply(taken: Taken) -> RulingReply | CorrectionReply | DoneReply:
    match taken.entry:
        case Made(move):
            return ruling_reply(taken.match, Told(len(taken.match.line), move, taken.came))
        case Corrected():
            return correction_reply(taken.match, taken.came)
    return done_reply(taken.match, type(taken.entry), taken.match.now)


@dataclass(frozen=True, slots=True)
class _Correction:
    entry: int
    made: Corrected
    length: int  # of the line after it


class _Corrections:
    """Those that count, and those that were taken back."""

    def __init__(self) -> None:
        self._made: list[_Correction] = []
        self._undone: list[_Correction] = []

    def follow(self, taken: Taken) -> _Correction | None:
        """The correction that this entry makes, takes back or makes again."""
        length = len(taken.match.line)
        match taken.entry:
            case Corrected() as made:
                self._made.append(_Correction(taken.number, made, length))
            case Undone() if taken.is_of_correction:
                self._undone.append(self._made.pop())
                return self._undone[-1]
            case Redone() if taken.is_of_correction:
                self._made.append(self._undone.pop())
            case Made():
                self._undone.clear()
            case Undone():
                while self._made and self._made[-1].length > length:  # before corrections could be undone
                    self._made.pop()
        return self._made[-1] if taken.is_of_correction else None


def _act(taken: Taken, correction: _Correction | None) -> Affected | None:
    if correction is not None:
        number, is_removed = correction.made.number, correction.made.move is None
        is_back, is_new = isinstance(taken.entry, Undone), isinstance(taken.entry, Corrected)
        was = None if is_removed and is_back else _of(taken.line, number)
        now = None if is_removed and not is_back else _of(taken.now, number)
        return _acted("move" if is_new else "correction", number, 0 if is_new else correction.entry, was, now)
    if isinstance(taken.entry, Undone | Redone):
        number = max(len(taken.line), len(taken.now))
        return _acted("move", number, 0, _of(taken.line, number), _of(taken.now, number))
    return None


def _acted(what: str, number: int, entry: int, was: Done | None, now: Done | None) -> Affected:
    return Affected(what, number, entry, said(was) if was else (), said(now) if now else (), (was, now))


def _of(line: Line, number: int) -> Done | None:
    return line[number - 1] if number <= len(line) else None


def said(done: Done) -> Sentences:
    """What a ruling said; at least what the move was."""
    return done.ruling.sentences or (f"{done.move.player or 'The table'}: {done.move.word}.",)
