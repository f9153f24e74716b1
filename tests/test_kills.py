"""The referee is killed at random instants while moves stream in; every acknowledged move is there, none twice.

Real processes, SIGKILL, a real disk. What each message must be answered is known from a session without a journal,
so each reply of each process is compared word by word: that is the order, the clocks, the whole table.
`python -m tests.test_kills [KILLS] [SEED]` does it longer.
"""

import json
import random
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.clocks import SECOND
from companion.games import NAMES, game
from companion.journal import Journal, Stored
from companion.match import Match, Setup, set_up
from companion.playing import play_out, seated
from companion.protocol import Session, read_message
from companion.record import entry_plain, move_plain
from companion.referee import Referee
from companion.rules import Foul
from tests.kept import COMPANION, PROJECT

KILLS = 40
LONGEST_LIFE = 60  # answers that a process may give before it is killed

Message = dict[str, Any]


@dataclass(frozen=True)
class Scene:
    """A message, what must be answered, and what must be kept after it."""

    message: Message
    replies: tuple[Message, ...]
    entries: tuple[tuple[str, Message], ...]  # since the beginning
    match: Match


@dataclass
class Play:
    """A match as it must come about."""

    setup: Setup
    scenes: list[Scene] = field(default_factory=list)

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
        replies = session.answer(read_message(playing, message))
        folded = Match.folded(setup, [])
        folded.line, folded.now, folded.paused = list(match.line), match.now, match.paused
        done.scenes.append(Scene(message, tuple(json.loads(json.dumps(replies))), tuple(entries), folded))
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
        for number in range(10**6):
            self._match(play(NAMES[number % len(NAMES)], self._random), kills)
            if self.tally.kills >= kills:
                break
        with Journal(self.journal) as journal:  # raises if it is damaged
            self.tally.kept = sum(one.entries for one in journal.matches())
        return self.tally

    def _match(self, wanted: Play, kills: int) -> None:
        """Referees are killed until the match is over."""
        code, done = "", 0
        while done < len(wanted.scenes) and self.tally.kills < kills:
            stored = self._stored(code) if code else None
            code, done = self._life(wanted, code, done, stored)
        self.tally.matches += done == len(wanted.scenes)

    def _life(self, wanted: Play, code: str, done: int, stored: Stored | None) -> tuple[str, int]:
        """One process, from where the match stands to its kill; how far the match has come then."""
        name = wanted.setup.game
        how = ["--resume", code] if code else ["--players", ",".join(wanted.setup.names)]
        boot = self._random.randrange(10**15)  # its clock began anew
        scenes = wanted.scenes[done:]
        table = max(wanted.scenes[done - 1].match.now if done else 0, stored.time if stored else 0)
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
            return code or self._newest(wanted), done
        greeting, *replies = told
        code = greeting["id"]
        assert greeting["at"] == table
        done += self._check(scenes, replies[1:])
        return code, self._check_kept(wanted, code, done, boot)

    def _told_until_killed(self, process: subprocess.Popen[bytes], lines: list[Message]) -> list[Message]:
        """Everything that was told before the kill: all whole lines."""
        assert process.stdin
        assert process.stdout
        assert process.stderr
        life = self._random.randrange(LONGEST_LIFE)
        heard = b""
        try:
            process.stdin.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
            process.stdin.flush()
            while heard.count(b"\n") < life:
                more = process.stdout.read1()
                if not more:
                    break
                heard += more
            select.select([process.stderr], [], [], self._random.random() * (0.15 if not life else 0.004))
        finally:
            process.kill()
        heard += process.stdout.read()
        assert process.stderr.read() == b""
        self.tally.kills += 1
        self.tally.told += heard.count(b"\n")
        return [json.loads(line) for line in heard.split(b"\n")[:-1]]

    def _check(self, scenes: list[Scene], replies: list[Message]) -> int:
        """Each reply is what it must be. How many messages were answered to the end."""
        answered = 0
        for scene in scenes:
            mine, replies = replies[: len(scene.replies)], replies[len(scene.replies) :]
            assert _without_times(mine) == _without_times(list(scene.replies))[: len(mine)]
            if len(mine) < len(scene.replies):
                break
            answered += 1
        return answered

    def _check_kept(self, wanted: Play, code: str, done: int, _boot: int) -> int:
        """What is on disk is what was told, and possibly the next thing. How far the match has come."""
        stored = self._stored(code)
        kept = tuple(map(entry_plain, stored.entries))
        least = wanted.kept_after(done)
        assert len(kept) >= least, f"{least - len(kept)} acknowledged entries are lost"
        assert kept[:least] == wanted.scenes[done - 1].entries[:least] if done else True
        while done < len(wanted.scenes) and len(kept) >= wanted.kept_after(done + 1) > least:
            self.tally.unread += 1
            done += 1
            least = wanted.kept_after(done)
        if len(kept) > least:
            raise AssertionError(f"{len(kept) - least} entries too many")
        if done:
            scene = wanted.scenes[done - 1]
            match = stored.folded()
            assert kept == scene.entries
            assert match.state == scene.match.state
            assert match.now == scene.match.now
            assert match.paused == scene.match.paused
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


def _without_times(replies: list[Message]) -> list[Message]:
    return [{key: value for key, value in reply.items() if key != "re"} for reply in replies]


def test_whatever_was_told_is_there(tmp_path: Path) -> None:
    tally = Referees(tmp_path / "journal.sqlite3", seed=4).run(KILLS)
    assert tally.kills == KILLS
    assert tally.told > KILLS


def main(arguments: list[str]) -> None:
    kills = int(arguments[0]) if arguments else 500
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        tally = Referees(Path(folder) / "journal.sqlite3", seed).run(kills)
    print(f"{tally} in {time.monotonic() - began:.0f} s")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
