"""How rounds and matches end: laws over the matches that are kept, in every language."""

import itertools

import pytest

from companion.core.match import Match, set_up
from companion.games import game
from companion.games.triple3.rules import Deal, Go, House, Out
from companion.reports import ending
from companion.reports.progress import round_just_over, rounds, steps
from companion.words import LANGUAGES, Words
from tests.recorded import NAMES, recorded

WITH_ROUNDS = [name for name in NAMES if name.startswith(("triple3", "triplexity"))]


def names_of(played: Match) -> tuple[str, ...]:
    return played.setup.names


@pytest.mark.parametrize("name", WITH_ROUNDS)
def test_every_round_is_told_with_its_winner_and_by_what(name: str) -> None:
    match = recorded(name)
    over = rounds(match)
    assert [one.number for one in over] == list(range(1, len(over) + 1))
    assert tuple(map(sum, zip(*(one.added for one in over), strict=True))) == match.state.scores
    for language in LANGUAGES:
        words = Words(language)
        for one in over:
            said, why = ending.round_headline(words, one), words.why(one.ended)
            assert all(winner in said for winner in one.winners)
            assert str(one.number) in said
            assert why
            assert not {"{", "}"} & set(said + why)
    for one in over:  # whoever gets something is whoever has won
        got = tuple(player for player, added in zip(names_of(match), one.added, strict=True) if added)
        assert got == one.winners


@pytest.mark.parametrize("name", NAMES)
def test_a_match_is_told_with_its_winners_and_by_what(name: str) -> None:
    match = recorded(name)
    assert match.outcome is not None
    for language in LANGUAGES:
        words = Words(language)
        said = " ".join((ending.headline(words, match), *ending.reasons(words, match)))
        assert all(winner in said for winner in match.outcome.winners)
        assert not {"{", "}"} & set(said)
        assert ending.reasons(words, match)


@pytest.mark.parametrize("name", NAMES)
def test_the_winners_are_ahead_by_what_is_said(name: str) -> None:
    match = recorded(name)
    said = ending.margin(Words(), match)
    if not match.outcome or len(match.outcome.winners) != 1 or len(names_of(match)) == 1:
        assert "ahead" not in said
        assert "fewer" not in said
        return
    scores = sorted(match.outcome.scores, reverse=not match.game.is_fewest_best)
    assert f" {abs(scores[0] - scores[1])} " in f" {said}"


def test_a_round_is_just_over_after_its_last_move_and_no_longer() -> None:
    match = recorded("triple3-grid-not-shown")
    again, found = Match(match.setup), []
    for done in match.line:
        again.make(done.move)
        over = round_just_over(again)
        found += [over.number] if over else []
    assert found == [1, 2, 3, 4]  # after the fifth the match is over


def test_a_shared_round() -> None:
    match = Match(set_up(game("triple3"), ["Anna", "Ben", "Carl"], House()))
    for move in (Deal(""), Go(""), Out("Anna", ("Anna", "Ben"))):
        match.make(move)
    over = round_just_over(match)
    assert over is not None
    assert over.winners == ("Anna", "Ben")
    assert over.added == (1, 1, 0)
    assert ending.round_headline(Words("de"), over) == "Anna und Ben teilen sich Runde 1!"


@pytest.mark.parametrize("name", NAMES)
def test_steps_lead_to_the_scores_at_the_end(name: str) -> None:
    match = recorded(name)
    found = steps(match)
    assert found[-1].scores == tuple(match.state.scores)
    assert all(one.scores != two.scores and one.move < two.move for one, two in itertools.pairwise(found))
