"""What an evening leaves behind in its process: memory, open files, threads, queues; looked at again and again.

`python -m tests.soak --hours 24` lives through 24 hours of table time as quickly as the machine can; `--minutes 30`
through half an hour by the clock on the wall, and a quarter before it to warm up, in the real loop, with the drawn
table's camera, its eye and the sound.
`--traced` says where memory was asked for that was not given back.
"""

import contextlib
import ctypes
import gc
import os
import random
import tempfile
import threading
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable
from dataclasses import astuple, dataclass, fields
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from companion.core.clocks import SECOND
from companion.games import NAMES
from companion.games.triple3.watched_spread import WatchedRoom
from companion.sounds.hearing import sound
from tests.evening import Evening, Sleepless

HOUR = 3_600 * SECOND
FILLS = 3 * HOUR
WARM = 0.25  # of the time: caches fill
WARM_BY_THE_CLOCK = 1 / 3  # which also has to see a camera that nobody can travel with
MOST_GROWTH = 0.02
PAGE = os.sysconf("SC_PAGE_SIZE")
M_MMAP_THRESHOLD, LARGE, M_ARENA_MAX = -3, 128 * 1024, -8  # of mallopt(3)
ENDS = 0.2  # of the samples, at the end and after the warm-up, that are compared

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Sample:
    """How it is at one moment; `at` in seconds."""

    at: float
    rss: int  # kB
    own: int  # kB of it that are not parts of files: what the process has made itself
    objects: int  # that Python knows of
    files: int
    threads: int
    children: int
    waiting: int  # in queues of every kind
    journal: int  # kB, with its log

    def __str__(self) -> str:
        hours, minutes = divmod(round(self.at / 60), 60)
        return (
            f"{hours:3}:{minutes:02}  {self.rss:8,} kB, {self.own:8,} its own  {self.objects:9,} objects "
            f" {self.files:3} files  {self.threads:2} threads  {self.children} children  {self.waiting} waiting "
            f" journal {self.journal:,} kB"
        )


def sample(evening: Evening, at: float) -> Sample:
    gc.collect()
    pages = [int(number) * PAGE // 1024 for number in Path("/proc/self/statm").read_text(encoding="ascii").split()]
    resident, of_files = pages[1:3]
    task = Path("/proc/self/task")
    children = sum(len(one.read_text(encoding="ascii").split()) for one in task.glob("*/children"))
    path = evening.journal.path
    kept = sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*")) // 1024
    files = len(os.listdir("/proc/self/fd")) - 1  # noqa: PTH208 - the folder of this very moment
    objects, threads = len(gc.get_objects()), threading.active_count()
    return Sample(at, resident, resident - of_files, objects, files, threads, children, waiting(evening), kept)


def waiting(evening: Evening) -> int:
    """Everything that waits somewhere for somebody."""
    room, app = evening.room, evening.app
    table: Any = app._conversation.table
    found = evening.unheard + len(room.buttons.lifts) + len(room._bots._strikes) + len(app.state.places)
    found += len(getattr(table, "_said", ())) + len(evening.tending._to_say) + evening.devices.waiting
    found += len(getattr(room._presses, "_waiting", ()))
    feed = room.camera._feed if isinstance(room, WatchedRoom) and room.camera else None
    return found + len(getattr(feed, "_news", ()))


@dataclass(frozen=True, slots=True)
class Growth:
    """From after the warm-up to the end."""

    what: str
    before: float
    after: float

    @property
    def share(self) -> float:
        return self.after / self.before - 1 if self.before else float(self.after > 0)

    def __str__(self) -> str:
        return f"{self.what}: {self.before:,.0f} after the warm-up, {self.after:,.0f} at the end ({self.share:+.1%})"


def growths(samples: list[Sample], warm_up: float = WARM) -> list[Growth]:
    """Medians of some samples after the warm-up, and of as many at the end."""
    warm = [one for one in samples if one.at >= samples[-1].at * warm_up]
    few = max(1, round(len(warm) * ENDS))
    return [
        Growth(name.name, *(median(astuple(one)[number] for one in part) for part in (warm[:few], warm[-few:])))
        for number, name in enumerate(fields(Sample))
        if name.name != "at"
    ]


def too_much(found: list[Growth]) -> list[str]:
    """What has grown and must not."""
    named = {one.what: one for one in found}
    bad = [str(named["rss"])] if named["rss"].share > MOST_GROWTH else []
    bad += [str(named[what]) for what in ("files", "threads", "children") if named[what].after > named[what].before]
    if named["waiting"].after > 2 * named["waiting"].before + 4:
        bad.append(str(named["waiting"]))
    return bad


# --- an evening, and what is said of it ------------------------------------------------------------------------


class Watch:
    """Takes samples of an evening now and then."""

    def __init__(self, evening: Evening, say: Say, *, traced: bool, warm_up: float = WARM) -> None:
        self._evening, self._say, self._traced, self._warm_up = evening, say, traced, warm_up
        self.samples: list[Sample] = []
        self.heard: Counter[str] = Counter()
        evening.app.hearers.append(lambda reply: self.heard.update([reply.kind]))
        self._warm: tracemalloc.Snapshot | None = None
        if traced:
            tracemalloc.start(12)

    def look(self, at: float, share: float) -> None:
        """At this time, which is that share of all."""
        self.samples.append(sample(self._evening, at))
        self._say(str(self.samples[-1]))
        if self._traced and self._warm is None and share >= self._warm_up:
            self._warm = tracemalloc.take_snapshot()

    def end(self, seconds: float) -> int:
        """Say what has grown; 1 if something has that must not."""
        evening, found = self._evening, growths(self.samples, self._warm_up)
        played = Counter(one.game for one in evening.journal.matches())
        self._say(
            f"{seconds:.0f} s; {sum(played.values())} matches {dict(played)}, {dict(self.heard)}; {evening.touches:,} "
            f"touches of the guest on {len(evening.screens)} screens: {', '.join(sorted(evening.screens))}"
        )
        for one in found:
            self._say(f"  {one}")
        self._tell_traced()
        bad = too_much(found)
        self._say(f"too much: {'; '.join(bad)}" if bad else "nothing grows that must not")
        return int(bool(bad))

    def _tell_traced(self) -> None:
        if self._warm is None:
            return
        after = tracemalloc.take_snapshot()
        tracemalloc.stop()
        for one in after.compare_to(self._warm, "lineno")[:15]:
            self._say(f"  {one}")
        most = after.compare_to(self._warm, "traceback")[0]
        self._say("\n".join(f"    {line}" for line in most.traceback.format()))


def travelled(hours: float, say: Say, *, seed: int = 1, traced: bool = False, camera: bool = False) -> int:
    """Hours of table time, as quickly as it goes."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(Path(folder) / "journal.sqlite3", seed=seed, camera=camera)
        watch = Watch(evening, say, traced=traced)
        begun, every = evening.hour.now, min(HOUR / 4, hours * HOUR / 24)
        due = every
        while due <= hours * HOUR:
            evening.step()
            at = evening.hour.now - begun
            if at >= due:
                watch.look(at / SECOND, at / (hours * HOUR))
                due += every
        found = watch.end(time.monotonic() - began)
        evening.close()
    return found


def _game_at(share: float) -> str:
    """All games in turn: once in the warm-up, twice after it."""
    return [*NAMES][int(share / WARM_BY_THE_CLOCK * len(NAMES)) % len(NAMES)]


def by_the_clock(minutes: float, say: Say, *, seed: int = 1, traced: bool = False) -> int:
    """Minutes on the wall, in the real loop, after half as many to warm up, and after hours that travel up to now."""
    whole = minutes / (1 - WARM_BY_THE_CLOCK) * 60
    with tempfile.TemporaryDirectory() as folder:
        now = time.monotonic_ns()
        evening = Evening(
            Path(folder) / "journal.sqlite3", seed=seed, begins=max(0, now - FILLS), camera=True, doctor=True
        )
        while evening.hour.now < time.monotonic_ns():
            evening.step()
        evening.to_the_wall()
        evening.plays_only(_game_at(0))
        began = time.monotonic()
        watch = Watch(evening, say, traced=traced, warm_up=WARM_BY_THE_CLOCK)
        window = Sleepless(evening.app, evening.room, evening.window._whole)
        evening.window, window.evening, window.until = window, evening, began + whole
        every, due = whole / 45, began
        turn = window.once

        def once(nap: int) -> None:
            nonlocal due
            turn(nap)
            if time.monotonic() >= due:
                at = time.monotonic() - began
                watch.look(at, at / whole)
                due += every
                evening.plays_only(_game_at(at / whole))

        window.once = once  # type: ignore[method-assign]
        with sound(evening.app):
            window.run()
        found = watch.end(time.monotonic() - began)
        evening.close()
    return found


# --- the rest of what `python -m tests.soak` may be asked ------------------------------------------------------


def gives_back() -> None:
    """What is large is given back to the system when it is done with, and all threads share one heap: what is held can
    be told from what the C library keeps in stock. A table leaves it as it is, for its eye would take 60 % longer."""
    with contextlib.suppress(AttributeError):  # another C library
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_THRESHOLD, LARGE)
        library.mallopt(M_ARENA_MAX, 1)


def asked(arguments: list[str], say: Say) -> int:
    """`--hours N` or `--minutes N`, and `--seed`, `--traced`, `--camera`."""
    gives_back()
    given = dict(pairwise(arguments))
    seed, traced = int(given.get("--seed", "1")), "--traced" in arguments
    random.seed(seed)
    with contextlib.suppress(KeyboardInterrupt):
        if "--hours" in given:
            return travelled(float(given["--hours"]), say, seed=seed, traced=traced, camera="--camera" in arguments)
        return by_the_clock(float(given["--minutes"]), say, seed=seed, traced=traced)
    return 130
