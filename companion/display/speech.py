"""What the newest ruling says, and how a label begins. The words themselves come from `companion.words`."""

from companion.core.rules import Event
from companion.display.view import Seen
from companion.words import Words


def news(words: Words, seen: Seen) -> list[str]:
    """What the newest move did, in sentences."""
    return [words.sentence(event) for event in seen.events if event.text]


def recalled(words: Words, seen: Seen, event: Event) -> str:
    """What an event of a match says to whoever looks back: while it runs, without what nobody may look up."""
    return words.sentence(event) if seen.is_over else words.open_sentence(event)


def capital(text: str) -> str:
    """With a capital letter in front, as a label begins."""
    return text[:1].upper() + text[1:]
