"""What the board knows of its players: what they played, how strong they are, their best times. Made from results."""

import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from companion.board.accounts import Accounts, ClubPlayer, Registry
from companion.board.finished import FinishedMatch
from companion.board.match_outcomes import RunLine
from companion.board.ratings import PlayerRating, ratings
from companion.board.results import Results
from companion.publishing.entry_payloads import PieceNow


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """What somebody has played of a game to its end. Who plays alone beats nobody, so that is no win."""

    player: ClubPlayer
    game: str
    matches: int
    won: int
    rating: PlayerRating | None


@dataclass(frozen=True, slots=True)
class TimedRun:
    player: ClubPlayer
    match: str
    began: str
    used: float
    left: int


@dataclass(frozen=True, slots=True)
class TimedCourse:
    """Runs that can be compared, the best first."""

    game: str
    pieces: tuple[PieceNow, ...]
    runs: tuple[TimedRun, ...]


@dataclass(frozen=True, slots=True)
class ClubNow:
    """`matches`: with a result, the oldest first."""

    registry: Registry
    matches: tuple[FinishedMatch, ...]
    players: tuple[PlayerLine, ...]
    courses: tuple[TimedCourse, ...]

    def matches_of(self, player: ClubPlayer) -> list[FinishedMatch]:
        """The newest first."""
        return [one for one in reversed(self.matches) if any(self._is(player, one, seat.name) for seat in one.seats)]

    def _is(self, player: ClubPlayer, match: FinishedMatch, name: str) -> bool:
        return self.registry.player(match.table, name) == player


class Club:
    """Worked out again only when a result has changed, or the host has said something."""

    def __init__(self, results: Results, accounts: Accounts) -> None:
        self._results, self._accounts = results, accounts
        self._working = threading.Lock()
        self._known: tuple[object, ClubNow] | None = None

    def now(self) -> ClubNow:
        with self._working:
            registry, mark = self._accounts.registry(), self._results.mark()
            if self._known is None or self._known[0] != (registry, mark):
                self._known = (registry, mark), _club_now(self._results, registry)
            return self._known[1]


def _club_now(results: Results, registry: Registry) -> ClubNow:
    matches = results.finished()
    return ClubNow(
        registry, tuple(matches), tuple(player_lines(matches, registry)), tuple(courses(results.runs(), registry))
    )


def player_lines(matches: Iterable[FinishedMatch], registry: Registry) -> list[PlayerLine]:
    """Game by game, the strongest first."""
    played: Counter[tuple[str, ClubPlayer]] = Counter()
    won: Counter[tuple[str, ClubPlayer]] = Counter()
    all_of_them = [*matches]
    for match in all_of_them:
        at_table = {registry.player(match.table, seat.name) for seat in match.seats}
        played.update((match.game, player) for player in at_table)
        winners = {registry.player(match.table, seat.name) for seat in match.seats if seat.won}
        won.update((match.game, player) for player in winners if match.is_contest)
    rated = ratings(all_of_them, registry)
    lines = [PlayerLine(key[1], key[0], count, won[key], rated.get(key)) for key, count in played.items()]
    return sorted(lines, key=_order)


def _order(line: PlayerLine) -> tuple[object, ...]:
    points = line.rating.points if line.rating else 0
    return line.game, line.rating is None, -points, -line.won, -line.matches, line.player.name, line.player.table


def courses(runs: Iterable[RunLine], registry: Registry) -> list[TimedCourse]:
    """What was run, that which was run last first; of each player at a course the best run."""
    found: dict[tuple[str, str], list[RunLine]] = {}
    for run in runs:
        key = run.game, repr(run.course)
        found[key] = [*found.pop(key, ()), run]
    return [_course(lines, registry) for lines in reversed(found.values())]


def _course(lines: list[RunLine], registry: Registry) -> TimedCourse:
    best: dict[ClubPlayer, RunLine] = {}
    for line in sorted(lines, key=lambda line: (line.left, line.used, line.began)):
        best.setdefault(registry.player(line.table, line.name), line)
    runs = tuple(TimedRun(player, line.match, line.began, line.used, line.left) for player, line in best.items())
    return TimedCourse(lines[0].game, lines[0].course, runs)
