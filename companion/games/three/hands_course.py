"""What hands do in a match of Three!, turn by turn, and what befalls the table meanwhile."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.rules import Move
from companion.games.three.rules import (
    FIRST_COUNTED,
    GAME,
    THREE,
    Call,
    Check,
    Declare,
    Pass,
    Play,
    State,
    Strike,
)
from simulator.hands.hand_visits import MISHAPS, Times, mishap, span, visit
from simulator.rendered.script import Deed, Lying, Mishap, ScriptedArm, ScriptLine, Seat
from vision.mat import BANKS as MAT

SIDES: tuple[Seat, ...] = ("top", "right", "bottom", "left")  # of the places of piles, and of banks behind them
UPRIGHT: Mapping[Seat, int] = {"bottom": 0, "left": 90, "top": 180, "right": 270}
DRAW = len(MAT.places) + 1  # the cell of the draw pile, and behind it the token
TOKEN = DRAW + 1
SLIP, TURN = 3.0, 6.0  # millimetres and degrees by which a card usually lies off, at most
FAR = (6.0, 10.0)  # millimetres that it lies off where it slipped
ANYHOW = 0.2  # of the cards are not held upright
NEATLY = 1.0  # millimetres by which a pile lies off that was put straight
CALLED = (1200, 2600)  # milliseconds until a card that was refused is taken back
AGAIN = (500, 1500)  # until its player plays another one
LOOKED = (1500, 4000)  # for which a pile is looked through
NAMED = (900, 2500)  # from a strike to the call
HASTE = 0.4  # of the players do not wait until the one before has drawn
CALLS, BLUFFS, DECLARES = 0.35, 0.03, 0.6  # between two cards, where there is something to call or not; at a turn


@dataclass(frozen=True, slots=True)
class Played:
    """What truly happened."""

    what: str  # play, refused, back or check
    at: int
    player: str  # whose pile
    dog: str
    kind: str = ""
    found: int = 0  # by a check


class Course:
    """What has happened so far."""

    def __init__(
        self,
        rng: Random,
        seats: Mapping[str, Seat],
        hands: Mapping[str, list[str]],
        deck: list[str],
        state: State,
        trouble: Mapping[str, float],
        pace: float,
    ) -> None:
        self.rng, self.seats, self.state = rng, seats, state
        self.hands = {player: list(cards) for player, cards in hands.items()}
        self._deck, self._trouble, self._pace = deck, trouble, pace
        self.piles: dict[str, list[Lying]] = {player: [] for player in seats}
        self.arms: list[ScriptedArm] = []
        self.mishaps: list[Mishap] = []
        self.plays: list[Played] = []
        self.said: list[ScriptLine] = []
        self._free = dict.fromkeys(seats, 0)  # when each player's arm is gone

    def run(self, begins: int) -> None:
        """From the first turn to the end of the match."""
        now = begins + span(self.rng, (300, 1500))
        while self.state.phase in ("turn", "final"):
            for kind in MISHAPS:
                if self._befalls(kind):
                    self._befall(kind, now)
            now = self._perhaps_call(now)
            now = self._turn(now) if self.state.phase == "turn" else self._last_turn(now)
            now += self._thinks()

    # --- a turn

    def _turn(self, now: int) -> int:
        player = self.state.turn
        now = self._perhaps_declare(player, now)
        hand = self.hands[player]
        if self._befalls("hover"):
            held = self.lying(player, self.rng.choice(hand))
            now = self._arm(player, now, self.pile_of(player), "hover", held, over=(500, 1300), kind="hover").gone
        if self._befalls("rests"):
            now = self._rest(now)
        if self._befalls("squared early"):
            now = self._square(player, now, "squared early")
        if self._befalls("out of turn"):
            now = self._out_of_turn(now)
        if self._befalls("taken back"):
            now = self._think_better(player, now)
        return self._play(player, now)

    def _play(self, player: str, now: int) -> int:
        dog = self.rng.choice(self.hands[player])
        lies, kind = self.lying(player, dog), ""
        if self._befalls("slipped"):
            far, side = self.rng.uniform(*FAR), self.rng.choice((-1, 1))
            slip = (side * round(far, 1), lies.slip[1])
            lies, kind = replace(lies, slip=slip if self.rng.random() < 0.5 else slip[::-1]), "slipped"
        arm = self._arm(player, now, self.pile_of(player), "lay", lies, kind=kind)
        self.piles[player].append(lies)
        draws = self.state.deck > 0
        self._rule(Play(player, dog, at=arm.deed))
        self._keep("play", arm.deed, player, dog, kind)
        self.hands[player].remove(dog)
        done = arm.gone
        if draws:
            drawn = self._arm(player, done + span(self.rng, (0, 700)), DRAW, "take", None)
            done = done if self.rng.random() < HASTE else drawn.deed
            self.hands[player].append(self._deck.pop())
        if kind or self._befalls("squared"):
            done = self._square(player, done, kind or "squared")
        return done

    def _out_of_turn(self, now: int) -> int:
        """A card by somebody who does not have the turn, which is called and taken back."""
        others = [one for one in self.seats if one != self.state.turn and self.hands[one]]
        if not others:
            return now
        player = self.rng.choice(others)
        return self._put_and_take(player, now, "refused", "out of turn")

    def _think_better(self, player: str, now: int) -> int:
        """A card that counts is taken back before anybody else has done anything."""
        return self._put_and_take(player, now, "play", "taken back")

    def _put_and_take(self, player: str, now: int, what: str, kind: str) -> int:
        dog = self.rng.choice(self.hands[player])
        arm = self._arm(player, now, self.pile_of(player), "lay", self.lying(player, dog), kind=kind)
        self._keep(what, arm.deed, player, dog, kind)
        back = self._arm(player, arm.deed + span(self.rng, CALLED), self.pile_of(player), "take", None, kind=kind)
        self._keep("back", back.deed, player, dog, kind)
        return back.gone + span(self.rng, AGAIN)

    def _square(self, player: str, now: int, kind: str) -> int:
        """The pile is put straight."""
        if not self.piles[player]:
            return now
        top = self.piles[player][-1]
        slip = (round(self.rng.uniform(-NEATLY, NEATLY), 1), round(self.rng.uniform(-NEATLY, NEATLY), 1))
        quarters = round((top.turn - UPRIGHT[self.seats[player]]) / 90)
        turn = (UPRIGHT[self.seats[player]] + 90 * quarters + self.rng.uniform(-2, 2)) % 360
        straight = Lying(top.card, slip, round(turn, 1))
        self.piles[player] = [replace(straight, card=one.card) for one in self.piles[player]]
        return self._arm(player, now, self.pile_of(player), "square", straight, kind=kind).gone

    def _rest(self, now: int) -> int:
        """A hand rests over a pile, its own or another's."""
        player, over = self.rng.choice(list(self.seats)), self.rng.choice(list(self.seats))
        return self._arm(player, now, self.pile_of(over), "hover", None, over=(400, 900), kind="rests").gone

    # --- calls and declarations

    def _perhaps_call(self, now: int) -> int:
        for player in self.rng.sample(list(self.seats), len(self.seats)):
            threes = self._threes(player)
            if self.rng.random() < (CALLS if threes else BLUFFS):
                dog = self.rng.choice(threes or [one.name for one in self.state.house.dogs])
                caller = self.rng.choice([one for one in self.seats if one != player])
                return self._call(caller, player, dog, now)
        return now

    def _call(self, caller: str, whom: str, dog: str, now: int) -> int:
        hand = self._arm(caller, max(now, self.state.free_at), TOKEN, "hover", None, over=(100, 300), kind="strike")
        struck = hand.there
        self._say(Strike(caller, at=struck), {"move": "strike", "player": caller})
        named = max(struck + span(self.rng, NAMED), hand.gone)
        self._say(Call(caller, whom, dog, at=named), {"move": "call", "player": caller, "whom": whom, "dog": dog})
        return self._check(whom, named)

    def _perhaps_declare(self, player: str, now: int) -> int:
        threes = self._threes(player)
        may = self.state.declared < self.state.house.declarations_per_turn
        if not may or not threes or self.rng.random() > DECLARES:
            return now
        dog = self.rng.choice(threes)
        self._say(Declare(player, dog, at=now), {"move": "declare", "player": player, "dog": dog})
        return self._check(player, now)

    def _check(self, player: str, now: int) -> int:
        """The pile is looked through, what was found goes to a bank, and the rest is put back."""
        dog, caller = self.state.dog, self.state.caller
        pile = self.piles[player]
        found = [one for one in pile if one.card == dog]
        told = now + span(self.rng, (300, 900))
        self._keep("check", told, player, dog, found=len(found))
        if self.state.house.checks == FIRST_COUNTED:
            self._say(Check(player, len(found), at=told), {"move": "check", "player": player, "found": len(found)})
        else:
            self._rule(Check(player, len(found), at=told))
        if not found:
            return told
        lifted = self._arm(player, told, self.pile_of(player), "lift", None, kind="check")
        back = lifted.gone + span(self.rng, LOOKED)
        rest = [one for one in pile if one.card != dog]
        if rest and self._befalls("shuffled"):
            self.rng.shuffle(rest)
        rest = [self.lying(player, one.card) for one in rest]
        self.piles[player] = rest
        done = back
        if rest:
            done = self._arm(
                player, back, self.pile_of(player), "put", rest[-1], pile=tuple(rest[:-1]), kind="check"
            ).gone
        owner = (caller if len(found) >= THREE else player) if caller else player
        if caller or len(found) >= THREE:
            lain = self.lying(owner, dog)
            below = tuple(self.lying(owner, dog) for _ in found[1:])
            bank = self.pile_of(owner) + len(SIDES)
            done = max(done, self._arm(owner, done, bank, "put", lain, pile=below, kind="bank").gone)
        return done

    def _last_turn(self, now: int) -> int:
        player = self.state.turn
        now = self._perhaps_declare(player, now)
        if self.state.phase == "final" and self.state.turn == player:
            self._say(Pass(player, at=now), {"move": "pass", "player": player})
        return now

    def _threes(self, player: str) -> list[str]:
        pile = [one.card for one in self.piles[player]]
        return sorted({dog for dog in pile if pile.count(dog) >= THREE})

    # --- where, how, and when

    def pile_of(self, player: str) -> int:
        """The cell of a player's pile."""
        return SIDES.index(self.seats[player]) + 1

    def lying(self, player: str, dog: str) -> Lying:
        """As it is usually laid, mostly upright for its player."""
        quarters = self.rng.choice((1, 2, 3)) if self.rng.random() < ANYHOW else 0
        turn = UPRIGHT[self.seats[player]] + 90 * quarters + self.rng.uniform(-TURN, TURN)
        slip = (round(self.rng.uniform(-SLIP, SLIP), 1), round(self.rng.uniform(-SLIP, SLIP), 1))
        return Lying(dog, slip, round(turn % 360, 1))

    def _thinks(self) -> int:
        return span(self.rng, (500, 1200)) + int(self.rng.expovariate(self._pace) * SECOND / 2)

    def _befalls(self, kind: str) -> bool:
        return self.rng.random() < self._trouble.get(kind, 0)

    def _arm(
        self,
        player: str,
        now: int,
        cell: int,
        what: Deed,
        lies: Lying | None,
        *,
        pile: tuple[Lying, ...] = (),
        over: tuple[float, float] | None = None,
        kind: str = "",
    ) -> ScriptedArm:
        enters = max(now, self._free[player])
        times: Times = visit(self.rng, enters, over) if over else visit(self.rng, enters)
        stamps = times.enters, times.there, times.deed, times.leaves, times.gone
        arm = ScriptedArm(self.seats[player], *stamps, cell, what, lies, pile=pile, kind=kind)
        self.arms.append(arm)
        self._free[player] = arm.gone + 50 * MILLISECOND
        return arm

    def _say(self, move: Move, message: dict[str, Any]) -> None:
        self._rule(move)
        self.said.append(ScriptLine(move.at, message))

    def _rule(self, move: Move) -> None:
        self.state = GAME.rule(self.state, move).state

    def _keep(self, what: str, at: int, player: str, dog: str, kind: str = "", found: int = 0) -> None:
        self.plays.append(Played(what, at, player, dog, kind, found))

    def _befall(self, kind: str, now: int) -> None:
        befallen = mishap(self.rng, kind, now, MAT)
        if befallen.what == "cover":  # nobody lays under it
            befallen = replace(befallen, until=min(befallen.until, now + SECOND))
        self.mishaps.append(befallen)
