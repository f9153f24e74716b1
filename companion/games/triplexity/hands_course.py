"""What hands do in a match of Triplexity, turn by turn, and what befalls the table meanwhile."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.rules import Foul
from companion.games.triplexity.faces import OWNERS
from companion.games.triplexity.paper import UNDER
from companion.games.triplexity.rules import (
    GAME,
    HIGHEST,
    PLACES,
    Option,
    Position,
    Put,
    Shift,
    State,
    after,
    options,
    winning,
)
from simulator.hands.hand_visits import MISHAPS, Times, mishap, span, visit
from simulator.rendered.script import Deed, Lying, Mishap, ScriptedArm, Seat
from vision.mat import STACKS

SLIP, ASKEW = 3.0, 8.0  # millimetres and degrees by which a piece usually lies off, at most
FAR = (5.0, 9.0)  # millimetres that it lies off where it slipped
OVER = (600, 1300)  # milliseconds that a hand is over the table with what it moves
LAID = (0.6, 0.9)  # of that time, when it lies
CALLED = (1300, 2800)  # milliseconds until what was refused is put back
AGAIN = (500, 1500)  # until its player does something else
TURNED = 0.3  # of moves in the basic game, where it makes no difference


@dataclass(frozen=True, slots=True)
class Play:
    """What truly happened."""

    what: str  # put, shift, refused, back, or none: a piece lies there that is no move yet
    at: int
    player: str
    source: str = ""
    target: str = ""
    face: str = ""  # as it came to lie
    kind: str = ""


class Course:
    """What has happened so far."""

    def __init__(
        self, rng: Random, seats: Mapping[str, Seat], state: State, trouble: Mapping[str, float], pace: float, long: int
    ) -> None:
        self.rng, self.seats, self.state = rng, seats, state
        self._trouble, self._pace, self._long = trouble, pace, long
        self.arms: list[ScriptedArm] = []
        self.mishaps: list[Mishap] = []
        self.plays: list[Play] = []
        self._free = dict.fromkeys(seats, 0)  # when each player's arm is gone
        self._first = rng.choice(list(seats))
        self._begin_round()

    def run(self, begins: int) -> None:
        """From the first turn to the end of the match."""
        now = begins + span(self.rng, (300, 1500))
        while self.state.phase != "over":
            now = self._turn(now) + self._thinks()

    def _begin_round(self) -> None:
        self._stacks: list[list[str]] = [[], [], []]  # faces as they lie
        ups = [faces.split("/")[0] for faces in self.state.house.faces]
        self._hands = [[f"{colour}-{up}" for up in ups] for colour in OWNERS]
        self._moves = 0

    # --- how it lies

    def lying(self, face: str) -> Lying:
        """As it is usually laid, any of the four ways round."""
        askew = self.rng.choice((0, 90, 180, 270)) + self.rng.uniform(-ASKEW, ASKEW)
        return Lying(face, (self._off(), self._off()), round(askew % 360, 1))

    def _off(self) -> float:
        return round(self.rng.uniform(-SLIP, SLIP), 1)

    def _slipped(self, lies: Lying) -> Lying:
        far = round(self.rng.choice((-1, 1)) * self.rng.uniform(*FAR), 1)
        slip = (far, lies.slip[1])
        return replace(lies, slip=slip if self.rng.random() < 0.5 else slip[::-1])

    def _thinks(self) -> int:
        return span(self.rng, (700, 1500)) + int(self.rng.expovariate(self._pace) * SECOND / 2)

    def _befalls(self, kind: str) -> bool:
        return self.rng.random() < self._trouble.get(kind, 0)

    # --- a turn

    @property
    def _player(self) -> str:
        return self.state.turn or self._first

    @property
    def _position(self) -> Position:
        return self.state.position._replace(mover=self.state.players.index(self._player))

    def _turn(self, now: int) -> int:
        """What the player does who has the turn; when it is done."""
        for kind in MISHAPS:
            if self._befalls(kind):
                self._befall(kind, now)
        if self._befalls("rests"):
            now = self._rest(now)
        if self._befalls("illegal") and (wrong := self._wrong()):
            now = self._refused(now, *self.rng.choice(wrong))
        if self._befalls("out of turn") and self.state.turn:
            now = self._out_of_turn(now)
        if self._befalls("taken back") and (ways := self._going_on()):
            now = self._think_better(now, self.rng.choice(ways))
        if self._befalls("unturned") and self._is_advanced and self.state.phase == "move":
            return self._forgets_to_turn(now, self._chosen())
        return self._play(now, self._chosen())

    @property
    def _is_advanced(self) -> bool:
        return bool(self.state.house.play == "advanced")

    def _going_on(self) -> list[Option]:
        """Moves that do not end the round."""
        position = self._position
        return [one for one in options(position) if not winning(after(position, one))]

    def _chosen(self) -> Option:
        """Nobody is in a hurry to win at first."""
        going_on, every = self._going_on(), options(self._position)
        ending = [one for one in every if one not in going_on]
        if ending and (self._moves >= self._long or not going_on):
            return self.rng.choice(ending)
        return self.rng.choice(going_on or list(every))

    def _play(self, now: int, option: Option, kind: str = "") -> int:
        """A move that is allowed; when it is done."""
        face = self._taken_up(option)
        arm = self._do(self._player, now, option, face, kind)
        self._rule(option, face, arm.deed, arm.kind)
        done = arm.deed
        if arm.kind == "slipped":
            straight = self.lying(face)
            done = self._arm(self._other(), arm.gone, option.target, "square", straight, kind="slipped").gone
        if self.state.phase != "over" and not any(self.state.stacks):
            done = self._clear(max(done, arm.gone) + span(self.rng, AGAIN))
        return done

    def _other(self) -> str:
        """Whoever made the move before: now the other one has the turn."""
        return next(player for player in self.seats if player != self.state.turn)

    def _taken_up(self, option: Option) -> str:
        """The face that will show, of the piece that is in the hand now."""
        if option.source is None:
            hand = self._hands[self.state.players.index(self._player)]
            face = hand.pop(self.rng.randrange(len(hand)))
            return face if self.rng.random() < 0.5 else turned(face)
        face = self._stacks[option.source].pop()
        return turned(face) if self._is_advanced or self.rng.random() < TURNED else face

    def _do(self, player: str, now: int, option: Option, face: str, kind: str = "") -> ScriptedArm:
        """The arm's visit; the piece lies there then."""
        lies = self.lying(face)
        if not kind and self._befalls("slipped"):
            lies, kind = self._slipped(lies), "slipped"
        self._stacks[option.target].append(face)
        if option.source is None:
            return self._arm(player, now, option.target, "lay", lies, kind=kind)
        return self._moves_over(player, now, option.source, option.target, lies, kind)

    # --- what is not allowed, and what is thought better of

    def _wrong(self) -> list[tuple[Option, str]]:
        """Moves by whoever has the turn that the rules refuse, and why."""
        full = [place for place in range(3) if len(self._stacks[place]) == HIGHEST]
        filled = [place for place in range(3) if self._stacks[place]]
        if self.state.phase == "place":
            found = [
                (Option(source, target), "place-first") for source in filled for target in range(3) if source != target
            ]
            return found + [(Option(None, target), "stack-full") for target in full]
        found = [(Option(*back), "moved-back") for back in self.state.closed]
        return found + [
            (Option(source, target), "stack-full") for source in filled for target in full if source != target
        ]

    def _refused(self, now: int, option: Option, code: str) -> int:
        return self._in_vain(self._player, now, option, code, "refused")

    def _out_of_turn(self, now: int) -> int:
        """The other player, with something that would be allowed if it were his turn."""
        player = self._other()
        seat = self.state.players.index(player)
        ways = options(self.state.position._replace(mover=seat))
        return self._in_vain(player, now, self.rng.choice(ways), "not-your-turn", "refused") if ways else now

    def _in_vain(self, player: str, now: int, option: Option, kind: str, what: str) -> int:
        """A move that is put back by whoever made it."""
        seat = self.state.players.index(player)
        held = self._hands[seat][-1] if option.source is None else self._stacks[option.source][-1]
        if option.source is None:
            self._hands[seat].pop()
            face = held
        else:
            self._stacks[option.source].pop()
            face = turned(held) if self._is_advanced else held
        arm = self._do(player, now, option, face, kind)
        self._keep(what, arm.deed, player, option, face, kind)
        self._stacks[option.target].pop()
        begins = arm.gone + span(self.rng, CALLED)
        if option.source is None:
            back = self._arm(player, begins, option.target, "take", None, kind=kind)
            self._hands[seat].append(held)
        else:
            self._stacks[option.source].append(held)
            back = self._moves_over(player, begins, option.target, option.source, self.lying(held), kind)
        self._keep("back", back.deed, player, option, held, kind)
        return back.gone + span(self.rng, AGAIN)

    def _think_better(self, now: int, option: Option) -> int:
        """A move that is allowed is taken back before the other one has done anything."""
        return self._in_vain(self._player, now, option, "taken back", "put" if option.source is None else "shift")

    def _forgets_to_turn(self, now: int, option: Option) -> int:
        """In the advanced game the piece is turned over where it lies, when somebody says so."""
        assert option.source is not None
        player, held = self._player, self._stacks[option.source].pop()
        arm = self._do(player, now, option, held, "unturned")
        self._keep("none", arm.deed, player, option, held, "unturned")
        self._stacks[option.target][-1] = turned(held)
        lies = self.lying(turned(held))
        turning = self._moves_over(
            player, arm.gone + span(self.rng, CALLED), option.target, option.target, lies, "unturned"
        )
        self._rule(option, turned(held), turning.deed, "unturned")
        done = turning.gone
        if self.state.phase != "over" and not any(self.state.stacks):
            done = self._clear(done + span(self.rng, AGAIN))
        return done

    def _rest(self, now: int) -> int:
        """A hand rests over the table."""
        player, place = self.rng.choice(list(self.seats)), self.rng.randrange(3)
        hand = self._hands[self.state.players.index(player)]
        held = self.lying(self.rng.choice(hand)) if hand else None
        return self._arm(player, now, place, "hover", held, over=(400, 900), kind="rests").gone

    def _clear(self, now: int) -> int:
        """Between two rounds all pieces are taken off; when they are."""
        for place in self.rng.sample(range(3), 3):
            while self._stacks[place]:
                self._stacks[place].pop()
                player = min(self._free, key=lambda one: self._free[one])
                arm = self._arm(player, now, place, "take", None, kind="clearing")
                now = arm.deed + 100 * MILLISECOND
        self._begin_round()
        return max(self._free.values()) + span(self.rng, AGAIN)

    # --- arms, rulings, mishaps

    def _arm(
        self,
        player: str,
        now: int,
        place: int,
        what: Deed,
        lies: Lying | None,
        *,
        over: tuple[float, float] | None = None,
        kind: str = "",
    ) -> ScriptedArm:
        enters = max(now, self._free[player])
        times = visit(self.rng, enters, over) if over else visit(self.rng, enters)
        return self._arm_of(
            player, times, ScriptedArm(self.seats[player], *_stamps(times), place + 1, what, lies, 0, kind)
        )

    def _moves_over(self, player: str, now: int, source: int, target: int, lies: Lying, kind: str) -> ScriptedArm:
        times = visit(self.rng, max(now, self._free[player]), OVER)
        deed = times.there + int((times.leaves - times.there) * self.rng.uniform(*LAID))
        times = replace(times, deed=deed)
        arm = ScriptedArm(self.seats[player], *_stamps(times), source + 1, "move", lies, target + 1, kind)
        return self._arm_of(player, times, arm)

    def _arm_of(self, player: str, times: Times, arm: ScriptedArm) -> ScriptedArm:
        self.arms.append(arm)
        self._free[player] = times.gone + 50 * MILLISECOND
        return arm

    def _rule(self, option: Option, face: str, at: int, kind: str) -> None:
        player = self._player
        move = move_of(player, option, face, is_advanced=self._is_advanced)
        try:
            ruling = GAME.rule(self.state, replace(move, at=at))
        except Foul as foul:
            raise AssertionError(f"a bot moves against the rules: {foul}") from foul
        self._keep("put" if option.source is None else "shift", at, player, option, face, kind)
        self.state = ruling.state
        self._moves += 1

    def _keep(self, what: str, at: int, player: str, option: Option, face: str, kind: str) -> None:
        source = "" if option.source is None else PLACES[option.source]
        self.plays.append(Play(what, at, player, source, PLACES[option.target], face, kind))

    def _befall(self, kind: str, now: int) -> None:
        befallen = mishap(self.rng, kind, now, STACKS)
        if befallen.what == "cover":  # nobody lays under it
            befallen = replace(befallen, until=min(befallen.until, now + SECOND))
        self.mishaps.append(befallen)


def _stamps(times: Times) -> tuple[int, int, int, int, int]:
    return times.enters, times.there, times.deed, times.leaves, times.gone


def turned(face: str) -> str:
    """What shows when a piece is turned over."""
    colour, _, pips = face.partition("-")
    return f"{colour}-{UNDER[pips]}"


def move_of(player: str, option: Option, face: str, *, is_advanced: bool) -> Put | Shift:
    """As it is told to the referee."""
    if option.source is None:
        return Put(player, PLACES[option.target], int(face.partition("-")[2]) if is_advanced else 0)
    return Shift(player, PLACES[option.source], PLACES[option.target])
