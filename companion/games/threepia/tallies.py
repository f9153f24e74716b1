"""What decides a match of Threepia."""

from companion.reports.statistics import GameTallies

TALLIES = GameTallies(
    moments={
        "hand-empty": ("hand-empty", 3),
        "deck-used-up": ("deck-empty", 4),
        "turn-time-up": ("time-up", 6),
        "out-of-time": ("time-up", 7),
    },
    fouls={"does-not-fit": ("foul", 7), "points-differ": ("foul", 7)},
)
