"""Paints a drawing in pixels, finely and then smaller, so that edges are smooth and lengths are right."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.drawing import WHITE, Drawing, DrawnMark, DrawnWords, Ink, flattened
from vision.frames import Picture
from vision.mat import Point

FINE = 1200  # pixels that the longer side is painted with at least, before it is made smaller
BAND = 12_000_000  # fine pixels that are held at once
SUBPIXEL = 6  # bits of a coordinate's fraction
CAPITAL = 21.0  # pixels of a capital letter at scale 1 of the font

Floats = NDArray[np.float64]


def painted(drawing: Drawing, size: Point, pixels: tuple[int, int], paper: Ink = WHITE) -> Picture:
    """So many pixels across and down for a size in millimetres."""
    width, height = pixels
    fine = max(3, math.ceil(FINE / max(pixels)))
    scale: Floats = np.array([fine * width / size[0], fine * height / size[1]])
    picture = np.empty((height, width, 3), np.uint8)
    rows = max(1, BAND // (width * fine * fine))
    for top in range(0, height, rows):
        band = picture[top : top + rows]
        _paint_band(band, drawing, scale, (top, fine), paper)
    return picture


def _paint_band(band: Picture, drawing: Drawing, scale: Floats, place: tuple[int, int], paper: Ink) -> None:
    (rows, width), (top, fine) = band.shape[:2], place
    canvas = np.empty((rows * fine, width * fine, 3), np.uint8)
    canvas[:] = paper[::-1]
    shift = np.array([0.0, top * fine])
    for one in drawing:
        if isinstance(one, DrawnWords):
            _write(canvas, one, scale, shift)
        else:
            _paint(canvas, one, scale, shift)
    cv2.resize(canvas, (width, rows), dst=band, interpolation=cv2.INTER_AREA)


def _paint(canvas: Picture, mark: DrawnMark, scale: Floats, shift: Floats) -> None:
    outlines = [_placed(np.array(flattened(path)) * scale - shift) for path in mark.paths]
    if mark.fill is not None:
        cv2.fillPoly(canvas, outlines, mark.fill[::-1], shift=SUBPIXEL)
    if mark.stroke is not None:
        width = max(1, round(mark.width * float(scale.mean())))
        for path, outline in zip(mark.paths, outlines, strict=True):
            cv2.polylines(canvas, [outline], path.closed, mark.stroke[::-1], width, shift=SUBPIXEL)


def _placed(points: Floats) -> NDArray[np.int32]:
    """In parts of a pixel, whose middle is a whole number."""
    return np.asarray(np.round((points - 0.5) * 2**SUBPIXEL), np.int32)


def _write(canvas: Picture, words: DrawnWords, scale: Floats, shift: Floats) -> None:
    size = words.height * float(scale[1]) / CAPITAL
    weight = max(1, round(size * 2))
    (width, _), _ = cv2.getTextSize(words.text, cv2.FONT_HERSHEY_SIMPLEX, size, weight)
    x, y = np.array(words.at) * scale - shift
    start = (round(x - width / 2) if words.align == "middle" else round(x), round(y))
    cv2.putText(canvas, words.text, start, cv2.FONT_HERSHEY_SIMPLEX, size, words.ink[::-1], weight, cv2.LINE_AA)
