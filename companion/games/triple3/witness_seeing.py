"""What a sighting on a cell means: laid, taken back, knocked here, dug out, read wrongly, or that nobody knows."""

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.match import Match
from companion.core.record import move_plain
from companion.core.requests import Correct
from companion.core.rules import UNSEEN, Move
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import CELLS, Deal, Lay, Lies, TakeBack, is_legal
from companion.games.triple3.witness_account import Account
from companion.games.triple3.witness_orders import Happening
from companion.games.triple3.witness_plays import NOTHING_SEEN, Play
from companion.games.triple3.witness_ruling import Rulings
from companion.games.triple3.witness_settling import KNOCKED
from companion.games.triple3.witness_table import Doubtful, SeenTable
from companion.games.triple3.witness_words import cannot_read, dug_out, misread
from companion.watch.evidence import Believe, Evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.sightings import CannotRead, CardSeen, Look

A_CARD = 0.5  # so likely what cannot be read must be one of a few cards at all
MADE_OUT = 0.99  # so likely it must be which card it is that cannot be read
BESIDE = {
    cell: frozenset(
        other
        for other in CELLS
        if max(abs((cell - 1) // 3 - (other - 1) // 3), abs((cell - 1) % 3 - (other - 1) % 3)) == 1
    )
    for cell in CELLS
}  # where a card may be knocked to


class Seeing:
    """Follows the piles of a round."""

    def __init__(self, account: Account, table: SeenTable, rulings: Rulings) -> None:
        self.blind = -1  # stamp of the frame before which nobody watched
        self.is_correcting = False  # a correction is on its way: judge nothing before it has come
        self._account, self._table, self._rulings = account, table, rulings
        self._newest = NOTHING_SEEN  # what is seen just now

    def noted(self, sighting: "CardSeen") -> bool:
        """Take a change in; whether it belongs to the round that has just ended."""
        doubt = self._table.doubtful.pop(sighting.cell, None)
        if doubt and sighting.by > doubt.change.stamp:  # hands have been there since: it is another card
            sighting = replace(sighting, since=max(sighting.since, doubt.change.stamp))
        elif doubt and self._table.tracker:
            self._table.tracker.withdraw(doubt.change)
        self._newest = self._table.change(sighting)
        if self._account.state.phase in ("play", "stopped") and self._table.tracker:
            self._table.tracker.take(self._newest)
        return self._is_late(sighting) and self._late(sighting, str(sighting.after.card))

    def card_seen(self, sighting: "CardSeen") -> None:
        table, account = self._table, self._account
        cell, card = sighting.cell, str(sighting.after.card)
        if not account.is_seen or card == table.top(cell):
            return  # back again
        stack = table.stacks[cell - 1]
        if card in stack:
            self.taken(cell, card, sighting.since)
        elif stack and table.is_misread(sighting) and not table.where(card) and not table.is_in_match(card):
            self._misread(sighting, card)
        else:
            self._new_on(sighting, card)

    # --- a card that comes to a cell

    def _is_late(self, sighting: "CardSeen") -> bool:
        """Whether it may have been laid before the play that ended the round."""
        tail = self._account.tail
        is_over = self._account.state.phase in ("count", "deal", "over")
        return is_over and bool(tail) and sighting.since <= tail[-1].happening.stamp

    def _late(self, sighting: "CardSeen", card: str) -> bool:
        """Whether a card belongs to the round that has just ended, because the last plays were in another order."""
        table = self._table
        if any(card in stack for stack in table.stacks):
            return False
        self.laid(sighting, card)
        if self._rulings.reordered([table.plays[card]]):
            return True
        del table.plays[card]
        table.stacks[sighting.cell - 1].remove(card)
        return False

    def _new_on(self, sighting: "CardSeen", card: str) -> None:
        """A card that did not lie on this cell before."""
        table = self._table
        where = table.where(card)
        if not where:
            if table.is_in_match(card):
                table.stacks[sighting.cell - 1].append(card)  # put back, or somebody has said so before it was seen
            elif not self._revealed(sighting, card):
                self.laid(sighting, card)
        elif card in table.plays and table.plays[card].status != "moved":
            table.stacks[where - 1].remove(card)
            table.off(card)
            self.laid(sighting, card)
        elif table.stacks[where - 1][-1] != card or (sighting.cell not in BESIDE[where] and self._can_be_taken(where)):
            self._dug_out(sighting, card, where)
        else:
            table.stacks[where - 1].pop()
            self.laid(sighting, card, status="moved", came_from=where)

    def _can_be_taken(self, cell: int) -> bool:
        """Whether the top card of a cell may have been taken away just now, and was not dealt there."""
        return not self._table.eyes[cell].is_clear and not self._account.state.piles[cell - 1][-1].dealt

    def _dug_out(self, sighting: "CardSeen", card: str, where: int) -> None:
        """A card that lay elsewhere, perhaps under others: it was taken from there while arms hid that cell."""
        table = self._table
        in_match = card not in table.plays
        if table.is_misread(sighting) or (in_match and not self._account.make(TakeBack("", where, card))):
            table.impossible(sighting.cell, card, where)
            return
        stack = table.stacks[where - 1]
        if stack[-1] != card:
            above = stack[stack.index(card) + 1]
            self._account.do(dug_out(self._account.stamp, card, above, where, sighting.cell))
        stack.remove(card)
        table.plays.pop(card, None)
        self.laid(sighting, card)

    def _revealed(self, sighting: "CardSeen", card: str) -> bool:
        """Whether it is the card that was covered before anybody saw it: one that could not be laid on the upper."""
        cell, table = sighting.cell, self._table
        stack, top = table.stacks[cell - 1], table.top(cell)
        if not top or self._is_legal_on(cell, top, card):
            return False
        play = table.plays.get(top)
        if play and play.status == "odd" and play.hidden:
            table.off(stack.pop())
            self.laid(sighting, card)
            return True
        if top not in table.plays and len(stack) > 1 and stack[-2] == UNSEEN:
            stack[-2:] = [card]
            self._account.make_or_say(Lies("", cell, card, taken=1), cell)
            return True
        return False

    def _is_legal_on(self, cell: int, lower: str, card: str) -> bool:
        """Whether a card could be laid on this one of its pile, the others as they are."""
        grid = self._account.state.grid
        return lower in triple3.BITS and is_legal((*grid[: cell - 1], lower, *grid[cell:]), cell, card)

    def laid(self, sighting: "CardSeen", card: str, *, status: str = "held", came_from: int = 0) -> None:
        table, cell, since = self._table, sighting.cell, sighting.since
        lifted_from, lifted_at = table.lifted.pop(card, (0, -1))
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
            table.guess(sighting),
            sighting.by,
        )
        table.stacks[cell - 1].append(card)
        blind, stamp = since <= self.blind, self._account.stamp
        play = Play(cell, card, evidence, status, since=stamp, blind=blind, came_from=came_from, change=self._newest)
        table.plays[card] = play
        if came_from and status != "moved":
            table.say_knocked(play)

    # --- a card that goes

    def taken(self, cell: int, card: str, since: int) -> None:
        """What lay above this card on the cell is gone."""
        table, account = self._table, self._account
        stack = table.stacks[cell - 1]
        above = stack[stack.index(card) + 1 :]
        del stack[stack.index(card) + 1 :]
        pile = [laid.card for laid in account.state.piles[cell - 1]]
        illegal = {laid.card for laid in account.state.piles[cell - 1] if not laid.legal}
        gone = [one for one in reversed(above) if not table.off(one) and one in pile]
        if not gone or pile[-len(gone) :] != gone[::-1]:
            return
        if len(gone) > 1 or pile[-len(gone) - 1] == UNSEEN:
            account.make_or_say(Lies("", cell, card), cell)
        else:
            account.make_among(TakeBack("", cell), Happening(cell, gone[0], since, account.stamp, is_laid=False))
        table.lifted |= {one: (cell, account.stamp) for one in gone if one not in illegal}

    # --- what was read wrongly, or cannot be read

    def _misread(self, sighting: "CardSeen", card: str) -> None:
        """The top card was read wrongly when it was laid: it is this one."""
        table, account, cell = self._table, self._account, sighting.cell
        stack = table.stacks[cell - 1]
        old, stack[-1] = stack[-1], card
        table.tracker = None
        if old in table.plays:
            play = table.plays.pop(old)
            evidence = replace(play.evidence, card=card, after=sighting.after)
            table.plays[card] = Play(cell, card, evidence, since=account.stamp, change=self._newest)
            return
        number, move = _came_by(account.match, cell, old, card)
        evidence = Evidence(cell, card, sighting.before, sighting.after, sighting.since, sighting.after.stamp)
        account.do(misread(account.stamp, cell, old, card))
        if move is None:
            table.plays[card] = Play(cell, card, evidence, "odd", since=account.stamp)
            return
        table.plays[card] = Play(cell, card, evidence, "moved", since=account.stamp)
        account.send(Correct(number, move_plain(move), at=account.at()), evidence)
        self.is_correcting = True

    def cannot_read(self, sighting: "CannotRead") -> None:
        table, account, cell = self._table, self._account, sighting.cell
        if account.is_seen and sighting.change is not None and sum(chance for _, chance in sighting.faces) >= A_CARD:
            change = table.change(sighting.change, sighting.faces)
            table.tracked().take(change)
            table.doubtful[cell] = Doubtful(sighting.change, change)
            if self._is_made_out(cell):
                return
        table.eyes[cell].readable = False
        if account.state.phase in ("play", "stopped"):
            account.out_of_step(cell, cannot_read(cell, sighting.reason))

    def make_out(self) -> None:
        """What was in doubt, and is no more by what has been seen since."""
        for cell in list(self._table.doubtful):
            self._is_made_out(cell)

    def _is_made_out(self, cell: int) -> bool:
        """Whether the rules, and all that was seen, leave one card that it can be."""
        table, eye = self._table, self._table.eyes[cell]
        card, chance = max(table.tracked().shown(cell).items(), key=lambda one: one[1])
        if chance < MADE_OUT or not card:
            return False
        seen, self._newest = table.doubtful.pop(cell)
        self._account.do(Believe(self._account.stamp, cell, card, chance))
        after = replace(seen.after, card=card, confidence=chance)
        eye.look, eye.readable = after, True
        if card != table.top(cell):
            self.card_seen(replace(seen, after=after))
            eye.asked = None
        return True

    # --- after nobody could watch

    def grid_in_play(self, looks: "Sequence[Look]") -> None:
        """All nine cells after nobody could watch for a while."""
        table, account = self._table, self._account
        since = min((trouble.since for trouble in account.troubles.values()), default=account.stamp)
        table.tracker = None
        shown = [(cell, str(look.card), look) for cell, look in zip(CELLS, looks, strict=True)]
        for cell, card, _ in shown:
            if card in table.stacks[cell - 1][:-1]:
                self.taken(cell, card, since)
        for cell, card, look in shown:
            if card != table.top(cell):
                self._came_unwatched(cell, card, look, since)

    def _came_unwatched(self, cell: int, card: str, look: "Look", since: int) -> None:
        table = self._table
        where = table.where(card)
        if where and table.stacks[where - 1][-1] != card:
            table.impossible(cell, card, where)
            return
        if where:
            table.stacks[where - 1].pop()
        table.stacks[cell - 1].append(card)
        evidence = Evidence(cell, card, None, look, since, look.stamp)
        settled = self._account.stamp - KNOCKED
        status = "moved" if where else "held"
        table.plays[card] = Play(cell, card, evidence, status, since=settled, blind=True, came_from=where)


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
