"""Deck files of what `companion print` draws: each face as many printers, rooms, lights and cameras would show it.

What comes out is a deck as anybody could teach it, from drawn squares in place of pictures of a table.
"""

import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from companion.core.game_faces import faces_of
from companion.core.game_print import decks
from companion.core.shipped_decks import CARD, ENDING
from companion.games import having, part
from tools.train.card_art import SIDE as FACE
from tools.train.card_art import Rng
from tools.train.cell_scene import ROOM, Faces, background, camera, flat, lay, light, printer
from vision.card_drawing import BACK as BACK_PICTURE
from vision.deck_file import BACK, MAT, TILE, TURNS, DeckFile, packed
from vision.features import FeatureNetwork
from vision.frames import Picture
from vision.mat import Point
from vision.printed_deck import PrintedDeck, face_picture
from vision.squares import SIDE
from vision.teaching import Lesson, TaughtPicture

FORMAT = 1  # of the card
SEED = 3005
SQUARES = 48  # of each face
TOGETHER = 16  # squares that the network looks at at once, in four turns
PIXELS = 150  # of a face's longer side


def printed() -> Iterator[tuple[str, str, Point]]:
    """The name of each deck file, its game, and the size of its cards: of games whose printed deck no network knows."""
    known = decks().values()
    for game in having("paper"):
        if game not in known:
            paper = part(game, "paper", PrintedDeck)
            yield game, game, paper.sizes[0]
            yield from ((f"{game}-tall", game, size) for size in paper.sizes[1:] if size[1] > size[0])


def deck_of(name: str, game: str, size: Point, squares: int = SQUARES) -> DeckFile:
    """The deck that is printed of a game, taught from drawn squares."""
    cv2.setNumThreads(1)
    paper, told, network = part(game, "paper", PrintedDeck), faces_of(game), FeatureNetwork(only="float32")
    lesson = Lesson(name, game, told.names, len(told.parts), is_once=_is_once(paper), known={})
    drawn = _drawn(paper, size)
    for face in (*told.names, MAT, *([] if paper.is_two_sided else [BACK])):
        rng = np.random.default_rng([SEED, zlib.crc32(f"{name} {face}".encode())])
        for _ in range(0, squares, TOGETHER):
            for example in _examples([_square(paper.faces, drawn, face, rng) for _ in range(TOGETHER)], network):
                lesson.show(face, example)
    return lesson.deck(network.name)


def _is_once(paper: PrintedDeck) -> bool:
    return not paper.symbols and max(paper.cards.values()) == 1


def _examples(squares: list[Picture], network: FeatureNetwork) -> Iterator[TaughtPicture]:
    """Of drawn squares, each as it lies in every quarter turn."""
    turned = np.stack([np.rot90(square, turn) for square in squares for turn in range(TURNS)])
    features = network.all_of(turned).reshape(len(squares), TURNS, -1)
    for square, its in zip(squares, features, strict=True):
        yield TaughtPicture(its, cv2.resize(square, (TILE, TILE), interpolation=cv2.INTER_AREA))


def _square(faces: Sequence[str], drawn: Faces, face: str, rng: Rng) -> Picture:
    room = background(rng)
    if face != MAT:
        own = printer(rng, drawn)
        at = ROOM / 2 + rng.normal(0, 0.03 * ROOM, 2)
        scale = float(rng.uniform(0.78, 0.88) * ROOM / FACE)
        below = int(rng.integers(1, 4)) if rng.random() < 0.5 else 0
        for name in rng.choice(faces, below):
            slip = rng.normal(0, 0.035 * ROOM, 2)
            lay(rng, room, flat(own(str(name))), scale, float(rng.normal(0, 0.07)), at + slip)
        lay(rng, room, flat(own(face)), scale, float(rng.normal(0, 0.05)), at)
    return camera(rng, light(rng, room, dim=False), SIDE, spoilt=False)


def _drawn(paper: PrintedDeck, size: Point) -> Faces:
    @cache
    def face(name: str) -> Picture:
        return face_picture(paper, BACK_PICTURE if name == BACK else name, PIXELS, size)

    return lambda name: face(name.removesuffix(" tall"))


def written(folder: Path, squares: int = SQUARES) -> Iterator[str]:
    """A file for each deck, and a card that names them with their hashes; yields the names of the files."""
    files = {}
    for name, game, size in printed():
        deck = deck_of(name, game, size, squares)
        path, content = folder / f"{name}{ENDING}", packed(deck)
        path.write_bytes(content)
        about = {"game": game, "faces": len(deck.faces), "size": list(size), "bytes": len(content)}
        files[path.name] = about | {"sha256": hashlib.sha256(content).hexdigest()}
        yield path.name
    made = {"seed": SEED, "squares": squares, "network": deck.network}
    card = {"format": FORMAT, "files": files, "made": made}
    (folder / CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
