"""Paints a page as SVG: the same lines, curves and letters as `pdf`, in millimetres, for whoever cuts them."""

from xml.sax.saxutils import escape

from vision.drawing import DrawnMark, DrawnWords, Ink, Path, PrintedPage
from vision.mat import Point

SPACE = "http://www.w3.org/2000/svg"
CAPITAL = 0.718  # how high the capitals of the letters are, by their size


def svg(page: PrintedPage, title: str) -> bytes:
    width, height = map(_number, page.size)
    lines = [
        f'<svg xmlns="{SPACE}" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">',
        f"<title>{escape(title)}</title>",
        *(_words(one) if isinstance(one, DrawnWords) else _mark(one) for one in page.drawing),
        "</svg>",
    ]
    return "\n".join(lines).encode() + b"\n"


def _mark(mark: DrawnMark) -> str:
    stroke = f' stroke="{_ink(mark.stroke)}" stroke-width="{_number(mark.width)}"' if mark.stroke else ""
    return f'<path d="{" ".join(map(_path, mark.paths))}" fill="{_ink(mark.fill)}"{stroke}/>'


def _path(path: Path) -> str:
    pieces = (f"{'C' if len(piece) > 1 else 'L'}{' '.join(map(_point, piece))}" for piece in path.pieces)
    return f"M{_point(path.start)} {' '.join(pieces)}{' Z' if path.closed else ''}"


def _words(words: DrawnWords) -> str:
    anchor = ' text-anchor="middle"' if words.align == "middle" else ""
    x, y = map(_number, words.at)
    size = _number(words.height / CAPITAL)
    letters = f'font-family="sans-serif" font-size="{size}" fill="{_ink(words.ink)}"{anchor}'
    return f'<text x="{x}" y="{y}" {letters}>{escape(words.text)}</text>'


def _ink(ink: Ink | None) -> str:
    return "none" if ink is None else "#{:02x}{:02x}{:02x}".format(*ink)


def _point(point: Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    """To a thousandth of a millimetre."""
    return f"{value:.3f}".rstrip("0").rstrip(".") or "0"
