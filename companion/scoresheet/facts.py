"""What stands on a score sheet, in the language of the table; nothing of how it looks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from companion.core.house import house_rules
from companion.core.match import Player
from companion.core.rules import Outcome
from companion.reports import ending
from companion.reports.curve import Curve, curve_of
from companion.reports.progress import PlayedMatch, Scores, rounds, steps
from companion.words import Words, labels

MOST_ROWS = 30  # that can be read on one page; with more of them several become one


@dataclass(frozen=True, slots=True)
class Row:
    """What a round brought, or some moves, and how it stood then."""

    label: str
    added: tuple[int | None, ...]  # None: nothing happened to this player
    scores: Scores


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A player at the end."""

    player: Player
    score: int
    is_winner: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    title: str
    when: str
    headline: str
    reasons: tuple[str, ...]
    lines: tuple[SheetLine, ...]  # best first
    players: tuple[Player, ...]  # as they sat
    rows: tuple[Row, ...]
    counted: str  # what the scores are of
    label: str  # of what the rows are
    curve: Curve
    along: str
    foot: tuple[str, ...]


def sheet_of(played: PlayedMatch, words: Words, *, when: date | None, moves: str) -> Sheet:
    """The sheet of a match; `moves` says how many there were and how long it took."""
    outcome: Outcome | None = played.state.outcome
    is_by_rounds = bool(rounds(played))
    return Sheet(
        played.game.title,
        words.date(when) if when else "",
        ending.headline(words, played),
        ending.reasons(words, played),
        _lines(played, outcome),
        played.setup.players,
        tuple(_few(_rows(played))),
        words.say(labels.SCORED_IN[played.game.scored_in][0]),
        words.say(labels.ROUNDS) if is_by_rounds else words.say(labels.MOVES),
        curve_of(played),
        words.say(labels.MOVES),
        (moves, *_house(played, words)),
    )


def _lines(played: PlayedMatch, outcome: Outcome | None) -> tuple[SheetLine, ...]:
    scores = outcome.scores if outcome else played.state.scores
    winners = outcome.winners if outcome else ()
    sign = 1 if played.game.is_fewest_best else -1
    found = [
        SheetLine(player, score, player.name in winners)
        for player, score in zip(played.setup.players, scores, strict=True)
    ]
    return tuple(sorted(found, key=lambda line: (not line.is_winner, sign * line.score)))


def _rows(played: PlayedMatch) -> Iterator[Row]:
    """By rounds where there are some; else a new row whenever somebody scores who has one in the row before."""
    over = rounds(played)
    if over:
        for one in over:
            yield Row(str(one.number), one.added, one.after)
        return
    if played.game.is_fewest_best:  # cards go and come in every turn: only the curve tells of it
        return
    row: Row | None = None
    found = steps(played)
    for before, after in pairwise(found):
        added = tuple(now - was if now != was else None for was, now in zip(before.scores, after.scores, strict=True))
        if row is not None and _is_free(row, added):
            row = _together(row, Row(str(after.move), added, after.scores))
        else:
            if row is not None:
                yield row
            row = Row(str(after.move), added, after.scores)
    if row is not None:
        yield row


def _is_free(row: Row, added: Iterable[int | None]) -> bool:
    return all(have is None or more is None for have, more in zip(row.added, added, strict=True))


def _together(one: Row, other: Row) -> Row:
    added = tuple(
        None if was is None and more is None else (was or 0) + (more or 0)
        for was, more in zip(one.added, other.added, strict=True)
    )
    return replace(other, added=added)


def _few(rows: Iterable[Row]) -> list[Row]:
    """So many as can be read on a page."""
    found = list(rows)
    each = -(-len(found) // MOST_ROWS)
    done: list[Row] = []
    for number, row in enumerate(found):
        if number % each:
            done[-1] = _together(done[-1], row)
        else:
            done.append(row)
    return done


def _house(played: PlayedMatch, words: Words) -> Iterator[str]:
    """The house rules that are not as usual."""
    for name, value, _, is_changed in house_rules(played.game, played.setup.house):
        if is_changed:
            chosen = getattr(played.setup.house, name)
            said = words.choice(chosen) if not isinstance(chosen, int) or isinstance(chosen, bool) else value
            yield f"{words.rule(played.game, name)} ({said})"
