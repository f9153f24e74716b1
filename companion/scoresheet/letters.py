"""Letters on paper: words in whatever script, with the fonts that the screen has.

A font is embedded, so what is written can be looked for and copied. What cannot be written so, because its letters
change with their neighbours, run from right to left or belong to a font of another kind, is drawn as a picture, with
its text unseen behind it. A letter that no font has is a frame.
"""

import io
import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from PIL import Image, ImageDraw, ImageFont, features  # comes with reportlab
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFError, TTFont
from reportlab.pdfgen.canvas import Canvas

from companion.display import typeface

FINE = 6  # pixels of a picture for each point of a letter
FRAME = 0.7  # how wide a letter is that no font has
UNSEEN_TEXT = 3  # the mode in which a PDF writes what is not to be seen
# Marks over letters; Hebrew and Arabic to Thai, Khmer and the like, and their presentation forms.
_INTERWOVEN = re.compile("[\u0300-\u036f\u0590-\u109f\u1780-\u17ff\ufb1d-\ufdff\ufe70-\ufeff]")

Ink = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Letters that are written with one font; no face if none has them."""

    text: str
    face: str
    is_drawn: bool = False  # as a picture


def width(text: str, size: float, *, bold: bool = False) -> float:
    return sum(_width(piece, size) for piece in pieces(text, bold=bold))


def write(canvas: Canvas, at: tuple[float, float], text: str, size: float, ink: Ink, *, bold: bool = False) -> None:
    """From a point on the line of the letters to the right."""
    x, y = at
    canvas.setFillColorRGB(*(part / 255 for part in ink))
    for piece in pieces(text, bold=bold):
        if not piece.face:
            _frame(canvas, x, y, size, ink)
        elif piece.is_drawn:
            _draw(canvas, (x, y), piece, size, ink)
        else:
            canvas.setFont(piece.face, size)
            canvas.drawString(x, y, piece.text)
        x += _width(piece, size)


@lru_cache(maxsize=1024)
def pieces(text: str, *, bold: bool) -> tuple[TextPiece, ...]:
    """A line in pieces from left to right."""
    text, face = unicodedata.normalize("NFC", text), typeface.BOLD if bold else typeface.REGULAR
    if _INTERWOVEN.search(text):
        letters = frozenset(ord(letter) for letter in text if letter.isprintable() and not letter.isspace())
        faces = (face, *typeface.others())
        return (
            TextPiece(text, next((one for one in faces if letters <= typeface.letters_of(one)), face), is_drawn=True),
        )
    return tuple(_piece(run) for run in typeface.runs(text, face))


def _piece(run: typeface.FontRun) -> TextPiece:
    name = _registered(run.face) if run.face else ""
    return TextPiece(run.text, name or run.face, is_drawn=bool(run.face and not name))


@cache
def _registered(face: str) -> str:
    """The font's name in a PDF; none for one that cannot be embedded."""
    name = f"companion-{face.rpartition('/')[2]}"
    try:
        registerFont(TTFont(name, io.BytesIO(typeface.font_file(face)), shapable=False))
    except TTFError:
        return ""
    return name


def _width(piece: TextPiece, size: float) -> float:
    if not piece.face:
        return FRAME * size
    if piece.is_drawn:
        return float(_font(piece.face).getlength(piece.text, **_way(piece.text))) * size / _PIXELS
    return float(stringWidth(piece.text, piece.face, size))


# --- what is drawn ---------------------------------------------------------------------------------------------

_PIXELS = 40 * FINE  # how high a font is whose letters are drawn and made smaller


@cache
def _font(face: str) -> Any:
    return ImageFont.truetype(io.BytesIO(typeface.font_file(face)), _PIXELS)


def _way(text: str) -> dict[str, Any]:
    """A sentence with a name from right to left in it is read from the left all the same."""
    is_mixed = any(unicodedata.bidirectional(letter) == "L" for letter in text)
    return {"direction": "ltr"} if is_mixed and features.check("raqm") else {}


def _draw(canvas: Canvas, at: tuple[float, float], piece: TextPiece, size: float, ink: Ink) -> None:
    font, way = _font(piece.face), _way(piece.text)
    left, top, right, bottom = (round(side) for side in font.getbbox(piece.text, anchor="ls", **way))
    if right > left and bottom > top:
        letters = Image.new("L", (right - left, bottom - top))
        ImageDraw.Draw(letters).text((-left, -top), piece.text, font=font, fill=255, anchor="ls", **way)
        picture = Image.new("RGBA", letters.size, (*ink, 0))
        picture.putalpha(letters)
        scale = size / _PIXELS
        x, y = at[0] + left * scale, at[1] - bottom * scale
        canvas.drawImage(ImageReader(picture), x, y, letters.width * scale, letters.height * scale, mask="auto")
    canvas.saveState()  # what is not seen ends with it
    text = canvas.beginText(*at)
    text.setTextRenderMode(UNSEEN_TEXT)
    text.setFont(_registered(typeface.REGULAR), size)
    text.textOut(piece.text)
    canvas.drawText(text)
    canvas.restoreState()


def _frame(canvas: Canvas, x: float, y: float, size: float, ink: Ink) -> None:
    canvas.setStrokeColorRGB(*(part / 255 for part in ink))
    canvas.setLineWidth(size / 18)
    canvas.rect(x + 0.1 * size, y, (FRAME - 0.2) * size, 0.7 * size, stroke=1, fill=0)
