"""QR codes, read again by OpenCV’s decoder."""

import threading

import cv2
import numpy as np
import pytest

from companion.reports.qr_code import EDGE, QrDesk, Rows, qr_rows

ADDRESS = "http://192.168.178.23:8333/table/kitchen"


def read(rows: Rows) -> str:
    picture = np.kron(np.where(np.array(rows), 0, 255).astype(np.uint8), np.ones((8, 8), np.uint8))
    return str(cv2.QRCodeDetector().detectAndDecode(picture)[0])


@pytest.mark.parametrize("text", [ADDRESS, "http://a/", f"{ADDRESS}?data={'%22n%22' * 60}"])
def test_what_is_written_is_read(text: str) -> None:
    rows = qr_rows(text)
    assert read(rows) == text
    assert len({len(rows), *map(len, rows)}) == 1
    assert not any(any(row) for row in (*rows[:EDGE], *rows[-EDGE:])), "a phone needs a bright edge"


def test_what_cannot_be_written_is_no_code() -> None:
    assert qr_rows("x" * 10_000) == ()


def test_a_code_is_made_beside_the_table_and_once() -> None:
    called, made, go = threading.Event(), list[str](), threading.Event()

    def make(text: str) -> Rows:
        made.append(text)
        assert go.wait(20)
        return ((True,),)

    desk = QrDesk(called.set, make)
    assert desk.rows("a") is None
    assert desk.rows("a") is None
    go.set()
    assert called.wait(20)
    assert desk.rows("a") == ((True,),)
    assert made == ["a"]
