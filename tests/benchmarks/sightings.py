"""What a watcher told of whole matches, kept or made without pixels, and ruled on in less than a second a match.

`python -m tests.benchmarks.sightings record FOLDER --matches N --first SEED --pace P` watches matches of bots and keeps
what was told of each frame; `… judge FOLDER` has it ruled on, and says what `tests.benchmarks.watching` says of pixels,
and how far the chances that were told can be trusted. `--source` says whose sightings are ruled on:

  kept          those that were kept
  true visits   those, with the true number of hands that came to a cell
  generated     made without pixels, with noise that was fitted to kept ones (`tests.benchmarks.noise`)
  worse reader  the same, with a reader of which 30 % of looks are doubtful and 2 % wrong
  bound         all that a perfect eye could see

The last three need no folder: `judge --source generated --matches 1600 --first 72000 --pace 0.35 --jobs 2`. With one,
they are of the matches that are kept there.
"""

import argparse
import gzip
import json
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.core.clocks import SECOND
from companion.games.triple3 import sight_calibrated
from companion.games.triple3.hands import write_script
from companion.games.triple3.sight_odds import Odds, Sureness
from simulator.rendered.script import Script
from tests.benchmarks import watching
from tests.benchmarks.generated import BAD, SQUARE, Row, generated, perfect
from tests.benchmarks.noise import noise, visits
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

TICK = SECOND // 10  # between two frames in which nothing was told
OF_A_FOLDER = ("kept", "true visits")
SOURCES = (*OF_A_FOLDER, "generated", "bound", "worse reader")
KINDS = {
    kind.__name__: kind for kind in (CannotRead, CardSeen, GridSeen, NoCard, TableLost, TableSeen, Trouble, TroubleOver)
}


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


@dataclass(frozen=True, slots=True)
class Judging:
    """One match, and where its sightings come from."""

    seed: int
    pace: float | None
    source: str  # of SOURCES
    path: Path | None = None  # of what was kept
    calibrated: tuple[Odds, Sureness] | None = None  # nothing: as the game has it


AS_IT_IS = sight_calibrated.ODDS, sight_calibrated.SURENESS


def judged(job: Judging) -> watching.Result:
    """What is ruled on one match."""
    sight_calibrated.ODDS, sight_calibrated.SURENESS = job.calibrated or AS_IT_IS
    script = write_script(job.seed, players=2 + job.seed % 3, pace=job.pace)
    about = script.about
    result = watching.Result(job.seed, job.source, len(about["players"]), about["pace"], script.length / SECOND)
    noting = watching.Noting(result)
    _tell(_rows(job, script), script, Told(), noting)
    noting.end()
    watching.compare(script, noting, result)
    return result


def _rows(job: Judging, script: Script) -> Iterator[Row]:
    match job.source:
        case "generated":
            return generated(script, noise())
        case "worse reader":
            return generated(script, noise(), BAD)
        case "bound":
            return perfect(script)
    assert job.path is not None
    frames = json.loads(gzip.decompress(job.path.read_bytes()))["frames"]
    return _kept_rows(frames, script, true_visits=job.source == "true visits")


def _kept_rows(frames: list[Any], script: Script, *, true_visits: bool) -> Iterator[Row]:
    for stamp, seen, cells in frames:
        sightings = [_sighting(kind, fields, script, true_visits=true_visits) for kind, fields in seen]
        yield stamp, sightings, tuple(CellNow(*cell) for cell in cells)


def _tell(rows: Iterable[Row], script: Script, eye: Told, noting: watching.Noting) -> None:
    bench, said = watching.bench_of(eye, script), list(script.said)
    for number, (stamp, seen, cells) in enumerate(_ticking(rows, script.length)):
        while said and said[0].at < stamp:
            one = said.pop(0)
            for news in hear(bench, one.message, one.at):
                noting.tell(news, one.at)
        eye.cells = cells or eye.cells
        for news in bench.saw(seen, Frame(PICTURE, PICTURE[..., 0], stamp, number)):
            noting.tell(news, stamp)


def _ticking(rows: Iterable[Row], until: int) -> Iterator[Row]:
    """With frames in between in which nothing is told, for what is due by then."""
    last = 0
    for row in rows:
        yield from ((at, [], ()) for at in range((last // TICK + 1) * TICK, row[0], TICK))
        yield row
        last = row[0]
    yield from ((at, [], ()) for at in range((last // TICK + 1) * TICK, until, TICK))


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
        by = max(made.by or made.stamp, made.since)
        return replace(made, again=float(visits(script, made.cell, made.since, by) > 1))
    return made


def _look(plain: Sequence[Any]) -> Look:
    stamp, number, card, state, confidence = plain
    return Look(stamp, number, card, state, confidence, SQUARE)


# --- figures ---------------------------------------------------------------------------------------------------


def _keep(job: tuple[Path, int, float | None]) -> str:
    folder, seed, pace = job
    path = folder / f"{pace or 'any'}-{seed}.json.gz"
    if not path.exists():
        path.write_bytes(gzip.compress(json.dumps(kept(seed, pace)).encode(), 9))
    return path.name


def seed_of(path: Path) -> tuple[int, float | None]:
    """Which match a file holds, by its name."""
    pace, _, seed = path.name.removesuffix(".json.gz").rpartition("-")
    return int(seed), None if pace == "any" else float(pace)


def judge_all(jobs: Sequence[Judging], processes: int) -> Iterator[watching.Result]:
    """In any order."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for _, result in zip(jobs, pool.imap_unordered(judged, jobs), strict=True):  # none may be missing unnoticed
            yield result


def main() -> None:
    parser = argparse.ArgumentParser(description="Keeps what a watcher told of matches, and has it ruled on.")
    parser.add_argument("what", choices=("record", "judge"))
    parser.add_argument("folder", type=Path, nargs="?", help="of what was kept; without one judge needs --source")
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--first", type=int, default=watching.SEED)
    parser.add_argument("--pace", type=float)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--source", choices=SOURCES, default="kept")
    parser.add_argument("--counts", type=Path, help="write what was counted of each match here, a JSON object a line")
    options = parser.parse_args()
    if options.folder is None and (options.what == "record" or options.source in OF_A_FOLDER):
        parser.error(f"{options.what} needs the folder of what is kept, or judge a --source that needs none.")
    if options.what == "record":
        options.folder.mkdir(parents=True, exist_ok=True)
        seeds = range(options.first, options.first + options.matches)
        for name in map(_keep, [(options.folder, seed, options.pace) for seed in seeds]):
            print(name, flush=True)  # noqa: T201
        return
    found = list(judge_all(_jobs(options), options.jobs))
    if options.counts:
        with options.counts.open("a", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(watching.counts(one))}\n" for one in found)
    print(*reported(found), sep="\n")  # noqa: T201


def _jobs(options: argparse.Namespace) -> list[Judging]:
    if options.folder is None:
        seeds = range(options.first, options.first + options.matches)
        return [Judging(seed, options.pace, options.source) for seed in seeds]
    files = sorted(options.folder.glob(f"{options.pace or ''}*.json.gz"))
    if not files:
        sys.exit(f"There is nothing kept in {options.folder}: record matches into it first.")
    return [Judging(*seed_of(one), options.source, one) for one in files]


def reported(found: Sequence[watching.Result]) -> Iterator[str]:
    """By pace, and how far the chances can be trusted."""
    for pace, of in watching.by_pace(list(found)):
        yield f"{pace} a second: {watching.strictly(of)}"
    yield str(Counter(code for result in found for code, _ in result.steps))
    for said, was, count in reliability(map(watching.how_sure, found)):
        yield f"said {said:.2%}, was {was:.2%}, of {count} verdicts"


def reliability(sure: Iterable[list[list[float]]]) -> Iterator[tuple[float, float, int]]:
    """Bin by bin: the chance that was said, the share that was true, and of how many."""
    for within in zip(*sure, strict=True):
        count, said, true = (sum(one) for one in zip(*within, strict=True))
        if count:
            yield said / count, true / count, int(count)


if __name__ == "__main__":
    main()
