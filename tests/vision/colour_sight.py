"""How different the printed faces of each game are to eyes that see colours, to those that do not, and in grey.

`python -m tests.vision.colour_sight` prints the table of docs/printing.md. The dichromats are simulated with the
matrices of Machado, Oliveira and Fernandes (2009) for a missing kind of cone, applied to linear light.
"""

import sys
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games import game, having, part
from vision.frames import Picture
from vision.printed_deck import PrintedDeck, face_picture

PIXELS = 64
Floats = NDArray[np.float32]
SEEN: dict[str, list[list[float]]] = {
    "all colours": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
    "grey": [[0.2126, 0.7152, 0.0722]] * 3,
}


@dataclass(frozen=True, slots=True)
class Nearest:
    """The two faces of a game that are most alike, by the mean difference of their pixels in CIELAB."""

    one: str
    other: str
    difference: float


def as_seen(picture: Picture, sight: str) -> Floats:
    """CIELAB as somebody sees it."""
    parts = picture[:, :, ::-1].astype(np.float32) / 255
    light = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    seen = np.clip(light @ np.array(SEEN[sight], np.float32).T, 0, 1).astype(np.float32)
    shown = np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * seen ** (1 / 2.4) - 0.055)
    return np.asarray(cv2.cvtColor(shown.astype(np.float32), cv2.COLOR_RGB2LAB), np.float32)


@cache
def _pictures(game_name: str) -> dict[str, Picture]:
    deck = printed_decks()[game_name]
    return {name: face_picture(deck, name, PIXELS, deck.sizes[0]) for name in deck.faces}


def nearest(game_name: str, sight: str) -> Nearest:
    faces = {name: as_seen(picture, sight) for name, picture in _pictures(game_name).items()}
    pairs = (
        Nearest(one, other, float(np.sqrt(((faces[one] - faces[other]) ** 2).sum(axis=2)).mean()))
        for one, other in combinations(faces, 2)
    )
    return min(pairs, key=lambda pair: pair.difference)


def printed_decks() -> dict[str, PrintedDeck]:
    return {name: part(name, "paper", PrintedDeck) for name in having("paper")}


def table() -> str:
    rows = ["| game | " + " | ".join(SEEN) + " | most alike |", "|---|" + "---:|" * len(SEEN) + "---|"]
    for name in printed_decks():
        found = [nearest(name, sight) for sight in SEEN]
        cells = " | ".join(f"{one.difference:.1f}" for one in found)
        least = min(found, key=lambda one: one.difference)
        rows.append(f"| {game(name).title} | {cells} | {least.one}, {least.other} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    sys.stdout.write(table())
