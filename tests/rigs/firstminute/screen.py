"""An X server without a screen, hands for it, and pictures of what it would show."""

import contextlib
import os
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.rigs.running import RigError

SIZE = (1366, 768)  # a small laptop's
HEADER = 25  # words at the beginning of an XWD file

Shot = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Screen:
    """A server that runs, and the file in which it keeps what it shows."""

    name: str
    file: Path

    @property
    def settings(self) -> dict[str, str]:
        """What a program needs to be seen there."""
        kept = {key: value for key, value in os.environ.items() if key not in ("WAYLAND_DISPLAY", "SDL_VIDEODRIVER")}
        return {**kept, "DISPLAY": self.name, "SDL_AUDIODRIVER": "dummy"}

    def do(self, *words: object) -> str:
        done = subprocess.run(
            ["xdotool", *map(str, words)], env=self.settings, check=False, capture_output=True, text=True, timeout=300
        )
        if done.returncode:
            raise RigError(f"xdotool {' '.join(map(str, words))}: {done.stderr.strip() or done.returncode}")
        return done.stdout

    def click(self, x: int, y: int) -> None:
        self.do("mousemove", x, y)
        time.sleep(0.1)
        self.do("click", 1)

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        self.do("mousemove", *start)
        self.do("mousedown", 1)
        for share in (0.25, 0.5, 0.75, 1.0):
            self.do("mousemove", *(round(a + (b - a) * share) for a, b in zip(start, end, strict=True)))
            time.sleep(0.08)
        self.do("mouseup", 1)

    def shot(self) -> Shot:
        """What is to be seen now."""
        content = self.file.read_bytes()
        words = struct.unpack(f">{HEADER}I", content[: HEADER * 4])
        header, width, height, row, colours = words[0], words[4], words[5], words[12], words[19]
        pixels = np.frombuffer(content, np.uint8, row * height, header + colours * 12)
        return np.ascontiguousarray(pixels.reshape(height, row // 4, 4)[:, :width, :3])


@contextlib.contextmanager
def screen(size: tuple[int, int] = SIZE) -> Iterator[Screen]:
    with tempfile.TemporaryDirectory() as folder:
        ear, mouth = os.pipe()
        server = subprocess.Popen(
            [
                "Xvfb",
                "-displayfd",
                str(mouth),
                "-screen",
                "0",
                f"{size[0]}x{size[1]}x24",
                "-fbdir",
                folder,
                "-nolisten",
                "tcp",
            ],
            pass_fds=[mouth],
            stderr=subprocess.DEVNULL,
        )
        os.close(mouth)
        try:
            with os.fdopen(ear) as told:
                number = told.readline().strip()
            if not number:
                raise RigError("Xvfb did not start.")
            yield Screen(f":{number}", Path(folder) / "Xvfb_screen0")
        finally:
            server.terminate()
            server.wait(10)


def save(shot: Shot, file: Path) -> None:
    if not cv2.imwrite(str(file), shot):
        sys.exit(f"{file} cannot be written")


def window_of(shot: Shot, black: int) -> tuple[int, int, int, int]:
    """Where the window is on a black screen: left, top, width, height."""
    lit = shot.max(2) >= black
    across, down = np.flatnonzero(lit.any(0)), np.flatnonzero(lit.any(1))
    return int(across[0]), int(down[0]), int(across[-1] - across[0] + 1), int(down[-1] - down[0] + 1)
