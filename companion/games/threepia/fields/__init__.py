"""The fields of Threepia: files with a picture of where cards lie, read and checked.

A picture is drawn in half cards: each letter is a place for a card and fills a block of two by two of
them, a dot is nothing. The files beside this one come along; anybody can draw more.
"""

from itertools import groupby
from pathlib import Path
from typing import Any

from companion.config.toml_file import toml
from companion.core import plainfile
from companion.core.errors import FieldError, TooLargeError
from companion.games.threepia.rules import LONGEST, Field

KEYS = ("name", "line", "picture")
LINES = ("row", "L")
NOTHING = "."
FARTHEST = 200  # half cards; no table is larger
_HERE = Path(__file__).parent
_TOO_LARGE = 65536  # bytes; a field is a few lines

_Block = dict[str, list[tuple[int, int]]]  # the half cards of each letter


def names() -> tuple[str, ...]:
    """The fields that come along."""
    return tuple(sorted(file.stem for file in _HERE.glob("*.toml")))


def field(name_or_path: str) -> Field:
    """The field of that name, or the one in a file of the user's own."""
    name = name_or_path.strip().lower().replace(" ", "-")
    if name in names():
        return _read(_HERE / f"{name}.toml")
    if not name_or_path.endswith(".toml"):
        raise FieldError(
            f"There is no field '{name_or_path}'; the fields are {', '.join(names())}, or give the path "
            "of a field file that ends with .toml."
        )
    return _read(Path(name_or_path))


def must_be_drawable(found: Field) -> None:
    """A field that comes from a journal or a message is one that a file could hold, or a FieldError."""
    if found.line not in LINES:
        raise FieldError(f"line is '{found.line[:40]}'; write {' or '.join(LINES)}.")
    if not found.places or not all(0 <= x < FARTHEST and 0 <= y < FARTHEST for _, x, y in found.places):
        raise FieldError(f"a place for a card lies 0 to {FARTHEST - 1} half cards from the left and from the top.")
    wide, high = max(x for _, x, _ in found.places) + 2, max(y for _, _, y in found.places) + 2
    cells = [[NOTHING] * wide for _ in range(high)]
    for letter, x, y in found.places:
        for across, down in ((0, 0), (1, 0), (0, 1), (1, 1)):
            cells[y + down][x + across] = letter if len(letter) == 1 else "?"
    drawn = _places("\n".join(map("".join, cells)))
    if drawn != found.places:
        raise FieldError("its places for cards lie over each other, or are not in the order of their letters.")
    _must_score(found)


def _read(file: Path) -> Field:
    try:
        table = toml(plainfile.text(file, _TOO_LARGE))
    except TooLargeError as error:
        raise FieldError(f"Field file {file}: it is larger than {_TOO_LARGE} bytes; draw a smaller field.") from error
    except OSError as error:
        why = error.strerror or str(error)
        raise FieldError(f"Field file {file}: it cannot be read ({why}); give the path of a field file.") from error
    except UnicodeDecodeError as error:
        raise FieldError(f"Field file {file}: byte {error.start} is not UTF-8; save the file as UTF-8.") from error
    except (ValueError, RecursionError) as error:
        raise FieldError(f"Field file {file}: it is not TOML ({error}); mend it there.") from error
    try:
        return _field(table)
    except FieldError as error:
        raise FieldError(f"Field file {file}: {error}") from None


def _field(table: dict[str, Any]) -> Field:
    for key in table:
        if key not in KEYS:
            raise FieldError(f"the key '{key}' is unknown; the keys are {', '.join(KEYS)}.")
    for key in KEYS:
        if not isinstance(table.get(key), str) or not table[key].strip():
            raise FieldError(f"the key '{key}' is missing or not a text; write {key} = \"...\".")
    if table["line"] not in LINES:
        raise FieldError(f"line is '{table['line']}'; write {' or '.join(LINES)}.")
    found = Field(" ".join(table["name"].split()), table["line"], _places(table["picture"]))
    _must_score(found)
    return found


def _places(picture: str) -> tuple[tuple[str, int, int], ...]:
    lines = [line.rstrip() for line in picture.strip("\n").splitlines()]
    blocks: _Block = {}
    for y, line in enumerate(lines):
        _must_be_short(line, f"line {y + 1}")
        for x, letter in enumerate(line):
            if letter == NOTHING:
                continue
            if not (letter.isascii() and letter.isalpha()):
                raise FieldError(f"line {y + 1} of the picture has '{letter}' at {x + 1}; draw only letters and dots.")
            blocks.setdefault(letter, []).append((x, y))
    if not blocks:
        raise FieldError("the picture shows no place for a card; draw each as a letter, two by two.")
    for x in range(max(map(len, lines))):
        _must_be_short("".join(line[x : x + 1] or NOTHING for line in lines), f"column {x + 1}")
    corners = {letter: _corner(letter, blocks[letter]) for letter in sorted(blocks)}
    left = min(x for x, _ in corners.values())
    top = min(y for _, y in corners.values())
    return tuple((letter, x - left, y - top) for letter, (x, y) in corners.items())


def _corner(letter: str, block: list[tuple[int, int]]) -> tuple[int, int]:
    """The top left half card of a place."""
    x, y = block[0]
    if block != [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]:
        raise FieldError(
            f"the letter {letter}, first seen in line {y + 1} at {x + 1}, does not fill one block of two "
            "by two in the picture; draw each card place as one such block with a letter of its own."
        )
    return x, y


def _must_be_short(line: str, where: str) -> None:
    longest = max((len(list(run)) for filled, run in groupby(line, lambda cell: cell != NOTHING) if filled), default=0)
    if longest > LONGEST:
        raise FieldError(
            f"{where} of the picture has {longest} symbols in a row; leave a gap, since points are only "
            f"given for up to {LONGEST}."
        )


def _must_score(found: Field) -> None:
    if not any(found.geometry.most):
        raise FieldError(
            f"no {found.line} of three symbols of two cards is possible in the picture; draw card places that touch."
        )
