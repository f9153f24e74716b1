"""What a check comes to, as far as the table knows the pile; and where the cards go that were found."""

from typing import TYPE_CHECKING

from companion.core.clocks import SECOND
from companion.core.rules import UNSEEN
from companion.games.three.rules import AT_ONCE, Check, Checked
from companion.games.three.sight import BARE
from companion.games.three.witness_account import Account
from companion.games.three.witness_words import count_it, wrong_bank
from companion.watch.evidence import Noticed

if TYPE_CHECKING:
    from companion.games.three.witness_piles import SeenPiles

SURE = 0.98  # that the count is right
CONFIRMED = 0.05  # of the doubt about a card is left when the next one has been played
DOUBTED = 0.01  # that a card lies there which has not been told
WAITS = 3 * SECOND // 2  # for hands over the pile, which may have laid a card before the call
LOOKS = 30 * SECOND  # in which whoever was called looks through a pile
SOON = SECOND  # hands that come so soon were there before
LIES = 4 * SECOND  # for which a pile has been seen to lie there that was looked through
BANKS = 30 * SECOND  # in which what was found comes to lie in a bank


class Checks:
    """One at a time."""

    def __init__(self, account: Account, piles: "SeenPiles") -> None:
        self._account, self._piles = account, piles
        self._trust: dict[str, list[tuple[str, float]]] = {}  # each player's pile as it was seen, card by card
        self._open: tuple[int, int] | None = None  # the place that is checked, and since when
        self._since: dict[int, int] = {}  # piles that are being looked through
        self._found: tuple[str, int, int] | None = None  # dog, the place of its bank, and until when

    def played(self, player: str, dog: str, chance: float) -> None:
        for one, pile in self._trust.items():
            if one != player:
                pile[:] = [(card, 1 - CONFIRMED * (1 - sure)) for card, sure in pile]
        self._trust.setdefault(player, []).append((dog, chance))

    @property
    def is_just_over(self) -> bool:
        """A check is over, and nothing has been made of it yet."""
        return self._open is not None and self._account.state.phase in ("turn", "final")

    def follow(self) -> None:
        """A check has begun, or is over."""
        state, stamp = self._account.state, self._account.stamp
        if state.phase == "check" and self._open is None:
            self._open = self._piles.place_of(state.called), stamp
            if state.house.checks != AT_ONCE:
                self._piles.checked.add(self._open[0])
                self._since[self._open[0]] = stamp
        elif state.phase != "check" and self._open is not None:
            place, self._open = self._open[0], None
            self._is_over(place)
        for place in [place for place in self._since if self._is_put_back(place)]:
            del self._since[place]
            self._piles.put_back(place, self._piles.shown[place])

    def _is_put_back(self, place: int) -> bool:
        """It has been seen to lie there for a while, or nobody has looked through it."""
        clear, waited = self._piles.clear_since(place), self._account.stamp - self._since[place]
        if place not in self._piles.checked:
            return True
        is_gone = self._piles.shown[place] == BARE and self._account.state.pile(self._piles.owners[place])
        if clear is None or self._piles.is_lifted(place) or is_gone:
            return False
        hands = clear > self._since[place] + SOON
        return waited > LOOKS or (hands and self._account.stamp - clear > LIES)

    def _is_over(self, place: int) -> None:
        line = self._account.match.line
        events = line[-1].ruling.events if line else ()
        done = next((one for one in events if isinstance(one, Checked)), None)
        if done is None or place not in self._piles.owners:
            return
        pile = self._account.state.pile(self._piles.owners[place])
        lies = bool(pile) and self._piles.shown[place] == pile[-1] and self._piles.clear_since(place) is not None
        if done.found:
            self._looked_through(place)
        elif lies:  # it was looked through before it was counted, if at all
            self._piles.put_back(place, self._piles.shown[place])
        if done.found and done.to.kind == "bank":
            self._found = done.dog, self._piles.place_of(done.to.of), self._account.stamp + BANKS

    def _looked_through(self, place: int) -> None:
        self._since[place] = self._account.stamp
        self._piles.looks_through(place)

    def tell(self) -> None:
        """As soon as the table knows it; otherwise whoever was called counts."""
        state = self._account.state
        if state.phase != "check" or state.house.checks != AT_ONCE or self._open is None:
            return
        place, since = self._open
        waited = self._account.stamp - since
        if self._piles.hidden_since(place) is not None and waited < WAITS:
            return
        if self._is_known(state.called, state.dog):
            self._account.say(Check(state.called), self._account.latest)
        elif waited >= WAITS:
            self._account.out_of_step(place + 1, "count", *count_it(state.called))

    def _is_known(self, player: str, dog: str) -> bool:
        pile = self._account.state.pile(player)
        place = self._piles.place_of(player)
        if UNSEEN in pile or "other-top" in self._account.troubles.get(place + 1, ()):
            return False
        right = 1.0
        trust = self._trusted(player, pile)
        for _, chance in trust:
            right *= chance
        return right >= SURE and self._piles.laid_at(place + 1) <= DOUBTED and bool(dog)

    def _trusted(self, player: str, pile: tuple[str, ...]) -> list[tuple[str, float]]:
        """What is on the pile by now; what was not told from here was told by people."""
        known, found = list(self._trust.get(player, ())), []
        for card in pile:
            at = next((one for one in known if one[0] == card), None)
            if at is not None:
                known.remove(at)
            found.append(at or (card, 1.0))
        self._trust[player] = found
        return found

    def banked(self, place: int, card: str) -> None:
        """A card came to lie in a bank."""
        if self._found is None:
            return
        dog, of, until = self._found
        if self._account.stamp > until or card != dog:
            return
        self._found = None
        if place != of and of in self._piles.owners:
            sentence = wrong_bank(self._piles.owners[of])
            self._account.do(Noticed(self._account.stamp, (place + 5,), "wrong-bank", sentence))
