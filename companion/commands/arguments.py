"""Arguments that several commands take, and how their values are read."""

import argparse
import contextlib
from pathlib import Path

from companion.core.game_print import usual_deck
from companion.games import NAMES, game


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", type=game_name, choices=NAMES, metavar="GAME", help=one_of_the_games())


def add_optional_game(parser: argparse.ArgumentParser, about: str) -> None:
    parser.add_argument("game", nargs="?", type=game_name, choices=NAMES, metavar="GAME", help=about)


def one_of_the_games() -> str:
    return "one of " + ", ".join(NAMES)


def add_house(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--house",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a house rule; may be repeated (`companion rules GAME` lists them)",
    )


def add_setup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--players", type=words, metavar="NAME,NAME,…", help="the players in the order of the seats, clockwise"
    )
    add_house(parser)


def add_journal(
    parser: argparse.ArgumentParser,
    about: str = "the journal file (default: $COMPANION_JOURNAL, or journal.sqlite3 in ~/.local/state/companion)",
) -> None:
    parser.add_argument("--journal", type=Path, metavar="FILE", help=about)


def add_kept_or_not(parser: argparse.ArgumentParser) -> None:
    """Where the match is kept, if it is."""
    add_journal(parser)
    parser.add_argument("--no-journal", action="store_true", help="keep nothing, for trying things out")


def add_publish(parser: argparse.ArgumentParser) -> None:
    about = "publish the rulings as [publish] in this file says (docs/publishing.md)"
    parser.add_argument("--publish", type=Path, metavar="FILE", help=about)


def add_match(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("match", metavar="MATCH", help="the match's code or the beginning of it")
    add_journal(parser)


def add_language(parser: argparse.ArgumentParser) -> None:
    about = "the language of the text: en, de, fr, it, es, pt, nl (default en)"
    parser.add_argument("--language", metavar="xx", help=about)


def add_deck(parser: argparse.ArgumentParser, *, of_game: bool = False) -> None:
    """`of_game`: what is read where nobody says it depends on the game, and is left open."""
    usual = usual_deck()
    told = f"the printed one of the game, {usual} without one" if of_game else usual
    about = f"the deck that is read: a name of `companion decks`, or a .deck file (default: {told})"
    parser.add_argument("--deck", default="" if of_game else usual, metavar="NAME", help=about)


def add_configuration(parser: argparse.ArgumentParser, about: str) -> None:
    parser.add_argument("--configuration", type=Path, metavar="FILE", help=about)


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def numbers(text: str) -> tuple[int, ...]:
    with contextlib.suppress(ValueError):
        return tuple(map(int, text.split(",")))
    raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a list of numbers: write 18,18,18")


def game_name(word: str) -> str:
    """However somebody writes it: as the box does, too."""
    return next((name for name in NAMES if word.lower() in (name, game(name).title.lower())), word)
