"""What can be disputed in Triple³: the last plays, newest first, what each ruling rests on, and how to correct it.

It decides nothing and draws nothing. What people settle goes to the referee as a message like any other.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.core.correction import Done
from companion.core.errors import MatchError
from companion.core.match import Match
from companion.core.record import move_plain
from companion.core.requests import Correct, MoveMessage
from companion.core.rules import Event
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import (
    DECK,
    FoundLying,
    GoOn,
    Lay,
    Lies,
    PlayedIllegally,
    PlayedLegally,
    TakeBack,
    TakenBack,
    Triple,
)
from companion.watch.evidence import Act, Called, Evidence, Know, PutRight, Statement
from companion.watch.messages import DisputedPlay, Really
from companion.watch.told_evidence import told_play

MOST = 40  # plays that can be looked at again
LIKELY = 6  # other cards that are offered for one that was read wrongly
ALIKE = frozenset({frozenset({"blue", "purple"}), frozenset({"red", "yellow"})})  # in a dim light


@dataclass(frozen=True, slots=True)
class Disputable:
    """One play with its ruling.

    `verdict` is legal, illegal (kept on the table), called (refused), unruled (nobody could follow) or taken-back.
    """

    number: int  # of the move; 0: it was refused, and is none
    verdict: str
    cell: int
    card: str
    covered: str  # what the card was laid on, or what shows since it was taken back
    sentence: str
    grid: tuple[str, ...]  # the nine cards of the match on which it was ruled
    triples: tuple[Triple, ...] = ()  # what it makes
    standing: tuple[Triple, ...] = ()  # what it has in common with lines that had it before
    accepts: tuple[str, ...] = ()  # the values that the cell took
    player: str = ""
    at: int | None = None  # table time
    evidence: Evidence | None = None  # none: it was said by people, or is too long ago
    likely: tuple[str, ...] = ()  # other cards it might be

    @property
    def guess(self) -> str:
        return self.evidence.guess if self.evidence else ""


@dataclass(frozen=True, slots=True)
class _Kept:
    act: Statement | Called | PutRight
    moves: int  # that the match had when it was done


@dataclass(frozen=True, slots=True)
class Recollection:
    """What the witness did lately, for as long as it may be disputed. Hand it every act when it has been done."""

    _kept: deque[_Kept] = field(default_factory=lambda: deque(maxlen=3 * MOST))

    def keep(self, act: Act, match: Match) -> None:
        if isinstance(act, Called | PutRight) or (isinstance(act, Statement) and act.evidence is not None):
            self._kept.append(_Kept(act, len(match.line)))

    def plays(self, match: Match) -> tuple[Disputable, ...]:
        """The last plays of this round, newest first."""
        found: list[Disputable] = []
        refused = self._refused(match)
        for number in range(len(match.line), -1, -1):
            found += [_refusal(called, match) for called, after in refused if after == number]
            if number and (play := self._play(match, number)) is not None:
                found.append(play)
            if len(found) >= MOST or (number and isinstance(match.line[number - 1].move, triple3.Deal)):
                break
        return tuple(found[:MOST])

    def play_of(self, cell: int, card: str, match: Match) -> Disputable:
        """The newest play of a card on a cell; an error that says that there is none."""
        for play in self.plays(match):
            if (play.cell, play.card) == (cell, card):
                return play
        raise MatchError(f"None of the last plays is {card[:40]} on cell {cell}: say which card was read, and where.")

    def reads(self, play: Disputable, card: str) -> None:
        """What was seen of a play stays with it when its card turns out to be another one."""
        for at, kept in enumerate(self._kept):
            act = kept.act
            if isinstance(act, Statement) and act.evidence is not None and act.evidence is play.evidence:
                self._kept[at] = replace(kept, act=replace(act, evidence=replace(act.evidence, card=card)))

    def put_right(self, message: Really, play: Disputable, match: Match) -> Correct | Know:
        """What a message of that kind comes to, or an error that says why it cannot be."""
        cell, card = message.cell, message.card
        if card not in DECK:
            raise MatchError(f"There is no card {card[:40]!r}; cards are called like {DECK[0]}.")
        if match.state.seen >> DECK.index(card) & 1:
            raise MatchError(f"{card} cannot be on cell {cell}: it has been seen on the table already.")
        settled = really(play, card, match)
        if settled is None:
            raise MatchError(f"{play.card} was taken back from cell {cell}: there is nothing to rule on again.")
        return settled

    def told(self, play: Disputable, pictures: Sequence[str]) -> DisputedPlay:
        return told_play(play, pictures)

    def _play(self, match: Match, number: int) -> Disputable | None:
        done = match.line[number - 1]
        before = match.line[number - 2].ruling.state if number > 1 else match.start.state
        seen = self._evidence(match, number)
        return next((_ruled(event, done, number, before, seen) for event in _plays_of(done)), None)

    def _evidence(self, match: Match, number: int) -> Evidence | None:
        """What a move rests on: the newest that was seen of that card on that cell, if it has lain there since."""
        move = match.line[number - 1].move
        if not isinstance(move, Lay | Lies):
            return None
        for kept in reversed(self._kept):
            act = kept.act
            if isinstance(act, PutRight):
                if (act.cell, act.card) == (move.cell, move.card):
                    return None
            elif (seen := act.evidence) is not None and (seen.cell, seen.card) == (move.cell, move.card):
                between = [done.move for done in match.line[kept.moves : number - 1]]
                gone = any(isinstance(one, TakeBack) and one.cell == move.cell for one in between)
                return None if gone else seen
        return None

    def _refused(self, match: Match) -> list[tuple[Called, int]]:
        """Plays that were called, newest first, each once, without those that were found legal after all; and behind
        which move each was refused. Moves may have been undone since."""
        numbers = range(1, len(match.line) + 1)
        made = {_seen(evidence) for number in numbers if (evidence := self._evidence(match, number)) is not None}
        found: dict[tuple[int, int], tuple[Called, int]] = {}
        for kept in self._kept:
            if isinstance(kept.act, Called) and (seen := _seen(kept.act.evidence)) not in made:
                found.pop(seen, None)  # it was refused once more
                found[seen] = kept.act, min(kept.moves, len(match.line))
        return list(reversed(found.values()))


def _seen(evidence: Evidence) -> tuple[int, int]:
    """Which play it was, whatever its card is called since then."""
    return evidence.cell, evidence.stamp


def _plays_of(done: Done) -> Iterator[Event]:
    """The events of a move that tell of a card laid, found or taken back."""
    for event in done.ruling.events:
        if isinstance(event, PlayedLegally | PlayedIllegally | FoundLying | TakenBack):
            yield event


def _ruled(event: Event, done: Done, number: int, before: triple3.State, evidence: Evidence | None) -> Disputable:
    move, sentence = done.move, event.sentence
    grid = before.grid
    match event:
        case PlayedLegally(player, cell, card, covered, triples):
            verdict, found, had = "legal", triples, triple3.standing(grid, cell, card)
        case PlayedIllegally(player, cell, card, covered, standing):
            verdict, found, had = "illegal", (), standing
        case FoundLying(player, cell, card, covered):
            verdict, found, had = "unruled", triple3.triples(grid, cell, card), triple3.standing(grid, cell, card)
        case TakenBack(player, cell, card):
            covered = done.ruling.state.grid[cell - 1] if done.ruling.state.piles else ""
            verdict, found, had = "taken-back", (), ()
        case _:
            raise TypeError(event)
    return Disputable(
        number,
        verdict,
        cell,
        card,
        covered,
        sentence,
        grid,
        found,
        had,
        triple3.values_of(triple3.accepted(grid, cell)),
        player,
        move.at,
        evidence,
        likely_instead(card, done.ruling.state),
    )


def _refusal(called: Called, match: Match) -> Disputable:
    grid, cell, card = called.grid, called.cell, called.card
    return Disputable(
        0,
        "called",
        cell,
        card,
        grid[cell - 1],
        called.sentence,
        grid,
        (),
        triple3.standing(grid, cell, card),
        triple3.values_of(triple3.accepted(grid, cell)),
        evidence=called.evidence,
        likely=likely_instead(card, match.state),
    )


# --- which card it might be instead ----------------------------------------------------------------------------


def likely_instead(card: str, state: triple3.State) -> tuple[str, ...]:
    """Cards that have not been seen and differ from this one in one thing, what is most easily mistaken first."""
    others = [other for at, other in enumerate(DECK) if other != card and not state.seen >> at & 1]
    near = sorted((_unlike(card, other), other) for other in others)
    return tuple(other for distance, other in near if distance < FAR)[:LIKELY]


FAR = 10  # two things or more are different


def _unlike(card: str, other: str) -> int:
    (colour, shape, count), (colour2, shape2, count2) = card.split("-"), other.split("-")
    if (colour != colour2) + (shape != shape2) + (count != count2) != 1:
        return FAR
    if colour != colour2:
        return 0 if frozenset({colour, colour2}) in ALIKE else 4
    return abs(int(count) - int(count2)) if count != count2 else 5


# --- what people may settle ------------------------------------------------------------------------------------


def really(play: Disputable, card: str, match: Match) -> Correct | Know | None:
    """That card is another one: the ruling on it, and on everything after it, is made again.

    A play that was refused is no move: the witness is told, and has it ruled on as soon as the round goes on.
    Nothing for a card that was taken back.
    """
    if not play.number:
        return Know(0, play.cell, card)
    return None if play.verdict == "taken-back" else Correct(play.number, {**_move(play, match), "card": card})


def was_by(play: Disputable, player: str, match: Match) -> Correct | None:
    """This player laid it; nothing where nobody knows how the card came there, or it does not lie there."""
    if play.verdict not in ("legal", "illegal"):
        return None
    return Correct(play.number, {**_move(play, match), "player": player})


def not_laid(play: Disputable) -> Correct | None:
    """It did not happen, or does not stand; nothing where it was refused anyway."""
    return Correct(play.number, None) if play.number else None


def let_stand(play: Disputable) -> MoveMessage | None:
    """The table lets a refused card lie as it lies; nothing where it is a move of the match already."""
    return None if play.number else MoveMessage(Lies("", play.cell, play.card), None, "")


def go_on() -> MoveMessage:
    return MoveMessage(GoOn(""), None, "")


def _move(play: Disputable, match: Match) -> dict[str, Any]:
    return move_plain(match.line[play.number - 1].move)
