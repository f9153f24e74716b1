"""`companion print`: mats and decks as PDF, faces and mats as pictures, all of the files or none."""

import argparse
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.commands.console import say
from companion.core.game_print import decks, mats_of, usual_deck
from companion.core.packages import packages
from companion.games import having
from vision.box_plan import BoxWish
from vision.eye_errors import PrintError
from vision.mat import MATS, Mat

NAME = "print"
HELP = "make mats, and the cards or pieces of a game, as PDF or pictures (docs/printing.md)"
MAT_KINDS = ("mat", "teaching")
DECK_KINDS = ("deck", "backs", "duplex")
PART_KINDS = ("box", "drilling")
ALL = "all"
FITS = {mat.name: "{:g}x{:g}".format(*mat.card) for mat in MATS}  # which usual size a mat is for
ADVICE = "Print at 100 % and measure the line on the mat: it must be 100 mm long."
PARTS_ADVICE = "Print at 100 %, or cut the SVG as it is: its unit is the millimetre. Measure your own button before."
CARDS_ADVICE = "Print at 100 % and measure a card: it must be as large as the file is called."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="*",
        type=_word,
        metavar="GAME|WHAT",
        help=f"games: {', '.join(_games())}, or {ALL} (default: {_usual()}); and what of them: deck, its fronts; "
        "backs; duplex, fronts and backs in turn; mat; teaching, the mat to teach a deck on (default: the deck in all "
        "three ways, and the mat of a game that a camera reads); or what is cut and drilled: box; drilling",
    )
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="where the PDF files go")
    parser.add_argument(
        "--paper", type=str.lower, choices=("a4", "letter", "a3"), default="a4", help="size of the paper (default a4)"
    )
    parser.add_argument(
        "--mat",
        choices=tuple(FITS),
        help="which mat (default: small, one sheet; or the one that the game or its cards need)",
    )
    parser.add_argument(
        "--halves",
        action="store_true",
        help="print a mat on two sheets that would fit on one, as it is done anyhow where it does not",
    )
    parser.add_argument(
        "--size",
        type=_size,
        metavar="MMxMM",
        help="size of a card: 54x54 or 63x88, of pieces 54x54 or 25x25 for stickers (default: what the mat is for)",
    )
    about = "of the box: how thick its boards are (default 3)"
    parser.add_argument("--board", type=_whole(2, 12), default=3, metavar="MM", help=about)
    about = "of the box: how wide a laser's cut is, in hundredths of a millimetre (default 0)"
    parser.add_argument("--kerf", type=_whole(0, 100), default=0, metavar="N", help=about)
    about = "of box and drilling: the hole that a button needs, measured on its thread (24 and 30 are called by it)"
    parser.add_argument("--hole", type=_whole(10, 110), default=30, metavar="MM", help=about)
    parser.add_argument("--faces", type=Path, metavar="FOLDER", help="write each face as a picture, and deck.json")
    parser.add_argument(
        "--pixels", type=_whole(16, 4000), default=600, metavar="N", help="the longer side of a face (default 600)"
    )
    parser.add_argument(
        "--mat-picture", type=Path, metavar="FOLDER", help="write the mat as a picture, and its geometry"
    )
    parser.add_argument(
        "--pixels-per-mm",
        type=_whole(2, 40),
        default=10,
        metavar="N",
        help="resolution of the mat's picture (default 10)",
    )


def _games() -> tuple[str, ...]:
    return having("paper")


def _usual() -> str:
    """The game that is meant where nobody names one: whose cards a camera reads."""
    return decks()[usual_deck()]


def _word(text: str) -> str:
    known = (*_games(), ALL, *MAT_KINDS, *DECK_KINDS, *PART_KINDS)
    if text in known:
        return text
    raise argparse.ArgumentTypeError(f"{text[:40]!r} is not one of {', '.join(known)}")


def _size(text: str) -> str:
    if re.fullmatch(r"[0-9]{1,3}x[0-9]{1,3}", text):
        return text
    raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a size like 54x54")


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if re.fullmatch(r"[0-9]{1,9}", text) and low <= int(text) <= high:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number from {low} to {high}")

    return read


@dataclass(frozen=True, slots=True)
class PrintWish:
    """What somebody wants printed."""

    games: tuple[str, ...]
    kinds: tuple[str, ...]  # of mats
    decks: tuple[str, ...]
    mats: tuple[Mat, ...]
    size: str  # empty: what fits the mat, or what a game has

    @property
    def names(self) -> str:
        return " and ".join(self.games)

    @property
    def fitting(self) -> str:
        """The usual size of the cards that lie on it."""
        return FITS[self.mats[0].name]


def run(options: argparse.Namespace) -> int:
    if options.what and not options.to and not (options.faces or options.mat_picture):
        raise PrintError(f"Where should the {options.what[0]} go? Name a folder with --to FOLDER.")
    if not (options.to or options.faces or options.mat_picture):
        raise PrintError("Say where to: --to FOLDER for PDF, --faces FOLDER or --mat-picture FOLDER for pictures.")
    parts = [word for word in options.what if word in PART_KINDS]
    if parts:
        return _make_parts(options, parts)
    wish = _wish(options)
    kinds = [word for word in options.what if word in (*MAT_KINDS, *DECK_KINDS)]
    if kinds and not options.to:
        raise PrintError(f"Where should the {kinds[0]} go? Name a folder with --to FOLDER.")
    if options.faces and len(wish.games) > 1:
        raise PrintError(f"--faces takes one game at a time, not {wish.names}: their faces would mix in one folder.")
    _make(options, wish)
    return 0


def _make_parts(options: argparse.Namespace, parts: list[str]) -> int:
    """What is cut and drilled, each for itself: it has nothing to do with a game."""
    if len(parts) < len(options.what) or not options.to:
        raise PrintError(f"Print {' and '.join(parts)} alone, and say where to: --to FOLDER.")
    with packages():
        from companion.commands import printed_files as files  # noqa: PLC0415  (loads OpenCV)

        made = files.part_files(parts, BoxWish(options.board, options.hole, options.kerf / 100), options.paper)
        files.put_all([(options.to, made)])
    _tell(options.to, list(made))
    say(PARTS_ADVICE)
    return 0


def _wish(options: argparse.Namespace) -> PrintWish:
    named = _games() if ALL in options.what else tuple(dict.fromkeys(word for word in options.what if word in _games()))
    games = named or (_usual(),)
    mats = tuple(dict.fromkeys(word for word in options.what if word in MAT_KINDS))
    decks_wanted = tuple(dict.fromkeys(word for word in options.what if word in DECK_KINDS))
    if not mats and not decks_wanted:
        mats = MAT_KINDS[:1] if any(map(mats_of, games)) else ()
        decks_wanted = DECK_KINDS
    lain_on = _mats_for(options, games)
    if options.mat and options.size == FITS["large"] != FITS[options.mat]:
        raise PrintError(f"Cards of {options.size} mm do not fit on the {options.mat} mat: leave --mat or --size out.")
    return PrintWish(games, mats, decks_wanted, lain_on, options.size or "")


def _mats_for(options: argparse.Namespace, games: tuple[str, ...]) -> tuple[Mat, ...]:
    """The mat that was named, or of each game the one for cards of that size, or else its usual one."""
    names = [options.mat] if options.mat else []
    owns = [mats_of(game) for game in games if mats_of(game) and not options.mat]
    names += [next((name for name in own if FITS[name] == options.size), own[0]) for own in owns]
    found = tuple(mat for mat in MATS if mat.name in names)
    return found or tuple(mat for mat in MATS if FITS[mat.name] == (options.size or FITS["small"]))[:1] or MATS[:1]


def _make(options: argparse.Namespace, wish: PrintWish) -> None:
    """Draw everything first, so that what cannot be drawn leaves nothing behind."""
    with packages():
        from companion.commands import printed_files as files  # noqa: PLC0415  (loads OpenCV)

        jobs: list[tuple[Path, dict[str, bytes]]] = []
        if options.to:
            sheets: dict[str, bytes] = {}
            for mat in wish.mats:
                sheets |= files.mats_files(wish.kinds, mat, options.paper, halves=options.halves)
            for game in wish.games if wish.decks else ():
                sheets |= files.deck_files(
                    game, wish.decks, files.size_of(game, wish.size, wish.fitting), options.paper
                )
            jobs.append((options.to, sheets))
        if options.faces:
            (game,) = wish.games
            jobs.append(
                (
                    options.faces,
                    files.face_files(game, files.size_of(game, wish.size, wish.fitting), options.pixels),
                )
            )
        if options.mat_picture:
            pictures = [files.mat_files(mat, options.pixels_per_mm) for mat in wish.mats]
            jobs.append((options.mat_picture, {name: content for some in pictures for name, content in some.items()}))
        files.put_all(jobs)
    for folder, made in jobs:
        _tell(folder, list(made))
    if options.to:
        say(ADVICE if wish.kinds else CARDS_ADVICE)


def _tell(folder: Path, names: list[str]) -> None:
    if len(names) > 6:
        say(f"{folder}: {len(names)} files, {names[0]} to {names[-1]}")
        return
    for name in names:
        say(str(folder / name))
