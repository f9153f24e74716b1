"""A newcomer's evening: all five games in a window on a virtual X server, at two sizes and in three languages.

python -m tests.rigs.evening [--act evening] [--language de] [--size 800x480] [--games three,tres] [FOLDER]

Three acts: the evening; a storm of touches; people with names that are hard to say or to draw.
"""

import argparse
import os
import shutil
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"

from companion.config.window_size import read_size
from companion.games import NAMES
from tests.rigs.evening.evening import Evening, spend
from tests.rigs.evening.names import named
from tests.rigs.evening.storm import storm
from tests.rigs.running import RigError, conclude, say

USUAL = Path(".cache/evening")
BIG, SMALL = (1280, 800), (800, 480)
LANGUAGES = ("en", "de", "fr")
ACTS = {"evening": (spend, LANGUAGES), "names": (named, ("de",)), "storm": (storm, ("en",))}


@dataclass(frozen=True)
class Report:
    """What came of one evening."""

    lines: list[str]
    broken: list[str]


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.rigs.evening")
    parser.add_argument(
        "--language", action="append", help="one of them; again for more (default: en, de, fr for evenings)"
    )
    parser.add_argument("--size", action="append", type=read_size, help="1280x800 has the drawn table, others not")
    parser.add_argument("--act", action="append", choices=ACTS, help="of the three; again for more")
    parser.add_argument("--games", default=",".join(NAMES), help="which, in their order")
    parser.add_argument("--at-once", type=int, default=3, help="evenings at the same time")
    parser.add_argument("folder", nargs="?", type=Path, default=USUAL)
    options = parser.parse_args(words)
    folder = options.folder.resolve()
    evenings = [
        Evening(language, size, has_table=size == BIG, games=tuple(options.games.split(",")), folder=folder, act=act)
        for act in options.act or ACTS
        for size in options.size or (BIG, SMALL)
        for language in options.language or ACTS[act][1]
    ]
    for evening in evenings:
        shutil.rmtree(evening.place, ignore_errors=True)
    begun = time.monotonic()
    with ThreadPoolExecutor(options.at_once) as pool:
        reports = list(pool.map(told, evenings))
    faults = sum(len(report.broken) for report in reports)
    say(f"{len(reports)} evenings in {time.monotonic() - begun:.0f} s; pictures in {folder}; {faults} faults")
    return 1 if faults else 0


def told(evening: Evening) -> Report:
    """One evening, whatever becomes of it; told as soon as it is over."""
    try:
        report = Report(*ACTS[evening.act][0](evening))
    except RigError as error:
        report = Report([evening.name], [str(error)])
    except Exception:
        report = Report([evening.name], [traceback.format_exc()])
    say("\n".join([*report.lines, *(f"  FAULT {one}" for one in report.broken)]))
    return report


if __name__ == "__main__":
    conclude("evening", lambda: main(sys.argv[1:]))
