"""Writes what is measured of reading into docs/reading.md, with the reliability curve beside it.

python -m tests.benchmarks.reading_page --shots 180
"""

import argparse
from datetime import UTC, datetime
from html import escape
from itertools import pairwise

import cv2

from tests.benchmarks.__main__ import line, machine
from tests.benchmarks.reading import SEED, SURE, Cell, Result, costs, measured, reliability, told
from tests.vision.pages import DOCS, PAGE, put

CURVE = DOCS / "reading" / "reliability.svg"
SIDE, MARGIN = 300.0, 46.0
INKS = {"ours": "#1d6fb8", "other": "#c7601f"}
NAMES = {"ours": "our deck", "other": "other editions"}


def curve(cells: list[Cell]) -> str:
    """How often readings of each confidence are right; on the diagonal, as often as they say."""
    whole = SIDE + 2 * MARGIN
    box, font = f'viewBox="0 0 {whole:g} {whole:g}"', 'font-family="sans-serif" font-size="12" fill="#333"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} {font}>',
        f'<rect width="{whole:g}" height="{whole:g}" fill="#fff"/>',
        _line((0, 0), (1, 1), "#bbb", dash="4 4"),
    ]
    for at in (0.0, 0.5, 1.0):
        (x, _), (_, y) = _at((at, 0)), _at((0, at))
        parts.append(f'<text x="{x:g}" y="{whole - MARGIN + 16:g}" text-anchor="middle">{at:.0%}</text>')
        parts.append(f'<text x="{MARGIN - 6:g}" y="{y + 4:g}" text-anchor="end">{at:.0%}</text>')
    parts.append(_words(whole / 2, whole - 10, "how sure the reader was"))
    parts.append(_words(whole / 2, 18, "how often it was right"))
    for edition, ink in INKS.items():
        points = _points([cell for cell in cells if cell.edition == edition])
        parts += [_line((sure, right), (then, more), ink) for (sure, right, _), (then, more, _) in pairwise(points)]
        for sure, right, of in points:
            x, y = _at((sure, right))
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{min(9.0, 2 + of**0.5 / 6):.1f}" fill="{ink}"/>')
    for number, (edition, ink) in enumerate(INKS.items()):
        y = MARGIN + 18 + 18 * number
        parts.append(f'<circle cx="{MARGIN + 14:g}" cy="{y:g}" r="5" fill="{ink}"/>')
        parts.append(f'<text x="{MARGIN + 26:g}" y="{y + 4:g}">{escape(NAMES[edition])}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _points(cells: list[Cell]) -> list[tuple[float, float, int]]:
    groups = [(sure, right / of, of) for _, _, of, sure, right in reliability(cells) if of]
    assert len(groups) < len(SURE)
    return groups


def _at(point: tuple[float, float]) -> tuple[float, float]:
    return MARGIN + point[0] * SIDE, MARGIN + (1 - point[1]) * SIDE


def _line(start: tuple[float, float], end: tuple[float, float], ink: str, dash: str = "") -> str:
    (ax, ay), (bx, by) = _at(start), _at(end)
    return f'<path d="M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}" stroke="{ink}" stroke-width="2" stroke-dasharray="{dash}"/>'


def _words(x: float, y: float, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="middle">{escape(text)}</text>'


def written(result: Result, pictures: int) -> str:
    return (
        f"Measured {datetime.now(UTC).date()} on {pictures} pictures that the second renderer drew, by "
        f"`python -m tests.benchmarks.reading_page`, on {machine()}. "
        "In brackets: where the true share is, 19 times of 20.\n\n"
        "![how often readings of each confidence are right](reading/reliability.svg)\n\n"
        f"{told(result)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures reading, and writes it into docs/reading.md.")
    parser.add_argument("--shots", type=int, default=180)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=1, help="processes that draw")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    result = measured(asked.shots, asked.seed, jobs=asked.jobs)
    CURVE.write_text(curve(result.cells), encoding="utf-8")
    page = put(PAGE.read_text(encoding="utf-8"), "measured", written(result, len(result.found)))
    rows = "\n".join(map(line, costs()))
    table = "| what | measured | beside it | ratio | bound | |\n|---|---|---|---|---|---|\n" + rows
    PAGE.write_text(put(page, "cost", table), encoding="utf-8")


if __name__ == "__main__":
    main()
