"""What a move may have been instead, where that can be touched: somebody else's, another place, dog or number."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from companion.core.rules import May, Move
from companion.display.speech import capital
from companion.display.view import Seen
from companion.words import Words, labels

MOST = 12  # that are offered
MOST_POINTS = 9


@dataclass(frozen=True, slots=True)
class Other:
    """Another move in the place of one, and what it is called."""

    label: str
    move: Move
    badge: str = ""  # a colour


def others(words: Words, seen: Seen, number: int) -> list[Other]:
    """What move `number` may have been, as far as that was open then."""
    move = seen.line[number - 1].move
    before = seen.line[number - 2].ruling if number > 1 else seen.start
    may = next((may for may in before.may if may.move == move.word), May(move.word, ()))
    found = [*_of_others(seen, may, move), *_elsewhere(words, may, move), *_otherwise(words, seen, move)]
    return found[:MOST]


def _of_others(seen: Seen, may: May, move: Move) -> Iterator[Other]:
    for player in may.players:
        if player != move.player:
            alone = dict.fromkeys(_names(move) & {"tied"}, ()) | dict.fromkeys(_names(move) & {"finish"})
            yield Other(player, _changed(move, player=player, **alone), seen.colours[player])


def _elsewhere(words: Words, may: May, move: Move) -> Iterator[Other]:
    """Another place among those that were open."""
    return (other for other in _places(words, may, move) if other.move != move)


def _places(words: Words, may: May, move: Move) -> Iterator[Other]:
    names = _names(move)
    for choice in may.choices:
        open_ = {name: getattr(choice, name, None) for name in ("source", "target", "cell")}
        if {"source", "target"} <= names and open_["source"]:
            label = f"{words.value(choice.source)} → {words.value(choice.target)}"
            yield Other(label, _changed(move, source=choice.source, target=choice.target))
        elif "place" in names and open_["target"] and not open_["source"]:
            yield Other(capital(words.value(choice.target)), _changed(move, place=choice.target))
        elif "cell" in names and open_["cell"]:
            yield Other(words.say(labels.CELL, cell=choice.cell), _changed(move, cell=choice.cell))


def _otherwise(words: Words, seen: Seen, move: Move) -> Iterator[Other]:
    """Another number or name; where nobody may look up which it was, that one is among them."""
    for name in _names(move) & _VALUES.keys():
        for label, value, badge in _VALUES[name](words, seen, move):
            if name in move.concealed or value != getattr(move, name):
                yield Other(label, _changed(move, **{name: value}), badge)


Value = tuple[str, Any, str]


def _dogs(_words: Words, seen: Seen, _move: Move) -> Iterable[Value]:
    return [(dog.name, dog.name, dog.colour) for dog in seen.setup.house.dogs]


def _counts(_words: Words, seen: Seen, _move: Move) -> Iterable[Value]:
    return [(str(count), count, "") for count in range(seen.setup.house.copies + 1)]


def _points(words: Words, _seen: Seen, _move: Move) -> Iterable[Value]:
    numbers = range(MOST_POINTS + 1)
    return [(words.say(labels.POINTS_COUNT, count=points), points, "") for points in numbers]


def _whom(_words: Words, seen: Seen, move: Move) -> Iterable[Value]:
    return [(name, name, colour) for name, colour in seen.colours.items() if name != move.player]


_VALUES: dict[str, Callable[[Words, Seen, Move], Iterable[Value]]] = {
    "dog": _dogs,
    "found": _counts,
    "points": _points,
    "whom": _whom,
}


def _names(move: Move) -> set[str]:
    return {field.name for field in fields(move)}


def _changed(move: Move, **values: Any) -> Move:
    return replace(move, **values)
