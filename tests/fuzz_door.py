"""A million lines of nonsense through the door of a real referee, and a few legal moves among them.

`python -m tests.fuzz_door [LINES] [SEED]` starts `companion referee`, sends malformed, huge, out-of-order, non-UTF-8,
deeply nested, wrongly typed and simply illegal lines, and checks: one answer to each, an error or a foul; nothing on
the error output; the match as if only the legal moves had come; memory flat.
"""

import json
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from companion.core.codec import parsed
from companion.core.errors import CompanionError
from companion.core.match import Match
from companion.core.record import move_plain
from companion.core.referee import Referee
from companion.core.requests import LONGEST_LINE, REQUESTS, MoveMessage, read_message
from companion.core.rules import Foul
from companion.core.session import Session
from companion.games import NAMES, game
from simulator.playing import play_out, seated
from tests.kept import COMPANION, PROJECT
from tests.replies import told

BATCH = 500  # lines between two legal moves
PLAIN = ("null", "true", "-1", "1e999", "1.5", '"x"', "[]", "{}", "9" * 30, "9" * 5000, '"\\ud800"', "NaN", "Infinity")
WORDS = [request.word for request in REQUESTS] + [
    "",
    "dance",
    "PLAY",
    "__class__",
    "\x00",
    "deal",
    "release",
    "time-up",
    "deck-count",
]
KEYS = (
    "at",
    "id",
    "player",
    "number",
    "move",
    "do",
    "why",
    "dog",
    "card",
    "cards",
    "cell",
    "found",
    "place",
    "points",
    "table",
    "grid",
    "hands",
    "leftovers",
    "field",
    "Anna",
    "",
    "a" * 300,
    "\ud800",
    "sourcé",
    "🂡",
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    1e308,
    2**62,
    2**63,
    2**64,
    -(2**63),
    10**40,
    "",
    "Anna",
    "Ben",
    "Nobody",
    "x" * 5000,
    "\x00",
    "\x1b[2J",
    "\ud83c",
    "'; DROP TABLE entry; --",
    [],
    {},
    [[]],
    [None],
    {"a": {}},
    ["Anna"] * 200,
    "{player}",
    "{0.__class__}",
    "%s%n",
)


class Nonsense:
    """Lines of every wrong kind, following from a seed."""

    def __init__(self, seed: int, valid: list[bytes]) -> None:
        self._random = random.Random(seed)
        self._valid = valid  # lines to spoil
        self.now = 0
        self._kinds: tuple[Callable[[], bytes], ...] = (
            self._bytes,
            self._bits_flipped,
            self._bits_flipped,
            self._cut,
            self._spliced,
            self._typed,
            self._typed,
            self._typed,
            self._typed,
            self._out_of_order,
            self._out_of_order,
            self._doubled,
            self._constants,
            self._shuffled,
            self._unicode,
            self._request,
            self._request,
        )

    def line(self) -> bytes:
        chance = self._random.random()
        if chance < 0.0002:
            return self._huge()
        if chance < 0.002:
            return self._nested()
        return self._random.choice(self._kinds)().replace(b"\n", b" ")

    def _one(self) -> bytes:
        return self._random.choice(self._valid)

    def _bytes(self) -> bytes:
        return self._random.randbytes(self._random.randrange(1, 60))

    def _bits_flipped(self) -> bytes:
        line = bytearray(self._one())
        for _ in range(self._random.randrange(1, 4)):
            line[self._random.randrange(len(line))] ^= 1 << self._random.randrange(8)
        return bytes(line)

    def _cut(self) -> bytes:
        line = self._one()
        return line[: self._random.randrange(len(line))]

    def _spliced(self) -> bytes:
        one, other = self._one(), self._one()
        return one[: self._random.randrange(len(one))] + other[self._random.randrange(len(other)) :]

    def _typed(self) -> bytes:
        message = json.loads(self._one())
        for _ in range(self._random.randrange(1, 3)):
            key = self._random.choice([*message, self._random.choice(KEYS)])
            message[key] = self._random.choice(VALUES)
        if self._random.random() < 0.5:
            message["at"] = self.now
        return json.dumps(message).encode()

    def _out_of_order(self) -> bytes:
        return json.dumps({**json.loads(self._one()), "at": self.now}).encode()

    def _doubled(self) -> bytes:
        return self._one().rstrip(b"}") + b',"move":"play"}'

    def _constants(self) -> bytes:
        word = self._random.choice(PLAIN)
        return self._random.choice((f'{{"move":{word}}}', word, f'{{"do":"show","at":{word}}}', f"[{word}]")).encode()

    def _shuffled(self) -> bytes:
        line = list(self._one())
        self._random.shuffle(line)
        return bytes(line)

    def _unicode(self) -> bytes:
        line = self._one().decode()
        return line.encode(self._random.choice(("utf-16", "utf-32", "utf-8-sig", "utf-7", "utf-16-le")))

    def _request(self) -> bytes:
        message = {"do": self._random.choice(WORDS), self._random.choice(KEYS): self._random.choice(VALUES)}
        return json.dumps(message).encode()

    def _huge(self) -> bytes:
        size = self._random.choice((LONGEST_LINE - 20, LONGEST_LINE, LONGEST_LINE + 1, 300_000, 2_000_000))
        return b'{"move":"' + b"x" * size

    def _nested(self) -> bytes:
        depth = self._random.choice((50, 900, 5000, 30_000))
        opening = self._random.choice((b"[", b'{"a":', b'{"move":[', b'{"do":"correct","move":'))
        return opening * min(depth, 60_000 // len(opening))


def is_harmless(match: Match, line: bytes, now: int) -> bool:
    """Whether nothing may come of a line: it has no form, comes out of order, or is an illegal move made now."""
    try:
        message = read_message(match.game, parsed(line))
        if message.at is None:
            return True
        if not isinstance(message, MoveMessage) or message.at > now:
            return False
        if message.at < now or message.move.by_referee:
            return True
        match.setup.check_seat(message.move)
        match.game.rule(match.state, replace(message.move, at=now))
    except (CompanionError, Foul):
        return True
    return False


@dataclass
class Report:
    lines: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    memory: list[int] = field(default_factory=list)  # kB resident, at intervals
    seconds: float = 0
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        answers = ", ".join(f"{count:,} {kind}" for kind, count in self.answers.most_common())
        memory = f"memory {self.memory[0]:,} kB at first, {max(self.memory):,} at most, {self.memory[-1]:,} at last"
        return f"{self.lines:,} lines in {self.seconds:.0f} s: {answers}; {memory}; {self.problems or 'no problem'}"


class Fuzz:
    """One referee, one match, and the same match without the nonsense."""

    def __init__(self, name: str, seed: int, folder: Path) -> None:
        self.report = Report()
        playing = game(name)
        setup = seated(playing, playing.house())
        self._lonely = Session(Referee.begin(setup, 0), None)
        tried = play_out(Match(setup), seed, mistakes=0.0)
        self.moves = [move for move, told in tried if not isinstance(told, Foul)]
        errors = folder / f"errors-{name}"
        self._errors = errors.open("w+b")
        self._process = subprocess.Popen(
            [
                *COMPANION,
                "referee",
                name,
                "--time",
                "given",
                "--journal",
                folder / f"{name}.sqlite3",
                "--players",
                ",".join(setup.names),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=PROJECT,
        )
        lines = [json.dumps(move_plain(move)).encode() for move in self.moves]
        self._nonsense = Nonsense(seed, [*lines, b'{"do":"show","at":0}', b'{"do":"pause","at":0,"why":"x"}'])
        self._read()

    @property
    def _out(self) -> IO[bytes]:
        assert self._process.stdout
        return self._process.stdout

    def _read(self) -> dict[str, Any]:
        line = self._out.readline()
        if not line:
            self._errors.seek(0)
            raise RuntimeError(f"The referee has gone: {self._errors.read().decode()[-2000:]}")
        found = json.loads(line)
        assert isinstance(found, dict)
        return found

    def run(self, count: int) -> Report:
        began = time.monotonic()
        moves = iter(self.moves)
        now = 0
        self._legal({"do": "time", "at": now})
        while self.report.lines < count:
            move = next(moves, None)
            if move and not self._lonely.referee.match.outcome:
                now = move.at
                self._legal(move_plain(move))
            self._batch(min(BATCH, count - self.report.lines), now)
            self._memory()
        self._legal({"do": "show", "at": now})
        self._end()
        self.report.seconds = time.monotonic() - began
        return self.report

    def _legal(self, message: dict[str, Any]) -> None:
        """What the referee says among the nonsense, and what it says without."""
        self._send([json.dumps(message).encode()])
        wanted = told(self._lonely.answer(read_message(self._lonely.referee.match.game, message)))
        found = [self._read() for _ in wanted]
        if found != json.loads(json.dumps(wanted)):
            self.report.problems.append(f"{message} was answered {found}, and alone {wanted}")

    def _batch(self, count: int, now: int) -> None:
        match = self._lonely.referee.match
        self._nonsense.now = now
        lines: list[bytes] = []
        while len(lines) < count:
            line = self._nonsense.line()
            if line.strip() and is_harmless(match, line, now):
                lines.append(line)
        sender = threading.Thread(target=self._send, args=(lines,))
        sender.start()
        for line in lines:
            reply = self._read()
            self.report.answers[reply["kind"]] += 1
            if reply["kind"] not in ("error", "foul") or not reply["sentence"] or "\n" in reply["sentence"]:
                self.report.problems.append(f"{line[:200]!r} was answered {reply}")
        sender.join()
        self.report.lines += count

    def _send(self, lines: list[bytes]) -> None:
        assert self._process.stdin
        self._process.stdin.write(b"".join(line + b"\n" for line in lines))
        self._process.stdin.flush()

    def _memory(self) -> None:
        status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        self.report.memory.append(
            next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        )

    def _end(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        more = self._out.read()
        self._out.close()
        code = self._process.wait()
        self._errors.seek(0)
        said = self._errors.read()
        self._errors.close()
        if more or said or code != 2:
            self.report.problems.append(f"in the end it said {more[:300]!r}, {said[-1000:]!r} and ended with {code}")


def fuzzed(name: str, count: int, seed: int) -> Report:
    with tempfile.TemporaryDirectory() as folder:
        return Fuzz(name, seed, Path(folder)).run(count)


def reports(count: int, seed: int) -> Iterator[tuple[str, Report]]:
    for name in NAMES:
        yield name, fuzzed(name, count // len(NAMES), seed)


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else 1_000_000
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    bad = 0
    for name, report in reports(count, seed):
        print(f"{name:10}  {report}", flush=True)  # noqa: T201
        bad += bool(report.problems)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{'here':10}  {own:,} kB at most", flush=True)  # noqa: T201
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
