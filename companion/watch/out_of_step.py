"""What a watched table and its match do not agree on, followed through the replies: out of step, called, guessed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from companion.core.replies import CorrectionReply, DoneReply, EvidenceData, FoulReply, MatchReply, Reply, RulingReply
from companion.core.rules import Move
from companion.watch.messages import InStepReply, OutOfStepReply, PutRightReply

GUESSES = 8  # of the newest plays
NOTHING: Mapping[Any, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Astray:
    """What is wrong on some cells (none: with the whole table), and the way back."""

    code: str
    sentence: str
    way_back: str
    spots: tuple[int, ...] = ()  # of the mat, to be marked in the picture


@dataclass(frozen=True, slots=True)
class CalledCard:
    """An illegal card that lies there still, why it is one, and who perhaps laid it."""

    card: str
    guess: str = ""
    sentence: str = ""
    place: str = ""  # what people call the cell, where that is no number
    spots: tuple[int, ...] = ()  # the places of the mat on which it lies


@dataclass(frozen=True, slots=True)
class SeenMove:
    """The newest move, if it was seen: how surely, and what may have been instead."""

    number: int
    chance: float
    other: str = ""


@dataclass(frozen=True, slots=True)
class Differences:
    """Hand it every reply; it is what is still open."""

    astray: Mapping[int, Astray] = field(default_factory=lambda: NOTHING)  # by cell; 0: the whole table
    called: Mapping[int, CalledCard] = field(default_factory=lambda: NOTHING)  # by cell
    guesses: Mapping[int, str] = field(default_factory=lambda: NOTHING)  # by move: who perhaps made it
    newest: SeenMove | None = None

    def after(self, reply: Reply) -> "Differences":
        match reply:
            case OutOfStepReply(_, cells, code, sentence, way_back, spots):
                found = Astray(code, sentence, way_back, tuple(spots or cells))
                return replace(self, astray=_with(self.astray, cells or [0], found))
            case InStepReply(_, cells):
                return replace(self, astray=_without(self.astray, cells or [0]))
            case PutRightReply(_, cell):
                return replace(self, called=_without(self.called, [cell]))
            case FoulReply(evidence=EvidenceData() as seen):
                called = CalledCard(
                    seen.card, seen.guess, reply.sentence, seen.place, tuple(seen.spots) or (seen.cell,)
                )
                return replace(self, called=_with(self.called, [seen.cell], called))
            case RulingReply():
                return self._ruled(reply)
            case CorrectionReply(number, _, now):
                return replace(self._stands(now), guesses=_before(self.guesses, number), newest=None)
            case DoneReply():
                newest = self.newest if self.newest and self.newest.number == reply.table.moves else None
                return replace(self, guesses=_before(self.guesses, reply.table.moves + 1), newest=newest)
            case MatchReply():
                return Differences()
        return self

    def _ruled(self, reply: RulingReply) -> "Differences":
        number, seen = reply.number, reply.evidence
        newest = SeenMove(number, seen.chance, seen.other) if seen else None
        if reply.move.word in ("deal", "go"):
            return Differences(astray=self.astray, newest=newest)
        guess = seen.guess if seen else ""
        guesses = _with(_before(self.guesses, number), [number], guess) if guess else self.guesses
        latest = dict(list(guesses.items())[-GUESSES:])
        return replace(self._stands(reply.move), guesses=MappingProxyType(latest), newest=newest)

    def _stands(self, move: Move | None) -> "Differences":
        """A card that had been called counts after all, or another lies on it."""
        cell, place = getattr(move, "cell", None), getattr(move, "place", "")
        stand = [at for at, card in self.called.items() if at == cell or (place and card.place == place)]
        return replace(self, called=_without(self.called, stand)) if stand else self


def _with(known: Mapping[int, Any], keys: list[int], value: Any) -> Mapping[int, Any]:
    return MappingProxyType({**known, **dict.fromkeys(keys, value)})


def _without(known: Mapping[int, Any], keys: list[Any]) -> Mapping[int, Any]:
    return MappingProxyType({key: value for key, value in known.items() if key not in keys})


def _before(known: Mapping[int, Any], number: int) -> Mapping[int, Any]:
    return MappingProxyType({key: value for key, value in known.items() if key < number})
