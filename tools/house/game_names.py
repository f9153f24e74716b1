"""Where the house outside of `companion/games/` names a game: in an identifier, an import, or a string.

Which strings name one: those that are its name, those that have it as a part of a path or a key, and those that print
its title. The word three in a sentence counts three of something.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache

from companion.games import NAMES
from tools.house.figure import HouseFigure, at_most
from tools.house.source_tree import SourceFile

TITLES = re.compile(r"Three!|Triple³|\bTres\b|\bTriplexity\b|\bThreepia\b")
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+\d?|\d+")
A_NUMBER = "three"  # a game, and how an Englishman counts


def game_name_figure(shipped: Iterable[SourceFile]) -> HouseFigure:
    outside = [file for file in shipped if not file.is_of_a_game]
    named = {file.path: places for file in outside if (places := sorted(set(_places(file))))}
    listed = tuple(f"{path}:{line}: {name}" for path, places in named.items() for line, name in places)
    return at_most(f"files outside of the games that name one, at {len(listed)} places", len(named), 0, listed)


def _places(file: SourceFile) -> Iterator[tuple[int, str]]:
    unread = _documentation(file)
    for node in file.nodes:
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and node not in unread and (name := named_in(node.value)):
                yield node.lineno, name
        else:
            yield from ((line, name) for line, identifier in _identifiers(node) if (name := _game_in(identifier)))


def _documentation(file: SourceFile) -> set[ast.Constant]:
    """Strings that nobody reads but people: they stand alone."""
    alone = (node.value for node in file.nodes if isinstance(node, ast.Expr))
    return {value for value in alone if isinstance(value, ast.Constant)}


def _identifiers(node: ast.AST) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Name(id=name, lineno=line) | ast.Attribute(attr=name, lineno=line) | ast.arg(arg=name, lineno=line):
            yield line, name
        case ast.FunctionDef(name=name, lineno=line) | ast.ClassDef(name=name, lineno=line):
            yield line, name
        case ast.keyword(arg=str(name), lineno=line):
            yield line, name
        case ast.Import(names=names, lineno=line) | ast.ImportFrom(names=names, lineno=line):
            yield from ((line, word) for one in names for word in (one.name, one.asname or ""))
            if isinstance(node, ast.ImportFrom):
                yield line, node.module or ""


def named_in(text: str) -> str:
    """The game that a string names, or nothing."""
    if title := TITLES.search(text):
        return title.group()
    return next((name for word in text.split() if (name := _game_in(word)) and (name != A_NUMBER or word == text)), "")


@cache
def _game_in(identifier: str) -> str:
    words = {word.lower() for word in WORDS.findall(identifier)}
    return next((name for name in NAMES if name in words), "")
