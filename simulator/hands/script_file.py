"""Scripts of the simulated table as JSON, and back, strictly: what does not fit is refused in one sentence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar, get_args

from companion.core.codec import plain, read
from companion.core.errors import MalformedError
from simulator.printed_decks import cards_of, deck_of
from simulator.rendered.script import Deed, Lying, Mishap, Script, ScriptedArm, ScriptLine, Seat
from vision.card_drawing import BACK
from vision.mat import MATS, Mat

T = TypeVar("T")
CELLS = range(1, 10)
LATER = ("places", "paper")  # scripts may be without them
OF_FEW = ("pile", "also")  # of an arm, which most are without
LIKE = 18  # a card of a deck, to say what they are called like
MOST = 100_000  # arms, mishaps or things said in one script


def script_plain(script: Script) -> dict[str, Any]:
    """A script as JSON can write it; the mat by its name."""
    known = [field.name for field in fields(script) if field.name not in ("mat", *LATER)]
    known += [name for name in LATER if getattr(script, name)]
    found = {name: plain(getattr(script, name)) for name in known}
    for arm in found["arms"]:
        for name in OF_FEW:
            if not arm[name]:
                del arm[name]
    return {**found, "mat": script.mat.name if script.mat else None}


def read_script(data: Any) -> Script:
    """A script from its JSON form, or a MalformedError that says what is wrong and where."""
    given = data if isinstance(data, Mapping) else {}
    paper = _paper(given.get("paper", ""), "paper")
    places = _list(_pair)(given.get("places", []), "places")
    readers = _readers(paper, len(places) or len(CELLS))
    later = [name for name in LATER if name in given]
    found = _made(Script, data, "", {**readers, **{name: _LATER[name] for name in later}})
    _must_add_up(found)
    return found


# --- One value


def _made(kind: type[T], data: Any, where: str, readers: Mapping[str, Callable[[Any, str], Any]]) -> T:
    """A dataclass from an object; every key has its reader, and none that is needed is missing."""
    if not isinstance(data, Mapping):
        raise MalformedError(f"{where or 'A script'} must be an object.")
    for key in data:
        if key not in readers:
            raise MalformedError(
                f"{_at(where, str(key)[:40])}: there is no such key here; known are {', '.join(readers)}."
            )
    for key in readers:
        if key not in data:
            raise MalformedError(f"{_at(where, key)}: this is missing.")
    return kind(**{key: reader(data[key], _at(where, key)) for key, reader in readers.items()})


def _at(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _whole(data: Any, where: str) -> int:
    return read(int, data, where)


def _stamp(data: Any, where: str) -> int:
    found = _whole(data, where)
    if found < 0:
        raise MalformedError(f"{where}: {found} lies before the first frame; stamps begin at 0.")
    return found


def _seed(data: Any, where: str) -> int:
    found = _whole(data, where)
    if found < 0:
        raise MalformedError(f"{where}: {found} is below 0, where no chance begins.")
    return found


def _number(data: Any, where: str) -> float:
    if isinstance(data, bool) or not isinstance(data, int | float) or not -1e9 <= data <= 1e9:
        raise MalformedError(f"{where} must be a number.")
    return float(data)


def _text(data: Any, where: str) -> str:
    return read(str, data, where)


def _one_of(words: tuple[str, ...]) -> Callable[[Any, str], Any]:
    def word(data: Any, where: str) -> str:
        if not isinstance(data, str) or data not in words:
            raise MalformedError(f"{where} must be one of {', '.join(words)}.")
        return data

    return word


def _paper(data: Any, where: str) -> str:
    found = _text(data, where)
    if found and not cards_of(found):
        raise MalformedError(f"{where}: no cards of a game {found[:40]!r} are printed.")
    return found


def _pair(data: Any, where: str) -> tuple[float, float]:
    if not isinstance(data, list) or len(data) != 2:
        raise MalformedError(f"{where} must be a list of two numbers.")
    return _number(data[0], f"{where}[0]"), _number(data[1], f"{where}[1]")


def _list(item: Callable[[Any, str], T]) -> Callable[[Any, str], tuple[T, ...]]:
    def items(data: Any, where: str) -> tuple[T, ...]:
        if not isinstance(data, list):
            raise MalformedError(f"{where} must be a list.")
        if len(data) > MOST:
            raise MalformedError(f"{where}: {len(data)} are too many; {MOST} is the most.")
        return tuple(item(value, f"{where}[{number}]") for number, value in enumerate(data))

    return items


def _object(data: Any, where: str) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        raise MalformedError(f"{where} must be an object.")
    return dict(data)


# --- The parts of a script


@dataclass(frozen=True, slots=True)
class _Table:
    """Whose cards lie there, and on how many cells."""

    paper: str
    cells: int

    def cell(self, data: Any, where: str) -> int:
        found = _whole(data, where)
        if not 1 <= found <= self.cells:
            raise MalformedError(f"{where}: there is no cell {found}; they are 1 to {self.cells}, row by row.")
        return found

    def cell_or_none(self, data: Any, where: str) -> int:
        return 0 if data == 0 and not isinstance(data, bool) else self.cell(data, where)

    def card(self, data: Any, where: str) -> str:
        found = _text(data, where)
        cards = cards_of(self.paper)
        if found not in cards and not (self.paper and found == BACK):
            like = cards[min(LIKE, len(cards) - 1)]
            raise MalformedError(f"{where}: {found[:40]!r} is not a card of this deck, like {like}.")
        return found

    def lying(self, data: Any, where: str) -> Lying:
        return _made(Lying, data, where, {"card": self.card, "slip": _pair, "turn": _number})

    def lying_or_none(self, data: Any, where: str) -> Lying | None:
        return None if data is None else self.lying(data, where)

    def arm(self, data: Any, where: str) -> ScriptedArm:
        readers: dict[str, Callable[[Any, str], Any]] = {
            "seat": _one_of(get_args(Seat)),
            **dict.fromkeys(("enters", "there", "deed", "leaves", "gone"), _stamp),
            "cell": self.cell,
            "what": _one_of(get_args(Deed)),
            "lying": self.lying_or_none,
            "onto": self.cell_or_none,
            "kind": _text,
        }
        of_few = {"pile": _list(self.lying), "also": _list(self.cell)}
        readers |= {name: reader for name, reader in of_few.items() if isinstance(data, Mapping) and name in data}
        return _arm(data, where, readers)


def _arm(data: Any, where: str, readers: Mapping[str, Callable[[Any, str], Any]]) -> ScriptedArm:
    arm = _made(ScriptedArm, data, where, readers)
    if not arm.enters <= arm.there <= arm.deed <= arm.leaves <= arm.gone:
        raise MalformedError(f"{where}: enters, there, deed, leaves and gone must follow each other in time.")
    if arm.what in ("lay", "square", "knock", "move", "put") and arm.lying is None:
        raise MalformedError(f"{where}.lying: to {arm.what} needs to say how the card lies then.")
    if (arm.what in ("knock", "move")) != bool(arm.onto):
        raise MalformedError(f"{where}.onto: what is knocked or moved goes onto another cell, and nothing else does.")
    return arm


def _mishap(data: Any, where: str) -> Mishap:
    numbers = dict.fromkeys(("x", "y", "turn"), _number)
    found = _made(Mishap, data, where, {"what": _text, "at": _stamp, "until": _stamp, **numbers})
    if found.until < found.at:
        raise MalformedError(f"{where}.until lies before {where}.at.")
    return found


def _said(data: Any, where: str) -> ScriptLine:
    return _made(ScriptLine, data, where, {"at": _stamp, "message": _object})


def _mat(data: Any, where: str) -> Mat | None:
    mats = {mat.name: mat for mat in MATS}
    if data is None:
        return None
    if not isinstance(data, str) or data not in mats:
        raise MalformedError(f"{where} must be one of {', '.join(mats)}, or null for a bare table.")
    return mats[data]


def _rate(data: Any, where: str) -> float:
    found = _number(data, where)
    if not 0.1 <= found <= 240:
        raise MalformedError(f"{where}: {found:g} frames a second cannot be drawn; take 0.1 to 240.")
    return found


def _size(data: Any, where: str) -> tuple[int, int]:
    found = read(tuple[int, int], data, where)
    if not all(96 <= side <= 8192 for side in found):
        raise MalformedError(f"{where}: a picture of {found[0]} × {found[1]} pixels cannot be drawn; take 96 to 8192.")
    return found


def _readers(paper: str, cells: int) -> dict[str, Callable[[Any, str], Any]]:
    table = _Table(paper, cells)
    return {**_SCRIPT, "grid": _list(_list(table.lying)), "arms": _list(table.arm)}


_LATER: dict[str, Callable[[Any, str], Any]] = {"places": _list(_pair), "paper": _paper}
_SCRIPT: dict[str, Callable[[Any, str], Any]] = {
    "seed": _seed,
    "length": _stamp,
    "mishaps": _list(_mishap),
    "said": _list(_said),
    "size": _size,
    "rate": _rate,
    "about": _object,
    "mat": _mat,
}


def _must_add_up(script: Script) -> None:
    """As many piles as there are places for, and no card in more of them than there are of it."""
    if len(script.grid) != script.cells:
        raise MalformedError(f"grid has {len(script.grid)} piles instead of {script.cells}.")
    cards = [lying.card for pile in script.grid for lying in pile if lying.card != BACK]
    copies = deck_of(script.paper).cards if script.paper else {}
    twice = next((card for card in cards if cards.count(card) > copies.get(card, 1)), "")
    if twice and copies.get(twice, 1) > 1:
        raise MalformedError(f"grid: {twice} lies there {cards.count(twice)} times; there are {copies[twice]} of it.")
    if twice:
        raise MalformedError(f"grid: {twice} lies there twice; every card exists once.")
