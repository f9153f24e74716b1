"""What a sighting on a cell means: laid, taken back, knocked here, dug out, read wrongly, or that nobody knows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.match import Match
from companion.core.record import move_plain
from companion.core.requests import Correct
from companion.core.rules import UNSEEN, Move
from companion.core.sentence import N_, Sentence
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import CELLS, Deal, Lay, Lies, TakeBack, is_legal
from companion.games.triple3.witness_deal import Dealing
from companion.games.triple3.witness_orders import Happening
from companion.games.triple3.witness_piles import KNOCKED, NOTHING_SEEN, REMEMBERED, Play, Ruled
from companion.games.triple3.witness_settling import Settling
from companion.watch.evidence import Believe, Evidence, Noticed

if TYPE_CHECKING:
    from vision.sightings import CannotRead, CardSeen, Look

OTHER_DECK = N_("Many cells show cards that are not of this deck.")
COVERED_OVER = N_("Many cells show no card: something lies over them, or they were turned over or taken away.")
AS_IT_WAS = N_("Put the table back as it was; I then read all nine cells and go on.")
MANY = 3  # cells that show no card are told as one
FOREIGN = N_("it is not a card of this deck")  # as the reader says it
BARE = "bare"  # the code of that
A_CARD = 0.9  # so likely what cannot be read must be one of a few cards at all
MADE_OUT = 0.99  # so likely it must be which card it is that cannot be read
NO_CARD = N_("no card")
SHOWN = {"face-down": N_("a card that lies face down"), "foreign": N_("a card that is not of this deck")}
BESIDE = {
    cell: frozenset(
        other
        for other in CELLS
        if max(abs((cell - 1) // 3 - (other - 1) // 3), abs((cell - 1) % 3 - (other - 1) % 3)) == 1
    )
    for cell in CELLS
}  # where a card may be knocked to


class Seeing(Settling):
    """Follows the piles."""

    def __init__(self, seats: Mapping[str, str] | None = None) -> None:
        super().__init__(seats)
        self._dealing: Dealing | None = None
        self._bare: list[int] = []  # cells that have just been seen without a card
        self._unread: dict[int, str] = {}  # at the set-up: cells that cannot be read, and why
        self._blind = -1  # stamp of the frame before which nobody watched
        self._rounds = -1
        self._newest = NOTHING_SEEN  # what is seen just now
        self._changing = False  # a correction is on its way: judge nothing before it has come

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

    def _card_seen(self, sighting: "CardSeen") -> None:
        cell, card, eye = sighting.cell, str(sighting.after.card), self._eyes[sighting.cell]
        eye.look, eye.readable = sighting.after, True
        self._newest = self._change(sighting)
        if self._tracker and self._state.phase in ("play", "stopped"):
            self._tracker.take(self._newest)
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
            sentence = Sentence(
                "{card} lay under {above} on cell {where}: somebody must have taken it out unseen.",
                card=card,
                above=above,
                where=where,
            )
            self._do(Noticed(self._stamp, (where, sighting.cell), "dug-out", sentence))
        stack.remove(card)
        self._plays.pop(card, None)
        self._laid(sighting, card)

    def _revealed(self, sighting: "CardSeen", card: str) -> bool:
        """Whether it is the card that was covered before anybody saw it: one that could not be laid on the upper."""
        cell = sighting.cell
        stack = self._stacks[cell - 1]
        top = self._top(cell)
        if not top or self._is_legal_on(cell, top, card):
            return False
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
        self._plays[card] = Play(
            cell, card, evidence, status, since=self._stamp, blind=blind, came_from=came_from, change=self._newest
        )
        if came_from and status != "moved":
            self._say_knocked(self._plays[card])

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
                laid = [one.happening for one in tail if one.happening.card == gone[0]]
                self._think_again(cell, card, laid[-1].stamp if laid else self._stamp)
                happening = Happening(cell, gone[0], since, self._stamp, is_laid=False)
                self._tail = [*tail, Ruled(happening, None, before)][-REMEMBERED:]
        self._lifted |= {one: (cell, self._stamp) for one in gone if one not in illegal}

    def _misread(self, sighting: "CardSeen", card: str) -> None:
        """The top card was read wrongly when it was laid: it is this one."""
        cell = sighting.cell
        stack = self._stacks[cell - 1]
        old, stack[-1] = stack[-1], card
        self._tracker = None
        if old in self._plays:
            play = self._plays.pop(old)
            evidence = replace(play.evidence, card=card, after=sighting.after)
            self._plays[card] = Play(cell, card, evidence, since=self._stamp, change=self._newest)
            return
        number, move = _came_by(self._match, cell, old, card)
        evidence = Evidence(cell, card, sighting.before, sighting.after, sighting.since, sighting.after.stamp)
        sentence = Sentence("What I took for {old} on cell {cell} is {card}.", old=old, cell=cell, card=card)
        self._do(Noticed(self._stamp, (cell,), "misread", sentence))
        if move is None:
            self._plays[card] = Play(cell, card, evidence, "odd", since=self._stamp)
            return
        self._plays[card] = Play(cell, card, evidence, "moved", since=self._stamp)
        self._send(Correct(number, move_plain(move), at=self._at()), evidence)
        self._changing = True

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
        way_back = Sentence("Put {top} back there, face up.", top=top)
        if state == "foreign":
            way_back = Sentence("Take it off cell {cell}, so that {top} is seen there.", cell=cell, top=top)
        self._out_of_step(
            cell,
            "no-card",
            Sentence("Cell {cell} shows {value}.", cell=cell, value=SHOWN.get(state, NO_CARD)),
            way_back,
        )

    def _cannot_read(self, sighting: "CannotRead") -> None:
        cell, reason = sighting.cell, sighting.reason
        if self._state.is_seen and self._state.phase in ("play", "stopped") and self._made_out(sighting):
            return
        self._eyes[cell].readable = False
        if self._state.phase == "deal":
            self._unread[cell] = reason
        if self._state.phase in ("play", "stopped"):
            self._out_of_step(
                cell, "cannot-read", Sentence("I cannot read cell {cell}: {reason}.", cell=cell, reason=reason)
            )

    def _made_out(self, sighting: "CannotRead") -> bool:
        """Whether the rules, and all that was seen, leave one card that it can be."""
        if sighting.change is None or sum(chance for _, chance in sighting.faces) < A_CARD:
            return False
        change = replace(self._change(sighting.change), faces=sighting.faces)
        card, chance = max(self._tracked().likely(change).items(), key=lambda one: one[1], default=("", 0.0))
        if chance < MADE_OUT:
            return False
        self._do(Believe(self._stamp, sighting.cell, card, chance))
        after = replace(sighting.change.after, card=card, confidence=chance)
        if card == self._top(sighting.cell):
            self._eyes[sighting.cell].look, self._eyes[sighting.cell].readable = after, True
        else:
            self._card_seen(replace(sighting.change, after=after))
        return True

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
        self._tracker = None
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
            self._plays[card] = Play(
                cell, card, evidence, status, since=self._stamp - KNOCKED, blind=True, came_from=where
            )


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
