"""Who sits at the drawn table, persons and bots; their buttons, and the keys of the keyboard that press them."""

from dataclasses import dataclass, replace

from companion.core.button_meanings import TOKEN, ButtonKind, buttons_of
from companion.core.match import Setup
from companion.core.seats import Bot, Bots
from hardware.panel import Key, Light
from hardware.wiring import ON_HEADER, RESERVED, Seat, Wiring

# Letters that no screen uses for itself, far from each other for several people at one keyboard.
STRIKE_KEYS = ("space", "q", "i", "b")
SECOND_KEYS = ("v", "e", "j", "r")  # of the other button of a seat, where it has one

SHINES: dict[Light, tuple[int, ...]] = {  # in steps of an eighth of a second, again and again
    Light.OFF: (0,),
    Light.FILLING_1: (1,),
    Light.FILLING_2: (2,),
    Light.FILLING_3: (3,),
    Light.FILLING_4: (4,),
    Light.ARMED: (1,),
    Light.TURN: (1, 1, 2, 2, 3, 3, 4, 4, 4, 3, 3, 2, 2, 1, 1, 1),
    Light.WON: (4,),
    Light.TIED: (4, 4, 0, 0),
    Light.LOCKED: (3, 0, 0, 0, 0, 0, 0, 0),
    Light.HELD: (4, 0),
}
STEP = 125_000_000  # nanoseconds


def seat_kinds(game: str) -> tuple[ButtonKind, ...]:
    """The buttons that a seat has beside that for strikes."""
    return tuple(kind for kind in buttons_of(game).kinds if kind.at_seats)


def wiring_for(game: str, players: int) -> Wiring:
    """Simulated pins for so many seats."""
    pins = iter(pin for pin in ON_HEADER if pin not in RESERVED)
    kinds = seat_kinds(game)
    seats = []
    for _ in range(max(2, players)):
        button, light = next(pins), next(pins)
        seats.append(Seat(button, light, {kind.name: next(pins) for kind in kinds}))
    return Wiring("simulated", seats=tuple(seats))


def shine_at(light: Light, now: int) -> int:
    """How bright a lamp is, as its light tells the table what it has to tell."""
    steps = SHINES[light]
    return steps[now // STEP % len(steps)]


def is_steady(light: Light) -> bool:
    return len(SHINES[light]) == 1


@dataclass(frozen=True, slots=True)
class Sitting:
    """The people of one match: who is a person; the others are bots."""

    names: tuple[str, ...]
    people: frozenset[str]
    chosen: Bots = ()  # when the match was set up

    @property
    def bots(self) -> frozenset[str]:
        return frozenset(self.names) - self.people

    @property
    def persons(self) -> tuple[str, ...]:
        """In the order of their seats."""
        return tuple(name for name in self.names if name in self.people)

    def swapped(self, player: str) -> "Sitting":
        return replace(self, people=self.people ^ {player})

    def bot(self, player: str) -> Bot:
        """How a bot plays on somebody's seat."""
        return dict(zip(self.names, self.chosen, strict=False)).get(player) or Bot()

    def key_of(self, button: Key) -> str:
        """The key that presses a button; empty if there is none."""
        keys = STRIKE_KEYS if button.kind == TOKEN else SECOND_KEYS
        player = self.names[button.seat] if button.seat is not None and button.seat < len(self.names) else ""
        if player not in self.people:
            return ""
        number = self.persons.index(player)
        return keys[number] if number < len(keys) else ""

    def buttons(self, game: str) -> dict[str, Key]:
        """By key, what it presses."""
        kinds = [TOKEN, *(kind.name for kind in seat_kinds(game))]
        found = [Key(kind, seat) for kind in kinds for seat in range(len(self.names))]
        return {key: button for button in found if (key := self.key_of(button))}


def seated(setup: Setup, before: "Sitting | None") -> Sitting:
    """A new match: as it was set up. If nobody has chosen: the same persons as before if they play along, else whoever
    sits first."""
    names = setup.names
    if setup.is_seated:
        people = frozenset(player.name for player in setup.players if player.bot is None)
        return Sitting(names, people, tuple(player.bot for player in setup.players))
    goes_on = before is not None and set(before.names) & set(names)
    return Sitting(names, frozenset(names) & before.people if before and goes_on else frozenset(names[:1]))
