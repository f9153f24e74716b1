"""What a script comes to: which card lay where and how long, and which arm moved it."""

from dataclasses import dataclass, replace

from simulator.rendered.script import Lying, Script, ScriptedArm

SLIDE = 260_000_000  # nanoseconds that pushing takes
EVER = 2**62


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
class OutcomeCourse:
    """The whole of it."""

    pieces: tuple[Piece, ...]  # in the order in which they came to lie
    pushes: tuple[Push, ...]
    carried: tuple[Piece | None, ...]  # for each arm of the script: how the card lies, or would lie, that it carries
    lifted: tuple[Piece | None, ...]  # and how what it moves lay before

    def lying_at(self, at: int) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if piece.since <= at < piece.until)


def course_of(script: Script) -> OutcomeCourse:
    """Everything that becomes of a script's cards."""
    telling = _Telling(script)
    for number, arm in sorted(enumerate(script.arms), key=lambda one: one[1].deed):
        telling.do(number, arm)
    order = sorted(telling.pieces, key=lambda piece: piece.since)
    return OutcomeCourse(tuple(order), tuple(telling.pushes), tuple(telling.carried), tuple(telling.lifted))


class _Telling:
    def __init__(self, script: Script) -> None:
        self.piles = [
            [Piece(lying, cell, level, -1) for level, lying in enumerate(pile)]
            for cell, pile in enumerate(script.grid, 1)
        ]
        self.piles += [[] for _ in range(script.cells - len(self.piles))]
        self.pieces: list[Piece] = [piece for pile in self.piles for piece in pile]
        self.pushes: list[Push] = []
        self.carried: list[Piece | None] = [None] * len(script.arms)
        self.lifted: list[Piece | None] = [None] * len(script.arms)

    def do(self, number: int, arm: ScriptedArm) -> None:
        pile = self.piles[arm.cell - 1]
        match arm.what:
            case "lay" | "put" if arm.lying:
                for lying in arm.pile:
                    self._lay(lying, arm.cell, arm.deed)
                self.carried[number] = self._lay(arm.lying, arm.cell, arm.deed)
            case "hover" if arm.lying:
                self.carried[number] = Piece(arm.lying, arm.cell, len(pile), arm.deed)
            case "take":
                lifted = [self._take(cell, at) for cell, at in arm.gathers if self.piles[cell - 1]]
                self.carried[number] = lifted[0] if lifted else None
            case "move" if arm.lying and pile:
                self.lifted[number] = self._take(arm.cell, arm.lifts)
                self.carried[number] = self._lay(arm.lying, arm.onto, arm.deed)
            case "lift" if pile:
                self.carried[number] = self._lift(pile, arm.deed)
            case "square" if arm.lying and pile:
                for piece in pile[:]:
                    self._push(piece, replace(arm.lying, card=piece.lying.card), arm.cell, arm.deed)
            case "knock" if arm.lying and pile:
                self._push(pile[-1], replace(arm.lying, card=pile[-1].lying.card), arm.onto, arm.deed)

    def _take(self, cell: int, at: int) -> Piece:
        """The top card of a cell."""
        piece = self.piles[cell - 1].pop()
        piece.until = max(piece.since, at)
        return piece

    def _lay(self, lying: Lying, cell: int, at: int) -> Piece:
        pile = self.piles[cell - 1]
        piece = Piece(lying, cell, len(pile), at)
        pile.append(piece)
        self.pieces.append(piece)
        return piece

    @staticmethod
    def _lift(pile: list[Piece], at: int) -> Piece:
        """All of it; its top is what is seen of it then."""
        top = pile[-1]
        for piece in pile:
            piece.until = at
        pile.clear()
        return top

    def _push(self, piece: Piece, lying: Lying, cell: int, at: int) -> None:
        """Out of its pile, and onto another or, after all the others, onto the same."""
        self.piles[piece.cell - 1].remove(piece)
        piece.until = max(piece.since, at - SLIDE)
        after = self._lay(lying, cell, at)
        if cell == piece.cell:
            after.level = piece.level
        self.pushes.append(Push(piece, after, piece.until, at))
