"""What a witness of Threepia tells, in its order, and the match as it stands behind that."""

from collections.abc import Callable

from companion.games.threepia.rules import GAME, Lay
from companion.games.threepia.witness_words import EYES_BACK
from companion.watch.witness_account import WitnessAccount


class Account(WitnessAccount):
    """`spots` says which places of the mat lie below a place of the field."""

    def __init__(self, spots: Callable[[int], tuple[int, ...]]) -> None:
        super().__init__(GAME, EYES_BACK)
        self._spots = spots

    def spots_of(self, place: int) -> tuple[int, ...]:
        return self._spots(place)

    def name_of(self, place: int) -> str:
        """What people call a place that is counted from 1."""
        return self.state.house.field.letters[place - 1] if place else ""

    def number_of(self, place: int) -> int:
        """Of the newest card that was laid on a place, among the moves of the match; 0 if there is none."""
        letter = self.name_of(place)
        for number in range(len(self.match.line), 0, -1):
            move = self.match.line[number - 1].move
            if isinstance(move, Lay) and move.place == letter:
                return number
        return 0
