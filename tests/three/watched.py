"""A match of bots before the drawn camera, watched: what was told beside what truly happened, and what was asked."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from companion.core.house import house_as_kept
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.replies import FoulReply, Reply, RulingReply
from companion.core.requests import Message, read_message
from companion.games import game, part
from companion.games.three.hands import plays_of
from companion.games.three.hands_course import SIDES, Played
from companion.games.three.rules import AT_ONCE, Checked
from companion.seat.seating import sit_down
from companion.seat.table import PlainTable
from companion.watch.bench import Bench
from companion.watch.game_watch import GameWatch, Seating
from companion.watch.messages import LookRequest, OutOfStepReply
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Script
from vision.frames import Frame
from vision.mat import BANKS
from vision.reader import Reader
from vision.watcher import Watcher

SECOND = 1_000_000_000
WITHIN = 4 * SECOND  # that a ruling may lie from the deed
ANSWERS = 3 * SECOND // 2  # after so long somebody touches what the table asks


@dataclass
class WatchedMatch:
    """What came of it."""

    script: Script
    bench: Bench
    told: list[Reply] = field(default_factory=list)
    touches: list[str] = field(default_factory=list)  # what people did because the table did not know
    rulings: int = 0

    @property
    def match(self) -> Any:
        return self.bench.match

    @property
    def line(self) -> list[Any]:
        """The moves of the match as they stand."""
        return [done.move for done in self.match.line]


class People:
    """They answer what the table asks; `truth` is what they have done."""

    def __init__(self, script: Script) -> None:
        self._truth = plays_of(script)
        self._seats = {SIDES.index(side): name for name, side in script.about["seats"].items()}
        self._asked: list[tuple[int, str, int]] = []  # when they answer, what, and for which place

    def hear(self, reply: Reply, stamp: int) -> None:
        if isinstance(reply, FoulReply) and reply.foul.code == "count-differs":
            place = next(place for place, name in self._seats.items() if name == reply.foul.player)
            self._asked.append((stamp + ANSWERS, "count", place + 1))
        if isinstance(reply, OutOfStepReply) and reply.code in ("unsure", "count"):
            self._asked.append((stamp + ANSWERS, reply.code, reply.cells[0]))

    def answers(self, found: WatchedMatch, stamp: int) -> Iterator[dict[str, Any] | LookRequest]:
        for due in [one for one in self._asked if one[0] <= stamp]:
            self._asked.remove(due)
            _, code, cell = due
            player = self._seats[cell - 1]
            if code == "count" and found.match.state.phase == "check":
                yield from self._count(found, player)
            elif code == "unsure":
                yield self._played(found, player, cell, stamp)

    def _count(self, found: WatchedMatch, player: str) -> Iterator[dict[str, Any]]:
        """One touch for the number, and one more where the table has seen another."""
        checks = [play for play in self._truth if play.what == "check"]
        done = sum(one.word == "check" for one in found.line)
        count = checks[done].found if done < len(checks) else 0
        found.touches.append("count")
        yield {"move": "check", "player": player, "found": count}
        if found.match.state.phase == "check":
            found.touches.append("insist")
            yield {"move": "check", "player": player, "found": count, "insist": True}

    def _played(self, found: WatchedMatch, player: str, cell: int, stamp: int) -> dict[str, Any] | LookRequest:
        """That a card was played, and which, or that none was."""
        made = sum(one.word == "play" and one.player == player for one in found.line)
        mine = [play for play in standing(self._truth) if play.player == player and play.at <= stamp]
        if made < len(mine) and found.match.state.turn == player:
            found.touches.append("played")
            return {"move": "play", "player": player, "dog": mine[made].dog}
        found.touches.append("look")
        return LookRequest(cell, at=stamp)


def standing(plays: tuple[Any, ...]) -> list[Any]:
    """The cards that stayed, in their order."""
    found: list[Any] = []
    for play in plays:
        if play.what == "play":
            found.append(play)
        elif play.what == "back" and play.kind == "taken back":
            newest = next(one for one in reversed(found) if one.player == play.player)
            found.remove(newest)
    return found


def watched(script: Script, reader: Reader) -> WatchedMatch:
    """By pixels, from the first frame to the last."""
    return ruled(script, Watcher(reader, mats=(BANKS,)), SimulatedTable(script).frames())


def ruled(script: Script, eye: Any, frames: Iterable[Frame]) -> WatchedMatch:
    """By what an eye tells of these frames."""
    about = script.about
    playing = game("three")
    setup = set_up(playing, tuple(about["players"]), house_as_kept(playing, about["house"]))
    seats = {side: name for name, side in about["seats"].items()}
    bench = Bench(
        eye,
        lambda stamp: sit_down(Referee.begin(setup, stamp, None), None, PlainTable).session,
        part("three", "watch", GameWatch),
        Seating(seats),
    )
    found, people = WatchedMatch(script, bench), People(script)
    said = sorted(script.said, key=lambda one: one.at)

    def hear(replies: list[Reply], stamp: int) -> None:
        found.told += replies
        for reply in replies:
            people.hear(reply, stamp)

    def say(message: Message, stamp: int) -> None:
        hear(list(bench.heard(message)), stamp)

    for frame in frames:
        while said and said[0].at <= frame.stamp and bench.session is not None:
            line = said.pop(0)
            say(read_message(playing, {**line.message, "at": line.at}), frame.stamp)
        if bench.session is not None:
            for one in people.answers(found, frame.stamp):
                say(
                    one if isinstance(one, LookRequest) else read_message(playing, {**one, "at": frame.stamp}),
                    frame.stamp,
                )
        hear(list(bench.saw(eye.watch(frame), frame)), frame.stamp)
    return found


# --- beside the truth ------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """How many of what."""

    played: int = 0  # cards that were played, and could be
    seen: int = 0  # of these told with dog and player, and nobody asked
    again: int = 0  # of those that were played: a dog on the same dog
    again_seen: int = 0
    refused: int = 0  # cards that were played out of turn
    called: int = 0  # of these called
    checks: int = 0  # where the table tells them
    told: int = 0  # of these told right, and nobody asked
    wrong: int = 0  # plays and checks told that were not so
    rulings: int = 0
    touches: int = 0
    said: int = 0  # calls, declarations, strikes and passes
    ended: int = 0  # matches that came to the right banks
    matches: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


@dataclass
class _Told:
    what: str
    at: int
    player: str
    dog: str
    found: int = 0
    typed: bool = False


def _rulings(told: list[Reply]) -> Iterator[_Told]:
    """Every ruling as it was told, with those that were undone later."""
    for reply in told:
        if isinstance(reply, RulingReply) and reply.move.word == "play":
            move: Any = reply.move
            yield _Told(
                "play",
                reply.evidence.since if reply.evidence else move.at,
                move.player,
                move.dog,
                typed=not reply.evidence,
            )
        elif isinstance(reply, RulingReply) and reply.move.word == "check":
            done = next(one for one in reply.events if isinstance(one, Checked))
            typed = getattr(reply.move, "found", None) is not None
            yield _Told("check", reply.move.at, done.player, done.dog, done.found, typed=typed)
        elif isinstance(reply, FoulReply) and reply.evidence is not None:
            yield _Told("refused", reply.evidence.since, reply.player, reply.evidence.card)


def judged(found: WatchedMatch) -> Tally:
    """Each ruling is compared with what was done, in its order."""
    tally = Tally(matches=1, touches=len(found.touches), said=len(found.script.said))
    left, seed = list(_rulings(found.told)), found.script.seed
    tally.rulings = sum(not one.typed for one in left)
    tops: dict[str, list[str]] = {}
    truth = plays_of(found.script)
    at_once = found.script.about["house"]["checks"] == AT_ONCE
    for play in truth:
        if play.what == "back":
            _lift(tops, play)
            continue
        is_again = tops.get(play.player, [])[-1:] == [play.dog]
        _lay(tops, play)
        match = _of(play, left)
        if match is not None:
            left.remove(match)
        is_seen = match is not None and not match.typed
        if match is None:
            tally.faults.append(f"seed {seed}: nothing was told of {play}")
        if play.what == "play":
            tally.played += 1
            tally.seen += is_seen
            tally.again += is_again
            tally.again_seen += is_again and is_seen
        elif play.what == "refused":
            tally.refused += 1
            tally.called += is_seen
        elif at_once:
            tally.checks += 1
            tally.told += is_seen
    tally.wrong = sum(not one.typed for one in left)
    tally.faults += [f"seed {seed}: told and not so: {one}" for one in left]
    state = found.match.state
    tally.ended = state.phase == "over" and list(state.banks) == found.script.about["scores"]
    if not tally.ended:
        tally.faults.append(f"seed {seed}: {state.phase} {state.banks}, and truly {found.script.about['scores']}")
    return tally


def _lay(tops: dict[str, list[str]], play: Played) -> None:
    pile = tops.setdefault(play.player, [])
    if play.what == "check":
        pile[:] = [dog for dog in pile if dog != play.dog]
    else:
        pile.append(play.dog)


def _lift(tops: dict[str, list[str]], play: Played) -> None:
    tops[play.player].pop()


def _of(play: Played, told: list[_Told]) -> _Told | None:
    for one in told:
        is_it = (one.what, one.player, one.dog, one.found) == (play.what, play.player, play.dog, play.found)
        if is_it and (one.typed or play.what == "check" or abs(one.at - play.at) <= WITHIN):
            return one
    return None
