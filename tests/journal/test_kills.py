"""The referee is killed at random instants while moves stream in; every acknowledged move is there, none twice.

Real processes, SIGKILL, a real disk. What each message must be answered is known from a session without a journal,
so each reply of each process is compared word by word: that is the order, the clocks, the whole table.
`python -m tests.journal.test_kills [KILLS] [SEED]` does it longer.
"""

import contextlib
import json
import os
import random
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import pytest

from companion.core.entry import Paused
from companion.core.match import Match, Setup
from companion.core.record import entry_plain, move_plain
from companion.core.referee import Referee
from companion.core.requests import read_message
from companion.core.session import Session
from companion.games import NAMES, game
from companion.journal import Journal, Stored
from simulator.playing import play_out, seated
from tests.amounts import amounts
from tests.attacks import disk
from tests.kept import COMPANION, PROJECT
from tests.replies import told

LONGEST_LIFE = 60  # answers that a process may give before it is killed

Message = dict[str, Any]


@dataclass(frozen=True)
class Scene:
    """A message, what must be answered, and what must be kept after it."""

    message: Message
    replies: tuple[Message, ...]
    entries: tuple[tuple[str, Message], ...]  # since the beginning
    state: Any
    now: int
    newest: int  # table time of the newest entry: a correction comes after the moves that stand
    paused: Paused | None


@dataclass
class Play:
    """A match as it must come about."""

    setup: Setup
    scenes: list[Scene] = field(default_factory=list)
    code: str = ""  # of the match in the journal, once it has begun
    done: int = 0  # scenes that are over

    def kept_after(self, done: int) -> int:
        return len(self.scenes[done - 1].entries) if done else 0


def play(name: str, chance: random.Random) -> Play:
    """Bots play; now and then somebody errs, undoes, pauses, corrects."""
    playing = game(name)
    setup = seated(playing, playing.house())
    entries: list[tuple[str, Message]] = []
    match = Match(setup, lambda entry, _: entries.append(entry_plain(entry)))
    session = Session(Referee(match, 0), None)
    done = Play(setup)
    tried = [move for move, _ in play_out(Match(setup), chance.randrange(1000), mistakes=0.1)]
    for message in _messages([move_plain(move) for move in tried], match, chance):
        replies = told(session.answer(read_message(playing, message)))
        done.scenes.append(
            Scene(
                message,
                tuple(json.loads(json.dumps(replies))),
                tuple(entries),
                match.state,
                match.now,
                match.history.latest(match.now),
                match.paused,
            )
        )
        if not match.is_running:
            break
    return done


def _messages(moves: list[Message], match: Match, chance: random.Random) -> Iterator[Message]:
    yield {"do": "time", "at": 0}
    for move in moves:
        at = move.get("at", 0)
        yield move
        if chance.random() < 0.08 and match.line and match.now == at:
            yield from ({"do": "undo", "at": at}, {"do": "redo", "at": at})
        if chance.random() < 0.05:
            yield from ({"do": "pause", "at": at, "why": "tea"}, {"do": "show", "at": at}, {"do": "resume", "at": at})
        if chance.random() < 0.05 and match.line:
            last = match.line[-1].move
            yield {"do": "correct", "at": at, "number": len(match.line), "move": move_plain(last)}


@dataclass
class Tally:
    kills: int = 0
    told: int = 0  # replies read
    kept: int = 0  # entries found after all
    unread: int = 0  # kept, but killed before it was told
    matches: int = 0
    idle: int = 0  # killed before the first answer


class Referees:
    """One match after the other, by as many referees as it takes."""

    def __init__(self, journal: Path, seed: int) -> None:
        self.journal = journal
        self.tally = Tally()
        self._random = random.Random(seed)

    def run(self, kills: int) -> Tally:
        plays = {name: play(name, self._random) for name in NAMES}
        while self.tally.kills < kills:
            name = [*NAMES][self.tally.kills % len(NAMES)]
            self._life(plays[name])
            if plays[name].done == len(plays[name].scenes):
                self.tally.matches += 1
                plays[name] = play(name, self._random)
        with Journal(self.journal) as journal:  # raises if it is damaged
            self.tally.kept = sum(one.entries for one in journal.matches())
        return self.tally

    def _life(self, wanted: Play) -> None:
        """One process, from where the match stands to its kill."""
        name, code, done = wanted.setup.game, wanted.code, wanted.done
        stored = self._stored(code) if code else None
        how = ["--resume", code] if code else ["--players", ",".join(wanted.setup.names)]
        boot = self._random.randrange(10**15)  # its clock began anew
        scenes = wanted.scenes[done:]
        table = max(wanted.scenes[done - 1].newest if done else 0, stored.time if stored else 0)
        lines = [
            {"do": "time", "at": boot + table},
            *({**scene.message, "at": boot + scene.message.get("at", 0)} for scene in scenes),
        ]
        with subprocess.Popen(
            [*COMPANION, "referee", name, "--time", "given", "--journal", self.journal, *how],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=PROJECT,
        ) as process:
            told = self._told_until_killed(process, lines)
        if not told:
            self.tally.idle += 1
            wanted.code = code or self._newest(wanted)
            return
        greeting, *replies = told
        assert greeting["at"] == table
        wanted.code = greeting["id"]
        wanted.done = self._check_kept(wanted, done + self._check(scenes, replies[1:]))

    def _told_until_killed(self, process: subprocess.Popen[bytes], lines: list[Message]) -> list[Message]:
        """Everything that was told before the kill: all whole lines."""
        assert process.stdin
        assert process.stdout
        assert process.stderr
        life = self._random.randrange(LONGEST_LIFE)
        heard = b""
        threading.Thread(target=_stream, args=(process.stdin, lines)).start()
        try:
            while heard.count(b"\n") < life:
                more = os.read(process.stdout.fileno(), 65_536)
                if not more:
                    break
                heard += more
            select.select([process.stderr], [], [], self._random.random() * (0.15 if not life else 0.004))
        finally:
            process.kill()
        heard += process.stdout.read()
        assert process.stderr.read().decode() == ""
        self.tally.kills += 1
        self.tally.told += heard.count(b"\n")
        return [json.loads(line) for line in heard.split(b"\n")[:-1]]

    def _check(self, scenes: list[Scene], replies: list[Message]) -> int:
        """Each reply is what it must be. How many messages were answered to the end."""
        answered = 0
        for scene in scenes:
            mine, replies = replies[: len(scene.replies)], replies[len(scene.replies) :]
            assert tuple(mine) == scene.replies[: len(mine)]
            if len(mine) < len(scene.replies):
                break
            answered += 1
        return answered

    def _check_kept(self, wanted: Play, done: int) -> int:
        """What is on disk is what was told, and possibly the next thing. How far the match has come."""
        stored = self._stored(wanted.code)
        kept = tuple(map(entry_plain, stored.entries))
        least = wanted.kept_after(done)
        assert len(kept) >= least, f"{least - len(kept)} acknowledged entries are lost"
        if len(kept) > least:  # the next message was ruled on, and killed before it was told
            self.tally.unread += 1
            done = next(
                number for number in range(done + 1, len(wanted.scenes) + 1) if wanted.kept_after(number) > least
            )
        if done:
            scene = wanted.scenes[done - 1]
            match = stored.folded()
            assert kept == scene.entries
            assert (match.state, match.now, match.paused) == (scene.state, scene.now, scene.paused)
        return done

    def _stored(self, code: str) -> Stored:
        with Journal(self.journal) as journal:
            return journal.stored(code)

    def _newest(self, wanted: Play) -> str:
        """The match that a process began and did not tell of."""
        with Journal(self.journal) as journal:
            newest = journal.matches()[:1]
            if not newest or newest[0].game != wanted.setup.game or newest[0].entries:
                return ""
            return newest[0].code if newest[0].status == "running" else ""


def _stream(to: IO[bytes], lines: list[Message]) -> None:
    """All at once; the referee reads as fast as it can keep."""
    with contextlib.suppress(BrokenPipeError), to:
        to.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))


@amounts("kills", 12, 40)
def test_whatever_was_told_is_there(tmp_path: Path, kills: int) -> None:
    tally = Referees(tmp_path / "journal.sqlite3", seed=4).run(kills)
    assert tally.kills == kills
    assert tally.told > kills


# --- a disk that fails -----------------------------------------------------------------------------------------


@pytest.mark.skipif(not disk.may_trace(), reason="there is no strace here, or it may not trace")
def test_what_was_told_when_a_sync_fails_is_there_after_a_kill(tmp_path: Path) -> None:
    """All calls with all errors: `make attack ATTACK=disk`."""
    deed, unfailed = disk.Match(), tmp_path / "unfailed" / "disk"
    unfailed.mkdir(parents=True)
    *_, third, _, last = deed.run(unfailed, None, kill=True).points(unfailed, ["fdatasync"])
    for point, error in ((third, "EIO"), (last, "EINTR")):
        place = tmp_path / error / "disk"
        place.parent.mkdir()
        assert disk.attempt(deed, place, point, error, kill=True) == "refused"


def main(arguments: list[str]) -> None:
    kills = int(arguments[0]) if arguments else 500
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        tally = Referees(Path(folder) / "journal.sqlite3", seed).run(kills)
    print(f"{tally} in {time.monotonic() - began:.0f} s")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
