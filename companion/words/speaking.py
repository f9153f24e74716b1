"""What is said at the table, in the language of the table: texts with blanks, events and fouls, cards, numbers, times.

English texts are the keys. What has no translation is said in English rather than not at all.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import date
from functools import cache
from typing import Any

from companion import clocks
from companion.codec import read as read_plain
from companion.rules import UNSEEN, Event, Foul, Game, Place
from companion.words import catalogue, labels
from companion.words.blanks import KINDS, SEVERAL, THE_TABLE
from companion.words.catalogue import CatalogueError
from companion.words.grammar import LANGUAGES, Blank, Count, in_blank
from companion.words.heard import Pattern, patterns

ENGLISH = "en"
_VALUES = frozenset((*labels.COLOURS, *labels.SHAPES, *labels.SYMBOLS, *labels.PLACES))
_NAMED = {**labels.CHOICES, **labels.FIELDS, **{way: name for way, (name, _) in labels.WAYS.items()}}
_BEGINS_WITH_CARD = re.compile("{(card|gone|under)}")
_SPOKEN_CARD = re.compile(r"the (\w+) (\w+) with (\d)")
_SENTENCE_ENDS = re.compile(r"(?<=[.!?]) (?=[^a-z])")
_IN_LIST = re.compile(", | and ")


def known_language(wish: str) -> str:
    """The language for a wish such as "de" or "de_AT.UTF-8"; empty where it is none of ours."""
    code = re.split(r"[_.@-]", wish.strip().lower(), maxsplit=1)[0]
    return code if code in LANGUAGES else ""


@cache
def _texts(language: str) -> dict[str, str]:
    return catalogue.read(language)


_ON_SCREENS = frozenset(text for text in vars(labels).values() if isinstance(text, str)) | set(labels.NUMBERED)


@cache
def _patterns() -> tuple[Pattern, ...]:
    """Those of the referee's sentences; what stands on a screen was never put together elsewhere."""
    return patterns(text for text in _texts(ENGLISH) if text not in _ON_SCREENS)


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
            self._texts = _texts(self._language)
        except CatalogueError as error:
            self._texts, self.trouble = {}, str(error)

    # --- texts

    def say(self, text: str, **values: Any) -> str:
        """A text with its blanks filled: names and texts as they are, numbers and lists written out."""
        return self._filled(text, {name: self._shown(value) for name, value in values.items()})

    def sentence(self, told: Event | Foul) -> str:
        """What an event or a foul says."""
        if isinstance(told, Foul):
            return self._of_game(told.text, {"player": told.player, **told.facts})
        return self._of_game(told.template, {field.name: getattr(told, field.name) for field in fields(told)})

    def open_sentence(self, event: Event) -> str:
        """The same of an event, without what players may not look up."""
        return self._of_game(event.open_template, {field.name: getattr(event, field.name) for field in fields(event)})

    def why(self, ended: Event) -> str:
        """By what a round was won that this event ends."""
        facts = {field.name: self._fact(field.name, getattr(ended, field.name)) for field in fields(ended)}
        return self._sentence_of(ended.won_by, facts)

    def told(self, game: Game, event: Mapping[str, Any]) -> str:
        """The same for an event as a reply brings it; empty if it says nothing."""
        kind = next((kind for kind in game.events if kind.word == event.get("event")), None)
        if kind is None or not kind.text:
            return ""
        return self.sentence(
            read_plain(kind, {key: value for key, value in event.items() if key not in ("event", "sentence")})
        )

    def heard(self, sentence: str) -> str:
        """An English sentence that was put together elsewhere: a foul's, an error's, a notice, the reason of an end."""
        return self._phrase(sentence) if sentence else sentence

    # --- names of things

    def card(self, card: str) -> str:
        """The name of a card of any of the games."""
        if card == UNSEEN:
            return self.say(labels.A_CARD)
        if card in labels.ACTIONS:
            return self.say(labels.ACTIONS[card])
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
        return self.say(labels.RULES[game.name][name])

    def meaning(self, game: Game, name: str) -> str:
        """What a house rule says."""
        return next(self.say(field.metadata["help"]) for field in fields(game.house) if field.name == name)

    def choice(self, value: Any) -> str:
        """What a house rule is set to."""
        name = getattr(value, "name", value)
        if isinstance(name, str):
            return self.say(_NAMED[name]) if name in _NAMED else self.value(name)
        if isinstance(name, tuple | list):
            return ", ".join(map(self.choice, name))
        return str(self._shown(name))

    def summary(self, game: Game) -> str:
        """The rules of a game in a few sentences."""
        return self.say(" ".join(game.summary.split()))

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

    def either(self, items: Iterable[str]) -> str:
        """Red, blue or 2."""
        return self._grammar.listed(list(items), either=True)

    # --- blanks

    def _filled(self, text: str, values: Mapping[str, Blank | Count]) -> str:
        said = (self._texts.get(text) or text) if text else ""  # the empty key holds a catalogue's own header
        try:
            return said.format_map(values)
        except (KeyError, ValueError, IndexError, AttributeError):
            if said == text:
                raise
            return text.format_map(values)  # a translation that somebody has broken

    def _shown(self, value: Any) -> Blank | Count:
        if isinstance(value, bool):
            return Blank(self.say(labels.YES if value else labels.NO).lower())
        if isinstance(value, tuple | list):
            return Blank(self.listed([str(self._shown(item)) for item in value]) or self.say(labels.NOTHING))
        return in_blank(self.say(labels.NOBODY) if value is None or value == "" else value, self._grammar)

    def _of_game(self, text: str, facts: Mapping[str, Any]) -> str:
        key, more = self._known(text)
        return self._sentence_of(key, {name: self._fact(name, value) for name, value in {**facts, **more}.items()})

    def _sentence_of(self, text: str, values: Mapping[str, Blank | Count]) -> str:
        """A text filled; a card that begins it begins with a capital."""
        sentence = self._filled(text, values).replace("?.", "?")  # a question within a sentence
        if not _BEGINS_WITH_CARD.match(self._texts.get(text) or text) or "-" in sentence.partition(" ")[0]:
            return sentence
        return sentence[:1].upper() + sentence[1:]

    def _known(self, text: str) -> tuple[str, dict[str, str]]:
        """The key for a text, and what a game has filled into it already."""
        if text not in self._texts:
            for pattern in _patterns():
                found = pattern.match(text)
                if found:
                    return pattern.text, {name: value for name, value in found.items() if value != f"{{{name}}}"}
        return text, {}

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
        match kind:
            case "card":
                return self.card(text)
            case "value" | "either":
                return self.value(text)
            case "who":
                return self.say(text) if text in THE_TABLE else text
            case "dogs":
                name, colour = text.removesuffix(")").rsplit(" (", 1)
                return f"{name} ({self.value(colour)})"
            case "choice":
                return self.choice(getattr(value, "name", text))
            case "time":
                return self._grammar.decimal(text)
            case "to":
                return self._place(value)
            case "phrase":
                return self._phrase(text)
        return text

    def _place(self, place: Any) -> str:
        if isinstance(place, Place) and place.of:
            return self.say(labels.TO_BANK_OF, player=place.of)
        owner = str(place).removesuffix("'s bank")
        return self.say(labels.TO_BANK_OF, player=owner) if owner != str(place) else self.say(labels.TO_THE_BOX)

    def _phrase(self, text: str) -> str:
        """A sentence or a piece of one that has a translation, whatever names and numbers stand in it."""
        if text in _VALUES or (text in self._texts and "{" not in text):
            return self._filled(text, {})
        for pattern in _patterns():
            found = pattern.match(text)
            if found:
                return self._sentence_of(
                    pattern.text, {name: self._fact(name, _captured(name, value)) for name, value in found.items()}
                )
        parts = _IN_LIST.split(text)
        if len(parts) > 1 and all(part in self._texts and "{" not in part for part in parts):
            return self.listed([self.say(part) for part in parts])
        sentences = _SENTENCE_ENDS.split(text)
        if len(sentences) > 1:
            return " ".join(map(self._phrase, sentences))
        return self._spoken(text) or self._parts_of_card(text.split("-")) or text

    def _spoken(self, text: str) -> str:
        """A card as the reader speaks of it."""
        found = _SPOKEN_CARD.fullmatch(text)
        return self._parts_of_card(list(found.groups())) if found else ""


def _captured(name: str, text: str) -> Any:
    """What was written into a blank, as far as it can be told from the text."""
    kind = KINDS.get(name, "")
    if kind == "name" and text in (labels.NOBODY, labels.NOTHING):
        return ()
    if kind not in ("name", "raw") and text.removeprefix("-").isdecimal():
        return int(text)
    if ", " in text and (kind in ("name", "card", "value", "either", "dogs") or name in SEVERAL):
        return tuple(text.split(", "))
    return text
