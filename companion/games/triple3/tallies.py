"""What is counted of the players of Triple³, and what decides a match of it."""

from companion.games.triple3.rules import PlayedIllegally
from companion.reports.statistics import GameTallies, adds

TALLIES = GameTallies(
    counts={PlayedIllegally: adds(illegal=1)},
    moments={
        "played-illegally": ("illegal", 9),
        "found-lying": ("found", 4),
        "stopped": ("stop", 8),
        "claim-open": ("claim", 9),
        "nobody-can-lay": ("blocked", 5),
        "round-won": ("round", 8),
    },
    fouls={"no-new-triple": ("illegal", 9), "not-out": ("foul", 7), "somebody-can-lay": ("foul", 7)},
)
