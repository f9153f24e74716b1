"""`python -m tests.display.measure`: what a frame takes with its scene, what the start takes, what idling costs."""

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pygame

from companion.core.clocks import MILLISECOND, SECOND
from companion.display.app import App
from companion.display.gestures import Gestures
from companion.display.loop import Looks, Loop, open_window
from companion.display.painter import Painter
from companion.display.scene import ChangeTo, Go, Leave, Say, Start
from companion.display.view import Draft
from companion.games import game as game_named
from companion.games.threepia import rules as threepia
from tests.display.table import Hour

SIZE = (1280, 720)


def main() -> None:
    for name, times in (("walks", _walks()), ("a match by the stopwatch", _match())):
        print(f"drawing a frame in which something changed, {name}: {_said(times)}")  # noqa: T201
    idle = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    print(_idle(idle))  # noqa: T201
    starts = [_start() for _ in range(5)]
    print(f"start to first picture: median {statistics.median(starts):.2f} s, most {max(starts):.2f} s")  # noqa: T201


def _said(times: list[float]) -> str:
    ordered = sorted(times)
    p50, p99 = (ordered[int(part * (len(ordered) - 1))] for part in (0.5, 0.99))
    return f"{len(times)} frames, median {p50:.2f}, p99 {p99:.2f}, most {ordered[-1]:.2f} ms"


def _timed(painter: Painter, hands: Gestures, now: int) -> Iterator[float]:
    """Milliseconds of computing, so that other programs on the same computer do not count."""
    begun = time.thread_time()
    dirty = painter.paint(hands.scene, now)
    if dirty:
        pygame.display.update([pygame.Rect(box) for box in dirty])
        yield (time.thread_time() - begun) * 1000


def _walks() -> list[float]:
    """From screen to screen by whatever can be touched: nearly every frame is a whole one."""
    chance = random.Random(1)
    times: list[float] = []
    painter = Painter(open_window(Looks(SIZE)))
    for _ in range(40):
        hour = Hour()
        app = App(SIZE, clock=hour)
        hands = Gestures(app)
        for _ in range(60):
            hour.now += chance.randrange(200 * MILLISECOND, 3 * SECOND)
            targets = [item for item in app.scene.targets() if not isinstance(item.intent, Leave)]
            hands.touch(*chance.choice(targets).box.centre, hour.now)
            app.attend(hour.now)
            times += _timed(painter, hands, app.table_time(hour.now))
    return times


def _match() -> list[float]:
    times: list[float] = []
    hour = Hour()
    app = App(SIZE, clock=hour)
    painter, hands = Painter(open_window(Looks(SIZE))), Gestures(app)
    app.take(Go("players", "threepia"), hour.now)
    players = app.view.draft.players
    house = game_named("threepia").house(way="stopwatch", match_seconds=3600, deck=1000)
    app.take(ChangeTo(Draft("threepia", players, house), Start()), hour.now)
    app.take(Say(threepia.Deal("")), hour.now)
    app.take(Say(threepia.Begin(players[0].name)), hour.now)
    for turn in range(200):
        for _ in range(8):
            hour.now += SECOND // 2
            app.attend(hour.now)
            times += _timed(painter, hands, app.table_time(hour.now))
        app.take(Say(threepia.Lay(app.view.match.state.turn, points=turn % 4)), hour.now)
        times += _timed(painter, hands, app.table_time(hour.now))
    return times


def _idle(seconds: int) -> str:
    """The real loop with nothing to do, and with a clock that runs."""
    surface = open_window(Looks(SIZE))
    app = App(SIZE)
    loop = Loop(app, surface)
    pygame.event.clear()
    loop.show()
    found = [_spent(loop, seconds)]
    now = time.monotonic_ns()
    app.take(Go("players", "threepia"), now)
    draft = app.view.draft
    house = threepia.House(way="stopwatch")
    app.take(ChangeTo(Draft("threepia", draft.players, house), Start()), now)
    app.take(Say(threepia.Deal("")), time.monotonic_ns())
    app.take(Say(threepia.Begin(draft.names[0])), time.monotonic_ns())
    loop.show()
    found.append(_spent(loop, seconds))
    return f"{seconds} s with nothing to do: {found[0]}; with a clock that runs: {found[1]}"


def _spent(loop: Loop, seconds: int) -> str:
    frames, cpu, until = loop.painter.frames, time.process_time(), time.monotonic() + seconds
    while time.monotonic() < until:
        loop.once(loop._nap())
    share = (time.process_time() - cpu) / seconds
    return f"{loop.painter.frames - frames} frames, {share:.2%} of a core"


_FIRST = """
import os
os.environ["SDL_VIDEODRIVER"] = "dummy"
from companion.display.app import App
from companion.display.loop import Looks, Loop, open_window
surface = open_window(Looks((1280, 720)))
Loop(App(surface.get_size()), surface).show()
"""


def _start() -> float:
    """A fresh Python up to its first picture."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", _FIRST], check=True)
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
