"""What differs between the languages apart from words: decimals, plurals, lists, elision, dates."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any


@dataclass(frozen=True, slots=True)
class Grammar:
    """One language's ways."""

    name: str  # in the language itself
    both: str  # the word between the last two of a list
    either: str
    day: str  # as strftime writes it
    point: str = ","
    zero_is_one: bool = False  # "0 carte", as of one
    before_same: tuple[tuple[str, str, str], ...] = ()  # a word before a sound, and what it becomes: "e" before "e"

    def is_one(self, number: float) -> bool:
        return 0 <= number < 2 if self.zero_is_one else number == 1

    def number(self, value: float) -> str:
        return self.decimal(str(value))

    def decimal(self, text: str) -> str:
        """A number or a time with the point that is usual."""
        return text.replace(".", self.point)

    def listed(self, items: Sequence[str], *, either: bool = False) -> str:
        """Anna, Ben and Carl."""
        if len(items) < 2:
            return "".join(items)
        word = self._before(self.either if either else self.both, items[-1])
        return f"{', '.join(items[:-1])} {word} {items[-1]}"

    def _before(self, word: str, following: str) -> str:
        for usual, sound, instead in self.before_same:
            if word == usual and re.match(sound, following, re.IGNORECASE):
                return instead
        return word

    def date(self, day: date) -> str:
        return day.strftime(self.day)


LANGUAGES: dict[str, Grammar] = {
    "en": Grammar("English", "and", "or", "%d/%m/%Y", point="."),
    "de": Grammar("Deutsch", "und", "oder", "%d.%m.%Y"),
    "fr": Grammar("Français", "et", "ou", "%d/%m/%Y", zero_is_one=True),
    "it": Grammar("Italiano", "e", "o", "%d/%m/%Y", before_same=(("e", "e", "ed"),)),
    "es": Grammar(
        "Español", "y", "o", "%d/%m/%Y", before_same=(("y", r"h?[ií](?![aeo])", "e"), ("o", r"h?[oó]|8", "u"))
    ),
    "pt": Grammar("Português", "e", "ou", "%d/%m/%Y"),
    "nl": Grammar("Nederlands", "en", "of", "%d-%m-%Y"),
}

_ELIDED = re.compile(r"[aeiouhàâäéèêëíîïóôöúùûüœæ]|y[^aeiou]", re.IGNORECASE)


def _plain(letter: str) -> str:
    """A letter without its accent."""
    return unicodedata.normalize("NFD", letter)[:1].lower()


class Blank(str):
    """Text in a blank.

    `{player:de}` is "de Ben" and "d’Anna", `{player:a/ad}` is "a Ben" and "ad Anna", `{move:^}` begins with a capital.
    """

    __slots__ = ()

    def __format__(self, form: str) -> str:
        if form == "^":
            return self[:1].upper() + self[1:]
        if "|" in form:
            return form.partition("|")[2]  # text where a number was expected: more than one, as far as anybody knows
        usual, slash, before_same = form.partition("/")
        if slash:
            return f"{before_same if _plain(self[:1]) == usual[-1:] else usual} {self}"
        if form:
            return f"{form[:-1]}’{self}" if _ELIDED.match(self) else f"{form} {self}"
        return str(self)


class Count:
    """A number in a blank. `{cards:card|cards}` is the word that goes with it."""

    __slots__ = ("_grammar", "_number")

    def __init__(self, number: float, grammar: Grammar) -> None:
        self._number, self._grammar = number, grammar

    def __format__(self, form: str) -> str:
        if not form:
            return self._grammar.number(self._number)
        one, _, more = form.partition("|")
        return one if self._grammar.is_one(self._number) else more or one

    def __str__(self) -> str:
        return f"{self:}"


def in_blank(value: Any, grammar: Grammar) -> "Blank | Count":
    """A value as a text takes it up."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Count(value, grammar)
    return Blank(value)
