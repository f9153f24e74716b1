"""The witness of a match of Threepia: makes moves of what was seen, frame by frame.

It has no clock and no pixels. `witness_field.py` has the field as it lies; here what came there becomes moves: a card
that is laid ends the turn as soon as it lies still, at the stamp at which it lay.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.core.clocks import SECOND
from companion.core.match import Match
from companion.core.replies import Refusal, Reply
from companion.core.requests import Correct, MoveMessage, Request, Undo
from companion.core.rules import Move
from companion.games.threepia.rules import Begin, Deal, Draw, Lay, State
from companion.games.threepia.sight import READ, TAKE, TURN, Sureness
from companion.games.threepia.witness_field import PlaceSeen, SeenField
from companion.games.threepia.witness_words import (
    EYES_BACK,
    cannot_read,
    field_differs,
    field_lies,
    pile_visited,
    unsure,
)
from companion.watch.evidence import Act, Evidence, InStep, LookAgain, Noticed, OutOfStep, PutRight, Statement
from companion.watch.tracker import Belief

if TYPE_CHECKING:
    from vision.sightings import CellNow, HandsSeen, Prior, Sighting

SURE = Sureness()
DRAWN = SECOND  # after hands were at the pile, whether a card was laid instead
LINGERS = 3 * SECOND  # hands over the field hold up a clock that has run out, and no longer
WAITS = 2 * SECOND  # for a field that is not the one of the match, before that is told


@dataclass(slots=True)
class Refused:
    """A card that the referee refused, and that lies there still."""

    card: str
    at: int
    since: int


class Witness:
    """Hand it every frame's sightings; what it returns is to be done in that order. `seats` says which player sits at
    which side of the mat."""

    def __init__(self, *, seats: Mapping[str, str] | None = None, printed: Iterable[str] = ()) -> None:
        self._seats = dict(seats or {})
        self.field = SeenField(tuple(printed))
        self._acts: list[Act] = []
        self._stamp = self._latest = 0
        self._state: State
        self._match: Match
        self._troubles: dict[int, tuple[str, int]] = {}  # by place; 0: the whole table
        self._lost: set[str] = set()
        self._refused: dict[int, Refused] = {}
        self._refills: list[str] = []  # who has played out the hand, and has not been seen to draw
        self._drawing: list[HandsSeen] = []
        self._wrong_field: int | None = None
        self._lay_at: dict[int, int] = {}  # by place: when a card came to lie there that could not be made out yet
        self._laid_at = self._at_pile = 0  # when the newest card was laid, and hands were at the pile

    # --- what others tell

    def not_before(self, stamp: int) -> None:
        self._latest = max(self._latest, stamp)

    @property
    def is_pondering(self) -> bool:
        return self.field.is_open

    def watched_until(self, stamp: int) -> int:
        """A card that was laid in time is in time, though it is told when the hand is gone."""
        return max(self.field.open_since(stamp), stamp - LINGERS)

    def prior(self) -> "Prior | None":
        return None

    def touched(self, cell: int) -> tuple[int, ...]:
        """Somebody touches a place that is wrong."""
        return self.field.look_anew(cell)

    def told(self, act: Act, replies: Sequence[Reply]) -> list[Act]:
        """What the referee answered: a card that it refused lies there until it is taken back."""
        self._acts = []
        if isinstance(act, Statement) and isinstance(act.message, MoveMessage) and act.evidence is not None:
            is_refused = any(isinstance(reply, Refusal) for reply in replies)
            if isinstance(act.message.move, Lay) and is_refused:
                seen = act.evidence
                self._refused[seen.cell] = Refused(seen.card, seen.stamp, self._stamp)
                self.field.lies(seen.cell, seen.card, counts=False)
        return self._given()

    def said_card(self, cell: int, card: str, stamp: int, match: Match) -> list[Act]:
        """A card that was refused is really another one."""
        self._enter(stamp, match)
        refused = self._refused.pop(cell, None)
        if refused is not None and self._state.phase == "turn":
            place = self._state.house.field.letters[cell - 1]
            evidence = Evidence(cell, card, None, None, refused.since, refused.at)
            self._say(Lay(self._state.turn, place, card), refused.at, evidence)
            self.field.lies(cell, card, counts=True)
        return self._given()

    def said_move(self, move: Move, stamp: int, match: Match) -> list[Act] | None:
        """The turn button says that a card was laid: it is the one that is seen, and the turn is over then."""
        del stamp, match
        return [] if isinstance(move, Lay) and not move.card and not move.place and self.field.is_open else None

    def awaits(self, move: Move) -> bool:
        del move
        return False

    # --- frame by frame

    def take(self, sightings: "Iterable[Sighting]", cells: "Sequence[CellNow]", stamp: int, match: Match) -> list[Act]:
        self._enter(stamp, match)
        for one in sightings:
            self._see(one)
        self.field.note(cells, stamp)
        if self._state.phase in ("ready", "turn") and not self._lost:
            self._follow()
            for place in self.field.settled(stamp, self._side()):
                self._place_seen(place)
            self._draws()
        elif self._state.phase == "deal" and not self._lost:
            self._deal()
        self._back_in_step()
        return self._given()

    def _enter(self, stamp: int, match: Match) -> None:
        self._stamp, self._match, self._state, self._acts = max(stamp, self._stamp), match, match.state, []

    def _given(self) -> list[Act]:
        acts, self._acts = self._acts, []
        return acts

    def _see(self, seen: "Sighting") -> None:
        match type(seen).__name__:
            case "GridSeen":
                self.field.whole(seen.looks, self._stamp)  # type: ignore[attr-defined]
                self._found("grid")
            case "CardSeen" | "NoCard":
                self.field.changed(seen)  # type: ignore[arg-type]
            case "CannotRead":
                self._unread(seen.cell, seen.reason)  # type: ignore[attr-defined]
            case "HandsSeen":
                self._drawing.append(seen)  # type: ignore[arg-type]
                self._at_pile = seen.by  # type: ignore[attr-defined]
            case "TableLost":
                self._lose("table", seen.why)  # type: ignore[attr-defined]
            case "TableSeen":
                self._table_seen(seen)
            case "Trouble":
                self._lose(seen.code, seen.sentence)  # type: ignore[attr-defined]
            case "TroubleOver":
                self._found(seen.code)  # type: ignore[attr-defined]

    def _table_seen(self, seen: "Sighting") -> None:
        self.field.shape = seen.table.shape  # type: ignore[attr-defined]
        self._found("table")

    # --- the field at the beginning

    def _deal(self) -> None:
        """The field as it was laid out, as soon as it is the one of the match."""
        if not self.field.is_whole:
            return
        if self.field.find(self._state.house.field):
            cards = self.field.cards()
            self._say(Deal("", field=cards), self._stamp)
            self._do(Noticed(self._stamp, (), "field", field_lies(self._state.house.field)))
            self._wrong_field = None
            return
        self._wrong_field = self._stamp if self._wrong_field is None else self._wrong_field
        if self._stamp - self._wrong_field >= WAITS and 0 not in self._troubles:
            sentence, way_back = field_differs(self._state.house.field, self.field.symbols)
            self._out_of_step(0, "field-differs", sentence, way_back)

    # --- what came to lie there

    def _follow(self) -> None:
        """What others have changed in the match: the field is what it says, with what was refused on top."""
        if self._state.field and not self.field.agrees(self._state.field):
            self.field.as_the_match(self._state.house, self._state.field)
            self._refused.clear()

    def _place_seen(self, seen: PlaceSeen) -> None:
        """A place lies still and shows something else than before."""
        belief = self.field.weighed(seen.change)
        if belief is None:
            self._lay_at.pop(seen.change.place, None)
            return
        deed, chance = belief.deed, self._chance(belief)
        evidence = self._evidence(seen, deed.face, chance)
        if deed.word == TAKE:
            self._taken(seen, deed.face)
        elif deed.word in (TURN, READ) or self._is_put_straight(seen, evidence):
            self._same_card(seen, deed.face, evidence)
        elif SURE.illegal < belief.legal < SURE.legal or not self.field.is_of_the_deck(deed.face):
            self.field.forget_newest(seen.change.place)
            self._doubt(seen, deed.face)
        else:
            self._laid(seen, deed.face, evidence, legal=belief.legal >= SURE.legal)

    def _side(self) -> str:
        """Of the mat, at which whoever has the turn sits; nothing where that is not known."""
        return next((side for side, player in self._seats.items() if player == self._state.turn), "")

    def _chance(self, belief: Belief) -> float:
        return belief.play * (belief.legal if belief.deed.legal else 1 - belief.legal)

    def _evidence(self, seen: PlaceSeen, card: str, chance: float) -> Evidence:
        change, guess = seen.change, ""
        if len(seen.arms) == 1:
            guess = self._seats.get(seen.arms[0], "")
        return Evidence(
            change.place,
            card,
            seen.before,
            seen.after,
            change.since,
            change.stamp,
            seen.arms,
            guess,
            change.by,
            chance=chance,
        )

    def _laid(self, seen: PlaceSeen, card: str, evidence: Evidence, *, legal: bool) -> None:
        self._draws_before(seen.change.by, seen.arms)
        if self._state.phase == "ready":
            self._say(Begin(evidence.guess or self._state.players[0]), seen.change.since)
        turn = self._state.turn or evidence.guess or self._state.players[0]
        place = self._state.house.field.letters[seen.change.place - 1]
        if evidence.guess not in ("", turn):
            turn = self._passed_over(turn, evidence.guess)
        self._refills = [player for player in self._refills if player != turn]
        if legal and self._state.phase == "turn" and self._state.hands[self._state.players.index(turn)] == 1:
            self._refills.append(turn)
        self._refused.pop(seen.change.place, None)
        self._say(Lay(turn, place, card), self._lay_at.pop(seen.change.place, seen.change.by), evidence)
        self._laid_at = seen.change.by
        self._step(seen.change.place)

    def _passed_over(self, turn: str, player: str) -> str:
        """Another player's arm has laid a card: if hands were at the pile since the last one, a draw was not told from
        somebody else's that came at the same time. Whoever lays has the turn then."""
        if self._state.phase != "turn" or self._at_pile <= self._laid_at:
            return turn
        drawn = self._ruled(Draw(turn))
        if drawn is None or drawn.turn != player:
            return turn
        self._say(Draw(turn), max(self._at_pile, self._latest))
        return player

    def _taken(self, seen: PlaceSeen, card: str) -> None:
        """A card is off its place again: one that was refused, or one that counted."""
        place = seen.change.place
        refused = self._refused.pop(place, None)
        self._lay_at.pop(place, None)
        if refused is not None:
            letter = self._state.house.field.letters[place - 1]
            self._do(PutRight(self._stamp, place, card, self._stamp - refused.at, letter))
        else:
            self._undo(place)
        self._step(place)

    def _is_put_straight(self, seen: PlaceSeen, evidence: Evidence) -> bool:
        """Whoever has laid the newest card is at it once more: it is the same one, as it is read now."""
        number = self._number_of(seen.change.place)
        if number == 0 or number != len(self._match.line):
            return False
        move = self._match.line[number - 1].move
        return bool(evidence.guess) and evidence.guess == move.player != self._state.turn

    def _same_card(self, seen: PlaceSeen, card: str, evidence: Evidence) -> None:
        """It lies turned now, or is read rightly now: the same card, by the same player."""
        number = self._number_of(seen.change.place)
        refused = self._refused.pop(seen.change.place, None)
        if refused is not None:  # ruled on anew under its right name
            self._laid(seen, card, evidence, legal=True)
            return
        if number == 0:
            return
        move = self._match.line[number - 1].move
        assert isinstance(move, Lay)
        put = {"move": "lay", "player": move.player, "place": move.place, "card": card}
        self._send(Correct(number, put), evidence)

    def _undo(self, place: int) -> None:
        number = self._number_of(place)
        if number:
            is_last = number == len(self._match.line)
            self._send(Undo() if is_last else Correct(number, None))
            self._refills = self._refills[: -1 if self._refills else None]

    def _number_of(self, place: int) -> int:
        """Of the newest card that was laid on a place; 0 if there is none."""
        letter = self._state.house.field.letters[place - 1]
        for number in range(len(self._match.line), 0, -1):
            move = self._match.line[number - 1].move
            if isinstance(move, Lay) and move.place == letter:
                return number
        return 0

    def _doubt(self, seen: PlaceSeen, card: str) -> None:
        self._lay_at.setdefault(seen.change.place, seen.change.by)
        letter = self._state.house.field.letters[seen.change.place - 1]
        sentence, way_back = unsure(letter, card)
        self._out_of_step(seen.change.place, "unsure", sentence, way_back)

    # --- the draw pile

    def _draws(self) -> None:
        """Hands were at the pile and nothing was laid by them: a card was drawn."""
        is_clear = not self.field.is_open
        for seen in [one for one in self._drawing if self._stamp - one.by >= DRAWN and is_clear]:
            self._drawn(seen)

    def _draws_before(self, stamp: int, arms: Sequence[str]) -> None:
        """A card was laid: what others drew before it comes before it."""
        for seen in [one for one in self._drawing if one.by < stamp and not set(one.arms) & set(arms)]:
            self._drawn(seen)

    def _drawn(self, seen: "HandsSeen") -> None:
        self._drawing.remove(seen)
        players = [self._seats[side] for side in seen.arms if side in self._seats]
        refilled = [player for player in self._refills if player in players] or (self._refills if not players else [])
        self._refills = [player for player in self._refills if player not in refilled]
        turn = self._state.turn if self._state.phase == "turn" else ""
        if turn and turn not in refilled and (turn in players or not (self._seats or refilled)):
            self._say(Draw(turn), max(seen.by, self._latest))
        elif turn and not refilled:
            self._do(Noticed(self._stamp, (), "at-the-pile", pile_visited()))

    # --- out of step and back

    def _unread(self, cell: int, reason: str) -> None:
        place = self.field.place_of(cell)
        if place and self._state.phase in ("ready", "turn"):
            letter = self._state.house.field.letters[place - 1]
            sentence, way_back = cannot_read(letter, reason)
            self._out_of_step(place, "cannot-read", sentence, way_back)

    def _lose(self, code: str, sentence: str) -> None:
        self._lost.add(code)
        self._out_of_step(0, code, sentence, EYES_BACK)

    def _found(self, code: str) -> None:
        if code in self._lost:
            self._lost.discard(code)
            if code != "grid":
                self._lost.add("grid")
                self._do(LookAgain(self._stamp, ()))

    def _out_of_step(self, place: int, code: str, sentence: str, way_back: str) -> None:
        if place in self._troubles and self._troubles[place][0] == code:
            return
        self._troubles[place] = code, self._stamp
        self._do(OutOfStep(self._stamp, (place,) if place else (), code, sentence, way_back))

    def _step(self, place: int) -> None:
        """Match and table agree on a place again."""
        if place in self._troubles:
            code, since = self._troubles.pop(place)
            letter = self._state.house.field.letters[place - 1] if place else ""
            self._do(InStep(self._stamp, (place,) if place else (), code, self._stamp - since, letter))

    def _back_in_step(self) -> None:
        if 0 in self._troubles and not self._lost and (self._state.phase != "deal" or self._wrong_field is None):
            self._step(0)
        known = [one for one in self._troubles if one and one not in self._lay_at and self.field.is_known(one)]
        for place in known:
            self._step(place)

    # --- what it tells

    def _do(self, act: Act) -> None:
        self._acts.append(act)

    def _say(self, move: Move, at: int, evidence: Evidence | None = None) -> None:
        self._latest = max(self._latest, at)
        self._do(Statement(self._stamp, MoveMessage(move, self._latest, ""), evidence))
        if (ruled := self._ruled(move)) is not None:
            self._state = ruled

    def _send(self, request: Request, evidence: Evidence | None = None) -> None:
        self._latest = max(self._latest, self._stamp)
        self._do(Statement(self._stamp, replace(request, at=self._latest), evidence))

    def _ruled(self, move: Move) -> State | None:
        """The state behind a move, if the rules let."""
        from companion.core.rules import Foul  # noqa: PLC0415
        from companion.games.threepia.rules import GAME  # noqa: PLC0415

        try:
            state: State = GAME.rule(self._state, replace(move, at=self._match.now)).state
        except Foul:
            return None
        return state
