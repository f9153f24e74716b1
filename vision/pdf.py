"""Paints pages in PDF: nothing but lines, curves and letters, and every length as it was said."""

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from vision.drawing import DrawnMark, DrawnWords, Ink, Path, PrintedPage
from vision.eye_errors import PrintError
from vision.mat import Point

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

MM = 72 / 25.4
FONT = "Helvetica"  # every reader has it
CAPITAL = 0.718  # how high its capitals are, by its size
ROUND = 1  # ends and joints


def pdf(pages: Sequence[PrintedPage], title: str, *, duplex: bool = False) -> bytes:
    """A file that asks to be printed without scaling; the same pages give the same bytes."""
    content = BytesIO()
    canvas = _canvas(content)
    canvas.setTitle(title)
    canvas.setCreator("table companion")
    canvas.setViewerPreference("PrintScaling", "None")
    if duplex:
        width, height = pages[0].size
        canvas.setViewerPreference("Duplex", "DuplexFlipLongEdge" if width < height else "DuplexFlipShortEdge")
    for page in pages:
        _Sheet(canvas, page).paint()
    canvas.save()
    return content.getvalue()


def _canvas(content: BytesIO) -> "Canvas":
    try:
        from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415
    except ImportError:
        raise PrintError("Printing needs reportlab, which is not installed: run `make play` once more.") from None
    return Canvas(content, pageCompression=1, invariant=1)


class _Sheet:
    """One page on its way into the file, whose y runs up."""

    def __init__(self, canvas: "Canvas", page: PrintedPage) -> None:
        self._canvas, self._page = canvas, page

    def paint(self) -> None:
        width, height = self._page.size
        self._canvas.setPageSize((width * MM, height * MM))
        self._canvas.setLineCap(ROUND)
        self._canvas.setLineJoin(ROUND)
        for one in self._page.drawing:
            if isinstance(one, DrawnWords):
                self._write(one)
            else:
                self._paint(one)
        self._canvas.showPage()

    def _there(self, point: Point) -> Point:
        return point[0] * MM, (self._page.size[1] - point[1]) * MM

    def _paint(self, mark: DrawnMark) -> None:
        together: Any = self._canvas.beginPath()
        for path in mark.paths:
            self._follow(together, path)
        if mark.fill is not None:
            self._canvas.setFillColorRGB(*_parts(mark.fill))
        if mark.stroke is not None:
            self._canvas.setStrokeColorRGB(*_parts(mark.stroke))
            self._canvas.setLineWidth(mark.width * MM)
        self._canvas.drawPath(together, stroke=int(mark.stroke is not None), fill=int(mark.fill is not None))

    def _follow(self, together: Any, path: Path) -> None:
        together.moveTo(*self._there(path.start))
        for piece in path.pieces:
            points = [value for point in piece for value in self._there(point)]
            (together.lineTo if len(piece) == 1 else together.curveTo)(*points)
        if path.closed:
            together.close()

    def _write(self, words: DrawnWords) -> None:
        self._canvas.setFont(FONT, words.height / CAPITAL * MM)
        self._canvas.setFillColorRGB(*_parts(words.ink))
        x, y = self._there(words.at)
        if words.align == "middle":
            self._canvas.drawCentredString(x, y, words.text)
        else:
            self._canvas.drawString(x, y, words.text)


def _parts(ink: Ink) -> tuple[float, float, float]:
    red, green, blue = ink
    return red / 255, green / 255, blue / 255
