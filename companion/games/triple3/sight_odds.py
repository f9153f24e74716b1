"""How likely what befalls a table of Triple³ is: prior odds; and how sure a verdict must be before it is told.

What stands here are the values where nothing was counted, and what each means. `make calibrate` counts what can be
counted, and writes sight_calibrated.py.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Odds:
    illegal: float = 0.11  # of plays, as they were meant
    looked_through: float = 6  # cards of a hand: a cell that takes few cards is seldom chosen
    usually_found: float = 0.85
    unheeding: float = 0.5  # of hands on their way that lay the card though it has become illegal meanwhile
    sets_out: float = 0.9  # seconds before a card is laid an arm may have set out
    uncalled: float = 0.4  # of those who lay on a called card do so because they have not heard
    heard_after: float = 1.6  # seconds
    taken: float = 0.03  # a card that counts is taken back ...
    taken_called: float = 0.5  # ... and one that does not
    taken_unseen: float = 0.05  # times the chance of an unseen lay: it was taken away and another laid
    stays: float = 0.15  # a card that does not count still lies there ...
    stays_after: float = 6.0  # ... after so many seconds
    otherwise: float = 0.003  # that a card on top counts other than was thought, at its settling ...
    doubtful: float = 0.02  # ... where there was so much doubt; in proportion where there was less ...
    otherwise_least: float = 0.00001  # ... and at least so
    astray: float = 0.0003  # that all of it is otherwise, and what lies on top counts
    knocked: float = 0.0055  # a card on top of a neighbour is seen here: shoved
    knocked_away: float = 0.004
    dug_out: float = 0.003  # taken out from under others
    hidden_once: float = 0.0001  # an unseen card, where one hand came ...
    hidden_again: float = 0.05  # ... and where more did, if nothing was glimpsed of it
    hidden_most: float = 0.6
    negligible: float = 0.01
    misread: float = 0.1  # times what a look leaves in doubt: it is another card
    never_misread: float = 0.0005  # what is rarer is not thought of


@dataclass(frozen=True, slots=True)
class Sureness:
    """An honest player who is called has more to lose than one whose foul is missed."""

    legal: float = 0.93  # so likely a play must be legal before that is told ...
    illegal: float = 0.03  # ... and so unlikely before it is called
