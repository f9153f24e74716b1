"""What was put right of the line of a match, place by place: the marks on its score sheet."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any

from companion.core.correction import Done
from companion.core.entry import Corrected, Entry, Made, Redone, Undone
from companion.core.match import Setup
from companion.reports.entries import Line, Taken, said, taken


@dataclass(frozen=True, slots=True)
class Righted:
    """A correction that counts."""

    number: int  # of the move, as it was counted then
    is_removed: bool  # it was none
    at: int
    scores_before: tuple[int, ...]
    scores_after: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LinePlace:
    """A place of the line, and what corrections did there."""

    what: str = ""  # put right, ruled again, added
    was: Done | None = None  # at first
    fallen: Line = ()  # what followed and does not count any more

    def changed(self, what: str, done: Done) -> "LinePlace":
        return replace(self, what=self.what or what, was=self.was or done)

    def differs(self, done: Done) -> bool:
        """What stands here now is not what was there at first."""
        return self.was is not None and said(self.was) != said(done)


@dataclass
class Marks:
    """What was put right of the line that is left."""

    places: list[LinePlace] = field(default_factory=lambda: [LinePlace()])  # the beginning, and each move
    corrections: list[Righted] = field(default_factory=list)
    _before: list[list[LinePlace]] = field(default_factory=list)
    _undone: list[Any] = field(default_factory=list)

    def follow(self, taken: Taken) -> None:
        match taken.entry:
            case Made():
                self.places.append(LinePlace())
                self._undone.clear()
            case Corrected(number, move):
                self._put(Righted(number, move is None, taken.at, taken.scores, taken.match.state.scores), taken)
            case Undone() if taken.is_of_correction:
                self._undone.append(self.corrections.pop())
                self.places = self._before.pop()
            case Undone():
                self._undone.append(self.places.pop())
            case Redone() if taken.is_of_correction:
                self._put(self._undone.pop(), taken)
            case Redone():
                self.places.append(self._undone.pop())

    def _put(self, made: Righted, taken: Taken) -> None:
        self._before.append(self.places)
        self.corrections.append(made)
        self.places = _aligned(made, taken.line, taken.now, self.places)


def marks(setup: Setup, entries: Iterable[Entry]) -> Marks:
    found = Marks()
    for one in taken(setup, entries):
        found.follow(one)
    return found


def _aligned(made: Righted, line: Line, now: Line, places: list[LinePlace]) -> list[LinePlace]:
    """The places of the line after a correction."""
    *found, place = places[: made.number + 1]
    old = line[made.number - 1]
    if made.is_removed:
        _fall(found, [old], [place])
    else:
        found.append(place.changed("put right", old))
    rest, rest_now, rest_places = line[made.number :], now[len(found) - 1 :], places[made.number + 1 :]
    same = SequenceMatcher(None, [*map(_key, rest)], [*map(_key, rest_now)], autojunk=False)
    for how, start, end, start_now, end_now in same.get_opcodes():
        gone, come = slice(start, end), slice(start_now, end_now)
        if how == "equal":
            found += map(_again, rest[gone], rest_now[come], rest_places[gone])
        else:
            _fall(found, rest[gone], rest_places[gone])
            found += [_back(done, found) for done in rest_now[come]]
    return found


def _fall(found: list[LinePlace], line: Iterable[Done], places: Iterable[LinePlace]) -> None:
    """Moves do not count any more; what had fallen behind them neither."""
    for done, place in zip(line, places, strict=True):
        found[-1] = replace(found[-1], fallen=(*found[-1].fallen, done, *place.fallen))


def _again(was: Done, now: Done, place: LinePlace) -> LinePlace:
    return place if was.ruling.events == now.ruling.events else place.changed("ruled again", was)


def _back(done: Done, places: list[LinePlace]) -> LinePlace:
    """A move that was not in the line: it had fallen away, or the referee has added it."""
    for number, place in enumerate(places):
        for fallen in place.fallen:
            if _key(fallen) == _key(done):
                places[number] = replace(place, fallen=tuple(one for one in place.fallen if one is not fallen))
                return LinePlace("ruled again", fallen)
    return LinePlace("added")


def _key(done: Done) -> tuple[str, str, int]:
    return done.move.word, done.move.player, done.move.at
