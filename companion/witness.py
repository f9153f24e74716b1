"""The witness of a match of Triple³: it knows what lies on the table, card by card, and makes moves of what was seen.

The match is the truth of the rules; the witness knows what is physically there, which is not always the same: a play
that was called still lies there until it is taken back. It has no clock, no pixels and no opinion on who is right:
where something cannot be known it says "out of step", and how to get back in step.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from companion.clocks import SECOND, shown
from companion.dealing import Dealing
from companion.evidence import (
    Act,
    Called,
    Evidence,
    InStep,
    Know,
    LookAgain,
    Noticed,
    OutOfStep,
    PutRight,
    Say,
)
from companion.games import triple3
from companion.games.triple3 import CELLS, Deal, Go, Laid, Lay, Lies, State, Stop, TakeBack, is_legal
from companion.match import Match
from companion.orders import MOST, Happening, legal_order, may_be_legal
from companion.protocol import Correct, MoveMessage, Request, Undo
from companion.record import move_plain
from companion.rules import UNSEEN, Foul, Move

if TYPE_CHECKING:
    from vision.sightings import CardSeen, CellNow, Look, Prior, Sighting, TableSeen
    from vision.table import Table

PATIENCE = 2 * SECOND  # how long a ruling waits for what else is under the same arms
CLEAR = 2 * SECOND  # hands off for so long, and what lies there counts
REMEMBERED = 12  # moves that may still have to go behind another one
LONG = 5 * SECOND // 4  # for which no cell is covered while one card is laid
KNOCKED = 3 * SECOND  # a card that slid to another cell may be put back for so long
HANDS_OFF = "Take your hands off the table for two seconds, or touch the cell that is wrong."
EYES_BACK = "Stop until I see the table again; I then read all nine cells and go on."
OTHER_DECK = "Many cells show cards that are not of this deck."
COVERED_OVER = "Many cells show no card: something lies over them, or they were turned over or taken away."
AS_IT_WAS = "Put the table back as it was; I then read all nine cells and go on."
SIGHTLESS = ("camera", "table", "dark", "frozen")  # while one of these is wrong, nobody watches
GAP = 7 * SECOND // 10  # without frames: what was laid meanwhile nobody has watched
MANY = 3  # cells that show no card are told as one
FOREIGN = "it is not a card of this deck"  # as the reader says it
BARE = "bare"  # the code of that
SHOWN = {"face-down": "a card that lies face down", "foreign": "a card that is not of this deck"}
SHIFTED = 0.1  # of a cell's side: a table that is found so far from where it was is told as moved

# How likely a card is on a cell, beside the card that was last seen there. The reader's own doubt is some hundredths
# where it is in doubt at all, so each step may turn a doubt, and none of them a clear look.
STAYS = 1.0
LEGAL = 1.0
ILLEGAL = 0.1  # one play in ten is illegal
BELOW = 0.05  # a card taken back shows what lies under it; under one that was called it is as likely as a legal play
KNOCKED_OVER = 0.02  # from the top of another cell
BURIED = 1e-6  # in a pile: it would have to be dug out

IN_LINE = {
    cell: frozenset(other for _, cells in triple3.LINES if cell in cells for other in cells if other != cell)
    for cell in CELLS
}
BESIDE = {
    cell: frozenset(
        other
        for other in CELLS
        if max(abs((cell - 1) // 3 - (other - 1) // 3), abs((cell - 1) % 3 - (other - 1) % 3)) == 1
    )
    for cell in CELLS
}  # where a card may be knocked to


@dataclass(slots=True)
class _Play:
    """A card that lies on a cell and that the match does not have: on its way there, or refused."""

    cell: int
    card: str
    evidence: Evidence
    status: str = "held"  # held, called, aside (undone by people), odd (to be said with Lies), moved (knocked here)
    hidden: int = 0
    since: int = 0  # when it came to that status
    blind: bool = False  # nobody watched when it was laid
    came_from: int = 0
    is_told: bool = False  # that it was knocked here
    tried: "list[_Ruled]" = field(default_factory=list)  # behind which it cannot go

    @property
    def happening(self) -> Happening:
        return Happening(self.cell, self.card, self.evidence.since, self.evidence.by or self.evidence.stamp)


@dataclass(frozen=True, slots=True)
class _Ruled:
    """A move that came of a sighting, with the piles before it: what may have to go behind another one."""

    happening: Happening
    play: _Play | None
    before: State
    is_fixed: bool = False  # said with Lies: it cannot go behind another


@dataclass(slots=True)
class _Trouble:
    """Cells, or the whole table (no cells), that are out of step."""

    since: int
    code: str
    until: Callable[[], bool] = field(default=lambda: False)


@dataclass(slots=True)
class _Eye:
    """What the watcher has of one cell."""

    look: "Look | None" = None
    is_clear: bool = False
    turned: int = 0  # when it became clear, or ceased to be
    readable: bool = True
    asked: int | None = None  # when it was to be read anew


class Witness:
    """Hand it every frame's sightings; what it returns is to be done in that order.

    `begin` is "first play" (the first card that is laid begins the round) or "said" (somebody says go). `deals` is a
    handicap, `covered` says that the leftovers lie on the grid before anybody looks, and `seats` which player sits at
    which side of the mat, for guesses.
    """

    def __init__(
        self,
        *,
        begin: str = "first play",
        deals: tuple[int, ...] = (),
        covered: bool = False,
        seats: Mapping[str, str] | None = None,
    ) -> None:
        self._begin, self._deals, self._covered = begin, deals, covered
        self._seats = dict(seats or {})
        self._eyes = {cell: _Eye() for cell in CELLS}
        self._stacks: list[list[str]] = [[] for _ in CELLS]
        self._plays: dict[str, _Play] = {}
        self._tail: list[_Ruled] = []  # the newest moves of the line, as far as they came from here
        self._dealing: Dealing | None = None
        self._tried: Deal | None = None
        self._lifted: dict[str, tuple[int, int]] = {}  # cards taken from cells: which, and when the cell was clear
        self._troubles: dict[int, _Trouble] = {}
        self._lost: dict[str, int] = {}  # what is wrong with the whole table, since when
        self._grid_awaited = False
        self._bare: list[int] = []  # cells that have just been seen without a card
        self._unread: dict[int, str] = {}  # at the set-up: cells that cannot be read, and why
        self._table: Table | None = None  # where it was last told to be
        self._blind = -1  # stamp of the frame before which nobody watched
        self._latest = 0  # stamp of the newest message
        self._rounds = -1
        self._over: set[str] = set()  # cards that may lie on one that nobody saw
        self._stopped = 0  # the stamp of the newest Stop!
        self._changing = False  # a correction is on its way: judge nothing before it has come
        self._acts: list[Act] = []
        self._stamp = 0
        self._match: Match
        self._state: State

    # --- what others tell

    def not_before(self, stamp: int) -> None:
        """Something else was ruled on at this stamp: what is said from now on comes after it."""
        self._latest = max(self._latest, stamp)

    def touched(self, cell: int) -> tuple[int, ...]:
        """Somebody touches a cell that is wrong: the watcher must look again at these cells."""
        eye = self._eyes[cell]
        eye.asked = self._stamp
        return (cell,)

    def told(self, act: Act, replies: Sequence[Mapping[str, Any]]) -> list[Act]:
        """What the referee answered; a correction that the rules refuse is said in another way."""
        refused = any(reply["kind"] in ("foul", "error") for reply in replies)
        if not (refused and isinstance(act, Say) and isinstance(act.message, Correct)):
            return []
        request, evidence = act.message, act.evidence
        if request.move is None or evidence is None or evidence.card not in self._plays:
            return []
        play = self._plays[evidence.card]
        if request.move["move"] != Lay.word:
            play.status = "odd"
            return []
        play.status = "called"
        return [Say(act.stamp, replace(request, move=None), evidence)]

    def said_card(self, cell: int, card: str, stamp: int, match: Match) -> list[Act]:
        """Somebody says which card a refused or an open play really is: it is ruled on anew."""
        self._enter(stamp, match)
        stack = self._stacks[cell - 1]
        play = self._plays.get(stack[-1]) if stack else None
        if play is not None and not self._where(card):
            del self._plays[play.card]
            stack[-1] = card
            self._plays[card] = _Play(cell, card, replace(play.evidence, card=card), since=stamp)
            self._eyes[cell].look = None
            self._do(Know(stamp, cell, card))
            for later in self._plays.values():
                if later.status == "called" and later.evidence.stamp > play.evidence.stamp:
                    later.status, later.since = "held", stamp  # it may have been refused for that card's sake
            self._go_on()
        return self._leave()

    def said_go(self, stamp: int, match: Match) -> list[Act]:
        """Somebody says go: leftovers that were not seen lie there covered."""
        self._enter(stamp, match)
        if self._state.phase == "deal" and self._dealing and (deal := self._dealing.deal_now):
            self._make(deal)
        if self._state.phase == "ready":
            self._make(Go(""))
        return self._leave()

    # --- frame by frame

    def take(self, sightings: "Iterable[Sighting]", cells: "Sequence[CellNow]", stamp: int, match: Match) -> list[Act]:
        """What follows from what was seen with a frame."""
        before = self._stamp
        self._enter(stamp, match)
        seen = list(sightings)
        self._watched_since(before, is_told=any(type(one).__name__ in ("Trouble", "TroubleOver") for one in seen))
        for cell, now in zip(CELLS, cells, strict=False):
            self._note(cell, now)
        for sighting in seen:
            self._see(sighting)
        self._go_on()
        return self._leave()

    def _enter(self, stamp: int, match: Match) -> None:
        self._acts = []
        self._stamp, self._match = stamp, match
        before = getattr(self, "_state", None)
        self._state = match.state
        if before is None or len(self._state.rounds) != self._rounds:
            self._new_round(before)
        elif self._state.piles != before.piles:
            self._follow(before.piles)
        if self._state.phase == "stopped" and (before is None or before.phase != "stopped"):
            self._stopped = self._latest
        self._changing = False
        self._tail = _still_last(self._tail, match)

    def _leave(self) -> list[Act]:
        acts, self._acts = self._acts, []
        return acts

    def _watched_since(self, before: int, *, is_told: bool) -> None:
        """Whether anybody has watched since the frame before; where frames are missing, that is said."""
        if self._lost.keys() & SIGHTLESS or self._grid_awaited:
            self._blind = self._stamp
        elif before and self._stamp - before > GAP and self._state.phase in ("play", "stopped"):
            self._blind = self._stamp
            gap = shown(self._stamp - before)
            if not is_told:
                self._do(Noticed(self._stamp, (), "gap", f"No pictures came for {gap}: I look at all nine cells anew."))

    def _note(self, cell: int, now: "CellNow") -> None:
        eye = self._eyes[cell]
        if (now.now == "clear") != eye.is_clear:
            eye.is_clear = now.now == "clear"
            eye.turned = min(now.since, self._stamp) or self._stamp
            if eye.is_clear:
                eye.readable = True

    def _see(self, sighting: "Sighting") -> None:
        match type(sighting).__name__:
            case "CardSeen":
                self._card_seen(sighting)  # type: ignore[arg-type]
            case "GridSeen":
                self._grid_seen(sighting.looks)  # type: ignore[attr-defined]
            case "NoCard":
                self._no_card(sighting.cell, sighting.after)  # type: ignore[attr-defined]
            case "CannotRead":
                self._cannot_read(sighting.cell, sighting.reason)  # type: ignore[attr-defined]
            case "TableLost":
                self._lose("table", sighting.why)  # type: ignore[attr-defined]
            case "TableSeen":
                self._table_seen(sighting)  # type: ignore[arg-type]
            case "Trouble":
                self._lose(sighting.code, sighting.sentence)  # type: ignore[attr-defined]
            case "TroubleOver":
                self._found_again(sighting.code)  # type: ignore[attr-defined]

    def _go_on(self) -> None:
        """Whatever is due, sighting or not."""
        if self._changing:
            return
        if self._state.phase in ("deal", "ready"):
            self._lay_out()
        if self._state.is_seen and self._state.phase in ("play", "stopped"):
            self._tell_bare()
            self._settle()
        if self._state.phase == "play":
            self._judge()
        elif self._state.phase == "stopped":
            self._judge_before_stop()
        if self._state.is_seen and self._state.phase in ("play", "stopped"):
            self._compare()
        self._back_in_step()

    def _table_seen(self, sighting: "TableSeen") -> None:
        """Where the table is; told if it was moved, or the camera was."""
        old, self._table = self._table, self._table or sighting.table
        if old and (how := _moved(old, sighting.table)):
            self._table = sighting.table
            self._do(Noticed(self._stamp, (), "moved", how))
        self._found_again("table")

    # --- before the round

    def _new_round(self, before: State | None) -> None:
        """A round is over, or this is the beginning."""
        self._rounds = len(self._state.rounds)
        self._lost.pop(BARE, None)
        self._plays.clear()
        self._lifted.clear()
        self._over.clear()
        if self._state.phase in ("deal", "ready"):
            old = [list(stack) for stack in self._stacks] if before else []
            self._dealing = Dealing(self._deals, len(self._state.players), covered=self._covered, old=old)
        if self._state.is_seen and self._state.phase not in ("deal", "over"):
            self._stacks = [[laid.card for laid in pile] for pile in self._state.piles]

    def _lay_out(self) -> None:
        dealing = self._dealing
        if dealing is None:
            return
        self._tell_unread()
        if dealing.wants_a_look:
            self._do(LookAgain(self._stamp, ()))
        deal = dealing.deal
        if deal is not None and deal != self._tried and not self._is_dealt(deal):
            self._tried = deal
            self._deal(deal, dealing)
        if self._begin == "first play" and self._state.phase == "ready" and self._held():
            first = self._held()[0].evidence.since
            self._make(Go(""), at=min(first, self._stamp))

    def _tell_unread(self) -> None:
        """Why there is no deal: cells that cannot be read, or cards of another deck."""
        found, self._unread = self._unread, {}
        if len(found) >= MANY and set(found.values()) == {FOREIGN}:
            self._do(Noticed(self._stamp, tuple(found), "other-deck", OTHER_DECK))
            return
        for cell, reason in found.items():
            self._do(Noticed(self._stamp, (cell,), "cannot-read", f"I cannot read cell {cell}: {reason}."))

    def _deal(self, deal: Deal, dealing: Dealing) -> None:
        try:
            triple3.rule(self._state, deal)
        except Foul as foul:
            self._do(Noticed(self._stamp, (), foul.code, foul.sentence))
            return
        self._make(deal)
        self._stacks = [list(stack) for stack in dealing.stacks]
        self._plays.clear()

    def _is_dealt(self, deal: Deal) -> bool:
        """Whether the match has just that deal."""
        return self._state.phase == "ready" and bool(self._match.line) and _same_deal(self._match.line[-1].move, deal)

    def _laid_out(self, sighting: "CardSeen") -> None:
        """A card seen before the round has begun."""
        dealing = self._dealing
        assert dealing is not None
        card = str(sighting.after.card)
        is_ready = self._state.phase == "ready" and self._state.is_seen
        if is_ready and all(card not in stack for stack in self._stacks) and not self._is_misread(sighting):
            self._laid(sighting, card)
        elif self._state.phase == "ready" and card in self._stacks[sighting.cell - 1] and self._plays:
            self._taken(sighting.cell, card, sighting.since)
        else:
            dealing.card_seen(sighting.cell, card, misread=self._is_misread(sighting))

    def _is_late(self, sighting: "CardSeen") -> bool:
        """Whether it may have been laid before the play that ended the round."""
        is_over = self._state.phase in ("count", "deal", "over")
        return is_over and bool(self._tail) and sighting.since <= self._tail[-1].happening.stamp

    def _late(self, sighting: "CardSeen", card: str) -> bool:
        """Whether a card belongs to the round that has just ended, because the last plays were in another order."""
        if any(card in stack for stack in self._stacks):
            return False
        self._laid(sighting, card)
        if self._reordered([self._plays[card]]):
            self._rounds = len(self._state.rounds)
            return True
        del self._plays[card]
        self._stacks[sighting.cell - 1].remove(card)
        return False

    # --- what was seen

    def _card_seen(self, sighting: "CardSeen") -> None:
        cell, card, eye = sighting.cell, str(sighting.after.card), self._eyes[sighting.cell]
        eye.look, eye.readable = sighting.after, True
        if self._is_late(sighting) and self._late(sighting, card):
            pass
        elif self._state.phase in ("deal", "ready"):
            self._laid_out(sighting)
        elif self._state.is_seen and self._state.phase in ("play", "stopped"):
            stack = self._stacks[cell - 1]
            if card == self._top(cell):
                pass  # back again
            elif card in stack:
                self._taken(cell, card, sighting.since)
            elif stack and self._is_misread(sighting) and not self._where(card) and not self._is_in_match(card):
                self._misread(sighting, card)
            else:
                self._new_on(sighting, card)
        eye.asked = None

    def _new_on(self, sighting: "CardSeen", card: str) -> None:
        """A card that did not lie on this cell before."""
        where = self._where(card)
        if not where:
            if self._is_in_match(card):
                self._stacks[sighting.cell - 1].append(card)  # put back, or somebody has said so before it was seen
            elif not self._revealed(sighting, card):
                self._laid(sighting, card)
        elif card in self._plays and self._plays[card].status != "moved":
            self._stacks[where - 1].remove(card)
            self._off(card)
            self._laid(sighting, card)
        elif self._stacks[where - 1][-1] != card or (sighting.cell not in BESIDE[where] and self._can_be_taken(where)):
            self._dug_out(sighting, card, where)
        else:
            self._stacks[where - 1].pop()
            self._laid(sighting, card, status="moved", came_from=where)

    def _can_be_taken(self, cell: int) -> bool:
        """Whether the top card of a cell may have been taken away just now, and was not dealt there."""
        return not self._eyes[cell].is_clear and not self._state.piles[cell - 1][-1].dealt

    def _dug_out(self, sighting: "CardSeen", card: str, where: int) -> None:
        """A card that lay elsewhere, perhaps under others: it was taken from there while arms hid that cell."""
        in_match = card not in self._plays
        if self._is_misread(sighting) or (in_match and not self._make(TakeBack("", where, card))):
            self._impossible(sighting.cell, card, where)
            return
        stack = self._stacks[where - 1]
        if stack[-1] != card:
            above = stack[stack.index(card) + 1]
            sentence = f"{card} lay under {above} on cell {where}: somebody must have taken it out unseen."
            self._do(Noticed(self._stamp, (where, sighting.cell), "dug-out", sentence))
        stack.remove(card)
        self._plays.pop(card, None)
        self._laid(sighting, card)

    def _top(self, cell: int) -> str:
        """The card that lies uppermost, as far as anybody has seen; nothing where the only one was knocked away."""
        stack = self._stacks[cell - 1]
        return stack[-1] if stack else ""

    def _where(self, card: str) -> int:
        return next((cell for cell, stack in zip(CELLS, self._stacks, strict=True) if card in stack), 0)

    def _revealed(self, sighting: "CardSeen", card: str) -> bool:
        """Whether it is the card that was covered before anybody saw it: one that could not be laid on the upper."""
        cell = sighting.cell
        stack = self._stacks[cell - 1]
        top = self._top(cell)
        if not top or self._is_legal_on(cell, top, card):
            return False
        if top in self._over and len(stack) > 1 and self._is_legal_on(cell, stack[-2], card):
            self._over.discard(top)
            if self._make(TakeBack("", cell)):
                stack.pop()
                self._laid(sighting, card)
                return True
        play = self._plays.get(top)
        if play and play.status == "odd" and play.hidden:
            self._off(stack.pop())
            self._laid(sighting, card)
            return True
        if top not in self._plays and len(stack) > 1 and stack[-2] == UNSEEN:
            stack[-2:] = [card]
            self._make_or_say(Lies("", cell, card, taken=1), cell)
            return True
        return False

    def _is_legal_on(self, cell: int, lower: str, card: str) -> bool:
        """Whether a card could be laid on this one of its pile, the others as they are."""
        grid = self._state.grid
        return lower in triple3.BITS and is_legal((*grid[: cell - 1], lower, *grid[cell:]), cell, card)

    def _laid(self, sighting: "CardSeen", card: str, *, status: str = "held", came_from: int = 0) -> None:
        cell, since = sighting.cell, sighting.since
        lifted_from, lifted_at = self._lifted.pop(card, (0, -1))
        if lifted_from and lifted_from != cell and since <= lifted_at and status == "held":
            status, came_from = "odd", lifted_from  # it slid over: both cells were disturbed at once
        evidence = Evidence(
            cell,
            card,
            sighting.before,
            sighting.after,
            since,
            sighting.after.stamp,
            sighting.arms,
            self._guess(sighting),
            sighting.by,
        )
        self._stacks[cell - 1].append(card)
        blind = since <= self._blind
        self._plays[card] = _Play(cell, card, evidence, status, since=self._stamp, blind=blind, came_from=came_from)
        if came_from and status != "moved":
            self._say_knocked(self._plays[card])

    def _say_knocked(self, play: _Play) -> None:
        play.is_told = True
        sentence = f"{play.card} was knocked from cell {play.came_from} to {play.cell}."
        self._do(Noticed(self._stamp, (play.came_from, play.cell), "knocked", sentence))

    def _taken(self, cell: int, card: str, since: int) -> None:
        """What lay above this card on the cell is gone."""
        stack = self._stacks[cell - 1]
        above = stack[stack.index(card) + 1 :]
        del stack[stack.index(card) + 1 :]
        pile = [laid.card for laid in self._state.piles[cell - 1]]
        illegal = {laid.card for laid in self._state.piles[cell - 1] if not laid.legal}
        gone = [one for one in reversed(above) if not self._off(one) and one in pile]
        if not gone or pile[-len(gone) :] != gone[::-1]:
            return
        if len(gone) > 1 or pile[-len(gone) - 1] == UNSEEN:
            self._make_or_say(Lies("", cell, card), cell)
        else:
            before, tail = self._state, self._tail
            if self._make_or_say(TakeBack("", cell), cell):
                happening = Happening(cell, gone[0], since, self._stamp, is_laid=False)
                self._tail = [*tail, _Ruled(happening, None, before)][-REMEMBERED:]
        self._lifted |= {one: (cell, self._stamp) for one in gone if one not in illegal}

    def _off(self, card: str) -> bool:
        """A card that the match does not have is gone from its cell; whether it was one."""
        play = self._plays.pop(card, None)
        if play is None:
            return False
        if play.status in ("called", "aside"):
            self._do(PutRight(self._stamp, play.cell, card, self._stamp - play.since))
        if play.status == "moved":
            self._lifted.pop(card, None)
            return False
        return True

    def _is_misread(self, sighting: "CardSeen") -> bool:
        """Nothing touched the cell since it was read otherwise: it was read wrongly."""
        asked = self._eyes[sighting.cell].asked
        return not sighting.arms and (
            sighting.since == sighting.after.stamp or (asked is not None and asked <= sighting.since)
        )

    def _misread(self, sighting: "CardSeen", card: str) -> None:
        """The top card was read wrongly when it was laid: it is this one."""
        cell = sighting.cell
        stack = self._stacks[cell - 1]
        old, stack[-1] = stack[-1], card
        if old in self._plays:
            play = self._plays.pop(old)
            evidence = replace(play.evidence, card=card, after=sighting.after)
            self._plays[card] = _Play(cell, card, evidence, since=self._stamp)
            return
        number, move = _came_by(self._match, cell, old, card)
        evidence = Evidence(cell, card, sighting.before, sighting.after, sighting.since, sighting.after.stamp)
        sentence = f"What I took for {old} on cell {cell} is {card}."
        self._do(Noticed(self._stamp, (cell,), "misread", sentence))
        if move is None:
            self._plays[card] = _Play(cell, card, evidence, "odd", since=self._stamp)
            return
        self._plays[card] = _Play(cell, card, evidence, "moved", since=self._stamp)
        self._send(Correct(number, move_plain(move), at=self._at()), evidence)
        self._changing = True

    def _impossible(self, cell: int, card: str, where: int) -> None:
        """A card that lies buried elsewhere."""
        eye = self._eyes[cell]
        eye.readable = False
        if cell not in self._troubles:
            self._do(LookAgain(self._stamp, (cell,)))
        sentence = f"Cell {cell} looks like {card}, but that lies in the pile of {where}."
        way_back = f"If it is a card of another deck, take it off cell {cell}; if not, touch the cell."
        self._out_of_step(cell, "seen-already", sentence, way_back)

    def _no_card(self, cell: int, look: "Look") -> None:
        eye = self._eyes[cell]
        eye.look = look
        if self._state.phase in ("deal", "ready") and self._dealing:
            self._dealing.no_card(cell)
        elif self._state.is_seen and self._state.phase in ("play", "stopped"):
            eye.readable = False
            self._bare.append(cell)

    def _tell_bare(self) -> None:
        """Of cells that show no card; of many at once in one sentence: they were cleared, or covered."""
        found, self._bare = self._bare, []
        bare = [cell for cell in CELLS if (look := self._eyes[cell].look) and look.card is None]
        if BARE in self._lost:
            if not bare:
                self._found_again(BARE)
        elif len(bare) >= MANY:
            states = {look.state for cell in bare if (look := self._eyes[cell].look)}
            self._lose(BARE, OTHER_DECK if states == {"foreign"} else COVERED_OVER, AS_IT_WAS)
        else:
            for cell in found:
                self._tell_bare_cell(cell)

    def _tell_bare_cell(self, cell: int) -> None:
        look, top = self._eyes[cell].look, self._top(cell)
        state = look.state if look else "empty"
        way_back = f"Put {top} back there, face up."
        if state == "foreign":
            way_back = f"Take it off cell {cell}, so that {top} is seen there."
        self._out_of_step(cell, "no-card", f"Cell {cell} shows {SHOWN.get(state, 'no card')}.", way_back)

    def _cannot_read(self, cell: int, reason: str) -> None:
        self._eyes[cell].readable = False
        if self._state.phase == "deal":
            self._unread[cell] = reason
        if self._state.phase in ("play", "stopped"):
            self._out_of_step(cell, "cannot-read", f"I cannot read cell {cell}: {reason}.")

    def _grid_seen(self, looks: "Sequence[Look]") -> None:
        for cell, look in zip(CELLS, looks, strict=True):
            self._eyes[cell].look, self._eyes[cell].readable = look, True
        cards = [str(look.card) for look in looks]
        if self._state.phase in ("deal", "ready"):
            if self._dealing:
                self._dealing.grid_seen(cards)
        elif self._state.is_seen and self._state.phase in ("play", "stopped"):
            self._grid_in_play(looks)
        self._grid_awaited = False

    def _grid_in_play(self, looks: "Sequence[Look]") -> None:
        """All nine cells after nobody could watch for a while."""
        since = min((trouble.since for trouble in self._troubles.values()), default=self._stamp)
        for cell, look in zip(CELLS, looks, strict=True):
            card, stack = str(look.card), self._stacks[cell - 1]
            if card in stack[:-1]:
                self._taken(cell, card, since)
        for cell, look in zip(CELLS, looks, strict=True):
            card, stack = str(look.card), self._stacks[cell - 1]
            if card == self._top(cell):
                continue
            where = self._where(card)
            if where and self._stacks[where - 1][-1] != card:
                self._impossible(cell, card, where)
                continue
            if where:
                self._stacks[where - 1].pop()
            stack.append(card)
            evidence = Evidence(cell, card, None, look, since, look.stamp)
            status = "moved" if where else "held"
            self._plays[card] = _Play(
                cell, card, evidence, status, since=self._stamp - KNOCKED, blind=True, came_from=where
            )

    # --- what others changed in the match

    def _follow(self, before: tuple[tuple[Laid, ...], ...]) -> None:
        """Somebody has typed, undone or corrected something."""
        if not self._state.is_seen or len(before) != len(CELLS):
            self._stacks = [[laid.card for laid in pile] for pile in self._state.piles] or [[] for _ in CELLS]
            self._plays.clear()
            return
        for cell, old, new in zip(CELLS, before, self._state.piles, strict=True):
            if old != new:
                self._follow_cell(cell, [laid.card for laid in old], [laid.card for laid in new])
        if self._state.phase == "ready":
            self._stacks = [[laid.card for laid in pile] for pile in self._state.piles]

    def _follow_cell(self, cell: int, old: list[str], new: list[str]) -> None:
        stack = self._stacks[cell - 1]
        self._rename(cell, [card for card in new if card not in old])
        for card in new:
            self._plays.pop(card, None)
        if len(old) == len(new):
            for one, other in zip(old, new, strict=True):
                if one != other and one in stack:
                    stack[stack.index(one)] = other
                    if stack[-1] == other:
                        self._eyes[cell].look = None
                        self._do(Know(self._stamp, cell, other))
            return
        for card in old:
            if card not in new and card in stack and card not in self._plays and card != UNSEEN:
                look = self._eyes[cell].look
                evidence = Evidence(cell, card, None, look, self._stamp, self._stamp)
                self._plays[card] = _Play(cell, card, evidence, "aside", since=self._stamp)

    def _rename(self, cell: int, added: list[str]) -> None:
        """A play that was refused is now in the match as another card: somebody has said which it really is."""
        stack = self._stacks[cell - 1]
        top = stack[-1] if stack else ""
        if len(added) == 1 and not self._where(added[0]) and top in self._plays:
            del self._plays[top]
            stack[-1] = added[0]
            self._eyes[cell].look = None
            self._do(Know(self._stamp, cell, added[0]))

    # --- ruling

    def _judge(self) -> None:
        """Rule on what was laid, in an order that is legal if there is one."""
        while held := [play for play in self._held() if not self._waits_for_cell(play)]:
            if len(held) > 1 and not any(map(self._later, held)) and (order := self._order_of(held)):
                for play in order:
                    self._rule(play, order)
                continue
            held = [play for play in held if not self._is_on_held(play)]
            legal = next((play for play in held if self._is_legal(play)), None)
            if legal is not None:
                self._rule(legal)
                self._legal_after_all()
            elif not self._reordered(held) and not self._called(held):
                return
            if self._state.phase != "play":
                return

    def _held(self) -> list[_Play]:
        found = [play for play in self._plays.values() if play.status == "held"]
        return sorted(found, key=lambda play: play.evidence.stamp)

    def _piles_of(self, state: State) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(laid.card for laid in pile) for pile in state.piles)

    def _judge_before_stop(self) -> None:
        """Cards that were on their way when somebody called Stop! are ruled on as laid before it."""
        line = self._match.line
        stop = next((at for at in range(len(line) - 1, 0, -1) if isinstance(line[at].move, Stop)), 0)
        held = [play for play in self._held() if play.evidence.since < self._stopped]
        if not held or not stop or any(isinstance(act, Say) for act in self._acts):
            return
        acts, state, since = self._acts, self._state, [done.move for done in line[stop:]]
        self._acts, self._state = [], line[stop - 1].ruling.state
        self._judge()
        if not self._acts:
            self._acts, self._state = acts, state
            return
        undone = [Say(self._stamp, Undo(at=self._at())) for _ in since]
        self._acts = [*acts, *undone, *self._acts]
        if self._state.phase == "play":
            tail = self._tail
            for move in since:
                self._make(replace(move, at=0))
            self._tail = tail

    def _order_of(self, held: list[_Play]) -> list[_Play]:
        """All of them in an order in which each is legal; nothing if there is none."""
        order = legal_order(self._piles_of(self._state), [play.happening for play in held])
        return [self._plays[one.card] for one in order] if order else []

    def _is_legal(self, play: _Play) -> bool:
        """Whether it is legal now, and nothing that surely came after it has been ruled on."""
        return is_legal(self._state.grid, play.cell, play.card) and not self._later(play)

    def _later(self, play: _Play) -> list[_Ruled]:
        """The newest moves from the first that surely came after this play."""
        for at, one in enumerate(self._tail):
            if play.happening.is_before(one.happening):
                return self._tail[at:]
        return []

    def _is_on_held(self, play: _Play) -> bool:
        """Whether what it lies on has not been ruled on."""
        stack = self._stacks[play.cell - 1]
        below = self._plays.get(stack[stack.index(play.card) - 1])
        return below is not None and below.status == "held"

    def _waits_for_cell(self, play: _Play) -> bool:
        """Whether what lies on a cell in line with it is not known just now, and it matters."""
        if self._stamp - play.evidence.stamp >= PATIENCE or self._is_legal(play):
            return False
        return not all(map(self._is_known, IN_LINE[play.cell]))

    def _is_known(self, cell: int) -> bool:
        """Whether what was last seen on a cell is what should lie there, and could be read."""
        eye = self._eyes[cell]
        return eye.readable and (eye.look is None or eye.look.card == self._top(cell))

    def _reordered(self, held: list[_Play]) -> bool:
        """Whether plays that were ruled on went behind one of these, because so all are legal."""
        held = [play for play in held if not play.tried or play.tried[-1] is not self._tail[-1]] if self._tail else []
        for play in held:
            play.tried = self._tail[-1:]
            for count in range(max(1, len(self._later(play))), len(self._overlapping(play)) + 1):
                tail = self._tail[-count:]
                order = legal_order(self._piles_of(tail[0].before), [*(one.happening for one in tail), play.happening])
                if order:
                    self._again(tail, play, order)
                    return True
        return False

    def _overlapping(self, play: _Play, *, fixed: bool = False) -> list[_Ruled]:
        """The newest moves, from the first that was under arms at the same time as this play, or came after it."""
        first = next((at for at, one in enumerate(self._tail) if not one.happening.is_before(play.happening)), None)
        found = self._tail[first:] if first is not None else []
        while not fixed and any(one.is_fixed for one in found):
            found = found[1:]
        return found

    def _again(self, tail: list[_Ruled], play: _Play | None, order: Sequence[Happening]) -> None:
        """Undo these moves and make them anew in another order, perhaps with one more among them."""
        known = {one.happening.card: one.play for one in tail if one.play}
        if play:
            known[play.card] = play
        for _ in tail:
            self._send(Undo(at=self._at()), None)
        self._state = tail[0].before
        del self._tail[-len(tail) :]
        plays = [known[one.card] for one in order if one.is_laid]
        for one in order:
            if one.is_laid:
                self._rule(known[one.card], plays)
            else:
                before, tail = self._state, self._tail
                self._make(TakeBack("", one.cell))
                self._tail = [*tail, _Ruled(one, None, before)]

    def _called(self, held: list[_Play]) -> bool:
        """Whether one of these had to be ruled on as illegal, or given up."""
        # What is given up will be said to lie there, in the next frame if another ruling hangs on it.
        waiting = {play.cell for play in self._plays.values() if play.status == "odd" and self._is_recent(play)}
        for play in held:
            if not play.blind and (self._may_change(play) or waiting & IN_LINE[play.cell]):
                waiting.add(play.cell)
                continue
            unknown = [cell for cell in sorted(IN_LINE[play.cell]) if not self._is_known(cell)]
            if play.blind:
                self._give_up(play)
            elif unknown:
                sentence = f"I cannot rule on {play.card} on cell {play.cell}: what lies on cell {unknown[0]}?"
                self._give_up(play, "line-unknown", sentence)
            elif self._may_be_legal(play, held):
                self._stands(play)
            elif _may_hide_another(play.evidence) and self._explained_by_hidden(play):
                sentence = f"Cell {play.cell} was covered twice; I saw only the upper card, {play.card}."
                self._give_up(play, "covered-twice", sentence, hidden=1)
            else:
                self._rule_in_time(play)
            return True
        return False

    def _is_recent(self, play: _Play) -> bool:
        return self._stamp - play.since < CLEAR

    def _rule_in_time(self, play: _Play) -> None:
        """Rule on an illegal play as things stood when it was laid, not as they have become since."""
        later = self._later(play)
        if not later:
            self._rule(play)
        elif any(one.is_fixed for one in later):
            self._nobody_can_rule(play)
        else:
            self._again(later, play, [play.happening, *(one.happening for one in later)])

    def _stands(self, play: _Play) -> None:
        """Nobody could see which came first; in one order it is legal, so it is legal."""
        sentence = (
            f"{play.card} on cell {play.cell} was laid at the same time as another card: "
            "in one order it is legal, so it stands."
        )
        self._do(Noticed(self._stamp, (play.cell,), "at-once", sentence))
        self._say_lies(play)

    def _nobody_can_rule(self, play: _Play) -> None:
        sentence = f"{play.card} on cell {play.cell} was laid at the same time as others: nobody can rule on it."
        self._do(Noticed(self._stamp, (play.cell,), "too-late", sentence))
        self._say_lies(play)

    def _may_change(self, play: _Play) -> bool:
        """Whether something in line with it has been under arms since before it settled."""
        if self._stamp - play.evidence.stamp >= PATIENCE:
            return False
        return any(
            not self._eyes[cell].is_clear and self._eyes[cell].turned <= play.evidence.stamp
            for cell in IN_LINE[play.cell]
        )

    def _may_be_legal(self, play: _Play, held: list[_Play]) -> bool:
        """Whether it is legal in some order of what was under arms at the same time, though then another is not."""
        others = [other.happening for other in held if other is not play]
        others = [other for other in others if other.overlaps(play.happening)][: MOST - 1]
        tail = self._overlapping(play, fixed=True)
        tail = tail[max(0, len(tail) + len(others) - MOST + 1) :]
        piles = self._piles_of(tail[0].before if tail else self._state)
        one = play.happening
        happenings = [*(ruled.happening for ruled in tail), *others]
        return may_be_legal(piles, happenings, one, keeps=self._state.house.illegal_plays == "keep")

    def _explained_by_hidden(self, play: _Play) -> bool:
        """Whether another card, laid before it on the same cell and covered by it, makes both legal."""
        grid = self._state.grid
        for card in triple3.DECK:
            if card != play.card and not self._is_in_match(card) and card not in self._plays:
                covered = (*grid[: play.cell - 1], card, *grid[play.cell :])
                if is_legal(grid, play.cell, card) and is_legal(covered, play.cell, play.card):
                    return True
        return False

    def _give_up(self, play: _Play, code: str = "", sentence: str = "", hidden: int = 0) -> None:
        play.status, play.hidden, play.since = "odd", hidden, self._stamp
        if code:
            way_back = f"Take your hands off for two seconds, or touch cell {play.cell}."
            self._out_of_step(play.cell, code, sentence, way_back)

    def _rule(self, play: _Play, order: Sequence[_Play] = ()) -> None:
        """Have the referee rule on a play; a refused one stays on the table until it is taken back."""
        cards = tuple(one.card for one in order) if len(order) > 1 else ()
        evidence = replace(play.evidence, held=self._stamp - play.evidence.stamp, order=cards)
        play.evidence = evidence
        before = self._state
        move = Lay("", play.cell, play.card)
        try:
            self._state = triple3.rule(self._state, replace(move, at=self._match.now)).state
        except Foul as foul:
            self._send(move, evidence)
            play.status, play.since = "called", self._stamp
            if foul.code == "no-new-triple":
                self._do(
                    Called(self._stamp, play.cell, play.card, foul.sentence, evidence, before.grid),
                )
            else:
                self._give_up(play, foul.code, foul.sentence)
            return
        self._send(move, evidence)
        if len(evidence.arms) > 1:
            self._over.add(play.card)
        self._plays.pop(play.card, None)
        self._tail = [*self._tail, _Ruled(play.happening, play, before)][-REMEMBERED:]
        self._say_what_is_under(play)

    def _say_what_is_under(self, play: _Play) -> None:
        stack = self._stacks[play.cell - 1]
        if play.card not in stack:
            return  # it has been taken away meanwhile
        under = stack[stack.index(play.card) - 1]
        if under in self._plays and self._plays[under].status == "called":
            sentence = f"{under}, which was called, may still lie under {play.card} on cell {play.cell}: take it out."
            self._do(Noticed(self._stamp, (play.cell,), "called-below", sentence))

    def _legal_after_all(self) -> bool:
        """Whether something that was found illegal is legal, because it came after another card under the same arms."""
        if not self._tail:
            return False
        newest = self._tail[-1].happening
        for play in self._plays.values():
            if play.status == "called" and play.happening.overlaps(newest) and self._is_legal(play):
                self._rule(play, (play,))
                return True
        for count in range(2, len(self._tail) + 1):
            tail = self._tail[-count:]
            first = tail[0]
            if any(one.is_fixed for one in tail):
                return False
            if first.happening.overlaps(newest) and self._was_illegal(first):
                order = legal_order(self._piles_of(first.before), [one.happening for one in tail])
                if order:
                    self._again(tail, None, order)
                    return True
        return False

    def _was_illegal(self, ruled: _Ruled) -> bool:
        one = ruled.happening
        return one.is_laid and not is_legal(ruled.before.grid, one.cell, one.card)

    # --- what cannot be ruled on

    def _settle(self) -> None:
        """Say what lies there, where nobody can know how it came there and nobody has objected."""
        for play in list(self._plays.values()):
            if play.status == "moved":
                self._settle_moved(play)
            elif play.status == "odd" and (self._is_at_rest(play) or self._is_in_the_way(play)):
                self._say_lies(play)

    def _settle_moved(self, play: _Play) -> None:
        """A card that slid here from another cell: there are some seconds to put it back."""
        other = self._eyes[play.came_from] if play.came_from else None
        if other and other.is_clear and other.look and other.look.card == play.card and not play.blind:
            self._stacks[play.cell - 1].remove(play.card)
            self._stacks[play.came_from - 1].append(play.card)
            del self._plays[play.card]
            self._impossible(play.cell, play.card, play.came_from)
            return
        is_over = self._stamp - play.since >= KNOCKED
        is_clear = bool(other and other.is_clear)
        if play.came_from and not play.is_told and not play.blind and (is_over or is_clear):
            self._say_knocked(play)
        if is_over or (is_clear and self._is_in_the_way(play)):
            self._say_lies(play)

    def _is_at_rest(self, play: _Play) -> bool:
        eye = self._eyes[play.cell]
        rests = eye.is_clear and self._stamp - max(eye.turned, play.since) >= CLEAR
        return play.blind or bool(play.came_from) or rests

    def _is_in_the_way(self, play: _Play) -> bool:
        """Whether the ruling on another play hangs on what lies here."""
        touched = IN_LINE[play.cell] | IN_LINE.get(play.came_from, frozenset()) | {play.cell, play.came_from}
        return self._eyes[play.cell].is_clear and any(other.cell in touched for other in self._held())

    def _say_lies(self, play: _Play) -> None:
        move = Lies("", play.cell, play.card, play.hidden)
        if play.hidden:
            stack = self._stacks[play.cell - 1]
            stack.insert(stack.index(play.card), UNSEEN)
        del self._plays[play.card]
        before, tail = self._state, self._tail
        if self._make_or_say(move, play.cell, play.evidence):
            self._tail = [*tail, _Ruled(play.happening, play, before, is_fixed=True)][-REMEMBERED:]

    def _compare(self) -> None:
        """A cell that has been clear for a while must show what the match has there."""
        sliding = {play.came_from for play in self._plays.values()}
        for cell in CELLS:
            eye = self._eyes[cell]
            if cell in sliding or cell in self._troubles or self._stamp - eye.turned < CLEAR or not eye.is_clear:
                continue
            top = self._top(cell)
            if self._match_agrees(cell) or any(card in self._plays for card in self._stacks[cell - 1]):
                continue
            self._out_of_step(cell, "differs", f"Cell {cell} shows {top}, and the match has something else there.")
            if self._state.piles[cell - 1][-1].card != top:
                self._make_or_say(Lies("", cell, top), cell)

    def _out_of_step(self, cell: int, code: str, sentence: str, way_back: str = HANDS_OFF) -> None:
        if cell in self._troubles and self._troubles[cell].code == code:
            return
        self._troubles[cell] = _Trouble(self._stamp, code)
        self._do(OutOfStep(self._stamp, (cell,) if cell else (), code, sentence, way_back))

    def _lose(self, code: str, sentence: str, way_back: str = "") -> None:
        self._lost[code] = self._stamp
        self._out_of_step(0, code, sentence, way_back or (HANDS_OFF if code == "covered" else EYES_BACK))

    def _found_again(self, code: str) -> None:
        if self._lost.pop(code, None) is None or self._lost:
            return
        if code != "covered":
            self._grid_awaited = True
            self._do(LookAgain(self._stamp, ()))

    def _back_in_step(self) -> None:
        for cell, trouble in list(self._troubles.items()):
            if self._is_in_step(cell):
                del self._troubles[cell]
                cells = (cell,) if cell else ()
                self._do(InStep(self._stamp, cells, trouble.code, self._stamp - trouble.since))

    def _is_in_step(self, cell: int) -> bool:
        if self._state.phase not in ("play", "stopped") and not self._lost:
            return True
        if not cell:
            return not self._lost and not self._grid_awaited and all(eye.is_clear for eye in self._eyes.values())
        top = self._top(cell)
        is_settled = top not in self._plays or self._plays[top].status in ("held", "called", "aside")
        return is_settled and self._is_known(cell) and self._match_agrees(cell)

    def _match_agrees(self, cell: int) -> bool:
        """Whether the match has the pile that lies there, but for what it refused."""
        there = [card for card in self._stacks[cell - 1] if card not in self._plays]
        return there == [laid.card for laid in self._state.piles[cell - 1]]

    # --- which card can be where

    def prior(self) -> "Prior | None":
        """9 × 64: how likely each card of the deck is on each cell; nothing where the game does not know."""
        import numpy as np  # noqa: PLC0415

        if not self._stacks[0] or not self._state.is_seen or self._state.phase in ("deal", "over"):
            return None
        found = np.ones((len(CELLS), len(triple3.DECK)))
        grid = self._state.grid
        legal = {cell: triple3.accepted(grid, cell) for cell in CELLS}
        place = {card: number for number, card in enumerate(triple3.DECK)}
        bits = np.array([triple3.BITS[card] for card in triple3.DECK])
        for row, cell in enumerate(CELLS):
            found[row] = np.where(bits & legal[cell], LEGAL, ILLEGAL)
        for stack in self._stacks:
            for card, above in pairwise(stack):
                if card in place and above:
                    found[:, place[card]] = BURIED
            if stack and stack[-1] in place:
                found[:, place[stack[-1]]] = KNOCKED_OVER
        for row, stack in enumerate(self._stacks):
            if len(stack) > 1 and stack[-2] in place:
                called = stack[-1] in self._plays and self._plays[stack[-1]].status == "called"
                found[row, place[stack[-2]]] = LEGAL if called else BELOW
            if stack and stack[-1] in place:
                found[row, place[stack[-1]]] = STAYS
        return found

    # --- saying

    def _guess(self, sighting: "CardSeen") -> str:
        return self._seats.get(sighting.arms[0], "") if len(sighting.arms) == 1 else ""

    def _is_in_match(self, card: str) -> bool:
        return any(laid.card == card for pile in self._state.piles for laid in pile)

    def _do(self, act: Act) -> None:
        self._acts.append(act)

    def _at(self, stamp: int | None = None) -> int:
        self._latest = max(self._latest, self._stamp if stamp is None else stamp)
        return self._latest

    def _send(self, what: Move | Request, evidence: Evidence | None, at: int | None = None) -> None:
        message = MoveMessage(what, self._at(at), "") if isinstance(what, Move) else what
        self._do(Say(self._stamp, message, evidence))

    def _make(self, move: Move, evidence: Evidence | None = None, at: int | None = None) -> bool:
        """Make a move, if the rules let; whether they did."""
        try:
            self._state = triple3.rule(self._state, replace(move, at=self._match.now)).state
        except Foul:
            return False
        self._send(move, evidence, at)
        self._tail = []
        return True

    def _make_or_say(self, move: TakeBack | Lies, cell: int, evidence: Evidence | None = None) -> bool:
        """The same; and where the rules do not let, what is out of step."""
        try:
            triple3.rule(self._state, replace(move, at=self._match.now))
        except Foul as foul:
            self._out_of_step(cell, foul.code, foul.sentence)
            return False
        return self._make(move, evidence)


def _may_hide_another(evidence: Evidence) -> bool:
    """Whether two cards may have been laid on the cell while it was covered."""
    return len(evidence.arms) > 1 or evidence.stamp - evidence.since > LONG


def _still_last(tail: list[_Ruled], match: Match) -> list[_Ruled]:
    """What of the tail is still the end of the match's line."""
    line = match.line[:-1] if match.line and isinstance(match.line[-1].move, Stop) else match.line
    moves = [done.move for done in line[-len(tail) :]] if tail else []
    same = len(moves) == len(tail) and all(_is_move(move, one.happening) for move, one in zip(moves, tail, strict=True))
    return tail if same else []


def _is_move(move: Move, happening: Happening) -> bool:
    if isinstance(move, Lay | Lies):
        return happening.is_laid and (move.cell, move.card) == (happening.cell, happening.card)
    return isinstance(move, TakeBack) and not happening.is_laid and move.cell == happening.cell


def _same_deal(move: Move, deal: Deal) -> bool:
    return isinstance(move, Deal) and replace(move, at=0, player="") == deal


def _came_by(match: Match, cell: int, card: str, really: str) -> tuple[int, Move | None]:
    """The number of the move by which a card came to lie on a cell, and that move with the card it really was."""
    for number in range(len(match.line), 0, -1):
        move = match.line[number - 1].move
        if isinstance(move, Lay | Lies) and (move.cell, move.card) == (cell, card):
            return number, replace(move, card=really)
        if isinstance(move, Deal):
            leftovers = tuple(replace(one, card=really if one.card == card else one.card) for one in move.leftovers)
            grid = tuple(really if one == card else one for one in move.grid)
            return number, replace(move, grid=grid, leftovers=leftovers)
    return 0, None


def _moved(old: "Table", new: "Table") -> str:
    """The sentence on what has happened to the table in the picture, if that is worth telling."""
    across, along = old.cells[0, 1] - old.cells[0, 0], new.cells[0, 1] - new.cells[0, 0]
    if float(across @ along) < -0.7 * float(across @ across) ** 0.5 * float(along @ along) ** 0.5:
        return "The camera or the mat was turned by half: I have found the nine cells again."
    far = float(((new.cells.mean(1) - old.cells.mean(1)) ** 2).sum(1).max()) ** 0.5
    if far > SHIFTED * float(across @ across) ** 0.5:
        return "The mat or the camera was moved: I have found the nine cells again."
    return ""
