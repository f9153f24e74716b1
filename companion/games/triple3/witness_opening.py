"""How a round of Triple³ begins before a camera: the grid and the leftovers are laid out, and somebody lays a card."""

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.rules import Foul, Move
from companion.games.triple3.rules import Deal, Go
from companion.games.triple3.witness_account import Account
from companion.games.triple3.witness_deal import Dealing
from companion.games.triple3.witness_seeing import Seeing
from companion.games.triple3.witness_settling import MANY
from companion.games.triple3.witness_table import SeenTable
from companion.games.triple3.witness_words import FOREIGN, other_deck, unread_at_the_deal
from companion.watch.evidence import LookAgain, Noticed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.sightings import CardSeen


class Opening:
    """`begin` is "first play" (the first card that is laid begins the round) or "said" (somebody says go). `deals` is a
    handicap, and `covered` says that the leftovers lie on the grid before anybody looks."""

    def __init__(
        self, account: Account, table: SeenTable, seeing: Seeing, *, begin: str, deals: tuple[int, ...], covered: bool
    ) -> None:
        self.begin = begin
        self._account, self._table, self._seeing = account, table, seeing
        self._deals, self._covered = deals, covered
        self._dealing: Dealing | None = None
        self._tried: Deal | None = None
        self._unread: dict[int, str] = {}  # cells that cannot be read, and why

    def new_round(self, *, old: bool) -> None:
        """`old`: the cards of the round before lie there until they are cleared away."""
        piles = [list(stack) for stack in self._table.stacks] if old else []
        self._dealing = Dealing(self._deals, len(self._account.state.players), covered=self._covered, old=piles)

    # --- what is seen

    def card_seen(self, sighting: "CardSeen") -> None:
        dealing, table = self._dealing, self._table
        assert dealing is not None
        state, card = self._account.state, str(sighting.after.card)
        is_ready = state.phase == "ready" and state.is_seen
        if is_ready and all(card not in stack for stack in table.stacks) and not table.is_misread(sighting):
            self._seeing.laid(sighting, card)
        elif state.phase == "ready" and card in table.stacks[sighting.cell - 1] and table.plays:
            self._seeing.taken(sighting.cell, card, sighting.since)
        else:
            dealing.card_seen(sighting.cell, card, misread=table.is_misread(sighting))

    def grid_seen(self, looks: "Sequence[str]") -> None:
        if self._dealing:
            self._dealing.grid_seen(looks)

    def no_card(self, cell: int) -> None:
        if self._dealing:
            self._dealing.no_card(cell)

    def cannot_read(self, cell: int, reason: str) -> None:
        if self._account.state.phase == "deal":
            self._unread[cell] = reason

    # --- what follows

    def lay_out(self) -> None:
        dealing, account = self._dealing, self._account
        if dealing is None:
            return
        self._tell_unread()
        if dealing.wants_a_look:
            account.do(LookAgain(account.stamp, ()))
        deal = dealing.deal
        if deal is not None and deal != self._tried and not self._is_dealt(deal):
            self._tried = deal
            self._deal(deal, dealing)
        held = self._table.held()
        if self.begin == "first play" and account.state.phase == "ready" and held:
            account.make(Go(""), at=min(held[0].evidence.since, account.stamp))

    def said_go(self) -> None:
        """Leftovers that were not seen lie there covered."""
        if self._account.state.phase == "deal" and self._dealing and (deal := self._dealing.deal_now):
            self._deal(deal, self._dealing)
        if self._account.state.phase == "ready":
            self._account.make(Go(""))

    def _tell_unread(self) -> None:
        """Why there is no deal: cells that cannot be read, or cards of another deck."""
        found, self._unread = self._unread, {}
        stamp = self._account.stamp
        if len(found) >= MANY and set(found.values()) == {FOREIGN}:
            self._account.do(other_deck(stamp, list(found)))
            return
        for cell, reason in found.items():
            self._account.do(unread_at_the_deal(stamp, cell, reason))

    def _deal(self, deal: Deal, dealing: Dealing) -> None:
        try:
            self._account.ruled(deal)
        except Foul as foul:
            self._account.do(Noticed(self._account.stamp, (), foul.code, foul.sentence))
            return
        self._account.make(deal)
        self._table.stacks = [list(stack) for stack in dealing.stacks]
        self._table.plays.clear()

    def _is_dealt(self, deal: Deal) -> bool:
        """Whether the match has just that deal."""
        line = self._account.match.line
        return self._account.state.phase == "ready" and bool(line) and _same_deal(line[-1].move, deal)


def _same_deal(move: Move, deal: Deal) -> bool:
    return isinstance(move, Deal) and replace(move, at=0, player="") == deal
