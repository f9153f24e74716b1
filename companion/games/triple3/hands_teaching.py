"""Hands that lay a deck of Triple³ on the drawn table to be taught: nine cards that are missing, and the next."""

from random import Random
from typing import TYPE_CHECKING

from companion.core.clocks import MILLISECOND, SECOND
from companion.games.triple3.rules import CELLS

if TYPE_CHECKING:
    from companion.teaching.teaching_sight import TeachingSight
    from simulator.rendered.live_table import LiveTable

GAME = "triple3"
SEEN = 700 * MILLISECOND  # after which everybody has seen what a look has found
PATIENCE = 10 * SECOND  # after which the cards are laid once more


class TeachingHands:
    """Begins when a deck of this game is taught, and ends when all its faces are known."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._found: tuple[int, int, int] | None = None  # by the last look
        self._laid: frozenset[str] = frozenset()
        self.due: int | None = None  # when cards are laid next

    def attend(self, sight: "TeachingSight | None", live: "LiveTable | None", now: int) -> None:
        if sight is None or sight.game != GAME or sight.state != "ready" or sight.is_complete or live is None:
            self._found = self.due = None
            self._laid = frozenset()
            return
        found = sight.looks, sight.troubles, len(sight.missing)
        doubtful = {face for doubt in sight.doubts for face in (doubt.one, doubt.other)}
        if found != self._found:
            is_seen = not self._laid & {*sight.missing} - doubtful
            self._found, self.due = found, now + (SEEN if is_seen else PATIENCE)
        if self.due is not None and now >= self.due:
            self.due = now + PATIENCE
            missing = [card for card in sight.missing if card not in doubtful] or sight.missing
            self._lay(tuple(missing[: len(CELLS)]), live)

    def _lay(self, cards: tuple[str, ...], live: "LiveTable") -> None:
        from simulator.hands.hand_visits import lying  # noqa: PLC0415

        self._laid = frozenset(cards)
        empty = [()] * (len(CELLS) - len(cards))
        live.set_out([*((lying(self._rng, card),) for card in cards), *empty])
