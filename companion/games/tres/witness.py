"""The witness of a match of Tres: makes moves of what was seen, frame by frame.

It has no clock and no pixels. `witness_columns.py` has the cards as they lie, `witness_plays.py` what is played,
`witness_pile.py` who draws, `witness_account.py` tells it. Cards lie below the card of the table that they are played
with until all of them are swept up: so one card is a play when that of the table is gone with it, two are at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.clocks import SECOND
from companion.core.match import Match
from companion.core.replies import Refusal, Reply
from companion.core.requests import MoveMessage
from companion.core.rules import COUNTED, Move
from companion.games.tres.columns import COLUMNS, DRAW_PILE, PLACES, below, column_of, is_for_table
from companion.games.tres.rules import Catch, Deal, Keep, Play, Tres
from companion.games.tres.rules.turns import next_player
from companion.games.tres.sight import expected, made_out, weights
from companion.games.tres.witness_account import TABLE, TresAccount
from companion.games.tres.witness_columns import SeenCard, SeenColumns
from companion.games.tres.witness_pile import TresPile
from companion.games.tres.witness_plays import Plays
from companion.games.tres.witness_words import HAND_STAYS, NO_DEALER, TOLD_ONLY, cannot_read, face_down
from companion.watch.evidence import Act, Believe, Know, Statement
from companion.watch.witness_account import WHOLE

if TYPE_CHECKING:
    from vision.sightings import CannotRead, CellNow, Prior, Sighting

STAYS = 8 * SECOND  # a hand on the draw pile
PLAYED = ("fill", "turn", "drawn", "pay")  # phases in which hands are at work
CANNOT_READ, FACE_DOWN = "cannot-read", "face-down"


class TresWitness:
    """Hand it every frame's sightings; what it returns is to be done in that order. `seats` says which player sits at
    which side of the mat."""

    def __init__(self, *, seats: Mapping[str, str] | None = None) -> None:
        self._account = TresAccount()
        self.columns = SeenColumns()
        self._pile = TresPile(self._account, dict(seats or {}))
        self._plays = Plays(self._account, self.columns, self._pile, dict(seats or {}))
        self._unread: dict[int, CannotRead] = {}
        self._stays: int | None = None  # since when a hand is on the pile

    # --- what others tell

    def not_before(self, stamp: int) -> None:
        self._account.latest = max(self._account.latest, stamp)

    @property
    def is_pondering(self) -> bool:
        return self._pile.is_open or any(column.is_open for column in self.columns.columns.values())

    def watched_until(self, stamp: int) -> int:
        return stamp

    def prior(self) -> "Prior | None":
        import numpy as np  # noqa: PLC0415  (where nothing is watched it need not be there)

        if not self.columns.is_known or self._account.state.phase not in PLAYED:
            return None
        lying = {place: face for place, face in self.columns.faces.items() if face not in ("", "?")}
        return np.array(expected(self._account.state, self.columns.table, lying))

    def touched(self, cell: int) -> tuple[int, ...]:
        """Somebody touches a place that is wrong."""
        return (cell,) if 1 <= cell <= PLACES else ()

    def told(self, act: Act, replies: Sequence[Reply]) -> list[Act]:
        """What the referee answered: what it refused lies there until it is taken back."""
        if isinstance(act, Statement) and isinstance(act.message, MoveMessage) and isinstance(act.message.move, Play):
            refused = next((reply for reply in replies if isinstance(reply, Refusal)), None)
            self._plays.answered(act, getattr(refused, "code", "") if refused else "")
        return self._account.given()

    def said_card(self, cell: int, card: str, stamp: int, match: Match) -> list[Act]:
        """Somebody says which card one is that was refused, or could not be read."""
        self._account.enter(stamp, match)
        if 1 <= cell <= PLACES:
            self._unread.pop(cell, None)
            self._account.step(cell)
            self._account.do(Know(stamp, cell, card))
            self.columns.shows(cell, card, SeenCard(cell, card, stamp, stamp, stamp))
            column = self.columns.columns[column_of(cell)]
            column.verdict, column.missed = "", False
        return self._account.given()

    def said_move(self, move: Move, stamp: int, match: Match) -> list[Act] | None:
        """Who says tres in the own turn has that turn, though the one before may still play the card just drawn."""
        state = match.state
        is_next = state.phase == "drawn" and move.player == next_player(state) and not state.may_say(move.player)
        if not isinstance(move, Tres) or not is_next or self.is_pondering:
            return None
        self._account.enter(stamp, match)
        self._account.say(Keep(state.turn), stamp)
        self._account.say(move, stamp)
        return self._account.given()

    def awaits(self, move: Move) -> bool:
        """Nobody has three cards before the play is seen that leaves them."""
        return isinstance(move, Catch | Tres)

    # --- frame by frame

    def take(self, sightings: "Iterable[Sighting]", cells: "Sequence[CellNow]", stamp: int, match: Match) -> list[Act]:
        self._account.enter(stamp, match)
        for one in sightings:
            self._see(one)
        self.columns.note(cells, stamp)
        if not self._account.lost and self.columns.is_known:
            self._follow()
        self._pile_is_free(cells)
        return self._account.given()

    def _follow(self) -> None:
        """What is made of it in each phase."""
        phase = self._account.state.phase
        if phase != "over" and not self._is_told():
            return
        if phase in ("dealer", "deal"):
            self._deal()
        elif phase in PLAYED:
            self._plays.as_the_match()
            self._in_order()
            self._questions()

    def _is_told(self) -> bool:
        if self._account.state.house.cards != COUNTED:
            return True
        self._account.out_of_step(TABLE, "counted", *TOLD_ONLY)
        return False

    def _in_order(self) -> None:
        """Hands at the pile and cards on the table, one after the other; each may settle what the other waits for."""
        for _ in range(len(COLUMNS) + 1):
            before = self._account.state
            self._pile.due(self.columns)
            self._plays.due()
            if self._account.state is before:
                return

    def _see(self, seen: "Sighting") -> None:
        match type(seen).__name__:
            case "GridSeen":
                self.columns.whole(seen.looks, self._account.stamp)  # type: ignore[attr-defined]
                self._account.found(WHOLE)
                if not self._account.lost:
                    self._account.step(TABLE)
            case "CardSeen" | "NoCard":
                self.columns.changed(seen)  # type: ignore[arg-type]
                self._read(seen.cell)  # type: ignore[attr-defined]
            case "CannotRead":
                self._cannot_read(seen)  # type: ignore[arg-type]
            case "HandsSeen" if seen.pile == DRAW_PILE:  # type: ignore[attr-defined]
                self._pile.see(seen)  # type: ignore[arg-type]
            case "TableLost":
                self._account.lose("table", seen.why)  # type: ignore[attr-defined]
            case "TableSeen":
                self._account.found("table")
            case "Trouble":
                self._account.lose(seen.code, seen.sentence)  # type: ignore[attr-defined]
            case "TroubleOver":
                self._account.found(seen.code)  # type: ignore[attr-defined]

    # --- the cards of the table at the beginning

    def _deal(self) -> None:
        """Three cards lie there, and nothing else."""
        faces = self.columns.faces
        cards = tuple(faces[place] for place in COLUMNS)
        rest = [faces[place] for column in COLUMNS for place in below(column)]
        if any(rest) or not all(cards) or "?" in cards:
            return
        if self._account.state.phase == "dealer":
            self._account.out_of_step(TABLE, "no-dealer", *NO_DEALER)
            return
        self._account.settled(TABLE, "no-dealer")
        self._account.say(Deal(self._account.state.dealer, cards), self._account.stamp)
        for place in COLUMNS:
            column = self.columns.columns[place]
            column.card, column.turned_up, column.bare_at = faces[place], None, 0

    # --- out of step and back

    def _cannot_read(self, seen: "CannotRead") -> None:
        """It may be told by what can lie there."""
        self._unread[seen.cell] = seen
        state = self._account.state
        if seen.change is not None and state.phase in PLAYED:
            lying = [face for face in self.columns.faces.values() if face not in ("", "?")]
            card, sure = made_out(seen.faces, weights(state, seen.cell, self.columns.table, lying))
            if card:
                self._account.do(Believe(self._account.stamp, seen.cell, card, sure))
                after = replace(seen.change.after, card=card, confidence=sure)
                self.columns.changed(replace(seen.change, after=after))
                self._read(seen.cell)
                return
        if not (is_for_table(seen.cell) or seen.faces or self.columns.faces.get(seen.cell)):
            return  # nothing lies there that could be seen
        self.columns.columns[column_of(seen.cell)].missed = not is_for_table(seen.cell)
        self._account.out_of_step(seen.cell, CANNOT_READ, *cannot_read(seen.cell, seen.reason))

    def _read(self, place: int) -> None:
        """It shows what can be told."""
        self._unread.pop(place, None)
        self._account.settled(place, CANNOT_READ)
        column = self.columns.columns[column_of(place)]
        column.missed = column.missed and bool(column.bare_at or column.turned_up)
        if self.columns.faces[place] == "?":
            self._account.out_of_step(place, FACE_DOWN, *face_down(place))
        else:
            self._account.settled(place, FACE_DOWN)

    def _questions(self) -> None:
        """What is no question any more."""
        self._account.settled(TABLE, "no-dealer")
        for place in [one for one in self._unread if self.columns.is_clear(one)]:
            self._read(place)

    def _pile_is_free(self, cells: "Sequence[CellNow]") -> None:
        """A hand that stays on the draw pile is told."""
        if len(cells) < DRAW_PILE or self._account.state.phase not in PLAYED:
            return
        now = cells[DRAW_PILE - 1]
        if now.now in ("clear", "unknown"):
            self._stays = None
            self._account.settled(DRAW_PILE, "hand-stays")
            return
        self._stays = self._account.stamp if self._stays is None else self._stays
        if self._account.stamp - self._stays >= STAYS:
            self._account.out_of_step(DRAW_PILE, "hand-stays", *HAND_STAYS)
