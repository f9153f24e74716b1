"""What hands do in a match of Threepia, turn by turn, and what befalls the table meanwhile."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.rules import Foul
from companion.games.threepia.lattice import LaidField
from companion.games.threepia.rules import GAME, HAND, Draw, Lay, Scored, State, card_of, misfits, score
from simulator.hands.hand_visits import MISHAPS, Times, mishap, span, visit
from simulator.rendered.script import Deed, Lying, Mishap, ScriptedArm, Seat
from vision.mat import LATTICE

SLIP, TURN = (
    2.0,
    4.0,
)  # millimetres and degrees by which a card usually lies off, at most: it is laid on another's edges
FAR = (4.0, 7.0)  # millimetres that it lies off where it slipped
PLACED = 4  # ways to lay that a player compares
CALLED = (1200, 2600)  # milliseconds until an illegal card is taken back
AGAIN = (500, 1500)  # until its player lays another one

Way = tuple[str, str, int]  # card as it is held, place, quarters


@dataclass(frozen=True, slots=True)
class Play:
    """What truly happened."""

    what: str  # lay, refused, back or draw
    at: int
    player: str
    place: str = ""
    card: str = ""  # as it lies in the field
    points: int = 0
    kind: str = ""


class Course:
    """What has happened so far."""

    def __init__(
        self,
        rng: Random,
        seats: Mapping[str, Seat],
        hands: dict[str, list[str]],
        deck: list[str],
        lies: LaidField,
        state: State,
        trouble: Mapping[str, float],
        pace: float,
    ) -> None:
        self.rng, self.seats, self.state = rng, seats, state
        self._hands = {player: list(cards) for player, cards in hands.items()}
        self._deck, self._lies, self._trouble, self._pace = deck, lies, trouble, pace
        self.arms: list[ScriptedArm] = []
        self.mishaps: list[Mishap] = []
        self.plays: list[Play] = []
        self._free = dict.fromkeys(seats, 0)  # when each player's arm is gone

    def run(self, begins: int) -> None:
        """From the first turn to the end of the match."""
        now = begins + span(self.rng, (300, 1500))
        while self.state.phase == "turn":
            now = self._turn(now) + self._thinks()

    def lying(self, card: str, turned: int) -> Lying:
        """As it is usually laid, in the field as that lies on the mat."""
        askew = 90 * ((turned + self._lies.quarters) % 4) + self.rng.uniform(-TURN, TURN)
        return Lying(card, (self._off(), self._off()), round(askew % 360, 1))

    def _off(self) -> float:
        return round(self.rng.uniform(-SLIP, SLIP), 1)

    def _thinks(self) -> int:
        return span(self.rng, (700, 1500)) + int(self.rng.expovariate(self._pace) * SECOND / 2)

    def _befalls(self, kind: str) -> bool:
        return self.rng.random() < self._trouble.get(kind, 0)

    # --- a turn

    def _turn(self, now: int) -> int:
        """What the player does who has the turn; when it is done."""
        player = self.state.turn
        for kind in MISHAPS:
            if self._befalls(kind):
                self._befall(kind, now)
        ways = self._ways(player, fitting=True)
        if ways and self._befalls("hover"):
            card, place, turned = self.rng.choice(ways)
            now = self._arm(player, now, place, "hover", self.lying(card, turned), over=(500, 1300), kind="hover").gone
        if self._befalls("rests"):
            now = self._rest(now)
        wrong = self._ways(player, fitting=False)
        if wrong and self._befalls("illegal"):
            now = self._lay_wrongly(player, now, self.rng.choice(wrong))
        if not ways:
            return self._draw(player, now)
        if self._befalls("taken back"):
            now = self._think_better(player, now, self._best(ways))
        return self._lay(player, now, self._best(ways))

    def _ways(self, player: str, *, fitting: bool) -> list[Way]:
        house = self.state.house
        return [
            (card, place, turned)
            for card in self._hands[player]
            for turned in range(4)
            for place, covered in zip(house.field.letters, self.state.field, strict=True)
            if bool(misfits(card_of(card, turned), card_of(covered), triangle_fits=house.triangle_fits)) is not fitting
        ]

    def _best(self, ways: list[Way]) -> Way:
        return max(self.rng.sample(ways, min(PLACED, len(ways))), key=self._worth)

    def _worth(self, way: Way) -> int:
        card, place, turned = way
        number = self._number(place)
        field = (*self.state.field[:number], str(card_of(card, turned)), *self.state.field[number + 1 :])
        return score(self.state.house, field, place, self.state.field[number]).points

    def _number(self, place: str) -> int:
        return self.state.house.field.geometry.numbers[place]

    def _lay(self, player: str, now: int, way: Way) -> int:
        card, place, turned = way
        lies, kind = self.lying(card, turned), ""
        if self._befalls("slipped"):
            far, side = self.rng.uniform(*FAR), self.rng.choice((-1, 1))
            slip = (side * round(far, 1), lies.slip[1])
            lies, kind = replace(lies, slip=slip if self.rng.random() < 0.5 else slip[::-1]), "slipped"
        arm = self._arm(player, now, place, "lay", lies, kind=kind)
        self._rule(Lay(player, place, card, turned, at=arm.deed), arm.deed, kind)
        self._hands[player].remove(card)
        done = arm.deed
        if kind or self._befalls("squared"):
            straight = self.lying(card, turned)
            done = self._arm(player, arm.gone, place, "square", straight, kind=kind or "squared").gone
        if not self._hands[player]:
            self._take(player, max(done, arm.gone), "refill")
            for _ in range(min(HAND, len(self._deck))):
                self._hands[player].append(self._deck.pop())
        return done

    def _lay_wrongly(self, player: str, now: int, way: Way) -> int:
        """A card that does not fit, which is called and taken back."""
        card, place, turned = way
        arm = self._arm(player, now, place, "lay", self.lying(card, turned), kind="illegal")
        self._rule(Lay(player, place, card, turned, at=arm.deed), arm.deed, "illegal")
        back = self._arm(player, arm.deed + span(self.rng, CALLED), place, "take", None, kind="illegal")
        self._keep("back", back.deed, player, place, str(card_of(card, turned)))
        return back.gone + span(self.rng, AGAIN)

    def _think_better(self, player: str, now: int, way: Way) -> int:
        """A card that fits is taken back before anybody else has done anything."""
        card, place, turned = way
        arm = self._arm(player, now, place, "lay", self.lying(card, turned), kind="taken back")
        before = self.state
        self._rule(Lay(player, place, card, turned, at=arm.deed), arm.deed, "taken back")
        self.state = before
        back = self._arm(player, arm.gone + span(self.rng, CALLED), place, "take", None, kind="taken back")
        self._keep("back", back.deed, player, place, str(card_of(card, turned)), "taken back")
        return back.gone + span(self.rng, AGAIN)

    def _draw(self, player: str, now: int) -> int:
        deed = self._take(player, now, "draw")
        drawn = bool(self.state.deck)
        self._rule(Draw(player, at=deed), deed, "")
        if drawn and self._deck:
            self._hands[player].append(self._deck.pop())
        return deed

    def _take(self, player: str, now: int, kind: str) -> int:
        """A hand at the draw pile; when it takes a card."""
        times = visit(self.rng, max(now, self._free[player]))
        return self._arm_of(player, times, len(self._lies.field.places) + 1, "take", None, kind).deed

    def _rest(self, now: int) -> int:
        """Somebody else's hand rests over the table."""
        player = self.rng.choice(list(self.seats))
        place = self.rng.choice(self.state.house.field.letters)
        lies = self.lying(self.rng.choice(self._hands[player] or ["back"]), 0)
        return self._arm(player, now, place, "hover", lies, over=(400, 900), kind="rests").gone

    # --- arms, rulings, mishaps

    def _arm(
        self,
        player: str,
        now: int,
        place: str,
        what: Deed,
        lies: Lying | None,
        *,
        over: tuple[float, float] | None = None,
        kind: str = "",
    ) -> ScriptedArm:
        enters = max(now, self._free[player])
        times = visit(self.rng, enters, over) if over else visit(self.rng, enters)
        return self._arm_of(player, times, self._number(place) + 1, what, lies, kind)

    def _arm_of(self, player: str, times: Times, cell: int, what: Deed, lies: Lying | None, kind: str) -> ScriptedArm:
        seat = self.seats[player]
        stamps = times.enters, times.there, times.deed, times.leaves, times.gone
        arm = ScriptedArm(seat, *stamps, cell, what, lies, kind=kind)
        self.arms.append(arm)
        self._free[player] = arm.gone + 50 * MILLISECOND
        return arm

    def _rule(self, move: Lay | Draw, at: int, kind: str) -> None:
        before = self.state
        try:
            ruling = GAME.rule(before, move)
        except Foul:
            assert isinstance(move, Lay)
            self._keep("refused", at, move.player, move.place, str(card_of(move.card, move.turned)), kind)
            return
        self.state = ruling.state
        if isinstance(move, Draw):
            self._keep("draw", at, move.player)
            return
        points = next((one.points for one in ruling.events if isinstance(one, Scored)), 0)
        self._keep("lay", at, move.player, move.place, str(card_of(move.card, move.turned)), kind, points)

    def _keep(
        self, what: str, at: int, player: str, place: str = "", card: str = "", kind: str = "", points: int = 0
    ) -> None:
        self.plays.append(Play(what, at, player, place, card, points, kind))

    def _befall(self, kind: str, now: int) -> None:
        befallen = mishap(self.rng, kind, now, LATTICE)
        if befallen.what == "cover":  # nobody lays under it
            befallen = replace(befallen, until=min(befallen.until, now + SECOND))
        self.mishaps.append(befallen)
