"""How well the printed decks are read that come with the companion as files.

`python -m tests.benchmarks.printed_decks --pictures 36` draws so many tables of each game by the second renderer, which
nothing was taught from. One picture of four has the taller cards on the large mat, where a game has them.
"""

import argparse

import cv2

from companion.core.shipped_decks import shipped_decks
from tests.benchmarks.teaching import Read, shares_of
from tests.vision.second import Wish, shot
from vision.deck_file import read_deck
from vision.mat import LARGE, SMALL
from vision.reader import Reader

FIRST = 860_000
GAMES = ("three", "tres", "threepia", "triplexity")
TALL = 4  # one of so many


def measured(game: str, pictures: int) -> list[Read]:
    decks = shipped_decks()
    readers = {SMALL: Reader(taught=read_deck(decks[game]))}
    if f"{game}-tall" in decks:
        readers[LARGE] = Reader(taught=read_deck(decks[f"{game}-tall"]))
    found = []
    for number in range(pictures):
        mat = LARGE if LARGE in readers and number % TALL == TALL - 1 else SMALL
        seen = shot(FIRST + 1000 * GAMES.index(game) + number, Wish(game, mat, quick=True), only_cells=True)
        readings = readers[mat].read(seen.picture, seen.quads)
        found += [Read(face, one.guess, one.card) for face, one in zip(seen.cells, readings, strict=True)]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.printed_decks")
    parser.add_argument("--pictures", type=int, default=36, help="of each game")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    print("| deck | cells | right, none refused | told | wrong among told |\n|---|---|---|---|---|")  # noqa: T201
    for game in GAMES:
        shares = " | ".join(shares_of(measured(game, asked.pictures)))
        print(f"| {game} | {shares} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
