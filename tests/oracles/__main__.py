"""`python -m tests.oracles [GAME …] [--cases N] [--seed N]`: the referee against the models of the sheets.

A case is one ruling and the whole state after it. The first match in which the two differ is told, made short, and the
exit code is 1.
"""

import argparse
import sys
from collections.abc import Iterable

from companion.games import NAMES
from tests.oracles.compare import Count, DifferenceFound, compared_beside

CASES = 100_000


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.oracles", description=__doc__)
    asked.add_argument("game", nargs="*", help=f"{', '.join(NAMES)}; all of them if none is named")
    asked.add_argument("--cases", type=int, default=CASES, help="of each game")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    if unknown := set(given.game) - set(NAMES):
        asked.error(f"there is no game {', '.join(unknown)}; the games are {', '.join(NAMES)}")
    return told(given.game or NAMES, given.cases, given.seed)


def told(names: Iterable[str], cases: int, seed: int = 1) -> int:
    """Compare and tell; 1 if there is a difference."""
    try:
        for name, count in compared_beside(names, cases, seed):
            print(line(name, count), flush=True)  # noqa: T201
    except DifferenceFound as found:
        print(found, flush=True)  # noqa: T201
        return 1
    return 0


def line(name: str, count: Count) -> str:
    accepted, refused = count.accepted.total(), count.refused.total()
    return (
        f"{name:10}  {count.cases:9,} cases  {accepted:8,} accepted  {refused:8,} refused  "
        f"{count.ended:6,} of {count.matches:,} matches ended  {count.seconds:6.0f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
