"""Changes of a result: told in whatever order, they are the same, and they can be made anew from entries."""

import random
from dataclasses import replace
from typing import Any

import pytest

from companion.board.books import books_on
from companion.board.club_pages import course_shown
from companion.board.finished import FinishedMatch, FinishedSeat
from companion.board.match_outcomes import ResultChange
from companion.board.reading import read_entry_now
from companion.board.results import Results
from companion.core.codec import plain, written
from companion.core.errors import MalformedError
from companion.publishing.entry_payloads import EntryNow, PieceNow, RunNow
from companion.words import Words
from tests.board.club_matches import entry_of, finished, standing_of, take

ANNA, BEN, NOBODY = ("Anna",), ("Ben",), None


def course() -> list[EntryNow]:
    """Anna wins; that is taken back and comes again; it is put right, and Ben has won; the match is abandoned."""
    scores = {"Anna": 2, "Ben": 1}
    entries = finished("m1", scores)
    for number, (kind, winners) in enumerate(
        [("undone", NOBODY), ("made", ANNA), ("paused", ANNA), ("corrected", BEN), ("abandoned", NOBODY)], 2
    ):
        entries.append(replace(entry_of("m1", number, kind), standing=standing_of(scores, winners)))
    return entries


def told(results: Results) -> list[tuple[int, str, list[str] | None, list[str] | None]]:
    return [(one.number, one.kind, _winners(one.before), _winners(one.after)) for one in results.changes()]


def _winners(result: Any) -> list[str] | None:
    return [player.name for player in result.players if player.won] if result else None


CHANGES = [
    (2, "undone", ["Anna"], None),
    (3, "made", None, ["Anna"]),
    (5, "corrected", ["Anna"], ["Ben"]),
    (6, "abandoned", ["Ben"], None),
]


def test_every_change_of_a_result_is_known(results: Results) -> None:
    for entry in course():
        take(results, entry)
    assert told(results) == CHANGES
    assert results.changes("m2") == []
    assert [type(one) for one in results.changes("m1")] == [ResultChange] * 4


@pytest.mark.parametrize("seed", range(8))
def test_in_whatever_order_they_come_changes_are_the_same(results: Results, seed: int) -> None:
    entries = [*course(), *course()[2:4]]
    random.Random(seed).shuffle(entries)
    while entries:
        some, entries = entries[:2], entries[2:]
        take(results, *some)
    assert told(results) == CHANGES


def test_a_result_that_comes_and_goes_in_one_breath_is_known(results: Results) -> None:
    entries = course()
    take(results, entries[0])
    take(results, *entries[1:3])
    assert told(results) == CHANGES[:1]
    assert results.finished() == []
    take(results, entries[3])
    assert [match.code for match in results.finished()] == ["m1"]


def test_changes_and_runs_can_be_made_anew(results: Results) -> None:
    take(results, *course())
    before = told(results)
    results.make_anew()
    assert told(results) == before == CHANGES


def test_places_of_a_match() -> None:
    def places(game: str, *seats: tuple[int, bool]) -> tuple[int, ...]:
        found = tuple(FinishedSeat(str(at), score, won=won) for at, (score, won) in enumerate(seats))
        return FinishedMatch("m", "t", game, "", 0.0, found).places()

    assert places("three", (5, False), (9, True), (5, False), (1, False)) == (2, 1, 2, 4)
    assert places("tres", (5, False), (0, True), (2, False)) == (3, 1, 2)
    assert places("triplexity", (1, False), (0, False)) == (1, 1), "nobody has won"
    assert places("of-tomorrow", (5, False), (9, True), (1, False)) == (2, 1, 2), "what its points are worth, who knows"


# --- forged numbers


def forged(**changes: Any) -> bytes:
    run = RunNow("Anna", 1.0, 0, (PieceNow("Square", {}),))
    entry = finished("m1", {"Anna": 2, "Ben": 1})[1]
    standing: Any = entry.standing
    players = standing.players
    if "score" in changes:
        players = (replace(players[0], score=changes.pop("score")), players[1])
    if "name" in changes:
        players = (replace(players[0], name=changes.pop("name")), players[1])
    began = changes.pop("began", entry.began)
    over = replace(standing.over, run=replace(run, **changes))
    return written(plain(replace(entry, began=began, standing=replace(standing, players=players, over=over)))).encode()


@pytest.mark.parametrize(
    "changes",
    [
        {"score": 2**40},
        {"score": -(2**40)},
        {"name": "An\0na"},
        {"name": "A" * 201},
        {"began": "2026-11-18" * 5},
        {"began": "now\0"},
        {"used": -1.0},
        {"used": 1e18},
        {"left": -1},
        {"left": 2**40},
        {"player": "A\0"},
        {"course": (PieceNow("Square", {}),) * 21},
        {"course": (PieceNow("{player:>999999999}", {"player": "A"}),)},
    ],
)
def test_what_no_database_can_hold_is_refused(changes: dict[str, Any]) -> None:
    """Else it would be tried for ever, and nothing behind it would come in."""
    with pytest.raises(MalformedError):
        read_entry_now(forged(**changes), "kitchen")


def test_the_largest_that_is_let_in_can_be_kept(results: Results) -> None:
    content = forged(score=-1_000_000, name="Ä" * 200, began="2" * 40, used=1e6, left=1_000_000, player="Ä" * 200)
    take(results, finished("m1", {"Anna": 2, "Ben": 1})[0], read_entry_now(content, "kitchen"))
    (run,) = results.runs()
    assert (run.used, run.left, run.name) == (1e6, 1_000_000, "Ä" * 200)
    club = books_on(results._engine, results).club()
    assert {line.player.name for line in club.players} == {"Ä" * 200, "Ben"}


def test_a_course_that_cannot_be_said_is_left_as_it_was_written(results: Results) -> None:
    content = forged(course=(PieceNow("{text} cards", {"text": "many"}), PieceNow("{gone}", {})))
    take(results, finished("m1", {"Anna": 2, "Ben": 1})[0], read_entry_now(content, "kitchen"))
    (course,) = books_on(results._engine, results).club().courses
    assert course_shown(course, Words("de")).course == "{text} cards · {gone}"
