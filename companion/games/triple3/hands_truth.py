"""What truly happened on a simulated table, as the rules of Triple³ see it: every card laid and taken, and the verdict.

The script's deeds are folded by the engine in the order in which they were done. Beside each verdict stands what
nobody who only looks from above could know: which of two came first, and whether a card was ever to be seen.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from math import hypot
from typing import Any, Literal

from companion.core.house import house_from_json
from companion.core.match import Setup, set_up
from companion.core.record import move_plain, read_move
from companion.core.rules import Foul, Move, Ruling
from companion.games import game as game_named
from companion.games.triple3 import rules as triple3
from companion.games.triple3.hands_table import LINE_MATES
from companion.games.triple3.rules import CELLS, TO_DEAL, Deal, Go, House, Lay, Leftover, PlayedLegally, State, TakeBack
from simulator.playing import NAMES
from simulator.rendered.script import Script, ScriptedArm, Seat
from vision.mat import SMALL, Mat

GAME = game_named("triple3")
Verdict = Literal["legal", "illegal", "taken back", "removed", "refused"]

SHOULDER = 330.0  # millimetres from the mat's edge to where an arm comes from
HIDES = 45.0  # millimetres from the middle of an arm: a cell whose middle is nearer is hidden
TOUCHES = 68.0  # a cell whose middle is farther away is wholly free
COMING, GOING = 0.6, 0.4  # of the way in and of the way back: between them the hand is over the cell it goes to
FARTHER = 1 / 700  # of the ways, for each millimetre that a cell lies nearer to the arm's seat


@dataclass(frozen=True, slots=True)
class Play:
    """A card laid or taken away, and what the rules say of it.

    legal and illegal are cards laid; taken back is a move of the rules, removed is the taking away of a card that
    the rules had not let pass, so that nothing changes; refused is a card laid where none can be (`foul` says why).
    """

    number: int  # from 1
    at: int  # of the deed
    what: Literal["lay", "take"]
    cell: int
    card: str
    covered: str  # the card that counted on the cell before; of a card taken away, the one that counts after
    player: str
    seat: Seat
    kind: str  # of trouble, as the arm says
    verdict: Verdict
    line: str  # of the first new triple
    value: str
    foul: str  # the code, if the rules refused it
    hidden_from: int  # the stretch around the deed in which arms hid the cell
    hidden_until: int
    seen_for: int  # nanoseconds for which the cell then lay wholly free, until something else was done there
    order_free: bool  # another play in one line with it was hidden at the same time: nobody saw which came first
    legal_in_some_order: bool
    move: dict[str, Any] | None  # as a message of the protocol; none if it is none

    @property
    def is_legal(self) -> bool:
        return self.verdict == "legal"


def match_setup(script: Script) -> Setup:
    """The set-up of the match that a script plays; where it says nothing, two players and the usual rules."""
    about = script.about
    names = about.get("players") or NAMES[:2]
    return set_up(GAME, names, house_from_json(GAME, about.get("house") or {}), match_id=f"simulated-{script.seed}")


def plays_of(script: Script) -> tuple[Play, ...]:
    """Every card laid or taken since "go", in the order of the deeds."""
    return tuple(_Truth(script).plays())


def moves_of(script: Script) -> tuple[dict[str, Any], ...]:
    """The moves that the rules accept, from the deal on, as messages with stamps: folded, they are the match."""
    truth = _Truth(script)
    for _ in truth.plays():
        pass
    return tuple(truth.moves)


class _Truth:
    """The folding of one script."""

    def __init__(self, script: Script) -> None:
        self.moves: list[dict[str, Any]] = []
        self._script = script
        self._setup = match_setup(script)
        self._state: State = GAME.start(self._setup.names, self._setup.house).state
        self._piles = [[card.card for card in pile] for pile in script.grid]
        self._refused: set[str] = set()
        seats = script.about.get("seats")
        self._seats = {seat: name for name, seat in seats.items()} if isinstance(seats, dict) else {}

    def plays(self) -> Iterator[Play]:
        """Folds the script, once."""
        begins = self._begin()
        done: list[_Done] = []
        for at, what in _in_order(self._script):
            if isinstance(what, ScriptedArm):
                if at >= begins and what.what in ("lay", "take"):
                    done.append(self._deed(what, len(done) + 1))
                _move_cards(self._piles, what)
            elif at > begins or what.get("move") not in ("deal", "go"):
                self._say(what, at)
        yield from _looked_at(done, self._script, self._setup.house)

    def _begin(self) -> int:
        """Deal and go, with everything that lies there by then; -1 if nobody said go and play is on from the start."""
        begins = next((said.at for said in self._script.said if said.message.get("move") == "go"), -1)
        piles = [list(pile) for pile in self._piles]
        laid = [arm for arm in sorted(self._script.arms, key=_by_deed) if arm.deed < begins]
        for arm in laid:
            _move_cards(piles, arm)
        cards = sum(map(len, piles))
        share, over = divmod(len(triple3.DECK) - cards, len(self._setup.names))
        deals = tuple(share + (at < over) for at in range(len(self._setup.names)))
        dealt = Deal("", deals=deals, at=max((arm.deed for arm in laid), default=0))
        if all(piles):
            leftovers = tuple(Leftover(cell, card) for cell, pile in enumerate(piles, 1) for card in pile[1:])
            dealt = replace(dealt, grid=tuple(pile[0] for pile in piles), leftovers=leftovers)
        else:
            dealt = replace(dealt, deals=(min(share, TO_DEAL // len(deals)),) * len(deals))
        self._rule(dealt)
        self._rule(Go("", at=max(begins, 0)))
        return begins

    def _say(self, message: Mapping[str, Any], at: int) -> None:
        if "move" in message:
            self._try(read_move(GAME, {**message, "at": at}))

    def _rule(self, move: Move) -> Ruling:
        ruling = GAME.rule(self._state, move)
        self._state = ruling.state
        self.moves.append(move_plain(move))
        return ruling

    def _try(self, move: Move) -> Ruling | Foul:
        try:
            return self._rule(move)
        except Foul as foul:
            return foul

    def _deed(self, arm: ScriptedArm, number: int) -> "_Done":
        card = arm.lying.card if arm.what == "lay" and arm.lying else "".join(self._piles[arm.cell - 1][-1:])
        grid = self._state.grid
        done = _Done(number, arm, card, self._seats.get(arm.seat, ""), grid)
        if arm.what == "lay":
            self._lay(done)
        else:
            self._take(done)
        return done

    def _lay(self, done: "_Done") -> None:
        move = Lay(done.player, done.arm.cell, done.card, at=done.arm.deed)
        done.move = move
        told = self._try(move)
        if isinstance(told, Foul):
            done.foul = told.code
            done.verdict = "illegal" if told.code == "no-new-triple" else "refused"
            self._refused.add(done.card)
            return
        made = next((event for event in told.events if isinstance(event, PlayedLegally)), None)
        done.verdict = "legal" if made else "illegal"
        if made:
            done.line, done.value = made.line, made.new

    def _take(self, done: "_Done") -> None:
        cell = done.arm.cell
        if done.card in self._refused:
            self._refused.remove(done.card)
            done.verdict = "removed"
            return
        top = self._state.piles[cell - 1][-1] if self._state.is_seen else None
        if top is None or top.card != done.card:
            done.verdict, done.foul = "refused", "not-there"
            return
        done.move = TakeBack(top.by, cell, at=done.arm.deed)
        told = self._try(done.move)
        done.verdict = "refused" if isinstance(told, Foul) else "taken back"
        done.foul = told.code if isinstance(told, Foul) else ""
        done.after = self._state.grid[cell - 1]


@dataclass(slots=True)
class _Done:
    """A play while it is looked at."""

    number: int
    arm: ScriptedArm
    card: str
    player: str
    grid: tuple[str, ...]  # as it counted before
    verdict: Verdict = "refused"
    line: str = ""
    value: str = ""
    foul: str = ""
    move: Move | None = None
    after: str = ""  # what counts on the cell after a card was taken away

    @property
    def before(self) -> str:
        return self.grid[self.arm.cell - 1] if self.grid else ""


def _by_deed(arm: ScriptedArm) -> int:
    return arm.deed


def _in_order(script: Script) -> list[tuple[int, Any]]:
    happened: list[tuple[int, Any]] = [(arm.deed, arm) for arm in script.arms]
    happened += [(said.at, said.message) for said in script.said]
    return sorted(happened, key=lambda one: one[0])


def _move_cards(piles: list[list[str]], arm: ScriptedArm) -> None:
    pile = piles[arm.cell - 1]
    if arm.what == "lay" and arm.lying:
        pile.append(arm.lying.card)
    elif arm.what == "take" and pile:
        pile.pop()
    elif arm.what == "knock" and pile:
        piles[arm.onto - 1].append(pile.pop())


# --- What can be known by looking

Span = tuple[int, int]


def _looked_at(done: list[_Done], script: Script, house: House) -> Iterator[Play]:
    hidden, touched = _under_arms(script, HIDES), _under_arms(script, TOUCHES)
    spans = [_around(hidden[one.arm.cell], one.arm.deed) for one in done]
    changes = {cell: _changes(script, cell) for cell in CELLS}
    for one, span in zip(done, spans, strict=True):
        mates = [
            other
            for other, its in zip(done, spans, strict=True)
            if other.arm.cell in LINE_MATES[one.arm.cell] and its[0] < span[1] and span[0] < its[1]
        ]
        until = next((at for at in changes[one.arm.cell] if at > one.arm.deed), script.length)
        yield Play(
            one.number,
            one.arm.deed,
            "lay" if one.arm.what == "lay" else "take",
            one.arm.cell,
            one.card,
            one.before if one.arm.what == "lay" else one.after,
            one.player,
            one.arm.seat,
            one.arm.kind,
            one.verdict,
            one.line,
            one.value,
            one.foul,
            *span,
            _longest_free(touched[one.arm.cell], one.arm.deed, until),
            bool(mates),
            _in_some_order(one, mates, house),
            move_plain(one.move) if one.move else None,
        )


def arms_over(script: Script, near: float = HIDES) -> dict[int, list[tuple[int, int, ScriptedArm]]]:
    """For each cell the arms that are so near to it, and from when until when."""
    mat = script.mat or SMALL
    found: dict[int, list[tuple[int, int, ScriptedArm]]] = {cell: [] for cell in CELLS}
    for arm in script.arms:
        for cell, back in _cells_under(arm.seat, arm.cell, mat, near):
            coming, going = max(COMING - back * FARTHER, 0.0), min(GOING + back * FARTHER, 1.0)
            begins = arm.enters + int(coming * (arm.there - arm.enters))
            found[cell].append((begins, arm.leaves + int(going * (arm.gone - arm.leaves)), arm))
    return found


def _under_arms(script: Script, near: float) -> dict[int, list[Span]]:
    """For each cell the stretches in which arms are so near, each as long as no moment is free in between."""
    return {
        cell: _joined([(begins, ends) for begins, ends, _ in over]) for cell, over in arms_over(script, near).items()
    }


@cache
def _cells_under(seat: Seat, cell: int, mat: Mat, near: float) -> tuple[tuple[int, float], ...]:
    """The cells that lie so near to an arm whose hand is at a cell, and how far back from the hand."""
    (width, height), (to_x, to_y) = mat.size, mat.places[cell - 1]
    along_x, along_y = width / 2 + 0.45 * (to_x - width / 2), height / 2 + 0.45 * (to_y - height / 2)
    x, y = {
        "top": (along_x, -SHOULDER),
        "bottom": (along_x, height + SHOULDER),
        "left": (-SHOULDER, along_y),
        "right": (width + SHOULDER, along_y),
    }[seat]
    length = hypot(to_x - x, to_y - y)
    ahead_x, ahead_y = (to_x - x) / length, (to_y - y) / length
    found = []
    for other, (at_x, at_y) in enumerate(mat.places, 1):
        back = max((to_x - at_x) * ahead_x + (to_y - at_y) * ahead_y, 0.0)
        if hypot(to_x - back * ahead_x - at_x, to_y - back * ahead_y - at_y) < near:
            found.append((other, back))
    return tuple(found)


def _joined(spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for begins, ends in sorted(spans):
        if joined and begins <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], ends))
        else:
            joined.append((begins, ends))
    return joined


def _around(spans: list[Span], at: int) -> Span:
    return next((span for span in spans if span[0] <= at <= span[1]), (at, at))


def _changes(script: Script, cell: int) -> list[int]:
    """When what lies on top of a cell became another."""
    return sorted(
        arm.deed
        for arm in script.arms
        if (arm.cell == cell and arm.what in ("lay", "take", "knock")) or (arm.what == "knock" and arm.onto == cell)
    )


def _longest_free(spans: list[Span], begins: int, ends: int) -> int:
    """The longest stretch between two moments in which no arm is over the cell."""
    longest, free = 0, begins
    for hides, until in spans:
        if until <= begins or hides >= ends:
            continue
        longest = max(longest, hides - free)
        free = max(free, until)
    return max(longest, ends - free)


def _in_some_order(one: _Done, mates: list[_Done], house: House) -> bool:
    """Whether the card is legal on one of the tables that may have lain there when it came, as far as eyes can tell."""
    if one.verdict != "illegal" or not one.grid:
        return one.verdict == "legal" or one.arm.what == "take"
    tops = {other.arm.cell: {other.before} for other in mates}
    for other in mates:
        tops[other.arm.cell].add(one.grid[other.arm.cell - 1])
        if other.arm.what == "take":
            tops[other.arm.cell].add(other.after)
        elif _may_count(other, one, house):
            tops[other.arm.cell].add(other.card)
    return any(
        triple3.is_legal(grid, one.arm.cell, one.card)
        for grid in _tables(one.grid, {cell: sorted(cards - {""}) for cell, cards in tops.items()})
    )


def _may_count(other: _Done, one: _Done, house: House) -> bool:
    """Whether another card can have been let pass, before or after this one."""
    if other.verdict == "legal" or house.illegal_plays == "keep":
        return True
    grids = _tables(other.grid, {one.arm.cell: [one.before, one.card]})
    return any(triple3.is_legal(grid, other.arm.cell, other.card) for grid in grids)


def _tables(grid: tuple[str, ...], tops: Mapping[int, list[str]]) -> Iterator[tuple[str, ...]]:
    """Every grid with one of these cards on each of these cells."""
    for cards in product(*tops.values()):
        with_them = dict(zip(tops, cards, strict=True))
        yield tuple(with_them.get(cell, card) for cell, card in enumerate(grid, 1))
