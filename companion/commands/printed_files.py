"""The files of `companion print`: what is in them, and writing all of them or none."""

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import cv2

from companion.core.game_print import title_of, usual_deck
from vision import sheets
from vision.card_drawing import BLANKS, NAMES, RADIUS, face_picture
from vision.deck import CARDS
from vision.eye_errors import PrintError
from vision.frames import Picture
from vision.mat import Mat, Point
from vision.pdf import pdf

Files = dict[str, bytes]

# --- what is in the files


def sheet_files(kinds: Iterable[str], mat: Mat, size: Point, paper: str, *, halves: bool) -> Files:
    called = f"{size[0]:g}x{size[1]:g}-{paper}.pdf"
    halves, title = halves or mat.name == "large", _title()
    mat_file = f"mat-{mat.name}-{'halves-' if halves else ''}{paper}.pdf"
    drawn: dict[str, Callable[[], tuple[str, bytes]]] = {
        "mat": lambda: (mat_file, pdf(sheets.mat_pages(mat, paper, halves=halves), f"Play mat, {mat.name}")),
        "deck": lambda: (f"deck-{called}", pdf(sheets.deck_pages(size, paper, title), f"{title} deck, fronts")),
        "backs": lambda: (f"backs-{called}", pdf(sheets.back_pages(size, paper, title), f"{title} deck, backs")),
        "duplex": lambda: (
            f"duplex-{called}",
            pdf(sheets.duplex_pages(size, paper, title), f"{title} deck, fronts and backs", duplex=True),
        ),
    }
    return dict(drawn[what]() for what in dict.fromkeys(kinds))


def _title() -> str:
    """Of the game whose cards are printed."""
    return title_of(usual_deck())


def face_files(size: Point, pixels: int) -> Files:
    files = {}
    for name in NAMES:
        picture = face_picture(name, pixels, size)
        files[f"{name}.png"] = _png(picture)
    about = {
        "deck": f"{_title()}, our own drawing",
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
