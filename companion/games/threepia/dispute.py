"""What can be disputed in Threepia: the cards that were laid last, newest first, and how a ruling is put right."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.core.errors import MatchError
from companion.core.match import Match
from companion.core.record import move_plain
from companion.core.requests import Correct, MoveMessage
from companion.core.rules import Foul
from companion.games.threepia.rules import CORNERS, SYMBOLS, Deal, Lay, card_of, misfits
from companion.watch.evidence import Act, Evidence, Know, PutRight, Statement
from companion.watch.messages import DisputedPlay, Really
from companion.watch.told_evidence import told_play

MOST = 40  # plays that can be looked at again
LIKELY = 6  # other cards that are offered for one that was read wrongly


@dataclass(frozen=True, slots=True)
class LaidCard:
    """One card that was laid, with its ruling. `verdict` is legal or called."""

    number: int  # of the move; 0: it was refused, and is none
    verdict: str
    cell: int  # the place of the field, counted from 1
    card: str
    covered: str
    sentence: str
    player: str = ""
    evidence: Evidence | None = None
    likely: tuple[str, ...] = ()
    accepts: tuple[str, ...] = ()  # any card that fits, which are too many to be told


@dataclass(slots=True)
class LaidCards:
    """What the witness did lately, for as long as it may be disputed. Hand it every act when it has been done."""

    _seen: deque[Evidence] = field(default_factory=lambda: deque(maxlen=MOST))

    def keep(self, act: Act, match: Match) -> None:
        del match
        if isinstance(act, PutRight):
            taken = next((one for one in reversed(self._seen) if (one.cell, one.card) == (act.cell, act.card)), None)
            if taken is not None:
                self._seen.remove(taken)
        elif isinstance(act, Statement) and isinstance(act.message, MoveMessage) and act.evidence is not None:
            self._seen.append(act.evidence)

    def plays(self, match: Match) -> tuple[LaidCard, ...]:
        found, told = [], set()
        for number in range(len(match.line), 0, -1):
            move = match.line[number - 1].move
            if isinstance(move, Deal):
                break
            if isinstance(move, Lay) and move.place:
                play = self._laid(match, number, move)
                found.append((play.evidence.stamp if play.evidence else 0, play))
                told.add((play.cell, play.card))
        found += [(one.stamp, self._refusal(match, one)) for one in self._seen if (one.cell, one.card) not in told]
        return tuple(play for _, play in sorted(found, key=lambda one: -one[0])[:MOST])

    def play_of(self, cell: int, card: str, match: Match) -> LaidCard:
        for play in self.plays(match):
            if (play.cell, play.card) == (cell, card):
                return play
        raise MatchError(f"None of the last plays is {card[:60]} on cell {cell}: say which card was read, and where.")

    def reads(self, play: LaidCard, card: str) -> None:
        """What was seen stays with the play under its right name; that is in the match."""

    def put_right(self, message: Really, play: LaidCard, match: Match) -> Correct | Know:
        try:
            card = str(card_of(message.card))
        except ValueError as error:
            raise MatchError(f"{error}: name its four symbols, like {SYMBOLS[0]}.") from None
        if not play.number:
            return Know(0, play.cell, card)
        return Correct(play.number, {**move_plain(match.line[play.number - 1].move), "card": card, "turned": 0})

    def told(self, play: LaidCard, pictures: Sequence[str]) -> DisputedPlay:
        return told_play(play, pictures)

    def _laid(self, match: Match, number: int, move: Lay) -> LaidCard:
        done = match.line[number - 1]
        before = match.line[number - 2].ruling.state if number > 1 else match.start.state
        at = before.house.field.geometry.numbers[move.place]
        card = str(card_of(move.card, move.turned)) if move.card else "?"
        seen = next((one for one in reversed(self._seen) if (one.cell, one.card) == (at + 1, card)), None)
        covered = before.field[at] if before.field else "?"
        sentence = done.ruling.events[0].sentence
        likely = _instead(card, covered) if move.card and before.field else ()
        return LaidCard(number, "legal", at + 1, card, covered, sentence, move.player, seen, likely)

    def _refusal(self, match: Match, seen: Evidence) -> LaidCard:
        state = match.state
        covered = state.field[seen.cell - 1] if state.field else "?"
        likely = _instead(seen.card, covered) if state.field else ()
        why = _why_not(match, seen) if state.field else ""
        return LaidCard(0, "called", seen.cell, seen.card, covered, why, state.turn, seen, likely)


def _why_not(match: Match, seen: Evidence) -> str:
    """What the rules say of a card that was refused."""
    letter = match.state.house.field.letters[seen.cell - 1]
    try:
        match.rule(Lay(match.state.turn, letter, seen.card, at=match.now))
    except Foul as foul:
        return foul.sentence
    return ""


def _instead(card: str, covered: str) -> tuple[str, ...]:
    """Cards that fit and differ from this one in one symbol: those in which it does not fit first."""
    words, under = card.split(), card_of(covered)
    wrong = misfits(card_of(card), under)
    found = []
    for corner in sorted(range(len(CORNERS)), key=lambda one: one not in wrong):
        for symbol in map(str, SYMBOLS):
            other = " ".join([*words[:corner], symbol, *words[corner + 1 :]])
            near = len({*symbol.split("-")} & {*words[corner].split("-")}) == 1
            if near and not misfits(card_of(other), under):
                found.append(other)
    return tuple(found[:LIKELY])
