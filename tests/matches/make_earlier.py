"""Makes matches of all games as this companion keeps them, and writes down what it makes of them, for the companions
to come: `python -m tests.matches.make_earlier NAME`, once, before rules are changed.

Bots play, and people err, take back, put right, pause and give up.
"""

import json
import lzma
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any
from unittest import mock

from companion.core.clocks import SECOND
from companion.core.codec import written
from companion.core.entry import Abandoned, Corrected, Entry, Made, Paused, Redone, Resumed, Undone
from companion.core.errors import CompanionError
from companion.core.match import Match, Setup
from companion.core.record import read_move, read_setup, setup_plain
from companion.core.rules import Foul, Move
from companion.games import game
from companion.games.three import rules as three
from companion.games.threepia import fields as threepia_fields
from companion.games.threepia import rules as threepia
from companion.games.tres import rules as tres
from companion.games.triple3 import rules as triple3
from companion.games.triplexity import rules as triplexity
from companion.journal import Journal
from simulator.playing import play_out, seated
from tests.matches.earlier import FOLDER, JOURNAL, RULINGS, Line, told

WRITTEN = Path(__file__).parent  # the matches of tests/core/test_matches.py
LONG = 61 * SECOND  # somebody thinks, and what is due falls due
STUCK = 4  # moves that are refused in a row
QUIET, LIVELY = 0.04, 0.14  # how often something is done that is no move


@dataclass(frozen=True)
class Played:
    """A match by bots, in which people err, take back, put right, pause and give up."""

    game: str
    house: Any
    players: int = 0
    seen: bool = True
    mistakes: float = 0.1
    most: int = 60  # moves that are tried
    lacks: tuple[str, ...] = ()  # house rules that did not exist yet
    is_oldest: bool = False  # its entries say neither when they were taken back nor what
    abandoned: bool = False

    def setup(self, code: str) -> Setup:
        found = replace(seated(game(self.game), self.house, self.players), id=code)
        return read_setup(self.lacking(setup_plain(found)))

    def lacking(self, setup: Line) -> Line:
        house = {key: value for key, value in setup["house"].items() if key not in self.lacks}
        return {**setup, "house": house}


def everything(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


_FEW = three.House(dogs=three.DOGS[:4], copies=4, deck=16)
_NEW = ("rearm", "cooldown")

KEPT = {
    "three-usual": Played("three", three.House(), 3, most=200),
    "three-usual-by-two": Played("three", three.House(declarations_per_turn=0, cooldown=5), 2, most=200),
    "three-few-dogs": Played("three", _FEW),
    "three-kept-out": Played("three", replace(_FEW, rearm=3, cooldown=8), 3, mistakes=0.2),
    "three-typed": Played("three", replace(_FEW, call_timeout=3), 4, seen=False),
    "three-ties-by-seats": Played("three", replace(_FEW, tie="seats", declarations_per_turn=2), 2),
    "three-ties-by-choice": Played("three", replace(_FEW, tie="choice", declarations_per_turn=0), 3),
    "three-no-new-rules": Played("three", replace(_FEW, rearm=0), 3, lacks=_NEW),
    "three-no-rules": Played("three", three.House(rearm=0), lacks=everything(three.House), most=150),
    "three-oldest": Played("three", replace(_FEW, rearm=0), 3, lacks=_NEW, is_oldest=True),
    "three-given-up": Played("three", three.House(), 2, most=40, abandoned=True),
    "tres-usual": Played("tres", tres.House(), 4),
    "tres-jokers": Played("tres", tres.House(jokers=20, joker_is_any_colour=True), 3),
    "tres-numeral-jokers": Played("tres", tres.House(jokers=20, number_copies=1), 2),
    "tres-actions": Played("tres", tres.House(action_copies=8, number_copies=1), 5),
    "tres-reshuffled": Played("tres", tres.House(colours=("red", "blue"), jokers=0), 4, most=110),
    "tres-blocked": Played("tres", tres.House(colours=("red",), jokers=0), 3),
    "tres-typed": Played("tres", tres.House(players=4), 3, seen=False),
    "tres-no-rules": Played("tres", tres.House(), 2, lacks=everything(tres.House)),
    "tres-oldest": Played("tres", tres.House(), 3, is_oldest=True),
    "tres-given-up": Played("tres", tres.House(), 6, most=25, abandoned=True),
    "triple3-called": Played("triple3", triple3.House(chips_to_win=1), 2, most=70),
    "triple3-kept": Played("triple3", triple3.House(chips_to_win=2, illegal_plays="keep"), 4, mistakes=0.3, most=120),
    "triple3-kept-by-two": Played("triple3", triple3.House(chips_to_win=1, illegal_plays="keep"), 2, mistakes=0.3),
    "triple3-typed": Played("triple3", triple3.House(chips_to_win=2), 3, seen=False, most=110),
    "triple3-typed-kept": Played("triple3", triple3.House(illegal_plays="keep"), 3, seen=False),
    "triple3-no-rules": Played("triple3", triple3.House(), 4, lacks=everything(triple3.House)),
    "triple3-oldest": Played("triple3", triple3.House(chips_to_win=1), 3, is_oldest=True),
    "triplexity-rounds": Played("triplexity", triplexity.House(rounds=4), most=70),
    "triplexity-advanced": Played("triplexity", triplexity.House(play="advanced", rounds=4), most=70),
    "triplexity-points": Played("triplexity", triplexity.House(play="advanced", rounds=20, points=20), most=90),
    "triplexity-one-round": Played("triplexity", triplexity.House(play="advanced", points=20)),
    "triplexity-uncovered": Played(
        "triplexity", triplexity.House(play="advanced", rounds=3, count_covered=False, faces=("6/1", "2/4", "3/5"))
    ),
    "triplexity-repeated": Played("triplexity", triplexity.House(repetition_draw=True, rounds=3), most=90),
    "triplexity-no-rules": Played("triplexity", triplexity.House(), lacks=everything(triplexity.House)),
    "triplexity-oldest": Played("triplexity", triplexity.House(rounds=3), is_oldest=True),
    "threepia-points": Played("threepia", threepia.House(target=20), 3),
    "threepia-rounds": Played("threepia", threepia.House(way="rounds", field=threepia_fields.field("Fridge")), 4),
    "threepia-deck": Played("threepia", threepia.House(way="deck", deck=30, field=threepia_fields.field("L box")), 2),
    "threepia-l-box": Played("threepia", threepia.House(field=threepia_fields.field("L box"), rotate=False), 3),
    "threepia-time": Played("threepia", threepia.House(way="time", deck=24, turn_seconds=6), 3),
    "threepia-stopwatch": Played("threepia", threepia.House(way="stopwatch", match_seconds=40), 4),
    "threepia-time-trial": Played(
        "threepia", threepia.House(way="time-trial", deck=24, field=threepia_fields.field("Windmill"))
    ),
    "threepia-trial-unseen": Played("threepia", threepia.House(way="time-trial", deck=14), seen=False),
    "threepia-relaxed": Played("threepia", threepia.House(way="relaxed", deck=18, field=threepia_fields.field("Worm"))),
    "threepia-strict": Played(
        "threepia", threepia.House(triangle_fits=False, rotate=False, field=threepia_fields.field("X")), 2, mistakes=0.2
    ),
    "threepia-typed": Played("threepia", threepia.House(field=threepia_fields.field("Snake")), 3, seen=False),
    "threepia-typed-time": Played("threepia", threepia.House(way="time", deck=20, turn_seconds=8), 2, seen=False),
    "threepia-no-rules": Played("threepia", threepia.House(), 2, lacks=everything(threepia.House)),
    "threepia-oldest": Played("threepia", threepia.House(way="stopwatch", match_seconds=60), 2, is_oldest=True),
    "threepia-given-up": Played("threepia", threepia.House(way="stopwatch"), 3, most=25, abandoned=True),
}


class Evening:
    """One such match, on its way into the journal."""

    def __init__(self, played: Played, code: str, journal: Journal, often: float) -> None:
        self._played = played
        self._often = often
        self._chance = random.Random(code)
        setup = played.setup(code)
        moves = play_out(Match(setup), self._chance.randrange(1000), seen=played.seen, mistakes=played.mistakes)
        self._moves = [move for move, _ in moves if not move.by_referee][: played.most]
        self._behind = 0  # table time since then, against that of the bots
        self._tried = 0
        self._sound: tuple[list[Move], int] = ([], 0)  # before the last thing that was no move of the bots
        self._refused = 0  # in a row
        self.match = Match(setup, journal.begin(setup))

    def play(self) -> None:
        for _ in range(2 * len(self._moves)):
            if self._tried == len(self._moves):
                break
            move = self._moves[self._tried]
            if self.match.is_running:
                self._make(self._mistaken(replace(move, at=self._at(move.at + self._behind))))
                self._behind = self.match.now - move.at
            self._tried += 1
            if self._refused >= STUCK:
                self._take_back_to_sound()
            self._now_and_then()
        if self._played.abandoned:
            self._try(Abandoned(self._at(self.match.now + SECOND), "dinner"))
        elif not self.match.is_running:
            self._after_the_end()

    @property
    def _line(self) -> list[Move]:
        return [done.move for done in self.match.line]

    def _take_back_to_sound(self) -> None:
        """Nothing fits any more: back to before the last mischief, and what was played since again."""
        (sound, self._tried), self._refused = self._sound, 0
        while self._line != sound[: len(self._line)] and self._try(self._undone()):
            pass
        for move in sound[len(self._line) :]:
            if not move.by_referee:
                self._make(replace(move, at=self._at(move.at)))

    def _mistaken(self, move: Move) -> Move:
        """Now and then something else is said than was done; the rules may take it."""
        if self._chance.random() >= self._often / 2 or (another := self._another(move)) is None:
            return move
        self._sound = self._line, self._tried
        return another

    def _at(self, at: int) -> int:
        return self.match.now if self.match.stands else max(self.match.now, at)

    def _make(self, move: Move) -> None:
        while (due := self.match.overdue(move.at)) is not None:
            self._try(Made(due.move))
        if isinstance(move, three.Strike) and self.match.setup.house.tie != "replay":
            move = replace(move, finish=None, tied=self.match.setup.names[:2])
        self._refused = 0 if self._try(Made(move)) else self._refused + 1
        if self.match.state.phase == "tied":
            *_, who = self.match.setup.names
            self._try(Made(three.Choose(who, self._chance.choice(self.match.state.tied), at=self.match.now)))

    def _try(self, entry: Entry) -> bool:
        """People try what is refused, too."""
        try:
            self.match.take(entry)
        except (CompanionError, Foul):
            return False
        return True

    def _now_and_then(self) -> None:
        deeds: list[Callable[[], None]] = [self._think, self._pause, self._take_back, self._put_right, self._regret]
        if self._chance.random() < self._often:
            self._sound = self._line, self._tried
            self._chance.choice(deeds)()

    def _think(self) -> None:
        self._behind += LONG

    def _pause(self) -> None:
        self._try(Paused(self._at(self.match.now + SECOND), "tea"))
        self._try(Resumed())

    def _take_back(self) -> None:
        """Some of it is made again, or made anew."""
        lost = []
        for _ in range(self._chance.randrange(1, 4)):
            last = self.match.line[-1].move if self.match.line else None
            if self._try(self._undone()) and last is not None:
                lost.append(last)
        for _ in range(self._chance.randrange(3)):
            if self._try(Redone()):
                lost.pop() if lost else None
        if self._chance.random() < 0.5:
            self._try(Resumed())
        for move in reversed(lost):
            if self._chance.random() < 0.8 and not move.by_referee:
                self._make(replace(move, at=self._at(move.at)))

    def _undone(self) -> Undone:
        if self._played.is_oldest:
            return Undone()
        return Undone(self.match.history.undoes == "correction", self._at(self.match.now + SECOND))

    def _put_right(self) -> None:
        for _ in range(8):
            number = self._some_number()
            if number and self._try(self._corrected(number, self._another(self.match.line[number - 1].move))):
                return

    def _regret(self) -> None:
        """A correction is put right again."""
        before = [done.move for done in self.match.line]
        self._put_right()
        if self._chance.random() < 0.5 and not self._played.is_oldest:
            self._try(self._undone())
            return
        for number, (done, was) in enumerate(zip(self.match.line, before, strict=False), 1):
            if done.move != was:
                self._try(self._corrected(number, was))
                return

    def _some_number(self) -> int:
        """Of a move, more often a late one."""
        back = self._chance.choice((1, 1, 2, 3, 5, 8, len(self.match.line)))
        return max(0, len(self.match.line) - self._chance.randrange(back or 1))

    def _corrected(self, number: int, move: Move | None) -> Corrected:
        return Corrected(number, move, 0 if self._played.is_oldest else self._at(self.match.now + SECOND))

    def _another(self, move: Move) -> Move | None:
        """The same with something in it as in another move of the match; or none at all."""
        alike = [done.move for done in self.match.line if type(done.move) is type(move) and done.move != move]
        if not alike or self._chance.random() < 0.15:
            return None
        names = [one.name for one in fields(move) if one.name not in ("at", "finish")]
        name = self._chance.choice(names)
        return replace(move, **{name: getattr(self._chance.choice(alike), name)})

    def _after_the_end(self) -> None:
        self._put_right()
        if self._chance.random() < 0.6:
            self._try(self._undone())
        if self._chance.random() < 0.5:
            self._try(self._undone())
            self._try(Redone())


def kept(journal: Journal) -> Iterator[tuple[Setup, tuple[Entry, ...]]]:
    """Plays every match into a journal."""
    evenings = [(name, played, often) for often in (QUIET, LIVELY) for name, played in KEPT.items()]
    for number, (name, played, often) in enumerate(evenings, 1):
        code = f"{number:03}-{name}"  # none begins with another
        with lacking(played):
            evening = Evening(played, code, journal, often)
            evening.play()
        stored = journal.stored(code)
        assert stored.folded().state == evening.match.state
        yield stored.setup, stored.entries
    for number, file in enumerate(sorted(WRITTEN.glob("*.jsonl")), 2 * len(KEPT) + 1):
        yield read_written(file, f"{number:03}-{file.stem}", journal)


def lacking(played: Played) -> Any:
    """The journal writes the set-up as a companion did that had fewer house rules."""
    return mock.patch("companion.journal.keeper.setup_plain", lambda setup: played.lacking(setup_plain(setup)))


def read_written(file: Path, code: str, journal: Journal) -> tuple[Setup, tuple[Entry, ...]]:
    """A match of tests/matches."""
    head, *lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    setup = replace(read_setup(head["match"]), id=code)
    match = Match(setup, journal.begin(setup))
    for line in lines[::2]:
        move = read_move(match.game, line["told"])
        while (due := match.overdue(move.at)) is not None:
            match.make(due.move)
        try:
            match.make(move)
        except (CompanionError, Foul):
            continue
    stored = journal.stored(code)
    return stored.setup, stored.entries


def make(name: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "journal.sqlite3"
        with Journal.open(place) as journal:
            lines = [written(line) for setup, entries in kept(journal) for line in told(setup, entries)]
        pack(FOLDER / f"{name}{JOURNAL}", place.read_bytes())
    pack(FOLDER / f"{name}{RULINGS}", "\n".join(lines).encode())


def pack(path: Path, content: bytes) -> None:
    path.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    print(f"{path}: {len(content)} bytes in {path.stat().st_size}")  # noqa: T201


if __name__ == "__main__":
    make(sys.argv[1])
