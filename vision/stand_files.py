"""The drawing of where a camera stands, as a file."""

import cv2

from vision.drawing import PrintedPage
from vision.ink import painted
from vision.pdf import pdf
from vision.stand_drawing import SHEET, stand_drawing
from vision.stand_plan import StandPlan

PER_MM = 8


def stand_file(plan: StandPlan, kind: str) -> bytes:
    """What is in a .png or a .pdf."""
    drawing = stand_drawing(plan)
    if kind == ".pdf":
        return pdf([PrintedPage(SHEET, drawing)], "Where the camera stands")
    pixels = (round(SHEET[0] * PER_MM), round(SHEET[1] * PER_MM))
    return bytes(cv2.imencode(".png", painted(drawing, SHEET, pixels))[1])
