"""Triplexity: two dice, each cut into three pieces, on three places; three of one colour win.

A `Position` is the game without pips: the rules of moving, winning and the solver need nothing else. The
state adds which faces show (they only matter to the points of the advanced game), the rounds and the points.

Which moves are open does not depend on who makes them: any top piece may be moved by either player. So whoever
has no move passes to somebody who has none either, and the round is drawn. Only where no piece may go back
(`no_return` each) does that happen.
"""

from companion.games.triplexity.rules.events import *
from companion.games.triplexity.rules.game import *
from companion.games.triplexity.rules.house import *
from companion.games.triplexity.rules.moves import *
from companion.games.triplexity.rules.position import *
from companion.games.triplexity.rules.rounds import *
from companion.games.triplexity.rules.state import *
