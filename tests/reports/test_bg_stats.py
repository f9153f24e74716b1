"""The address that opens BG Stats with a match filled in."""

import json
from datetime import UTC, datetime
from urllib.parse import unquote

import pytest

from companion.core.match import Match
from companion.games import NAMES, game
from companion.reports.bg_stats import ADDRESS, play_address
from companion.reports.qr_code import qr_rows
from tests.publishing.kept_matches import entries_of

ENDED = datetime(2026, 11, 20, 19, 30, 5, tzinfo=UTC)


@pytest.mark.parametrize("name", NAMES)
def test_a_match_of_each_game(name: str) -> None:
    setup, entries = entries_of(game(name))
    match = Match(setup)
    for entry in entries:
        match.take(entry)
    assert match.outcome
    address = play_address(setup, match.game, match.outcome, match.now, ENDED)
    assert address.startswith(ADDRESS)
    assert qr_rows(address)
    play = json.loads(unquote(address.removeprefix(ADDRESS)))
    assert play["playDate"] == "2026-11-20 19:30:05"
    assert play["sourcePlayId"] == setup.id
    assert play["durationMin"] >= 1
    assert play["game"]["name"] == match.game.title
    assert play["game"]["highestWins"] != match.game.is_fewest_best
    assert [player["name"] for player in play["players"]] == list(setup.names)
    assert [player["score"] for player in play["players"]] == list(match.outcome.scores)
    assert {player["name"] for player in play["players"] if player["winner"]} == set(match.outcome.winners)
    assert all(isinstance(player["winner"], bool) for player in play["players"])
