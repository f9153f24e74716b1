"""Runs all attacks, or those with one of the given words in their names: `python -m tests.attacks [WORD…]`."""

import importlib
import pkgutil
import sys
from collections.abc import Iterator

from tests import attacks
from tests.attacks.attack import Attack, Ending, made


def known() -> Iterator[Attack]:
    """Those of every module here."""
    for module in sorted(found.name for found in pkgutil.iter_modules(attacks.__path__)):
        if not module.startswith(("_", "test_")):
            yield from getattr(importlib.import_module(f"tests.attacks.{module}"), "ATTACKS", ())


def told(ending: Ending) -> str:
    """A line of the table, or what is wrong."""
    attack = ending.attack
    sign = "HARMED" if ending.has_harmed else "stood"
    return f"{sign:6}  {ending.seconds:6.1f} s  {attack.on}: {attack.name}: {ending.words}"


def main(words: list[str]) -> int:
    wanted = [one for one in known() if not words or any(word in f"{one.on}: {one.name}" for word in words)]
    harmed = 0
    for attack in wanted:
        ending = made(attack)
        harmed += ending.has_harmed
        print(told(ending), flush=True)
    print(f"{len(wanted) - harmed} passed, {harmed} failed")
    return 1 if harmed or not wanted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
