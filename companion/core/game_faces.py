"""Which faces a deck of a game has, so that it can be taught: what `faces.py` of a game's package offers."""

from dataclasses import dataclass

from companion.core.errors import CompanionError
from companion.games import game, having, part


@dataclass(frozen=True, slots=True)
class GameFaces:
    """FACES of a game. Their names go into a deck file, and come back with what is read."""

    names: tuple[str, ...] = ()
    told_by: str = ""  # the deck of the reader that knows these faces untaught, if one does: nobody need name them
    parts: tuple[str, ...] = ()  # what the words of a name say, where all faces are made of the same parts


def faces_of(name: str) -> GameFaces:
    found = part(name, "faces", GameFaces)
    if not found.names:
        raise CompanionError(f"{game(name).title} has no faces that could be taught.")
    return found


def taught_games() -> tuple[str, ...]:
    """The games of which a deck can be taught."""
    return having("faces")
