"""What the eye tells of the piles, the banks and the draw pile, as changes that can be explained."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.games.three.rules import DOGS
from companion.games.three.sight import BARE
from companion.games.three.witness_account import Account
from companion.games.three.witness_checks import Checks
from companion.games.three.witness_piles import PLACES, SeenChange, SeenPiles, scaled
from companion.games.three.witness_words import FACE_DOWN, cannot_read, left_over
from companion.watch.tracker import PlaceChange
from companion.watch.witness_account import WHOLE

if TYPE_CHECKING:
    from vision.sightings import CannotRead, CardSeen, GridSeen, HandsSeen, NoCard, SameSeen, Sighting

SIDES = ("top", "right", "bottom", "left")  # of the places of piles
ROUND = ("bottom", "left", "top", "right")  # where people sit where nobody has said, clockwise
DOUBTED, MISREAD = 0.03, 0.00001  # of readings that are not told surely so many are wrong, and of all
ANOTHERS, NOBODYS = 0.05, 0.3  # odds that a card was laid, where only other arms were seen there, or none
STIRRED = 0.003  # that a card was laid on its like: where it is less, nothing has moved
TAKEN = 0.03  # so much of the draw pile looks otherwise at least when a card was taken from it
EMPTY = "empty"


class Seeing:
    """Hand it every sighting."""

    def __init__(self, account: Account, piles: SeenPiles, checks: Checks) -> None:
        self._account, self._piles, self._checks = account, piles, checks
        self._left_over: set[int] = set()  # places where cards of another match lie
        self.unread: set[int] = set()  # places of which nobody knows what they show

    def sit_down(self, players: Sequence[str], seats: Mapping[str, str]) -> None:
        """Who has which pile; clockwise from below where nobody has said."""
        sides = dict(seats) or dict(zip(_round(len(players)), players, strict=True))
        owners = {SIDES.index(side): player for side, player in sides.items() if player in players}
        self._piles.seat(owners, players)
        self._account.owners = self._piles.owners

    def take(self, seen: "Sighting") -> None:
        match type(seen).__name__:
            case "GridSeen":
                self._grid(seen)  # type: ignore[arg-type]
            case "CardSeen" | "SameSeen":
                self._card(seen)  # type: ignore[arg-type]
            case "NoCard":
                self._no_card(seen)  # type: ignore[arg-type]
            case "CannotRead":
                self._unread(seen)  # type: ignore[arg-type]
            case "HandsSeen":
                self._hands(seen)  # type: ignore[arg-type]
            case "TableLost":
                self._account.lose("table", seen.why)  # type: ignore[attr-defined]
            case "TableSeen":
                self._account.found("table")
            case "Trouble":
                self._account.lose(seen.code, seen.sentence)  # type: ignore[attr-defined]
            case "TroubleOver":
                self._account.found(seen.code)  # type: ignore[attr-defined]

    # --- all of it

    def _grid(self, seen: "GridSeen") -> None:
        """All places at the beginning, or anew: what differs from the match was done meanwhile."""
        self._account.found(WHOLE)
        stamp = self._account.stamp
        self.unread.clear()
        for place, look in enumerate(seen.looks[:PLACES]):
            face = self._piles.as_said(place, look.card, is_same=True) if look.card else BARE
            is_first = self._account.state.phase == "setup" and face != BARE
            if is_first and place in self._piles.owners:
                self._left_over.add(place)
                self._account.out_of_step(place + 1, "left-over", *left_over(self._piles.owners[place]))
            elif place in self._piles.owners and face != self._piles.top(place):
                number = self._piles.number()
                change = PlaceChange(number, place + 1, ((face, 1.0),), self._piles.known_at, stamp, stamp)
                self._piles.take(SeenChange(change, after=look))
            else:
                self._piles.shows(place, face)
        self._piles.known_at = stamp

    # --- one place

    def _card(self, seen: "CardSeen | SameSeen") -> None:
        place, card = seen.cell - 1, str(seen.after.card)
        if place >= PLACES:
            self._checks.banked(place - PLACES, card)
            return
        if place not in self._piles.owners or place in self._left_over:
            return
        self._piles.known_at = self._account.stamp
        self.unread.discard(place)
        anew = getattr(seen, "anew", None)
        if SIDES[place] in seen.arms:
            self._piles.visited.add(place)
        if anew is not None and anew < STIRRED:
            return
        card = self._piles.as_said(place, card, is_same=anew is not None)
        if anew is None:
            faces, again = _faces(card, seen.after.confidence), 0.0
        else:
            side = SIDES[place]
            odds = 1.0 if side in seen.arms else ANOTHERS if any(seen.arms) else NOBODYS
            faces, again = ((card, 1.0),), scaled(anew, odds)
        by = seen.by or seen.after.stamp
        change = PlaceChange(
            self._piles.number(), seen.cell, faces, min(seen.since, by), by, self._account.stamp, again=again
        )
        self._piles.take(SeenChange(change, tuple(seen.arms), seen.before, seen.after))

    def _no_card(self, seen: "NoCard") -> None:
        place = seen.cell - 1
        if place >= PLACES or place not in self._piles.owners:
            return
        if seen.after.state != EMPTY:
            self.unread.add(place)
            words = cannot_read(self._piles.owners[place], FACE_DOWN)
            self._account.out_of_step(seen.cell, "cannot-read", *words)
            return
        if place in self._left_over:
            self._left_over.discard(place)
            self._piles.shows(place, BARE)
            self._account.is_over(seen.cell)
            return
        self.unread.discard(place)
        by = self._account.stamp
        change = PlaceChange(self._piles.number(), seen.cell, ((BARE, 1.0),), min(seen.since, by), by, by)
        self._piles.take(SeenChange(change, (), seen.before, seen.after))

    def _unread(self, seen: "CannotRead") -> None:
        """It is told, and what it may be is weighed all the same."""
        place = seen.cell - 1
        if place >= PLACES or place not in self._piles.owners or self._account.state.phase in ("setup", "over"):
            return
        self.unread.add(place)
        self._account.out_of_step(seen.cell, "cannot-read", *cannot_read(self._piles.owners[place], seen.reason))
        if seen.change is not None and seen.faces:
            total = sum(chance for _, chance in seen.faces)
            faces = tuple((face, chance / total) for face, chance in seen.faces)
            number, by = self._piles.number(), seen.change.by or self._account.stamp
            since = min(seen.change.since, by)
            change = PlaceChange(number, seen.cell, faces, since, by, self._account.stamp)
            found = SeenChange(change, tuple(seen.change.arms), seen.change.before, seen.change.after, in_doubt=True)
            self._piles.take(found)

    def _hands(self, seen: "HandsSeen") -> None:
        """Who was at the draw pile."""
        places = {SIDES.index(side) for side in seen.arms if side} & self._piles.owners.keys()
        if places and not 0 <= seen.otherwise < TAKEN:
            self._piles.drawn_by(places, seen.since, is_taken=seen.otherwise >= TAKEN)


def _faces(card: str, sure: float) -> tuple[tuple[str, float], ...]:
    """The card as it was read, and the others that it may be all the same."""
    doubt = max(MISREAD, (1 - sure) * DOUBTED)
    others = [dog.name for dog in DOGS if dog.name != card]
    return ((card, 1 - doubt), *((other, doubt / len(others)) for other in others))


def _round(count: int) -> tuple[str, ...]:
    return {2: ("bottom", "top")}.get(count, ROUND[:count])
