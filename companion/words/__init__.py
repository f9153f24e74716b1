"""Words for what is said at the table, in seven languages: docs/languages.md."""

from companion.words.grammar import LANGUAGES
from companion.words.speaking import Words, known_language

__all__ = ["LANGUAGES", "Words", "known_language"]
