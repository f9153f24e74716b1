"""Which touches on the real screen say a move: a choice or two first, then what says it."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from heapq import heappop, heappush
from typing import Any

from companion.core.rules import Move
from companion.display.scene import Item, Mark, Say
from companion.display.screens import scene
from companion.display.view import View

MOST = 120  # screens that are looked at for one move
FITS, PERHAPS, ELSE = 1, 2, 8  # what a choice costs that has to do with the move, may have, and has not


@dataclass(frozen=True, order=True)
class _Way:
    """Touches so far, and what they have chosen."""

    cost: int
    number: int
    marks: dict[str, Any] = field(compare=False)
    path: tuple[Item, ...] = field(compare=False)


def touches(view: View, move: Move) -> tuple[Item, ...]:
    """What is to be touched, one after the other; nothing if this screen cannot say it."""
    about = set(_values(move))
    ways = [_Way(0, 0, dict(view.marks), ())]
    seen = [ways[0].marks]
    for _ in range(MOST):
        if not ways:
            break
        way = heappop(ways)
        for item in scene(replace(view, marks=way.marks)).targets():
            if isinstance(item.intent, Say) and is_same(item.intent.message, move):
                return (*way.path, item)
            if not isinstance(item.intent, Mark):
                continue
            marks = _with(way.marks, item.intent)
            if marks not in seen:
                seen.append(marks)
                cost = way.cost + _cost(item.intent.value, about)
                heappush(ways, _Way(cost, len(seen), marks, (*way.path, item)))
    return ()


def is_same(one: Any, other: Move) -> bool:
    """The same move, whenever it is made."""
    return type(one) is type(other) and bool(replace(one, at=other.at) == other)


def _with(marks: dict[str, Any], mark: Mark) -> dict[str, Any]:
    found = {**marks, mark.key: mark.value}
    if mark.value is None:
        del found[mark.key]
    return found


def _cost(value: Any, about: set[Any]) -> int:
    parts = value if isinstance(value, tuple) else (value,)
    if all(part in about for part in parts):
        return FITS
    return PERHAPS if isinstance(value, int) else ELSE  # a place among several, or that something is wanted at all


def _values(move: Move) -> Iterator[Any]:
    for one in fields(move):
        value = getattr(move, one.name)
        yield from value if isinstance(value, tuple) else (value,)
