"""Letters and numerals as strokes: they can be turned with a card, and paper and pixels show the same."""

from vision.curves import arc, smooth
from vision.drawing import Drawing, DrawnMark, DrawnWords, Ink, Path, line, moved

GAP = 0.4  # between two letters, in heights of a capital
# Each in a box as wide as it says and 1 high, from its top left corner.
GLYPHS: dict[str, tuple[float, tuple[Path, ...]]] = {
    "1": (0.34, (line((0.02, 0.24), (0.3, 0.0), (0.3, 1.0)),)),
    "2": (
        0.6,
        (
            smooth(
                (0.02, 0.26),
                (0.1, 0.08),
                (0.3, 0.0),
                (0.5, 0.08),
                (0.57, 0.27),
                (0.47, 0.5),
                (0.26, 0.74),
                (0.02, 1.0),
                closed=False,
            ),
            line((0.02, 1.0), (0.6, 1.0)),
        ),
    ),
    # With a flat top, as the others are round: it is not to be taken for an 8.
    "3": (0.6, (line((0.02, 0.0), (0.56, 0.0), (0.25, 0.4)), arc((0.27, 0.69), (0.33, 0.31), -95, 150))),
    "4": (0.66, (line((0.48, 1.0), (0.48, 0.0), (0.0, 0.7), (0.66, 0.7)),)),
    "5": (0.6, (line((0.54, 0.0), (0.1, 0.0), (0.06, 0.42)), arc((0.27, 0.68), (0.31, 0.32), -132, 140))),
    "6": (
        0.6,
        (
            smooth((0.5, 0.03), (0.3, 0.11), (0.12, 0.32), (0.02, 0.68), closed=False),
            arc((0.31, 0.68), (0.29, 0.32), -180, 180),
        ),
    ),
    "7": (0.58, (line((0.0, 0.0), (0.58, 0.0), (0.2, 1.0)),)),
    "8": (0.6, (arc((0.3, 0.24), (0.24, 0.24), -90, 270), arc((0.3, 0.74), (0.3, 0.26), -90, 270))),
    # With a straight leg: it is not to be taken for a 6 that stands on its head.
    "9": (0.6, (arc((0.29, 0.32), (0.29, 0.32), 0, 360), line((0.58, 0.32), (0.58, 1.0)))),
    "+": (0.6, (line((0.3, 0.22), (0.3, 0.82)), line((0.0, 0.52), (0.6, 0.52)))),
    "B": (
        0.56,
        (
            line((0.3, 0.48), (0, 0.48)),
            line((0.28, 0), (0, 0), (0, 1), (0.3, 1)),
            arc((0.28, 0.24), (0.24, 0.24), -90, 90),
            arc((0.3, 0.74), (0.26, 0.26), -90, 90),
        ),
    ),
    "C": (0.66, (arc((0.4, 0.5), (0.4, 0.5), -45, -315),)),
    "D": (0.66, (line((0.2, 0), (0, 0), (0, 1), (0.2, 1)), arc((0.2, 0.5), (0.46, 0.5), -90, 90))),
    "E": (0.5, (line((0.5, 0), (0, 0), (0, 1), (0.5, 1)), line((0, 0.48), (0.42, 0.48)))),
    "H": (0.64, (line((0, 0), (0, 1)), line((0.64, 0), (0.64, 1)), line((0, 0.48), (0.64, 0.48)))),
    "I": (0.0, (line((0, 0), (0, 1)),)),
    "J": (0.42, (line((0.42, 0), (0.42, 0.74)), arc((0.21, 0.74), (0.21, 0.26), 0, 150))),
    "K": (0.6, (line((0, 0), (0, 1)), line((0.56, 0), (0, 0.58)), line((0.2, 0.4), (0.6, 1)))),
    "M": (0.8, (line((0, 1), (0.04, 0), (0.4, 0.7), (0.76, 0), (0.8, 1)),)),
    "N": (0.64, (line((0, 1), (0, 0), (0.64, 1), (0.64, 0)),)),
    "O": (0.8, (arc((0.4, 0.5), (0.4, 0.5), -90, 270),)),
    "P": (
        0.54,
        (line((0, 1), (0, 0), (0.28, 0)), arc((0.28, 0.27), (0.26, 0.27), -90, 90), line((0.28, 0.54), (0, 0.54))),
    ),
    "R": (
        0.58,
        (
            line((0, 1), (0, 0), (0.28, 0)),
            arc((0.28, 0.27), (0.26, 0.27), -90, 90),
            line((0.28, 0.54), (0, 0.54)),
            line((0.26, 0.54), (0.58, 1)),
        ),
    ),
    "S": (
        0.56,
        (
            smooth(
                (0.53, 0.16),
                (0.42, 0.03),
                (0.26, 0),
                (0.1, 0.05),
                (0.03, 0.22),
                (0.12, 0.4),
                (0.28, 0.49),
                (0.46, 0.6),
                (0.55, 0.77),
                (0.47, 0.94),
                (0.27, 1),
                (0.1, 0.96),
                (0, 0.82),
                closed=False,
            ),
        ),
    ),
    "T": (0.6, (line((0, 0), (0.6, 0)), line((0.3, 0), (0.3, 1)))),
    "U": (0.64, (line((0, 0), (0, 0.66)), arc((0.32, 0.66), (0.32, 0.34), 180, 0), line((0.64, 0.66), (0.64, 0)))),
    "W": (0.9, (line((0, 0), (0.22, 1), (0.45, 0.2), (0.68, 1), (0.9, 0)),)),
    "Y": (0.6, (line((0, 0), (0.3, 0.5), (0.3, 1)), line((0.6, 0), (0.3, 0.5)))),
}


def wide(text: str) -> float:
    """In heights of a capital, from the middle of the first stroke to that of the last."""
    return sum(GLYPHS[letter][0] for letter in text) + GAP * (len(text) - 1)


def stroked(text: str, height: float, stroke: float, ink: Ink) -> Drawing:
    """Words around their middle; the height is between the middles of the strokes."""
    x = -wide(text) * height / 2
    drawing: list[DrawnMark | DrawnWords] = []
    for letter in text:
        across, paths = GLYPHS[letter]
        glyph: Drawing = (DrawnMark(paths, None, ink, stroke / height),)
        drawing += moved(glyph, (x, -height / 2), scale=height)
        x += (across + GAP) * height
    return tuple(drawing)


def numeral(text: str, height: float, stroke: float, ink: Ink) -> Drawing:
    """As words, each with a line under it that could be another numeral upside down."""
    marks = stroked(text, height, stroke, ink)
    if text not in {"6", "9"}:
        return marks
    reach, low = 0.3 * height, height / 2 + 1.25 * stroke
    return (*marks, DrawnMark((line((-reach, low), (reach, low)),), None, ink, 0.65 * stroke))
