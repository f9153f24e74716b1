"""A match of bots before the drawn camera, watched: what was told beside what truly happened."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from companion.core.clocks import SECOND
from companion.core.house import house_as_kept
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.replies import FoulReply, Reply, RulingReply
from companion.core.requests import Message, MoveMessage, read_message
from companion.core.rules import Foul, Move
from companion.games import game, part
from companion.games.tres.hands import plays_of
from companion.games.tres.hands_course import Deed
from companion.games.tres.rules import GAME, Draw, Fill, Keep, Play, Take
from companion.seat.seating import sit_down
from companion.seat.table import PlainTable
from companion.watch.bench import Bench
from companion.watch.game_watch import GameWatch, Seating
from companion.watch.messages import InStepReply, OutOfStepReply
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Script, ScriptLine
from vision.frames import Frame
from vision.mat import COLUMNS
from vision.reader import Reader
from vision.sightings import Sighting
from vision.watcher import Watcher

WITHIN = 9 * SECOND  # that a ruling may lie from the deed ...
DRAWN = 15 * SECOND  # ... and a draw, of which only the match's time is known: it stands still after what is undone
ASKED = 3 * SECOND  # a question is answered by then
HELPED = "helped"
RULED = ("fill", "play", "draw", "take")


@dataclass
class WatchedTres:
    """What came of it."""

    script: Script
    bench: Bench
    helped: bool = False
    told: list[Reply] = field(default_factory=list)
    touches: int = 0  # of people who answer what is asked
    said: list[ScriptLine] = field(default_factory=list)  # what is still to be said
    _asked: dict[tuple[int, ...], int] = field(default_factory=dict)

    def step(self, seen: list[Sighting], frame: Frame) -> None:
        """What was said until a frame, what is seen there, and what people answer."""
        while self.said and self.said[0].at <= frame.stamp:
            line = self.said.pop(0)
            self.hear(list(self.bench.heard(read_message(game("tres"), {**line.message, "at": line.at}))))
        self.hear(list(self.bench.saw(seen, frame)))
        for message in list(self.answer(frame.stamp)):
            self.hear(list(self.bench.heard(message)))

    @property
    def match(self) -> Any:
        return self.bench.match

    @property
    def line(self) -> list[Move]:
        """The moves of the match as they stand."""
        return [done.move for done in self.match.line]

    def hear(self, replies: Sequence[Reply]) -> None:
        self.told += replies
        for reply in replies:
            if isinstance(reply, OutOfStepReply):
                self._asked[tuple(reply.cells)] = reply.at
            elif isinstance(reply, InStepReply):
                self._asked.pop(tuple(reply.cells), None)

    def answer(self, now: int) -> Iterator[Message]:
        """What people say who are asked for something, and know it."""
        if not self.helped or not any(now - at >= ASKED for at in self._asked.values()):
            return
        self._asked = dict.fromkeys(self._asked, now)
        for move in _missing(self.match, plays_of(self.script), now - SECOND):
            self.touches += 1
            yield MoveMessage(move, now, HELPED)
            if not isinstance(move, Keep):
                return  # that may be all that was missing


def seated(script: Script, eye: Watcher, *, helped: bool) -> WatchedTres:
    """A match to be ruled on by what an eye tells."""
    about = script.about
    playing = game("tres")
    setup = set_up(playing, tuple(about["players"]), house_as_kept(playing, about["house"]))
    seats = {side: name for name, side in about["seats"].items()}
    bench = Bench(
        eye,
        lambda stamp: sit_down(Referee.begin(setup, stamp, None), None, PlainTable).session,
        part("tres", "watch", GameWatch),
        Seating(seats),
    )
    return WatchedTres(script, bench, helped, said=sorted(script.said, key=lambda one: one.at))


def watched(script: Script, reader: Reader, *, helped: bool = False) -> WatchedTres:
    """From the first frame to the last; `helped`: people answer what they are asked."""
    eye = Watcher(reader, mats=(COLUMNS,))
    found = seated(script, eye, helped=helped)
    for frame in SimulatedTable(script).frames():
        found.step(eye.watch(frame), frame)
    return found


def _missing(match: Any, deeds: Sequence[Deed], now: int) -> Iterator[Move]:
    """What was done by then, and is not in the match; nothing where the match has what nobody did."""
    line = [done.move for done in match.line if done.move.word in RULED]
    done = [deed for deed in deeds if deed.what in RULED and deed.at <= now]
    if any(not _is_same(deed, move) for deed, move in zip(done, line, strict=False)):
        return
    state = match.state
    for deed in done[len(line) :]:
        if state.phase == "drawn" and deed.player != state.turn:
            keep = Keep(state.turn)
            yield keep
            state = GAME.rule(state, keep).state
        move = _move_of(deed)
        yield move
        try:
            state = GAME.rule(state, move).state
        except Foul:
            return


def _move_of(deed: Deed) -> Move:
    match deed.what:
        case "fill":
            return Fill(deed.player, deed.card)
        case "play":
            return Play(deed.player, deed.card, tuple(deed.cards))
        case "draw":
            return Draw(deed.player)
        case _:
            return Take(deed.player)


def _is_same(deed: Deed, move: Any) -> bool:
    if (deed.what, deed.player) != (move.word, move.player):
        return False
    if deed.what == "play":
        return bool(deed.card == move.table_card and sorted(deed.cards) == sorted(move.cards))
    return deed.what != "fill" or bool(deed.card == move.card)


# --- beside the truth ------------------------------------------------------------------------------------------


@dataclass
class TresTally:
    """How many of what."""

    plays: int = 0  # that could be made
    played: int = 0  # of these told with all cards, that of the table, and the player
    fills: int = 0
    filled: int = 0
    refused: int = 0  # plays that are no run
    called: int = 0  # of these called
    draws: int = 0  # of one card, or of what is due
    drawn: int = 0  # of these told with the player
    rounds: int = 0
    sizes: int = 0  # of these with all hands as large as they are, in the end
    wrong: int = 0  # rulings on what nobody did, or otherwise than it was
    rulings: int = 0
    questions: int = 0
    touches: int = 0  # by people who answer
    moves: int = 0  # that people would have typed
    faults: list[str] = field(default_factory=list)

    def add(self, other: "TresTally") -> None:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


@dataclass
class _Told:
    what: str
    at: int
    move: Any
    player: str
    card: str = ""


def _rulings(told: list[Reply]) -> Iterator[_Told]:
    """Every ruling that was made of what was seen, with those that were undone later."""
    for reply in told:
        if reply.re == HELPED:
            continue
        if isinstance(reply, RulingReply) and reply.move.word in RULED:
            at = reply.evidence.since if reply.evidence else reply.move.at
            yield _Told(reply.move.word, at, reply.move, reply.move.player)
        elif isinstance(reply, FoulReply) and reply.evidence is not None:
            yield _Told("refused", reply.evidence.since, None, reply.player, reply.evidence.card)


def judged(found: WatchedTres) -> TresTally:
    """Each ruling is compared with what was done, in its order."""
    tally, seed = TresTally(), found.script.seed
    left = list(_rulings(found.told))
    tally.rulings, tally.touches = len(left), found.touches
    tally.questions = sum(isinstance(reply, OutOfStepReply) for reply in found.told)
    names = {"fill": ("fills", "filled"), "play": ("plays", "played"), "refused": ("refused", "called")}
    for deed in plays_of(found.script):
        if deed.what not in (*RULED, "refused"):
            continue
        of, hit = names.get(deed.what, ("draws", "drawn"))
        setattr(tally, of, getattr(tally, of) + 1)
        tally.moves += deed.what != "refused"
        match = next((one for one in left if _is_of(deed, one)), None)
        if match is None:
            tally.faults.append(f"seed {seed}: nothing was told of {deed}")
            continue
        left.remove(match)
        setattr(tally, hit, getattr(tally, hit) + 1)
    tally.wrong = len(left)
    tally.faults += [f"seed {seed}: told and not so: {one}" for one in left]
    tally.rounds = 1
    sizes = [len(hand) for hand in found.match.state.hands]
    tally.sizes = int(sizes == found.script.about["hands"])
    if not tally.sizes:
        tally.faults.append(f"seed {seed}: hands {sizes}, truly {found.script.about['hands']}")
    return tally


def _is_of(deed: Deed, told: _Told) -> bool:
    around = DRAWN if deed.what in ("draw", "take") else WITHIN
    if told.what != deed.what or abs(told.at - deed.at) > around or told.player != deed.player:
        return False
    return told.card in deed.cards if told.move is None else _is_same(deed, told.move)
