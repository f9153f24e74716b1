"""Hands at the draw pile: who has drawn there, and whether that was a turn."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from companion.core.clocks import SECOND
from companion.games.threepia.rules import Draw
from companion.games.threepia.witness_account import Account
from companion.games.threepia.witness_words import PILE_VISITED
from companion.watch.evidence import Noticed

if TYPE_CHECKING:
    from vision.sightings import HandsSeen

DRAWN = SECOND  # after hands were at the pile, whether a card was laid instead


class DrawPile:
    """`seats` says which player sits at which side of the mat."""

    def __init__(self, account: Account, seats: Mapping[str, str]) -> None:
        self._account, self._seats = account, seats
        self._refills: list[str] = []  # who has played out the hand, and has not been seen to draw
        self._waiting: list[HandsSeen] = []
        self._newest = 0  # stamp of the newest hands
        self._laid_at = 0  # and of the newest card
        self._nobody = 0  # and of what was at the pile and was no arm that is known

    def see(self, seen: "HandsSeen") -> None:
        self._waiting.append(seen)
        self._newest = seen.by

    def laid(self, player: str, at: int, *, was_last: bool) -> None:
        """A player has laid a card, perhaps the last one of a hand."""
        self._refills = [one for one in self._refills if one != player]
        if was_last:
            self._refills.append(player)
        self._laid_at = at

    def undone(self, player: str) -> None:
        """The card that was laid last was none."""
        if self._refills[-1:] == [player]:
            self._refills.pop()

    def due(self) -> None:
        """Hands were at the pile and nothing was laid by them: a card was drawn."""
        for seen in [one for one in self._waiting if self._account.stamp - one.by >= DRAWN]:
            self._drawn(seen)

    def before(self, stamp: int, arms: Collection[str]) -> None:
        """A card was laid by these arms: what others drew before it comes before it."""
        for seen in [one for one in self._waiting if one.by < stamp and not set(one.arms) & set(arms)]:
            self._drawn(seen)

    def passed_over(self, turn: str, player: str) -> str:
        """Another player's arm has laid a card: if hands were at the pile since the last one, a draw was not told from
        somebody else's that came at the same time. Whoever lays has the turn then."""
        account = self._account
        if account.state.phase != "turn" or self._newest <= self._laid_at:
            return turn
        drawn = account.ruled(Draw(turn))
        if drawn is None or drawn.turn != player:
            return turn
        account.say(Draw(turn), self._newest)
        return player

    def _drawn(self, seen: "HandsSeen") -> None:
        account = self._account
        self._waiting.remove(seen)
        players = [self._seats[side] for side in seen.arms if side in self._seats]
        if self._seats and not players:
            self._nobody = seen.by
            return
        refilled = [player for player in self._refills if player in players] or (self._refills if not players else [])
        self._refills = [player for player in self._refills if player not in refilled]
        if not refilled:
            self._drawn_before(players)
        turn = account.state.turn if account.state.phase == "turn" else ""
        if turn and turn not in refilled and (turn in players or not (self._seats or refilled)):
            account.say(Draw(turn), seen.by)
        elif turn and not refilled:
            account.do(Noticed(account.stamp, (), "at-the-pile", PILE_VISITED))

    def _drawn_before(self, players: Collection[str]) -> None:
        """Whoever draws has the turn, if what was at the pile since the last card was the hand of the one before."""
        account = self._account
        if account.state.phase != "turn" or account.state.turn in players or self._nobody <= self._laid_at:
            return
        drawn = account.ruled(Draw(account.state.turn))
        if drawn is not None and drawn.turn in players:
            account.say(Draw(account.state.turn), self._nobody)
            self._nobody = 0
