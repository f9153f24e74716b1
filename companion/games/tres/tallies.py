"""What is counted of the players of Tres, and what decides a match of it."""

from companion.games.tres.rules import Caught
from companion.reports.statistics import GameTallies, adds

TALLIES = GameTallies(
    counts={Caught: adds(calls=1, right=1)},
    moments={
        "turn-lost": ("turn-lost", 3),
        "must-draw": ("penalty", 5),
        "said-tres": ("tres", 6),
        "said-together": ("tie", 9),
        "caught": ("caught", 10),
        "reshuffled": ("reshuffled", 2),
    },
    fouls={"not-consecutive": ("foul", 7), "not-three-cards": ("foul", 7), "not-the-drawn-card": ("foul", 7)},
)
