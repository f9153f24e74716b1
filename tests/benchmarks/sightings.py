"""What a watcher told of whole matches, kept without pixels, and ruled on again in a second a match.

`python -m tests.benchmarks.sightings record FOLDER --matches N --first SEED --pace P` watches matches of bots and keeps
what was told of each frame; `… judge FOLDER` has it ruled on, and says what `tests.benchmarks.watching` says of pixels,
and how far the chances that were told can be trusted. `--visits true` gives the judge the true number of hands that
came to a cell, which is what a perfect eye for hands would see.
"""

import argparse
import gzip
import json
import multiprocessing
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from companion.core.clocks import MILLISECOND, SECOND
from companion.games.triple3.hands import write_script
from simulator.rendered.script import Script
from tests.benchmarks import watching
from tests.watched import PICTURE, TABLE, hear
from vision.frames import Frame
from vision.sightings import (
    CannotRead,
    CardSeen,
    CellNow,
    GridSeen,
    Look,
    NoCard,
    Sighting,
    TableLost,
    TableSeen,
    Trouble,
    TroubleOver,
)

SQUARE = np.zeros((1, 1, 3), np.uint8)
TICK = SECOND // 10  # between two frames in which nothing was told
NEARLY = 66 * MILLISECOND  # before and after a stretch a hand is on its way to the cell
KINDS = {
    kind.__name__: kind for kind in (CannotRead, CardSeen, GridSeen, NoCard, TableLost, TableSeen, Trouble, TroubleOver)
}
BINS = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)


# --- keeping ---------------------------------------------------------------------------------------------------


def kept(seed: int, pace: float | None) -> dict[str, Any]:
    """One match, watched with pixels; what was told of it."""
    script = write_script(seed, players=2 + seed % 3, pace=pace)
    eye = Keeping(watching.eye_of("watched"))
    watching.watch(script, eye, watching.Noting(watching.Result(seed, "watched", 2, 1.0, 1.0)))
    return {"seed": seed, "pace": pace, "frames": eye.rows}


class Keeping:
    """An eye, and what it tells."""

    def __init__(self, eye: Any) -> None:
        self._eye = eye
        self._before: Any = None
        self.rows: list[list[Any]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._eye, name)

    def watch(self, frame: Frame) -> list[Sighting]:
        seen: list[Sighting] = self._eye.watch(frame)
        if seen or self._eye.cells != self._before:
            self._before = self._eye.cells
            cells = [[cell.now, cell.since, cell.seen] for cell in self._before]
            self.rows.append([frame.stamp, [_plain(one) for one in seen], cells])
        return seen


def _plain(sighting: Sighting) -> list[Any]:
    fields = {name: getattr(sighting, name) for name in sighting.__dataclass_fields__ if name != "table"}
    return [type(sighting).__name__, {name: _value(value) for name, value in fields.items()}]


def _value(value: Any) -> Any:
    if isinstance(value, Sighting):
        return _plain(value)
    if isinstance(value, Look):
        return [value.stamp, value.number, value.card, value.state, round(float(value.confidence), 4)]
    if isinstance(value, tuple):
        return [_value(one) for one in value]
    return round(value, 4) if isinstance(value, float) else value


# --- ruling on it ----------------------------------------------------------------------------------------------


class Told:
    """An eye that tells what it told once."""

    def __init__(self) -> None:
        self.cells: tuple[CellNow, ...] = (CellNow("unknown", 0),) * 9
        self.looks: tuple[Look | None, ...] = (None,) * 9
        self.changed, self.table = True, TABLE

    def expect(self, prior: Any) -> None:
        """It has read what it has read."""

    def know(self, cards: dict[int, str]) -> None: ...

    def believe(self, cell: int, card: str, confidence: float) -> None: ...

    def look_again(self, cells: tuple[int, ...] = ()) -> None: ...


class Chances(watching.Noting):
    """Remembers how sure each verdict was said to be."""

    def __init__(self, result: watching.Result) -> None:
        super().__init__(result)
        self.chances: dict[tuple[int, str, str], float] = {}

    def tell(self, said: Any, stamp: int) -> None:
        super().tell(said, stamp)
        evidence = getattr(said, "evidence", None)
        if evidence is not None:
            verdict = "illegal" if said.kind == "foul" else "legal"
            self.chances[evidence.cell, evidence.card, verdict] = evidence.chance


def judged(path: Path, *, true_visits: bool) -> tuple[watching.Result, list[tuple[float, bool]]]:
    """What is ruled on a match that was kept, and of each verdict its chance and whether it was true."""
    match = json.loads(gzip.decompress(path.read_bytes()))
    script = write_script(match["seed"], players=2 + match["seed"] % 3, pace=match["pace"])
    about = script.about
    result = watching.Result(match["seed"], "told", len(about["players"]), about["pace"], script.length / SECOND)
    noting, eye = Chances(result), Told()
    _tell(match["frames"], script, eye, noting, true_visits=true_visits)
    noting.end()
    watching.compare(script, noting, result)
    sure = [
        (noting.chances.get((one.cell, one.card, one.told), 1.0), one.is_true) for one in result.ruled if one.is_told
    ]
    return result, sure


def _tell(rows: list[Any], script: Script, eye: Told, noting: Chances, *, true_visits: bool) -> None:
    bench, said = watching.bench_of(eye, script), list(script.said)
    by_stamp = {row[0]: row for row in rows}
    for number, stamp in enumerate(sorted({*by_stamp, *range(0, rows[-1][0], TICK)})):
        while said and said[0].at < stamp:
            one = said.pop(0)
            for news in hear(bench, one.message, one.at):
                noting.tell(news, one.at)
        _, seen, cells = by_stamp.get(stamp, (stamp, [], None))
        if cells is not None:
            eye.cells = tuple(CellNow(*cell) for cell in cells)
        sightings = [_sighting(kind, fields, script, true_visits=true_visits) for kind, fields in seen]
        for news in bench.saw(sightings, Frame(PICTURE, PICTURE[..., 0], stamp, number)):
            noting.tell(news, stamp)


def _sighting(kind: str, fields: dict[str, Any], script: Script, *, true_visits: bool) -> Sighting:
    values = dict(fields)
    for name in ("before", "after"):
        if name in values:
            values[name] = _look(values[name])
    if kind == "GridSeen":
        values["looks"] = tuple(map(_look, values["looks"]))
    if kind == "TableSeen":
        values["table"] = TABLE
    for name in ("arms", "likely", "faces", "between"):
        if name in values:
            values[name] = tuple(tuple(one) if isinstance(one, list) else one for one in values[name])
    if values.get("change"):
        seen, of = values["change"]
        values["change"] = _sighting(seen, of, script, true_visits=true_visits)
    made: Sighting = KINDS[kind](**values)
    if true_visits and isinstance(made, CardSeen):
        return replace(made, again=float(visits(script, made) > 1))
    return made


def _look(plain: Sequence[Any]) -> Look:
    stamp, number, card, state, confidence = plain
    return Look(stamp, number, card, state, confidence, SQUARE)


def visits(script: Script, seen: CardSeen) -> int:
    """How many hands truly came to the cell in the stretch of a sighting."""
    by = max(seen.by or seen.stamp, seen.since)
    return sum(
        arm.there <= by + NEARLY and arm.leaves >= seen.since + NEARLY
        for arm in script.arms
        if seen.cell in (arm.cell, arm.onto)
    )


# --- figures ---------------------------------------------------------------------------------------------------


def _keep(job: tuple[Path, int, float | None]) -> str:
    folder, seed, pace = job
    path = folder / f"{pace or 'any'}-{seed}.json.gz"
    if not path.exists():
        path.write_bytes(gzip.compress(json.dumps(kept(seed, pace)).encode(), 9))
    return path.name


def _judge(job: tuple[Path, bool]) -> tuple[watching.Result, list[tuple[float, bool]]]:
    return judged(job[0], true_visits=job[1])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("record", "judge"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--first", type=int, default=watching.SEED)
    parser.add_argument("--pace", type=float)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--visits", choices=("seen", "true"), default="seen")
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        if options.what == "record":
            options.folder.mkdir(parents=True, exist_ok=True)
            seeds = range(options.first, options.first + options.matches)
            for name in pool.imap_unordered(_keep, [(options.folder, seed, options.pace) for seed in seeds]):
                print(name, flush=True)  # noqa: T201
        else:
            files = sorted(options.folder.glob(f"{options.pace or ''}*.json.gz"))
            _report(list(pool.imap_unordered(_judge, [(one, options.visits == "true") for one in files])))


def _report(found: list[tuple[watching.Result, list[tuple[float, bool]]]]) -> None:
    results = [result for result, _ in found]
    for pace, of in watching.by_pace(results):
        print(f"{pace} a second: {watching.strictly(of)}")  # noqa: T201
    print(Counter(code for result in results for code, _ in result.steps))  # noqa: T201
    sure = [one for _, some in found for one in some]
    for low, high in zip((0.0, *BINS), (*BINS, 1.0001), strict=True):
        within = [(chance, true) for chance, true in sure if low <= chance < high]
        if within:
            said, was = sum(one for one, _ in within) / len(within), sum(true for _, true in within) / len(within)
            print(f"said {said:.2%}, was {was:.2%}, of {len(within)} verdicts")  # noqa: T201


if __name__ == "__main__":
    main()
