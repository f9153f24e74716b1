"""The five games. Each file holds one game whole, as functions from a state and a move to a ruling."""

from importlib import import_module

from companion.exc import CompanionError
from companion.rules import Game

NAMES = ("three", "triple3", "tres", "triplexity", "threepia")


def game(name: str) -> Game:
    """The game of that name, loaded when it is asked for."""
    if name not in NAMES:
        raise CompanionError(f"There is no game '{name}'; the games are {', '.join(NAMES)}.")
    found = import_module(f"companion.games.{name}").GAME
    assert isinstance(found, Game)
    return found
