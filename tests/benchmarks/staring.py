"""What staring at a still tells that one look does not, and how often that is wrong: by the second renderer.

`python -m tests.benchmarks.staring --tables 60 --first 910000` watches as many whole tables, three of four of them in
editions that the reader never saw, each for five seconds twice: with nothing but fresh noise of the sensor, and with
the light, the place and the focus changed a little three times a second. No hand comes near, so that whatever is told
of a cell beyond the first look is told by looking on. Drawing takes most of the time: `--keep FOLDER` keeps the frames
for the next time, which must be of the same renderer.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from tests.benchmarks.bounds import upper_bound
from tests.vision.second.camera import Sensor
from tests.vision.second.layouts import Wish, laid_out
from tests.vision.second.noise import Array
from tests.vision.second.scene import _camera, _quads, _sensor, _taken, _world
from vision.faults import SECOND
from vision.frames import Frame, Picture, Points
from vision.grey import grey_of
from vision.locate import TableView
from vision.mat import LARGE, SMALL
from vision.reader import Reader
from vision.watcher import Watcher

TABLES, FIRST = 60, 910_000
RATE, SECONDS = 12.0, 5
NEAR = 0.12  # of a cell's side: so far off its middle may be found
STEPS = 3  # changes of light and place a second
GAIN, CAST, SHIFT, BLUR = 0.05, 0.03, 1.2, 0.5  # deviations: shares, shares, pixels, pixels
MILD, STRONG = 0.25, 2.0  # times those, drawn for each table
NOISE, CHANGED = "noise", "changed"


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """A table as light on a sensor, and the truth about it."""

    seed: int
    edition: str
    light: Array
    sensor: Sensor
    cells: tuple[str, ...]
    quads: Points


class _Bare:
    """Stands in for a sensor: hands over the light as it falls on it."""

    def picture(self, light: Array) -> Array:
        return light


def still(seed: int) -> Still:
    """One of four with our deck; on both mats and on the bare table in turn."""
    rng = np.random.default_rng([seed, 20_051])
    wish = Wish("other" if seed % 4 else "ours", (SMALL, LARGE, None)[seed // 4 % 3])
    layout = laid_out(rng, wish)
    camera, _ = _camera(rng, wish, layout)
    world, lighting = _world(rng, wish, layout, camera)
    quads, order = _quads(camera, layout)
    sensor, _ = _sensor(rng, world, camera, dim=lighting["light"] == "dim")
    light = _taken(world, camera, _Bare(), None)  # type: ignore[arg-type]
    return Still(seed, wish.edition, light, sensor, tuple(layout.cells[cell] for cell in order), quads)


# --- The frames


def pictures(of: Still, series: str) -> Iterator[Picture]:
    """Five seconds of it, the sensor's noise new in every frame."""
    rng = np.random.default_rng([of.seed, 7])
    strong = np.exp(rng.uniform(np.log(MILD), np.log(STRONG)))
    light, step = of.light, 0
    for number in range(round(RATE * SECONDS)):
        if series == CHANGED and int(number / RATE * STEPS) > step:
            light, step = _changed(of.light, rng, float(strong)), int(number / RATE * STEPS)
        yield replace(of.sensor, seed=int(rng.integers(2**31))).picture(light)


def _changed(light: Array, rng: np.random.Generator, strong: float) -> Array:
    """A little brighter or darker, of another tint, elsewhere, blurred."""
    gains = np.exp(strong * (rng.normal(0, GAIN) + rng.normal(0, CAST, 3))).astype(np.float32)
    across, down = rng.normal(0, strong * SHIFT, 2)
    blur = abs(rng.normal(0, strong * BLUR))
    move = np.array([[1, 0, across], [0, 1, down]])
    size = (light.shape[1], light.shape[0])
    moved = cv2.warpAffine(light * gains, move, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.maximum(cv2.GaussianBlur(moved, (0, 0), blur) if blur > 0.2 else moved, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """The frames of a still, and the truth about it."""

    edition: str
    cells: tuple[str, ...]
    quads: Points
    frames: list[bytes]  # as files

    def __iter__(self) -> Iterator[Picture]:
        for file in self.frames:
            yield np.asarray(cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def both(seed: int, keep: Path | None) -> dict[str, Series]:
    """The series of a seed, drawn or as they were kept."""
    file = keep / f"{seed}.npz" if keep else None
    if file and file.exists():
        with np.load(file) as kept:
            return {name: _unpacked(dict(kept), name) for name in (NOISE, CHANGED)}
    drawn = still(seed)
    found = {name: Series(drawn.edition, drawn.cells, drawn.quads, _files(drawn, name)) for name in (NOISE, CHANGED)}
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        np.savez(file, **_packed(found))
    return found


def _files(of: Still, series: str) -> list[bytes]:
    """Written once more as the sensor has written them, which changes next to nothing."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, of.sensor.quality]
    return [cv2.imencode(".jpg", picture, quality)[1].tobytes() for picture in pictures(of, series)]


def _packed(found: dict[str, Series]) -> dict[str, Array]:
    one = found[NOISE]
    packed = {"edition": np.array(one.edition), "cells": np.array(one.cells), "quads": one.quads}
    for name, series in found.items():
        packed[name] = np.frombuffer(b"".join(series.frames), np.uint8)
        packed[f"{name} ends"] = np.cumsum([len(file) for file in series.frames])
    return packed


def _unpacked(kept: dict[str, Array], name: str) -> Series:
    parts = np.split(kept[name], kept[f"{name} ends"][:-1])
    cells = tuple(map(str, kept["cells"]))
    return Series(str(kept["edition"]), cells, kept["quads"], [part.tobytes() for part in parts])


# --- Watching


@dataclass(frozen=True, slots=True)
class Watched:
    """A cell, what one look tells of it, and all that was told of it in five seconds."""

    edition: str
    series: str
    truth: str
    single: str | None  # by the first frame alone
    singles: frozenset[str]  # by any frame alone
    told: frozenset[str]

    @property
    def is_new(self) -> bool:
        return self.single is None and bool(self.told)

    @property
    def is_stared(self) -> bool:
        """Told, and not one frame alone would have told it."""
        return bool(self.told - self.singles)

    @property
    def is_wrong(self) -> bool:
        return bool(self.told - {self.truth})


def watched(of: Series, series: str, reader: Reader) -> list[Watched]:
    """The nine cells of a series; none if the table is not found or lies otherwise than it does."""
    watcher = Watcher(reader)
    told: list[set[str]] = [set() for _ in of.cells]
    singles: list[list[str | None]] = []
    for number, picture in enumerate(of):
        watcher.watch(Frame(picture, grey_of(picture), round(number * SECOND / RATE), number))
        if watcher.table is None:
            continue
        singles.append([reading.card for reading in reader.read(picture, watcher.table.cells)])
        for cell, look in zip(told, watcher.looks, strict=True):
            cell.update([look.card] if look and look.card else [])
    truths = _truths(of, watcher.table)
    return [
        Watched(of.edition, series, truth, first[0], frozenset(one for one in first if one), frozenset(cards))
        for truth, first, cards in zip(truths, zip(*singles, strict=True), told, strict=False)
    ]


def _truths(of: Series, table: TableView | None) -> list[str]:
    """What lies on the cells as they were found, whichever of them is called the first."""
    if table is None:
        return []
    far = np.linalg.norm(table.cells.mean(1)[:, None] - of.quads.mean(1)[None], axis=2)
    side = float(np.sqrt(min(cv2.contourArea(quad) for quad in of.quads)))
    nearest = far.argmin(1)
    if sorted(nearest) != list(range(len(of.cells))) or far.min(1).max() > NEAR * side:
        return []
    return [of.cells[at] for at in nearest]


# --- Figures


def lines(cells: list[Watched]) -> Iterator[str]:
    for edition in ("ours", "other"):
        for series in (NOISE, CHANGED):
            of = [cell for cell in cells if (cell.edition, cell.series) == (edition, series)]
            if of:
                yield f"{edition}, {series}: {_line(of)}"


def _line(of: list[Watched]) -> str:
    single = [cell for cell in of if cell.single]
    told = [cell for cell in of if cell.told]
    new = [cell for cell in of if cell.is_new]
    wrong = sum(cell.is_wrong for cell in new)
    stared = [cell for cell in of if cell.is_stared]
    return (
        f"{len(of)} cells, {len(single)} told by a single look ({sum(c.single != c.truth for c in single)} wrong), "
        f"{len(told)} told after {SECONDS} s ({sum(cell.is_wrong for cell in told)} wrong), "
        f"{len(new)} newly told ({wrong} wrong: {wrong / len(of):.2%} of the cells, 95 %: at most "
        f"{upper_bound(wrong, len(of)):.2%}), {len(stared)} told as no frame alone would have told them "
        f"({sum(bool(cell.told - cell.singles - {cell.truth}) for cell in stared)} wrong)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="What staring at stills of the second renderer tells.")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--first", type=int, default=FIRST, help="seed of the first table")
    parser.add_argument("--keep", type=Path, help="a folder for the frames, which take long to draw")
    parser.add_argument("--each", action="store_true", help="also tell of every cell that is told wrongly by staring")
    options = parser.parse_args()
    reader, cells = Reader(), list[Watched]()
    for seed in range(options.first, options.first + options.tables):
        for name, series in both(seed, options.keep).items():
            found = watched(series, name, reader)
            cells += found
            for cell in found if options.each else []:
                if cell.is_wrong and cell.is_new:
                    print(seed, cell)  # noqa: T201
    print(*lines(cells), sep="\n")  # noqa: T201


if __name__ == "__main__":
    main()
