"""The witness of a match of Triple³: makes moves of what was seen, frame by frame.

It has no clock, no pixels and no opinion on who is right: where something cannot be known it says "out of step", and
how to get back in step. `witness_table.py` has what lies there, `witness_seeing.py` says what came there,
`witness_ruling.py` rules on it, `witness_settling.py` keeps match and table in step, `witness_account.py` tells it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.clocks import SECOND, shown
from companion.core.match import Match
from companion.core.replies import Refusal, Reply
from companion.core.requests import Correct
from companion.core.rules import UNSEEN, Move
from companion.core.sentence import N_
from companion.games.triple3.rules import CELLS, Go, Laid, Lay, Lies, Out, State, Stop, TakeBack
from companion.games.triple3.witness_account import Account
from companion.games.triple3.witness_opening import Opening
from companion.games.triple3.witness_orders import Happening
from companion.games.triple3.witness_plays import Play, Ruled
from companion.games.triple3.witness_prior import likely
from companion.games.triple3.witness_ruling import Rulings
from companion.games.triple3.witness_seeing import Seeing
from companion.games.triple3.witness_settling import BARE, Settling
from companion.games.triple3.witness_table import SeenTable
from companion.games.triple3.witness_words import gap
from companion.watch.evidence import Act, Evidence, Know, Noticed, Statement

if TYPE_CHECKING:
    from vision.locate import TableView
    from vision.sightings import CardSeen, CellNow, GridSeen, Look, Prior, Sighting, TableSeen

SIGHTLESS = ("camera", "table", "dark", "frozen")  # while one of these is wrong, nobody watches
GAP = 7 * SECOND // 10  # without frames: what was laid meanwhile nobody has watched
SHIFTED = 0.1  # of a cell's side: a table that is found so far from where it was is told as moved


class Witness:
    """Hand it every frame's sightings; what it returns is to be done in that order. `seats` says which player sits at
    which side of the mat; the rest is as `Opening` has it."""

    def __init__(
        self,
        *,
        begin: str = "first play",
        deals: tuple[int, ...] = (),
        covered: bool = False,
        seats: Mapping[str, str] | None = None,
    ) -> None:
        self.account = Account()
        self.table = SeenTable(self.account, seats or {})
        self._settling = Settling(self.account, self.table)
        self._rulings = Rulings(self.account, self.table, self._settling)
        self._seeing = Seeing(self.account, self.table, self._rulings)
        self._opening = Opening(self.account, self.table, self._seeing, begin=begin, deals=deals, covered=covered)
        self._rounds = -1
        self._stopped = 0  # the stamp of the newest Stop!
        self._where: TableView | None = None  # the table was last told to be

    # --- what others tell

    def not_before(self, stamp: int) -> None:
        """Something else was ruled on at this stamp: what is said from now on comes after it."""
        self.account.latest = max(self.account.latest, stamp)

    def touched(self, cell: int) -> tuple[int, ...]:
        """Somebody touches a cell that is wrong: the watcher must look again at these cells."""
        self.table.eyes[cell].asked = self.account.stamp
        return (cell,)

    def told(self, act: Act, replies: Sequence[Reply]) -> list[Act]:
        """What the referee answered; a correction that the rules refuse is said in another way."""
        refused = any(isinstance(reply, Refusal) for reply in replies)
        if not (refused and isinstance(act, Statement) and isinstance(act.message, Correct)):
            return []
        request, evidence = act.message, act.evidence
        if request.move is None or evidence is None or evidence.card not in self.table.plays:
            return []
        play = self.table.plays[evidence.card]
        if request.move["move"] != Lay.word:
            play.status = "odd"
            return []
        play.status = "called"
        return [Statement(act.stamp, replace(request, move=None), evidence)]

    def said_card(self, cell: int, card: str, stamp: int, match: Match) -> list[Act]:
        """Somebody says which card a refused or an open play really is: it is ruled on anew."""
        self._enter(stamp, match)
        table = self.table
        play = table.plays.get(table.top(cell))
        if play is not None and not table.where(card):
            del table.plays[play.card]
            table.stacks[cell - 1][-1] = card
            change = table.change_of(play.evidence, card)
            table.plays[card] = Play(cell, card, replace(play.evidence, card=card), since=stamp, change=change)
            table.tracker = None
            table.eyes[cell].look = None
            self.account.do(Know(stamp, cell, card))
            for later in table.plays.values():
                if later.is_called and later.evidence.stamp > play.evidence.stamp:
                    later.status, later.since = "held", stamp  # it may have been refused for that card's sake
            self._go_on()
        return self.account.given()

    def awaits(self, move: Move) -> bool:
        """Who claims to be out is answered when the last card has been seen."""
        return isinstance(move, Out)

    def said_move(self, move: Move, stamp: int, match: Match) -> list[Act] | None:
        if not isinstance(move, Go):
            return None
        self._enter(stamp, match)
        self._opening.said_go()
        return self.account.given()

    # --- what it tells

    @property
    def is_pondering(self) -> bool:
        """Whether a card has been seen on which nothing has been said yet."""
        return bool(self.table.held())

    def watched_until(self, stamp: int) -> int:
        """Nothing here is done against the clock."""
        return stamp

    def prior(self) -> "Prior | None":
        """9 × 64: how likely each card of the deck is on each cell; nothing where the game does not know."""
        state, stacks = self.account.state if self._rounds >= 0 else None, self.table.stacks
        if state is None or not any(stacks) or not state.is_seen or state.phase in ("deal", "over"):
            return None
        called = {play.card for play in self.table.plays.values() if play.is_called}
        return likely(state, stacks, called)

    # --- frame by frame

    def take(self, sightings: "Iterable[Sighting]", cells: "Sequence[CellNow]", stamp: int, match: Match) -> list[Act]:
        """What follows from what was seen with a frame."""
        before = self.account.stamp
        self._enter(stamp, match)
        seen = list(sightings)
        self._watched_since(before, is_told=any(type(one).__name__ in ("Trouble", "TroubleOver") for one in seen))
        for cell, now in zip(CELLS, cells, strict=False):
            self._note(cell, now)
        for sighting in seen:
            self._see(sighting)
        self._go_on()
        return self.account.given()

    def _enter(self, stamp: int, match: Match) -> None:
        account, table = self.account, self.table
        before = account.state if self._rounds >= 0 else None
        account.acts, account.stamp, account.match, account.state = [], stamp, match, match.state
        if before is None or len(account.state.rounds) != self._rounds:
            table.tracker = None
            self._new_round(before)
        elif account.state.piles != before.piles:
            table.tracker = None
            self._follow(before.piles)
        if account.state.phase == "stopped" and (before is None or before.phase != "stopped"):
            self._stopped = account.latest
        self._seeing.is_correcting = False
        account.tail = _still_last(account.tail, match)

    def _watched_since(self, before: int, *, is_told: bool) -> None:
        """Whether anybody has watched since the frame before; where frames are missing, that is said."""
        account = self.account
        if self._settling.lost.keys() & SIGHTLESS or self._settling.grid_awaited:
            self._seeing.blind = account.stamp
        elif before and account.stamp - before > GAP and account.state.phase in ("play", "stopped"):
            self._seeing.blind = account.stamp
            if not is_told:
                account.do(gap(account.stamp, shown(account.stamp - before)))

    def _note(self, cell: int, now: "CellNow") -> None:
        eye = self.table.eyes[cell]
        eye.seen = now.seen
        if (now.now == "clear") != eye.is_clear:
            eye.is_clear = now.now == "clear"
            eye.turned = min(now.since, self.account.stamp) or self.account.stamp
            if eye.is_clear:
                eye.readable = True

    def _see(self, sighting: "Sighting") -> None:
        match type(sighting).__name__:
            case "CardSeen":
                self._card_seen(sighting)  # type: ignore[arg-type]
            case "GridSeen":
                self._grid_seen(sighting)  # type: ignore[arg-type]
            case "NoCard":
                self._no_card(sighting.cell, sighting.after)  # type: ignore[attr-defined]
            case "CannotRead":
                self._opening.cannot_read(sighting.cell, sighting.reason)  # type: ignore[attr-defined]
                self._seeing.cannot_read(sighting)  # type: ignore[arg-type]
            case "TableLost":
                self._settling.lose("table", sighting.why)  # type: ignore[attr-defined]
            case "TableSeen":
                self._table_seen(sighting)  # type: ignore[arg-type]
            case "Trouble":
                self._settling.lose(sighting.code, sighting.sentence)  # type: ignore[attr-defined]
            case "TroubleOver":
                self._settling.found_again(sighting.code)  # type: ignore[attr-defined]

    def _card_seen(self, sighting: "CardSeen") -> None:
        eye = self.table.eyes[sighting.cell]
        eye.look, eye.readable = sighting.after, True
        if not self._seeing.noted(sighting):
            is_open = self.account.state.phase in ("deal", "ready")
            (self._opening if is_open else self._seeing).card_seen(sighting)
        eye.asked = None

    def _grid_seen(self, sighting: "GridSeen") -> None:
        for cell, look in zip(CELLS, sighting.looks, strict=True):
            self.table.eyes[cell].look, self.table.eyes[cell].readable = look, True
        if self.account.state.phase in ("deal", "ready"):
            self._opening.grid_seen([str(look.card) for look in sighting.looks])
        elif self.account.is_seen:
            self._seeing.grid_in_play(sighting.looks)
        self._settling.grid_awaited = False

    def _no_card(self, cell: int, look: "Look") -> None:
        self.table.eyes[cell].look = look
        self.table.doubtful.pop(cell, None)
        if self.account.state.phase in ("deal", "ready"):
            self._opening.no_card(cell)
        elif self.account.is_seen:
            self._settling.no_card(cell)

    def _table_seen(self, sighting: "TableSeen") -> None:
        """Where the table is; told if it was moved, or the camera was."""
        old, self._where = self._where, self._where or sighting.table
        if old and (how := _moved(old, sighting.table)):
            self._where = sighting.table
            self.account.do(Noticed(self.account.stamp, (), "moved", how))
        self._settling.found_again("table")

    def _go_on(self) -> None:
        """Whatever is due, sighting or not."""
        account = self.account
        if self._seeing.is_correcting:
            return
        if account.state.phase in ("deal", "ready"):
            self._opening.lay_out()
        if account.is_seen:
            self._seeing.make_out()
            self._settling.tell_bare()
            self._settling.settle()
        if account.state.phase == "play":
            self._rulings.judge()
        elif account.state.phase == "stopped":
            self._rulings.judge_before(self._stopped)
        if self.table.tracker:
            self.table.tracker.settle(account.stamp)
        if account.is_seen:
            self._settling.compare()
        self._settling.back_in_step()

    # --- what others changed in the match

    def _new_round(self, before: State | None) -> None:
        """A round is over, or this is the beginning."""
        state, table = self.account.state, self.table
        self._rounds = len(state.rounds)
        self._settling.lost.pop(BARE, None)
        table.plays.clear()
        table.lifted.clear()
        table.doubtful.clear()
        if state.phase in ("deal", "ready"):
            self._opening.new_round(old=before is not None)
        if state.is_seen and state.phase not in ("deal", "over"):
            table.as_the_match()

    def _follow(self, before: tuple[tuple[Laid, ...], ...]) -> None:
        """Somebody has typed, undone or corrected something."""
        state = self.account.state
        if not state.is_seen or len(before) != len(CELLS):
            self.table.as_the_match()
            self.table.plays.clear()
            return
        for cell, old, new in zip(CELLS, before, state.piles, strict=True):
            if old != new:
                self._follow_cell(cell, [laid.card for laid in old], [laid.card for laid in new])
        if state.phase == "ready":
            self.table.as_the_match()

    def _follow_cell(self, cell: int, old: list[str], new: list[str]) -> None:
        table, stamp = self.table, self.account.stamp
        stack = table.stacks[cell - 1]
        self._rename(cell, [card for card in new if card not in old])
        for card in new:
            table.plays.pop(card, None)
        if not table.eyes[cell].readable and new[-1] not in stack:
            stack.append(new[-1])
            self._know(cell, new[-1])
        if len(old) == len(new):
            for one, other in zip(old, new, strict=True):
                if one != other and one in stack:
                    stack[stack.index(one)] = other
                    if stack[-1] == other:
                        self._know(cell, other)
            return
        for card in old:
            if card not in new and card in stack and card not in table.plays and card != UNSEEN:
                evidence = Evidence(cell, card, None, table.eyes[cell].look, stamp, stamp)
                table.plays[card] = Play(cell, card, evidence, "aside", since=stamp)

    def _rename(self, cell: int, added: list[str]) -> None:
        """A play that was refused is now in the match as another card: somebody has said which it really is."""
        table, top = self.table, self.table.top(cell)
        if len(added) == 1 and not table.where(added[0]) and top in table.plays:
            del table.plays[top]
            table.stacks[cell - 1][-1] = added[0]
            self._know(cell, added[0])

    def _know(self, cell: int, card: str) -> None:
        """A person's word is certain, whatever can be read there."""
        self.table.eyes[cell].look, self.table.eyes[cell].readable = None, True
        self.table.doubtful.pop(cell, None)
        self.account.do(Know(self.account.stamp, cell, card))


def _still_last(tail: list[Ruled], match: Match) -> list[Ruled]:
    """What of the tail is still the end of the match's line."""
    line = match.line[:-1] if match.line and isinstance(match.line[-1].move, Stop | Out) else match.line
    moves = [done.move for done in line[-len(tail) :]] if tail else []
    same = len(moves) == len(tail) and all(_is_move(move, one.happening) for move, one in zip(moves, tail, strict=True))
    return tail if same else []


def _is_move(move: Move, happening: Happening) -> bool:
    if isinstance(move, Lay | Lies):
        return happening.is_laid and (move.cell, move.card) == (happening.cell, happening.card)
    return isinstance(move, TakeBack) and not happening.is_laid and move.cell == happening.cell


def _moved(old: "TableView", new: "TableView") -> str:
    """The sentence on what has happened to the table in the picture, if that is worth telling."""
    across, along = old.cells[0, 1] - old.cells[0, 0], new.cells[0, 1] - new.cells[0, 0]
    if float(across @ along) < -0.7 * float(across @ across) ** 0.5 * float(along @ along) ** 0.5:
        return N_("The camera or the mat was turned by half: I have found the nine cells again.")
    far = float(((new.cells.mean(1) - old.cells.mean(1)) ** 2).sum(1).max()) ** 0.5
    if far > SHIFTED * float(across @ across) ** 0.5:
        return N_("The mat or the camera was moved: I have found the nine cells again.")
    return ""
