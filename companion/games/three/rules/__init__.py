"""Three!: collect three of a dog on your pile without the others noticing, and catch them when they do.

The referee may know the dogs on a pile, because somebody showed it each card, or only how many cards
lie there. It is sure of what it has seen, checks what is said against that, and takes a player's word
for the rest.
"""

from companion.games.three.rules.corrections import *
from companion.games.three.rules.events import *
from companion.games.three.rules.game import *
from companion.games.three.rules.house import *
from companion.games.three.rules.moves import *
from companion.games.three.rules.state import *
