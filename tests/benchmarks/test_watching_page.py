"""The tables say what was counted, beside the bound and the old tower on the same matches; what was judged is kept."""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks import measure, watching_page
from tests.benchmarks.sightings import Judging, judged, reliability, seed_of
from tests.benchmarks.watching import Result, Ruled, counts, how_sure
from tests.benchmarks.watching_page import PAGE, Counted, written


def result(seed: int, *, way: str = "watched", pace: float = 0.35, wrong: int = 0) -> Result:
    """Fifty verdicts, the first ones of which are unjust, and a play that stays open."""
    found = Result(seed, way, 2, pace, 100.0, still=[0.1], active=[5.0])
    found.ruled = [ruled("illegal" if number < wrong else "legal") for number in range(50)]
    found.ruled.append(ruled("", "glare"))
    return found


def ruled(told: str, kind: str = "nothing") -> Ruled:
    is_true = told == "legal"
    return Ruled(
        kind, "legal", told, is_right=is_true, visible=True, is_true=is_true, verdict="legal", cell=1, chance=0.97
    )


def put_down(folder: Path, **of: list[Result]) -> Path:
    for name, results in of.items():
        lines = (json.dumps({"asked": one.pace, **asdict(one)}) for one in results)
        (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


def test_rows_stand_beside_those_of_the_same_matches(tmp_path: Path) -> None:
    ours = [result(9100, wrong=2), result(9101), result(70_300, pace=2.5, wrong=1)]
    page = written(put_down(tmp_path, pixels=ours, bound=[result(9100, way="bound")]))
    rows = [line for line in page.splitlines() if line.startswith(("| 0.2 to", "| | the bound", "| | the old"))]
    assert rows[0].startswith("| 0.2 to 0.5 | **tracker** | 2 | 102 | 2 of 100: 1 in 50 (1 in 16) | 2 of 100")
    assert rows[1].startswith("| | the bound | 1 | 51 | 0 of 50 (1 in 17)")
    assert rows[2].startswith("| | the old tower | 2 | 116 | 0 of 115")  # of all that it judged, the same two
    assert "| glare | 3 | 0.0% | 3 | 0 | 0.0% | 0 |" in page
    assert "| watched | 97.00% | 98.00% | 150 |" in page


def test_each_table_is_left_out_for_which_there_is_nothing(tmp_path: Path) -> None:
    page = written(put_down(tmp_path, pixels=[result(9100)]))
    assert "Other ways to watch" not in page
    assert "Without pixels" not in page
    assert "of a core" in page
    assert re.search(r"\{\w*\}", page) is None


def test_a_folder_without_results_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"no pixels.jsonl with matches"):
        watching_page.write_page(tmp_path)


def test_the_page_has_a_place_for_them() -> None:
    assert len(re.findall("<!-- measured: begin -->.*?<!-- end -->", PAGE.read_text(encoding="utf-8"), re.DOTALL)) == 1


def test_sums_of_lines() -> None:
    both = Counted(counts(result(seed, wrong=seed)) for seed in (1, 2))
    assert (len(both), both.of("untrue"), both.of("told_visible")) == (2, 3, 100)
    assert len(both.between(0.2, 0.35)) == 2
    assert len(both.between(0.35, 0.5)) == 0
    [(said, was, count)] = reliability(map(how_sure, [result(1, wrong=10)]))
    assert (round(said, 6), was, count) == (0.97, 0.8, 50)


def test_what_was_judged_is_not_judged_again(tmp_path: Path) -> None:
    asked: list[Any] = []

    def one(job: Any) -> dict[str, Any]:
        asked.append(job)
        return {"asked": job[2], "seed": job[1]}

    def imap(_: Callable[..., Any], jobs: Iterable[Any]) -> Iterable[dict[str, Any]]:
        return map(one, jobs)

    for seeds in ((1, 2), (1, 2, 3)):
        measure._measure(tmp_path / "x.jsonl", "bound", [(seed, None) for seed in seeds], imap, whole=True)
    assert [job[1] for job in asked] == [1, 2, 3]


def test_a_result_is_read_as_it_was_kept(tmp_path: Path) -> None:
    [path] = Path(__file__).with_name("recorded").glob("*.json.gz")
    found = judged(Judging(*seed_of(path), "bound", path))
    [again] = watching_page.read_results(put_down(tmp_path, pixels=[found]) / "pixels.jsonl")
    assert again == found
    assert counts(again) == counts(found)
    assert 0 < sum(one.is_told for one in found.ruled) <= len(found.ruled)
