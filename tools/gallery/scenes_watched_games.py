"""The tables of games that a camera watches beside their own screens, for the gallery."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

from companion.core.entry import STOP
from companion.core.replies import EvidenceData
from companion.core.sentence import Sentence
from companion.devices.camera import CameraSight, SeenCell
from companion.display.view import View, seen
from companion.games.threepia import rules as threepia
from companion.games.threepia.witness_words import EYES_BACK, unsure
from companion.watch.messages import DisputedPlay, DisputeReply
from companion.watch.out_of_step import Astray, CalledCard, Differences, SeenMove
from tools.gallery.played_matches import LONG_NAMES, NAMES, drafted, marked, new_match, pasts, played_match
from tools.gallery.scenes_watched import FILM
from vision.mat import LATTICE

SEED = 3
GONE = "The camera hands over the same picture again and again: unplug it and plug it in again."
REFUSED = Sentence(
    "{player} cannot lay {card} on {place}: {where}, {symbol} agrees with {under} neither in shape nor in colour.",
    player="Anna",
    card="red-circle blue-square green-triangle yellow-cross",
    place="B",
    where="top left",
    symbol="red-circle",
    under="blue-square",
)


def views(blank: View) -> dict[str, View]:
    def at(moves: int, names: tuple[str, ...] = NAMES[:2], **house: Any) -> View:
        match = played_match("threepia", names, moves, cards="seen", **house)
        return replace(blank, screen="table", seen=seen(match))

    begins = replace(blank, screen="table", seen=seen(new_match("threepia", NAMES[:2], cards="seen")))
    ready, play, timed = at(1, target=60), at(7, target=60), at(6, NAMES[:4], way="stopwatch")
    long = at(9, LONG_NAMES[:6], way="stopwatch", deck=100)
    found = CameraSight("found", still=PICTURE, places=PICTURE.places, mat="lattice")
    newest = SeenMove(len(play.match.line), 0.9987)
    step = Differences(newest=newest)
    doubt = SeenMove(len(timed.match.line), 0.94, Sentence("Perhaps {card} was laid.", card="red-circle"))
    called = {2: CalledCard("", "Anna", REFUSED, "B", (10, 11, 17, 18))}
    astray = {2: Astray("unsure", *unsure("B", "red-circle blue-square green-circle yellow-cross"), (10, 11, 17, 18))}
    gone = CameraSight("gone", GONE, step=Differences({0: Astray("camera", GONE, EYES_BACK)}))
    other = replace(found, state="looking", places=(), mat="small")
    stopped, told = _stopped(play, found)
    return {
        "watched-threepia-stop": stopped,
        "watched-threepia-stop-table": replace(stopped, marks=marked(dispute=told, grid=True)),
        "watched-threepia-stop-play": replace(stopped, marks=marked(dispute=told, play=1)),
        "watched-threepia-stop-called": replace(stopped, marks=marked(dispute=told, play=0)),
        "watched-threepia-stop-empty": replace(stopped, marks=marked(dispute=DisputeReply(0, [], ""))),
        "games-mat": replace(blank, sight=found),
        "games-mat-unfinished": replace(blank, sight=found, past=pasts()["unfinished"]),
        "players-other-mat": replace(blank, screen="players", draft=drafted("tres", NAMES[:4]), sight=found),
        "camera-many-places": replace(blank, screen="camera", depth=1, sight=found),
        "watched-threepia-begins": replace(begins, sight=CameraSight("opening")),
        "watched-threepia-other-mat": replace(begins, sight=other),
        "watched-threepia-ready": replace(ready, sight=found),
        "watched-threepia-turn": replace(play, sight=replace(found, step=step)),
        "watched-threepia-clock": replace(timed, sight=replace(found, step=Differences(newest=doubt))),
        "watched-threepia-called": replace(timed, sight=replace(found, step=Differences(called=called))),
        "watched-threepia-unsure": replace(play, sight=replace(found, step=Differences(astray))),
        "watched-threepia-gone": replace(play, sight=gone),
        "watched-threepia-typed": replace(play, sight=gone, marks=marked(typed=True, place="B")),
        "watched-threepia-long": replace(long, sight=replace(found, step=Differences(astray))),
    }


def _stopped(play: View, sight: CameraSight) -> tuple[View, DisputeReply]:
    """Stop! of a match, with its last plays."""
    match = play.match
    laid = [(number, done) for number, done in enumerate(match.line, 1) if isinstance(done.move, threepia.Lay)]
    cards = tuple(match.state.field)
    plays = []
    for number, done in reversed(laid):
        move = done.move
        assert isinstance(move, threepia.Lay)
        cell = match.setup.house.field.letters.index(move.place) + 1
        seen_by = EvidenceData(cell, cards[cell - 1], None, None, 0, 0, [], "", 0, [], chance=0.998, spots=[10, 11])
        sentence = done.ruling.events[0].sentence
        card, likely, pictures = cards[cell - 1], list(cards[:4]), ["verdict.jpg", "moment.jpg"]
        player = move.player
        plays.append(
            DisputedPlay(number, "legal", cell, card, cards[0], sentence, [], player, likely, seen_by, pictures)
        )
    called = replace(plays[0], number=0, verdict="called", sentence=REFUSED, pictures=[], evidence=None)
    told = DisputeReply(0, [called, *plays], "")
    paused = replace(match, paused=STOP, stands=True, is_stopped=True)
    return replace(play, seen=paused, sight=replace(sight, film=FILM), marks=marked(dispute=told)), told


@dataclass(frozen=True)
class _Drawn:
    """A picture of the simulated table of a game; drawn when somebody looks, which takes OpenCV."""

    script: Callable[[], Any]
    at: float  # seconds of the table
    size = (640, 360)
    stamp = 0

    @cached_property
    def places(self) -> tuple[SeenCell, ...]:
        mat = LATTICE
        wide, high = mat.size
        cells = []
        for number, (x, y) in enumerate(mat.places, 1):
            left, top = 0.36 + 0.28 * (x - 14) / wide, 0.05 + 0.9 * (y - 14) / high
            right, bottom = left + 0.28 * 28 / wide, top + 0.9 * 28 / high
            cells.append(SeenCell(number, ((left, top), (right, top), (right, bottom), (left, bottom)), "clear", ""))
        return tuple(cells)

    @cached_property
    def rgb(self) -> bytes:
        import cv2  # noqa: PLC0415

        from simulator.rendered.rendered_table import SimulatedTable  # noqa: PLC0415

        table = SimulatedTable(self.script())
        picture = table.frame_at(round(self.at * table.script.rate)).picture
        return bytes(cv2.resize(picture, self.size, interpolation=cv2.INTER_AREA)[..., ::-1].tobytes())


def _script() -> Any:
    from companion.games.threepia.hands import write_script  # noqa: PLC0415

    return write_script(SEED, players=2, name="square", rounds=2, trouble={})


PICTURE = cast(Any, _Drawn(_script, 5.0))
