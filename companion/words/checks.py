"""What can be wrong with a catalogue: texts missing or unused, other blanks, another ending, English that was left."""

import re
from collections.abc import Collection, Iterator, Mapping
from string import Formatter

from companion.words.catalogue import blanks

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
_TYPED = re.compile(r"\.\.\.|[\"`]| ,| \.|  ")


def complaints(language: str, known: Mapping[str, str], found: Collection[str]) -> Iterator[str]:
    """What is wrong with a catalogue, each in a line."""
    for text in known:
        if text and text not in found:
            yield f"{language}: unused: {text}"
    for text in found:
        said = known.get(text, "")
        if said:
            yield from (f"{language}: {what}: {text} → {said}" for what in _wrong(language, text, said))
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


def _end(text: str) -> str:
    """The mark at the end, inside quotation marks too."""
    text = text.rstrip("»”“’\u00a0")
    return text[-1] if text and text[-1] in ENDS else ""


def _fixed(text: str) -> str:
    return "\0".join(fixed for fixed, _, _, _ in Formatter().parse(text))


def _english(language: str, said: str) -> list[str]:
    theirs = _ALSO_THEIRS.get(language, frozenset())
    return [word for word in _WORD.findall(_fixed(said)) if word.lower() in _ENGLISH - theirs]
