"""The tables of docs/watching.md on how well it watches: of matches watched with pixels, and beside them the bound, the
old tower, and many more matches without pixels.

`python -m tests.benchmarks.measure FOLDER` measures and writes them; `python -m tests.benchmarks.watching_page FOLDER`
writes them anew from what lies there.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.benchmarks import median
from tests.benchmarks.__main__ import machine
from tests.benchmarks.bounds import upper_bound
from tests.benchmarks.sightings import reliability
from tests.benchmarks.watching import PACES, VISIBLE, WAYS, Result, Ruled, counts
from tests.vision.pages import put

PAGE = Path(__file__).parents[2] / "docs" / "watching.md"
OLD_TOWER = Path(__file__).with_name("old_tower.jsonl")
WATCHED = WAYS[0]
NAMES = {
    "without prior": "without the cards that can be there",
    "without voting": "every look on its own",
    "frame by frame": "every frame read whole, nothing watched",
    "worse reader": "with a reader made worse",
}
KINDS = {
    "nothing": "nothing in particular",
    "nudge": "camera nudged",
    "moved": "mat moved",
    "cover": "a part covered",
    "light": "light changed",
    "same arms": "two cards by the same arms",
    "passing": "arm rests over another cell on its way",
}
FREE = f"{VISIBLE / 1e9:g} s"
HEAD = """\
Measured {date} by `python -m tests.benchmarks.measure` on {machine}:
{matches} matches of bots, {plays:,} cards laid in {minutes:.0f} minutes of table time, with 2 to 4 players and
{slowest:.1f} to {fastest:.1f} plays a second in all{load}.

A card *could be seen* if it lay free of all arms for at least {free} before something else was done there. What counts
is the match as it truly went: a verdict is *right* if it is that of the rules on what really lay there. Of two cards
laid under the same arms nobody knows the order, and if one order is legal it is legal. *Wrong* counts verdicts told
that are not right, and rulings on what nobody laid; *honest plays called* are those of them that called a legal play.
In brackets is what that may come to, with 95 % certainty (Clopper and Pearson, one side). Neither right nor wrong is
what stayed *open*: it was said to be unknown, or nothing was told.

The *bound* is the same tracker, fed with all that a perfect eye could see: the true card of every cell in every frame
in which no arm is over it, and the true number of hands that came. The *old tower* of rules of thumb judged until
2026-11-20; `tests/benchmarks/old_tower.jsonl` keeps what it made of each match."""
COLUMNS = """\
| plays a second | | matches | cards laid | wrong rulings | of these honest plays called | told and right | open |
|---|---|---:|---:|---:|---:|---:|---:|"""
GENERATED = """\
The same tracker on sightings that are made without pixels: a script of hands says what truly lay where and when, and
noise that was counted in recordings (`tests/benchmarks/noise.json`, fitted to 99 matches of seeds from 90,000 on;
others are judged) makes of it what the watcher would tell. Of the *worse reader* 30 % of the looks are doubtful and 2 %
wrong."""
RELIABLE = """\
How far the chances can be trusted that are said with verdicts: of those that were said to be so sure, how many were
right."""


class Counted:
    """The sums of what was counted of some matches."""

    def __init__(self, lines: Iterable[dict[str, Any]]) -> None:
        self.lines = list(lines)

    def __len__(self) -> int:
        return len(self.lines)

    def of(self, name: str) -> int:
        return sum(line[name] for line in self.lines)

    def between(self, low: float, high: float) -> "Counted":
        return Counted(line for line in self.lines if low < line["pace"] <= high)

    def beside(self, others: "Counted") -> "Counted":
        """Those that are of the same matches."""
        known = {(line["seed"], line["pace"]) for line in others.lines}
        return Counted(line for line in self.lines if (line["seed"], line["pace"]) in known)

    def row(self, name: str) -> str:
        visible, rulings = self.of("visible"), self.of("rulings")
        is_open = "told_visible" in self.lines[0]
        left = f"{1 - self.of('told_visible') / visible:.1%}" if is_open else ""
        return (
            f"| {name} | {len(self)} | {self.of('plays'):,} | {_one_in(self.of('untrue'), rulings)} | "
            f"{_one_in(self.of('unjust'), rulings)} | {self.of('true_visible') / visible:.1%} | {left} |"
        )


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def read_results(path: Path) -> list[Result]:
    return [_result(data) for data in read_lines(path)]


def _result(data: dict[str, Any]) -> Result:
    data.pop("asked", None)
    data["ruled"] = [Ruled(**one) for one in data["ruled"]]
    data["steps"] = [(code, seconds) for code, seconds in data["steps"]]
    return Result(**data)


def written(folder: Path) -> str:
    """All tables, from what lies in a folder of `tests.benchmarks.measure`."""
    results = read_results(folder / "pixels.jsonl")
    watched = [result for result in results if result.way == WATCHED]
    bound = read_results(folder / "bound.jsonl")
    others = {"the bound": Counted(map(counts, bound)), "the old tower": Counted(read_lines(OLD_TOWER))}
    more = {name: Counted(read_lines(folder / f"{name}.jsonl")) for name in ("generated", "bound of more", "worse")}
    parts = [
        _head(watched),
        "### By the pace of the match",
        _by_pace(Counted(map(counts, watched)), others),
        *_ways(results),
        "### By kind of trouble",
        _by_kind(watched, bound),
        *_without_pixels(more),
        "### How sure it is",
        RELIABLE,
        _reliability(Counted(map(counts, watched)), more["generated"]),
        "### Out of step",
        _steps(watched),
    ]
    return "\n\n".join(part for part in parts if part)


def _head(watched: Sequence[Result]) -> str:
    return HEAD.format(
        date=datetime.now(UTC).date(),
        machine=machine(),
        matches=len(watched),
        plays=sum(len(result.ruled) for result in watched),
        minutes=sum(result.seconds for result in watched) / 60,
        slowest=min(result.pace for result in watched),
        fastest=max(result.pace for result in watched),
        load=f"; watching takes {load:.1%} of a core" if (load := median([one.load for one in watched])) else "",
        free=FREE,
    )


def _one_in(count: int, of: int) -> str:
    if not of:
        return ""
    most = f"{1 / upper_bound(count, of):,.0f}"
    return f"{count} of {of:,}: 1 in {of / count:,.0f} (1 in {most})" if count else f"0 of {of:,} (1 in {most})"


def _by_pace(ours: Counted, others: dict[str, Counted]) -> str:
    rows = [COLUMNS]
    for low, high in pairwise(PACES):
        here = ours.between(low, high)
        if not here:
            continue
        rows.append(f"| {low:g} to {high:g} {here.row('**tracker**')}")
        beside = [(name, other.beside(here)) for name, other in others.items()]
        rows += [f"| {other.row(name)}" for name, other in beside if other]
    return "\n".join(rows) if len(rows) > 1 else ""


def _without_pixels(more: dict[str, Counted]) -> Iterator[str]:
    table = _by_pace(more["generated"], {"the bound": more["bound of more"], "worse reader": more["worse"]})
    if table:
        yield "### Without pixels"
        yield GENERATED
        yield table


def _ways(results: Sequence[Result]) -> Iterator[str]:
    """Other ways to watch, beside the same matches."""
    rows = [COLUMNS.replace("plays a second |", "", 1)]
    for way, name in NAMES.items():
        here = Counted(counts(result) for result in results if result.way == way)
        if here:
            ours = Counted(counts(result) for result in results if result.way == WATCHED).beside(here)
            rows += [here.row(name), *([ours.row("the same matches, watched")] if ours else [])]
    if len(rows) > 1:
        yield "### Other ways to watch"
        yield "\n".join(rows)


def _by_kind(watched: Sequence[Result], bound: Sequence[Result]) -> str:
    ours, its = _kinds(watched), _kinds(bound)
    rows = [
        "| | could be seen | told and right | open | wrong | the bound: told and right | wrong |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for kind, ones in sorted(ours.items(), key=lambda item: -len(item[1])):
        beside = its.get(kind, [])
        theirs = f"{sum(one.is_true for one in beside) / len(beside):.1%} | {_wrong(beside)}" if beside else " | "
        rows.append(
            f"| {KINDS.get(kind, kind)} | {len(ones):,} | {sum(one.is_true for one in ones) / len(ones):.1%} | "
            f"{sum(not one.is_told for one in ones)} | {_wrong(ones)} | {theirs} |"
        )
    return "\n".join(rows)


def _kinds(results: Iterable[Result]) -> dict[str, list[Ruled]]:
    found: dict[str, list[Ruled]] = defaultdict(list)
    for result in results:
        for one in result.ruled:
            if one.visible:
                found[one.kind].append(one)
    return found


def _wrong(ones: Iterable[Ruled]) -> int:
    return sum(one.is_untrue for one in ones)


def _reliability(watched: Counted, more: Counted) -> str:
    rows = ["| | said | was | verdicts |", "|---|---:|---:|---:|"]
    for name, of in (("watched", watched), ("without pixels", more)):
        rows += [
            f"| {name} | {said:.2%} | {was:.2%} | {count:,} |"
            for said, was, count in reliability(line["sure"] for line in of.lines)
        ]
    return "\n".join(rows)


def _steps(results: Sequence[Result]) -> str:
    found: dict[str, list[float]] = defaultdict(list)
    for result in results:
        for code, seconds in result.steps:
            found[code] += [] if seconds is None else [seconds]
    left = sum(seconds is None for result in results for _, seconds in result.steps)
    every = [seconds for times in found.values() for seconds in times]
    rows = ["| | times | in step again after, median | longest |", "|---|---:|---:|---:|"]
    rows += [
        f"| {code} | {len(times)} | {median(times):.1f} s | {max(times):.1f} s |"
        for code, times in sorted(found.items(), key=lambda item: -len(item[1]))
        if times
    ]
    if every:
        rows.append(f"| all | {len(every)} | {median(every):.1f} s | {max(every):.1f} s |")
    rows += ["", f"Still out of step when the match ended: {left}."]
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes what was measured of watching into docs/watching.md.")
    parser.add_argument("folder", type=Path)
    write_page(parser.parse_args().folder)


def write_page(folder: Path) -> None:
    if not read_results(folder / "pixels.jsonl"):
        sys.exit(f"There is no pixels.jsonl with matches in {folder}: python -m tests.benchmarks.measure writes it.")
    PAGE.write_text(put(PAGE.read_text(encoding="utf-8"), "measured", written(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
