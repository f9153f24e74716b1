"""The faces of a deck of Three!: one card of each dog is enough."""

from companion.core.game_faces import GameFaces
from companion.games.three.rules.house import DOGS

FACES = GameFaces(tuple(dog.name for dog in DOGS))
