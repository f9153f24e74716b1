"""Which games have printed cards that a camera reads, and on which mats: what `print.py` of a game's package offers."""

from dataclasses import dataclass

from companion.games import game, having, part


@dataclass(frozen=True, slots=True)
class GamePrint:
    """PRINT of a game. Without a deck there is nothing that a camera reads."""

    deck: str = ""  # as the card of the reader's model calls it
    mats: tuple[str, ...] = ()  # by name, that it is played on; the first is the usual one


def deck_of(name: str) -> str:
    return part(name, "print", GamePrint).deck


def mats_of(name: str) -> tuple[str, ...]:
    return part(name, "print", GamePrint).mats


def game_on(mat: str) -> str:
    """The game that is played on a mat; nothing where that is nobody's."""
    return next((name for name in having("print") if mat in mats_of(name)), "")


def decks() -> dict[str, str]:
    """The decks that there are, each with its game."""
    return {deck: name for name in having("print") if (deck := deck_of(name))}


def usual_deck() -> str:
    """The one that is printed and read where nobody names another."""
    return next(iter(decks()))


def title_of(deck: str) -> str:
    """Of which game a deck is, as its box has it."""
    return game(decks()[deck]).title
