"""What is printed of a lattice: a dot where four of its places meet, so that cards lie straight; and, of any mat, where
piles are.

The places themselves stay bare, for whoever reads them.
"""

from collections.abc import Iterator

from vision.drawing import Drawing, DrawnMark, DrawnWords, Ink, Path, disc, line
from vision.mat import Mat, Point

LINE: Ink = (160, 180, 204)  # of the places of all mats
DOT = 0.7
CORNER = 8.0  # how long the lines are at the corners of a pile's place
INSET = 1.0  # from a card's edge to them
BELOW = 7.0


def lattice_marks(mat: Mat) -> Drawing:
    """Nothing of it crosses the middle of the mat, where it may be cut."""
    return tuple(DrawnMark((disc(node, DOT),), LINE) for node in _nodes(mat) if abs(node[1] - mat.size[1] / 2) > DOT)


def pile_marks(mat: Mat) -> Drawing:
    """Where piles lie, and what each of them is."""
    marks: list[DrawnMark | DrawnWords] = []
    for (x, y), word in zip(mat.piles, mat.pile_words, strict=False):
        marks += [DrawnMark((corner,), None, LINE, 0.3) for corner in _corners((x, y), mat.card)]
        marks.append(DrawnWords((x, y + mat.card[1] / 2 + BELOW), word, 2.4, LINE, "middle"))
    return tuple(marks)


def _nodes(mat: Mat) -> Iterator[Point]:
    (columns, rows), (across, down) = mat.shape, mat.pitch
    left, top = mat.places[0][0] - across / 2, mat.places[0][1] - down / 2
    for row in range(rows + 1):
        for column in range(columns + 1):
            yield left + column * across, top + row * down


def _corners(middle: Point, card: Point) -> Iterator[Path]:
    """Angles around a card's place."""
    half = card[0] / 2 + INSET, card[1] / 2 + INSET
    for right in (-1, 1):
        for down in (-1, 1):
            x, y = middle[0] + right * half[0], middle[1] + down * half[1]
            yield line((x - right * CORNER, y), (x, y), (x, y - down * CORNER))
