"""What `companion decks` does with the files in the folder of decks."""

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from companion.commands.console import say
from companion.commands.face_labels import words_of
from companion.core import wholefile as whole
from companion.core.errors import CompanionError
from companion.core.game_faces import faces_of
from companion.core.game_print import decks, title_of
from companion.core.shipped_decks import ENDING, shipped_decks
from companion.games import NAMES, title_of_game
from companion.teaching.deck_choice import decks_folder, kept, known_decks, path_of, taught_deck
from vision.deck_file import DeckFile, proper_name, read_deck, write_deck

WELL, WRONG = 0, 2  # exit codes


def keep_decks(options: argparse.Namespace) -> int:
    acts: dict[str, Callable[[argparse.Namespace], int]] = {
        "show": _show,
        "faces": _faces,
        "rename": _rename,
        "delete": _delete,
        "export": _export,
        "import": _import,
    }
    return acts.get(options.act, _list)(options)


def _list(_options: argparse.Namespace) -> int:
    """Each with its game and how much of it is known; one that cannot be read is said so."""
    for deck in decks():
        say(f"{deck}: {title_of(deck)}, comes with the companion.")
    failed, own = False, kept()
    for name in (*own, *(name for name in shipped_decks() if name not in own)):
        try:
            say(_told(name))
        except CompanionError as error:
            failed = True
            say(str(error))
    return WRONG if failed else WELL


def _told(name: str) -> str:
    """By the name that a command takes, which is the file's."""
    line = _line(replace(_known(name), name=name))
    return line if name in kept() else f"{line.rstrip('.')}, comes with the companion."


def _line(deck: DeckFile) -> str:
    known = len(deck.faces) - len(deck.missing)
    return f"{deck.name}: {title_of_game(deck.game)}, {known} of {len(deck.faces)} faces."


def _show(options: argparse.Namespace) -> int:
    path = path_of(options.deck)
    if path is not None and path.parent == decks_folder():
        _must_exist(options.deck, path)
    deck = taught_deck(options.deck)
    if deck is None:
        say(f"{options.deck}: {title_of(options.deck)}, comes with the companion.")
        return WELL
    say(_told(options.deck) if options.deck in known_decks() else _line(deck))
    for at, count in zip(deck.shown, deck.counts, strict=True):
        pictures = "1 picture" if count == 1 else f"{count} pictures"
        say(f"  {words_of(deck.tiles[at])}: {pictures}")
    if deck.missing:
        missing = ", ".join(map(words_of, deck.missing))
        say(f"Missing: {missing}.")
    if options.picture:
        if options.picture.suffix.lower() not in (".jpg", ".jpeg"):
            raise CompanionError(f"--picture {options.picture}: the name must end in .jpg.")
        _written(options.picture, deck.sheet)
    return WELL


def _faces(options: argparse.Namespace) -> int:
    for face in faces_of(options.game).names:
        say(face)
    return WELL


def _rename(options: argparse.Namespace) -> int:
    deck, new = _of(options.deck), _free(options.to)
    write_deck(new, replace(deck, name=options.to))
    _path(options.deck).unlink(missing_ok=True)
    return WELL


def _delete(options: argparse.Namespace) -> int:
    path = _path(options.deck)
    _must_exist(options.deck, path)
    try:
        path.unlink()
    except OSError as error:
        raise CompanionError(f"{path} cannot be deleted: {error.strerror}.") from None
    return WELL


def _export(options: argparse.Namespace) -> int:
    """Into a folder, which is made where there is none; or under another name."""
    if options.deck in decks():
        raise CompanionError(f"The deck {options.deck} is known to the reader's network: there is no file to export.")
    deck = _known(options.deck)
    to = options.to if options.to.suffix == ENDING else options.to / f"{deck.name}{ENDING}"
    if to.exists():
        raise CompanionError(f"{to} is there already.")
    write_deck(to, deck)
    say(f"{to}: {title_of_game(deck.game)}, {len(deck.faces) - len(deck.missing)} faces.")
    return WELL


def _import(options: argparse.Namespace) -> int:
    """Under the name that is written in it, whatever the file is called."""
    deck = read_deck(options.file)
    if deck.game not in NAMES or set(deck.faces) != set(faces_of(deck.game).names):
        raise CompanionError(f"{options.file} is a deck of {deck.game!r}, whose faces this companion does not know.")
    write_deck(_free(deck.name), deck)
    say(_line(deck))
    return WELL


def _known(name: str) -> DeckFile:
    """One's own, or a file that comes with the companion."""
    path = path_of(name) if name in shipped_decks() else None
    deck = None if path is None else taught_deck(name)
    return _of(name) if deck is None else deck


def _path(name: str) -> Path:
    if name in decks() or (name in shipped_decks() and name not in kept()):
        raise CompanionError(f"The deck {name} comes with the companion and stays as it is.")
    return decks_folder() / f"{proper_name(name)}{ENDING}"


def _of(name: str) -> DeckFile:
    path = _path(name)
    _must_exist(name, path)
    return read_deck(path)


def _must_exist(name: str, path: Path) -> None:
    if not path.exists():
        raise CompanionError(f"There is no deck {name}; there are {', '.join(known_decks())}.")


def _free(name: str) -> Path:
    path = _path(name)
    if path.exists():
        raise CompanionError(f"There is a deck {name} already: delete it or give it another name first.")
    return path


def _written(path: Path, content: bytes) -> None:
    try:
        whole.write(path, content)
    except OSError as error:
        raise CompanionError(f"{path} cannot be written: {error.strerror or error}.") from None
