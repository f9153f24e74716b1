"""Every text that is said at the table, found where it stands: what has to be in the catalogues, and nothing else.

Three kinds of places: `words.say("…")` and `Sentence("…")`; every sentence of the files in SPOKEN, and of lines that
end with `# said`; and what has a name of its own: labels, moves, values.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from string import Formatter

from companion.games import NAMES as GAMES
from companion.games import game as game_named
from companion.words import labels
from companion.words.grammar import LANGUAGES

ROOT = Path(__file__).parents[2]
ROOMS = ("companion", "hardware", "vision")
SPOKEN = (
    "companion/beside/guides/t*.py",
    "companion/correction.py",
    "companion/evidence.py",
    "companion/feed.py",
    "companion/games/t*.py",
    "companion/match.py",
    "companion/names.py",
    "companion/presses.py",
    "companion/rules.py",
    "companion/judging.py",
    "companion/ontable.py",
    "companion/seeing.py",
    "companion/settling.py",
    "companion/witness.py",
    "vision/faults.py",
    "vision/markers.py",
    "vision/reader.py",
)
DISPLAY = "companion/display/"  # there whatever is handed to a `say` is said;
# in these files all that begins with a capital too.
SCREENS = ("companion/display/app.py", "companion/display/rulebook/", "companion/display/screens/")
MARK = re.compile("# " + r"said\b")
MADE = re.compile(MARK.pattern + r"|words\.say\(|\bSentence\(")
NEVER_SAID = frozenset(
    {
        "The buttons of this table are real: press them.",
        "first play",
        *(grammar.name for grammar in LANGUAGES.values()),
    }
)

Found = tuple[str, str]  # a text and the file it stands in


def texts(root: Path = ROOT) -> dict[str, tuple[str, ...]]:
    """Every text with the files it stands in, in the order of the files."""
    found: dict[str, dict[str, None]] = {}
    for text, where in (*_in_files(root), *_with_names()):
        if text not in NEVER_SAID:
            found.setdefault(text, {})[where] = None
    return {text: tuple(places) for text, places in found.items()}


def one_line(text: str) -> str:
    """A text of several lines as the key that it is."""
    return " ".join(text.split()) if "\n" in text else text


# --- with names ------------------------------------------------------------------------------------------------


def _with_names() -> Iterator[Found]:
    where = "companion/words/labels.py"
    for name, value in vars(labels).items():
        if name.isupper():
            yield from ((text, where) for text in _texts_in(value))
    for game in map(game_named, GAMES):
        file = f"companion/games/{game.name}.py"
        yield one_line(game.summary), file
        yield from ((move.doing, file) for move in game.moves)


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _texts_in(item)
    elif isinstance(value, dict):
        yield from _texts_in(tuple(value.values()))


# --- in files --------------------------------------------------------------------------------------------------


def put_together(root: Path = ROOT) -> Iterator[str]:
    """The places where a sentence is written as an f-string: nobody could say it in another language."""
    for where, finder in _read(root):
        yield from (f"{where}:{line}" for line in finder.put_together)


def _in_files(root: Path) -> Iterator[Found]:
    for where, finder in _read(root):
        yield from ((text, where) for text in finder.found)


def _read(root: Path) -> "Iterator[tuple[str, _Finder]]":
    """Every file in which something is said."""
    spoken = {file for pattern in SPOKEN for file in root.glob(pattern)}
    for file in sorted(file for room in ROOMS for file in (root / room).rglob("*.py")):
        where = file.relative_to(root).as_posix()
        source = file.read_text(encoding="utf-8")
        is_display = where.startswith(DISPLAY)
        if not (file in spoken or is_display or MADE.search(source)):
            continue
        finder = (_OnScreens if is_display else _Finder)(file in spoken or where.startswith(SCREENS), _marked(source))
        finder.visit(ast.parse(source))
        yield where, finder


def _marked(source: str) -> frozenset[int]:
    return frozenset(number for number, line in enumerate(source.splitlines(), 1) if MARK.search(line))


@dataclass
class _Finder(ast.NodeVisitor):
    """Walks a file and notes its texts."""

    is_spoken: bool
    marked: frozenset[int]
    found: list[str] = field(default_factory=list)
    put_together: list[int] = field(default_factory=list)  # the lines of sentences of which nobody knows the text

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        known = len(self.put_together)
        for part in node.body:  # not the annotations
            self.visit(part)
        if node.name == "__str__":  # in English, for logs and JSON
            del self.put_together[known:]

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        if not (isinstance(node.exc, ast.Call) and _name(node.exc.func) in ("ValueError", "TypeError")):
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        value = node.value.value if isinstance(node.value, ast.Constant) else None
        if self.is_spoken and isinstance(value, str) and value[:1].isupper():
            self._note(value)  # single words too
        elif node.value:
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        name = _name(node.func)
        if name == "say" and _name(node.func.value if isinstance(node.func, ast.Attribute) else node) == "words":
            self.found += _chosen_from(node.args[0])
        elif name == "Sentence":
            self.found += _chosen_from(node.args[0])
            for fact in node.keywords:
                self.visit(fact.value)
        elif name not in ("join", "replace", "split", "compile", "print"):
            self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        for value in node.values:  # the keys are for the program
            self.visit(value)

    def visit_Constant(self, node: ast.Constant) -> None:
        text = node.value
        if isinstance(text, str) and " " in text.strip() and self._is_said(node):
            self._note(one_line(text))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        fixed = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
        if re.search("[a-z] |[a-z].* ", fixed) and self._is_said(node):
            self.put_together.append(node.lineno)

    def _is_said(self, node: ast.expr) -> bool:
        return self.is_spoken or self._is_marked(node)

    def _is_marked(self, node: ast.expr) -> bool:
        return not self.marked.isdisjoint(range(node.lineno, (node.end_lineno or node.lineno) + 1))

    def _note(self, text: object) -> None:
        if isinstance(text, str) and re.search("[A-Za-z]", _fixed(text)):
            self.found.append(text)


class _OnScreens(_Finder):
    """The same for a screen: its labels stand in tables, and are handed to somebody who says them."""

    def visit_Call(self, node: ast.Call) -> None:
        if _name(node.func) in ("say", "_say") and node.args:
            for text in _chosen_from(node.args[0]):
                self._note(text)
        super().visit_Call(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and self._is_said(node) and re.match("[A-ZÀ-Þ].*[a-z]", node.value):
            self._note(node.value)
        elif self._is_marked(node):
            super().visit_Constant(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """What is put together there is names and numbers."""


def _chosen_from(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may be."""
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.IfExp(_, body, orelse):
            yield from _chosen_from(body)
            yield from _chosen_from(orelse)
        case ast.BoolOp(_, values):
            for value in values:
                yield from _chosen_from(value)


def _fixed(text: str) -> str:
    """A text without its blanks; what has broken braces is no text."""
    try:
        return "".join(fixed for fixed, _, _, _ in Formatter().parse(text))
    except ValueError:
        return ""


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def sorted_texts(found: Iterable[str]) -> list[str]:
    return sorted(found, key=lambda text: (text.casefold(), text))
