"""Which deck is read: one that comes with the companion, one of those that were taught here, or a file."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from companion.config.home import own_folder
from companion.core.errors import CompanionError
from companion.core.game_print import decks, usual_deck
from companion.core.packages import packages
from companion.core.shipped_decks import ENDING, must_be_shipped, shipped_decks

if TYPE_CHECKING:
    from vision.deck_file import DeckFile
    from vision.reader import Reader


def decks_folder() -> Path:
    """Where decks are kept that were taught here or brought along."""
    named = os.environ.get("COMPANION_DECKS")
    if named:
        return Path(named)
    try:
        return own_folder("XDG_STATE_HOME", "~/.local/state") / "companion" / "decks"
    except RuntimeError:
        raise CompanionError("There is no home folder to keep decks in: name a folder with --to.") from None


def path_of(word: str) -> Path | None:
    """The file of a deck: of one that the reader's network knows there is none. One's own comes before one of ours."""
    if word in decks():
        return None
    if word.endswith(ENDING) or os.sep in word:
        return Path(word)
    own, shipped = decks_folder() / f"{word}{ENDING}", shipped_decks().get(word)
    return shipped if shipped is not None and not own.exists() else own


def printed_deck(game: str) -> str:
    """The name of the deck that is printed of a game; the usual one where a game has none, or none is named."""
    named = {of: deck for deck, of in decks().items()} | {name: name for name in shipped_decks()}
    return named.get(game, usual_deck())


def must_be_known_deck(word: str) -> None:
    """Refuse a deck that is not there, before anything is opened."""
    path = path_of(word)
    if path is None or path.exists():
        return
    if path.parent == decks_folder():
        known = ", ".join(known_decks())
        raise CompanionError(
            f"--deck {word[:40]}: there is no such deck; there are {known}, and files that end in .deck."
        )
    raise CompanionError(f"--deck {word[:80]}: there is no such file.")


def known_decks() -> list[str]:
    """The names of all that there are."""
    return list(dict.fromkeys([*decks(), *shipped_decks(), *kept()]))


def kept() -> list[str]:
    """The names of the decks that are kept here."""
    try:
        return sorted(path.stem for path in decks_folder().glob(f"*{ENDING}") if not path.name.startswith("."))
    except OSError as error:
        raise CompanionError(f"The folder {decks_folder()} cannot be read: {error.strerror}.") from None


def taught_deck(word: str) -> "DeckFile | None":
    """What the file holds; nothing for a deck that comes with the companion."""
    path = path_of(word)
    if path is None:
        return None
    if path in shipped_decks().values():
        must_be_shipped(path)
    with packages():
        from vision.deck_file import read_deck  # noqa: PLC0415  (loads NumPy)
    return read_deck(path)


def game_of_deck(word: str) -> str:
    """Whose cards it has."""
    deck = taught_deck(word)
    return decks()[word] if deck is None else deck.game


def name_of_deck(word: str) -> str:
    """As a match keeps it: nothing for a deck that comes with the companion."""
    deck = taught_deck(word)
    return "" if deck is None else deck.name


def reader_of(word: str) -> "Reader":
    """What reads the cards of that deck."""
    deck = taught_deck(word)
    with packages():
        from vision.reader import Reader  # noqa: PLC0415  (loads OpenCV)
    return Reader(deck=word) if deck is None else Reader(taught=deck)
