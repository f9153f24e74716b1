"""Matches of bots, watched by pixels or told as a watcher would: what was ruled beside what truly happened."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from companion.core.house import house_as_kept
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.replies import CorrectionReply, DoneReply, FoulReply, Reply, RulingReply
from companion.core.session import Session
from companion.core.shipped_decks import shipped_decks
from companion.games import game, part
from companion.games.triplexity.hands import plays_of
from companion.games.triplexity.hands_course import Play
from companion.games.triplexity.rules import PLACES
from companion.games.triplexity.witness import Witness
from companion.seat.seating import sit_down
from companion.seat.table import PlainTable
from companion.watch.bench import Bench
from companion.watch.evidence import Act, Statement
from companion.watch.game_watch import GameWatch, Seating
from companion.watch.messages import OutOfStepReply
from simulator.rendered.outcomes import OutcomeCourse, course_of
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Script
from vision.deck_file import read_deck
from vision.locate import TableView
from vision.mat import STACKS
from vision.reader import Reader
from vision.sightings import CardSeen, CellNow, GridSeen, Look, NoCard, Sighting, TableSeen
from vision.watcher import Watcher

SECOND = 1_000_000_000
WITHIN = 2 * SECOND  # nanoseconds that a ruling may lie from the deed
LATER = 8 * SECOND  # after a deed, in which nothing that is told is of another one
SQUARE = np.zeros((1, 1, 3), np.uint8)
CELLS = range(1, len(PLACES) + 1)


@dataclass
class WatchedMatch:
    """What came of it."""

    script: Script
    session: Session
    told: list[tuple[int, Reply]] = field(default_factory=list)

    @property
    def match(self) -> Any:
        return self.session.referee.match


def session_of(script: Script, stamp: int = 0) -> Session:
    about, playing = script.about, game("triplexity")
    setup = set_up(playing, tuple(about["players"]), house_as_kept(playing, about["house"]))
    return sit_down(Referee.begin(setup, stamp, None), None, PlainTable).session


def seats_of(script: Script) -> dict[str, str]:
    return {side: name for name, side in script.about["seats"].items()}


def reader() -> Reader:
    """Of the printed pieces."""
    return Reader(taught=read_deck(shipped_decks()["triplexity"]))


def watched(script: Script, by: Reader) -> WatchedMatch:
    """By pixels, from the first frame to the last."""
    eye = Watcher(by, mats=(STACKS,))
    began: list[Session] = []

    def begin(stamp: int) -> Session:
        began.append(session_of(script, stamp))
        return began[0]

    bench = Bench(eye, begin, part("triplexity", "watch", GameWatch), Seating(seats_of(script)))
    told: list[tuple[int, Reply]] = []
    for frame in SimulatedTable(script).frames():
        told += [(frame.stamp, reply) for reply in bench.saw(eye.watch(frame), frame)]
    return WatchedMatch(script, began[0], told)


# --- told without pixels -----------------------------------------------------------------------------------------


@dataclass
class Noise:
    """What a watcher does to what is there; fitted to one that saw pixels."""

    misread: float = 0.0  # a face is read as another one
    armless: float = 0.0  # no arm is known
    wrong_arm: float = 0.0  # another side's


class ToldTable:
    """A script told frame by frame as a watcher tells it."""

    def __init__(self, script: Script, noise: Noise | None = None, seed: int = 0, rate: int = 10) -> None:
        self._script, self._noise, self._rng = script, noise or Noise(), Random(seed)
        self._course = course_of(script)
        self._step = SECOND // rate
        self._looks: dict[int, Look] = {}
        self._hidden = dict.fromkeys(CELLS, 0)
        self._since = dict.fromkeys(CELLS, 0)
        self._bare: dict[int, int] = {}
        self._arms: dict[int, set[str]] = {cell: set() for cell in CELLS}
        self._now = dict.fromkeys(CELLS, CellNow("clear", 0))

    def frames(self) -> Iterator[tuple[int, list[Sighting], tuple[CellNow, ...]]]:
        view = TableView(np.zeros((3, 4, 2), np.float32), "markers", STACKS, "", STACKS.shape)
        self._looks = {cell: self._look(cell, 0) for cell in CELLS}
        yield 0, [TableSeen(0, 0, view, moved=False), GridSeen(0, 0, tuple(self._looks.values()))], self._cells
        for stamp in range(self._step, self._script.length, self._step):
            yield stamp, [seen for cell in CELLS for seen in self._at(cell, stamp)], self._cells

    @property
    def _cells(self) -> tuple[CellNow, ...]:
        return tuple(self._now[cell] for cell in CELLS)

    def _over(self, cell: int, stamp: int) -> set[str]:
        """Sides of the arms that are over a place."""
        found = set()
        for arm in self._script.arms:
            until = min(arm.lifts + SECOND // 4, arm.gone) if arm.what == "move" and arm.onto != cell else arm.gone
            begins = arm.lifts if arm.what == "move" and arm.cell != cell else arm.enters + SECOND // 5
            if cell in (arm.cell, arm.onto) and begins <= stamp < until:
                found.add(str(arm.seat))
        return found

    def _top(self, cell: int, stamp: int) -> str:
        return tops(self._course, stamp)[cell - 1]

    def _look(self, cell: int, stamp: int) -> Look:
        face = self._top(cell, stamp)
        if face and self._rng.random() < self._noise.misread:
            colour = face.partition("-")[0]
            face = self._rng.choice([one for one in (f"{colour}-{pips}" for pips in range(1, 7)) if one != face])
        return Look(stamp, 0, face or None, "card" if face else "empty", 0.995, SQUARE)

    def _at(self, cell: int, stamp: int) -> Iterator[Sighting]:
        arms = self._over(cell, stamp)
        if arms:
            self._hidden[cell] = self._hidden[cell] or stamp
            self._arms[cell] |= arms
            self._show(cell, "covered", stamp)
            return
        if not self._hidden[cell]:
            return
        is_bare = not self._top(cell, stamp)
        if (
            is_bare
            and self._looks[cell].card
            and stamp - self._now[cell].since < SECOND // 2
            and self._waits(cell, stamp)
        ):
            self._show(cell, "changed", stamp)
            return
        before, look = self._looks[cell], self._look(cell, stamp)
        since, sides = self._hidden[cell], self._seen_arms(cell)
        self._hidden[cell], self._looks[cell] = 0, look
        self._arms[cell].clear()
        self._bare.pop(cell, None)
        self._show(cell, "clear", stamp)
        if look.card and look.card != before.card:
            yield CardSeen(stamp, 0, cell, before, look, since, sides, stamp)  # type: ignore[arg-type]
        elif not look.card and before.card:
            yield NoCard(stamp, 0, cell, before, look, since)

    def _waits(self, cell: int, stamp: int) -> bool:
        """It takes a while until a place is believed to be bare."""
        return stamp - self._bare.setdefault(cell, stamp) < SECOND // 2

    def _seen_arms(self, cell: int) -> tuple[str, ...]:
        if self._rng.random() < self._noise.armless:
            return ()
        if self._rng.random() < self._noise.wrong_arm:
            return (self._rng.choice(["top", "right", "bottom", "left"]),)
        return tuple(sorted(self._arms[cell]))

    def _show(self, cell: int, now: Any, stamp: int) -> None:
        if self._now[cell].now != now:
            self._now[cell] = CellNow(now, stamp)


def told(script: Script, noise: Noise | None = None, seed: int = 0) -> WatchedMatch:
    """A witness to whom it is told what was seen."""
    session = session_of(script)
    witness, found = Witness(seats=seats_of(script)), WatchedMatch(script, session)

    def done(acts: list[Act], stamp: int) -> None:
        for act in acts:
            if isinstance(act, Statement):
                replies = list(session.replies(act.message))
                found.told += [(stamp, _with(reply, act)) for reply in replies]
                done(witness.told(act, replies), stamp)
            else:
                found.told.append((stamp, _reply(act)))

    for stamp, sightings, cells in ToldTable(script, noise, seed).frames():
        done(witness.take(sightings, cells, stamp, found.match), stamp)
    return found


def _with(reply: Reply, act: Statement) -> Reply:
    from dataclasses import replace  # noqa: PLC0415

    from companion.core.replies import Evidenced  # noqa: PLC0415
    from companion.watch.told_evidence import evidence_data  # noqa: PLC0415

    if act.evidence is not None and isinstance(reply, Evidenced):
        return replace(reply, evidence=evidence_data(act.evidence))
    return reply


def _reply(act: Act) -> Any:
    from companion.watch.evidence import OutOfStep  # noqa: PLC0415

    if isinstance(act, OutOfStep):
        return OutOfStepReply(act.stamp, list(act.cells), act.code, act.sentence, act.way_back)
    return act


# --- beside the truth ------------------------------------------------------------------------------------------


def tops(course: OutcomeCourse, at: int) -> list[str]:
    """What is seen from above at a moment."""
    found = ["", "", ""]
    for piece in sorted(course.lying_at(at), key=lambda one: one.level):
        found[piece.cell - 1] = piece.lying.card
    return found


@dataclass
class Tally:
    """How many of what."""

    moves: int = 0  # placed or moved as the rules let
    seen: int = 0  # of these ruled on with the player, the places and the face right
    refused: int = 0  # what the rules do not let
    called: int = 0  # of these called, for the right reason
    backs: int = 0  # moves that were taken back
    undone: int = 0  # of these undone
    rulings: int = 0
    wrong: int = 0  # rulings on what nobody did, or otherwise than it was
    asked: int = 0  # out of step, with a question for people
    touches: int = 0  # of these that need somebody at the screen
    matches: int = 0
    scores: int = 0  # matches whose end is right
    faults: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        for name in self.__dataclass_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass
class Ruled:
    what: str
    at: int
    player: str
    source: str
    target: str
    face: str
    code: str = ""


def _rulings(told_: list[tuple[int, Reply]]) -> Iterator[Ruled]:
    """Every ruling as it was told, in its order, and every undoing."""
    for stamp, reply in told_:
        if isinstance(reply, RulingReply) and reply.move.word in ("put", "shift"):
            move: Any = reply.move
            target = getattr(move, "target", "") or getattr(move, "place", "")
            at = reply.evidence.at if reply.evidence else stamp
            face = reply.evidence.card if reply.evidence else ""
            yield Ruled(move.word, at, move.player, getattr(move, "source", ""), target, face)
        elif isinstance(reply, FoulReply) and reply.evidence is not None:
            target = PLACES[reply.evidence.cell - 1]
            yield Ruled("refused", reply.evidence.at, reply.player, "", target, reply.evidence.card, reply.code)
        elif isinstance(reply, DoneReply | CorrectionReply):
            yield Ruled("undo", stamp, "", "", "", "")


SCREEN = ("unsure", "whose")  # what is put right by a touch; what lies otherwise is laid right by hand


def judged(found: WatchedMatch) -> Tally:
    """Each ruling is compared with what was done, in its order."""
    tally, seed = Tally(matches=1), found.script.seed
    left = list(_rulings(found.told))
    tally.rulings = len(left)
    plays = [play for play in plays_of(found.script) if play.what != "none"]
    for number, play in enumerate(plays):
        is_undo = play.what == "back" and plays[number - 1].what != "refused"
        if play.what == "back" and not is_undo:
            continue
        kind = "undo" if is_undo else play.what
        match = next((one for one in left if _is_it(one, play, kind)), None)
        names = {"undo": ("backs", "undone"), "refused": ("refused", "called")}.get(kind, ("moves", "seen"))
        setattr(tally, names[0], getattr(tally, names[0]) + 1)
        if match is None:
            tally.faults.append(f"seed {seed}: nothing was told of {play}")
            continue
        left.remove(match)
        setattr(tally, names[1], getattr(tally, names[1]) + 1)
    tally.wrong = len(left)
    tally.faults += [f"seed {seed}: told and not so: {one}" for one in left]
    asked = [reply for _, reply in found.told if isinstance(reply, OutOfStepReply)]
    tally.asked = len(asked)
    tally.touches = sum(one.code in SCREEN for one in asked)
    tally.scores = list(found.match.state.scores) == found.script.about["scores"]
    return tally


def _is_it(one: Ruled, play: Play, kind: str) -> bool:
    if one.what != kind or not -WITHIN <= one.at - play.at <= LATER:
        return False
    if kind == "undo":
        return True
    is_right = (one.player, one.target) == (play.player, play.target) and play.face.startswith(one.face)
    return is_right and (one.code == play.kind if kind == "refused" else one.source == play.source)
