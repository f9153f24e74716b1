"""Hands at the draw pile: who has drawn there, and what for."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.core.clocks import SECOND
from companion.games.tres.columns import COLUMNS, DRAW_PILE
from companion.games.tres.rules import Draw, Keep, Take
from companion.games.tres.rules.turns import next_player
from companion.games.tres.witness_account import TresAccount
from companion.games.tres.witness_columns import SeenColumns
from companion.games.tres.witness_turns import ODDS
from companion.games.tres.witness_words import PILE_VISITED, drawn_twice
from companion.watch.evidence import Noticed

if TYPE_CHECKING:
    from vision.sightings import HandsSeen

WAITS = 4 * SECOND  # for what was laid before a hand was at the pile, and is not seen yet
TAKEN = 0.03  # so much of the pile looks otherwise when a card was taken from it: 0.17 to 0.48 of it, and 0 if not
GOES_ON = 3 * SECOND // 2  # whoever draws several cards one by one is back so soon ...
AT_ONCE = 11 * SECOND // 10  # ... and who draws them at once stays for so long
ASKED = ("card-gone", "who-plays", "drawn-and-two", "due", "differs", "cannot-be")  # what must be answered before


class TresPile:
    """`seats` says which player sits at which side of the mat."""

    def __init__(self, account: TresAccount, seats: Mapping[str, str]) -> None:
        self._account, self._seats = account, seats
        self._waiting: list[HandsSeen] = []
        self._open: list[HandsSeen] = []  # at the pile in this turn, and nobody knows what for
        self._taker, self._taken_at, self._owed = "", 0, 0  # who drew last what was due, and how many that may still be
        self._filled_at = 0  # when the newest card of the table was turned up

    def see(self, seen: "HandsSeen") -> None:
        if not 0 <= seen.otherwise < TAKEN or self._players(seen):
            self._waiting.append(seen)

    @property
    def is_open(self) -> bool:
        return bool(self._waiting)

    def filled(self, at: int) -> None:
        """A card was turned up, and came from the pile."""
        self._filled_at = at

    def played(self) -> None:
        """A turn is over: what nobody knew of it does not matter any more."""
        self._open.clear()

    def chance_of_draw(self, turn: str) -> tuple[float, float]:
        """How likely hands of which nobody knows that drew a card in this turn: those of whoever has it, anybody's."""
        chances = [(ODDS.taken if self._has_taken(one) else ODDS.touched, self._players(one)) for one in self._open]
        own = [chance for chance, players in chances if turn in players or not players]
        return max(own, default=0.0), max((chance for chance, _ in chances), default=0.0)

    def _must_wait(self, seen: "HandsSeen", columns: SeenColumns) -> bool:
        """What came before it is not settled: a hidden place is not waited for very long."""
        if any(place in COLUMNS or code in ASKED for place, (code, _) in self._account.troubles.items()):
            return True
        is_hidden = columns.is_hidden_before(seen.since) and self._account.stamp - seen.by < WAITS
        return is_hidden or columns.is_open_before(seen.since)

    def due(self, columns: SeenColumns) -> None:
        """What hands did that were at the pile, as soon as everything before is settled."""
        for seen in sorted(self._waiting, key=lambda one: one.since):
            if self._account.state.phase != "pay" and self._must_wait(seen, columns):
                return
            if self._draws_twice(seen):
                return
            self._waiting.remove(seen)
            self._visited(seen)

    def hand_between(self, since: int, by: int) -> str:
        """Who took a card in between, if that is known."""
        players = {player for one in self._waiting if since < one.since < by for player in self._players(one)}
        return next(iter(players)) if len(players) == 1 else ""

    def has_maybe_drawn(self) -> int:
        """When somebody was at the pile in this turn without anybody knowing who, or what for; 0 if nobody was."""
        return self._open[-1].by if self._open else 0

    def _visited(self, seen: "HandsSeen") -> None:
        state, players = self._account.state, self._players(seen)
        match state.phase:
            case "pay":
                self._due(seen, players)
            case "turn":
                self._in_turn(seen, players)
            case "drawn":
                self._after_drawing(seen, players)
            case _:
                return

    def _players(self, seen: "HandsSeen") -> tuple[str, ...]:
        return tuple(self._seats[side] for side in seen.arms if side in self._seats)

    def _is_of(self, player: str, players: tuple[str, ...]) -> bool:
        """Whether it may be this player's hand; any is, where nobody knows who sits where."""
        return player in players or not self._seats

    def _due(self, seen: "HandsSeen", players: tuple[str, ...]) -> None:
        payer = self._account.state.dues[0].player
        if seen.since <= self._filled_at:
            return  # it has turned up a card that makes draw
        if payer not in players and not (self._has_taken(seen) and (self._is_of(payer, players) or not players)):
            self._open.append(seen)
            return
        owed = self._account.state.owed(payer) - 1 if seen.by - seen.since < AT_ONCE else 0
        self._taker, self._taken_at, self._owed = payer, seen.by, owed
        self._account.say(Take(payer), seen.by)

    def _in_turn(self, seen: "HandsSeen", players: tuple[str, ...]) -> None:
        turn, follower = self._account.state.turn, next_player(self._account.state)
        if seen.since <= self._filled_at or self._goes_on(seen, players):
            return  # it has turned up a card, or draws what was due
        if not self._has_taken(seen):
            self._open.append(seen)
        elif self._is_of(turn, players) or not players:
            self._account.say(Draw(turn), seen.by)
        elif follower in players and self._open:
            self._account.say(Draw(turn), self._open[-1].by)
            self._account.say(Keep(turn), seen.since)
            self._open.clear()
            self._account.say(Draw(follower), seen.by)
        else:
            self._open.append(seen)
            self._account.do(Noticed(self._account.stamp, (), "at-the-pile", PILE_VISITED))

    def _has_taken(self, seen: "HandsSeen") -> bool:
        return not 0 <= seen.otherwise < TAKEN

    def _goes_on(self, seen: "HandsSeen", players: tuple[str, ...]) -> bool:
        """Whether it is the same hand once more that draws what was due."""
        is_other = players and self._taker not in players
        if self._owed < 1 or is_other or seen.since - self._taken_at > GOES_ON:
            return False
        self._taken_at, self._owed = seen.by, self._owed - 1
        return True

    def _after_drawing(self, seen: "HandsSeen", players: tuple[str, ...]) -> None:
        """Whoever has drawn does so once, so that a card taken now is the next player's."""
        state = self._account.state
        follower = next_player(state)
        if self._has_taken(seen) and (self._is_of(follower, players) or not players):
            self._account.say(Keep(state.turn), seen.since)
            self._open.clear()
            self._account.say(Draw(follower), seen.by)
        elif state.turn not in players:
            self._open.append(seen)

    def _draws_twice(self, seen: "HandsSeen") -> bool:
        """Who has drawn takes another card: somebody else's turn must have been between, which nobody saw."""
        state = self._account.state
        is_twice = state.phase == "drawn" and self._has_taken(seen) and set(self._players(seen)) == {state.turn}
        if is_twice and not self._goes_on(seen, self._players(seen)):
            self._account.out_of_step(DRAW_PILE, "drawn-twice", *drawn_twice(state.turn, next_player(state)))
            return True
        self._account.settled(DRAW_PILE, "drawn-twice")
        return False
