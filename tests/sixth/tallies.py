"""What decides a match of Sticks."""

from companion.reports.statistics import GameTallies

TALLIES = GameTallies(moments={"took": ("taken", 1)}, fouls={"too-many": ("foul", 7)})
