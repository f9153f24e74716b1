"""What is said at the table, in the language of the table: texts with blanks, events and fouls, cards, numbers, times.

English texts are the keys. What has no translation is said in English rather than not at all.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import date
from functools import cache
from gettext import NullTranslations
from typing import Any

from companion.core import clocks
from companion.core.rules import UNSEEN, Event, Foul, Game, Place
from companion.core.sentence import Sentence
from companion.words import catalogue, labels
from companion.words.blanks import KINDS, blanks
from companion.words.catalogue import CatalogueError
from companion.words.game_words import of_all_games, words_of
from companion.words.grammar import LANGUAGES, Blank, Count, in_blank

ENGLISH = "en"
_VALUES = frozenset((*labels.COLOURS, *labels.SHAPES, *labels.SYMBOLS, *labels.PLACES))
_NAMELESS = {text: min(blanks(text) - blanks(other)) for text, other in labels.OF_NOBODY.items()}  # the blank
_BEGINS_WITH_CARD = re.compile("{(card|gone|under)}")


def known_language(wish: str) -> str:
    """The language for a wish such as "de" or "de_AT.UTF-8"; empty where it is none of ours."""
    code = re.split(r"[_.@-]", wish.strip().lower(), maxsplit=1)[0]
    return code if code in LANGUAGES else ""


@cache
def _catalogue(language: str) -> NullTranslations:
    return catalogue.opened(language)


class Words:
    """What to say, and how, in the language that is set; it may be set anew at any time."""

    def __init__(self, language: str = ENGLISH) -> None:
        self.language = language

    @property
    def language(self) -> str:
        return self._language

    @language.setter
    def language(self, wish: str) -> None:
        """One that nobody here speaks is English, and `trouble` says so."""
        code = known_language(wish)
        self.trouble = "" if code else f"Nobody here speaks '{wish[:20]}'; known are {', '.join(LANGUAGES)}."
        self._language = code or ENGLISH
        self._grammar = LANGUAGES[self._language]
        try:
            self._catalogue = _catalogue(self._language)
        except CatalogueError as error:
            self._catalogue, self.trouble = NullTranslations(), str(error)

    # --- texts

    def say(self, text: str, **values: Any) -> str:
        """A text with its blanks filled: names and texts as they are, numbers and lists written out."""
        return self._filled(text, {name: self._shown(value) for name, value in values.items()})

    def sentence(self, told: Event | Foul) -> str:
        """What an event or a foul says."""
        if isinstance(told, Foul):
            return self._said(told.text, {"player": told.player, **told.facts})
        return self._said(told.template, told.facts)

    def open_sentence(self, event: Event) -> str:
        """The same of an event, without what players may not look up."""
        return self._said(event.open_template, event.facts)

    def why(self, ended: Event) -> str:
        """By what a round was won that this event ends."""
        return self._said(ended.won_by, ended.facts)

    def heard(self, sentence: str) -> str:
        """A sentence from another room: a foul's, an error's, a notice, the reason of an end. What remembers nothing
        of how it was made, because it was kept as it is, is said as it was kept, unless it is a text as it stands."""
        if isinstance(sentence, Sentence):
            return self._said(sentence.text, sentence.facts)
        return sentence if "{" in sentence else self._translated(sentence)

    # --- names of things

    def card(self, card: str) -> str:
        """The name of a card of any of the games."""
        if card == UNSEEN:
            return self.say(labels.A_CARD)
        if card in of_all_games().cards:
            return self.say(of_all_games().cards[card])
        if card in (labels.A_CARD, labels.THE_CARD):
            return self.say(card)
        if " " in card and "-" in card:
            return ", ".join(map(self.card, card.split()))
        return self._parts_of_card(card.split("-")) or card

    def _parts_of_card(self, parts: list[str]) -> str:
        match parts:
            case [colour, shape, count] if count.isdecimal() and f"{colour} {shape}" in labels.SYMBOLS:
                return f"{self.say(f'{colour} {shape}')} {count}"
            case [colour, number] if number.isdecimal():
                key = f"{colour} {{number}}"
                return self.say(key, number=int(number)) if key in labels.NUMBERED else f"{colour} {number}"
            case [shape, colour] if f"{colour} {shape}" in labels.SYMBOLS:
                return self.say(f"{colour} {shape}")
        return ""

    def value(self, value: str) -> str:
        """A colour, a shape, a symbol, a place; a number is itself."""
        return self.say(value) if value in _VALUES else value

    def rule(self, game: Game, name: str) -> str:
        """The name of a house rule."""
        return self.say(words_of(game.name).rules.get(name) or name.replace("_", " ").capitalize())

    def meaning(self, game: Game, name: str) -> str:
        """What a house rule says."""
        meanings: dict[str, str] = {field.name: field.metadata["help"] for field in fields(game.house)}
        return self.say(meanings[name])

    def choice(self, value: Any) -> str:
        """What a house rule is set to."""
        name = getattr(value, "name", value)
        if isinstance(name, str):
            said = labels.CHOICES.get(name) or of_all_games().choices.get(name)
            return self.say(said) if said else self.value(name)
        if isinstance(name, tuple | list):
            return ", ".join(map(self.choice, name))
        return str(self._shown(name))

    def explained(self, value: str) -> str:
        """The same in a sentence; nothing where it says enough by its name."""
        said = of_all_games().explained.get(value)
        return self.say(said) if said else ""

    def summary(self, game: Game) -> str:
        """The rules of a game in a few sentences."""
        return self.say(game.summary).replace("\n", " ")

    # --- numbers, times, lists

    def number(self, value: float) -> str:
        return self._grammar.number(value)

    def time(self, nanoseconds: int) -> str:
        """12.3 s, 4:05.0."""
        return self._grammar.decimal(clocks.shown(nanoseconds))

    def gap(self, nanoseconds: int) -> str:
        """85 µs, 2.104 ms."""
        return self._grammar.decimal(clocks.short(nanoseconds))

    def date(self, day: date) -> str:
        return self._grammar.date(day)

    def listed(self, items: Iterable[str]) -> str:
        """Anna, Ben and Carl."""
        return self._grammar.listed(list(items))

    def told_of(self, what: str, told: object) -> str:
        """A name, and what is so of it."""
        return self.say(labels.TOLD_OF, what=what, told=str(told))

    def either(self, items: Iterable[str]) -> str:
        """Red, blue or 2."""
        return self._grammar.listed(list(items), either=True)

    # --- blanks

    def _filled(self, text: str, values: Mapping[str, Blank | Count]) -> str:
        said = self._translated(text)
        try:
            return said.format_map(values)
        except (KeyError, ValueError, IndexError, AttributeError):
            if said == text:
                raise
            return text.format_map(values)  # a translation that somebody has broken

    def _translated(self, text: str) -> str:
        return self._catalogue.gettext(text) if text else ""  # the empty key holds a catalogue's own header

    def _shown(self, value: Any) -> Blank | Count:
        if isinstance(value, bool):
            return Blank(self.say(labels.YES if value else labels.NO).lower())
        if isinstance(value, tuple | list):
            return Blank(self.listed([str(self._shown(item)) for item in value]) or self.say(labels.NOTHING))
        return in_blank(self.say(labels.NOBODY) if value is None or value == "" else value, self._grammar)

    def _said(self, text: str, facts: Mapping[str, Any]) -> str:
        """A text with its facts; a card that begins it begins with a capital."""
        if text in labels.OF_NOBODY and not facts[_NAMELESS[text]]:
            return self._said(labels.OF_NOBODY[text], facts)
        said = self._filled(text, {name: self._fact(name, value) for name, value in facts.items()})
        said = said.replace("?.", "?")  # a question within a sentence
        if not _BEGINS_WITH_CARD.match(self._translated(text)) or "-" in said.partition(" ")[0]:
            return said
        return said[:1].upper() + said[1:]

    def _fact(self, name: str, value: Any) -> Blank | Count:
        """What stands in a blank of a game's sentence."""
        kind = KINDS.get(name, "")
        if kind == "name" and not value:
            return Blank(self.say(labels.NOBODY))
        if value is None or isinstance(value, bool | int | float) or value in ("", ()):
            return self._shown(value)
        if not isinstance(value, tuple | list):
            return Blank(self._one(kind, value))
        items = [self._one(kind, item) for item in value]
        return Blank(self.either(items) if kind == "either" else self.listed(items))

    def _one(self, kind: str, value: Any) -> str:
        text = str(value)
        if isinstance(text, Sentence):
            return self.heard(text)
        match kind:
            case "card":
                return self.card(text)
            case "dog":
                return self.say(labels.A_CARD) if text == UNSEEN else text
            case "value" | "either":
                return self.value(text)
            case "choice":
                return self.choice(getattr(value, "name", text))
            case "time":
                return self._grammar.decimal(text)
            case "to":
                return self._place(value)
            case "phrase":
                return self.heard(text)
        return text

    def _place(self, place: Any) -> str:
        if isinstance(place, Place) and place.of:
            return self.say(labels.TO_BANK_OF, player=place.of)
        owner = str(place).removesuffix("'s bank")
        return self.say(labels.TO_BANK_OF, player=owner) if owner != str(place) else self.say(labels.TO_THE_BOX)
