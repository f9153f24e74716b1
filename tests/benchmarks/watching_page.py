"""Writes what was measured of watching into docs/watching.md.

python -m tests.benchmarks.watching --matches 200 --jobs 2 --keep results.jsonl
python -m tests.benchmarks.watching --matches 12 --way "frame by frame" --keep results.jsonl   (and the other ways)
python -m tests.benchmarks.watching_page results.jsonl
"""

import argparse
import json
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.benchmarks import median
from tests.benchmarks.__main__ import machine
from tests.benchmarks.bounds import upper_bound
from tests.benchmarks.watching import VISIBLE, WAYS, Figures, Result, Ruled, by_kind, by_pace, figures
from tests.vision.pages import put

PAGE = Path(__file__).parents[2] / "docs" / "watching.md"
NAMES = {
    "watched": "watched",
    "without prior": "without the cards that can be there",
    "without voting": "every look on its own",
    "frame by frame": "every frame read whole, nothing watched",
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


def read_results(path: Path) -> list[Result]:
    return [_result(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def _result(data: dict[str, Any]) -> Result:
    data["ruled"] = [Ruled(**one) for one in data["ruled"]]
    data["steps"] = [(code, seconds) for code, seconds in data["steps"]]
    return Result(**data)


COLUMNS = (
    "matches | cards laid | could be seen | ruled right | as the match truly went | wrong rulings | "
    "as the match truly went | of these unjust"
)
HEAD = """\
Measured {date} by `python -m tests.benchmarks.watching` on {machine}:
{matches} matches of bots, {plays:,} cards laid in {minutes:.0f} minutes of table time, with 2 to 4 players and
{slowest:.1f} to {fastest:.1f} plays a second in all.
"""
FREE = f"{VISIBLE / 1e9:g} s"
TERMS = f"""\
A card *could be seen* if it lay free of all arms for at least {FREE} before something else was done there.
*As the match truly went*: the last verdict told on a card is that of the rules on what really lay there. A card
that nobody could see from above makes the referee's table another one for a while, so *right* also counts verdicts
that the rules give on the table as the referee has it. Of two cards laid under the same arms nobody knows the order,
and if one order is legal it is legal. Neither right nor wrong is what was said to be unknown or not told. *Wrong*
counts rulings that are right in neither way, and rulings on what nobody laid; *wrong as the match truly went* those
that are not right in the first way, the strict yardstick. *Unjust* is an honest play that was called illegal then. What
they may come to is said with 95 % certainty (Clopper and Pearson, one side)."""


def written(results: list[Result]) -> str:
    ways = {way: [result for result in results if result.way == way] for way in WAYS}
    watched = ways["watched"]
    head = HEAD.format(
        date=datetime.now(UTC).date(),
        machine=machine(),
        matches=len(watched),
        plays=figures(watched).plays,
        minutes=sum(result.seconds for result in watched) / 60,
        slowest=min(result.pace for result in watched),
        fastest=max(result.pace for result in watched),
    )
    parts = {
        "": f"{head}\n{_by_way(ways)}\n\n{TERMS}",
        "By the pace of the match": _by_pace(watched),
        "By kind of trouble": _by_kind(watched),
        "Out of step": _steps(watched),
    }
    return "\n\n".join(f"### {title}\n\n{text}" if title else text for title, text in parts.items())


def _by_way(ways: dict[str, list[Result]]) -> str:
    rows = [
        f"| | {COLUMNS} | of a core |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    watched, *others = ways.items()
    rows.append(f"| {NAMES[watched[0]]} {_row(figures(watched[1]))} |")
    seeds = {result.seed for _, results in others for result in results}
    if same := [result for result in watched[1] if result.seed in seeds]:
        rows.append(f"| {NAMES[watched[0]]}, the matches of the rows below {_row(figures(same))} |")
    for way, results in others:
        if results:
            rows.append(f"| {NAMES[way]} {_row(figures(results))} |")
    return "\n".join(rows)


def _row(of: Figures) -> str:
    return (
        f"| {of.matches} | {of.plays:,} | {of.visible:,} | {of.right_visible / of.visible:.1%} | "
        f"{of.true_visible / of.visible:.1%} | {of.wrong} of {of.rulings:,} | {_share(of.untrue, of.rulings)} | "
        f"{_share(of.unjust, of.rulings)} | {of.load:.1%}"
    )


def _share(count: int, of: int) -> str:
    return f"{count}: {count / of:.2%}, at most {upper_bound(count, of):.2%}"


def _by_pace(results: list[Result]) -> str:
    rows = [
        f"| plays a second | {COLUMNS} |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    rows += [f"| {pace} {_row(of).rpartition('|')[0]}|" for pace, of in by_pace(results)]
    return "\n".join(rows)


def _by_kind(results: list[Result]) -> str:
    rows = ["| | could be seen | right | unknown or not told | wrong |", "|---|---:|---:|---:|---:|"]
    rows += [
        f"| {KINDS.get(kind, kind)} | {count:,} | {right / count:.1%} | {unknown} | {wrong} |"
        for kind, count, right, unknown, wrong in by_kind(results)
    ]
    return "\n".join(rows)


def _steps(results: list[Result]) -> str:
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
    parser = argparse.ArgumentParser(description="Writes kept results of watching into docs/watching.md.")
    parser.add_argument("results", type=Path, nargs="+")
    results = [result for path in parser.parse_args().results for result in read_results(path)]
    PAGE.write_text(put(PAGE.read_text(encoding="utf-8"), "measured", written(results)), encoding="utf-8")


if __name__ == "__main__":
    main()
