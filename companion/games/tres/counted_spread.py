"""Tres on the drawn table where cards are only counted: hands do what they do, and the referee is told how many."""

from dataclasses import replace
from typing import Any

from companion.core.match import Match
from companion.core.rules import Move, Ruling
from companion.games.tres.counted_bot import Counted
from companion.games.tres.rules import Fill, Lay, Play
from companion.games.tres.told_spread import Hands, TresTable
from companion.words import Words
from simulator.drawn.items import Thing
from simulator.drawn.spread import Picked


class _CountedHands(Counted, Hands):
    """The real cards. They are kept from what is counted, so the referee may be wrong about them."""

    def _has_turned_up(self, card: str) -> None:
        if card not in self.new and (place := self._where(card)) is not None:
            place[place.index(card)] = self.lies[-1]
        super()._has_turned_up(card)


class CountedTable(TresTable):
    """Its state is that of a referee who sees what lies open; what is said is what the one who counts is told."""

    cards: _CountedHands

    def __init__(self, match: Match, seed: int) -> None:
        self._plays: dict[Move, Play] = {}  # what was played with the cards that were counted; it outlives an undo
        self._meant: Play | None = None
        super().__init__(match, seed)

    def shuffled(self) -> _CountedHands:
        return _CountedHands(self.match, self.seed)

    def done(self, move: Move, ruling: Ruling) -> None:
        if isinstance(move, Lay):
            self.cards.meant = self._plays.get(move, self._meant)
        super().done(move, ruling)
        if isinstance(move, Lay) and self.cards.played:
            self._plays[move] = self.cards.played

    def settle(self) -> None:
        self.state = self.cards.told(self.state)

    def bot_move(self, *minds: Any) -> Move | None:
        state, new = self.state, self.cards.new
        move = super().bot_move(*minds)
        if move is not None and new and state.phase == "turn" and move.player == state.turn:
            return Fill(state.turn, new[0])
        return self._said(move)

    def put(self, picked: Picked, onto: Thing, me: str) -> Move | None:
        if onto.kind == "table" and not picked:
            card = self.cards.lies[onto.of]
            return Fill(self.state.turn, card) if card in self.cards.new else None
        return self._said(super().put(picked, onto, me))

    def _said(self, move: Move | None) -> Move | None:
        """What is no run the players see for themselves: it is not laid."""
        if move is None:
            return None
        said = self.cards.said(self.state, move)
        if isinstance(move, Play):
            if said == Lay(move.player, 3):
                return None
            self._meant = replace(move, at=0)
        return said

    def hint(self, words: Words, me: str) -> str:
        if self.cards.new and self.wanted() == me:
            return words.say("An action card has turned up: click it.")
        return super().hint(words, me)
