"""A match that was played to its end, as a line of results: who left whom behind. Nothing here decides a match."""

from dataclasses import dataclass

from companion.core.errors import CompanionError
from companion.games import game


@dataclass(frozen=True, slots=True)
class FinishedSeat:
    name: str
    score: int
    won: bool


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    code: str
    table: str
    game: str
    began: str
    heard: float  # when the board first heard of it, in seconds since 1970
    seats: tuple[FinishedSeat, ...]

    @property
    def is_contest(self) -> bool:
        """Whoever plays alone has a time, and beats nobody."""
        return len(self.seats) > 1

    def places(self) -> tuple[int, ...]:
        """The place of each seat, from 1 on: those who won, then the others by their scores. Who is equal shares one,
        and so does everybody where nobody won."""
        if not any(seat.won for seat in self.seats):
            return (1,) * len(self.seats)
        keys = [_key(seat, _worth_of_score(self.game)) for seat in self.seats]
        return tuple(1 + sum(other < key for other in keys) for key in keys)


def _key(seat: FinishedSeat, worth: int) -> tuple[bool, int]:
    return not seat.won, 0 if seat.won else -worth * seat.score


def _worth_of_score(name: str) -> int:
    """1 where much is good, -1 where little is; 0 for a game that this board does not know."""
    try:
        return -1 if game(name).is_fewest_best else 1
    except CompanionError:
        return 0
