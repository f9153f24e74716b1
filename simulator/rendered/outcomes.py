"""What a script comes to: which card lay where and how long, which arm moved it, and what physically happened."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from vision.simulated.script import Arm, Deed, Lying, Script, Seat

SLIDE = 260_000_000  # nanoseconds that pushing takes
EVER = 2**62


@dataclass(frozen=True, slots=True)
class Landed:
    """Something that an arm did, in the order in which it was done."""

    at: int
    what: Deed
    cell: int
    card: str  # that was laid, lifted, shown, shoved, or lies on top of the pile that was squared
    onto: int  # the cell where a knocked card came to lie, else 0
    seat: Seat
    kind: str

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


def landed_of(data: Mapping[str, Any]) -> Landed:
    """The same again, from what `as_data` gave."""
    return Landed(**data)


@dataclass(slots=True, eq=False)
class Piece:
    """A card while it lies in one way."""

    lying: Lying
    cell: int
    level: int  # cards below it
    since: int
    until: int = EVER  # it is lifted, or begins to slide


@dataclass(frozen=True, slots=True)
class Push:
    """A card on its way over the table from one way of lying to another."""

    before: Piece
    after: Piece
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """The whole of it."""

    pieces: tuple[Piece, ...]  # in the order in which they came to lie
    pushes: tuple[Push, ...]
    carried: tuple[Piece | None, ...]  # for each arm of the script: how the card lies, or would lie, that it carries
    landed: tuple[Landed, ...]

    def lying_at(self, at: int) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if piece.since <= at < piece.until)


def course_of(script: Script) -> Course:
    """Everything that becomes of a script's cards."""
    telling = _Telling(script)
    for number, arm in sorted(enumerate(script.arms), key=lambda one: one[1].deed):
        telling.do(number, arm)
    order = sorted(telling.pieces, key=lambda piece: piece.since)
    return Course(tuple(order), tuple(telling.pushes), tuple(telling.carried), tuple(telling.landed))


def truth(script: Script) -> tuple[Landed, ...]:
    """What physically happened, in the order of `deed`; a hand that found nothing to take did nothing."""
    return course_of(script).landed


def as_data(landed: Iterable[Landed]) -> list[dict[str, Any]]:
    return [one.as_data() for one in landed]


class _Telling:
    def __init__(self, script: Script) -> None:
        self.piles = [
            [Piece(lying, cell, level, -1) for level, lying in enumerate(pile)]
            for cell, pile in enumerate(script.grid, 1)
        ]
        self.piles += [[] for _ in range(9 - len(self.piles))]
        self.pieces: list[Piece] = [piece for pile in self.piles for piece in pile]
        self.pushes: list[Push] = []
        self.landed: list[Landed] = []
        self.carried: list[Piece | None] = [None] * len(script.arms)

    def do(self, number: int, arm: Arm) -> None:
        pile = self.piles[arm.cell - 1]
        match arm.what:
            case "lay" if arm.lying:
                self.carried[number] = piece = self._lay(arm.lying, arm.cell, arm.deed)
                self._tell(arm, piece.lying.card)
            case "hover" if arm.lying:
                self.carried[number] = Piece(arm.lying, arm.cell, len(pile), arm.deed)
                self._tell(arm, arm.lying.card)
            case "take" if pile:
                self.carried[number] = piece = pile.pop()
                piece.until = arm.deed
                self._tell(arm, piece.lying.card)
            case "square" if arm.lying and pile:
                for piece in pile[:]:
                    self._push(piece, replace(arm.lying, card=piece.lying.card), arm.cell, arm.deed)
                self._tell(arm, pile[-1].lying.card)
            case "knock" if arm.lying and pile:
                piece = pile[-1]
                self._push(piece, replace(arm.lying, card=piece.lying.card), arm.onto, arm.deed)
                self._tell(arm, piece.lying.card, arm.onto)

    def _lay(self, lying: Lying, cell: int, at: int) -> Piece:
        pile = self.piles[cell - 1]
        piece = Piece(lying, cell, len(pile), at)
        pile.append(piece)
        self.pieces.append(piece)
        return piece

    def _push(self, piece: Piece, lying: Lying, cell: int, at: int) -> None:
        """Out of its pile, and onto another or, after all the others, onto the same."""
        self.piles[piece.cell - 1].remove(piece)
        piece.until = max(piece.since, at - SLIDE)
        after = self._lay(lying, cell, at)
        if cell == piece.cell:
            after.level = piece.level
        self.pushes.append(Push(piece, after, piece.until, at))

    def _tell(self, arm: Arm, card: str, onto: int = 0) -> None:
        self.landed.append(Landed(arm.deed, arm.what, arm.cell, card, onto, arm.seat, arm.kind))
