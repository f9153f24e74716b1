"""`python -m tools.print_pictures FOLDER` makes the pictures of docs/printing.md: sheets, mats, faces of each game."""

import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
import pypdfium2
from PIL import Image

from companion.core import wholefile as whole
from companion.games import game, having, part
from vision.card_drawing import SLEEVED, SQUARE
from vision.drawing import PrintedPage
from vision.frames import Picture
from vision.ink import painted
from vision.mat import LARGE, SMALL, Point
from vision.pdf import pdf
from vision.printed_deck import PrintedDeck
from vision.sheets import deck_pages, duplex_pages, mat_pages

GREY = (134, 130, 124)
GAP = 5
FACE, MOST_ACROSS = 108, 10
SHOWN = 20  # faces of a game at most
INKS = 128  # colours of a picture
PAGE = 1.9  # pixels for each millimetre of a sheet


def _sheet(page: PrintedPage, per_mm: float = PAGE) -> Picture:
    """As another program draws it, with the letters that will be on the paper."""
    document = pypdfium2.PdfDocument(pdf([page], "sheet"))
    picture = document[0].render(scale=per_mm * 25.4 / 72).to_numpy()[:, :, :3].copy()
    document.close()
    return np.asarray(picture, np.uint8)


def _rows(pictures: Sequence[Picture], columns: int) -> Picture:
    """Side by side on grey."""
    high, wide = (max(picture.shape[side] for picture in pictures) for side in (0, 1))
    rows = -(-len(pictures) // columns)
    columns = min(columns, len(pictures))
    ground = np.empty((rows * (high + GAP) + GAP, columns * (wide + GAP) + GAP, 3), np.uint8)
    ground[:] = GREY
    for number, picture in enumerate(pictures):
        row, column = divmod(number, columns)
        top, left = GAP + row * (high + GAP), GAP + column * (wide + GAP)
        ground[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
    return ground


def _faces(deck: PrintedDeck, size: Point) -> Picture:
    """Some of the fronts, evenly chosen, and what is behind the first."""
    names = list(deck.cards)
    step = -(-len(names) // (SHOWN - 1))
    drawn = [deck.front(name, size) for name in names[::step]]
    if deck.is_two_sided:
        drawn += [deck.back(name, size) for name in names]
    else:
        drawn.append(deck.back(names[0], size))
    rows = -(-len(drawn) // MOST_ACROSS)
    return _rows([painted(one, size, (FACE, FACE)) for one in drawn], -(-len(drawn) // rows))


def pictures() -> dict[str, Picture]:
    found = {
        "mat": _sheet(mat_pages(SMALL, "a4")[0], 2.4),
        "halves": _rows([_sheet(page, 2.0) for page in mat_pages(LARGE, "a4", halves=True)], 2),
        "teaching": _sheet(mat_pages(SMALL, "a4", teaching=True)[0], 1.6),
    }
    for name in having("paper"):
        deck = part(name, "paper", PrintedDeck)
        found[f"{name}-faces"] = _faces(deck, SQUARE)
        if deck.blanks:
            fronts, title = deck_pages(deck, SQUARE, "a4", game(name).title), game(name).title
            backs = duplex_pages(deck, SQUARE, "a4", title)[1]
            found["deck"] = _rows([_sheet(page) for page in (fronts[0], backs, fronts[-1])], 3)
            found["sleeved"] = _rows([_sheet(page) for page in duplex_pages(deck, SLEEVED, "a4", title)[:2]], 2)
    return found


def _packed(picture: Picture) -> bytes:
    """With few colours, so that documents stay light."""
    content = BytesIO()
    few = Image.fromarray(picture[:, :, ::-1]).quantize(INKS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(content, "PNG", optimize=True)
    return content.getvalue()


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures().items():
        whole.write(folder / f"{name}.png", _packed(picture))


if __name__ == "__main__":
    main()
