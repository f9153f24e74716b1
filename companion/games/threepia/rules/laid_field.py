"""A field as it was laid out: its picture, row by row, becomes the field of the match."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from companion.core.sentence import N_, Sentence
from companion.games.threepia.rules.field import LONGEST, Field

NOTHING = "."
OWN_FIELD = N_("Own field")
MOST_ROWS = 100


class NotAFieldError(ValueError):
    """Why no field can be played on what is drawn."""

    def __init__(self, text: str, **facts: Any) -> None:
        super().__init__(text, facts)
        self.text, self.facts = text, facts

    @property
    def sentence(self) -> Sentence:
        return Sentence(self.text, **self.facts)


def field_drawn(picture: Sequence[str], line: str, name: str = "") -> Field:
    """Each letter fills a block of two by two half cards; a dot is nothing."""
    corners = _corners(picture)
    for row in (*picture, *_columns(picture)):
        if max((len(list(run)) for filled, run in groupby(row, _is_filled) if filled), default=0) > LONGEST:
            raise NotAFieldError(
                N_("More than {most} symbols lie in a row: lay the cards so that there is a gap."), most=LONGEST
            )
    found = Field(name or OWN_FIELD, line, tuple((letter, *corners[letter]) for letter in sorted(corners)))
    if not any(found.geometry.most):
        raise NotAFieldError(N_("No two cards touch each other: nothing could be scored there."))
    return found


def _is_filled(letter: str) -> bool:
    return letter != NOTHING


def _columns(picture: Sequence[str]) -> list[str]:
    wide = max(map(len, picture), default=0)
    return ["".join(row.ljust(wide, NOTHING)[x] for row in picture) for x in range(wide)]


def _corners(picture: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Where the top left half card of each letter is."""
    cells = [(x, y, letter) for y, row in enumerate(picture) for x, letter in enumerate(row) if letter != NOTHING]
    if not cells or len(picture) > MOST_ROWS or max(map(len, picture)) > MOST_ROWS:
        raise NotAFieldError(N_("There is no field in the picture of it."))
    left, top = min(x for x, _, _ in cells), min(y for _, y, _ in cells)
    found: dict[str, tuple[int, int]] = {}
    for letter in {letter for _, _, letter in cells}:
        block = [(x - left, y - top) for x, y, one in cells if one == letter]
        x, y = block[0]
        if not letter.isascii() or not letter.isalpha() or block != [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]:
            text = N_("{letter} is no card of two by two symbols in the picture of the field.")
            raise NotAFieldError(text, letter=letter)
        found[letter] = x, y
    return found
