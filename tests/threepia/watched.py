"""A match of bots before the drawn camera, watched: what was told beside what truly happened."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

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
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Script
from vision.mat import LATTICE
from vision.reader import Reader
from vision.watcher import Watcher

WITHIN = 3_000_000_000  # nanoseconds that a ruling may lie from the deed
DRAWN = 12_000_000_000  # of a draw only the match's time is known, which stands still after what is taken back


@dataclass
class WatchedMatch:
    """What came of it."""

    script: Script
    bench: Bench
    told: list[Reply] = field(default_factory=list)

    @property
    def match(self) -> Any:
        return self.bench.match

    @property
    def line(self) -> list[Any]:
        """The moves of the match as they stand."""
        return [done.move for done in self.match.line]


def watched(script: Script, reader: Reader) -> WatchedMatch:
    """From the first frame to the last."""
    about = script.about
    playing = game("threepia")
    setup = set_up(playing, tuple(about["players"]), house_as_kept(playing, about["house"]))
    eye = Watcher(reader, mats=(LATTICE,))
    seats = {side: name for name, side in about["seats"].items()}
    bench = Bench(
        eye,
        lambda stamp: sit_down(Referee.begin(setup, stamp, None), None, PlainTable).session,
        part("threepia", "watch", GameWatch),
        Seating(seats),
    )
    found = WatchedMatch(script, bench)
    said = sorted(script.said, key=lambda one: one.at)
    for frame in SimulatedTable(script).frames():
        while said and said[0].at <= frame.stamp:
            line = said.pop(0)
            found.told += bench.heard(read_message(playing, {**line.message, "at": line.at}))
        found.told += bench.saw(eye.watch(frame), frame)
    return found


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
    faults: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        for name in ("laid", "read", "refused", "called", "points", "wrong", "rulings", "draws", "drawn"):
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


def _rulings(told: list[Reply]) -> Iterator[_Told]:
    """Every ruling as it was told, with those that were undone later."""
    for reply in told:
        if isinstance(reply, RulingReply) and reply.move.word in ("lay", "draw"):
            move: Any = reply.move
            points = next((getattr(one, "points", 0) for one in reply.events if type(one).__name__ == "Scored"), 0)
            at = reply.evidence.since if reply.evidence else move.at
            yield _Told(move.word, at, move.player, getattr(move, "place", ""), getattr(move, "card", ""), points)
        elif isinstance(reply, FoulReply) and reply.evidence is not None:
            yield _Told("refused", reply.evidence.since, reply.player, "", reply.evidence.card, 0)


def judged(found: WatchedMatch) -> Tally:
    """Each ruling is compared with what was done, in its order."""
    tally = Tally()
    told = list(_rulings(found.told))
    seed = found.script.seed
    tally.rulings = len(told)
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
    for one in told:
        around = DRAWN if play.what == "draw" else WITHIN
        if one.what != play.what or abs(one.at - play.at) > around:
            continue
        if play.what == "draw" and one.player == play.player:
            return one
        if one.card == play.card and (play.what == "refused" or (one.player, one.place) == (play.player, play.place)):
            return one
    return None
