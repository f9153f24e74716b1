"""A whole game of Three! by presses and touches, the same on simulated buttons and on a chip of the kernel.

A scene is what is said at the table, then what the contacts of the buttons do, in nanoseconds from one moment on.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.core.codec import written
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.requests import read_message
from companion.core.session import Session
from companion.games import game
from companion.games.three import rules as three
from companion.inputs.presses import Presses
from companion.seat.table import PlainTable
from hardware.contact import Settings
from hardware.panel import Panel
from hardware.wiring import Seat, Wiring

MS = 1_000_000
US = 1_000
PLAYERS = ("Anna", "Ben", "Clara")
PINS = (4, 5, 6)
WIRING = Wiring(seats=tuple(Seat(button=pin) for pin in PINS), settings=Settings(window=50 * MS))  # an emulator stalls
HOUSE = three.House(dogs=three.DOGS[:4], copies=4, deck=16, call_timeout=600, rearm=0)

TRIES = 8  # strikes until the chip loses none of their edges

Contacts = tuple[tuple[int, int, bool], ...]  # when, which seat, closes or opens


@dataclass(frozen=True)
class Scene:
    """What is said, then what happens to the buttons, and how the strike comes out."""

    about: str
    says: tuple[dict[str, Any], ...] = ()
    contacts: Contacts = ()
    order: tuple[str, ...] = ()  # the photo finish
    tied: tuple[str, ...] = ()


def press(at: int, seat: int, held: int = 120 * MS) -> Contacts:
    return ((at, seat, True), (at + held, seat, False))


def bouncing(at: int, seat: int, times: int, apart: int = 300 * US, held: int = 120 * MS) -> Contacts:
    chatter = tuple((at + number * apart, seat, number % 2 == 0) for number in range(2 * times + 1))
    return (*chatter, (at + held, seat, False))


def play(player: str, dog: str) -> dict[str, Any]:
    return {"move": "play", "player": player, "dog": dog}


def call(player: str, whom: str, dog: str) -> tuple[dict[str, Any], ...]:
    return ({"move": "call", "player": player, "whom": whom, "dog": dog}, {"move": "check", "player": whom})


SCENES = (
    Scene(
        "Ben strikes alone.",
        (
            {"move": "begin", "player": "Anna"},
            play("Anna", "red"),
            play("Ben", "red"),
            play("Clara", "blue"),
            play("Anna", "red"),
            play("Ben", "green"),
        ),
        press(0, 1),
        ("Ben",),
    ),
    Scene(
        "The call is wrong. Then Clara is 2 ms before Anna.",
        (*call("Ben", "Anna", "red"), play("Clara", "blue")),
        (*press(0, 2), *press(2 * MS, 0)),
        ("Clara", "Anna"),
    ),
    Scene(
        "Anna bounces for 3 ms and was first; Ben is clean, 1 ms later.",
        (*call("Clara", "Ben", "yellow"), play("Anna", "blue")),
        (*bouncing(0, 0, 5), *press(1 * MS, 1)),
        ("Anna", "Ben"),
    ),
    Scene(
        "All three, a few hundred microseconds apart.",
        (*call("Anna", "Clara", "blue"), play("Ben", "green")),
        (*press(0, 1), *press(400 * US, 0), *press(900 * US, 2)),
        ("Ben", "Anna", "Clara"),
    ),
    Scene(
        "Anna's finger is gone before the window is over; it counts.",
        (*call("Ben", "Anna", "red"), play("Clara", "yellow")),
        (*press(0, 0, held=6 * MS), *press(8 * MS, 2)),
        ("Anna", "Clara"),
    ),
    Scene(
        "Ben, and much later Clara, whose strike is void.",
        (*call("Anna", "Ben", "green"), play("Anna", "yellow")),
        (*press(0, 1), *press(300 * MS, 2)),
        ("Ben",),
    ),
    Scene(
        "The last cards, the last round.",
        (
            *call("Ben", "Clara", "blue"),
            play("Ben", "green"),
            play("Clara", "yellow"),
            play("Anna", "yellow"),
            play("Ben", "blue"),
            play("Clara", "green"),
            play("Anna", "red"),
            {"move": "declare", "player": "Ben", "dog": "green"},
            {"move": "check", "player": "Ben"},
            {"move": "pass", "player": "Ben"},
            {"move": "pass", "player": "Clara"},
            {"move": "pass", "player": "Anna"},
        ),
    ),
)

Move = Callable[[Contacts], None]  # makes the contacts move
Pass = Callable[
    [PlainTable], list[dict[str, Any]]
]  # lets time pass until nothing is due any more, and tells the replies


def table_for(panel: Panel, now: Callable[[], int], journal: Any = None) -> PlainTable:
    setup = set_up(game("three"), PLAYERS, HOUSE, match_id="scripted")
    session = Session(Referee.begin(setup, now(), journal), now)
    return PlainTable(session, Presses(panel, session.referee.match))


def perform(
    table: PlainTable, now: Callable[[], int], contacts: Move, settle: Pass
) -> Iterator[tuple[Scene, list[str]]]:
    """The scenes one after the other, and what each made the referee say, without stamps.

    Where the chip lost an edge, the arbiter says so and nobody has the call: strike again, as people would.
    """
    for scene in SCENES:
        said: list[str] = []
        for message in scene.says:
            table.say(read_message(game("three"), message), now())
            said += heard(settle(table))
        settle(table)
        for _ in range(TRIES if scene.contacts else 0):
            contacts(scene.contacts)
            told = heard(settle(table))
            if scene.tied or not any('"untimed"' in line for line in told):
                said += told
                break
        yield scene, said


def heard(replies: list[dict[str, Any]]) -> list[str]:
    """The replies as anybody would repeat them: sentences, and the order of a photo finish."""
    found = []
    for reply in replies:
        if reply["kind"] == "ruling":
            # A gap in microseconds is never the same twice.
            found += [
                event["sentence"] for event in reply["events"] if "sentence" in event and event["event"] != "ahead"
            ]
            finish = reply["move"].get("finish")
            if finish:
                order = [[one["seat"], one["how"]] for one in finish["order"]]
                found.append(written({"order": order, "tied": finish["tied"]}))
        elif reply["kind"] != "notice":  # what the hardware says of itself
            found.append(reply.get("sentence", reply["kind"]))
    return found
