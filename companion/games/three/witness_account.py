"""What a witness of Three! tells, and what it looks up in the match."""

from companion.games.three.rules import GAME, Play
from companion.games.three.witness_words import EYES_BACK, pile_of
from companion.watch.witness_account import WitnessAccount


class Account(WitnessAccount):
    """`owners` are the players by place, counted from 0."""

    def __init__(self) -> None:
        super().__init__(GAME, EYES_BACK)
        self.owners: dict[int, str] = {}

    def number_of(self, player: str) -> int:
        """Of the newest card that a player has played, among the moves of the match; 0 if there is none."""
        for number in range(len(self.match.line), 0, -1):
            move = self.match.line[number - 1].move
            if isinstance(move, Play) and move.player == player:
                return number
        return 0

    def called(self, place: int) -> str:
        """What people call a place that is counted from 1."""
        return pile_of(self.owners[place - 1]) if place - 1 in self.owners else ""

    def is_over(self, place: int) -> None:
        """Match and table agree on a place again."""
        self.step(place, self.called(place))
