"""The witness of a match of Three!: makes moves of what was seen, frame by frame.

It has no clock and no pixels. `witness_piles.py` has the piles as they lie, `witness_checks.py` what a check comes to,
`witness_account.py` tells it. Here what came to lie there becomes moves.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.clocks import SECOND
from companion.core.match import Match
from companion.core.replies import Refusal, Reply
from companion.core.requests import Correct, MoveMessage, Undo
from companion.core.rules import Move
from companion.games.three.rules import Begin, Declare, Pass, Play, SeenOtherwise, Strike
from companion.games.three.sight import BARE, LAY, LIFT, NOBODY, READ, SWAP, TAKE
from companion.games.three.witness_account import Account
from companion.games.three.witness_checks import Checks
from companion.games.three.witness_piles import Explained, SeenChange, SeenPiles
from companion.games.three.witness_seeing import Seeing
from companion.games.three.witness_words import hand_stays, other_top, pile_gone, unknown_card, unsure
from companion.watch.evidence import Act, Evidence, PutRight, Statement
from companion.watch.tracker import Deed

if TYPE_CHECKING:
    from vision.sightings import CellNow, Prior, Sighting

SURE = 0.98  # that just this was done
LIKELY = 0.9  # enough to be told before a strike
LIKELY_BY_COUNT = 0.5  # where somebody has counted otherwise than the table
WAITS = 3 * SECOND  # for something that makes it sure
WAITS_SAME = 8 * SECOND  # and where a dog was laid on the same dog, perhaps
STAYS = 12 * SECOND  # a hand over the pile of whoever has the turn
PILES = ("setup", "turn", "final")  # phases in which a card that is laid is told


class Witness:
    """Hand it every frame's sightings; what it returns is to be done in that order. `seats` says which player sits at
    which side of the mat."""

    def __init__(self, *, seats: Mapping[str, str] | None = None) -> None:
        self._seats = dict(seats or {})
        self._account = Account()
        self.piles = SeenPiles()
        self._checks = Checks(self._account, self.piles)
        self._seeing = Seeing(self._account, self.piles, self._checks)
        self._refused_at: dict[int, int] = {}
        self._foreseen: set[tuple[int, str]] = set()  # cards of which it is known that they will be refused

    # --- what others tell

    def not_before(self, stamp: int) -> None:
        self._account.latest = max(self._account.latest, stamp)

    @property
    def is_pondering(self) -> bool:
        return self.piles.explained() is not None

    def watched_until(self, stamp: int) -> int:
        """No clock of this game hangs on what is seen."""
        return stamp

    def prior(self) -> "Prior | None":
        return None

    def touched(self, cell: int) -> tuple[int, ...]:
        """Somebody touches a place that is wrong: nothing was played there."""
        for number in [number for number, seen in self.piles.open.items() if seen.change.place == cell]:
            self.piles.withdraw(number)
        return (cell,)

    def told(self, act: Act, replies: Sequence[Reply]) -> list[Act]:
        """What the referee answered: a card that it refused lies there until it is taken back."""
        if isinstance(act, Statement) and isinstance(act.message, MoveMessage) and act.evidence is not None:
            is_refused = any(isinstance(reply, Refusal) for reply in replies)
            seen = act.evidence.cell - 1, act.evidence.card
            is_foreseen = seen in self._foreseen
            self._foreseen.discard(seen)
            if isinstance(act.message.move, Play) and is_refused is not is_foreseen:
                if is_refused:
                    self._refused(*seen)
                else:
                    self.piles.refused.pop(seen[0], None)
                self.piles.forget_the_match()
        return self._account.given()

    def said_card(self, cell: int, card: str, stamp: int, match: Match) -> list[Act]:
        """A card that was refused is really another one."""
        self._account.enter(stamp, match)
        if cell - 1 in self.piles.refused:
            self.piles.refused[cell - 1] = card
            self.piles.forget_the_match()
        return self._account.given()

    def said_move(self, move: Move, stamp: int, match: Match) -> list[Act] | None:
        """A card that somebody says was played is the one that is seen there; a strike, or a declaration, comes behind
        what was as good as seen."""
        self._account.enter(stamp, match)
        if isinstance(move, Play) and match.state.phase == "turn" and move.player == match.state.turn:
            return self._said_played(move)
        if isinstance(move, Declare | Pass):
            self.piles.spoken_by(NOBODY if isinstance(move, Pass) else self.piles.place_of(move.player))
        if isinstance(move, Strike | Declare | Pass):
            found = self.piles.explained()
            is_plays = found and all(deed.word == LAY and deed.legal for deed in found.line)
            if found and is_plays and found.chance >= LIKELY and match.state.phase in PILES:
                self._tell(found)
                self._account.say(move, stamp)
                return self._account.given()
        return None

    def _said_played(self, move: Play) -> list[Act] | None:
        place = self.piles.place_of(move.player)
        seen = next((one for one in self.piles.open.values() if one.change.place == place + 1), None)
        if seen is None:
            return None
        dog = move.dog or ("" if seen.in_doubt else seen.change.faces[0][0])
        self._account.say(Play(move.player, dog), seen.change.by, self._evidence(seen, dog, 1.0))
        self._checks.played(move.player, dog, 1.0)
        del self.piles.open[seen.change.number]
        self.piles.forget_the_match()
        return self._account.given()

    def awaits(self, move: Move) -> bool:
        del move
        return False

    # --- frame by frame

    def take(self, sightings: "Iterable[Sighting]", cells: "Sequence[CellNow]", stamp: int, match: Match) -> list[Act]:
        self._account.enter(stamp, match)
        if not self.piles.owners:
            self._seeing.sit_down(match.setup.names, self._seats)
        if self._checks.is_just_over:
            self._tell_what_waited()
        self._checks.follow()
        self._follow()
        for one in sightings:
            self._seeing.take(one)
        self.piles.note(cells)
        if match.outcome is None and not self._account.lost:
            self._decide()
            self._checks.tell()
            self._hand_stays()
        self._back_in_step()
        return self._account.given()

    def _tell_what_waited(self) -> None:
        """A card that was laid before a strike."""
        found = self.piles.explained()
        plays = tuple(deed for deed in found.line if deed.word == LAY and deed.legal) if found else ()
        chance = min((self.piles.laid_at(deed.place) for deed in plays), default=0.0)
        events = self._account.match.line[-1].ruling.events if self._account.match.line else ()
        if chance >= LIKELY_BY_COUNT and any(isinstance(one, SeenOtherwise) for one in events):
            self._counted(plays[0])
        elif chance >= LIKELY:
            self._tell(Explained(plays, chance))

    def _counted(self, deed: Deed) -> None:
        """Whoever was called has counted one more than was told: the card that was in doubt was played, and went along
        with what was found or lies unknown on the pile."""
        self._account.say(Play(self.piles.owners[deed.place - 1], ""), self.piles.open[deed.change].change.by)
        self.piles.open = {at: seen for at, seen in self.piles.open.items() if seen.change.place != deed.place}
        self.piles.forget_the_match()

    def _follow(self) -> None:
        """What others have changed in the match: the piles are what it says, with what was refused on top."""
        if not self.piles.agrees(self._account.state):
            last = next(
                (done.move.player for done in reversed(self._account.match.line) if isinstance(done.move, Play)), ""
            )
            line = self._account.match.line
            is_newest = bool(line) and isinstance(line[-1].move, Play)
            self.piles.as_the_match(self._account.state, last, is_newest=is_newest)

    # --- what came to lie there

    def _decide(self) -> None:
        if self._account.state.phase not in PILES:
            return
        found = self.piles.explained()
        if found is None or not found.line:
            self.piles.is_put_back()
            self._follow()
            self.piles.forget_old(self._account.stamp)
        elif self._is_sure(found):
            self._tell(found)
        elif found.line:
            self._ask(found)

    def _is_sure(self, found: Explained) -> bool:
        """A pile that is gone may only be put straight."""
        if found.line[-1].word in (LIFT, SWAP):
            return found.chance >= LIKELY and self._age(found) >= WAITS
        if any(deed.legal is False for deed in found.line) and self._is_turn_hidden():
            return False
        return found.chance >= SURE

    def _is_turn_hidden(self) -> bool:
        """Whoever has the turn may have played, where nobody can see it now."""
        place = self.piles.place_of(self._account.state.turn) if self._account.state.turn else NOBODY
        return place != NOBODY and self.piles.clear_since(place) is None

    def _age(self, found: Explained) -> int:
        """How long nothing has been made of it."""
        return self._account.stamp - self.piles.open[found.line[-1].change].change.stamp

    def _tell(self, found: Explained) -> None:
        account = self._account
        for deed in found.line:
            seen = self.piles.open[deed.change]
            match deed.word:
                case word if word == LAY:
                    self._played(seen, deed, found.chance)
                case word if word == TAKE:
                    self._taken(deed)
                case word if word == READ:
                    self._read(seen, deed)
                case word if word == LIFT:
                    account.out_of_step(deed.place, "pile-gone", *pile_gone(self.piles.owners[deed.place - 1]))
                case word if word == SWAP:
                    account.out_of_step(deed.place, "other-top", *other_top(self.piles.owners[deed.place - 1]))
        self.piles.done()
        self.piles.forget_the_match()

    def _played(self, seen: SeenChange, deed: Deed, chance: float) -> None:
        player = self.piles.owners[deed.place - 1]
        if self._account.state.phase == "setup":
            self._account.say(Begin(player), seen.change.since)
        at = seen.change.by if deed.place == seen.change.place else seen.change.since
        self._account.say(Play(player, deed.face), at, self._evidence(seen, deed.face, chance, deed.place))
        if deed.legal:
            if seen.before is not None and seen.before.card:
                self.piles.put_back(deed.place - 1, seen.before.card)
            self.piles.checked.discard(deed.place - 1)
            self._checks.played(player, deed.face, chance)
        else:
            self._foreseen.add((deed.place - 1, deed.face))
            self._refused(deed.place - 1, deed.face)
        self._account.is_over(deed.place)

    def _refused(self, place: int, dog: str) -> None:
        """It lies there until it is taken back."""
        self.piles.refused[place] = dog
        self._refused_at[place] = self._account.stamp

    def _taken(self, deed: Deed) -> None:
        """A card is off its pile again: one that was refused, or one that counted."""
        place = deed.place - 1
        if place in self.piles.refused:
            card = self.piles.refused.pop(place)
            took = self._account.stamp - self._refused_at.pop(place, self._account.stamp)
            self._account.do(PutRight(self._account.stamp, deed.place, card, took, self._account.called(deed.place)))
        else:
            number = self._account.number_of(self.piles.owners[place])
            if number:
                is_newest = number == len(self._account.match.line)
                self._account.send(Undo() if is_newest else Correct(number, None))
        self._account.is_over(deed.place)

    def _read(self, seen: SeenChange, deed: Deed) -> None:
        """The card on top is another one than it was read as."""
        place = deed.place - 1
        player = self.piles.owners[place]
        if place in self.piles.refused:
            self.piles.refused[place] = deed.face
        elif number := self._account.number_of(player):
            put = {"move": "play", "player": player, "dog": deed.face}
            self._account.send(Correct(number, put), self._evidence(seen, deed.face, 1.0))

    def _evidence(self, seen: SeenChange, card: str, chance: float, place: int = 0) -> Evidence:
        """Without what lay there before: that is on the pile, and nobody's business any more."""
        change = seen.change
        return Evidence(
            place or change.place,
            card,
            None,
            seen.after,
            change.since,
            change.stamp,
            seen.arms,
            self.piles.owners.get((place or change.place) - 1, ""),
            change.by,
            chance=chance,
            place=self._account.called(place or change.place),
        )

    def _ask(self, found: Explained) -> None:
        """Nothing came that makes it sure."""
        deed = found.line[0]
        seen = self.piles.open[deed.change]
        is_same = seen.before is not None and seen.before.card == deed.face
        waits = WAITS_SAME if is_same or self._is_turn_hidden() else WAITS
        if self._account.stamp - seen.change.stamp < waits:
            return
        player = self.piles.owners[deed.place - 1]
        words = unsure(player, deed.face) if is_same else unknown_card(player)
        self._account.out_of_step(deed.place, "unsure", *words)

    # --- out of step and back

    def _hand_stays(self) -> None:
        place = self.piles.place_of(self._account.state.turn) if self._account.state.turn else NOBODY
        since = self.piles.hidden_since(place) if place != NOBODY else None
        if since is not None and self._account.stamp - since >= STAYS:
            self._account.out_of_step(place + 1, "hand-stays", *hand_stays(self.piles.owners[place]))

    def _back_in_step(self) -> None:
        account = self._account
        if 0 in account.troubles and not account.lost:
            account.step(0)
        for place, (code, _) in [*account.troubles.items()]:
            if place and self._is_over(place, code):
                account.is_over(place)

    def _is_over(self, place: int, code: str) -> bool:
        if code == "count":
            return bool(self._account.state.phase != "check")
        if self.piles.is_in_doubt(place - 1) or self.piles.hidden_since(place - 1) is not None:
            return False
        if code in ("pile-gone", "other-top"):
            owner = self.piles.owners.get(place - 1, "")
            pile: tuple[str, ...] = self._account.state.pile(owner) if owner else ()
            shown: str = self.piles.shown[place - 1]
            return shown == (pile[-1] if pile else BARE)
        return place - 1 not in self._seeing.unread
