"""The cards on the table as one small picture, for phones: cut out of what the camera sees, cell by cell.

A cell is in it only where the match has a card lying open and the camera, with nothing in between, sees that same card
there. So there is never a hand in it, nor a face, nor a card that players may not look up. The picture is packed by the
thread that publishes.
"""

import base64
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from companion.core.codec import plain, written
from companion.core.match import Match
from companion.publishing.entry_payloads import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.frames import Picture
    from vision.sightings import CellNow, Look

LARGEST = 15_000  # bytes of the whole payload
QUALITIES = (85, 70, 55, 40, 25)  # of the JPEG: the best that fits
SIDE = 88  # pixels of a cell
GAP = 4
CELL = "cell"


class Eye(Protocol):
    """What the watcher tells of its cells."""

    @property
    def looks(self) -> "Sequence[Look | None]": ...

    @property
    def cells(self) -> "Sequence[CellNow]": ...


@dataclass(frozen=True, slots=True)
class CardShown:
    """A card in a thumbnail. `row` and `column` count from 0."""

    cell: str
    card: str
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class ThumbnailNow:
    """The cards that lie open, as the camera sees them: a JPEG in base64, with its size in pixels. What is not in
    `cards` is grey in it."""

    version: int
    table: str
    match: str
    as_of: str
    wide: int
    high: int
    cards: tuple[CardShown, ...]
    jpeg: str


@dataclass(frozen=True, slots=True, eq=False)
class SeenCards:
    """What a thumbnail is made of."""

    match: str
    count: int  # cells of the table
    squares: "tuple[tuple[int, str, Picture], ...]"  # a cell's number, its card, and how it looks

    @property
    def signature(self) -> tuple[str, tuple[tuple[int, str], ...]]:
        """Another one is another picture."""
        return self.match, tuple((cell, card) for cell, card, _ in self.squares)


NO_CARDS = SeenCards("", 0, ())


def seen_cards(match: Match, eye: Eye) -> SeenCards:
    """The cells whose open card is seen, with nothing over it."""
    looks, cells = eye.looks, eye.cells
    found = tuple(
        (number, card, look.square)
        for number, card in _open(match)
        if number <= len(looks)
        and (look := looks[number - 1]) is not None
        and look.card == card
        and look.shows_card
        and cells[number - 1].now == "clear"
        and look.stamp >= cells[number - 1].since
    )
    return SeenCards(match.setup.id, len(looks), found)


def _open(match: Match) -> Iterator[tuple[int, str]]:
    """The cells with a card that lies open, by the rules."""
    hidden = set() if match.outcome else {card for one in match.game.hidden(match.state) for card in one.cards}
    for lying in match.game.face_up(match.state):
        if lying.place.kind == CELL and len(lying.cards) == 1 and not hidden.intersection(lying.cards):
            yield int(lying.place.of), lying.cards[0]


def thumbnail(seen: SeenCards, table: str, as_of: str) -> bytes:
    """As it goes out; nothing where no card is seen, or no picture of it is small enough."""
    if not seen.squares:
        return b""
    across = math.isqrt(max(0, seen.count - 1)) + 1
    cards = tuple(CardShown(str(cell), card, *divmod(cell - 1, across)) for cell, card, _ in seen.squares)
    for quality in QUALITIES:
        wide, high, jpeg = _packed(seen, across, quality)
        made = ThumbnailNow(VERSION, table, seen.match, as_of, wide, high, cards, base64.b64encode(jpeg).decode())
        content = written(plain(made)).encode()
        if len(content) <= LARGEST:
            return content
    return b""


def _packed(seen: SeenCards, across: int, quality: int) -> tuple[int, int, bytes]:
    """Width, height and JPEG."""
    import cv2  # noqa: PLC0415  (whoever has a camera has it)
    import numpy as np  # noqa: PLC0415

    down = -(-seen.count // across)
    wide, high = (count * (SIDE + GAP) - GAP for count in (across, down))
    whole = np.full((high, wide, 3), 128, np.uint8)
    for cell, _, square in seen.squares:
        row, column = divmod(cell - 1, across)
        y, x = row * (SIDE + GAP), column * (SIDE + GAP)
        whole[y : y + SIDE, x : x + SIDE] = cv2.resize(square, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return wide, high, cv2.imencode(".jpg", whole, [int(cv2.IMWRITE_JPEG_QUALITY), quality])[1].tobytes()
