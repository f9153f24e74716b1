"""What several commands print of a match: in which language, and how it ended."""

from collections.abc import Iterator

from companion.core.errors import CompanionError
from companion.core.match import Match
from companion.reports.ending import thrown_away
from companion.reports.telling import Telling
from companion.words import Words


def words_for(language: str | None) -> Words:
    """The language asked for; one that nobody here speaks is refused."""
    words = Words(language or "en")
    if words.trouble:
        raise CompanionError(words.trouble)
    return words


def how_it_ended(match: Match, telling: Telling) -> Iterator[str]:
    yield telling.how_it_ended(match)
    yield from thrown_away(match, telling.words)
