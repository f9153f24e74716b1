"""The Python files of the project as they stand, parsed once."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

PROJECT = Path(__file__).parents[2]
SHIPPED = ("companion", "hardware", "vision", "simulator")
GAMES = "companion/games/"


@dataclass(frozen=True)
class SourceFile:
    """One file: its path in the project, and its text."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    @property
    def is_of_a_game(self) -> bool:
        return self.path.startswith(GAMES)


def source_files(*rooms: str) -> Iterator[SourceFile]:
    """Every module below these folders."""
    for room in rooms:
        for path in sorted((PROJECT / room).rglob("*.py")):
            name = path.relative_to(PROJECT).as_posix()
            yield SourceFile(name, path.read_text(encoding="utf-8"))
