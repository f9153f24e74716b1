"""The files of `companion print`: what is in them, and writing all of them or none."""

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import cv2

from companion.games import game, part
from vision import sheets
from vision.box_plan import BoxWish
from vision.card_drawing import BACK, BLANK, RADIUS
from vision.drawing import PrintedPage
from vision.eye_errors import PrintError
from vision.frames import Picture
from vision.mat import NINE, SMALL, Mat, Point
from vision.parts_sheets import box_page, drilling_pages
from vision.pdf import pdf
from vision.printed_deck import PrintedDeck, face_picture
from vision.svg import svg

Files = dict[str, bytes]

# --- what is in the files


def paper_of(game: str) -> PrintedDeck:
    return part(game, "paper", PrintedDeck)


def mats_files(kinds: Iterable[str], mat: Mat, paper: str, *, halves: bool) -> Files:
    """The mat to play on, the one to teach a deck on, or both."""
    files = {}
    for kind in dict.fromkeys(kinds):
        teaching = kind == "teaching"
        lain_on = SMALL if teaching and mat not in NINE else mat  # faces are taught nine at a time
        halves_too = halves or not sheets.fits_whole(lain_on, paper)
        pages = sheets.mat_pages(lain_on, paper, halves=halves_too, teaching=teaching)
        name = f"{kind}-{lain_on.name}-{'halves-' if halves_too else ''}{paper}.pdf"
        files[name] = pdf(pages, f"{'Teaching' if teaching else 'Play'} mat, {lain_on.name}")
    return files


def part_files(kinds: Iterable[str], wish: BoxWish, paper: str) -> Files:
    """What is cut, as SVG and PDF; what is drilled, on paper to lay on the board."""
    found: Files = {}
    if "box" in kinds:
        page = box_page(wish)
        name = f"box-board-{wish.board:g}-hole-{wish.hole:g}"
        found |= {f"{name}.svg": svg(page, "Box for the table companion"), f"{name}.pdf": pdf([page], "Box")}
    if "drilling" in kinds:
        pages = drilling_pages(wish.hole, sheets.PAPERS[paper])
        found[f"drilling-hole-{wish.hole:g}-{paper}.pdf"] = pdf(pages, "Drilling templates")
    return found


def deck_files(name: str, kinds: Iterable[str], size: Point, paper: str) -> Files:
    """What is cut out for a game: fronts, backs, or both by turns."""
    deck, title = paper_of(name), game(name).title
    drawn: dict[str, tuple[str, Callable[..., list[PrintedPage]]]] = {
        "deck": ("fronts", sheets.deck_pages),
        "backs": ("backs", sheets.back_pages),
        "duplex": ("fronts and backs", sheets.duplex_pages),
    }
    files = {}
    for kind in dict.fromkeys(kinds):
        which, pages = drawn[kind]
        made = pdf(pages(deck, size, paper, title), f"{title} {deck.what}, {which}", duplex=kind == "duplex")
        files[f"{name}-{kind}-{size[0]:g}x{size[1]:g}-{paper}.pdf"] = made
    return files


def size_of(name: str, asked: str, fitting: str) -> Point:
    """The size of a game's cards: what was asked for, or else what fits the mat if there is that, or the usual one."""
    deck = paper_of(name)
    sizes = {f"{size[0]:g}x{size[1]:g}": size for size in deck.sizes}
    if asked and asked not in sizes:
        there = " or ".join(sizes)
        raise PrintError(f"{game(name).title} is printed in {there} mm, not in {asked}: choose another --size.")
    return sizes.get(asked or fitting, deck.sizes[0])


def face_files(name: str, size: Point, pixels: int) -> Files:
    """Each face that a camera tells apart as a picture, and what they are."""
    deck, files = paper_of(name), {}
    for face in deck.pictured:
        picture = face_picture(deck, face, pixels, size)
        files[f"{face}.png"] = _png(picture)
    about = {
        "deck": f"{game(name).title}, our own drawing",
        "card_mm": size,
        "corner_radius_mm": RADIUS,
        "corners": "white",
        "pixels": [picture.shape[1], picture.shape[0]],
        "faces": deck.faces,
        "cards": list(deck.cards),
        "copies": list(deck.cards.values()),
        "blank": "blank.png" if BLANK in deck.pictured else None,
        "blanks": deck.blanks,
        "back": "back.png" if BACK in deck.pictured else None,
    }
    return {**files, "deck.json": _json(about)}


def mat_files(mat: Mat, per_mm: int) -> Files:
    name = f"mat-{mat.name}"
    return {
        f"{name}.png": _png(sheets.mat_picture(mat, per_mm)),
        f"{name}.json": _json(sheets.mat_geometry(mat, per_mm)),
    }


def _png(picture: Picture) -> bytes:
    done, content = cv2.imencode(".png", picture)
    assert done
    return content.tobytes()


def _json(about: dict[str, Any]) -> bytes:
    return (json.dumps(about, ensure_ascii=False, indent=1) + "\n").encode()


# --- all of the files or none


def put_all(jobs: list[tuple[Path, Files]]) -> None:
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
