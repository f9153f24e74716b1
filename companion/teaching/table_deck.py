"""The deck that a table's camera reads: chosen for the table, kept with each match, and perhaps gone since."""

from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.card_ways import seen_games
from companion.core.errors import CompanionError
from companion.core.packages import packages
from companion.core.sentence import N_, Sentence
from companion.games import title_of_game
from companion.teaching.deck_choice import decks_folder, game_of_deck, must_be_known_deck, path_of, taught_deck

if TYPE_CHECKING:
    from vision.deck_file import DeckFile
    from vision.reader import Reader

DAMAGED = N_("The deck {deck} cannot be read any more: copy or teach it again. Until then the printed one is read.")
MISSING = N_("The deck {deck} is not here any more: the printed one is read.")
OTHER_GAME = N_("The deck {deck} is one of {title}: the printed one is read.")


def chosen_deck(word: str) -> tuple[str, str]:
    """Of which game a deck is, and how the table's settings keep it: nothing for the printed one. A CompanionError if
    no camera reads it."""
    must_be_known_deck(word)
    named, watched = game_of_deck(word), seen_games()
    if named not in watched:
        seen = ", ".join(map(title_of_game, watched))
        raise CompanionError(
            f"--deck {word[:80]}: this is a deck of {title_of_game(named)}, and a table watches {seen}."
        )
    path = path_of(word)
    kept = "" if path is None else word if path.parent == decks_folder() else str(path.absolute())
    return named, kept


def deck_at_table(asked: str, chosen: str, playing: str = "") -> "DeckFile":
    """The deck of that name: the one that was chosen, which may lie anywhere, or the one of that name that is kept
    here. The CompanionError is for the people at the table: the printed deck is read instead."""
    is_there = False
    for word in dict.fromkeys((chosen, asked)):
        path = path_of(word) if word else None
        if path is None or not path.exists():
            continue
        try:
            found = taught_deck(word)
        except CompanionError:
            is_there = is_there or asked in (word, path.stem)
            continue
        if found is not None and asked in (word, found.name):
            return _of_game(found, playing)
    raise CompanionError(Sentence(DAMAGED if is_there else MISSING, deck=Path(asked).stem))


def _of_game(deck: "DeckFile", playing: str) -> "DeckFile":
    if playing and deck.game != playing:
        raise CompanionError(Sentence(OTHER_GAME, deck=deck.name, title=title_of_game(deck.game)))
    return deck


def reader_at_table(game: str, asked: str, chosen: str) -> "Reader":
    """What reads that deck of a game."""
    deck = deck_at_table(asked, chosen, game)
    with packages():
        from vision.reader import Reader  # noqa: PLC0415  (loads OpenCV)
    return Reader(taught=deck)
