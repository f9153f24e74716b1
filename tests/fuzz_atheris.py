"""The same targets as `python -m tests.fuzz`, led by atheris: `python -m tests.fuzz_atheris [WHAT …] [--seconds S]`.

For each target the project's own fuzzer runs for so many seconds, and atheris for as many from the same examples. Then
the inputs that atheris kept, for each reached something new, are read once more where lines are counted; so the lines
of ours that each has reached are compared by one measure. What is found is kept in `tests/found/WHAT/`, whoever found
it. Needs the extra `fuzz`: `.venv/bin/pip install -c constraints.txt -e '.[fuzz]'`.
"""

import argparse
import contextlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz import FOUND, LONG, MEMORY, PROJECT, Fuzz, patience

ROOMS = ["companion", "hardware", "vision"]
CHILD = "--child"
LEAVES = 60.0  # seconds more than it was given
DONE = re.compile(r"Done (\d+) runs in")


class Uncounted:
    """Atheris counts by itself."""

    reached = 0

    @contextlib.contextmanager
    def looked_at(self) -> Iterator[None]:
        yield


def led_by_atheris(what: str, corpus: Path, seconds: int, seed: int) -> None:
    """In a process of its own, which libFuzzer ends."""
    import atheris  # noqa: PLC0415

    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder, patience():
        with atheris.instrument_imports(include=ROOMS, enable_loader_override=False):
            from tests.fuzz_targets import TARGETS  # noqa: PLC0415

            fuzz = Fuzz(what, TARGETS[what], seed, Path(folder))  # reads the examples, so that all is loaded
        fuzz._lines = Uncounted()  # type: ignore[assignment]

        def tries(content: bytes) -> None:
            fuzz._tried(content)

        longest = LONG * max(map(len, TARGETS[what].examples()))
        limits = [f"-max_total_time={seconds}", f"-max_len={longest}", f"-seed={seed}", "-timeout=0", "-rss_limit_mb=0"]
        atheris.Setup([sys.argv[0], str(corpus), *limits], tries)
        atheris.Fuzz()


@dataclass(frozen=True, slots=True)
class Compared:
    """Both on one target, for as many seconds."""

    what: str
    known: int  # lines that the examples reach
    inputs: int
    lines: int  # beyond those
    inputs_of_atheris: int
    lines_of_atheris: int
    together: int
    found: int

    def __str__(self) -> str:
        return (
            f"| {self.what} | {self.known:,} | {self.inputs:,} | {self.lines:,} | {self.inputs_of_atheris:,} | "
            f"{self.lines_of_atheris:,} | {self.together:,} | {self.found} |"
        )


HEAD = (
    "| what | lines reached by the examples | inputs, our own | lines beyond | inputs, atheris | lines beyond | both "
    "together | found |\n|---|---:|---:|---:|---:|---:|---:|---:|"
)


def compared(what: str, seconds: int, seed: int) -> Compared:
    before = _known_finds(what)
    with tempfile.TemporaryDirectory() as place, patience():
        corpus = Path(place) / "corpus"
        runs = _atheris(what, corpus, seconds, seed)
        ours, theirs = _fuzz(what, seed, Path(place) / "ours"), _fuzz(what, seed, Path(place) / "theirs")
        report = ours.run(10**12, seconds)
        for file in sorted(corpus.iterdir()):
            content = file.read_bytes()
            theirs._tried(content)
            ours._tried(content)
    known = report.known
    return Compared(
        what,
        known,
        report.inputs,
        report.lines - known,
        runs,
        theirs._lines.reached - known,
        ours._lines.reached - known,
        len(_known_finds(what) - before),
    )


def _fuzz(what: str, seed: int, folder: Path) -> Fuzz:
    from tests.fuzz_targets import TARGETS  # noqa: PLC0415

    folder.mkdir()
    return Fuzz(what, TARGETS[what], seed, folder)


def _atheris(what: str, corpus: Path, seconds: int, seed: int) -> int:
    """How many inputs it tried; what it kept is in the corpus."""
    from tests.fuzz_targets import TARGETS  # noqa: PLC0415

    corpus.mkdir()
    for number, example in enumerate(TARGETS[what].examples()):
        (corpus / f"example-{number}").write_bytes(example)
    words = [sys.executable, "-m", "tests.fuzz_atheris", CHILD, what, str(corpus), str(seconds), str(seed)]
    done = subprocess.run(
        words, cwd=PROJECT, capture_output=True, text=True, errors="replace", timeout=seconds + LEAVES, check=False
    )
    runs = DONE.search(done.stderr)
    if runs is None:
        raise RuntimeError(f"atheris ended with {done.returncode}: {done.stderr[-2000:]}")
    return int(runs[1])


def _known_finds(what: str) -> set[Path]:
    return set((FOUND / what).glob("*.spoilt"))


def main(arguments: list[str]) -> int:
    if arguments[:1] == [CHILD]:
        what, corpus, seconds, seed = arguments[1:]
        led_by_atheris(what, Path(corpus), int(seconds), int(seed))
        return 0
    from tests.fuzz_targets import TARGETS  # noqa: PLC0415

    parser = argparse.ArgumentParser(prog="python -m tests.fuzz_atheris")
    parser.add_argument("what", nargs="*", metavar="WHAT", help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=int, default=60, help="for each of the two")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    if unknown := set(asked.what) - set(TARGETS):
        parser.error(f"{', '.join(unknown)}: choose from {', '.join(TARGETS)}")
    print(HEAD, flush=True)  # noqa: T201
    found = 0
    for what in asked.what or TARGETS:
        one = compared(what, asked.seconds, asked.seed)
        found += one.found
        print(one, flush=True)  # noqa: T201
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
