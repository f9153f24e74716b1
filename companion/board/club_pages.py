"""What the pages of a club show of players, times, tournaments and changes, in the reader's language."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from companion.board import phrases
from companion.board.accounts import EVERY_TABLE, ClubPlayer, Registry
from companion.board.club import ClubNow, PlayerLine, TimedCourse
from companion.board.finished import FinishedMatch
from companion.board.match_outcomes import MatchResult, ResultChange, SeatResult
from companion.board.pages import day_shown, piece_said, result_shown, title
from companion.board.rounds import LEAGUE, PlayedPairing
from companion.board.tournaments import TournamentNow
from companion.words import Words, labels

MOST_LINES = 200  # of players at a game
MOST_RUNS = 20  # of a course


@dataclass(frozen=True, slots=True)
class WhoShown:
    """`link`: to the page of an account; a name of a table has none."""

    name: str
    link: str


@dataclass(frozen=True, slots=True)
class PlayerRow:
    place: str
    who: WhoShown
    game: str
    matches: int
    won: int
    rating: str


@dataclass(frozen=True, slots=True)
class RunRow:
    who: WhoShown
    time: str
    left: str
    day: str
    match: str


@dataclass(frozen=True, slots=True)
class CourseShown:
    title: str
    course: str
    runs: tuple[RunRow, ...]


@dataclass(frozen=True, slots=True)
class ChangeShown:
    match: str
    title: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class StandingRow:
    place: int
    who: WhoShown
    points: str
    played: int
    ties: tuple[str, ...]
    has_left: bool


@dataclass(frozen=True, slots=True)
class PairingRow:
    """`said`: how it went; `link`: to the match that counts."""

    number: int
    names: tuple[str, ...]
    points: tuple[str, ...]
    said: str
    link: str


@dataclass(frozen=True, slots=True)
class RoundShown:
    title: str
    pairings: tuple[PairingRow, ...]


@dataclass(frozen=True, slots=True)
class TournamentShown:
    name: str
    about: str
    rows: tuple[StandingRow, ...]
    ties: tuple[str, ...]  # headings
    settled: str
    rounds: tuple[RoundShown, ...]
    changes: tuple[ChangeShown, ...]


@dataclass(frozen=True, slots=True)
class MatchRow:
    code: str
    title: str
    about: str
    result: str


def who_shown(player: ClubPlayer, words: Words) -> WhoShown:
    if player.account:
        return WhoShown(player.name, f"/player/{player.account}")
    return WhoShown(words.say(phrases.AT_TABLE, name=player.name, table=player.table), "")


def _member(account: int, registry: Registry) -> WhoShown:
    return WhoShown(registry.names.get(account, "?"), f"/player/{account}")


# --- players


def games_shown(lines: Iterable[PlayerLine], words: Words) -> list[tuple[str, list[PlayerRow]]]:
    """By game: its title, and who plays it, the strongest first."""
    return [(title(name), _rows([*of_game], words)) for name, of_game in groupby(lines, lambda line: line.game)]


def _rows(lines: Sequence[PlayerLine], words: Words) -> list[PlayerRow]:
    points = [line.rating.points if line.rating else None for line in lines]
    return [
        PlayerRow(
            "" if own is None else str(1 + sum(one is not None and one > own for one in points)),
            who_shown(line.player, words),
            title(line.game),
            line.matches,
            line.won,
            "–" if own is None else str(own),
        )
        for line, own in zip(lines[:MOST_LINES], points, strict=False)
    ]


def known_as(account: int, registry: Registry, words: Words) -> str:
    names = [
        words.say(phrases.OF_ANY_TABLE, name=name)
        if table == EVERY_TABLE
        else words.say(phrases.AT_TABLE, name=name, table=table)
        for table, name in registry.names_of(account)
    ]
    return words.say(phrases.KNOWN_AS, names="; ".join(names)) if names else ""


def match_row(match: FinishedMatch, words: Words) -> MatchRow:
    result = MatchResult(tuple(SeatResult(seat.name, seat.score, seat.won) for seat in match.seats))
    about = " · ".join(filter(None, (day_shown(match.began, words), match.table)))
    return MatchRow(match.code, title(match.game), about, result_shown(result, words))


# --- times


def course_shown(course: TimedCourse, words: Words) -> CourseShown:
    runs = tuple(
        RunRow(
            who_shown(run.player, words),
            words.time(round(run.used * 1e9)),
            words.say(labels.CARDS_LEFT, count=run.left) if run.left else "",
            day_shown(run.began, words),
            run.match,
        )
        for run in course.runs[:MOST_RUNS]
    )
    return CourseShown(title(course.game), " · ".join(piece_said(piece, words) for piece in course.pieces), runs)


# --- changes


def change_shown(change: ResultChange, words: Words) -> ChangeShown:
    before, after = (
        result_shown(one, words) if one else words.say(phrases.NO_RESULT) for one in (change.before, change.after)
    )
    was, is_now = words.say(phrases.RESULT_BEFORE, result=before), words.say(phrases.RESULT_NOW, result=after)
    return ChangeShown(change.match, title(change.game), was, is_now)


# --- tournaments


def tournament_shown(
    now: TournamentNow, club: ClubNow, changes: Iterable[ResultChange], words: Words
) -> TournamentShown:
    one, registry = now.tournament, club.registry
    is_league = one.kind == LEAGUE
    rows = tuple(
        StandingRow(
            line.place,
            _member(line.account, registry),
            _points(line.points, words),
            line.played,
            tuple(_points(tie, words) for tie in line.ties),
            line.account in one.left,
        )
        for line in now.table
    )
    rounds = tuple(
        RoundShown(words.say(labels.ROUND, round=number), tuple(_pairing(each, registry, words) for each in of_round))
        for number, of_round in groupby(now.pairings, lambda each: each.pairing.round)
    )
    ties = phrases.TIES[-1:] if is_league else phrases.TIES
    return TournamentShown(
        one.name,
        about_tournament(now, words),
        rows,
        tuple(map(words.say, ties)),
        words.say(phrases.LEAGUE_COUNTS if is_league else phrases.SETTLED_BY),
        tuple(reversed(rounds)),
        tuple(change_shown(change, words) for change in changes),
    )


def about_tournament(now: TournamentNow, words: Words) -> str:
    one = now.tournament
    told = [words.say(phrases.KINDS[one.kind]), title(one.game), ", ".join(one.tables)]
    return " · ".join([*told, *([words.say(phrases.HAS_ENDED)] if one.ended is not None else [])])


def leaders(now: TournamentNow, club: ClubNow) -> str:
    return ", ".join(_member(line.account, club.registry).name for line in now.table if line.place == 1 and line.points)


def _pairing(one: PlayedPairing, registry: Registry, words: Words) -> PairingRow:
    pairing = one.pairing
    names = tuple(_member(each, registry).name for each in (pairing.first, pairing.second) if each is not None)
    if pairing.second is None:
        has_point = one.points is not None and one.points[0] > 0
        rests = phrases.RESTS_WITH_A_POINT if has_point else phrases.RESTS
        return PairingRow(pairing.number, (), (), words.say(rests, player=names[0]), "")
    points = tuple(_points(each, words) for each in one.points or ())
    said = words.told_of(words.say(phrases.STILL_TO_PLAY), pairing.table)
    if pairing.decided:
        said = words.say(phrases.DECIDED)
    elif points:
        said = ""
    return PairingRow(pairing.number, names, points, said, f"/match/{one.match}" if one.match else "")


def _points(points: float, words: Words) -> str:
    """Halves are as they are written by hand."""
    whole, half = divmod(round(2 * points), 2)
    if abs(2 * points - round(2 * points)) > 1e-9:
        return words.number(round(points, 2))
    return f"{whole or ''}½" if half else str(whole)
