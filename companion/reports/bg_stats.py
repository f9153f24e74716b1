"""A match that is over as an address that opens the app BG Stats with the play filled in.

The app asks before it keeps anything, and this table sends nothing. How the address is made up was taken from several
programs that agree on it; neither the app nor its maker's page was at hand.
"""

import json
from datetime import UTC, datetime
from urllib.parse import quote

from companion.core.clocks import SECOND
from companion.core.match import Setup
from companion.core.rules import Game, Outcome

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Table companion"


def play_address(setup: Setup, game: Game, outcome: Outcome, time: int, ended: datetime) -> str:
    """`time`: of the match, in nanoseconds. The same match has the same address but for `ended`."""
    play = {
        "sourceName": SOURCE,
        "sourcePlayId": setup.id,
        "playDate": ended.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": max(1, round(time / (60 * SECOND))),
        "game": {
            "name": game.title,
            "sourceGameId": setup.game,
            "highestWins": not game.is_fewest_best,
            "noPoints": False,
        },
        "players": [
            {"name": name, "sourcePlayerId": name, "score": score, "winner": name in outcome.winners}
            for name, score in zip(setup.names, outcome.scores, strict=True)
        ],
    }
    return ADDRESS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")
