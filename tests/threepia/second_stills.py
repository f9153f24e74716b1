"""Stills of a laid field by the second renderer, which shares no line with the one that was taught from.

`python -m tests.threepia.second_stills --stills N` reads the symbols of N of them and tells how many are right.
"""

import argparse
from collections import Counter
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from companion.games.threepia.fields import field, names
from companion.games.threepia.hands import middles_of
from companion.games.threepia.lattice import ways_to_lie
from companion.games.threepia.paper import PAPER
from companion.games.threepia.rules import card_of
from companion.teaching.deck_choice import reader_of
from tests.benchmarks.bounds import upper_bound
from tests.vision.second.faces import Deck, a_printer
from tests.vision.second.layouts import Dealer, Layout, Wish, _mat_sheet
from tests.vision.second.noise import Array
from tests.vision.second.scene import QUICKER, _camera, _sensor, _taken, _world
from tests.vision.second.world import Coat
from vision.card_drawing import RADIUS
from vision.centring import centred
from vision.drawing import Drawing
from vision.eye_errors import NoTableError
from vision.frames import Picture
from vision.ink import painted
from vision.locate import find_table
from vision.markers import Finder
from vision.mat import LATTICE
from vision.reader import Reader

FINE = 6  # texels for each millimetre of a card
NINE = 9  # the most piles that the renderer's layouts have
FIRST = 300


class LaidStill(NamedTuple):
    picture: Picture
    symbols: dict[int, str]  # by cell of the lattice


@lru_cache(maxsize=128)
def _face(card: str) -> Array:
    size = LATTICE.card
    drawing: Drawing = PAPER.front(card, size)
    pixels = round(size[0] * FINE), round(size[1] * FINE)
    return np.ascontiguousarray(painted(drawing, size, pixels)[..., ::-1])


def still(seed: int, size: tuple[int, int] = (1280, 720)) -> LaidStill:
    """One of the fields that have room, anywhere on the mat, under any of the renderer's lights."""
    rng = np.random.default_rng([seed, 31_007])
    fields = [one for one in map(field, names()) if len(one.places) <= NINE]
    ways = list(ways_to_lie(fields[rng.integers(len(fields))], LATTICE.shape))
    lies = ways[rng.integers(len(ways))]
    cards = [list(PAPER.cards)[at] for at in rng.choice(len(PAPER.cards), len(lies.cells), replace=False)]
    wish = Wish(mat=LATTICE, size=size)
    deck = Deck("threepia", LATTICE.card, RADIUS, _face, tuple(PAPER.cards))
    sheet = _mat_sheet(rng, LATTICE)
    dealer = Dealer(rng, deck, a_printer(rng), Coat(), sheet, slipped=False)
    piles, symbols = [], dict[int, str]()
    for (x, y), four, card in zip(middles_of(lies), lies.cells, cards, strict=True):
        pile = [dealer.pile(card, (x - LATTICE.size[0] / 2, y - LATTICE.size[1] / 2))[-1]]
        piles.append(pile)
        turned = (round(pile[0].turn / (np.pi / 2)) + 4 - lies.quarters) % 4
        symbols |= dict(zip(four, map(str, card_of(card, turned).symbols), strict=True))
    piles += [[] for _ in range(NINE - len(piles))]
    reach = LATTICE.size[0] / 2 + 2, LATTICE.size[1] / 2 + 2
    conditions = {"deck": "threepia", "paper": "matte", "piles": "neat"}
    layout = Layout(LATTICE, deck, LATTICE.pitch, piles, [], [""] * NINE, sheet, conditions, reach)
    camera, _ = _camera(rng, wish, layout)
    world, lighting = _world(rng, wish, layout, camera)
    sensor, _ = _sensor(rng, world, camera, dim=lighting["light"] == "dim")
    return LaidStill(_taken(world, camera, sensor, None, QUICKER), symbols)


@cache
def _reader() -> Reader:
    return reader_of("threepia")


def read(shown: LaidStill) -> Counter[str]:
    """How many symbols are told right, wrongly or not at all, and how many bare places show one."""
    counts = Counter[str](stills=1)
    try:
        cells = find_table(shown.picture, finder=Finder(mats=(LATTICE,))).cells
    except NoTableError:
        return counts + Counter(lost=1)
    for reading in _reader().read(shown.picture, centred(shown.picture, cells)):
        wanted = shown.symbols.get(reading.cell)
        if wanted is None:
            counts["bare"] += 1
            counts["bare and told"] += reading.card is not None
        else:
            counts["drawn"] += 1
            counts["forced"] += reading.guess == wanted
            counts["told"] += reading.card is not None
            counts["wrong"] += reading.card not in (None, wanted)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stills", type=int, default=10)
    parser.add_argument("--first", type=int, default=FIRST)
    options = parser.parse_args()
    counts = Counter[str]()
    for seed in range(options.first, options.first + options.stills):
        counts += read(still(seed))
    told, drawn = counts["told"], max(1, counts["drawn"])
    most = upper_bound(counts["wrong"], max(1, told))
    print(  # noqa: T201
        f"{counts['stills']} stills, the mat not found in {counts['lost']}; of {drawn} symbols {told / drawn:.2%} are "
        f"told, {counts['wrong']} of them wrong (at most {most:.2%}); {counts['forced'] / drawn:.2%} right if forced; "
        f"{counts['bare and told']} of {counts['bare']} bare places show one"
    )


if __name__ == "__main__":
    main()
