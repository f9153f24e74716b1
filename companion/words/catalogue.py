"""Catalogues of texts as gettext writes them: one .po file a language, read at start and brought up to date here."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

from companion.exc import CompanionError

HERE = Path(__file__).parent
_ESCAPES = {"\\n": "\n", "\\t": "\t", '\\"': '"', "\\\\": "\\"}
_ESCAPED = re.compile(r"\\.")
_LINE = re.compile(r'(?:(msgid|msgstr) )?"(.*)"')
_WIDTH = 100


class CatalogueError(CompanionError, ValueError):
    """A catalogue that cannot be read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A text, and what is said for it in the catalogue's language; nothing where it is not translated yet."""

    text: str
    said: str = ""
    places: tuple[str, ...] = ()  # the files it stands in


def file_of(language: str) -> Path:
    return HERE / f"{language}.po"


def read(language: str) -> dict[str, str]:
    """Every text of a catalogue with what is said for it."""
    file = file_of(language)
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise CatalogueError(f"The texts in {file.name} cannot be read: {why}.") from None
    return dict(_entries(lines, file.name))


def _entries(lines: list[str], name: str) -> Iterator[tuple[str, str]]:
    parts: dict[str, list[str]] = {}
    part: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line or line[0] == "#":
            continue
        found = _LINE.fullmatch(line)
        if not found:
            raise CatalogueError(f"Line {number} of {name} is neither a text nor a remark.")
        word, text = found.groups()
        if word == "msgid":
            if parts:
                yield _joined(parts)
            parts = {}
        if word:
            part = parts.setdefault(word, [])
        part.append(text)
    if parts:
        yield _joined(parts)


def _joined(parts: dict[str, list[str]]) -> tuple[str, str]:
    text, said = ("".join(parts.get(word, ())) for word in ("msgid", "msgstr"))
    return _unescaped(text), _unescaped(said)


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: _ESCAPES.get(found[0], found[0]), text) if "\\" in text else text


def blanks(text: str) -> frozenset[str]:
    """The names of the blanks in a text, also of those within the forms of a number."""
    found: set[str] = set()
    for _, name, form, _ in Formatter().parse(text):
        if name is not None:
            found |= {name, *blanks(form or "")}
    return frozenset(found)


# --- writing ---------------------------------------------------------------------------------------------------


def written(language: str, entries: Iterable[Entry], plural: str) -> str:
    """A catalogue as a file; language is empty for the template."""
    head = [
        'msgid ""',
        'msgstr ""',
        '"Project-Id-Version: table-companion\\n"',
        f'"Language: {language}\\n"',
        '"MIME-Version: 1.0\\n"',
        '"Content-Type: text/plain; charset=UTF-8\\n"',
        '"Content-Transfer-Encoding: 8bit\\n"',
        f'"Plural-Forms: {plural}\\n"',
    ]
    blocks = ["\n".join(head), *map(_block, entries)]
    return "\n\n".join(blocks) + "\n"


def _block(entry: Entry) -> str:
    lines = [f"#: {' '.join(entry.places)}"] if entry.places else []
    if blanks(entry.text):
        lines.append("#, python-brace-format")
    return "\n".join([*lines, *_quoted("msgid", entry.text), *_quoted("msgstr", entry.said)])


def _quoted(word: str, text: str) -> list[str]:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    if len(escaped) <= _WIDTH:
        return [f'{word} "{escaped}"']
    return [f'{word} ""', *(f'"{line}"' for line in _lines(escaped))]


def _lines(text: str) -> Iterator[str]:
    line = ""
    for piece in re.findall(r"[^ ]* *", text):  # a no-break space stays inside its line
        if line and len(line) + len(piece) > _WIDTH:
            yield line
            line = ""
        line += piece
    if line:
        yield line
