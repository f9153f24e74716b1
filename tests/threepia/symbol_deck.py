"""A deck file of Threepia's symbols, taught from pictures of the drawn camera: for tests."""

from functools import cache

import numpy as np

from companion.core.game_faces import faces_of
from companion.games.threepia.paper import PAPER
from companion.games.threepia.rules import card_of
from tests.threepia.lattice_table import laid
from vision.centring import centred
from vision.deck_file import MAT, DeckFile
from vision.features import FeatureNetwork
from vision.locate import find_table
from vision.markers import Finder
from vision.mat import LATTICE
from vision.teaching import Lesson, example_of

ROOMS = tuple(range(9_001, 9_009))  # of no other test
A_PICTURE = 8  # cards
BARE = 3  # cells of each picture


@cache
def symbol_deck() -> DeckFile:
    network, rng = FeatureNetwork(), np.random.default_rng(11)
    faces = faces_of("threepia")
    lesson = Lesson("symbols", "threepia", faces.names, len(faces.parts), is_once=False, known={})
    cards = _covering()
    for room in ROOMS:
        picture, symbols = laid(cards, room)
        cells = centred(picture, find_table(picture, finder=Finder(mats=(LATTICE,))).cells)
        for cell, symbol in symbols.items():
            lesson.show(symbol, example_of(picture, cells[cell - 1], network, rng))
        for cell in [cell for cell in range(1, len(cells) + 1) if cell not in symbols][:: len(cells) // BARE]:
            lesson.show(MAT, example_of(picture, cells[cell - 1], network, rng))
    return lesson.deck(network.name)


def _covering() -> list[str]:
    """Few cards with every symbol on them about as often."""
    counts: dict[str, int] = {}
    found: list[str] = []
    while len(found) < A_PICTURE:
        left = [card for card in PAPER.cards if card not in found]
        found.append(min(left, key=lambda card: sum(4 ** counts.get(str(one), 0) for one in card_of(card).symbols)))
        for symbol in card_of(found[-1]).symbols:
            counts[str(symbol)] = counts.get(str(symbol), 0) + 1
    return found
