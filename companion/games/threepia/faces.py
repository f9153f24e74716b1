"""The faces of a deck of Threepia: its symbols, each once, however cards combine them."""

from companion.core.game_faces import GameFaces
from companion.games.threepia.rules.cards import SYMBOLS

FACES = GameFaces(tuple(map(str, SYMBOLS)), parts=("shape", "colour"))
