"""`companion print`: mats and decks as PDF, faces and mats as pictures, all of the files or none."""

import argparse
import re
from collections.abc import Callable
from pathlib import Path

from companion.commands.console import say
from companion.core.packages import packages
from vision.eye_errors import PrintError
from vision.mat import MATS, Mat, Point

NAME = "print"
HELP = "make the play mat and a deck as PDF or pictures (docs/printing.md)"
KINDS = ("mat", "deck", "backs", "duplex")
SIZES: dict[str, Point] = {"54x54": (54.0, 54.0), "63x88": (63.0, 88.0)}
FITS = {"small": "54x54", "large": "63x88"}  # which deck a mat is for
ADVICE = "Print at 100 % and measure the line on the mat: it must be 100 mm long."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="*",
        type=_kind,
        metavar="WHAT",
        help="mat; deck, its fronts; backs; duplex, fronts and backs in turn (default: all of them)",
    )
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="where the PDF files go")
    parser.add_argument(
        "--paper", type=str.lower, choices=("a4", "letter"), default="a4", help="size of the paper (default a4)"
    )
    parser.add_argument(
        "--mat", choices=tuple(FITS), help="which mat (default: small, one sheet; or the one that the cards need)"
    )
    parser.add_argument(
        "--halves", action="store_true", help="print the small mat on two sheets too, as the large one always is"
    )
    parser.add_argument(
        "--size", choices=tuple(SIZES), help="size of a card in mm (default: the one that the mat is for)"
    )
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


def _kind(text: str) -> str:
    if text in KINDS:
        return text
    raise argparse.ArgumentTypeError(f"{text[:40]!r} is not one of {', '.join(KINDS)}")


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if re.fullmatch(r"[0-9]{1,9}", text) and low <= int(text) <= high:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number from {low} to {high}")

    return read


def run(options: argparse.Namespace) -> int:
    if options.what and not options.to:
        raise PrintError(f"Where should the {options.what[0]} go? Name a folder with --to FOLDER.")
    if not (options.to or options.faces or options.mat_picture):
        raise PrintError("Say where to: --to FOLDER for PDF, --faces FOLDER or --mat-picture FOLDER for pictures.")
    for_size = next((mat for mat, size in FITS.items() if size == options.size), "small")
    mat = next(mat for mat in MATS if mat.name == (options.mat or for_size))
    size = SIZES[options.size or FITS[mat.name]]
    if size > mat.card:
        raise PrintError(f"Cards of {options.size} mm do not fit on the {mat.name} mat: leave --mat or --size out.")
    _make(options, mat, size)
    return 0


def _make(options: argparse.Namespace, mat: Mat, size: Point) -> None:
    """Draw everything first, so that what cannot be drawn leaves nothing behind."""
    with packages():
        from companion.commands import printed_files as files  # noqa: PLC0415  (loads OpenCV)

        jobs: list[tuple[Path, dict[str, bytes]]] = []
        if options.to:
            sheets = files.sheet_files(options.what or KINDS, mat, size, options.paper, halves=options.halves)
            jobs.append((options.to, sheets))
        if options.faces:
            jobs.append((options.faces, files.face_files(size, options.pixels)))
        if options.mat_picture:
            jobs.append((options.mat_picture, files.mat_files(mat, options.pixels_per_mm)))
        files.put_all(jobs)
    for folder, made in jobs:
        _tell(folder, list(made))
    if options.to:
        say(ADVICE)


def _tell(folder: Path, names: list[str]) -> None:
    if len(names) > 6:
        say(f"{folder}: {len(names)} files, {names[0]} to {names[-1]}")
        return
    for name in names:
        say(str(folder / name))
