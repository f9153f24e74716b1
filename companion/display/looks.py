"""What can be seen of an item at a moment. A drawing is given this and nothing else, and this is what is compared: so
whatever a drawing reads is drawn anew when it is another."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

from companion.devices.camera import Film
from companion.display.layout import Box
from companion.display.scene import Filling, Intent, Item, Moving, Outline, Picture, Symbol, Ticking

LIVE = Intent()  # stands for whatever a touch means: seen is only that it means something

Looks = Sequence[Item]


@dataclass(frozen=True, slots=True)
class Digits(Item):
    """What a clock shows."""

    text: str
    size: int
    role: str
    align: str


@dataclass(frozen=True, slots=True)
class Border(Item):
    """One picture of a film."""

    film: Film
    number: int
    outlines: tuple[Outline, ...]
    part: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class StoredPicture(Item):
    """A picture from a file as it is now. Its version: when it was written, how long it is; None if it is not there."""

    file: str
    version: tuple[int, int] | None
    outlines: tuple[Outline, ...]


def look(item: Item, now: int, stamp: int) -> Item:
    """An item as it is seen at this table time, films at this stamp: one of another kind where time changes it."""
    match item:
        case Ticking():
            seen: Item = Digits(item.box, item.text_at(now), item.size, item.role_at(now), item.align, turn=item.turn)
        case Filling():
            seen = Symbol(item.box, f"filled-{item.filled_at(now)}", item.role, turn=item.turn)
        case Moving():
            seen = Border(item.box, item.film, item.picture_at(stamp), item.outlines, item.part, turn=item.turn)
        case Picture(still=None):
            seen = StoredPicture(item.box, item.file, _version(item.file), item.outlines, turn=item.turn)
        case _:
            return replace(item, intent=item.intent and LIVE, key="") if item.intent or item.key else item
    return replace(seen, intent=LIVE) if item.intent else seen


def _version(file: str) -> tuple[int, int] | None:
    try:
        found = Path(file).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def changed(before: Looks, after: Looks) -> list[Box]:
    """Where something came, went, or lies upon others in another order."""
    same = sum(1 for _ in takewhile(_are_equal, zip(before, after, strict=False)))
    before, after = before[same:], after[same:]
    same = sum(1 for _ in takewhile(_are_equal, zip(reversed(before), reversed(after), strict=False)))
    old, new = (list(_numbered(looks[: len(looks) - same])) for looks in (before, after))
    was, now = set(old), set(new)
    boxes = [look.box for look, _ in (was | now) - (was & now)]
    stayed = zip((one for one in old if one in now), (one for one in new if one in was), strict=True)
    return boxes + [look.box for pair in stayed if pair[0] != pair[1] for look, _ in pair]


def _are_equal(pair: tuple[Item, Item]) -> bool:
    return pair[0] == pair[1]


def _numbered(looks: Looks) -> Iterator[tuple[Item, int]]:
    """Each with how many lie below that look the same."""
    seen: Counter[Item] = Counter()
    for one in looks:
        yield one, seen[one]
        seen[one] += 1
