"""The faces of a deck of Tres: each different card once."""

from companion.core.game_faces import GameFaces
from companion.games.tres.rules.cards import deck
from companion.games.tres.rules.house import House

FACES = GameFaces(tuple(deck(House())))
