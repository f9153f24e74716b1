"""`python -m tools.gallery FOLDER` saves a picture of every screen; `--window` opens one to play in."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from companion.display.layout import Size
from companion.display.view import Prefs

if TYPE_CHECKING:
    import pygame

    from companion.display.scene import Scene

# How many times smaller they are in docs/screens; and those with the longest texts once more in every language.
SMALL: dict[Size, int] = {(800, 480): 2, (720, 1280): 4, (1280, 720): 4, (1920, 1080): 6}
IN_EVERY_LANGUAGE, LONGEST = (800, 480), "long"
PALETTE = 256  # colours of a small picture
BIGGEST = 8000  # pixels along a side


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        if options.window:
            return play(options.size or [(1280, 720)], options.journal, Prefs(options.theme, options.language))
        if options.folder is None:
            raise CompanionError("Name the folder for the pictures, or say --window.")
        count = save_pictures(options)
    except CompanionError as error:
        print(f"companion: {error}", file=sys.stderr)  # noqa: T201
        return 2
    print(f"{count} pictures in {options.folder}")  # noqa: T201
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.gallery", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="where the pictures go")
    parser.add_argument("--size", type=_size, action="append", metavar="WxH", help="such as 800x480; may be repeated")
    parser.add_argument("--language", default="en", metavar="xx")
    parser.add_argument("--theme", default="dark", choices=("dark", "bright", "contrast"))
    parser.add_argument("--only", default="", metavar="WORD", help="only screens with this in their name")
    parser.add_argument(
        "--small",
        action="store_true",
        help="small ones at four sizes, the longest texts in every language: those of docs/screens",
    )
    parser.add_argument("--shrink", type=int, default=1, choices=range(1, 9), help="save them so many times smaller")
    parser.add_argument("--window", action="store_true", help="open a window instead, and play")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="where matches of the window are kept")
    return parser


def _size(text: str) -> Size:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit() and 0 < int(width) <= BIGGEST and 0 < int(height) <= BIGGEST):
        raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a size such as 800x480")
    return int(width), int(height)


def save_pictures(options: argparse.Namespace) -> int:
    """A picture of every screen at every size; the names say which is which."""
    import pygame  # noqa: PLC0415

    count = 0
    for made in pictures(options):
        _make(made.file.parent)
        pygame.image.save(made.surface, made.file)
        count += 1
    pygame.display.quit()
    return count


@dataclass(frozen=True, slots=True)
class PictureMade:
    """A picture of a screen, as it is saved."""

    file: Path
    scene: "Scene"
    surface: "pygame.Surface"
    shrink: int


def pictures(options: argparse.Namespace) -> "Iterator[PictureMade]":
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    import pygame  # noqa: PLC0415

    from companion.display.painter import Painter  # noqa: PLC0415
    from companion.display.screens import scene  # noqa: PLC0415
    from companion.words import Words  # noqa: PLC0415
    from tools.gallery.scenes import shots  # noqa: PLC0415

    for batch in _batches(options):
        surface = pygame.display.set_mode(batch.size)
        small = (batch.size[0] // batch.shrink, batch.size[1] // batch.shrink)
        for shot in shots(batch.size, Words(batch.language), theme=options.theme):
            if batch.only not in shot.name:
                continue
            shown = scene(shot.view)
            Painter(surface, options.theme).paint(shown, shot.moment)
            saved = surface if batch.shrink == 1 else pygame.transform.smoothscale(surface, small)
            if options.small:
                saved = _in_few_colours(saved)
            file = batch.folder / f"{shot.name}-{batch.size[0]}x{batch.size[1]}.png"
            yield PictureMade(file, shown, saved, batch.shrink)


@dataclass(frozen=True, slots=True)
class Batch:
    """Pictures of one size and language."""

    folder: Path
    size: Size
    shrink: int
    language: str
    only: str


def _batches(options: argparse.Namespace) -> Iterator[Batch]:
    from companion.words import LANGUAGES  # noqa: PLC0415
    from tools.gallery.scenes import SIZES  # noqa: PLC0415

    if not options.small:
        for size in options.size or SIZES:
            yield Batch(options.folder, size, options.shrink, options.language, options.only)
        return
    sizes = [size for size in SMALL if size in (options.size or SMALL)]
    for size in sizes:
        yield Batch(options.folder, size, SMALL[size], options.language, options.only)
    for language in LANGUAGES:
        size = IN_EVERY_LANGUAGE
        if language != options.language and size in sizes:
            yield Batch(options.folder / language, size, SMALL[size], language, LONGEST)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CompanionError(f"{folder}: no folder can be made there ({error.strerror}).") from None


def _in_few_colours(surface: "pygame.Surface") -> "pygame.Surface":
    """The same with a palette of its most frequent colours: a quarter of the bytes."""
    import numpy as np  # noqa: PLC0415
    import pygame  # noqa: PLC0415

    pixels = pygame.surfarray.array3d(surface).reshape(-1, 3)
    groups = (pixels >> 3) @ np.array((1024, 32, 1), np.int32)
    counts = np.bincount(groups, minlength=32768)
    used = np.flatnonzero(counts)
    sums = [np.bincount(groups, pixels[:, one], minlength=32768)[used] for one in range(3)]
    colours = [one / counts[used] for one in sums]  # red, green, blue
    palette = [one[np.argsort(-counts[used])[:PALETTE]] for one in colours]
    apart = sum((one[:, None] - other[None]) ** 2 for one, other in zip(colours, palette, strict=True))
    nearest = np.zeros(32768, np.uint8)
    nearest[used] = apart.argmin(axis=1)
    few = pygame.Surface(surface.get_size(), depth=8)
    few.set_palette([(int(r), int(g), int(b)) for r, g, b in np.stack(palette, axis=1).round()])
    pygame.surfarray.blit_array(few, nearest[groups].reshape(surface.get_size()))
    return few


def play(sizes: list[Size], journal: Path | None, prefs: Prefs) -> int:
    """A window to play in."""
    import contextlib  # noqa: PLC0415

    from companion.display.app import App  # noqa: PLC0415
    from companion.display.loop import Looks, Loop, window  # noqa: PLC0415
    from companion.journal import Journal  # noqa: PLC0415
    from companion.sounds.hearing import sound  # noqa: PLC0415

    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(Journal.open(journal)) if journal else None
        surface = stack.enter_context(window(Looks(sizes[0])))
        app = App(surface.get_size(), kept, prefs=prefs)
        stack.enter_context(sound(app))
        Loop(app, surface).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
