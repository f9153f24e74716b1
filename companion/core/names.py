"""What can be the name of a player: it shows something, and looks like nobody else's."""

import unicodedata
from collections.abc import Callable, Iterable

from companion.core.errors import PlayersError
from companion.core.sentence import Sentence

LONGEST_NAME = 60
# Letters and symbols by their category, and nothing to the eye: fillers of Hangul and of hieroglyphs, an empty pattern
# of Braille, a note without a head, what stands for an object that is not there.
BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\U00013441\U00013442\U0001d159\ufffc")
# Marks that change nothing: they join, or choose one of several shapes.
UNSEEN = frozenset(
    map(chr, (0x034F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
VISIBLE = ("L", "N", "P", "S")  # a mark alone has nothing to stand on

EXAMPLES = ("Anna", "Ben", "Clara")  # who plays where somebody has to

Check = Callable[[tuple[str, ...]], None]  # raises a PlayersError that says which of them nobody can have


def is_seen(name: str) -> bool:
    """Somebody who reads it sees something."""
    return any(letter not in BLANK and unicodedata.category(letter).startswith(VISIBLE) for letter in name)


def look(name: str) -> str:
    """The same for two names that only their bytes tell apart: by their case, composed or not, wide or narrow letters,
    blanks, and what does not show."""
    seen = "".join(letter for letter in name if letter not in BLANK and letter not in UNSEEN)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())
    return " ".join(folded.split())


def look_alike(name: str, others: Iterable[str]) -> str:
    """Of the others the first that looks like this one; empty if none does."""
    mine = look(name)
    return next((other for other in others if look(other) == mine), "")


def check_names(names: tuple[str, ...]) -> None:
    """Of a new match, or one that is taken in."""
    check_kept_names(names)
    for seat, name in enumerate(names):
        if not is_seen(name):
            raise PlayersError(
                Sentence("The name {name} shows nothing: give a player a name that can be read.", name=ascii(name))
            )
        if other := look_alike(name, names[:seat]):
            raise PlayersError(
                Sentence(
                    "The names {other} and {name} look alike: give each a name of one's own.", other=other, name=name
                )
            )


def check_kept_names(names: tuple[str, ...]) -> None:
    """Of a match that was kept before more was asked of a name."""
    for name in names:
        if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
            raise PlayersError(
                Sentence(
                    "A player's name has 1 to {LONGEST_NAME} printable characters, not {name}.",
                    LONGEST_NAME=LONGEST_NAME,
                    name=repr(name[:70]),
                )
            )
        if names.count(name) > 1:
            raise PlayersError(Sentence("Two players are called {name}: give each a name of one's own.", name=name))
