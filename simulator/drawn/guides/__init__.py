"""A first round of each game at the drawn table, led step by step. A game has GUIDE in `guide.py` of its package.

The round is a real match of the real referee, with cards that lie in a fixed order. What somebody is to do is a move
and no click: in whatever way it is made, what the referee rules on counts. The place in the round is the number of
moves that were made, so what is undone is asked for again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from companion.core.match import Match
from companion.core.rules import Foul, Move
from companion.games import part
from companion.words import Words
from simulator.drawn.spread import Spread

CARDS = ("card", "table_card")
FREE = ("at", "finish")  # of every move: when it is made, and by which press


@dataclass(frozen=True, slots=True)
class Step:
    """One move of the round. With words somebody is asked for it; without, a bot makes it."""

    move: Move
    asks: str = ""
    free: tuple[str, ...] = ()  # what of the move may be otherwise

    def is_met_by(self, move: Move) -> bool:
        if type(move) is not type(self.move):
            return False
        free: dict[str, Any] = {name: getattr(self.move, name) for name in (*FREE, *self.free) if hasattr(move, name)}
        return bool(replace(move, **free) == self.move)

    def asked(self, words: Words, other: str) -> str:
        """What is to be done, in the language of the table."""
        return words.say(self.asks, other=other, **_facts(words, self.move))


def _facts(words: Words, move: Move) -> dict[str, Any]:
    """What of a move can be told."""
    found: dict[str, Any] = {}
    for fact in fields(move):
        value = getattr(move, fact.name)
        if fact.name in CARDS:
            found[fact.name] = words.card(value)
        elif fact.name == "cards":
            found[fact.name] = words.listed(map(words.card, value))
        elif isinstance(value, str):
            found[fact.name] = words.value(value)
    return found


@dataclass(frozen=True, slots=True)
class Guide:
    """GUIDE of a game; without steps nobody is led through a round of it."""

    game: str = ""
    rules: Mapping[str, Any] = field(default_factory=dict)  # of the house
    spread: Callable[[Match, int], Spread] = Spread
    steps: Callable[[str, str], tuple[Step, ...]] = lambda _me, _other: ()  # for somebody and a bot
    ending: str = ""  # what more there is to know


def guide(game: str) -> Guide:
    return part(game, "guide", Guide)


class Lead:
    """Where somebody is in a guided round."""

    def __init__(self, made: Guide, match: Match) -> None:
        self.guide = made
        self.match = match
        self.me, self.other = match.setup.names
        self.steps = made.steps(self.me, self.other)
        self._held_at = -1  # the move instead of which another one was tried that is allowed as well

    @property
    def at(self) -> int:
        return len(self.match.line)

    @property
    def is_astray(self) -> bool:
        """Something else was played than the round had in mind: a move was put right."""
        return any(not step.is_met_by(done.move) for step, done in zip(self.steps, self.match.line, strict=False))

    @property
    def step(self) -> Step | None:
        """What is to be done next; nothing when the round has been shown, or has become another one."""
        return self.steps[self.at] if self.at < len(self.steps) and not self.is_astray else None

    @property
    def far(self) -> tuple[int, int]:
        """Which of the things that are asked for it is, and how many there are."""
        asked = [bool(step.asks) for step in self.steps]
        return min(sum(asked[: self.at]) + 1, sum(asked)), sum(asked)

    @property
    def is_done(self) -> bool:
        return self.at >= len(self.steps) and not self.is_astray

    @property
    def asked(self) -> Move | None:
        """The move that somebody is to make now."""
        return self.step.move if self.step is not None and self.step.asks else None

    @property
    def is_held(self) -> bool:
        """Something was tried that is allowed, and is not what this round is about."""
        return self._held_at == self.at

    def lets(self, move: Move) -> bool:
        """A move that is asked for may be made; one against the rules goes to the referee, who says why not."""
        if self.is_astray or (self.step is not None and self.step.is_met_by(move)):
            return True
        try:
            self.match.game.rule(self.match.state, move)
        except Foul:
            self._held_at = -1
            return True
        self._held_at = self.at
        return False

    def bot_move(self) -> Move | None:
        return self.step.move if self.step is not None and not self.step.asks and self.match.is_running else None
