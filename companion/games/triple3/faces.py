"""The faces of a deck of Triple³: sixty-four cards, each once, and the reader knows what they mean."""

from companion.core.game_faces import GameFaces
from companion.games.triple3.print import PRINT
from companion.games.triple3.rules.cards import DECK

FACES = GameFaces(DECK, told_by=PRINT.deck, parts=("colour", "shape", "count"))
