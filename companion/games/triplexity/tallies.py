"""What decides a match of Triplexity."""

from companion.reports.statistics import GameTallies

TALLIES = GameTallies(
    moments={
        "three-of-a-colour": ("three", 9),
        "drawn-by-repetition": ("drawn", 8),
        "nobody-can-move": ("drawn", 8),
    },
    fouls={"moved-back": ("foul", 9), "stack-full": ("foul", 7)},
)
