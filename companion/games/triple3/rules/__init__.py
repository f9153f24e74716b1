"""Triple³: everybody lays cards on a 3×3 grid at once, and each card must make a new triple.

The cells are numbered 1 to 9, row by row. The referee may see the grid, card by card, and then rules on
every play; or nobody shows it, and it keeps the rounds and the chips and takes claims on trust. It may know
who laid a card or not: what it cannot know it does not claim, only whether a claim can be true. A card may lie
on the grid that the referee never saw, because another one covered it too soon: such a card is hidden, written "?"
where its place in a pile is known, and it is counted, so that 64 = seen + hidden + in hands.
"""

from companion.games.triple3.rules.cards import *
from companion.games.triple3.rules.corrections import *
from companion.games.triple3.rules.events import *
from companion.games.triple3.rules.game import *
from companion.games.triple3.rules.grid import *
from companion.games.triple3.rules.house import *
from companion.games.triple3.rules.moves import *
from companion.games.triple3.rules.state import *
