"""What is counted of the players of Three!, and what decides a match of it."""

from companion.games.three.rules import Called, Checked, Struck
from companion.reports.statistics import Found, GameTallies, add_to, adds


def _checked(found: Found, event: Checked) -> None:
    """A call was right if the cards go to another bank; after a declaration they go to one's own."""
    if event.right and event.to.of != event.player:
        add_to(found, event.to.of, right=1)


TALLIES = GameTallies(
    counts={Struck: adds(strikes=1), Called: adds(calls=1), Checked: _checked},
    moments={
        "struck": ("strike", 7),
        "struck-together": ("tie", 9),
        "whose-hand": ("strike", 6),
        "called": ("call", 4),
        "released": ("released", 3),
        "checked": ("check", 8),
        "seen-otherwise": ("check", 9),
        "final-round": ("last-round", 4),
        "last-calls": ("last-round", 4),
    },
    fouls={"count-differs": ("foul", 7), "strike-void": ("foul", 7)},
)
