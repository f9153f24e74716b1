"""`python -m tools.recordings FOLDER` makes the recordings that README.md shows, one of each game."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.core.errors import CompanionError
from companion.display.demo_recording import record
from companion.display.layout import Size
from companion.display.show import ShowWish
from companion.games import NAMES, game
from simulator.playing import seated

SIZE: Size = (480, 288)
SECONDS = 20
USUAL: Mapping[str, Any] = MappingProxyType({})

# Of each game a match in which much happens: its seed, how many play, how many moves they get wrong, house rules.
MATCHES: Mapping[str, tuple[int, int, float, Mapping[str, Any]]] = {
    "three": (65, 4, 0.03, USUAL),
    "triple3": (3, 3, 0.1, USUAL),
    "tres": (35, 3, 0.15, USUAL),
    "triplexity": (156, 2, 0.3, USUAL),
    "threepia": (4, 3, 0.05, {"way": "stopwatch", "match_seconds": 90}),
}


def wish_for(name: str) -> ShowWish:
    seed, count, mistakes, house = MATCHES[name]
    playing = game(name)
    return ShowWish(seated(playing, playing.house(**house), count), seed, SIZE, SECONDS, mistakes=mistakes)


def main(arguments: Sequence[str] | None = None) -> int:
    """The folder, and the games if not all."""
    folder, *names = sys.argv[1:] if arguments is None else arguments
    try:
        for name in names or NAMES:
            found = record(wish_for(name), Path(folder) / f"{name}.gif")
            print(f"{name}: {found.seconds:.1f} s, {found.bytes / 1000:.0f} kB", flush=True)  # noqa: T201
    except CompanionError as error:
        print(f"companion: {error}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
