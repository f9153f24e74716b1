"""Holds our stand-in for picamera2 against picamera2 itself: read, not run, so that it needs neither camera nor Pi."""

import ast
from collections.abc import Iterator
from pathlib import Path

CLASSES = {"Picamera2": "picamera2.py", "CompletedRequest": "request.py"}


def differences(fake: Path, real: Path) -> Iterator[str]:
    """What somebody calls the stand-in with and could not call picamera2 with, or the other way round."""
    ours = ast.parse(fake.read_text(encoding="utf-8"))
    for name, file in CLASSES.items():
        theirs = _methods(ast.parse((real / file).read_text(encoding="utf-8")), name)
        for method, function in _methods(ours, name).items():
            if method.startswith("_") and method != "__init__":
                continue
            if method not in theirs:
                yield f"{name} has no {method}"
            elif (have := _signature(function)) != (want := _signature(theirs[method])):
                yield f"{name}.{method} takes {want}, not {have}"


def count(fake: Path) -> int:
    """How many methods are compared."""
    tree = ast.parse(fake.read_text(encoding="utf-8"))
    names = [method for name in CLASSES for method in _methods(tree, name)]
    return sum(not method.startswith("_") or method == "__init__" for method in names)


def _methods(tree: ast.Module, name: str) -> dict[str, ast.FunctionDef]:
    found = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    functions = [node for node in found.body if isinstance(node, ast.FunctionDef)]
    return {node.name: node for node in functions if "overload" not in _decorators(node)}


def _decorators(function: ast.FunctionDef) -> list[str]:
    return sorted(ast.unparse(decorator) for decorator in function.decorator_list)


def _signature(function: ast.FunctionDef) -> str:
    """Names, order, what can be left out, and whether it is a property; types and the values left out are not ours."""
    arguments = function.args
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
    first_optional = len(names) - len(arguments.defaults)
    words = [name if place < first_optional else f"{name}=" for place, name in enumerate(names)]
    words += [f"*{one.arg}" for one in (arguments.vararg, arguments.kwarg, *arguments.kwonlyargs) if one]
    return f"{' '.join(_decorators(function))}({', '.join(words)})"
