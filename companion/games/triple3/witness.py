"""The witness of a match of Triple³: makes moves of what was seen, frame by frame.

It has no clock, no pixels and no opinion on who is right: where something cannot be known it says "out of step", and
how to get back in step. What lies there is `ontable.py`, what came there `seeing.py`, ruling on it `judging.py`, out of
step `settling.py`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.clocks import SECOND, shown
from companion.core.match import Match
from companion.core.replies import Refusal, Reply
from companion.core.requests import Correct
from companion.core.rules import UNSEEN, Foul, Move
from companion.core.sentence import N_, Sentence
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import CELLS, Deal, Go, Laid, Lay, Lies, Out, State, Stop, TakeBack
from companion.games.triple3.witness_deal import Dealing
from companion.games.triple3.witness_orders import Happening
from companion.games.triple3.witness_piles import Play, Ruled
from companion.games.triple3.witness_prior import likely
from companion.games.triple3.witness_seeing import Seeing
from companion.watch.evidence import Act, Evidence, Know, LookAgain, Noticed, Statement

if TYPE_CHECKING:
    from vision.locate import TableView
    from vision.sightings import CellNow, Prior, Sighting, TableSeen

OTHER_DECK = N_("Many cells show cards that are not of this deck.")
SIGHTLESS = ("camera", "table", "dark", "frozen")  # while one of these is wrong, nobody watches
GAP = 7 * SECOND // 10  # without frames: what was laid meanwhile nobody has watched
MANY = 3  # cells that show no card are told as one
FOREIGN = N_("it is not a card of this deck")  # as the reader says it
BARE = "bare"  # the code of that
SHIFTED = 0.1  # of a cell's side: a table that is found so far from where it was is told as moved


class Witness(Seeing):
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
        super().__init__(seats)
        self._begin, self._deals, self._covered = begin, deals, covered
        self._tried: Deal | None = None
        self._table: TableView | None = None  # where it was last told to be

    # --- what others tell

    def touched(self, cell: int) -> tuple[int, ...]:
        """Somebody touches a cell that is wrong: the watcher must look again at these cells."""
        eye = self._eyes[cell]
        eye.asked = self._stamp
        return (cell,)

    def told(self, act: Act, replies: Sequence[Reply]) -> list[Act]:
        """What the referee answered; a correction that the rules refuse is said in another way."""
        refused = any(isinstance(reply, Refusal) for reply in replies)
        if not (refused and isinstance(act, Statement) and isinstance(act.message, Correct)):
            return []
        request, evidence = act.message, act.evidence
        if request.move is None or evidence is None or evidence.card not in self._plays:
            return []
        play = self._plays[evidence.card]
        if request.move["move"] != Lay.word:
            play.status = "odd"
            return []
        play.status = "called"
        return [Statement(act.stamp, replace(request, move=None), evidence)]

    def said_card(self, cell: int, card: str, stamp: int, match: Match) -> list[Act]:
        """Somebody says which card a refused or an open play really is: it is ruled on anew."""
        self._enter(stamp, match)
        stack = self._stacks[cell - 1]
        play = self._plays.get(stack[-1]) if stack else None
        if play is not None and not self._where(card):
            del self._plays[play.card]
            stack[-1] = card
            change = self._change_of(play.evidence, card)
            self._plays[card] = Play(cell, card, replace(play.evidence, card=card), since=stamp, change=change)
            self._tracker = None
            self._eyes[cell].look = None
            self._do(Know(stamp, cell, card))
            for later in self._plays.values():
                if later.is_called and later.evidence.stamp > play.evidence.stamp:
                    later.status, later.since = "held", stamp  # it may have been refused for that card's sake
            self._go_on()
        return self._leave()

    def awaits(self, move: Move) -> bool:
        """Who claims to be out is answered when the last card has been seen."""
        return isinstance(move, Out)

    def said_move(self, move: Move, stamp: int, match: Match) -> list[Act] | None:
        """Somebody says go: leftovers that were not seen lie there covered."""
        if not isinstance(move, Go):
            return None
        self._enter(stamp, match)
        if self._state.phase == "deal" and self._dealing and (deal := self._dealing.deal_now):
            self._deal(deal, self._dealing)
        if self._state.phase == "ready":
            self._make(Go(""))
        return self._leave()

    # --- what it tells

    def prior(self) -> "Prior | None":
        """9 × 64: how likely each card of the deck is on each cell; nothing where the game does not know."""
        if not any(self._stacks) or not self._state.is_seen or self._state.phase in ("deal", "over"):
            return None
        called = {play.card for play in self._plays.values() if play.is_called}
        return likely(self._state, self._stacks, called)

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
            self._tracker = None
            self._new_round(before)
        elif self._state.piles != before.piles:
            self._tracker = None
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
                self._do(
                    Noticed(
                        self._stamp,
                        (),
                        "gap",
                        Sentence("No pictures came for {gap}: I look at all nine cells anew.", gap=gap),
                    )
                )

    def _note(self, cell: int, now: "CellNow") -> None:
        eye = self._eyes[cell]
        eye.seen = now.seen
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
                self._cannot_read(sighting)  # type: ignore[arg-type]
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
        if self._tracker:
            self._tracker.settle(self._stamp)
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
            self._do(
                Noticed(
                    self._stamp,
                    (cell,),
                    "cannot-read",
                    Sentence("I cannot read cell {cell}: {reason}.", cell=cell, reason=reason),
                )
            )

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
                self._plays[card] = Play(cell, card, evidence, "aside", since=self._stamp)

    def _rename(self, cell: int, added: list[str]) -> None:
        """A play that was refused is now in the match as another card: somebody has said which it really is."""
        stack = self._stacks[cell - 1]
        top = stack[-1] if stack else ""
        if len(added) == 1 and not self._where(added[0]) and top in self._plays:
            del self._plays[top]
            stack[-1] = added[0]
            self._eyes[cell].look = None
            self._do(Know(self._stamp, cell, added[0]))


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


def _same_deal(move: Move, deal: Deal) -> bool:
    return isinstance(move, Deal) and replace(move, at=0, player="") == deal


def _moved(old: "TableView", new: "TableView") -> str:
    """The sentence on what has happened to the table in the picture, if that is worth telling."""
    across, along = old.cells[0, 1] - old.cells[0, 0], new.cells[0, 1] - new.cells[0, 0]
    if float(across @ along) < -0.7 * float(across @ across) ** 0.5 * float(along @ along) ** 0.5:
        return N_("The camera or the mat was turned by half: I have found the nine cells again.")
    far = float(((new.cells.mean(1) - old.cells.mean(1)) ** 2).sum(1).max()) ** 0.5
    if far > SHIFTED * float(across @ across) ** 0.5:
        return N_("The mat or the camera was moved: I have found the nine cells again.")
    return ""
