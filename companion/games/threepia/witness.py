"""The witness of a match of Threepia: makes moves of what was seen, frame by frame.

It has no clock and no pixels. `witness_field.py` has the field as it lies, `witness_turns.py` whose turn it is,
`witness_account.py` tells it. Here what came to lie there becomes moves: a card that is laid ends the turn as soon as
it lies still, at the stamp at which it lay.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.core.clocks import SECOND
from companion.core.match import Match
from companion.core.record import move_plain
from companion.core.replies import Refusal, Reply
from companion.core.requests import Correct, MoveMessage, Undo
from companion.core.rules import Move
from companion.games.threepia.lattice import picture_of
from companion.games.threepia.rules import CORNERS, OWN_FIELD, Begin, Deal, Draw, Lay, NotAFieldError, card_of
from companion.games.threepia.sight import READ, TAKE, TURN, Sureness
from companion.games.threepia.witness_account import Account
from companion.games.threepia.witness_field import LONGEST, PlaceSeen, SeenField
from companion.games.threepia.witness_turns import ASKS, COVERED, OUT_OF_TURN, SeenCard, SeenVisit, Told, Turns
from companion.games.threepia.witness_words import (
    LAY_ON_DOTS,
    PILE_VISITED,
    cannot_read,
    covered,
    field_differs,
    field_lies,
    no_symbols,
    unsure,
    whose_turn,
)
from companion.watch.evidence import Act, Evidence, LookAgain, Noticed, PutRight, Statement
from companion.watch.tracker import PlaceChange
from companion.watch.witness_account import WHOLE

if TYPE_CHECKING:
    from vision.sightings import CellNow, HandsSeen, Prior, Sighting

SURE = Sureness()
LINGERS = 3 * SECOND  # hands over the field hold up a clock that has run out, and no longer
WAITS = 2 * SECOND  # for what is not as it should be, before that is told


@dataclass(slots=True)
class Refused:
    """A card that the referee refused, and that lies there still."""

    card: str
    at: int
    since: int


class Witness:
    """Hand it every frame's sightings; what it returns is to be done in that order. `seats` says which player sits at
    which side of the mat."""

    def __init__(
        self, *, seats: Mapping[str, str] | None = None, printed: Iterable[str] = (), shape: tuple[int, int] = (0, 0)
    ) -> None:
        self._seats = dict(seats or {})
        self.field = SeenField(tuple(printed), shape)
        self._account = Account(self.field.cells_of)
        self._turns = Turns(self._seats)
        self._refused: dict[int, Refused] = {}
        self._wrong_field: int | None = None
        self._pressed: dict[str, int] = {}  # who has ended the turn with the button, and when
        self._lay_at: dict[int, int] = {}  # by place: when a card came to lie there that could not be made out yet

    # --- what others tell

    def not_before(self, stamp: int) -> None:
        self._account.latest = max(self._account.latest, stamp)

    @property
    def is_pondering(self) -> bool:
        return self.field.is_open or bool(self._turns.cards)

    def watched_until(self, stamp: int) -> int:
        """A card that was laid in time is in time, though it is told when the hand is gone."""
        return max(min(self.field.open_since(stamp), self._turns.open_since(stamp)), stamp - LINGERS)

    def prior(self) -> "Prior | None":
        return None

    def touched(self, cell: int) -> tuple[int, ...]:
        """Somebody touches a place that is wrong."""
        return self.field.cells_of(cell)

    def told(self, act: Act, replies: Sequence[Reply]) -> list[Act]:
        """What the referee answered: a card that it refused lies there until it is taken back."""
        if isinstance(act, Statement) and isinstance(act.message, MoveMessage) and act.evidence is not None:
            is_refused = any(isinstance(reply, Refusal) for reply in replies)
            if isinstance(act.message.move, Lay) and is_refused:
                seen = act.evidence
                self._refused[seen.cell] = Refused(seen.card, seen.stamp, self._account.stamp)
                self.field.lies(seen.cell, seen.card, counts=False)
        return self._account.given()

    def said_card(self, cell: int, card: str, stamp: int, match: Match) -> list[Act]:
        """A card that was refused is really another one."""
        self._account.enter(stamp, match)
        refused = self._refused.pop(cell, None)
        if refused is not None and self._account.state.phase == "turn":
            place = self._account.name_of(cell)
            evidence = Evidence(cell, card, None, None, refused.since, refused.at)
            self._account.say(Lay(self._account.state.turn, place, card), refused.at, evidence)
            self.field.lies(cell, card, counts=True)
        return self._account.given()

    def said_move(self, move: Move, stamp: int, match: Match) -> list[Act] | None:
        """The turn button says that a card was laid: it is the one that is seen, and the turn is over then. Where
        it was not known whose that is, it is of whoever presses."""
        self._account.enter(stamp, match)
        if isinstance(move, Deal) and self._account.state.house.field_as_laid and not move.field:
            return self._deal_as_laid(stamp)
        if not isinstance(move, Lay):
            return None
        is_button = not move.card and not move.place
        if is_button and self._account.state.house.turn_by_button and (self.field.is_open or self._turns.cards):
            self._pressed[move.player] = stamp
            self._tell_turns()
            return [LookAgain(stamp, (self.field.pile,)), *self._account.given()]
        if self._turns.is_by(move.player, move.place, _as_it_lies(move)):
            self._tell_turns()
            return [LookAgain(stamp, (self.field.pile,)), *self._account.given()]
        return [LookAgain(stamp, (self.field.pile,))] if is_button and self.field.is_open else None

    def awaits(self, move: Move) -> bool:
        del move
        return False

    # --- frame by frame

    def take(self, sightings: "Iterable[Sighting]", cells: "Sequence[CellNow]", stamp: int, match: Match) -> list[Act]:
        self._account.enter(stamp, match)
        for one in sightings:
            self._see(one)
        self.field.note(cells, stamp)
        if self._account.state.phase in ("ready", "turn") and not self._account.lost and self._has_field():
            self._follow()
            for place in self.field.settled(stamp, self._side()):
                self._place_seen(place)
            self._tell_turns()
            for bare in self.field.without_symbols(stamp - WAITS):
                sentence, way_back = no_symbols(self._account.name_of(bare))
                self._account.out_of_step(bare, "no-symbols", sentence, way_back)
        elif self._account.state.phase == "deal" and not self._account.lost:
            self._deal()
        self._back_in_step()
        return self._account.given()

    def _see(self, seen: "Sighting") -> None:
        match type(seen).__name__:
            case "GridSeen":
                self.field.whole(seen.looks, self._account.stamp)  # type: ignore[attr-defined]
                self._account.found(WHOLE)
            case "CardSeen" | "NoCard":
                self.field.changed(seen)  # type: ignore[arg-type]
            case "CannotRead":
                self._unread(seen.cell, seen.reason)  # type: ignore[attr-defined]
            case "HandsSeen":
                self._hands(seen)  # type: ignore[arg-type]
            case "TableLost":
                self._account.lose("table", seen.why)  # type: ignore[attr-defined]
            case "TableSeen":
                self.field.shape = seen.table.shape  # type: ignore[attr-defined]
                self._account.found("table")
            case "Trouble":
                self._account.lose(seen.code, seen.sentence)  # type: ignore[attr-defined]
            case "TroubleOver":
                self._account.found(seen.code)  # type: ignore[attr-defined]

    # --- the field at the beginning

    def _deal(self) -> None:
        """The field as it was laid out, as soon as it is the one of the match."""
        if not self.field.is_whole or self._account.state.house.field_as_laid:
            return
        if self.field.find(self._account.state.house.field):
            cards = self.field.cards()
            self._account.say(Deal("", field=cards), self._account.stamp)
            self._account.do(Noticed(self._account.stamp, (), "field", field_lies(self._account.state.house.field)))
            self._wrong_field = None
            return
        self._wrong_field = self._account.stamp if self._wrong_field is None else self._wrong_field
        if self._account.stamp - self._wrong_field >= WAITS and 0 not in self._account.troubles:
            sentence, way_back = field_differs(self._account.state.house.field, self.field.symbols)
            self._account.out_of_step(0, "field-differs", sentence, way_back)

    def _deal_as_laid(self, stamp: int) -> list[Act] | None:
        """Somebody says that the field is laid out: whatever lies there is the field of the match."""
        state = self._account.state
        if state.phase != "deal" or not self.field.is_whole:
            return None
        try:
            field = self.field.take_as_laid(state.house.field.line)
        except NotAFieldError as error:
            self._wrong_field = stamp
            self._account.out_of_step(0, "no-field", error.sentence, LAY_ON_DOTS)
            return self._account.given()
        picture = () if field == state.house.field else picture_of(field)
        name = field.name if picture and field.name != OWN_FIELD else ""
        self._wrong_field = None
        self._account.step(0)
        self._account.say(Deal("", field=self.field.cards(), picture=picture, name=name), stamp)
        self._account.do(Noticed(stamp, (), "field", field_lies(field)))
        return self._account.given()

    def _has_field(self) -> bool:
        """The field is known. Where others have dealt, or another has watched until now, it is looked for; cards that
        nobody has shown yet are shown with the deal."""
        state = self._account.state
        if not self.field.is_found:
            if not self.field.is_whole or not self.field.find(state.house.field, state.field):
                return False
            if state.field:
                self.field.compare(state.field, self._account.stamp)
        if not state.field:
            self._show_deal()
        return bool(state.field)

    def _show_deal(self) -> None:
        """As long as no card was laid that nobody saw."""
        for number, done in reversed(list(enumerate(self._account.match.line, 1))):
            if isinstance(done.move, Lay):
                return
            if isinstance(done.move, Deal):
                shown = replace(done.move, field=self.field.cards())
                self._account.send(Correct(number, move_plain(shown)))
                return

    # --- what came to lie there

    def _follow(self) -> None:
        """What others have changed in the match: the field is what it says, with what was refused on top."""
        state, line = self._account.state, self._account.match.line
        drawn = line[-1].move.player if line and isinstance(line[-1].move, Draw) else ""
        self._turns.follow(state, self._account.match.now, (drawn,) if drawn else ())
        field = self._laid_on(state.field)
        if field and not self.field.agrees(field):
            self.field.as_the_match(state.house, field)
            self._refused.clear()

    def _laid_on(self, field: tuple[str, ...]) -> tuple[str, ...]:
        """With the cards that lie there and are not told yet."""
        cards = list(field)
        for card in self._turns.cards:
            if card.counts and cards:
                cards[card.seen.change.place - 1] = card.card
        return tuple(cards)

    def _place_seen(self, seen: PlaceSeen) -> None:
        """A place lies still and shows something else than before."""
        belief = self.field.weighed(seen.change)
        if belief is None:
            self._lay_at.pop(seen.change.place, None)
            return
        deed = belief.deed
        chance = belief.play * (belief.legal if deed.legal else 1 - belief.legal)
        evidence = self._evidence(seen, deed.face, chance)
        if deed.word == TAKE:
            self._taken(seen, deed.face)
        elif deed.word in (TURN, READ) or self._is_put_straight(seen, deed.face, evidence):
            self._same_card(seen, deed.face, evidence)
        elif SURE.illegal < belief.legal < SURE.legal or not self.field.is_of_the_deck(deed.face):
            self.field.forget_newest(seen.change.place)
            self._doubt(seen, deed.face)
        else:
            self._laid(seen, deed.face, evidence, legal=belief.legal >= SURE.legal)

    def _side(self) -> str:
        """Of the mat, at which whoever has the turn sits; nothing where that is not known."""
        return next((side for side, player in self._seats.items() if player == self._account.state.turn), "")

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
            spots=self.field.cells_of(change.place),
            place=self._account.name_of(change.place),
        )

    def _laid(self, seen: PlaceSeen, card: str, evidence: Evidence, *, legal: bool) -> None:
        place = self._account.name_of(seen.change.place)
        at = self._lay_at.pop(seen.change.place, seen.change.by)
        self._refused.pop(seen.change.place, None)
        beneath = self.field.may_lie_beneath(seen.change.place, card, seen.between) if seen.between else ()
        arms = self._players(seen.arms)
        self._turns.card(SeenCard(seen.change, arms, place, card, seen, evidence, at, legal, beneath))
        self._account.step(seen.change.place)

    def _players(self, arms: Iterable[str]) -> frozenset[str]:
        return frozenset(self._seats[side] for side in arms if side in self._seats)

    # --- whose turn it is

    def _hands(self, seen: "HandsSeen") -> None:
        if self._account.state.phase == "turn" and not self._account.lost:
            self._follow()
            change = PlaceChange(0, 0, (("", 1.0),), seen.since, seen.by, self._account.stamp)
            self._turns.hands(SeenVisit(change, self._players(seen.arms), seen.otherwise))

    def _tell_turns(self) -> None:
        """What is known of it by now; what is not is asked when it has waited for long."""
        until = max(self.field.open_since(self._account.stamp), self._account.stamp - LONGEST)
        for told in self._turns.due(until, self._may_end):
            self._tell(told)
            self._turns.known(self._account.state)
        if self._turns.is_settled():
            if any(visit.arms for visit in self._turns.settle(self._account.state)):
                self._account.do(Noticed(self._account.stamp, (), "at-the-pile", PILE_VISITED))
            return
        card = next(iter(self._turns.cards), None)
        if card is not None and not self._turns.is_held and self._account.stamp - card.at >= ASKS:
            self._ask(card)

    def _ask(self, card: SeenCard) -> None:
        turn, code = self._account.state.turn, "whose-turn"
        sentence, way_back = whose_turn(card.place, card.card, turn)
        if len(card.beneath) > 1 and self._turns.is_covered(card):
            code, (sentence, way_back) = "covered", covered(card.place, card.card, turn)
        self._account.out_of_step(card.seen.change.place, code, sentence, way_back)

    def _may_end(self, player: str) -> bool:
        """A card lies still, and that is enough, or the turn button was pressed for it."""
        return not self._account.state.house.turn_by_button or player in self._pressed

    def _tell(self, told: Told) -> None:
        account = self._account
        if told.card is None:
            if account.state.phase == "turn":
                account.say(Draw(told.player), told.visit.change.by if told.visit else account.latest)
            return
        if told.word == OUT_OF_TURN and account.state.phase != "turn":
            return
        if account.state.phase == "ready":
            account.say(Begin(told.player), told.card.seen.change.since)
        if told.word == COVERED:
            card, since = told.card.beneath[0], told.card.seen.change.since
            evidence = replace(told.card.evidence, card=card, arms=(), guess="")
            account.say(Lay(told.player, told.card.place, card), since, evidence)
            return
        at = max(told.card.at, self._pressed.pop(told.player, 0))
        account.say(Lay(told.player, told.card.place, told.card.card), at, told.card.evidence)
        account.step(told.card.seen.change.place)

    def _taken(self, seen: PlaceSeen, card: str) -> None:
        """A card is off its place again: one that was refused, or one that counted."""
        place = seen.change.place
        refused = self._refused.pop(place, None)
        self._lay_at.pop(place, None)
        waiting = self._turns.card_on(place)
        if waiting is not None:
            self._turns.taken(waiting, self._account.state)
        elif refused is not None:
            letter = self._account.name_of(place)
            self._account.do(PutRight(self._account.stamp, place, card, self._account.stamp - refused.at, letter))
        else:
            self._undo(place)
        self._account.step(place)

    def _is_put_straight(self, seen: PlaceSeen, card: str, evidence: Evidence) -> bool:
        """Whoever has laid the newest card is at it once more, and half of it is as before: the same one, read anew."""
        waiting = self._turns.card_on(seen.change.place)
        if waiting is not None:
            return waiting.arms == self._players(seen.arms) != frozenset() and _is_like(card, waiting.card)
        number = self._account.number_of(seen.change.place)
        if number == 0 or number != len(self._account.match.line) or self._turns.cards:
            return False
        move = self._account.match.line[number - 1].move
        is_same = bool(evidence.guess) and evidence.guess == move.player != self._account.state.turn
        return is_same and isinstance(move, Lay) and _is_like(card, _as_it_lies(move))

    def _same_card(self, seen: PlaceSeen, card: str, evidence: Evidence) -> None:
        """It lies turned now, or is read rightly now: the same card, by the same player."""
        number = self._account.number_of(seen.change.place)
        refused = self._refused.pop(seen.change.place, None)
        waiting = self._turns.card_on(seen.change.place)
        if waiting is not None:
            self._turns.taken(waiting, self._account.state)
            self._laid(waiting.seen, card, evidence, legal=True)
            return
        if refused is not None:  # ruled on anew under its right name
            self._laid(seen, card, evidence, legal=True)
            return
        if number == 0:
            return
        move = self._account.match.line[number - 1].move
        assert isinstance(move, Lay)
        put = {"move": "lay", "player": move.player, "place": move.place, "card": card}
        self._account.send(Correct(number, put), evidence)

    def _undo(self, place: int) -> None:
        number, line = self._account.number_of(place), self._account.match.line
        if number:
            self._account.send(Undo() if number == len(line) else Correct(number, None))

    def _doubt(self, seen: PlaceSeen, card: str) -> None:
        self._lay_at.setdefault(seen.change.place, seen.change.by)
        letter = self._account.name_of(seen.change.place)
        sentence, way_back = unsure(letter, card)
        self._account.out_of_step(seen.change.place, "unsure", sentence, way_back)

    # --- out of step and back

    def _unread(self, cell: int, reason: str) -> None:
        place = self.field.place_of(cell)
        if place and self._account.state.phase in ("ready", "turn"):
            letter = self._account.name_of(place)
            sentence, way_back = cannot_read(letter, reason)
            self._account.out_of_step(place, "cannot-read", sentence, way_back)

    def _back_in_step(self) -> None:
        if (
            0 in self._account.troubles
            and not self._account.lost
            and (self._account.state.phase != "deal" or self._wrong_field is None)
        ):
            self._account.step(0)
        waits = {*self._lay_at, *(card.seen.change.place for card in self._turns.cards)}
        known = [one for one in self._account.troubles if one and one not in waits and self.field.is_known(one)]
        for place in known:
            self._account.step(place)


def _as_it_lies(move: Lay) -> str:
    """The card that somebody names; nothing where it is none."""
    try:
        return str(card_of(move.card, move.turned)) if move.card else ""
    except ValueError:
        return move.card


def _is_like(card: str, other: str) -> bool:
    """As many symbols are the same as are not."""
    return 2 * sum(one == two for one, two in zip(card.split(), other.split(), strict=False)) >= len(CORNERS)
