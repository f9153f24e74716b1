"""Results of a club, told entry by entry as a table tells them, with names and scores of our own choice."""

from collections.abc import Mapping
from dataclasses import replace

from companion.board.results import ArrivedEntry, Results
from companion.core.codec import plain, written
from companion.publishing.entry_payloads import EndNow, EntryNow, SaidNow, StandingNow
from companion.publishing.payloads import PlayerNow

BEGAN = "2026-11-18T20:00:00+00:00"


def entry_of(
    code: str, number: int, kind: str = "made", *, table: str = "kitchen", game: str = "triplexity"
) -> EntryNow:
    """An entry that follows the one before it; of no standing yet."""
    before = f"{number - 1:032x}" if number else ""
    said = (SaidNow("", "A match begins.", {}),)
    return EntryNow(
        2, table, code, game, number, f"{number:032x}", before, kind, BEGAN, "", "", "", said, None, None
    )  # fmt: skip


def standing_of(scores: Mapping[str, int], winners: tuple[str, ...] | None) -> StandingNow:
    """None: nobody has won yet, for it runs."""
    players = tuple(PlayerNow(name, "red", score, turn=False) for name, score in scores.items())
    over = None if winners is None else EndNow(winners, abandoned=False, text="The match is abandoned.", facts={})
    status = "running" if over is None else "over"
    return StandingNow(status, players, "", "over" if over else "turn", 1, (), None, over, (), 60.0)


def finished(
    code: str, scores: Mapping[str, int], *winners: str, table: str = "kitchen", game: str = "triplexity"
) -> list[EntryNow]:
    """A match in two entries. The winners are those with most points, where nobody else is named."""
    best = winners or tuple(name for name, score in scores.items() if score == max(scores.values()))
    return [
        replace(entry_of(code, 0, "setup", table=table, game=game), standing=standing_of(scores, None)),
        replace(entry_of(code, 1, table=table, game=game), standing=standing_of(scores, best)),
    ]


def taken_back(entries: list[EntryNow], kind: str = "undone", winners: tuple[str, ...] | None = None) -> EntryNow:
    """What takes the result of a match back, or makes another one of it."""
    last = entries[-1]
    assert last.standing
    scores = {player.name: player.score for player in last.standing.players}
    after = entry_of(last.match, last.number + 1, kind, table=last.table, game=last.game)
    return replace(after, standing=standing_of(scores, winners))


def take(results: Results, *entries: EntryNow) -> None:
    results.take([ArrivedEntry(entry, written(plain(entry))) for entry in entries])
