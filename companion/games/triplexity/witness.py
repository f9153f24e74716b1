"""The witness of a match of Triplexity: makes moves of what was seen, frame by frame.

It has no clock and no pixels. Everything is known of this small game, so it compares: when all three places lie still,
`witness_stacks.py` says how they lie and what was done, and `witness_match.py` which move of the match leads there.
What no single move explains, or what two people may have done, is asked.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from companion.core.clocks import SECOND
from companion.core.match import Match
from companion.core.replies import Refusal, Reply
from companion.core.requests import MoveMessage, Undo
from companion.core.rules import Move
from companion.games.triplexity import witness_words as words
from companion.games.triplexity.rules import GAME, PLACES, Put, Shift, State
from companion.games.triplexity.sight import BARE, PUT, TURN, LaidOut, Odds
from companion.games.triplexity.witness_match import MatchStacks, Reached, Stacks, state_before
from companion.games.triplexity.witness_stacks import ALL, SeenStacks, Steps, Weighed
from companion.watch.evidence import Act, Evidence, Noticed, PutRight, Statement
from companion.watch.tracker import Deed
from companion.watch.witness_account import WHOLE, WitnessAccount

if TYPE_CHECKING:
    from vision.sightings import CellNow, Prior, Sighting

STAYS = 4 * SECOND  # a hand over a place, before that is told
WAITS = 2 * SECOND  # for what is in the air or lies otherwise, before that is told
TAKEN_BACK = 2  # moves at most, one after the other


@dataclass(frozen=True, slots=True)
class Refused:
    """A move that the referee refused, and that was not put back yet."""

    place: int
    face: str
    since: int


class Witness:
    """Hand it every frame's sightings; what it returns is to be done in that order. `seats` says which player sits at
    which side of the mat."""

    def __init__(self, *, seats: Mapping[str, str] | None = None) -> None:
        self._seats = dict(seats or {})
        self._account = WitnessAccount(GAME, words.EYES_BACK)
        self._stacks: SeenStacks | None = None
        self._refused: Refused | None = None
        self._known: State | None = None  # of the match, when it was looked at last
        self._otherwise: int | None = None  # since when the table lies otherwise than the match has it
        self._clearing = False  # the pieces of the last round are being taken off
        self._asked = False  # what lies there was asked about, and nothing has changed since
        self._is_beyond = False  # more was moved than what was refused
        self._is_lost = False  # what lies there was not understood

    # --- what others tell

    def not_before(self, stamp: int) -> None:
        self._account.latest = max(self._account.latest, stamp)

    @property
    def is_pondering(self) -> bool:
        return self._stacks is not None and self._stacks.is_open

    def watched_until(self, stamp: int) -> int:
        return stamp  # nothing runs out in this game

    def prior(self) -> "Prior | None":
        return None

    def touched(self, cell: int) -> tuple[int, ...]:
        return (cell,) if cell in ALL else ()

    def told(self, act: Act, replies: Sequence[Reply]) -> list[Act]:
        """What the referee answered: what it refused lies there until it is put back."""
        if isinstance(act, Statement) and isinstance(act.message, MoveMessage) and act.evidence is not None:
            is_refused = any(isinstance(reply, Refusal) for reply in replies)
            seen = act.evidence
            self._refused = Refused(seen.cell, seen.card, self._account.stamp) if is_refused else None
        return self._account.given()

    def said_card(self, cell: int, card: str, stamp: int, match: Match) -> list[Act]:
        """A piece that was refused is really another one: it is ruled on anew."""
        self._account.enter(stamp, match)
        stacks, board = self._stacks, MatchStacks(match)
        if stacks is not None and stacks.table is not None and cell in ALL and card in board.pieces.faces:
            self._refused = None
            table = stacks.table.shows(cell - 1, card)
            stacks.faces[cell] = card
            stacks.begin_anew(table)
            self._made(board, table.stacks, None, None)
        return self._account.given()

    def said_move(self, move: Move, stamp: int, match: Match) -> list[Act] | None:
        del move, stamp, match  # what is typed goes to the referee; what is seen then is what the match has
        return None

    def awaits(self, move: Move) -> bool:
        del move
        return False

    # --- frame by frame

    def take(self, sightings: "Iterable[Sighting]", cells: "Sequence[CellNow]", stamp: int, match: Match) -> list[Act]:
        account, board = self._account, MatchStacks(match)
        account.enter(stamp, match)
        if self._stacks is None:
            self._stacks = SeenStacks(board.pieces, is_advanced=board.is_advanced)
        for one in sightings:
            self._see(self._stacks, one)
        self._stacks.note(cells, stamp)
        if not account.lost:
            self._follow()
            if self._stacks.is_still(stamp):
                self._still(self._stacks, board)
            self._places(self._stacks)
        return account.given()

    def _see(self, stacks: SeenStacks, seen: "Sighting") -> None:
        match type(seen).__name__:
            case "GridSeen":
                stacks.whole(seen.looks, seen.stamp)  # type: ignore[attr-defined]
                if WHOLE in self._account.lost:
                    self._account.found(WHOLE)
                    self._account.step(0)
            case "CardSeen" | "NoCard":
                stacks.changed(seen)  # type: ignore[arg-type]
            case "CannotRead":
                place = seen.cell  # type: ignore[attr-defined]
                self._account.out_of_step(place, "cannot-read", *words.cannot_read(PLACES[place - 1], seen.reason))  # type: ignore[attr-defined]
            case "TableLost":
                self._account.lose("table", seen.why)  # type: ignore[attr-defined]
            case "TableSeen":
                self._account.found("table")
            case "Trouble":
                self._account.lose(seen.code, seen.sentence)  # type: ignore[attr-defined]
            case "TroubleOver":
                self._account.found(seen.code)  # type: ignore[attr-defined]

    # --- what lies there

    def _follow(self) -> None:
        """The match was changed, by what was seen or by people."""
        state = self._account.state
        before, self._known = self._known, state
        if before is state or before is None:
            return
        self._asked = False
        self._adopt(MatchStacks(self._account.match))
        if state.rounds_played != before.rounds_played or state.phase == "over" != before.phase:
            self._refused = None
            self._clearing = state.rounds_played > before.rounds_played  # else the end of a round was undone
            if self._clearing and state.phase != "over":
                self._account.do(Noticed(self._account.stamp, (), "clear", words.CLEAR))

    def _adopt(self, board: MatchStacks) -> None:
        """Where it was asked what lies there, what people have said then is so, if it looks so."""
        stacks, lies = self._stacks, LaidOut(board.stacks(board.state))
        if self._is_lost and stacks is not None and stacks.table is not None and stacks.knows(lies):
            self._is_lost = False
            stacks.begin_anew(lies)

    def _still(self, stacks: SeenStacks, board: MatchStacks) -> None:
        """Everything lies still and can be seen."""
        if stacks.table is None:
            self._find(stacks, board)
            return
        if self._clearing:
            self._cleared(stacks, board)
            return
        if stacks.is_open and not stacks.is_new:
            return  # it was asked about
        if stacks.is_open:
            weighed = stacks.weighed(lambda steps: self._plausible(board, stacks.odds, steps))
            was_lost, self._asked = self._is_lost, False
            if weighed is None and was_lost and stacks.knows(stacks.table):
                stacks.begin_anew(stacks.table)  # everything was put back
            elif weighed is None or self._is_half_seen(board, weighed):
                if weighed is not None or was_lost:  # what came since then does not explain it either
                    stacks.forget()
                self._ask(0, "unsure", *words.unsure(board.named(self._account.state)))
                return
            else:
                self._weighed(board, weighed)
        self._compare(stacks, board)

    def _find(self, stacks: SeenStacks, board: MatchStacks) -> None:
        """Nobody knows what lies there: is it what the match has?"""
        state = self._account.state
        wanted = LaidOut(board.stacks(state))
        if stacks.knows(wanted):
            stacks.begin_anew(wanted)
            self._otherwise = None
            self._compare(stacks, board)
        elif self._clearing:
            self._cleared(stacks, board)
        elif not self._asked:
            self._lies_otherwise(board)

    def _compare(self, stacks: SeenStacks, board: MatchStacks) -> None:
        """Whether the table lies as the match has it; if not, it is told after a while."""
        assert stacks.table is not None
        lies, state = stacks.table.stacks, self._account.state
        if board.is_so(lies, board.stacks(state)):
            if stacks.table.aloft:  # it is in somebody's hand, where the match has it
                stacks.begin_anew(stacks.table._replace(aloft=()))
            self._otherwise, self._asked, self._is_beyond, self._is_lost = None, False, False, False
            self._put_right()
            self._account.step(0)
            for place in ALL:
                self._account.step(place, PLACES[place - 1])
        elif (self._refused is None or self._is_beyond) and not self._asked:
            if stacks.table.aloft:
                self._aloft(stacks.table)
            else:
                self._lies_otherwise(board)

    def _put_right(self) -> None:
        if self._refused is not None:
            refused, self._refused = self._refused, None
            took, name = self._account.stamp - refused.since, PLACES[refused.place - 1]
            self._account.do(PutRight(self._account.stamp, refused.place, refused.face, took, name))

    def _waited(self) -> bool:
        self._otherwise = self._account.stamp if self._otherwise is None else self._otherwise
        return self._account.stamp - self._otherwise >= WAITS

    def _lies_otherwise(self, board: MatchStacks) -> None:
        if self._waited():
            self._ask(0, "differs", *words.differs(board.named(self._account.state)))

    def _aloft(self, table: LaidOut) -> None:
        if self._waited():
            self._ask(0, "missing", *words.missing([held.face for held in table.aloft]))

    def _ask(self, place: int, code: str, sentence: str, way_back: str) -> None:
        self._asked, self._is_lost = True, code in ("missing", "differs", "whose", "unsure")
        self._account.out_of_step(place, code, sentence, way_back)

    # --- what was done

    def _plausible(self, board: MatchStacks, odds: Odds, steps: Steps) -> float:
        """How likely people do that in this match: as a rule what the rules let."""
        state, found = self._account.state, 0.0
        for table, _ in steps:
            if board.is_so(table.stacks, board.stacks(state)):
                continue
            reached = next(board.reached(state, table.stacks), None)
            if reached is None or reached.is_unturned:
                if self._taken_back(board, table.stacks):
                    return found + log(odds.taken_back / odds.aloft if table.aloft else 1.0)
                return found if reached or table.aloft else found + log(odds.beyond)
            after = self._account.ruled(reached.move, state)
            if after is None:
                found += log(odds.illegal if reached.move.player == state.turn else odds.out_of_turn)
            state = after or state
        return found

    def _is_half_seen(self, board: MatchStacks, weighed: Weighed) -> bool:
        """A piece was placed of which nobody saw the pips, and they count."""
        return board.is_advanced and any(deed is not None and deed.face.endswith("-") for _, deed in weighed.steps)

    def _weighed(self, board: MatchStacks, weighed: Weighed) -> None:
        """One deed after the other, as it was seen."""
        self._otherwise = None
        for table, deed in weighed.steps:
            if self._made(board, table.stacks, weighed, deed):
                return

    def _made(self, board: MatchStacks, lies: Stacks, weighed: Weighed | None, deed: Deed | None) -> bool:
        """What a way of lying there comes to; whether something was asked."""
        state = self._account.state
        if board.is_so(lies, board.stacks(state)):
            self._put_right()
            return False
        found = next(board.reached(state, lies), None)
        arms = self._players(weighed, deed)
        back = self._taken_back(board, lies)
        if found is None or (back and self._account.ruled(self._by(found, state.turn)) is None):
            if back:
                return self._is_back(back, found, arms, weighed, deed)
            self._is_beyond = True
            return False
        if found.is_unturned:
            wanted = board.pieces.turned(found.face)
            self._ask(found.place, "unturned", *words.unturned(PLACES[found.place - 1], found.face, wanted))
            return True
        return self._moved(found, arms, weighed, deed)

    def _moved(self, found: Reached, arms: tuple[str, ...], weighed: Weighed | None, deed: Deed | None) -> bool:
        """One move leads there; in its turn, if no other hand has made it."""
        state = self._account.state
        other = next((player for player in arms if player != state.turn), "")
        is_others = bool(state.turn and other and len(arms) == 1 and isinstance(found.move, Shift))
        self._put_right()
        move = self._by(found, other if is_others else state.turn)
        self._account.say(move, self._at(weighed, deed), self._evidence(found, weighed, deed, arms))
        return False

    def _by(self, found: Reached, player: str) -> Put | Shift:
        move = found.move
        return Shift(player, move.source, move.target) if isinstance(move, Shift) else move

    def _taken_back(self, board: MatchStacks, lies: Stacks) -> int:
        """How many of the last moves are taken back, if the table lies as before them; 0 for none."""
        for count in range(1, min(TAKEN_BACK, len(self._account.match.line)) + 1):
            before = state_before(self._account.match, count)
            is_this_round = before.rounds_played == self._account.state.rounds_played and before.phase != "over"
            if is_this_round and board.is_so(lies, board.stacks(before)):
                return count
        return 0

    def _is_back(
        self, count: int, found: Reached | None, arms: tuple[str, ...], weighed: Weighed | None, deed: Deed | None
    ) -> bool:
        """It lies as it lay before. Whoever made the last move may take it back, and nobody else may move it back."""
        last = self._account.match.line[-1].move.player
        turn = self._account.state.turn
        if found is not None and arms != (last,):
            if arms == (turn,):
                return self._moved(found, arms, weighed, deed)
            self._ask(found.place, "whose", *words.whose(last, turn))
            return True
        for _ in range(count):
            self._account.send(Undo())
        self._account.state = state_before(self._account.match, count)
        self._refused = None
        return False

    def _players(self, weighed: Weighed | None, deed: Deed | None) -> tuple[str, ...]:
        """Whose hands were at it, as far as that was seen."""
        if weighed is None:
            return ()
        seen = weighed.of(deed)
        sides = weighed.arms if len(weighed.steps) == 1 else seen.arms if seen else ()
        return tuple(dict.fromkeys(self._seats[side] for side in sides if side in self._seats))

    def _at(self, weighed: Weighed | None, deed: Deed | None) -> int:
        seen = weighed.of(deed) if weighed else None
        return seen.change.by if seen else self._account.stamp

    def _evidence(
        self, found: Reached, weighed: Weighed | None, deed: Deed | None, arms: tuple[str, ...]
    ) -> Evidence | None:
        seen = weighed.of(deed) if weighed else None
        if weighed is None or seen is None:
            return None
        change, guess = seen.change, arms[0] if len(arms) == 1 else ""
        sides = weighed.arms if len(weighed.steps) == 1 else seen.arms
        return Evidence(
            found.place,
            found.face,
            seen.before,
            seen.after,
            change.since,
            change.stamp,
            sides,
            guess,
            change.by,
            chance=weighed.chance,
            place=PLACES[found.place - 1],
        )

    # --- between rounds

    def _cleared(self, stacks: SeenStacks, board: MatchStacks) -> None:
        """All pieces are taken off; then the next round begins."""
        if stacks.is_bare:
            self._clearing = False
            self._otherwise = None
            stacks.begin_anew(LaidOut())
            self._compare(stacks, board)
        elif stacks.table is not None and stacks.is_open:
            weighed = stacks.weighed(lambda _: 0.0, surely=0.0)
            if weighed is None:
                stacks.forget()
            elif self._is_end_taken_back(board, stacks.table):
                self._account.send(Undo())
            else:
                self._is_begun(stacks, board, weighed)

    def _is_begun(self, stacks: SeenStacks, board: MatchStacks, weighed: Weighed) -> None:
        """The first piece of the next round lies there as soon as the last ones are off, and never before."""
        assert stacks.table is not None
        lies = stacks.table.stacks
        came = [deed for _, deed in weighed.steps if deed is not None and deed.word != TURN]
        if came and not any(stack for at, stack in enumerate(lies) if at != came[-1].place):
            lies = tuple(stack[-1:] for stack in lies)  # what lay below it was taken off by the same hand
            self._clearing = False
            stacks.begin_anew(LaidOut(lies))
            self._made(board, lies, weighed, came[-1])
            self._compare(stacks, board)
        elif any(deed.word == PUT for deed in came):
            self._ask(0, "clear", words.CLEAR_FIRST, words.CLEAR_FIRST_BACK)

    def _is_end_taken_back(self, board: MatchStacks, table: LaidOut) -> bool:
        """The piece whose move has ended the round is back, and none was taken off."""
        line = self._account.match.line
        if not line or not isinstance(line[-1].move, Shift):
            return False
        return board.is_so(table.stacks, board.stacks(state_before(self._account.match, 1)))

    # --- a place that cannot be seen

    def _places(self, stacks: SeenStacks) -> None:
        for place in ALL:
            hidden, name = stacks.hidden_since(place), PLACES[place - 1]
            code = self._account.troubles.get(place, ("", 0))[0]
            if hidden is not None:
                if not code and self._account.stamp - hidden >= STAYS and self._known is not None:
                    self._account.out_of_step(place, "covered", *words.covered(name))
            elif stacks.faces.get(place, BARE) is None:
                self._account.out_of_step(place, "unknown", *words.unknown(name))
            elif code in ("covered", "unknown", "cannot-read"):
                self._account.step(place, name)
