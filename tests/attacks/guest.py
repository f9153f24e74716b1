"""The table with a guest who makes one move after the other: `python -m tests.attacks.guest FD HUNGER [OPTION ...]`.

It is `companion` with these options; on FD goes each thing that the screen was told, as soon as it was. HUNGER is
a seed, if it is not 0: after a while there is hardly any memory left, now a little more and now a little less.
`python -m tests.attacks.guest door HUNGER referee ...` is a hungry referee.
"""

import json
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from companion.__main__ import ending_in_a_sentence

SHORTEST = 20  # milliseconds of a nap: the guest is quick
SEED = 3
GAME = "three"


class Guest:
    """Goes on with the match that is offered, or begins one, and plays what bots would."""

    def __init__(self, app: Any, told: int) -> None:
        self._app, self._told, self._done = app, told, 0
        app.hearers.append(self._heard)

    def _heard(self, reply: Any) -> None:
        from companion.core.wire import reply_plain  # noqa: PLC0415

        match = self._app.match
        if match is not None:
            told = {"match": match.setup.id, "reply": reply_plain(reply)}
            os.write(self._told, json.dumps(told).encode() + b"\n")

    def acts(self, now: int) -> None:
        match = self._app.match
        if match is None or not match.is_running:
            self._begins(now)
        elif match.paused is not None:
            self._says("Resume", now)
        else:
            self._moves(match, now)

    def _begins(self, now: int) -> None:
        from companion.display.scene import Go, GoOn, Start  # noqa: PLC0415

        self._app.take(Go("games"), now)
        offered = next((item.intent for item in self._app.scene.targets() if isinstance(item.intent, GoOn)), None)
        if offered:
            self._app.take(offered, now)
        else:
            self._app.take(Go("players", GAME), now)
            self._app.take(Start(), now)

    def _says(self, word: str, now: int) -> None:
        from companion.core import requests  # noqa: PLC0415
        from companion.display.scene import Say  # noqa: PLC0415

        self._app.take(Say(getattr(requests, word)()), now)

    def _moves(self, match: Any, now: int) -> None:
        from companion.display.scene import Say  # noqa: PLC0415

        self._done += 1
        if match.line and not self._done % 7:
            self._says("Undo", now)
        move = moves(match.setup)[len(match.line)]
        self._app.take(Say(move), now)


@cache
def moves(setup: Any) -> list[Any]:
    """Those of a whole match, without a mistake."""
    from companion.core.match import Match  # noqa: PLC0415
    from simulator.playing import play_out  # noqa: PLC0415

    return [move for move, _ in play_out(Match(setup), SEED, mistakes=0)]


def door(hunger: int, options: list[str]) -> int:
    from companion.cli import main as companion  # noqa: PLC0415
    from companion.seat.door import Door  # noqa: PLC0415

    tell, grows = Door._tell, growing(hunger)

    def hungrily(door: Door, replies: Any) -> None:
        tell(door, replies)
        grows()

    Door._tell = hungrily  # type: ignore[assignment, method-assign]
    return companion(options)


def growing(hunger: int) -> Callable[[], None]:
    if not hunger:
        return lambda: None
    from tests.kills import Hunger  # noqa: PLC0415

    return Hunger(hunger).grows


def table(told: int, hunger: int, options: list[str]) -> int:
    from companion.cli import main as companion  # noqa: PLC0415
    from companion.display import loop  # noqa: PLC0415

    guests: list[Guest] = []
    once, grows = loop.Loop.once, growing(hunger)

    def with_a_guest(window: Any, nap: int) -> None:
        once(window, min(nap, SHORTEST))
        if not window.app.is_left:
            if not guests:
                guests.append(Guest(window.app, told))
            guests[0].acts(window._clock())
            grows()

    loop.Loop.once = with_a_guest  # type: ignore[assignment, method-assign]
    return companion(["--no-table", "--size", "480x320", *options])


def main(where: str, hunger: str, *options: str) -> int:
    if where == "door":
        return door(int(hunger), list(options))
    return table(int(where), int(hunger), list(options))


if __name__ == "__main__":
    sys.exit(ending_in_a_sentence(lambda: main(*sys.argv[1:])))
