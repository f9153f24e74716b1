"""`make words`: extract all texts with pybabel, update and compile the catalogues, and list what is wrong with them."""

import argparse
import ast
import re
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from string import Formatter
from tempfile import TemporaryDirectory

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from companion.words import LANGUAGES, catalogue
from companion.words.blanks import blanks

ROOT = Path(__file__).parents[1]
ROOMS = ("companion", "hardware", "simulator", "vision")
KEYWORDS = {"N_": 1, "Sentence": 1, "say": 1, "foul": 2, "Foul": 3}  # and which of the arguments is the text
ENGLISH = "en"  # holds only what is better than its key, so it is not filled with what is missing
WIDTH = "--width=100"

ENDS = ".!?:…"
# Words that are English and nothing else in the language of the catalogue.
_ENGLISH = frozenset(
    {
        *("the", "and", "your", "you", "is", "are", "was", "were", "cannot", "now", "with", "this", "that", "has"),
        *("have", "from", "for", "of", "not", "who", "whom", "draw", "play", "wins", "card", "cards", "player"),
        *("players", "round", "rounds", "turn", "deck", "pile"),
    }
)
_ALSO_THEIRS = {
    "nl": frozenset({"is", "of", "was", "deck"}),
    "de": frozenset({"was", "deck"}),
    "fr": frozenset({"pile"}),
    "it": frozenset({"pile"}),
    "pt": frozenset({"for"}),
}
# What is the same as in English, and right.
_SAME = frozenset({"+3", "2×2", "Bot", "L", "OK", "X", "{minutes} min"})
_SAME_IN = {
    "de": frozenset({"Chips", "Hand", "Handicap", "orange", "orange {number}", "Pause", "Start", "Stop!", "Tres!"}),
    "fr": frozenset(
        {
            *("centre", "Handicap", "Jokers", "orange", "Pause", "plus", "Points", "triangle", "Volume"),
        }
    ),
    "it": frozenset({"Handicap", "No", "Stop!", "Tres!", "Volume"}),
    "es": frozenset({"No"}),
    "pt": frozenset({"Handicap", "Jokers", "Photo finish", "Stop!", "Tres!", "Volume"}),
    "nl": frozenset(
        {
            *(
                "Camera",
                "Chips",
                "Hand",
                "Handicap",
                "Jokers",
                "plus",
                "Slow motion",
                "Start",
                "Stop!",
                "Stopwatch",
                "Tres!",
            ),
            *("Volume", "Worm"),
        }
    ),
}
_WORD = re.compile(r"[^\W\d_]+")
_FRENCH = re.compile("(?<![\u00a0A-Z])[:;!?]|(?<!\u00a0)»|«(?!\u00a0)")  # NAME:COLOUR is no French
_TYPED = re.compile(r"\.\.\.|[\"`]| ,| \.|  |(?<=\w)'(?=\w)")
# Who is spoken to: one player at his place, in these files; elsewhere all who sit there.
_TO_ONE = (
    *("simulator/drawn/", "companion/display/rulebook/", "companion/display/screens/", "companion/games/"),
    *("companion/inputs/presses.py", "companion/words/labels.py"),
)
_ONE = {
    "de": r"\b(du|dich|dir|dein\w*)\b|\b(Dimme|Drück|Gib|Lass|Lege?|Mache?|Nenne?|Nimm|Rücke?|Schaffe?|Schalte|"
    r"Schließe?|Stell|Tippe?|Verschiebe?|Wähle?|Zieh)\b",
    "fr": r"\b([tT]u|toi|ton|ta|tes|[tT]e)\b|\b(Allume|Baisse|Branche|Donne|Déplace|Enlève|Fais|Indique|Mets|Prends|"
    r"Rapproche|Règle|Rends|Touche)\b",
    "it": r"\b([tT]u|ti|tu[oae]|tuoi)\b|\b(Abbassa|Accendi|Avvicina|Collega|Illumina|Indica|Metti|Prendi|Spegni)\b",
    "es": r"\b([tT]ú|tus?|ti)\b|\b(Acerca|Apaga|Baja|Conecta|Enciende|Enfoca|Ilumina|Indica|Mueve|Pon|Toca)\b",
    "pt": r"\b([tT]u|teus?|tuas?|ti)\b|\b(Acende|Aproxima|Baixa|Desliga|Foca|Ilumina|Indica|Liga|Põe|Toca)\b",
}
NEVER = "(?!)"
_FORMAL = {  # nobody at the table is spoken to so
    "de": r"(?<=[a-zäöüß,] )(Sie|Ihnen|Ihr|Ihre[mnrs]?)\b",
    "it": r"(?<=[a-zàèéìòù,] )(Lei|Suo|Sua)\b",
    "es": r"\b([uU]sted(es)?)\b",
    "nl": r"\b([uU]|uw|Uw)\b",
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.translations", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, only say what is wrong")
    parser.add_argument("--drop", action="store_true", help="leave out translations that no text needs any more")
    chosen = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        template = Path(folder) / "companion.pot"
        extract(template, ROOT)
        if not chosen.check:
            update(template, drop=chosen.drop)
        found = texts(template)
    wrong = [*unmarked(found, ROOT)]
    for language in LANGUAGES:
        wrong += complaints(language, translations(language), found)
    print(*wrong, f"{len(found)} texts in {len(LANGUAGES)} languages, {len(wrong)} complaints", sep="\n")  # noqa: T201
    return 1 if wrong else 0


# --- what pybabel does -----------------------------------------------------------------------------------------


def extract(template: Path, root: Path) -> None:
    """Every text that is marked in the code, with the files it stands in."""
    keywords = (f"--keyword={name}:{number}" for name, number in KEYWORDS.items())
    rooms = (room for room in ROOMS if (root / room).exists())
    how = ("--no-default-keywords", *keywords, "--add-location=file", "--sort-output", WIDTH)
    _pybabel("extract", *how, f"--output-file={template}", *rooms, root=root)


def update(template: Path, *, drop: bool) -> None:
    how = ["--no-fuzzy-matching", "--ignore-pot-creation-date", "--init-missing", WIDTH]
    if drop:
        how.append("--ignore-obsolete")
    catalogues = (f"--domain={catalogue.DOMAIN}", f"--output-dir={catalogue.LOCALE}")
    for language in LANGUAGES:
        if language != ENGLISH:
            _pybabel("update", *how, *catalogues, f"--input-file={template}", f"--locale={language}", root=ROOT)
    _pybabel("compile", catalogues[0], f"--directory={catalogue.LOCALE}", root=ROOT)


def _pybabel(*arguments: str, root: Path) -> None:
    subprocess.run([sys.executable, "-m", "babel.messages.frontend", "--quiet", *arguments], cwd=root, check=True)


def texts(template: Path) -> dict[str, tuple[str, ...]]:
    return {str(text.id): tuple(file for file, _ in text.locations) for text in _read(template) if text.id}


def po_of(language: str) -> Path:
    return catalogue.file_of(language).with_suffix(".po")


def translations(language: str) -> dict[str, str]:
    """Every text of a catalogue with what is said for it, also what is said no more."""
    known = _read(po_of(language), language)
    return {str(text.id): str(text.string) for text in (*known, *known.obsolete.values()) if text.id}


def _read(file: Path, language: str | None = None) -> Catalog:
    with file.open("rb") as opened:
        return read_po(opened, locale=language, abort_invalid=True)


# --- what is marked, and not found -----------------------------------------------------------------------------

# Files and folders of which every sentence is said at the table: one without a mark was forgotten.
ALL_SAID = (
    *("companion/games/*/rules*", "companion/games/*/guide.py", "companion/games/*/buttons.py"),
    *("companion/core/m*.py", "companion/core/names.py", "companion/core/correction.py", "companion/inputs/presses.py"),
    *("companion/watch/evidence.py", "companion/watch/feed.py", "companion/watch/bench.py"),
    "companion/games/*/witness*.py",
    *("vision/faults.py", "vision/markers.py", "vision/reader.py"),
)
NEVER_SAID = frozenset({"The buttons of this table are real: press them."})  # nobody at a screen can cause it
IN_A_KEYWORD = re.compile(rf"\b({'|'.join(KEYWORDS)})\([^)]")
SENTENCE = re.compile(r"[A-ZÀ-Þ{].* .*[.!?…]")


def unmarked(found: Collection[str], root: Path) -> Iterator[str]:
    """Where a text stands in a keyword and pybabel does not find it, or in none where every sentence is said."""
    for file in sorted(file for room in ROOMS for file in (root / room).rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        where = file.relative_to(root)
        is_all_said = any(path.match(pattern) for path in (where, where.parent) for pattern in ALL_SAID)
        if not is_all_said and not IN_A_KEYWORD.search(source):
            continue
        tree = ast.parse(source)
        nodes = {id(node): node for node in (*_in_keywords(tree), *(_sentences(tree) if is_all_said else ()))}
        for node in nodes.values():
            if isinstance(node, ast.JoinedStr):
                yield f"{where}:{node.lineno}: a sentence is put together here: give it blanks"
            elif isinstance(node.value, str) and node.value and node.value not in (*NEVER_SAID, *found):
                yield f"{where}:{node.lineno}: pybabel does not find this, mark it with N_: {node.value}"


def _in_keywords(tree: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name), arguments) if name in KEYWORDS:
                for text in arguments[KEYWORDS[name] - 1 : KEYWORDS[name]]:
                    yield from (part for part in _choices(text) if name != "say" or isinstance(part, ast.Constant))


def _sentences(tree: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    aside = {id(part) for node in ast.walk(tree) if _is_unheard(node) for part in ast.walk(node)}
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr(parts) if id(node) not in aside:
                fixed = "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))
                if re.search("[a-z] |[a-z].* ", fixed):
                    yield node
            case ast.Constant(str(text)) if id(node) not in aside and SENTENCE.fullmatch(text):
                yield node


def _is_unheard(node: ast.AST) -> bool:
    """A docstring, a mistake of the program, what is for a log, and texts that are joined from others."""
    match node:
        case ast.Expr(ast.Constant()) | ast.FunctionDef("__str__"):
            return True
        case ast.Raise(ast.Call(ast.Name("ValueError" | "TypeError"))):
            return True
        case ast.Call(ast.Name(name) | ast.Attribute(attr=name)):
            return name in ("join", "print", "compile")
    return False


def _choices(text: ast.expr) -> Iterator[ast.Constant | ast.JoinedStr]:
    match text:
        case ast.Constant() | ast.JoinedStr():
            yield text
        case ast.IfExp(_, one, other):
            yield from _choices(one)
            yield from _choices(other)
        case ast.BoolOp(_, values):
            for value in values:
                yield from _choices(value)


# --- what is wrong with a translation --------------------------------------------------------------------------


def complaints(language: str, known: Mapping[str, str], found: Collection[str]) -> Iterator[str]:
    """What is wrong with a catalogue, each in a line."""
    for text in known:
        if text and text not in found:
            yield f"{language}: unused: {text}"
    for text in found:
        said = known.get(text, "")
        if said:
            places = found[text] if isinstance(found, Mapping) else ()
            wrong = (*_wrong(language, text, said), *_addressed(language, said, places))
            yield from (f"{language}: {what}: {text} → {said}" for what in wrong)
        elif language != "en":
            yield f"{language}: missing: {text}"


def _wrong(language: str, text: str, said: str) -> Iterator[str]:
    if blanks(said) != blanks(text):
        yield "other blanks"
    if not text[0].islower() and _end(text) != _end(said):  # small letters begin a piece of a sentence
        yield "another ending"
    if said != said.strip():
        yield "a space at an end"
    if _TYPED.search(said):
        yield "typed otherwise than printed"
    if language == "fr" and _FRENCH.search(_fixed(said)):
        yield "French wants a no-break space before : ; ! ?"
    if language == "es" and (said.count("¿") != said.count("?") or said.count("¡") != said.count("!")):
        yield "Spanish opens a question and a call too"
    if said == text and language != "en" and _WORD.search(_fixed(text)) and text not in _SAME | _SAME_IN[language]:
        yield "left in English"
    if language != "en":
        yield from (f"English word '{word}'" for word in _english(language, said))


def _addressed(language: str, said: str, places: tuple[str, ...]) -> Iterator[str]:
    """Other forms of address than docs/languages.md has."""
    fixed = _fixed(said)
    if found := re.search(_FORMAL.get(language, NEVER), fixed):
        yield f"a formal '{found[0]}'"
    is_to_one = any(place.startswith(_TO_ONE) for place in places)
    if not is_to_one and (found := re.search(_ONE.get(language, NEVER), fixed)):
        yield f"'{found[0]}' speaks to one alone"


def _end(text: str) -> str:
    """The mark at the end, inside quotation marks too."""
    text = text.rstrip("»”“’\u00a0")
    return text[-1] if text and text[-1] in ENDS else ""


def _fixed(text: str) -> str:
    return "\0".join(fixed for fixed, _, _, _ in Formatter().parse(text))


def _english(language: str, said: str) -> list[str]:
    theirs = _ALSO_THEIRS.get(language, frozenset())
    return [word for word in _WORD.findall(_fixed(said)) if word.lower() in _ENGLISH - theirs]


if __name__ == "__main__":
    sys.exit(main())
