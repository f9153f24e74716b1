"""Import laws that are broken or excepted, dead code, imports inside of functions."""

import ast
import fnmatch
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable

from tools.house.figure import HouseFigure, at_most
from tools.house.source_tree import PROJECT, SourceFile

LAZY_BEFORE = 280  # imports inside of functions at df2bf87
_LINT = "from importlinter.cli import lint_imports_command as lint; lint()"
_LAW = re.compile(r"^(\S.*?) (KEPT|BROKEN)(?: \(.*?(\d+) ignored imports?.*\))?$", re.MULTILINE)
_UNNEEDED = re.compile(r"No matches for ignored import (\S+ -> \S+?)\.?$", re.MULTILINE)
_DEAD = re.compile(r"^(\S+): (unused \S+) '(.+)' ", re.MULTILINE)


def _run(*arguments: str) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, env={"COLUMNS": "500"}, check=False)
    return done.stdout + done.stderr


def law_figures() -> list[HouseFigure]:
    said = _run("-c", _LINT, "--no-logo", "--no-cache")
    laws = _LAW.findall(said)
    assert laws, said
    broken = tuple(name for name, state, _ in laws if state == "BROKEN")
    excepted = tuple(f"{count}: {name}" for name, _, count in laws if count)
    unneeded = tuple(_UNNEEDED.findall(said))
    count = sum(int(line.split(":")[0]) for line in excepted)
    return [
        at_most(f"import laws that are broken, of {len(laws)}", len(broken), 0, broken),
        HouseFigure("  imports that are excepted from a law", str(count), places=excepted),
        at_most("  exceptions that nothing needs any more", len(unneeded), 0, unneeded),
    ]


def dead_code_figures() -> list[HouseFigure]:
    """What vulture finds, and the entries of its list that excuse nothing."""
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["vulture"]
    excused: list[str] = settings["ignore_names"]
    said = _run("-m", "vulture", *settings["paths"], "--ignore-names", "", "--config", "/dev/null")
    found = [(name, f"{place}: {what} {name}") for place, what, name in _DEAD.findall(said)]
    dead = tuple(place for name, place in found if not _matches(name, excused))
    unneeded = tuple(pattern for pattern in excused if not any(fnmatch.fnmatch(name, pattern) for name, _ in found))
    return [
        at_most("dead code, by vulture", len(dead), 0, dead),
        HouseFigure("  names that only look dead, each with its reason in pyproject.toml", str(len(excused))),
        at_most("  of these, names that nothing needs any more", len(unneeded), 0, unneeded),
    ]


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def lazy_figure(shipped: Iterable[SourceFile]) -> HouseFigure:
    count = sum(len(_inside_functions(file)) for file in shipped)
    return HouseFigure(f"imports inside of functions, from {LAZY_BEFORE}", str(count))


def _inside_functions(file: SourceFile) -> set[ast.AST]:
    functions = (node for node in file.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return {
        node for function in functions for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom)
    }
