"""How long functions, classes and files are, and how many lines are shipped."""

import ast
import statistics
from collections.abc import Iterable, Sequence

from tools.house.figure import HouseFigure, at_most
from tools.house.source_tree import SourceFile, source_files

MEDIAN, NEARLY_ALL, LONGEST = 6, 20, 60  # lines of a function
LONGEST_CLASS, MOST_METHODS = 300, 30
LONGEST_FILE = 500
MOST_FLAT = 10
# At df2bf87, before the rooms: all of the Python in companion, hardware and vision, which was in the wheel.
LINES_BEFORE = 66_792
TOOLS_BEFORE = 3_146  # of them; `make house` was none of them
SHARE = 0.9  # of what was shipped then

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def size_figures(shipped: Sequence[SourceFile], tools: Sequence[SourceFile]) -> list[HouseFigure]:
    files = [*shipped, *tools]
    lengths = [*function_figures(files), class_figure(files), *file_figures(files)]
    return [*lengths, flat_figure(shipped), *lines_shipped(shipped, tools)]


def _length(node: _Function | ast.ClassDef | ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def function_figures(files: Iterable[SourceFile]) -> list[HouseFigure]:
    found = sorted(
        (_length(node), f"{file.path}:{node.lineno}: {node.name}")
        for file in files
        for node in file.nodes
        if isinstance(node, _Function)
    )
    lengths = [length for length, _ in found]
    long = tuple(f"{length} lines: {place}" for length, place in reversed(found) if length > LONGEST)
    return [
        at_most(f"lines of a function, median of {len(found):,}", int(statistics.median(lengths)), MEDIAN),
        at_most("lines of a function, 95th of a hundred", lengths[int(0.95 * len(lengths))], NEARLY_ALL),
        at_most(f"functions of more than {LONGEST} lines", len(long), 0, long),
    ]


def class_figure(files: Iterable[SourceFile]) -> HouseFigure:
    found = [(file, node, _methods(node)) for file in files for node in file.nodes if isinstance(node, ast.ClassDef)]
    large = tuple(
        f"{_length(node)} lines, {methods} methods: {file.path}:{node.lineno}: {node.name}"
        for file, node, methods in found
        if _length(node) > LONGEST_CLASS or methods > MOST_METHODS
    )
    what = f"classes of more than {LONGEST_CLASS} lines or {MOST_METHODS} methods, of {len(found):,}"
    return at_most(what, len(large), 0, large)


def _methods(node: ast.ClassDef) -> int:
    return sum(isinstance(inner, _Function) for inner in node.body)


def file_figures(files: Iterable[SourceFile]) -> list[HouseFigure]:
    long = [file for file in files if file.lines > LONGEST_FILE]
    tables = tuple(f"{file.lines} lines: {file.path}" for file in long if is_table(file))
    others = tuple(f"{file.lines} lines: {file.path}" for file in long if not is_table(file))
    return [
        at_most(f"files of more than {LONGEST_FILE} lines", len(others), 0, others),
        HouseFigure(
            "  longer ones that are tables: most lines are values of the module", str(len(tables)), places=tables
        ),
    ]


def is_table(file: SourceFile) -> bool:
    values = sum(_length(node) for node in file.tree.body if isinstance(node, ast.Assign | ast.AnnAssign))
    return values > file.lines / 2


def flat_figure(shipped: Iterable[SourceFile]) -> HouseFigure:
    flat = tuple(file.path for file in shipped if file.path.count("/") == 1 and file.path.startswith("companion/"))
    return at_most("flat modules in companion/", len(flat), MOST_FLAT)


def lines_shipped(shipped: Iterable[SourceFile], tools: Iterable[SourceFile]) -> list[HouseFigure]:
    now, before = sum(file.lines for file in shipped), LINES_BEFORE
    bound = int(SHARE * before)
    value = f"{now:,}, {100 * (now - before) / before:+.1f} %"
    beside = sum(file.lines for file in tools)
    return [
        HouseFigure(f"lines shipped, from {before:,}", value, f"at most {bound:,}", now <= bound),
        HouseFigure("  tools, which were shipped before, lines", f"{beside:,}, from {TOOLS_BEFORE:,}"),
    ]


def test_figures() -> list[HouseFigure]:
    """The same of the tests, told only."""
    files = list(source_files("tests"))
    told = [*function_figures(files), class_figure(files), *file_figures(files)]
    return [HouseFigure(f"tests: {figure.what}", figure.value) for figure in told]
