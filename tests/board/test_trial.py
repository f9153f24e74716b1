"""One command for a table, a broker and a board: begun together, ended together."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.board import trial
from tests.board.test_service import PROJECT, get
from tests.publishing.mosquitto import PASSWORDS, PROGRAM, eventually

SIGNS = {"█": (255, 255), "▄": (0, 255), "▀": (255, 0), " ": (0, 0)}
ADDRESS = "http://192.168.178.23:41234/table/table"


def test_the_code_for_phones_says_where_the_page_is() -> None:
    """Read again as a camera would see it, by OpenCV's decoder: no other was at hand."""
    rows = [row for line in trial.qr_lines(ADDRESS) for row in zip(*(SIGNS[sign] for sign in line), strict=True)]
    picture = np.kron(np.array(rows, np.uint8), np.ones((8, 8), np.uint8))
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == ADDRESS


def test_without_a_broker_the_game_is_played_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(trial, "program", lambda _: None)
    said: list[str] = []
    assert trial.play(["--version"], said.append, in_lan=False) == 0
    assert said == [trial.NO_BROKER]
    assert "companion" in capfd.readouterr().out


@pytest.mark.skipif(not (PROGRAM and PASSWORDS), reason="mosquitto is not installed (apt-get install mosquitto)")
def test_table_broker_and_board_begin_and_end_together(tmp_path: Path) -> None:
    pytest.importorskip("pygame")
    surroundings = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    surroundings |= {"HOME": str(tmp_path), "TMPDIR": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    command = [sys.executable, "-m", "companion", "board", "try", "--", "--size", "800x480"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=PROJECT, env=surroundings, process_group=0
    ) as process:
        try:
            assert process.stdout
            said = process.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:(\d+)/table/table", said)
            assert found
            assert "on this computer alone" in said
            eventually(lambda: "Nobody plays here just now." in get(int(found[1]), "/table/table"))
            folder = next(tmp_path.glob("companion-board-*"))
            assert (folder / "password").stat().st_mode & 0o777 == 0o600
            assert (folder / "password").read_text().strip() not in (folder / "users").read_text()
        finally:
            os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=20)
    assert not [*tmp_path.glob("companion-board-*")]
    assert get(int(found[1]), "/") == ""
