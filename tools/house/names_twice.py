"""Names that stand for two things: modules and public classes outside of the games."""

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePath

from tools.house.figure import HouseFigure, at_most
from tools.house.source_tree import SourceFile

UNNAMED = ("__init__", "__main__")  # named by their folder


def name_figures(files: Iterable[SourceFile]) -> list[HouseFigure]:
    outside = [file for file in files if not file.is_of_a_game]
    modules = _twice((PurePath(file.path).stem, file.path) for file in outside)
    classes = _twice(
        (node.name, f"{file.path}:{node.lineno}")
        for file in outside
        for node in file.tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    return [
        at_most("module names outside of the games that stand twice", len(modules), 0, modules),
        at_most("public class names outside of the games that stand twice", len(classes), 0, classes),
    ]


def _twice(named: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    found = defaultdict(list)
    for name, place in named:
        if name not in UNNAMED:
            found[name].append(place)
    return tuple(f"{name}: {', '.join(places)}" for name, places in sorted(found.items()) if len(places) > 1)
