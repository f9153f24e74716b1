"""`companion print`: mats and decks as PDF, faces and mats as pictures, all of a folder's files or none."""

import argparse
import contextlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vision.exc import PrintError

if TYPE_CHECKING:
    from vision.frames import Picture
    from vision.mat import Mat, Point

KINDS = ("mat", "deck", "backs", "duplex")
SIZES: dict[str, "Point"] = {"54x54": (54.0, 54.0), "63x88": (63.0, 88.0)}
FITS = {"small": "54x54", "large": "63x88"}  # which deck a mat is for
ADVICE = "Print at 100 % and measure the line on the mat: it must be 100 mm long."

Files = dict[str, bytes]
Say = Callable[[str], None]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="*",
        type=_kind,
        metavar="WHAT",
        help="mat; deck, its fronts; backs; duplex, fronts and backs by turns (default: all of them)",
    )
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="where the PDF files go")
    parser.add_argument("--paper", type=str.lower, choices=("a4", "letter"), default="a4", help="default a4")
    parser.add_argument("--mat", choices=tuple(FITS), help="default small, which is one sheet, or what the cards need")
    parser.add_argument(
        "--halves", action="store_true", help="the small mat on two sheets too; the large one always is"
    )
    parser.add_argument("--size", choices=tuple(SIZES), help="of a card in mm (default: what the mat is for)")
    parser.add_argument("--faces", type=Path, metavar="FOLDER", help="write each face as a picture, and deck.json")
    parser.add_argument(
        "--pixels", type=_whole(16, 4000), default=600, metavar="N", help="a face's longer side (default 600)"
    )
    parser.add_argument(
        "--mat-picture", type=Path, metavar="FOLDER", help="write the mat as a picture, and its geometry"
    )
    parser.add_argument(
        "--pixels-per-mm", type=_whole(2, 40), default=10, metavar="N", help="of the mat's picture (default 10)"
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


def run(options: argparse.Namespace, say: Say) -> int:
    """Draw everything first, so that what cannot be drawn leaves nothing behind."""
    if options.what and not options.to:
        raise PrintError(f"Where should the {options.what[0]} go? Name a folder with --to FOLDER.")
    if not (options.to or options.faces or options.mat_picture):
        raise PrintError("Say where to: --to FOLDER for PDF, --faces FOLDER or --mat-picture FOLDER for pictures.")
    from vision.mat import MATS  # noqa: PLC0415

    for_size = next((mat for mat, size in FITS.items() if size == options.size), "small")
    mat = next(mat for mat in MATS if mat.name == (options.mat or for_size))
    size = SIZES[options.size or FITS[mat.name]]
    if size > mat.card:
        raise PrintError(f"Cards of {options.size} mm do not fit on the {mat.name} mat: leave --mat or --size out.")
    jobs: list[tuple[Path, Files]] = []
    if options.to:
        jobs.append((options.to, _sheets(options, mat, size)))
    if options.faces:
        jobs.append((options.faces, _faces(size, options.pixels)))
    if options.mat_picture:
        jobs.append((options.mat_picture, _mat_files(mat, options.pixels_per_mm)))
    _put(jobs)
    for folder, files in jobs:
        _tell(folder, files, say)
    if options.to:
        say(ADVICE)
    return 0


def _tell(folder: Path, files: Files, say: Say) -> None:
    names = list(files)
    if len(names) <= 6:
        for name in names:
            say(str(folder / name))
    else:
        say(f"{folder}: {len(names)} files, {names[0]} to {names[-1]}")


# --- what is in the files


def _sheets(options: argparse.Namespace, mat: "Mat", size: "Point") -> Files:
    from vision import sheets  # noqa: PLC0415
    from vision.pdf import pdf  # noqa: PLC0415

    paper, called = options.paper, f"{size[0]:g}x{size[1]:g}-{options.paper}.pdf"
    halves = options.halves or mat.name == "large"
    mat_file = f"mat-{mat.name}-{'halves-' if halves else ''}{paper}.pdf"
    drawn: dict[str, Callable[[], tuple[str, bytes]]] = {
        "mat": lambda: (mat_file, pdf(sheets.mat_pages(mat, paper, halves=halves), f"Play mat, {mat.name}")),
        "deck": lambda: (f"deck-{called}", pdf(sheets.deck_pages(size, paper), "Triple³ deck, fronts")),
        "backs": lambda: (f"backs-{called}", pdf(sheets.back_pages(size, paper), "Triple³ deck, backs")),
        "duplex": lambda: (
            f"duplex-{called}",
            pdf(sheets.duplex_pages(size, paper), "Triple³ deck, fronts and backs", duplex=True),
        ),
    }
    return dict(drawn[what]() for what in dict.fromkeys(options.what or KINDS))


def _faces(size: "Point", pixels: int) -> Files:
    from vision.cards import BLANKS, NAMES, RADIUS, face_picture  # noqa: PLC0415
    from vision.deck import CARDS  # noqa: PLC0415

    files = {}
    for name in NAMES:
        picture = face_picture(name, pixels, size)
        files[f"{name}.png"] = _png(picture)
    about = {
        "deck": "Triple³, our own drawing",
        "card_mm": size,
        "corner_radius_mm": RADIUS,
        "corners": "white",
        "pixels": [picture.shape[1], picture.shape[0]],
        "cards": CARDS,
        "blank": "blank.png",
        "blanks": BLANKS,
        "back": "back.png",
    }
    return {**files, "deck.json": _json(about)}


def _mat_files(mat: "Mat", per_mm: int) -> Files:
    from vision.sheets import mat_geometry, mat_picture  # noqa: PLC0415

    name = f"mat-{mat.name}"
    return {f"{name}.png": _png(mat_picture(mat, per_mm)), f"{name}.json": _json(mat_geometry(mat, per_mm))}


def _png(picture: "Picture") -> bytes:
    import cv2  # noqa: PLC0415

    done, content = cv2.imencode(".png", picture)
    assert done
    return content.tobytes()


def _json(about: dict[str, Any]) -> bytes:
    import json  # noqa: PLC0415

    return (json.dumps(about, ensure_ascii=False, indent=1) + "\n").encode()


# --- all of the files or none


def _put(jobs: list[tuple[Path, Files]]) -> None:
    """Write beside, then rename; on the way to that, whatever goes wrong is taken back."""
    with contextlib.ExitStack() as undo:
        ready: list[tuple[Path, Path]] = []
        for folder, files in jobs:
            _make(folder, undo)
            ready += [_written(folder / name, content, undo) for name, content in files.items()]
        for _, place in ready:
            if place.is_dir():
                raise PrintError(f"{place} is a folder: there is no writing a file of that name.")
        for beside, place in ready:
            beside.replace(place)
        undo.pop_all()


def _make(folder: Path, undo: contextlib.ExitStack) -> None:
    with _telling(folder):
        missing = [one for one in (folder, *folder.parents) if not one.exists()]
        for one in reversed(missing):
            one.mkdir()
            undo.callback(_quietly, one.rmdir)
        if not folder.is_dir():
            raise PrintError(f"{folder} is a file, not a folder: name another place.")


def _written(place: Path, content: bytes, undo: contextlib.ExitStack) -> tuple[Path, Path]:
    beside = place.with_name(f".{place.name}.{os.getpid()}.part")
    with _telling(place.parent):
        undo.callback(_quietly, beside.unlink)
        beside.write_bytes(content)
    return beside, place


def _quietly(undo: Callable[[], None]) -> None:
    with contextlib.suppress(OSError):
        undo()


@contextlib.contextmanager
def _telling(folder: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # a ValueError for a name that cannot be one
        if isinstance(error, PrintError):
            raise
        raise PrintError(f"{folder} cannot be written to: {getattr(error, 'strerror', None) or error}.") from None
