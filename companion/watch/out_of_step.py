"""What a watched table and its match do not agree on, followed through the replies: out of step, called, guessed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

GUESSES = 8  # of the newest plays
NOTHING: Mapping[Any, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Astray:
    """What is wrong on some cells (none: with the whole table), and the way back."""

    code: str
    sentence: str
    way_back: str


@dataclass(frozen=True, slots=True)
class Called:
    """An illegal card that lies there still; perhaps somebody laid it."""

    card: str
    guess: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """Hand it every reply; it is what is still open."""

    astray: Mapping[int, Astray] = field(default_factory=lambda: NOTHING)  # by cell; 0: the whole table
    called: Mapping[int, Called] = field(default_factory=lambda: NOTHING)  # by cell
    guesses: Mapping[int, str] = field(default_factory=lambda: NOTHING)  # by move: who perhaps made it

    def after(self, reply: Mapping[str, Any]) -> "Step":
        match reply["kind"]:
            case "out-of-step":
                wrong = Astray(reply["code"], reply["sentence"], reply["way_back"])
                return replace(self, astray=_with(self.astray, reply["cells"] or [0], wrong))
            case "in-step":
                return replace(self, astray=_without(self.astray, reply["cells"] or [0]))
            case "put-right":
                return replace(self, called=_without(self.called, [reply["cell"]]))
            case "foul" if reply.get("evidence"):
                seen = reply["evidence"]
                found = Called(seen["card"], seen["guess"])
                return replace(self, called=_with(self.called, [seen["cell"]], found))
            case "ruling":
                return self._ruled(reply)
            case "correction":
                return replace(self._stands(reply["now"] or {}), guesses=_before(self.guesses, reply["number"]))
            case "done":
                return replace(self, guesses=_before(self.guesses, reply["table"]["moves"] + 1))
            case "match":
                return Step()
        return self

    def _ruled(self, reply: Mapping[str, Any]) -> "Step":
        if reply["move"]["move"] in ("deal", "go"):
            return Step(astray=self.astray)
        guess = (reply.get("evidence") or {}).get("guess", "")
        guesses = _with(_before(self.guesses, reply["number"]), [reply["number"]], guess) if guess else self.guesses
        newest = dict(list(guesses.items())[-GUESSES:])
        return replace(self._stands(reply["move"]), guesses=MappingProxyType(newest))

    def _stands(self, move: Mapping[str, Any]) -> "Step":
        """A card that had been called counts after all, or another lies on it."""
        cell = move.get("cell")
        return replace(self, called=_without(self.called, [cell])) if cell in self.called else self


def _with(known: Mapping[int, Any], keys: list[int], value: Any) -> Mapping[int, Any]:
    return MappingProxyType({**known, **dict.fromkeys(keys, value)})


def _without(known: Mapping[int, Any], keys: list[Any]) -> Mapping[int, Any]:
    return MappingProxyType({key: value for key, value in known.items() if key not in keys})


def _before(known: Mapping[int, Any], number: int) -> Mapping[int, Any]:
    return MappingProxyType({key: value for key, value in known.items() if key < number})
