"""Scripts of the simulated table as JSON, and back, strictly: what does not fit is refused in one sentence."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar, get_args

from companion.core.codec import plain, read
from companion.core.errors import MalformedError
from simulator.rendered.script import Deed, Lying, Mishap, Script, ScriptedArm, ScriptLine, Seat
from vision.deck import CARDS
from vision.mat import MATS, Mat

T = TypeVar("T")
CELLS = range(1, 10)
MOST = 100_000  # arms, mishaps or things said in one script


def script_plain(script: Script) -> dict[str, Any]:
    """A script as JSON can write it; the mat by its name."""
    found = {field.name: plain(getattr(script, field.name)) for field in fields(script) if field.name != "mat"}
    return {**found, "mat": script.mat.name if script.mat else None}


def read_script(data: Any) -> Script:
    """A script from its JSON form, or a MalformedError that says what is wrong and where."""
    found = _made(Script, data, "", _SCRIPT)
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


def _cell(data: Any, where: str) -> int:
    found = _whole(data, where)
    if found not in CELLS:
        raise MalformedError(f"{where}: there is no cell {found}; they are 1 to 9, row by row.")
    return found


def _cell_or_none(data: Any, where: str) -> int:
    return 0 if data == 0 and not isinstance(data, bool) else _cell(data, where)


def _card(data: Any, where: str) -> str:
    found = _text(data, where)
    if found not in CARDS:
        raise MalformedError(f"{where}: {found[:40]!r} is not a card of this deck, like blue-circle-2.")
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


def _lying(data: Any, where: str) -> Lying:
    return _made(Lying, data, where, {"card": _card, "slip": _pair, "turn": _number})


def _lying_or_none(data: Any, where: str) -> Lying | None:
    return None if data is None else _lying(data, where)


_ARM: dict[str, Callable[[Any, str], Any]] = {
    "seat": _one_of(get_args(Seat)),
    **dict.fromkeys(("enters", "there", "deed", "leaves", "gone"), _stamp),
    "cell": _cell,
    "what": _one_of(get_args(Deed)),
    "lying": _lying_or_none,
    "onto": _cell_or_none,
    "kind": _text,
}


def _arm(data: Any, where: str) -> ScriptedArm:
    arm = _made(ScriptedArm, data, where, _ARM)
    if not arm.enters <= arm.there <= arm.deed <= arm.leaves <= arm.gone:
        raise MalformedError(f"{where}: enters, there, deed, leaves and gone must follow each other in time.")
    if arm.what in ("lay", "square", "knock") and arm.lying is None:
        raise MalformedError(f"{where}.lying: to {arm.what} needs to say how the card lies then.")
    if (arm.what == "knock") != bool(arm.onto):
        raise MalformedError(f"{where}.onto: a card that is knocked goes onto another cell, and no other does.")
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


_SCRIPT: dict[str, Callable[[Any, str], Any]] = {
    "seed": _seed,
    "length": _stamp,
    "grid": _list(_list(_lying)),
    "arms": _list(_arm),
    "mishaps": _list(_mishap),
    "said": _list(_said),
    "size": _size,
    "rate": _rate,
    "about": _object,
    "mat": _mat,
}


def _must_add_up(script: Script) -> None:
    """Nine piles, and no card in two of them."""
    if len(script.grid) != len(CELLS):
        raise MalformedError(f"grid has {len(script.grid)} piles instead of 9.")
    cards = [lying.card for pile in script.grid for lying in pile]
    twice = next((card for card in cards if cards.count(card) > 1), "")
    if twice:
        raise MalformedError(f"grid: {twice} lies there twice; every card exists once.")
