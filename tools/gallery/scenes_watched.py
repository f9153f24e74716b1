"""The screens of a match that a camera watches, in their usual and in their hardest states, for the gallery."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, cast

from companion.core.clocks import SECOND, Clock
from companion.core.sentence import Sentence
from companion.devices.camera import CameraSight, CameraStill, Film, SeenCell
from companion.display.screens.slow import KEY, SLOWLY
from companion.display.view import View
from companion.games.triple3.rules import CELLS
from companion.watch.out_of_step import Astray, CalledCard, Differences

SEED, PLAYS = 5, 4
MOMENTS = (5.9, 6.05, 6.2)  # seconds of the table: somebody lays a card
CORNERS = (  # of the cells in these pictures
    ((0.3422, 0.2431), (0.4533, 0.2466), (0.4551, 0.4407), (0.3429, 0.4416)),
    ((0.4434, 0.2463), (0.5499, 0.2504), (0.5527, 0.4402), (0.4451, 0.4408)),
    ((0.5404, 0.25), (0.6419, 0.2547), (0.6455, 0.4397), (0.5431, 0.4402)),
    ((0.3428, 0.4234), (0.4549, 0.4229), (0.457, 0.6203), (0.3441, 0.6254)),
    ((0.445, 0.423), (0.5524, 0.4227), (0.5551, 0.6156), (0.4469, 0.6208)),
    ((0.5429, 0.4227), (0.6452, 0.4228), (0.6484, 0.6108), (0.5455, 0.6161)),
    ((0.344, 0.6069), (0.4568, 0.6023), (0.459, 0.8013), (0.3458, 0.8105)),
    ((0.4467, 0.6027), (0.5549, 0.598), (0.5574, 0.7924), (0.4489, 0.8022)),
    ((0.5453, 0.5984), (0.6481, 0.5936), (0.6509, 0.7831), (0.5478, 0.7933)),
)
NO_MAT = Sentence(
    "{seen}, and no nine cards in three rows; lay the mat with its corners in the picture, or nine cards apart on a "
    "table of another colour, or tell where the corners are.",
    seen="I see no marker of a mat",
)
TWICE = Sentence("Cell {cell} was covered twice; I saw only the upper card, {card}.", cell=5, card="blue-star-1")
HANDS_OFF = "Take your hands off the table for two seconds, or touch the cell that is wrong."
FROZEN = "The camera hands over the same picture again and again: unplug it and plug it in again."
EYES_BACK = "Stop until I see the table again; I then read all nine cells and go on."


def views(known: Mapping[str, View]) -> dict[str, View]:
    """From those of a table that nobody watches."""
    begins, ready, play, long = (known[f"triple3-{name}"] for name in ("begins", "ready", "play", "long"))
    stopped = known["dispute-watched"]
    grid = play.match.state.grid
    found = CameraSight("found", "", _places(grid))
    guessed = dict.fromkeys(range(len(play.match.line) + 1), "Ben")
    refused = {2: CalledCard("purple-circle-1", "Anna")}
    step = Differences({5: Astray("covered-twice", TWICE, HANDS_OFF)}, {}, guessed)
    gone = {0: Astray("frozen", FROZEN, EYES_BACK), **step.astray}
    running = Clock(3 * SLOWLY * SECOND, SLOWLY * SECOND // 4)
    return {
        "watched-opening": replace(begins, sight=CameraSight("opening")),
        "watched-looking": replace(begins, sight=CameraSight("looking", NO_MAT, still=STILL)),
        "watched-lying": replace(begins, sight=replace(found, places=_places((*grid[:6], "", "", "")))),
        "watched-leftovers": replace(begins, sight=found),
        "watched-ready": replace(ready, sight=replace(found, places=_places(ready.match.state.grid))),
        "watched-play": replace(play, sight=replace(found, step=Differences({}, refused, guessed))),
        "watched-out-of-step": replace(play, sight=replace(found, step=step)),
        "watched-gone-long": replace(long, sight=replace(found, state="gone", step=Differences(gone, refused, {}))),
        "watched-dispute": replace(stopped, sight=replace(found, film=FILM)),
        "watched-moment": _marked(stopped, found, play=0, moment=True),
        "watched-slow": _marked(stopped, found, play=0, film=running),
        "watched-slow-runs": _marked(stopped, found, film=replace(running, since=stopped.match.now)),
        "camera": replace(play, screen="camera", depth=2, sight=replace(found, still=STILL)),
        "camera-looking": replace(play, screen="camera", depth=2, sight=CameraSight("looking", NO_MAT, still=STILL)),
        "camera-opening": replace(play, screen="camera", depth=2, sight=CameraSight("opening")),
        "settings-camera": replace(known["settings"], sight=CameraSight("off")),
        "watched-covered": replace(play, sight=replace(found, places=_places(("",) * 9, "covered"))),
    }


def _marked(stopped: View, found: CameraSight, **more: Any) -> View:
    marks = {**stopped.marks, **{KEY if key == "film" else key: value for key, value in more.items()}}
    return replace(stopped, marks=MappingProxyType(marks), sight=replace(found, film=FILM))


def _places(cards: tuple[str, ...], now: str = "") -> tuple[SeenCell, ...]:
    """Cell 4 lies under an arm, and cell 8 cannot be read."""
    odd = {4: "covered", 8: "unreadable"}
    return tuple(
        SeenCell(cell, corners, now or odd.get(cell, "clear"), card)
        for cell, corners, card in zip(CELLS, CORNERS, cards, strict=True)
    )


class _Drawn:
    """A picture of the simulated table, and a short film of it: drawn when somebody looks, which takes OpenCV."""

    size = (640, 360)
    stamp = 0
    stamps = tuple(round((at - MOMENTS[0]) * SECOND) for at in MOMENTS)
    length = stamps[-1]

    def __init__(self) -> None:
        self.places = _places(("",) * 9, "clear")

    @cached_property
    def rgb(self) -> bytes:
        return bytes(self._pictures[0][..., ::-1].tobytes())

    @cached_property
    def jpegs(self) -> tuple[bytes, ...]:
        import cv2  # noqa: PLC0415

        return tuple(cv2.imencode(".jpg", picture)[1].tobytes() for picture in self._pictures)

    @cached_property
    def _pictures(self) -> tuple[Any, ...]:
        import cv2  # noqa: PLC0415

        from companion.games.triple3.hands import write_script  # noqa: PLC0415
        from simulator.rendered.rendered_table import SimulatedTable  # noqa: PLC0415

        table = SimulatedTable(write_script(SEED, players=2, plays=PLAYS, pace=0.8, trouble={}))
        frames = [table.frame_at(round(at * table.script.rate)) for at in MOMENTS]
        return tuple(cv2.resize(frame.picture, self.size, interpolation=cv2.INTER_AREA) for frame in frames)


DRAWN = _Drawn()
STILL, FILM = cast(CameraStill, DRAWN), cast(Film, DRAWN)
