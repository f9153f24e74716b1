"""Players without their names: a player is the same `Player 3` wherever the name stood, inside sentences too."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from typing import Any, Literal
from unicodedata import normalize

from companion.core.sentence import Both, Sentence

Naming = Literal["whole", "initials", "numbers"]  # how players are called

_LETTER = r"[^\W_]"


class Nameless:
    """Which name is which player, in the order in which they came up: by a number or, with `initials`, by a letter."""

    def __init__(self, names: Iterable[str] = (), *, initials: bool = False) -> None:
        players = [*filter(None, dict.fromkeys(names))]
        self._called = _initials(players) if initials else {name: f"Player {at}" for at, name in enumerate(players, 1)}
        self._called_as: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None

    def name(self, name: str) -> str:
        return self._called.get(name, name)

    def value(self, value: Any) -> Any:
        """A value of JSON in which a text that is a name is one no more, nor is a key."""
        if isinstance(value, Sentence):
            return Sentence(value.text, **{name: self._fact(fact) for name, fact in value.facts.items()})
        if isinstance(value, str):
            return self.name(value)
        if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{field.name: self._fact(getattr(value, field.name)) for field in fields(value)})
        if isinstance(value, dict):
            return {self.name(key): self.value(item) for key, item in value.items()}
        if isinstance(value, tuple | list):
            return [self.value(item) for item in value]
        return value

    def _fact(self, fact: Any) -> Any:
        return Both(map(self._fact, fact)) if isinstance(fact, Both) else self.value(fact)

    def text(self, text: str) -> str:
        """A text without any of the names; a name inside a longer word is none. The letters of a name may be large
        or small, and written as JSON writes them."""
        if not self._called:
            return text
        if self._pattern is None:
            forms = [(form, instead) for name, instead in self._called.items() for form in _forms(name)]
            self._called_as = {form.lower(): instead for form, instead in forms}
            any_name = "|".join(re.escape(form) for form, _ in sorted(forms, key=lambda pair: -len(pair[0])))
            self._pattern = re.compile(rf"(?<!{_LETTER})(?:{any_name})(?=s?(?!{_LETTER}))", re.IGNORECASE)
        return self._pattern.sub(lambda found: self._called_as.get(found[0].lower(), "Somebody"), text)


def nameless(names: Iterable[str], naming: Naming) -> Nameless:
    return Nameless(() if naming == "whole" else names, initials=naming == "initials")


def _initials(players: list[str]) -> dict[str, str]:
    """The first letter; whoever shares it gets a number behind it."""
    first = {name: normalize("NFC", name)[0].upper() for name in players}
    alike = Counter(first.values())
    numbers = Counter[str]()
    found = {}
    for name, letter in first.items():
        numbers[letter] += 1
        found[name] = f"{letter}. {numbers[letter]}" if alike[letter] > 1 else f"{letter}."
    return found


def _forms(name: str) -> set[str]:
    """A name as it is, and as JSON and Python write it."""
    ways = {normalize(form, name) for form in ("NFC", "NFD")} | {name}
    return {form for way in ways for form in (way, *(write(way)[1:-1] for write in (json.dumps, repr, ascii)))}
