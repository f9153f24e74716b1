"""A text as a QR code, by the encoder of ReportLab.

That of OpenCV 4.11 was tried first: of 165 letters and more, its codes were read neither by OpenCV nor by zxing-cpp.
"""

import threading
from collections.abc import Callable

Rows = tuple[tuple[bool, ...], ...]  # dark or not, with the bright edge that a code needs around it
EDGE = 4  # modules


def qr_rows(text: str) -> Rows:
    """Nothing where it cannot be made."""
    try:
        from reportlab.graphics.barcode.qrencoder import (  # noqa: PLC0415  (it takes its time, and few screens need it)
            QRCode,
            QRErrorCorrectLevel,
        )

        code = QRCode(None, QRErrorCorrectLevel.L)
        code.addData(text)
        code.make()
    except Exception:  # a text that is too long has an error of its own, a package that is missing another one
        return ()
    edge = (False,) * EDGE
    across = ((False,) * (len(code.modules) + 2 * EDGE),) * EDGE
    return (*across, *((*edge, *map(bool, row), *edge) for row in code.modules), *across)


class QrDesk:
    """Makes codes beside the table, each once; `call` is called, from another thread, when there is one more."""

    def __init__(self, call: Callable[[], None], make: Callable[[str], Rows] = qr_rows) -> None:
        self._call, self._make = call, make
        self._made: dict[str, Rows | None] = {}

    def rows(self, text: str) -> Rows | None:
        """None while it is being made."""
        if text not in self._made:
            self._made = {text: None}  # the newest is enough
            threading.Thread(target=self._work, args=(text, self._made), name="code", daemon=True).start()
        return self._made[text]

    def _work(self, text: str, made: dict[str, Rows | None]) -> None:
        made[text] = self._make(text)
        self._call()
