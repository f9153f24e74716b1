"""`companion` as anybody starts it, which writes down what it draws: a line of JSON for each other picture.

python -m tests.rigs.evening.told FILE [COMPANION'S OPTIONS]

What is written is what is to be seen: kinds of things, words, signs, places in the window, and whether a touch there
means anything; not what it means.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import pygame

from companion.__main__ import main
from companion.display.layout import Box
from companion.display.loop import Loop
from companion.display.painter import Painter
from companion.display.scene import Dismiss, Item, Scene
from simulator.drawn.window import Window

HEARD = (pygame.MOUSEBUTTONDOWN, pygame.FINGERDOWN, pygame.KEYDOWN)
TURNS = 40  # of the loop after a touch that are written down although nothing is drawn

Plain = dict[str, Any]


class Teller:
    """Writes down what a loop has drawn."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._scenes: dict[int, Scene] = {}
        self._before: list[Any] = []
        self._turns = self._heard = self._left = 0

    def painted(self, painter: Painter, scene: Scene) -> None:
        self._scenes[id(painter)] = scene

    def heard(self) -> None:
        self._heard += 1
        self._left = TURNS

    def shown(self, loop: Loop) -> None:
        self._turns += 1
        app = loop.app
        told = {"screen": app.view.screen, "moves": len(app.match.line) if app.match else 0, "items": self._items(loop)}
        is_new = [told] != self._before
        self._before = [told]
        if is_new or self._left:
            self._left = max(0, self._left - 1)
            line = {"turn": self._turns, "heard": self._heard, **(told if is_new else {})}
            self._out.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._out.flush()

    def _items(self, loop: Loop) -> list[Plain]:
        painters = [(loop.painter, Box(0, 0, 0, 0))]
        if isinstance(loop, Window):
            painters = [(loop.painter, loop.parts.display), (loop.table_painter, loop.parts.table)]
        shown = [(self._scenes.get(id(painter)), at, part) for part, (painter, at) in enumerate(painters)]
        return [item for scene, at, part in shown if scene for item in plain(scene, at, part)]


def plain(scene: Scene, at: Box, part: int) -> list[Plain]:
    """What is to be seen of a scene that is drawn there."""
    live = {id(item) for item in scene.targets()}
    layers = ((False, scene.items), (True, scene.over))
    return [_plain(item, at, part, id(item) in live, is_over) for is_over, items in layers for item in items]


def _plain(item: Item, at: Box, part: int, is_live: bool, is_over: bool) -> Plain:
    seen = {
        name: value
        for name in ("text", "label", "symbol", "name", "look", "fill", "role", "on", "badge")
        if (value := getattr(item, name, None)) not in (None, "", False)
    }
    box = item.box
    place = [box.x + at.x, box.y + at.y, box.w, box.h]
    is_meant = item.intent is not None
    seen |= {"kind": type(item).__name__, "box": place, "part": part}
    seen |= {"live": is_live, "meant": is_meant, "over": is_over}
    if isinstance(item.intent, Dismiss):
        seen["is_notice"] = True
    return seen


def listen(teller: Teller) -> None:
    """Put the teller beside whatever draws and hears."""
    paint = Painter.paint

    def painting(self: Painter, scene: Scene, now: int = 0, stamp: int = 0) -> list[Box]:
        teller.painted(self, scene)
        return paint(self, scene, now, stamp)

    Painter.paint = painting  # type: ignore[method-assign]
    for kind in (Loop, Window):
        setattr(kind, "show", _then(kind.show, teller.shown))  # noqa: B010  (the same for both)
        setattr(kind, "_hear", _counted(kind, kind._hear, teller))  # noqa: B010


def _then(show: Callable[[Any], None], after: Callable[[Any], None]) -> Callable[[Any], None]:
    def showing(self: Any) -> None:
        show(self)
        after(self)

    return showing


def _counted(kind: type, hear: Callable[[Any, Any], None], teller: Teller) -> Callable[[Any, Any], None]:
    def hearing(self: Any, event: pygame.event.Event) -> None:
        if type(self) is kind and event.type in HEARD:
            teller.heard()
        hear(self, event)

    return hearing


if __name__ == "__main__":
    with Path(sys.argv.pop(1)).open("a", encoding="utf-8") as out:
        listen(Teller(out))
        sys.exit(main())
