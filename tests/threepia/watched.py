"""A match of bots before the drawn camera, watched: what was told beside what truly happened."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from companion.core.house import house_as_kept
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.replies import FoulReply, Reply, RulingReply
from companion.core.requests import read_message
from companion.games import game, part
from companion.games.threepia.hands import plays_of
from companion.games.threepia.hands_course import Play
from companion.seat.seating import sit_down
from companion.seat.table import PlainTable
from companion.watch.bench import Bench
from companion.watch.game_watch import GameWatch, Seating
from companion.watch.messages import InStepReply, OutOfStepReply
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Script
from vision.frames import Frame
from vision.sightings import CellNow, GridSeen, Look, Sighting
from vision.watcher import Watcher

WITHIN = 3_000_000_000  # nanoseconds that a ruling may lie from the deed
ANSWERS = 1_500_000_000  # after so long somebody answers
SOON = 500_000_000
DRAWN = 30_000_000_000  # a draw is told with the next card at the latest


@dataclass
class WatchedMatch:
    """What came of it."""

    script: Script
    bench: Bench
    told: list[Reply] = field(default_factory=list)
    stamps: list[int] = field(default_factory=list)  # of the frames with which each of them was told
    touches: int = 0  # of the players, to put right or to answer something

    @property
    def match(self) -> Any:
        return self.bench.match

    @property
    def line(self) -> list[Any]:
        """The moves of the match as they stand."""
        return [done.move for done in self.match.line]

    def tell(self, news: Iterable[Reply], stamp: int) -> None:
        for one in news:
            self.told.append(one)
            self.stamps.append(stamp)


def watched(script: Script, frames: "Iterable[SeenFrame]", eye: "Watcher | KeptEye") -> WatchedMatch:
    """From the first frame to the last, with players who answer what they are asked."""
    about = script.about
    playing = game("threepia")
    setup = set_up(playing, tuple(about["players"]), house_as_kept(playing, about["house"]))
    seats = {side: name for name, side in about["seats"].items()}
    bench = Bench(
        eye,  # type: ignore[arg-type]
        lambda stamp: sit_down(Referee.begin(setup, stamp, None), None, PlainTable).session,
        part("threepia", "watch", GameWatch),
        Seating(seats),
    )
    found, people = WatchedMatch(script, bench), People(script)
    said = sorted(script.said, key=lambda one: one.at)
    for seen in frames:
        while said and said[0].at <= seen.frame.stamp:
            line = said.pop(0)
            found.tell(bench.heard(read_message(playing, {**line.message, "at": line.at})), line.at)
        news = list(bench.saw(seen.sightings, seen.frame))
        for message in people.answers(news, seen.frame.stamp, bench.match):
            found.touches += 1
            news += bench.heard(read_message(playing, {**message, "at": seen.frame.stamp}))
        found.tell(news, seen.frame.stamp)
    return found


# --- what is seen ----------------------------------------------------------------------------------------------


class SeenFrame(NamedTuple):
    frame: Frame
    sightings: list[Sighting]


def by_pixels(script: Script, eye: Watcher, keep: "list[KeptFrame] | None" = None) -> Iterator[SeenFrame]:
    """What the eye makes of each picture; kept without the pictures if that is wanted."""
    for frame in SimulatedTable(script).frames():
        found = eye.watch(frame)
        if keep is not None:
            keep.append(KeptFrame(frame.stamp, frame.number, [_slim(one) for one in found], eye.cells))
        yield SeenFrame(frame, found)


class KeptFrame(NamedTuple):
    """What became known with a frame, and what there was of the cells."""

    stamp: int
    number: int
    sightings: list[Sighting]
    cells: tuple[CellNow, ...]


class KeptEye:
    """Stands for a watcher where what it saw was kept. It cannot look again."""

    cells: tuple[CellNow, ...] = ()
    looks: tuple[Look | None, ...] = ()

    def seen(self, kept: Iterable[KeptFrame]) -> Iterator[SeenFrame]:
        for one in kept:
            self.cells = one.cells
            yield SeenFrame(Frame(NOTHING, NOTHING[..., 0], one.stamp, one.number), list(one.sightings))

    def look_again(self, cells: tuple[int, ...] = ()) -> None: ...
    def expect(self, prior: object) -> None: ...
    def know(self, cards: dict[int, str]) -> None: ...
    def believe(self, cell: int, card: str, confidence: float) -> None: ...


NOTHING = np.zeros((1, 1, 3), np.uint8)


def _slim(seen: Sighting) -> Sighting:
    """Without pictures."""
    without = {
        name: replace(look, square=NOTHING)
        for name in ("before", "after")
        if (look := getattr(seen, name, None)) is not None
    }
    if isinstance(seen, GridSeen):
        return replace(seen, looks=tuple(replace(look, square=NOTHING) for look in seen.looks))
    return replace(seen, **without) if without else seen


# --- people ----------------------------------------------------------------------------------------------------


class People:
    """Whoever plays answers what is asked and takes back what was told wrongly, once each, after a moment."""

    def __init__(self, script: Script) -> None:
        self._plays = plays_of(script)
        self._asked: dict[int, tuple[int, str, str]] = {}  # by place: since when, and what
        self._wrong = 0  # since when a ruling is known to be wrong
        self._told: list[_Told] = []

    def answers(self, news: list[Reply], now: int, match: Any) -> Iterator[dict[str, Any]]:
        for one in news:
            if isinstance(one, OutOfStepReply):
                self._asked |= dict.fromkeys(one.cells, (now, one.code, one.sentence))
            elif isinstance(one, InStepReply):
                for cell in one.cells:
                    self._asked.pop(cell, None)
        for ruling in _rulings(news, [now] * len(news)):
            if ruling.what != "refused" and not any(_is_of(play, ruling) for play in self._plays):
                self._wrong = now
        if self._wrong and now - self._wrong > ANSWERS:
            self._wrong = 0
            yield {"do": "undo"}
        for cell, (since, code, sentence) in list(self._asked.items()):
            if now - since > ANSWERS and code in ("whose-turn", "unsure", "cannot-read", "covered"):
                del self._asked[cell]
                yield from self._answer(cell, code, sentence, now, match)

    def _answer(self, cell: int, code: str, sentence: str, now: int, match: Any) -> Iterator[dict[str, Any]]:
        letter = match.state.house.field.letters[cell - 1]
        laid = [play for play in self._plays if play.place == letter and play.what != "back" and play.at < now]
        named = [play for play in laid if play.card in sentence]
        if not laid:
            return
        play = laid[-2:][0] if code == "covered" else (named or laid)[-1]
        if code == "whose-turn" or (match.state.field and match.state.field[cell - 1] != play.card):
            yield {"move": "lay", "player": play.player, "place": letter, "card": play.card}


# --- beside the truth ------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """How many of what."""

    laid: int = 0  # cards that were laid and that could lie there
    read: int = 0  # of these with all symbols, the place and the player right
    refused: int = 0  # cards that were laid and do not fit
    called: int = 0  # of these called
    points: int = 0  # of the cards that were read: with the points that the rules give
    wrong: int = 0  # rulings on what nobody did, or otherwise than it was
    rulings: int = 0
    draws: int = 0
    drawn: int = 0  # of these seen
    touches: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        for name in ("laid", "read", "refused", "called", "points", "wrong", "rulings", "draws", "drawn", "touches"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.faults += other.faults


@dataclass
class _Told:
    what: str
    at: int
    player: str
    place: str
    card: str
    points: int


def _rulings(told: list[Reply], stamps: list[int]) -> Iterator[_Told]:
    """Every ruling as it was told, with those that were undone later."""
    for reply, stamp in zip(told, stamps, strict=True):
        if isinstance(reply, RulingReply) and reply.move.word in ("lay", "draw"):
            move: Any = reply.move
            points = next((getattr(one, "points", 0) for one in reply.events if type(one).__name__ == "Scored"), 0)
            at = reply.evidence.since if reply.evidence else stamp
            yield _Told(move.word, at, move.player, getattr(move, "place", ""), getattr(move, "card", ""), points)
        elif isinstance(reply, FoulReply) and reply.evidence is not None:
            yield _Told("refused", reply.evidence.since, reply.player, "", reply.evidence.card, 0)


def judged(found: WatchedMatch) -> Tally:
    """Each ruling is compared with what was done, in its order."""
    tally = Tally()
    told = list(_rulings(found.told, found.stamps))
    seed = found.script.seed
    tally.rulings = len(told)
    tally.touches = found.touches
    left = list(told)
    for play in plays_of(found.script):
        if play.what == "back":
            continue
        if play.what == "draw":
            tally.draws += 1
        elif play.what == "lay":
            tally.laid += 1
        else:
            tally.refused += 1
        match = _of(play, left)
        if match is None:
            tally.faults.append(f"seed {seed}: nothing was told of {play}")
            continue
        left.remove(match)
        if play.what == "draw":
            tally.drawn += 1
        elif play.what == "lay":
            tally.read += 1
            tally.points += match.points == play.points
            if match.points != play.points:
                tally.faults.append(f"seed {seed}: {match.points} points for {play}")
        else:
            tally.called += 1
    tally.wrong = len(left)
    tally.faults += [f"seed {seed}: told and not so: {one}" for one in left]
    return tally


def _of(play: Play, told: list[_Told]) -> _Told | None:
    return next((one for one in told if _is_of(play, one)), None)


def _is_of(play: Play, one: _Told) -> bool:
    if one.what != play.what:
        return False
    if play.what == "draw":
        return one.player == play.player and 0 <= one.at - play.at + SOON <= DRAWN
    if abs(one.at - play.at) > WITHIN:
        return False
    return one.card == play.card and (play.what == "refused" or (one.player, one.place) == (play.player, play.place))
