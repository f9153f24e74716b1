"""Sentences that know what they were made from: a text with blanks, and the facts in them. No file, no language."""

from collections.abc import Mapping
from typing import Any


def N_(text: str) -> str:  # noqa: N802
    """Marks a text where it is kept, so that pybabel puts it into the catalogues; it is said elsewhere."""
    return text


class Sentence(str):
    """A sentence in English that remembers its text and its facts, so that companion/words says it in any language.

    Where only English is wanted, in JSON, in a journal, in a log, it is the string that it looks like. A fact may be
    a sentence, or a piece of one, itself; a plain string is a name, a card or whatever the blank is known for.
    """

    __slots__ = ("facts", "text")
    text: str
    facts: Mapping[str, Any]

    def __new__(cls, text: str, /, **facts: Any) -> "Sentence":
        self = super().__new__(cls, text.format_map(_Shown(facts)))
        self.text, self.facts = text, facts
        return self

    def __str__(self) -> "Sentence":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return remade, (self.text, self.facts)


def remade(text: str, facts: Mapping[str, Any]) -> Sentence:
    return Sentence(text, **facts)


def in_turn(*sentences: str) -> Sentence:
    """Several sentences, one after the other."""
    names = [f"sentence{number}" for number in range(1, len(sentences) + 1)]
    text = " ".join(f"{{{name}}}" for name in names)
    return Sentence(text, **dict(zip(names, sentences, strict=True)))


class Both(tuple[Any, ...]):
    """Facts that hold together: "red, blue and yellow" rather than "red, blue, yellow"."""

    __slots__ = ()


class _Shown(dict[str, Any]):
    """Facts as they stand in a sentence."""

    def __getitem__(self, key: str) -> str:
        return shown(super().__getitem__(key))


def shown(fact: Any) -> str:
    """A fact as it stands in a sentence: lists joined, yes and no, nobody."""
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    if isinstance(fact, Both) and len(fact) > 1:
        return f"{', '.join(map(shown, fact[:-1]))} and {shown(fact[-1])}"
    if isinstance(fact, tuple | list):
        return ", ".join(shown(item) for item in fact) or "nothing"
    if fact is None or fact == "":
        return "nobody"
    return str(fact)
