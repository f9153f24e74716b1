"""What can be disputed in Tres: the cards that were played and turned up last, and how one is put right."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.core.errors import MatchError
from companion.core.match import Match
from companion.core.record import move_plain
from companion.core.requests import Correct, MoveMessage
from companion.games.tres.columns import below, column_of
from companion.games.tres.rules import Deal, Fill, Play, deck, is_run
from companion.games.tres.sight import faces
from companion.games.tres.witness import CANNOT_READ
from companion.watch.evidence import Act, Evidence, Know, OutOfStep, PutRight, Statement
from companion.watch.messages import DisputedPlay, Really
from companion.watch.told_evidence import told_play

if TYPE_CHECKING:
    pass

MOST = 40  # plays that can be looked at again
LIKELY = 6  # other cards that are offered for one that was read wrongly
UNREAD = "?"


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """One card that was played or turned up, with its ruling. `verdict` is legal, called or unruled."""

    number: int  # of the move; 0: it is none
    verdict: str
    cell: int
    card: str
    covered: str  # the card of the table that it was played with
    sentence: str
    player: str = ""
    evidence: Evidence | None = None
    likely: tuple[str, ...] = ()
    accepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Ruled:
    move: Any
    evidence: Evidence


@dataclass(slots=True)
class TresDisputes:
    """What the witness did lately, for as long as it may be disputed. Hand it every act when it has been done."""

    _ruled: deque[_Ruled] = field(default_factory=lambda: deque(maxlen=MOST))
    _unread: dict[int, str] = field(default_factory=dict)  # by place: why

    def keep(self, act: Act, match: Match) -> None:
        del match
        if isinstance(act, OutOfStep) and act.code == CANNOT_READ:
            self._unread |= dict.fromkeys(act.cells, act.sentence)
        elif isinstance(act, PutRight):
            same = [one for one in self._ruled if column_of(one.evidence.cell) == column_of(act.cell)]
            if same:
                self._ruled.remove(same[-1])
        elif isinstance(act, Statement) and isinstance(act.message, MoveMessage) and act.evidence is not None:
            self._ruled.append(_Ruled(act.message.move, act.evidence))
            self._unread.pop(act.evidence.cell, None)

    def plays(self, match: Match) -> tuple[PlayedCard, ...]:
        found = [*self._open(), *self._refused(match)]
        for number in range(len(match.line), 0, -1):
            move = match.line[number - 1].move
            if isinstance(move, Deal):
                break
            if isinstance(move, Play | Fill):
                found += self._counted(match, number, move)
        return tuple(found[:MOST])

    def play_of(self, cell: int, card: str, match: Match) -> PlayedCard:
        for play in self.plays(match):
            if (play.cell, play.card) == (cell, card):
                return play
        raise MatchError(f"None of the last plays is {card[:60]} on cell {cell}: say which card was read, and where.")

    def reads(self, play: PlayedCard, card: str) -> None:
        """What was seen stays with the play under its right name; that is in the match."""

    def put_right(self, message: Really, play: PlayedCard, match: Match) -> Correct | Know:
        if not deck(match.setup.house).get(message.card):
            raise MatchError(f"{message.card[:40]!r} is not a card of this deck.")
        if not play.number:
            self._unread.pop(play.cell, None)
            return Know(0, play.cell, message.card)
        move = match.line[play.number - 1].move
        if isinstance(move, Fill):
            return Correct(play.number, {**move_plain(move), "card": message.card})
        assert isinstance(move, Play)
        cards = list(move.cards)
        cards[cards.index(play.card)] = message.card
        return Correct(play.number, {**move_plain(move), "cards": cards})

    def told(self, play: PlayedCard, pictures: Sequence[str]) -> DisputedPlay:
        return told_play(play, pictures)

    def _open(self) -> Iterator[PlayedCard]:
        for place, why in self._unread.items():
            yield PlayedCard(0, "unruled", place, UNREAD, "", why)

    def _refused(self, match: Match) -> Iterator[PlayedCard]:
        told = [done.move for done in match.line[-MOST:]]
        for one in reversed(self._ruled):
            if isinstance(one.move, Play) and not any(_is_same(one.move, move) for move in told):
                sentence = one.evidence.other
                yield from _cards_of(0, "called", one.move, sentence, one.evidence)

    def _counted(self, match: Match, number: int, move: Play | Fill) -> Iterator[PlayedCard]:
        seen = next((one.evidence for one in reversed(self._ruled) if _is_same(one.move, move)), None)
        sentence = match.line[number - 1].ruling.events[0].sentence
        if isinstance(move, Play):
            yield from _cards_of(number, "legal", move, sentence, seen)
        else:
            yield PlayedCard(number, "legal", seen.cell if seen else 0, move.card, "", sentence, move.player, seen)


def _is_same(one: Any, other: Any) -> bool:
    """The same move, whenever it was made."""
    return type(one) is type(other) and {**move_plain(one), "at": 0} == {**move_plain(other), "at": 0}


def _cards_of(number: int, verdict: str, move: Play, sentence: str, seen: Evidence | None) -> Iterator[PlayedCard]:
    """Each card of a play, at its place."""
    places = below(column_of(seen.cell)) if seen else (0, 0)
    if seen and len(move.cards) == 1:
        places = (seen.cell,)
    for place, card in zip(places, move.cards, strict=False):
        others = [one for one in move.cards if one != card]
        yield PlayedCard(
            number, verdict, place, card, move.table_card, sentence, move.player, seen, _instead(card, move, others)
        )


def _instead(card: str, move: Play, others: Sequence[str]) -> tuple[str, ...]:
    """Cards of the same colour or number that would fit."""
    words = {*card.split("-")}
    near = [one for one in faces() if one != card and words & {*one.split("-")}]
    return tuple(one for one in near if is_run(move.table_card, one, *others))[:LIKELY]
