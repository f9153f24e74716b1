"""How well the nine cards of one picture are read, and what it costs: by the second renderer, never trained on.

`python -m tests.benchmarks.reading --shots 1000` draws more of them and prints every table.
"""

import argparse
import math
import multiprocessing
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.benchmarks import Row, median
from tests.vision.second import Shot, scene
from vision.card_drawing import face_picture
from vision.deck import CARDS
from vision.eye_errors import NoTableError, SightError
from vision.features import FeatureNetwork
from vision.frames import Picture, Points
from vision.locate import TableView, find_table
from vision.markers import Finder
from vision.mat import DICTIONARY, LARGE, SMALL, Mat
from vision.reader import Reader, Reading
from vision.teaching import Lesson, example_of

SHOTS = 72  # for `make bench`; with the covered ones 120 pictures
SEED = 400_000
SURE = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)  # where the groups of confidence begin
NEAR = 0.12  # of a cell's side: so far off its middle may be found
# fmt: off
CONDITIONS = (
    "deck", "place", "light", "shadow", "paper", "glare", "piles", "table", "camera", "tilt", "card", "blur",
    "grain", "JPEG",
)
# fmt: on


class Reads(Protocol):
    """What a reader does, or what stands in for one."""

    def read(self, picture: Picture, cells: Points) -> tuple[Reading, ...]: ...


Finds = Callable[[Picture], TableView]


@dataclass(frozen=True, slots=True)
class Plan:
    """A picture to draw."""

    seed: int
    edition: str
    mat: Mat | None
    covered: bool = False

    def shot(self) -> Shot:
        return scene(self.seed, edition=self.edition, mat=self.mat, covered=self.covered)

    @property
    def place(self) -> str:
        return f"{self.mat.name} mat" if self.mat else "no mat"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: what lies there, and what was said."""

    edition: str
    truth: str
    guess: str | None
    card: str | None
    state: str
    confidence: float  # that it is the guess
    conditions: dict[str, str]

    @property
    def is_right(self) -> bool:
        return self.guess == self.truth

    @property
    def is_lie(self) -> bool:
        return self.card is not None and self.card != self.truth


@dataclass(frozen=True, slots=True)
class Found:
    """Whether a picture's table was found: the nine cells, in order, upright, nothing cut off."""

    edition: str
    place: str
    covered: bool
    is_found: bool
    seed: int


@dataclass(frozen=True, slots=True)
class Result:
    """All that was measured."""

    cells: list[Cell]
    found: list[Found]


# --- Measuring


def plans(shots: int, seed: int = SEED) -> list[Plan]:
    """Our deck and others on both mats and on the bare table; for each mat one more with a marker covered."""
    found = []
    for number in range(shots):
        edition = "other" if number % 3 == 2 else "ours"
        mat = (SMALL, LARGE, None)[number // 3 % 3]
        found.append(Plan(seed + number, edition, mat))
        if mat is not None:
            found.append(Plan(seed + 500_000 + number, edition, mat, covered=True))
    return found


def measured(
    shots: int, seed: int = SEED, reader: Reads | None = None, find: Finds = find_table, jobs: int = 1
) -> Result:
    reader = reader or Reader()
    result = Result([], [])
    for plan, shot in drawn(plans(shots, seed), jobs):
        table = _sought(shot, find)
        result.found.append(Found(plan.edition, plan.place, plan.covered, table is not None, plan.seed))
        if not plan.covered:
            result.cells.extend(_read(plan, shot, reader, shot.quads if table is None else table))
    return result


def drawn(wanted: list[Plan], jobs: int) -> Iterator[tuple[Plan, Shot]]:
    if jobs == 1:
        yield from ((plan, plan.shot()) for plan in wanted)
        return
    with multiprocessing.get_context("spawn").Pool(jobs, _alone) as pool:
        yield from zip(wanted, pool.imap(Plan.shot, wanted, chunksize=4), strict=True)


def _alone() -> None:
    cv2.setNumThreads(1)


def _sought(shot: Shot, find: Finds) -> Points | None:
    """The cells as they were found, if they were found right."""
    try:
        cells = find(shot.picture).cells
    except NoTableError:
        return None
    if shot.mat is not None:
        corners = np.linalg.norm(cells - shot.quads, axis=2).max()
        return cells if corners < NEAR * _side(shot.quads).min() else None
    middles = np.linalg.norm(cells.mean(1) - shot.quads.mean(1), axis=1)
    is_there = bool((middles < NEAR * _side(shot.quads)).all())
    return cells if is_there and _are_upright(cells, shot.quads) else None


def _side(quads: Points) -> NDArray[Any]:
    return np.sqrt(np.array([cv2.contourArea(quad) for quad in quads]))  # type: ignore[no-any-return, unused-ignore]


def _are_upright(cells: Points, quads: Points) -> bool:
    """Cut out as wide as the truth and parallel to it, whichever corner comes first."""
    wide = _side(cells) / _side(quads)
    if wide.min() < 0.8 or wide.max() > 1.3:
        return False
    reach = _side(quads) * NEAR
    off = [
        min(np.linalg.norm(np.roll(shrunk, turn, 0) - quad, axis=1).max() for turn in range(4))
        for shrunk, quad in zip(_shrunk(cells, wide), quads, strict=True)
    ]
    return bool((np.array(off) < 1.5 * reach).all())


def _shrunk(cells: Points, wide: NDArray[Any]) -> Points:
    middles = cells.mean(1, keepdims=True)
    return (cells - middles) / wide[:, None, None] + middles  # type: ignore[no-any-return, unused-ignore]


def _read(plan: Plan, shot: Shot, reader: Reads, cells: Points) -> Iterator[Cell]:
    conditions = shot.conditions | {"place": plan.place}
    for truth, reading in zip(shot.cells, reader.read(shot.picture, cells), strict=True):
        sure = reading.likely[0][1] if reading.likely else 0.0
        yield Cell(plan.edition, truth, reading.guess, reading.card, reading.state, sure, conditions)


# --- Tables


def wilson(hits: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """Between which shares the true one is, 19 times of 20."""
    if not of:
        return 0.0, 1.0
    share, square = hits / of, z * z / of
    middle, half = share + square / 2, z * math.sqrt(share * (1 - share) / of + square / of / 4)
    return max(0.0, (middle - half) / (1 + square)), min(1.0, (middle + half) / (1 + square))


def shown(hits: int, of: int) -> str:
    low, high = wilson(hits, of)
    return f"{100 * hits / of:.2f} % ({100 * low:.2f}–{100 * high:.2f})" if of else "none"


def tables(shots: int, seed: int = SEED, jobs: int = 1) -> str:
    """Everything about accuracy, in Markdown."""
    return told(measured(shots, seed, jobs=jobs))


def told(result: Result) -> str:
    parts = ["### Reading\n", *_reading_table([("all", result.cells)], "edition")]
    for edition in ("ours", "other"):
        cells = [cell for cell in result.cells if cell.edition == edition]
        for condition in CONDITIONS:
            groups = _grouped(cells, condition)
            if len(groups) > 1:
                parts += [f"\n### {edition}, by {condition}\n", *_reading_table(groups, condition)]
    parts += ["\n### How sure, and how often right\n", *_reliability_table(result.cells)]
    return "\n".join([*parts, "\n### Finding the table\n", *_found_table(result.found)])


def _grouped(cells: list[Cell], condition: str) -> list[tuple[str, list[Cell]]]:
    groups = defaultdict(list)
    for cell in cells:
        groups[cell.conditions[condition]].append(cell)
    return sorted(groups.items())


def _reading_table(groups: list[tuple[str, list[Cell]]], what: str) -> Iterator[str]:
    if what == "edition":
        everything = groups[0][1]
        groups = [(name, [cell for cell in everything if cell.edition == name]) for name in ("ours", "other")]
    yield f"| {what} | cells | right, none refused | accepted | wrong among accepted | colour | shape | count |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, cells in groups:
        accepted = [cell for cell in cells if cell.card is not None]
        parts = " | ".join(_part(cells, at) for at in range(3))
        right, lies = sum(cell.is_right for cell in cells), sum(cell.is_lie for cell in cells)
        yield (
            f"| {name} | {len(cells)} | {shown(right, len(cells))} | {shown(len(accepted), len(cells))} "
            f"| {shown(lies, len(accepted))} | {parts} |"
        )


def _part(cells: list[Cell], at: int) -> str:
    """How often one attribute is right."""
    pairs = [(cell.truth.split("-"), (cell.guess or "?-?-?").split("-")) for cell in cells]
    return f"{100 * sum(truth[at] == guess[at] for truth, guess in pairs) / max(1, len(pairs)):.2f} %"


def reliability(cells: list[Cell]) -> Iterator[tuple[float, float, int, float, int]]:
    """From, to, how many cells were that sure, how sure in the middle, how many of them were right."""
    for low, high in pairwise(SURE):
        some = [cell for cell in cells if low <= cell.confidence < high]
        middle = sum(cell.confidence for cell in some) / max(1, len(some))
        yield low, high, len(some), middle, sum(cell.is_right for cell in some)


def _reliability_table(cells: list[Cell]) -> Iterator[str]:
    yield "| edition | confidence | cells | in the middle | right |"
    yield "|---|---|---|---|---|"
    for edition in ("ours", "other"):
        for low, high, of, middle, right in reliability([cell for cell in cells if cell.edition == edition]):
            if of:
                between = f"{100 * low:g}–{min(100.0, 100 * high):g} %"
                yield f"| {edition} | {between} | {of} | {100 * middle:.1f} % | {shown(right, of)} |"


def _found_table(found: list[Found]) -> Iterator[str]:
    groups = defaultdict(list)
    for one in found:
        groups[one.edition, one.place, "one marker covered" if one.covered else "clean"].append(one)
    yield "| edition | place | | pictures | found, nine cells right |"
    yield "|---|---|---|---|---|"
    for (edition, place, how), some in sorted(groups.items()):
        yield f"| {edition} | {place} | {how} | {len(some)} | {shown(sum(one.is_found for one in some), len(some))} |"


# --- For `make bench`


def rows() -> Iterator[Row]:
    yield from rows_of(measured(SHOTS))
    yield from costs()


def rows_of(result: Result) -> Iterator[Row]:
    for edition, bound in (("ours", 0.5), ("other", 8.0)):  # 5 is the aim; few cells scatter
        cells = [cell for cell in result.cells if cell.edition == edition]
        wrong = sum(not cell.is_right for cell in cells)
        what = f"cells read wrong, none refused, {'our deck' if edition == 'ours' else 'other editions'}"
        yield _share(what, wrong, len(cells), bound)
    ours = [cell for cell in result.cells if cell.edition == "ours"]
    accepted = [cell for cell in ours if cell.card is not None]
    yield _share("cells accepted and wrong, our deck", sum(cell.is_lie for cell in ours), len(accepted), 0.05)
    yield _share("cells refused, our deck", len(ours) - len(accepted), len(ours), 3.0)
    on_mat = [one for one in result.found if one.place != "no mat"]
    bare = [one for one in result.found if one.place == "no mat"]
    yield _share("tables with a mat not found, half with a marker covered", _missed(on_mat), len(on_mat), 0.5)
    yield _share("tables without a mat not found (3 % is the aim)", _missed(bare), len(bare), 5.0)


def _missed(found: Iterable[Found]) -> int:
    return sum(not one.is_found for one in found)


def _share(what: str, hits: int, of: int, bound: float) -> Row:
    low, high = wilson(hits, of)
    return Row(what, 100 * hits / max(1, of), "%", bound, note=f"{hits} of {of}; {100 * low:.2f}–{100 * high:.2f} %")


# --- Cost


def costs(reader: Reads | None = None, pictures: int = 12, seed: int = SEED) -> Iterator[Row]:
    """Milliseconds on one thread, medians over a few pictures of 1280 × 720."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield from _costs(reader or Reader(), [scene(seed + number) for number in range(pictures)])
    finally:
        cv2.setNumThreads(threads)


def _costs(reader: Reads, shots: list[Shot]) -> Iterator[Row]:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    detector = cv2.aruco.ArucoDetector(dictionary)
    matcher, taught = Templates(), _taught(shots)
    found: dict[str, list[float]] = defaultdict(list)
    for shot in shots:
        finder = Finder()
        finder.find(shot.picture)
        tries: dict[str, Callable[[], object]] = {
            "known": partial(_whole, shot.picture, finder, reader),
            "cold": partial(_whole, shot.picture, None, reader),
            "search": partial(detector.detectMarkers, shot.picture),
            "templates": partial(matcher.read, shot),
            "taught": partial(_by_its_mat, shot.picture, finder, taught),
        }
        for name, run in tries.items():
            found[name] += _times(run)
    known, cold, search, templates, own = (
        median(found[name]) for name in ("known", "cold", "search", "templates", "taught")
    )
    whole = "default marker search on the whole picture"
    yield Row("find, cut out and read nine cells, table known", known, "ms", 0.65, whole, search, "5 ms is the aim")
    yield Row("find, cut out and read nine cells, cold", cold, "ms", 2.8, whole, search, "15 ms is the aim")
    yield Row(
        "the same with a deck that was taught, table known", own, "ms", 3.5, whole, search, "1.2 times is the aim"
    )
    yield Row("the same, table known", known, "ms", 0.2, "nine cells by 64 × 4 templates, table known", templates)


def _taught(shots: Iterable[Shot]) -> Reader:
    """What reads a deck that was taught from the pictures themselves: it is asked for its time alone."""
    network, rng = FeatureNetwork(), np.random.default_rng(SEED)
    lesson = Lesson("own", "triple3", CARDS, 3, is_once=True, known={})
    for shot in shots:
        for card, corners in zip(shot.cells, shot.quads, strict=True):
            if card in CARDS and card not in lesson.known:
                lesson.show(card, example_of(shot.picture, corners, network, rng))
    return Reader(taught=lesson.deck(network.name))


def _by_its_mat(picture: Picture, finder: Finder, reader: Reader) -> tuple[Reading, ...]:
    table = finder.find(picture)
    return reader.read(picture, table.cells, table.mat)


def _whole(picture: Picture, finder: Finder | None, reader: Reads) -> tuple[Reading, ...]:
    return reader.read(picture, (finder or Finder()).find(picture).cells)


def _times(run: Callable[[], object], times: int = 9) -> list[float]:
    """Milliseconds, without the first."""
    run()
    found = []
    for _ in range(times):
        began = time.perf_counter_ns()
        run()
        found.append((time.perf_counter_ns() - began) / 1e6)
    return found


class Templates:
    """The plain way, for comparison: each card of our deck in four turns, moved over each cell."""

    def __init__(self, cell: int = 64) -> None:
        self.cell = cell
        face = round(0.8 * cell)
        pictures = {
            name: cv2.resize(face_picture(name, 200), (face, face), interpolation=cv2.INTER_AREA) for name in CARDS
        }
        self.templates = [(name, np.rot90(face, turn).copy()) for name, face in pictures.items() for turn in range(4)]

    def read(self, shot: Shot) -> list[str]:
        return [self._best(crop) for crop in shot.crops(self.cell)]

    def _best(self, crop: Picture) -> str:
        likeness = [cv2.matchTemplate(crop, template, cv2.TM_CCOEFF_NORMED).max() for _, template in self.templates]
        return self.templates[int(np.argmax(likeness))][0]


def main() -> None:
    parser = argparse.ArgumentParser(description="Reading measured on pictures of the second renderer.")
    parser.add_argument(
        "--shots", type=int, default=SHOTS, help="pictures to read; with the covered ones about 1.7 times as many"
    )
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=1, help="processes that draw")
    told_ = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # of the processes that draw
    try:
        print(tables(told_.shots, told_.seed, told_.jobs))  # noqa: T201
    except SightError as error:
        parser.exit(2, f"{error}\n")


if __name__ == "__main__":
    main()
