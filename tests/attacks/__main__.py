"""Runs all attacks, or those with one of the given words in their names: `python -m tests.attacks [WORD …]`.

Those with one of the words behind `--but` are left out. `--page` writes what the last run without WORDs found into the
pages; `--one` runs one after the other, on a machine that has other things to do.
"""

import importlib
import json
import multiprocessing
import os
import pkgutil
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict

from tests import attacks
from tests.attacks import page
from tests.attacks.attack import Attack, Ending, made

PAGE, ONE, BUT = "--page", "--one", "--but"


def known() -> Iterator[Attack]:
    """Those of every module here."""
    for module in sorted(found.name for found in pkgutil.iter_modules(attacks.__path__)):
        if not module.startswith("_"):
            yield from getattr(importlib.import_module(f"tests.attacks.{module}"), "ATTACKS", ())


ALL: list[Attack] = []  # forked with each worker, for what runs an attack may be a function without a name


def _made(number: int) -> Ending:
    return made(ALL[number])


def endings(numbers: list[int], workers: int) -> Iterator[Ending]:
    """In their order, as soon as they are there."""
    if workers == 1:
        yield from map(_made, numbers)
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("fork")) as pool:
        yield from pool.map(_made, numbers)


def told(found: Iterable[Ending]) -> list[Ending]:
    kept = []
    for ending in found:
        print(ending, flush=True)
        kept.append(ending)
    return kept


def _has(attack: Attack, words: list[str]) -> bool:
    return any(word in f"{attack.on}: {attack.name}" for word in words)


def main(words: list[str]) -> int:
    if words == [PAGE]:
        page.write()
        return 0
    asked = [word for word in words if word != ONE]
    end = asked.index(BUT) if BUT in asked else len(asked)
    wanted, unwanted = asked[:end], asked[end + 1 :]
    ALL[:] = known()
    numbers = [n for n, one in enumerate(ALL) if _has(one, wanted or [""]) and not _has(one, unwanted)]
    found = told(endings(numbers, 1 if ONE in words else os.cpu_count() or 1))
    harmed = sum(one.has_harmed for one in found)
    print(f"{len(found) - harmed} passed, {harmed} failed")
    if not wanted:
        page.RESULTS.parent.mkdir(exist_ok=True)
        page.RESULTS.write_text(json.dumps([asdict(one) for one in found]), encoding="utf-8")
    return 1 if harmed or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
