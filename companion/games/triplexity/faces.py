"""The faces of the pieces of Triplexity: the pips of each colour."""

from companion.core.game_faces import GameFaces
from companion.core.match import COLOURS
from companion.games.triplexity.rules.house import House

PLAYERS = 2
OWNERS = COLOURS[:PLAYERS]  # as the pieces are printed

FACES = GameFaces(
    tuple(
        f"{colour}-{pips}"
        for colour in OWNERS
        for pips in sorted(pip for faces in House().faces for pip in faces.split("/"))
    ),
    parts=("colour", "pips"),
)
