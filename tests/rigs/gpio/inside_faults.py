"""Inside the guest: what can go wrong with buttons, done for real in the middle of a game of Three!

The table goes on by touch, says in one sentence what is wrong, and takes presses again as soon as it can. Run this
one last: afterwards the chip has another name.

    python3 -m tests.rigs.gpio.inside_faults          all of it
    python3 -m tests.rigs.gpio.inside_faults player   a table of somebody without rights, led by the lines of its input
"""

import select
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import Any

from companion.core.requests import read_message
from companion.games import game
from hardware.line_request import QUEUE
from hardware.panel import Key
from hardware.pin_errors import NoPermissionError
from hardware.real import RealPanel
from hardware.wiring import Seat
from tests.hardware import game as scripted
from tests.hardware.game import MS, PINS, PLAYERS, SCENES, TRIES, Contacts, Scene, press, table_for
from tests.replies import told as as_told
from tests.rigs.gpio import guest
from tests.rigs.gpio.guest import PRESSED, RELEASED, Change

LIGHTS = (14, 15, 16)
STOP, SPARE, STATUS, BUZZER = 8, 17, 20, 21
WIRING = replace(
    scripted.WIRING,
    seats=tuple(Seat(button=pin, light=light) for pin, light in zip(PINS, LIGHTS, strict=True)),
    keys={"stop": STOP},
    status=STATUS,
    buzzer=BUZZER,
)
PATIENCE = 20.0  # seconds for what has to come
QUIET = 0.3  # seconds in which nothing comes any more
PLAYER = 1000  # a user without rights


class Evening:
    """A game of Three! at a table with real buttons."""

    def __init__(self, about_notices: Callable[[str], None] | None = None) -> None:
        self.notices: list[str] = []
        self.replies: list[dict[str, Any]] = []
        self._about_notices = about_notices
        self.panel = RealPanel(WIRING, self._noticed)
        self.table = table_for(self.panel, time.monotonic_ns)

    def _noticed(self, sentence: str) -> None:
        self.notices.append(sentence)
        if self._about_notices:
            self._about_notices(sentence)

    def attend(self) -> None:
        self.replies += as_told(self.table.attend(time.monotonic_ns()))

    def wakes_after(self) -> float:
        """Seconds until the table has something to do by itself."""
        due = self.table.wakes_at
        return PATIENCE if due is None else min(PATIENCE, max(0, due - time.monotonic_ns()) / 1e9)

    def go_on(self, condition: Callable[[], object], what: str) -> None:
        """As the table's own loop does it: asleep until a press, the kernel's news, or something due."""
        end = time.monotonic() + PATIENCE
        self.attend()
        while not condition():
            left = end - time.monotonic()
            assert left > 0, f"waited in vain for {what}; notices: {self.notices[-3:]}"
            select.select([self.panel.inbox], [], [], min(left, self.wakes_after()))
            self.attend()

    def rest(self) -> None:
        """Until nothing has happened for a while."""
        end = time.monotonic() + QUIET
        while time.monotonic() < end:
            if select.select([self.panel.inbox], [], [], min(QUIET, self.wakes_after()))[0]:
                end = time.monotonic() + QUIET
            self.attend()

    def hears(self, word: str) -> str:
        """The next notice has this word in it."""
        before = len(self.notices)
        self.go_on(lambda: any(word in notice for notice in self.notices[before:]), f"a notice: {word}")
        return self.notices[-1]

    def says(self, scene: Scene) -> int:
        """All that is said at the table in a scene, each ruled; how many."""
        for message in scene.says:
            before = len(self.replies)
            self.table.say(read_message(game("three"), message), time.monotonic_ns())
            self.go_on(lambda before=before: self.answers(before), f"a ruling on {message}")  # type: ignore[misc]
            assert self.answers(before)[0]["kind"] == "ruling", self.answers(before)
        self.rest()
        return len(scene.says)

    def answers(self, since: int) -> list[dict[str, Any]]:
        return [reply for reply in self.replies[since:] if reply["kind"] != "notice"]

    def finishes(self, since: int) -> list[dict[str, Any]]:
        return [reply["move"]["finish"] for reply in self.answers(since) if reply.get("move", {}).get("finish")]

    def struck(self, contacts: Contacts, also: tuple[Change, ...] = ()) -> dict[str, Any]:
        """The photo finish of presses that are made now."""
        before = len(self.replies)
        changes = [Change(at, PINS[seat], PRESSED if closes else RELEASED) for at, seat, closes in contacts]
        playing = guest.Playing(sorted((*changes, *also), key=lambda change: change.at_ns))
        self.go_on(lambda: self.finishes(before), "a photo finish")
        while not playing.is_over:
            self.rest()
        playing.wait()
        self.rest()
        return self.finishes(before)[0]

    def rules(self, scene: Scene, also: tuple[Change, ...] = ()) -> None:
        """The strike of a scene, calmly, comes out as it should; again where the emulated chip lost an edge."""
        calm = [press(number * 5 * MS, PLAYERS.index(seat)) for number, seat in enumerate(scene.order)]
        for _ in range(TRIES):
            finish = self.struck(tuple(chain(*calm)), also)
            is_close = finish["tied"] and not scene.tied  # the player of the script stalled between two presses
            if not is_close and not any(one["how"] == "untimed" for one in finish["order"]):
                order = tuple(one["seat"] for one in finish["order"] if one["how"] == "stamped")
                assert (order, tuple(finish["tied"])) == (scene.order, scene.tied), finish
                return
        raise AssertionError(f"edges were lost, or came together, {TRIES} times")

    def close(self) -> None:
        self.panel.close()


def blinks(light: int) -> bool:
    """It is seen on and off."""
    seen: set[int] = set()
    end = time.monotonic() + PATIENCE
    while len(seen) < 2 and time.monotonic() < end:
        seen.add(guest.line_level(light))
    return len(seen) == 2


# --- the faults, one evening -----------------------------------------------------------------------------------


def held_at_the_start(evening: Evening) -> None:
    """Anna's button is down since before the program began. Ben strikes; Anna is shown as held, and not tied."""
    evening.says(SCENES[0])
    assert blinks(LIGHTS[0])
    finish = evening.struck(press(0, 1))
    assert [(one["seat"], one["how"]) for one in finish["order"]] == [("Ben", "stamped"), ("Anna", "held")], finish
    assert not finish["tied"]
    assert guest.line_level(LIGHTS[1]) == 1, "the winner's light is dark"
    before = len(evening.replies)
    guest.ground()
    guest.line_pull(PINS[0], RELEASED)
    evening.go_on(lambda: len(evening.replies) > before, "Anna's button counting again")
    assert evening.replies[-1]["sentence"] == "The button of Anna counts again."


def unbound_while_running(evening: Evening) -> None:
    """Noticed without a press; what is said is ruled meanwhile; afterwards a strike is."""
    evening.rest()
    guest.unbind_chip()
    gone = evening.hears("is gone")
    evening.says(SCENES[1])
    guest.bind_chip()
    back = evening.hears("work again")
    guest.say(f"  {gone} … {back}")
    assert blinks(LIGHTS[0]), "a dim light stays dark"
    evening.rules(SCENES[1])


def removed_and_made_again(evening: Evening) -> None:
    """The chip comes back under another number; the winner's light is lit again."""
    before = evening.panel.chip
    assert guest.line_level(LIGHTS[2]) == 1
    guest.remove_chip()
    evening.hears("is gone")
    guest.make_chip()
    evening.hears("work again")
    assert evening.panel.chip != before, before
    assert guest.line_level(LIGHTS[2]) == 1, "the winner's light stays dark"
    guest.say(f"  {before} came back as {evening.panel.chip}")
    evening.says(SCENES[2])
    evening.rules(SCENES[2])


def more_edges_than_the_buffer_holds(evening: Evening) -> None:
    """Nobody reads while a button chatters thousands of times, and ends pressed."""
    evening.says(SCENES[3])
    for pace in (MS // 10, MS // 4, MS):  # the emulated chip loses quick edges before they come to the buffer
        before = len(evening.notices)
        guest.play([Change(number * pace, STOP, number % 2) for number in range(3001)])
        presses = evening.panel.inbox.take()
        if len(presses) >= QUEUE:
            break
        guest.line_pull(STOP, RELEASED)
        evening.rest()
    assert len(presses) >= QUEUE, f"the buffer was never full: {len(presses)} edges in it"
    lost = [notice for notice in evening.notices[before:] if "got lost" in notice]
    assert lost, "no notice"
    assert presses[-1].is_down
    assert evening.panel.levels() == {key: key == Key("stop") for key in evening.panel.levels()}
    guest.say(f"  {len(presses)} edges read. {lost[-1]}")
    guest.line_pull(STOP, RELEASED)
    evening.rules(SCENES[3])


def a_callback_that_raises(evening: Evening) -> None:
    """Presses of the same moment and later ones are heard. (What hears the notices raised all evening, too.)"""
    raised: list[str] = []
    threading.excepthook = lambda args: raised.append(args.exc_type.__name__)

    def refuse(_edge: object) -> None:
        raise ZeroDivisionError

    lines = evening.panel._factory.lines
    lines.claim(SPARE, "up")
    lines.notify(SPARE, refuse)
    evening.says(SCENES[4])
    evening.rules(SCENES[4], also=(Change(0, SPARE, PRESSED), Change(50 * MS, SPARE, RELEASED)))
    assert "ZeroDivisionError" in raised
    lines.release(SPARE)


def a_line_without_edges(evening: Evening) -> None:
    """Anna's level changes and no edge comes: a press at an unknown time, and so a declared tie. Then all is well."""
    evening.says(SCENES[5])
    guest.deafen(PINS[0])
    finish = evening.struck((*press(0, 1, held=400 * MS), *press(2 * MS, 0, held=400 * MS)))
    assert sorted(finish["tied"]) == ["Anna", "Ben"], finish
    assert {one["seat"]: one["how"] for one in finish["order"]}["Anna"] == "untimed", finish
    guest.deafen()
    evening.rules(SCENES[5])


EVENING = (
    held_at_the_start, unbound_while_running, removed_and_made_again, more_edges_than_the_buffer_holds,
    a_callback_that_raises, a_line_without_edges,
)  # fmt: skip


def grumble(sentence: str) -> None:
    raise RuntimeError(f"somebody's fault, not ours: {sentence}")


def is_good_evening() -> bool:
    """The faults one after the other; the game goes on, so the first that is not withstood is the last."""
    threading.excepthook = lambda _args: None
    guest.ground(PINS[0])
    evening = Evening(grumble)
    try:
        return all(is_good(fault, evening) for fault in EVENING)
    finally:
        guest.ground()
        guest.deafen()
        evening.close()


# --- permission ------------------------------------------------------------------------------------------------


class Player:
    """The table of somebody without rights, in a process of its own."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.rigs.gpio.inside_faults", "player"],
            text=True, user=PLAYER, group=PLAYER, extra_groups=[],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def told(self, line: str) -> None:
        assert self._process.stdin
        print(line, file=self._process.stdin, flush=True)

    def tells(self) -> str:
        assert self._process.stdout
        assert select.select([self._process.stdout], [], [], 2 * PATIENCE)[0], "the player says nothing"
        return self._process.stdout.readline().strip()

    def end(self) -> str:
        said, _ = self._process.communicate(timeout=60)
        return said


def permission_taken_away() -> None:
    """At the start, and in the middle of the game, when the chip comes back and is somebody else's."""
    guest.chip().path.chmod(0o600)
    player = Player()
    refused = player.tells()
    assert refused.startswith(f"NoPermissionError: This user may not open {guest.chip().path}: add the user"), refused
    guest.say(f"  {refused}")
    guest.chip().path.chmod(0o666)
    player.told("open")
    assert player.tells() == "opened"
    guest.unbind_chip()
    chip = guest.bind_chip()
    assert chip.path.stat().st_mode & 0o777 == 0o600
    gone = player.tells()
    assert "go on by touch" in gone, gone
    player.told("play")
    assert player.tells() == f"{len(SCENES[0].says)} ruled"
    chip.path.chmod(0o666)
    back = player.tells()
    assert "work again" in back, back
    player.told("strike")
    assert player.tells() == "listening"
    guest.play([Change(0, PINS[1], PRESSED), Change(120 * MS, PINS[1], RELEASED)])
    struck = player.tells()
    while "got lost" in struck:
        struck = player.tells()
    assert struck == "Ben struck", struck
    guest.say(f"  {gone} … {back}")
    assert player.end() == ""


def play_without_rights() -> int:
    """What the player's process does, line by line of its input."""

    def tell(line: str) -> None:
        print(line, flush=True)

    try:
        Evening()
    except NoPermissionError as error:
        tell(f"{type(error).__name__}: {error}")
    assert sys.stdin.readline() == "open\n"
    evening = Evening(tell)
    tell("opened")
    evening.hears("is gone")
    assert sys.stdin.readline() == "play\n"
    tell(f"{evening.says(SCENES[0])} ruled")
    evening.hears("work again")  # not before it may be opened again
    assert sys.stdin.readline() == "strike\n"
    before = len(evening.replies)
    tell("listening")
    evening.go_on(lambda: evening.finishes(before), "a photo finish")
    tell(f"{evening.finishes(before)[0]['order'][0]['seat']} struck")
    evening.close()
    return 0


# --- all of it -------------------------------------------------------------------------------------------------


def is_good(fault: Callable[..., None], *to: Any) -> bool:
    name = fault.__name__.replace("_", " ")
    try:
        fault(*to)
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        guest.tell(say=f"BAD: {name}: {type(error).__name__}: {error} ({at.line})", failed=traceback.format_exc())
        return False
    guest.say(f"ok: {name}")
    return True


def main() -> int:
    good = [is_good_evening(), is_good(permission_taken_away)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(play_without_rights() if sys.argv[1:] == ["player"] else main())
