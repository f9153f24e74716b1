"""The pictures of the pages about watching: the example on nine cells, a dispute from Stop! to go-on, a display.

`python -m tests.watching_pages` makes them in docs/watching/, all by what the companion sees and rules.
"""

import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import cv2
import numpy as np

from companion.cli import main
from companion.display.scene import Dismiss, Say
from companion.games.threepia.rules import Begin
from companion.games.triple3.hands import script_plain
from simulator.rendered.script import Script
from tests.display.test_watched_game import OUT, REFUSED, Table, script
from tests.examples import Mistaken, dispute, nine_plays, watched
from vision.frames import Picture
from vision.verdict import drawn_verdict

FOLDER = Path(__file__).parents[1] / "docs" / "watching"
ON_END = (480, 640)  # the grid above, the words below: three of them go beside each other on a page
WIDE = (960, 540)
STOPPED = {  # of the pictures that `companion watch` keeps of the dispute
    "stop-page.jpg": "dispute-01.jpg",
    "stop-moment.jpg": "dispute-01-3-moment.jpg",
    "stop-put-right.jpg": "dispute-02-3-verdict.jpg",
}
SMALL, LARGE = 44_000, 60_000  # bytes of one of the nine, and of the others


def examples() -> Iterator[tuple[str, Picture]]:
    with tempfile.TemporaryDirectory() as folder:
        verdicts = watched(nine_plays(), Path(folder)).verdicts
    for verdict in verdicts:
        yield f"example-{verdict.cell}.jpg", drawn_verdict(verdict, ON_END)


def stopped() -> Iterator[tuple[str, Picture]]:
    with tempfile.TemporaryDirectory() as folder:
        watch(dispute(), Path(folder))
        for name, kept in STOPPED.items():
            picture = cv2.imread(str(Path(folder) / kept))
            assert picture is not None
            narrow = cv2.resize(picture, WIDE, interpolation=cv2.INTER_AREA)
            yield name, picture if kept.endswith("moment.jpg") else narrow


def at_the_display() -> Picture:
    """Threepia at a display before the drawn camera, as it looks when a card was laid that does not fit."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    import pygame  # noqa: PLC0415

    from companion.display.painter import Painter  # noqa: PLC0415

    made = script()
    with contextlib.closing(Table(made, (1280, 720))) as table:
        table.begin(made)
        table.until(OUT)
        table.do(Say(Begin("Ben")))
        table.until(REFUSED + 1)
        table.app.take(Dismiss(), table.hour.now)
        surface = pygame.display.set_mode((1280, 720))
        Painter(surface, "dark").paint(table.app.scene, table.app.table_time(table.hour.now))
        return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1)[..., ::-1])


def watch(script: Script, folder: Path, *options: str) -> tuple[int, str]:
    """`companion watch` by the reader that takes one card for another: its exit code, and what it says."""
    path = folder / "script.json"
    path.write_text(json.dumps(script_plain(script)), encoding="utf-8")
    said = io.StringIO()
    command = ["watch", str(path), "--game", "triple3", "--no-journal", "--pictures", str(folder), *options]
    with (
        open(os.devnull, encoding="utf-8") as nothing,  # noqa: PTH123
        mock.patch.object(sys, "stdin", nothing),
        mock.patch("vision.reader.Reader", Mistaken),
        contextlib.redirect_stdout(said),
    ):
        return main(command), said.getvalue()


def packed(picture: Picture, largest: int) -> bytes:
    """As good as there is room for."""
    for quality in range(92, 30, -4):
        jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(jpeg) <= largest:
            break
    return jpeg


if __name__ == "__main__":
    for name, picture in (*examples(), *stopped()):
        jpeg = packed(picture, SMALL if name.startswith("example") else LARGE)
        (FOLDER / name).write_bytes(jpeg)
        print(name, len(jpeg))  # noqa: T201
    (FOLDER / "display.jpg").write_bytes(packed(at_the_display(), 2 * LARGE))
