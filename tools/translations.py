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
_TYPED = re.compile(r"\.\.\.|[\"`]| ,| \.|  |(?<=\w)'(?=\w)")
# Who is spoken to: one player at his place, in these files; elsewhere all who sit there.
_TO_ONE = (
    *("companion/beside/", "companion/display/rulebook/", "companion/display/screens/", "companion/games/"),
    *("companion/presses.py", "companion/words/labels.py"),
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
