"""What watching costs at 1280×720 on one thread: nothing changed, arms moving, a play ruled on; and memory, for long.

`python -m tests.benchmarks.watching_cost --hour` measures more of everything, and an hour of table time in memory.
Times are the processor's, so that what else runs on the machine is not counted; where a disk is waited for, the
clock's.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.clocks import SECOND
from companion.core.replies import FoulReply, Reply, RulingReply
from tests.benchmarks import Row, median
from tests.watched import hear

if TYPE_CHECKING:
    from companion.journal import Journal
    from companion.watch.bench import Bench
    from simulator.rendered.script import Script
    from vision.frames import Frame, Picture
    from vision.locate import TableView
    from vision.reader import Reader
    from vision.watcher import Watcher

SEED = 7_000
PACE = 2.0  # plays a second, by three players
RATE = 30
SIZE = (1280, 720)
PREPARED = 60  # frames of a table at rest: noise is never the same twice
WARM = 2 * RATE  # frames before anything is measured
MEASURED_NOW_AND_THEN = 10  # the usual ways cost the same with every frame
MINUTE = 60 * RATE  # frames
STOP = 19 * RATE  # frames of a loop, then there is a dispute ...
LOOP = 20 * RATE  # ... and then the cards are dealt anew
MIB = 1024  # kB
PROCESSOR_CLOCK = 2  # of a process, as the kernel counts its kinds of clocks
GO = {"move": "go"}


@dataclass(frozen=True, slots=True)
class Spent:
    """Milliseconds, of the processor and by the clock."""

    processor: float
    clock: float


def spent(run: Callable[[], object]) -> Spent:
    clock, processor = time.perf_counter_ns(), processor_time()
    run()
    return Spent((processor_time() - processor) / 1e6, (time.perf_counter_ns() - clock) / 1e6)


def processor_time() -> int:
    """Of this thread, and of the process that runs the network."""
    from vision import runtime  # noqa: PLC0415

    pid = runtime._apart.pid
    return time.thread_time_ns() + (time.clock_gettime_ns(~pid << 3 | PROCESSOR_CLOCK) if pid else 0)


def rank(values: list[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]


def a_match(seed: int = SEED) -> "Script":
    from companion.games.triple3.hands import write_script  # noqa: PLC0415

    return write_script(seed, players=3, pace=PACE)


def a_reader() -> "Reader":
    import cv2  # noqa: PLC0415

    from vision.reader import Reader  # noqa: PLC0415

    cv2.setNumThreads(1)
    return Reader()


def stamp_of(number: int) -> int:
    return number * SECOND // RATE


# --- the usual ways --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Usual:
    """Reading all nine cells of every frame; and noticing motion as it is usually done, by what OpenCV has for it."""

    reader: "Reader"
    read: list[float] = field(default_factory=list)
    motion: list[float] = field(default_factory=list)
    _finder: Any = None
    _background: Any = None

    def take(self, frame: "Frame") -> None:
        import cv2  # noqa: PLC0415

        from vision.markers import Finder  # noqa: PLC0415

        if self._finder is None:
            self._finder, self._background = Finder(), cv2.createBackgroundSubtractorMOG2()
            self._read(frame.picture)
            self._background.apply(frame.picture)
        self.read.append(spent(lambda: self._read(frame.picture)).processor)
        self.motion.append(spent(lambda: self._background.apply(frame.picture)).processor)

    def _read(self, picture: "Picture") -> None:
        from vision.eye_errors import NoTableError  # noqa: PLC0415
        from vision.locate import find_table  # noqa: PLC0415

        try:
            table: TableView = find_table(picture, mat=True, finder=self._finder)
        except NoTableError:  # arms over two markers: the cells are where they were
            table = self._last
        self._last = table
        self.reader.read(picture, table.cells)

    _last: Any = None


# --- nothing changes -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Still:
    """Milliseconds a frame while nothing changes. The mean has in it that the light is followed and a cell audited."""

    median: float
    mean: float
    p99: float
    read: float
    motion: float


def still(reader: "Reader", minutes: int = 1, times: int = 3) -> Still:
    """The least disturbed of a few times."""
    from vision.watcher import Watcher  # noqa: PLC0415

    frames = still_frames()
    usual = Usual(reader)
    for frame in frames:
        usual.take(frame)
    eye, number, found = Watcher(reader), 0, []
    for _ in range(times):
        took = []
        for at in range(number, number + WARM + minutes * MINUTE):
            frame = replace(frames[at % PREPARED], stamp=stamp_of(at), number=at)
            took.append(spent(lambda frame=frame: eye.watch(frame)).processor)  # type: ignore[misc]
        number += len(took)
        took = took[WARM:]
        found.append((median(took), sum(took) / len(took), rank(took, 0.99)))
    best = [min(values) for values in zip(*found, strict=True)]
    return Still(best[0], best[1], best[2], median(usual.read), median(usual.motion))


def still_frames() -> list["Frame"]:
    from simulator.rendered.rendered_table import SimulatedTable  # noqa: PLC0415

    script = replace(a_match(), arms=(), mishaps=(), said=(), length=(PREPARED + 1) * SECOND // RATE)
    table = SimulatedTable(script)
    return [table.frame_at(number) for number in range(PREPARED)]


# --- arms move -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Course:
    """One eye on a match, with a bench and a ring as behind `companion watch`."""

    eye: "Watcher"
    bench: "Bench"
    ring: Any
    watch: list[float] = field(default_factory=list)  # ms of the processor
    bench_too: list[float] = field(default_factory=list)
    ring_too: list[float] = field(default_factory=list)
    active: list[float] = field(default_factory=list)  # of the eye, in frames in which something changed
    ruling: list[Spent] = field(default_factory=list)  # the eye and the bench, where a play is told as legal or not

    def frame(self, frame: "Frame") -> None:
        seen: list[Any] = []
        news: list[Any] = []
        watch = spent(lambda: seen.extend(self.eye.watch(frame)))
        bench = spent(lambda: news.extend(self.bench.saw(seen, frame)))
        ring = spent(lambda: self.ring.add(frame, changed=self.eye.changed))
        self.watch.append(watch.processor)
        self.bench_too.append(watch.processor + bench.processor)
        self.ring_too.append(watch.processor + bench.processor + ring.processor)
        if self.eye.changed:
            self.active.append(watch.processor)
        if any(map(is_ruling, news)):
            self.ruling.append(Spent(watch.processor + bench.processor, watch.clock + bench.clock))


def is_ruling(news: Reply) -> bool:
    match news:
        case RulingReply(move=move):
            return move.word == "lay"
        case FoulReply():
            return news.code == "no-new-triple"
    return False


def a_course(reader: "Reader", script: "Script", journal: "Journal | None" = None) -> Course:
    from companion.games.triple3.hands import match_setup  # noqa: PLC0415
    from vision.ring import Ring  # noqa: PLC0415
    from vision.watcher import Watcher  # noqa: PLC0415

    eye = Watcher(reader)
    return Course(eye, a_bench(eye, match_setup(script), script.about["seats"], journal), Ring())


def a_bench(eye: "Watcher", setup: Any, seats: dict[str, str], journal: "Journal | None", album: Any = None) -> "Bench":
    from companion.core.referee import Referee  # noqa: PLC0415
    from companion.core.session import Session  # noqa: PLC0415
    from companion.games.triple3.watch import WATCH  # noqa: PLC0415
    from companion.watch.bench import Bench  # noqa: PLC0415
    from companion.watch.game_watch import Seating  # noqa: PLC0415

    sides = {side: name for name, side in seats.items()}
    return Bench(eye, lambda at: Session(Referee.begin(setup, at, journal), None), WATCH, Seating(sides), album)


@dataclass(slots=True)
class Moving:
    """Some matches, or what there is of them."""

    seconds: float = 0.0
    plain: list[Course] = field(default_factory=list)
    kept: list[Course] = field(default_factory=list)  # with a journal on disk
    usual: Usual | None = None

    def load(self, what: str) -> float:
        """Of a core, at the frame rate of the table; the less disturbed of both courses."""
        of = [sum(ms for course in courses for ms in getattr(course, what)) for courses in (self.plain, self.kept)]
        return min(of) / 1000 / self.seconds

    @property
    def active(self) -> list[float]:
        return [ms for course in self.plain for ms in course.active]

    @property
    def ruled(self) -> list[Spent]:
        return [one for course in self.plain for one in course.ruling]

    @property
    def ruled_and_kept(self) -> list[Spent]:
        return [one for course in self.kept for one in course.ruling]


def moving(reader: "Reader", seeds: list[int], seconds: float, keep: "Prepared | None" = None) -> Moving:
    """Matches from the nine cards on, at two plays a second."""
    from companion.journal import Journal  # noqa: PLC0415

    found = Moving(usual=Usual(reader))
    for seed in seeds:
        script = a_match(seed)
        with tempfile.TemporaryDirectory() as folder, Journal.open(Path(folder) / "journal.sqlite3") as journal:
            courses = a_course(reader, script), a_course(reader, script, journal)
            found.plain.append(courses[0])
            found.kept.append(courses[1])
            found.seconds += _moved(script, seconds, courses, found.usual, keep if seed == seeds[0] else None)
    return found


def _moved(
    script: "Script", seconds: float, courses: tuple[Course, ...], usual: Usual | None, keep: "Prepared | None"
) -> float:
    from simulator.rendered.rendered_table import SimulatedTable  # noqa: PLC0415

    said, table = list(script.said), SimulatedTable(script)
    count = min(table.count, round(seconds * RATE))
    for number in range(count):
        frame = table.frame_at(number)
        if keep:
            keep.frame(frame)
        while said and said[0].at < frame.stamp:
            one = said.pop(0)
            for course in courses:
                list(hear(course.bench, dict(one.message), one.at))
        for course in courses:
            course.frame(frame)
        if usual and number % MEASURED_NOW_AND_THEN == 0:
            usual.take(frame)
    return count / RATE


# --- an hour of frames, in a process of its own ----------------------------------------------------------------


class Prepared:
    """Frames in files, so that a process can watch them that has no simulated table in it: as they are, or packed."""

    def __init__(self, folder: Path, script: "Script", *, packed: bool = False) -> None:
        self.folder, self._packed, self._count = folder, packed, 0
        about = {key: script.about[key] for key in ("players", "seats")}
        said = [{"at": one.at, "message": one.message} for one in script.said if one.message == GO]
        (folder / "about.json").write_text(json.dumps({**about, "said": said}), encoding="utf-8")

    def frame(self, frame: "Frame") -> None:
        import cv2  # noqa: PLC0415

        if self._count < LOOP:
            path = self.folder / f"{self._count:07}{'.jpg' if self._packed else '.raw'}"
            if self._packed:
                _, jpeg = cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
                path.write_bytes(jpeg.tobytes())
            else:
                path.write_bytes(frame.picture.tobytes() + frame.grey.tobytes())
            self._count += 1


def prepared_frames(folder: Path) -> Iterator[tuple["Picture", Any]]:
    """Round after round, in new arrays, as a camera hands them over."""
    paths = sorted(path for path in folder.iterdir() if path.suffix in (".jpg", ".raw"))
    return map(_prepared_frame, cycle(paths))


def _prepared_frame(path: Path) -> tuple["Picture", Any]:
    import cv2  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    from vision.grey import grey_of, grey_size  # noqa: PLC0415

    if path.suffix == ".jpg":
        picture = np.asarray(cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR), np.uint8)
        return picture, grey_of(picture)
    (width, height), (small_width, small_height) = SIZE, grey_size(SIZE)
    with path.open("rb") as file:
        picture = np.fromfile(file, np.uint8, height * width * 3).reshape(height, width, 3)
        return picture, np.fromfile(file, np.uint8).reshape(small_height, small_width)


@dataclass(frozen=True, slots=True)
class Memory:
    """Megabytes (of 1024 × 1024 bytes) that the process had in memory."""

    python: float  # before anything of the companion was imported
    imported: float  # with all libraries and the model
    watching: float  # with twenty seconds of play, before the first dispute is drawn
    minutes: list[float]  # after each minute of table time; the first is warm-up
    anonymous: list[float]  # of it, what is no file
    ring: float  # the most that the ring's pictures were
    rulings: int
    rounds: int

    @property
    def most(self) -> float:
        return max(self.minutes)

    @property
    def grown(self) -> float:
        """From the end of the warm-up to the end: medians of a tenth of the time, as it is less for moments."""
        after = self.minutes[1:]
        tenth = max(1, len(after) // 10)
        return median(after[-tenth:]) - median(after[:tenth])


def memory(folder: Path, minutes: int) -> Memory:
    """Watch what is prepared in a folder, for so long, in a new process."""
    command = [
        sys.executable,
        "-m",
        "tests.benchmarks.watching_cost",
        "--watch",
        str(folder),
        "--minutes",
        str(minutes),
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Memory(**json.loads(done.stdout))


def in_memory() -> tuple[float, float]:
    """Of this process: all, and what is no file."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    found = {line.split(":")[0]: line.split()[1] for line in lines if line.startswith(("VmRSS", "RssAnon"))}
    return int(found["VmRSS"]) / MIB, int(found["RssAnon"]) / MIB


def watch_prepared(folder: Path, minutes: int) -> Memory:
    """As `companion watch --game triple3 --record` does it, but for the recording: a journal, a ring, pictures on disk,
    a dispute in every round, and a new match after it."""
    python = in_memory()[0]
    for name in ("companion.cli", "companion.commands.watch_assembly"):
        import_module(name)
    from companion.core.match import set_up  # noqa: PLC0415
    from companion.games import game  # noqa: PLC0415
    from companion.journal import Journal  # noqa: PLC0415
    from companion.watch.album import Album  # noqa: PLC0415
    from vision.watcher import Watcher  # noqa: PLC0415

    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    playing = game("triple3")
    setup = set_up(playing, tuple(about["players"]), playing.house())
    with ExitStack() as stack:
        aside = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=folder)))
        journal = stack.enter_context(Journal.open(aside / "journal.sqlite3"))
        eye = Watcher(a_reader())
        imported = in_memory()[0]
        bench = a_bench(eye, setup, about["seats"], journal, Album(aside / "pictures"))
        stack.callback(bench.close)
        hour = Hour(eye, bench, about["said"], minutes)
        for numbers in hour.watched(prepared_frames(folder)):
            hour.minutes.append(numbers)
    totals, anonymous = zip(*hour.minutes, strict=True)
    ring = hour.ring / 1024 / MIB
    return Memory(python, imported, hour.watching, list(totals), list(anonymous), ring, hour.rulings, hour.rounds)


@dataclass(slots=True)
class Hour:
    """Rounds of the same prepared frames, one after the other; the stamps go on."""

    eye: "Watcher"
    bench: "Bench"
    said: list[dict[str, Any]]
    length: int  # minutes
    minutes: list[tuple[float, float]] = field(default_factory=list)
    watching: float = 0.0
    ring: int = 0
    rulings: int = 0
    rounds: int = 0

    def watched(self, frames: "Iterator[tuple[Picture, Any]]") -> Iterator[tuple[float, float]]:
        from companion.watch.dispute_gallery import Gallery  # noqa: PLC0415
        from vision.frames import Frame  # noqa: PLC0415

        for number in range(self.length * MINUTE):
            at = number % LOOP
            if not at:
                self._new_round(stamp_of(number))
            self._say(at, stamp_of(number - at), stamp_of(number))
            picture, grey = next(frames)
            frame = Frame(picture, grey, stamp_of(number), number)
            self._hear(self.bench.saw(self.eye.watch(frame), frame))
            assert isinstance(self.bench._desk.gallery, Gallery)
            self.ring = max(self.ring, self.bench._desk.gallery.ring._bytes)
            if number % MINUTE == MINUTE - 1:
                yield in_memory()

    def _new_round(self, now: int) -> None:
        self.rounds += 1
        for word in ("abandon", "rematch") if now else ():
            self._hear(hear(self.bench, {"do": word}, now))

    def _say(self, at: int, begun: int, now: int) -> None:
        for one in self.said:
            if now - SECOND // RATE <= begun + one["at"] < now:
                self._hear(hear(self.bench, dict(one["message"]), begun + one["at"]))
        if at == STOP:
            self.watching = self.watching or in_memory()[0]
            self._hear(hear(self.bench, {"move": "stop"}, now))

    def _hear(self, news: Any) -> None:
        self.rulings += sum(map(is_ruling, news))


# --- tables ----------------------------------------------------------------------------------------------------


MORE = "python -m tests.benchmarks.watching_cost --hour"


@dataclass(frozen=True, slots=True)
class Measured:
    """All of it."""

    still: Still
    moving: Moving
    memory: Memory


def measured(*, still_minutes: int, seeds: list[int], seconds: float, minutes: int, packed: bool) -> Measured:
    reader = a_reader()
    with tempfile.TemporaryDirectory() as folder:
        keep = Prepared(Path(folder), a_match(seeds[0]), packed=packed)
        at_rest, moved = still(reader, still_minutes), moving(reader, seeds, seconds, keep)
        return Measured(at_rest, moved, memory(Path(folder), minutes))


def rows() -> list[Row]:
    """For `make bench`: twenty seconds of a match, and three minutes of table time in memory."""
    found = measured(still_minutes=1, seeds=[SEED], seconds=LOOP / RATE, minutes=3, packed=True)
    rest, moved, kept = found.still, found.moving, found.memory
    assert moved.usual
    read, motion = median(moved.usual.read), median(moved.usual.motion)
    every, usual = "find the table and read nine cells", "OpenCV's background subtraction (MOG2)"
    watch, ring_too = 100 * moved.load("watch"), 100 * moved.load("ring_too")
    ruling = rank([one.processor for one in moved.ruled], 0.95)
    # fmt: off
    return [
        Row("a frame in which nothing changed, median", rest.median, "ms", 0.03, usual, rest.motion, "0.1 aimed at"),
        Row("the same, mean, with a cell audited twice a second", rest.mean, "ms", 0.1, every, rest.read, MORE),
        Row("watching arms that move, 30 frames a second", watch, "% of a core", 0.4, usual, 100 * _load(motion),
            "15 aimed at"),
        Row("the same beside reading everything", watch, "% of a core", 0.5, every, 100 * _load(read)),
        Row("watching, ruling and the ring, 30 frames a second", ring_too, "% of a core", 0.6, every,
            100 * _load(read)),
        Row("a frame in which a play is ruled on, 95 of 100", ruling, "ms", 3, every, read,
            f"{len(moved.ruled)} rulings; 15 aimed at"),
        # How much of the libraries' files is in memory differs from one installation to the next by tens of megabytes.
        Row("memory of the watcher, the match and the ring", kept.watching - kept.imported, "MB", 70,
            note=f"on top of {kept.imported:.0f} for Python, the libraries and the model; 120 is the aim"),
        Row("the same with disputes drawn, the most", kept.most - kept.imported, "MB", 120, note="on top of that"),
        Row("what that grows by in a minute of play", max(0.0, kept.grown), "MB", 12, note=MORE),
    ]
    # fmt: on


def _load(milliseconds: float) -> float:
    return milliseconds * RATE / 1000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--hour", action="store_true", help="measure more of everything, and an hour in memory")
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--watch", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.watch:
        print(json.dumps(asdict(watch_prepared(options.watch, options.minutes))))  # noqa: T201
    elif options.hour:
        _report(
            measured(
                still_minutes=5, seeds=[SEED, SEED + 1, SEED + 2], seconds=60, minutes=options.minutes, packed=False
            )
        )
    else:
        for row in rows():
            print(row.what, round(row.value, 4), row.unit, row.ratio, row.bound, row.is_kept, row.note)  # noqa: T201


def _report(found: Measured) -> None:
    rest, moved, kept = found.still, found.moving, found.memory
    assert moved.usual
    for what, value in (
        ("load average", " ".join(f"{value:.1f}" for value in os.getloadavg())),
        ("at rest, ms a frame: median, mean, p99", _numbers(rest.median, rest.mean, rest.p99)),
        ("    read every frame, MOG2", _numbers(rest.read, rest.motion)),
        ("arms, % of a core: watcher, bench too, ring too", _loads(moved)),
        (
            "    read every frame, MOG2",
            _numbers(*(100 * _load(median(of)) for of in (moved.usual.read, moved.usual.motion))),
        ),
        ("    ms a frame: read every frame, MOG2", _numbers(median(moved.usual.read), median(moved.usual.motion))),
        ("a frame in which something changes, ms: median, p95, most", _spread(moved.active)),
        ("a ruling, ms of the processor: median, p95, most", _spread([one.processor for one in moved.ruled])),
        ("    by the clock", _spread([one.clock for one in moved.ruled])),
        ("    with a journal, of the processor", _spread([one.processor for one in moved.ruled_and_kept])),
        ("    with a journal, by the clock", _spread([one.clock for one in moved.ruled_and_kept])),
        ("rulings, seconds of table time", f"{len(moved.ruled)}, {moved.seconds:.0f}"),
        (
            "memory, MB: Python, libraries and model too, watching, the most, grown",
            _numbers(kept.python, kept.imported, kept.watching, kept.most, kept.grown),
        ),
        ("    the ring's pictures at most, rulings, rounds", f"{kept.ring:.1f}, {kept.rulings}, {kept.rounds}"),
        ("    minute by minute", _numbers(*kept.minutes)),
        ("    of it not files", _numbers(*kept.anonymous)),
    ):
        print(f"{what}: {value}")  # noqa: T201


def _loads(moved: Moving) -> str:
    return _numbers(*(100 * moved.load(what) for what in ("watch", "bench_too", "ring_too")))


def _spread(values: list[float]) -> str:
    return _numbers(median(values), rank(values, 0.95), max(values))


def _numbers(*values: float) -> str:
    return ", ".join(f"{value:.3g}" if value < 100 else f"{value:.1f}" for value in values)


if __name__ == "__main__":
    main()
