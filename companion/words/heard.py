"""English sentences recognised again: which text they were made from, and what stood in its blanks."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from string import Formatter

from companion.words.blanks import KINDS
from companion.words.catalogue import blanks


@dataclass(frozen=True, slots=True)
class Pattern:
    """A text with blanks, and the pieces between them."""

    text: str
    fixed: tuple[str, ...]

    @property
    def weight(self) -> int:
        """How much of a sentence the text itself is; more is surer."""
        return sum(map(len, self.fixed))

    def match(self, sentence: str) -> dict[str, str] | None:
        """What stands in the blanks of a sentence that was made from the text."""
        if not all(piece in sentence for piece in self.fixed):
            return None
        found = _compiled(self.text).fullmatch(sentence)
        return found.groupdict() if found else None


def patterns(texts: Iterable[str]) -> tuple[Pattern, ...]:
    """Those of the texts that have blanks, the surest first."""
    found = [
        Pattern(text, tuple(piece for piece, _, _, _ in Formatter().parse(text))) for text in texts if blanks(text)
    ]
    return tuple(sorted(found, key=lambda pattern: -pattern.weight))


@cache
def _compiled(text: str) -> re.Pattern[str]:
    source, known = "", set()
    for fixed, name, _, _ in Formatter().parse(text):
        source += re.escape(fixed)
        if name is not None:
            source += f"(?P={name})" if name in known else f"(?P<{name}>{_inside(name)}+?)"
            known.add(name)
    return re.compile(source, re.DOTALL)


def _inside(name: str) -> str:
    """What may stand in a blank: no name, and no half of a doubt, takes half a sentence with it."""
    if KINDS.get(name) in ("name", "time"):
        return "[^:;]" if KINDS[name] == "name" else "[0-9.:hmnsµ ]"
    return "[^:;,?]" if name in ("one", "other") else "."
