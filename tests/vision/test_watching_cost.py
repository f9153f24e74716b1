"""What watching costs, as far as it can be counted: what is read, what is kept, and that it does not grow."""

import gc
import weakref
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from companion.games.triple3.watch import WATCH
from companion.watch.bench import Bench
from companion.watch.game_watch import Seating
from tests.benchmarks import best_of
from tests.benchmarks.watching_cost import SIZE, Memory, Prepared, a_match, prepared_frames
from tests.replies import told as as_told
from tests.vision.scenes import RATE, SECOND, arm, frames, reader, script
from tests.watched import DEALS, Eye, a_card, grid_seen, hear, laid, session, table_seen
from tests.watched import frame as frame_of_nothing
from vision.frames import Frame, Picture, Points
from vision.grey import grey_of
from vision.mat_light import MatLight
from vision.reader import Looked
from vision.sightings import CardSeen, Sighting
from vision.watcher import Watcher

NEW = "yellow-plus-2"


class CountingReader:
    """A reader that says how many cells it was shown."""

    def __init__(self) -> None:
        self.cells = 0

    def look(self, picture: Picture, cells: Points, light: MatLight | None = None) -> Looked:
        self.cells += len(cells)
        return reader().look(picture, cells, light)

    def __getattr__(self, name: str) -> object:
        return getattr(reader(), name)


def at(frame: Frame, number: int) -> Frame:
    """Once more, at another time, in arrays of its own."""
    return Frame(frame.picture.copy(), frame.grey.copy(), round(number * SECOND / RATE), number)


def test_a_frame_of_a_table_at_rest_costs_a_small_part_of_reading_it() -> None:
    shown = list(frames(script(seconds=0.5)))
    eye = Watcher(reader())
    eye.watch(shown[0])
    assert eye.table is not None
    cells, numbers = eye.table.cells, iter(range(1, 100))
    watched = best_of(lambda: eye.watch(at(shown[(number := next(numbers)) % len(shown)], number)), 40)
    read = best_of(lambda: reader().read(shown[0].picture, cells), 5)
    assert watched < read / 2  # a hundredth, but for the copying


def test_when_a_card_is_laid_little_more_is_read_than_the_cells_near_the_arm() -> None:
    counting = CountingReader()
    eye = Watcher(counting)  # type: ignore[arg-type]
    shown = list(frames(script([arm(5, NEW, 1.0)], seconds=2)))
    seen = [one for frame in shown for one in eye.watch(frame)]
    assert [one.after.card for one in seen if isinstance(one, CardSeen)] == [NEW]
    assert counting.cells < 9 * len(shown) / 4


def test_the_watcher_keeps_no_picture_but_the_last() -> None:
    eye = Watcher(reader())
    shown = list(frames(script([arm(5, NEW, 0.8)], seconds=1.6)))
    pictures = []
    for number, frame in enumerate(shown):
        again = at(frame, number)
        pictures.append(weakref.ref(again.picture))
        eye.watch(again)
        del again
        assert sum(picture() is not None for picture in pictures) == 1


def test_a_bench_grows_no_more_with_each_match() -> None:
    cell, card = a_card(legal=True)
    seen: dict[int, list[Sighting]] = {0: [table_seen()]}
    matches = [range(first, first + 100) for first in range(1, 900, 100)]
    for numbers in matches:
        seen[numbers[0]] = [grid_seen(numbers[0])]
        seen[numbers[40]] = [laid(numbers[40], cell, card, "")]
    eye = Eye(seen)
    bench = Bench(eye, session, WATCH, Seating({}, DEALS))  # type: ignore[arg-type]
    told: list[dict[str, Any]] = []
    counts = []
    watch(bench, eye, [0])
    for numbers in matches:
        told = watch(bench, eye, numbers)
        for word in ("abandon", "rematch"):
            list(hear(bench, {"do": word}, frame_of_nothing(numbers[-1]).stamp))
        assert [one["move"]["move"] for one in told if one["kind"] == "ruling"] == ["deal", "go", "lay"]
        gc.collect()
        counts.append(len(gc.get_objects()))
    assert counts[-1] - counts[1] < 100


def watch(bench: Bench, eye: Eye, numbers: Any) -> list[dict[str, Any]]:
    shown = map(frame_of_nothing, numbers)
    return [one for frame in shown for one in as_told(bench.saw(eye.watch(frame), frame))]


def test_frames_that_were_prepared_come_again_and_again(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    pictures = [rng.integers(0, 256, (SIZE[1], SIZE[0], 3), np.uint8) for _ in range(2)]
    kept = Prepared(tmp_path, a_match())
    for number, picture in enumerate(pictures):
        kept.frame(Frame(picture, grey_of(picture), number, number))
    come = list(islice(prepared_frames(tmp_path), 5))
    for number, (picture, grey) in enumerate(come):
        assert np.array_equal(picture, pictures[number % 2])
        assert np.array_equal(grey, grey_of(pictures[number % 2]))
        assert all(picture is not other for other, _ in come[:number])


def test_what_has_grown_is_counted_from_the_end_of_the_warm_up() -> None:
    def grown(minutes: list[float]) -> float:
        return Memory(17, 70, 90, minutes, minutes, 5, 0, 0).grown

    assert grown([50.0, 100.0, 100.0]) == 0
    assert grown([50.0] + [100.0] * 10 + [110.0]) == 10
    assert abs(grown([0.0, *(float(minute) for minute in range(100))]) - 90) < 1e-9
