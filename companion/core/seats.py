"""Who sits on a seat: a person, or a bot that plays as well and as fast as was chosen."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.core.codec import plain, read_optional
from companion.core.errors import MalformedError

EASY, USUAL, STRONG = LEVELS = ("easy", "usual", "strong")
PACES: Mapping[str, float] = {"slow": 2.0, "usual": 1.0, "quick": 0.5}  # how many times the usual time to think


@dataclass(frozen=True, slots=True)
class Bot:
    """A seat that plays by itself."""

    level: str = USUAL
    pace: str = "usual"  # of its thinking; it plays no better for it

    @property
    def slowness(self) -> float:
        return PACES[self.pace]


Bots = tuple[Bot | None, ...]  # by seats; None: a person


@dataclass(frozen=True, slots=True)
class BotSeats:
    """Where bots can sit at a table."""

    games: frozenset[str] = field(default_factory=frozenset)  # in which they can really play here
    fills: bool = False  # they sit wherever nobody has chosen a person

    @property
    def usual(self) -> Bot | None:
        """Who comes to a seat for which nobody has chosen."""
        return Bot() if self.fills else None


def bots_plain(bots: Iterable[Bot | None]) -> list[Any]:
    return [None if bot is None else plain(bot) for bot in bots]


def read_bots(data: Any, seats: int) -> Bots:
    """Those of a set-up, or a MalformedError."""
    if not isinstance(data, list) or len(data) != seats:
        raise MalformedError(f"bots: a list with a bot or null for each of the {seats} seats is needed.")
    found = tuple(read_optional(Bot, bot, f"bots.{seat}") for seat, bot in enumerate(data))
    for bot in found:
        _check(bot)
    return found


def _check(bot: Bot | None) -> None:
    if bot is None:
        return
    for kind, value, known in (("level", bot.level, LEVELS), ("pace", bot.pace, PACES)):
        if value not in known:
            raise MalformedError(f"bots: {kind} {value[:40]!r} is none of {', '.join(known)}.")
