"""How strong somebody plays, by openskill: it knows matches of any number of players, each for themselves."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from openskill.models import PlackettLuce, PlackettLuceRating

from companion.board.accounts import ClubPlayer, Registry
from companion.board.finished import FinishedMatch

NOBODY_KNOWS, A_POINT = 1000, 40  # what who has not played has, and how many points openskill's one is


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """`strength` and how unsure that is, in openskill's own numbers."""

    strength: float
    doubt: float

    @property
    def points(self) -> int:
        """What is nearly sure: three doubts below the strength. It begins at 1000."""
        return round(NOBODY_KNOWS + A_POINT * (self.strength - 3 * self.doubt))


def ratings(matches: Iterable[FinishedMatch], registry: Registry) -> dict[tuple[str, ClubPlayer], PlayerRating]:
    """By game and player, from matches in the order in which they were played."""
    found: dict[tuple[str, ClubPlayer], PlackettLuceRating] = {}
    for match in matches:
        players = registry.players(match) if match.is_contest else ()
        if players:
            keys = [(match.game, player) for player in players]
            before = [[found.get(key) or _model().rating()] for key in keys]
            after = _model().rate(before, ranks=[float(place) for place in match.places()])
            found.update(zip(keys, (rated for (rated,) in after), strict=True))
    return {key: PlayerRating(rated.mu, rated.sigma) for key, rated in found.items()}


@cache
def _model() -> PlackettLuce:
    return PlackettLuce()
