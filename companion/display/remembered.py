"""What people at this table like, from one evening to the next: preferences in a small file beside the journal."""

import json
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from companion.core import plainfile
from companion.core import wholefile as whole
from companion.core.errors import CompanionError, TooLargeError
from companion.core.sentence import N_, Sentence
from companion.display.theme import THEMES
from companion.display.view import Prefs
from companion.games import NAMES
from companion.teaching.deck_choice import game_of_deck
from companion.words import LANGUAGES

FILE = "preferences.json"
LARGEST = 65_536  # bytes; preferences are a few words
LOUDEST = 10
LONGEST_DECK = 1000  # letters; it may be a file

UNREADABLE = N_("The settings cannot be read: everything has been reset.")
DAMAGED = N_("The settings were damaged and have been reset; the old ones are kept in {aside}.")
UNKNOWN = N_("The settings had something unknown, which has been reset: {names}.")
NOT_KEPT = N_("The settings cannot be saved in {folder}: they last until the table is closed.")

# What each preference may be, besides a value of its type.
_OPEN: dict[str, Callable[[Any], bool]] = {
    "theme": THEMES.__contains__,
    "language": LANGUAGES.__contains__,
    "volume": range(LOUDEST + 1).__contains__,
    "decks": lambda decks: all(map(_is_deck, decks.items())),
}


def _is_deck(chosen: tuple[str, Any]) -> bool:
    game, deck = chosen
    return game in NAMES and isinstance(deck, str) and 0 < len(deck) <= LONGEST_DECK and deck.isprintable()


def beside(journal: Path) -> Path:
    """Where the preferences of a table are kept that keeps its matches there."""
    return journal.with_name(FILE)


class Remembered:
    """The preferences in a file. `prefs` are those to begin with, `notice` is what must be said about them; `usual` are
    those of a table at which nobody has liked anything yet."""

    def __init__(self, file: Path, usual: Prefs | None = None) -> None:
        self._file = file
        self._usual = usual or Prefs()
        self._is_told = False
        self.prefs, self.notice = self._read()
        self._kept = self.prefs

    def keep(self, prefs: Prefs) -> str:
        """Write them down; the one sentence to be said, if that fails for the first time."""
        if prefs == self._kept:
            return ""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            whole.write(self._file, f"{json.dumps(asdict(prefs), indent=1)}\n".encode())
        except OSError:
            return self._told_once()
        self._kept = prefs
        return ""

    def _told_once(self) -> str:
        is_told, self._is_told = self._is_told, True
        return "" if is_told else Sentence(NOT_KEPT, folder=str(self._file.parent))

    def _read(self) -> tuple[Prefs, str]:
        try:
            content = plainfile.content(self._file, LARGEST)
        except FileNotFoundError:
            return self._usual, ""
        except TooLargeError:
            content = b""
        except OSError:
            return self._usual, UNREADABLE
        found = _plain(content)
        if found is None:
            aside = self._set_aside()
            return self._usual, Sentence(DAMAGED, aside=str(aside)) if aside else UNREADABLE
        prefs, refused = _checked(found, self._usual)
        if not refused:
            return prefs, ""
        self._set_aside()
        return prefs, Sentence(UNKNOWN, names=tuple(refused))

    def _set_aside(self) -> str:
        """The name under which what cannot be used is kept; nothing if that cannot be."""
        aside = self._file.with_name(f"{self._file.name}.bad")
        try:
            self._file.replace(aside)
        except OSError:
            return ""
        return aside.name


def _plain(content: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _checked(found: dict[str, Any], usual: Prefs) -> tuple[Prefs, list[str]]:
    """The preferences, and the names of what could not be taken over."""
    found = _of_today(found)
    prefs, refused = usual, [_shown(name) for name in found if name not in _NAMES]
    for name in _NAMES:
        value = found.get(name, getattr(prefs, name))
        if type(value) is type(getattr(prefs, name)) and _OPEN.get(name, _anything)(value):
            prefs = replace(prefs, **{name: value})
        else:
            refused.append(name)
    return prefs, refused


def _of_today(found: dict[str, Any]) -> dict[str, Any]:
    """There was one deck for the table, of whichever game."""
    deck = found.get("deck")
    if "decks" in found or not isinstance(deck, str):
        return found
    rest = {name: value for name, value in found.items() if name != "deck"}
    try:
        return {**rest, "decks": {game_of_deck(deck): deck}} if deck else rest
    except CompanionError:  # it is not here any more
        return rest


_NAMES = tuple(field.name for field in fields(Prefs))


def _anything(_value: Any) -> bool:
    return True


def _shown(name: str) -> str:
    return name[:20] if name.isprintable() else "?"
