"""Tres where cards are only counted, with real cards: what lies where, and how little of it is said.

The referee knows how many cards there are. Here is what they are: those that it moves as unknown ones get their faces,
a play those that were meant, or others that can have been meant.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from companion.core.rules import TOLD, UNSEEN, CardsMoved, Event, Foul, Move, Ruling
from companion.games.tres.rules import (
    ACTIONS,
    DISCARDS,
    PILE,
    TABLE,
    THREE,
    Deal,
    Draw,
    Fill,
    House,
    Laid,
    Lay,
    MustDraw,
    Play,
    State,
    Take,
    TurnedUp,
    is_one_colour,
    is_run,
    rule,
)
from companion.games.tres.told_bot import Table


def counted(house: House, move: Move) -> Move:
    """A move that tells its cards, as it is said where they are only counted."""
    match move:
        case Deal():
            return replace(move, table=tuple(map(_acts, move.table)), hands=())
        case Fill():
            return replace(move, card=_acts(move.card))
        case Play(player, table_card, cards):
            action = next((card for card in cards if card in ACTIONS), "")
            is_three = len(cards) == THREE - 1 and is_one_colour(house, table_card, *cards)
            return Lay(player, len(cards), action, is_three, at=move.at)
        case Draw():
            return replace(move, card="")
        case Take():
            return replace(move, cards=())
    return move


def _acts(card: str) -> str:
    return card if card in ACTIONS else UNSEEN


class Counted(Table):
    """A table at which cards are only counted."""

    lies: tuple[str, ...] = ()  # the cards on the table
    discards: tuple[str, ...] = ()
    new: tuple[str, ...] = ()  # action cards that have turned up in this turn, and nobody has said so
    meant: Play | None = None  # by who plays next
    played: Play | None = None  # the newest

    def told(self, state: State) -> State:
        """How things stand, as a referee would know it who is told every card."""
        house = replace(state.house, cards=TOLD)
        return replace(state, house=house, table=self.lies, discards=self.discards, stock=None)

    def next_move(self, state: State) -> Move:
        told = self.told(state)
        move = super().next_move(told)
        if self.new and state.phase == "turn":
            return Fill(state.turn, self.new[0], at=move.at)
        return self.said(told, move)

    def said(self, told: State, move: Move) -> Move:
        """What is said of a move. What is no run is three cards, so that it is refused here too."""
        if not isinstance(move, Play):
            return counted(told.house, move)
        try:
            rule(self._known(told), move)
        except Foul:
            return Lay(move.player, THREE, at=move.at)
        self.meant = move
        return counted(told.house, move)

    def _known(self, told: State) -> State:
        """The same with the hands."""
        hands = tuple(tuple(self.hands[player]) for player in told.players)
        return replace(told, hands=hands, drawn=told.drawn and self._last_drawn)

    def ruled(self, ruling: Ruling) -> None:
        """The cards go where the ruling says, each with its face."""
        for moved in self._with_faces(ruling.events):
            self._carry(moved)
        self.new = self.new if ruling.state.filled else ()

    def _with_faces(self, events: tuple[Event, ...]) -> Iterator[CardsMoved]:
        is_said = True  # what turns up
        for event, after in zip(events, (*events[1:], None), strict=True):
            match event:
                case Laid():
                    self.new, is_said = (), False
                    self.played = self._play_of(event, events)
                case TurnedUp(_, card) if not isinstance(after, CardsMoved):
                    self._has_turned_up(card)
                case CardsMoved(cards, source, target) if target == TABLE:
                    yield from self._to_table(cards, is_said=is_said)
                case CardsMoved(_, source, target) if source == TABLE and self.played:
                    yield self._discarded(replace(event, cards=(self.played.table_card,)))
                case CardsMoved(_, source, target) if target == DISCARDS and self.played:
                    yield self._discarded(replace(event, cards=self.played.cards))
                case CardsMoved(_, source, target) if source == DISCARDS:
                    yield replace(event, cards=self.discards)
                    self.discards = ()
                case CardsMoved():
                    yield event

    def _to_table(self, cards: tuple[str, ...], *, is_said: bool) -> Iterator[CardsMoved]:
        """One after the other, as they lie on the pile, or as they are said to."""
        for card in cards:
            face = self.pile[-1] if card == UNSEEN else card
            yield CardsMoved((face,), PILE, TABLE)
            self.lies += (face,)
            if face in ACTIONS and not is_said:
                self.new += (face,)

    def _discarded(self, moved: CardsMoved) -> CardsMoved:
        self.discards += moved.cards
        if moved.source == TABLE:
            self.lies = _without(self.lies, *moved.cards)
        return moved

    def _has_turned_up(self, card: str) -> None:
        """Somebody has said what it is; and so it is."""
        if card in self.new:
            self.new = _without(self.new, card)
        else:
            self.lies = (*self.lies[:-1], card)

    # --- a play of which only that much is known ---------------------------------------------------------------

    def _play_of(self, laid: Laid, events: tuple[Event, ...]) -> Play:
        """The play that was meant, else one that can be it; if there is none, cards that are said to be."""
        is_three = any(isinstance(event, MustDraw) and "take-three" in event.why for event in events)
        meant, self.meant = self.meant, None
        if meant is not None and self._is(meant, laid):
            return meant
        hand = self.hands[laid.player]
        for cards in (hand, sorted({*hand, *self.pile})):
            found = next(self._plays_of(laid, cards, is_three=is_three), None)
            if found is not None:
                return found
        others = [card for card in hand if card not in ACTIONS] or hand
        return Play(laid.player, self.lies[0], (laid.card or others[0], *others[1:])[: laid.count])

    def _is(self, play: Play, laid: Laid) -> bool:
        has_all = play.table_card in self.lies and set(play.cards) <= set(self.hands[laid.player])
        said = counted(self.house, play)
        return has_all and isinstance(said, Lay) and (said.player, said.cards, said.action) == _of(laid)

    def _plays_of(self, laid: Laid, cards: list[str], *, is_three: bool) -> Iterator[Play]:
        for card in self.lies:
            for chosen in permutations(cards, laid.count):
                play = Play(laid.player, card, chosen)
                said = counted(self.house, play)
                if is_run(card, *chosen) and said == Lay(laid.player, laid.count, laid.card, is_three):
                    yield play


def _of(laid: Laid) -> tuple[str, int, str]:
    return laid.player, laid.count, laid.card


def _without(cards: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)
