"""The token on the table: a panel's strike buttons and the arbiter between them, and what their lights show.

A ring has a button for each seat; a single button stands for nobody, and the table says whose hand it was.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from companion.core.photo_finish import Finish
from hardware import arbiter as machine
from hardware.answers import Answer
from hardware.arbiter import Arbiter, Phase
from hardware.panel import FILLING, Key, Light, Panel, Press
from hardware.pin_errors import PinsError

NOBODY = ""  # the seat of the one big button
STEPS = len(FILLING)


@dataclass(frozen=True, slots=True)
class Rearming:
    """The token fills from `since` until it is free; some seats are kept out for longer."""

    since: int
    free: int
    out: Mapping[str, int]

    def frees(self, seat: str) -> int:
        """From when on the seat may strike."""
        return max(self.free, self.out.get(seat, self.free))

    def light(self, seat: str, now: int) -> Light | None:
        """What it shows of this to a seat that may not strike yet."""
        if now < self.free:
            return FILLING[max(0, min(STEPS - 1, (now - self.since) * STEPS // max(1, self.free - self.since)))]
        return Light.LOCKED if now < self.frees(seat) else None

    def changes_after(self, now: int) -> int | None:
        """When one of the lights is another."""
        steps = (self.since + (self.free - self.since) * step // STEPS for step in range(1, STEPS + 1))
        return min((at for at in (*steps, *self.out.values()) if at > now), default=None)


class Token:
    """Asked and told from one thread; it looks at no clock."""

    def __init__(self, panel: Panel, seats: Iterable[str]) -> None:
        self._panel = panel
        self._keys: dict[str, Key] = {NOBODY: Key("strike")}
        if panel.wiring.kind == "ring":
            self._keys = {seat: Key("strike", number) for number, seat in enumerate(seats)}
            panel.wiring.must_seat(len(self._keys))
        self._seats = {key: seat for seat, key in self._keys.items()}
        self._arbiter = Arbiter(tuple(self._keys), panel.wiring.settings)
        self._shown: dict[Key, Light] = {}
        self._void_at = 0  # the newest press while nobody could strike
        self._rearming: Rearming | None = None
        self._lit_at = 0  # when the lights were brought up to date

    @property
    def arbiter(self) -> Arbiter:
        return self._arbiter

    @property
    def is_armed(self) -> bool:
        return self._arbiter.phase in (Phase.ARMED, Phase.STRUCK)

    @property
    def wakes_at(self) -> int | None:
        """When the token has to be told the time, or its lights change."""
        lights = self._rearming.changes_after(self._lit_at) if self._rearming and self.is_armed else None
        return min((at for at in (self._due, lights) if at is not None), default=None)

    @property
    def _due(self) -> int | None:
        """When the window closes, or a button becomes stuck."""
        found = [self._arbiter.closes_at] if self._arbiter.phase is Phase.STRUCK else []
        for seat in self._keys:
            button = self._arbiter.button(seat)
            if button.void_at is not None:
                found.append(button.void_at + self._arbiter.settings.window)
            if button.since is not None and button.excluded != "stuck":
                found.append(button.since + self._arbiter.settings.stuck_after)
        return min(found, default=None)

    def knows(self, key: Key) -> bool:
        return key in self._seats

    def arm(self, at: int) -> list[Answer]:
        at = max(at, self._void_at + 1)  # it has been told already that that one did not count
        self._arbiter, answers = machine.arm(self._arbiter, at, self._levels())
        return answers

    def rearms(self, rearming: Rearming | None) -> None:
        """Armed or not, nobody may strike before this is over."""
        self._rearming = rearming
        frees = {seat: rearming.frees(seat) for seat in self._keys} if rearming else {}
        self._arbiter = self._arbiter._replace(frees=frees)

    def stands(self, finish: Finish) -> None:
        """A strike that was decided in another life of this table, and is not answered yet."""
        self._arbiter = machine.settled(self._arbiter, finish)

    def heard(self, press: Press) -> list[Answer]:
        """An edge of one of the strike buttons."""
        if press.is_down and not self.is_armed:
            self._void_at = max(self._void_at, press.at)
        self._arbiter, answers = machine.edge(
            self._arbiter, self._seats[press.key], press.at, down=press.is_down, sure=press.sure
        )
        return answers

    def time_is(self, at: int, undecided: Collection[Key] = ()) -> list[Answer]:
        """Time passes. The levels are read, and the machine is asked, only when something falls due. `undecided` are
        keys whose newest contact may be a spike."""
        due = self._due
        if due is None or at < due:
            return []
        seats = frozenset(self._seats[key] for key in undecided if key in self._seats)
        self._arbiter, answers = machine.time_is(self._arbiter, at, self._levels(), seats)
        return answers

    def was_spike(self, key: Key) -> None:
        """A button that was found down without an edge was down for no press."""
        if key in self._seats:
            self._arbiter = machine.explained(self._arbiter, self._seats[key])

    def filling(self, now: int) -> Light | None:
        """How far the token is on its way to be free; None if it is not on it."""
        is_filling = self._rearming and self.is_armed and now < self._rearming.free
        return self._rearming.light(NOBODY, now) if self._rearming and is_filling else None

    def show(self, turn: str = "", now: int = 0) -> None:
        """Bring the lights up to date; only those that change are told."""
        self._lit_at = now
        for seat, light in lights(self._arbiter, turn, self._rearming, now).items():
            key = self._keys[seat]
            if self._shown.get(key) is not light:
                self._panel.show(key, light)
                self._shown[key] = light

    def _levels(self) -> dict[str, bool]:
        """The levels as far as they are known: none while the chip is gone, and the game goes on by touch."""
        try:
            found = self._panel.levels()
        except PinsError:
            return {}
        return {self._seats[key]: down for key, down in found.items() if key in self._seats}


def lights(arbiter: Arbiter, turn: str = "", rearming: Rearming | None = None, now: int = 0) -> dict[str, Light]:
    """What the light of each seat shows: the winner, who is tied, whose turn it is, who has to take a hand off, and
    when the token is free again."""
    return {seat: _light(arbiter, seat, turn, rearming, now) for seat in arbiter.seats}


def _light(arbiter: Arbiter, seat: str, turn: str, rearming: Rearming | None, now: int) -> Light:
    if arbiter.button(seat).excluded:
        return Light.HELD
    if arbiter.phase is Phase.SETTLED and arbiter.finish:
        return _finished(arbiter.finish, seat)
    if arbiter.phase is Phase.IDLE:
        return Light.TURN if seat == turn and seat else Light.OFF
    not_yet = rearming.light(seat, now) if rearming else None
    return not_yet or (Light.TURN if seat == turn and seat else Light.ARMED)


def _finished(finish: Finish, seat: str) -> Light:
    if seat in finish.tied:
        return Light.TIED
    return Light.WON if finish.order and finish.winner == seat and not finish.tied else Light.LOCKED
