"""What the journal knows that helps to begin: who played last, by which house rules, and what is not yet over."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from companion.core.card_ways import Senses, usual
from companion.core.entry import Made
from companion.core.errors import CompanionError
from companion.core.house import house_anew
from companion.core.names import is_seen, look_alike
from companion.core.seats import BotSeats
from companion.display.view import Draft, Past, Unfinished
from companion.games import game as game_named
from companion.journal import Journal, Summary
from companion.reports.trials import trials
from companion.words import LANGUAGES, Words, labels

DRAWN = Senses(draws=True)
FEW = 20  # entries; nobody only pauses so often
LOOKED_AT = 40  # the newest matches; older ones help nobody to begin
MOST_NAMES = 24
MOST_SEATS = 20  # with a name by their number; no game has so many
NOBODY = BotSeats()
UNFINISHED = "unfinished"  # what the history is about where it shows only those


def past(journal: Journal | None, table: BotSeats = NOBODY) -> Past:
    """Nothing without a journal, and nothing of a match that cannot be read. What was set up elsewhere is told as it
    can be here."""
    if journal is None:
        return Past()
    try:
        matches = journal.matches(most=5 * LOOKED_AT)
        running = _unfinished(journal)
    except CompanionError:
        return Past()
    seated = (name for match in matches for name in match.players)
    names = dict.fromkeys(name for name in seated if is_seen(name) and not is_new(name))
    last = tuple(draft.at(table) for draft in _last(journal, matches[:LOOKED_AT]))
    return Past(last, tuple(names)[:MOST_NAMES], running)


def with_trials(known: Past, journal: Journal | None) -> Past:
    """With every run that counts, for a match at the table: there may be many, and nobody compares one before."""
    if journal is None:
        return known
    try:
        return replace(known, trials=trials(journal))
    except CompanionError:
        return known


def _unfinished(journal: Journal) -> tuple[Unfinished, ...]:
    return tuple(Unfinished(match.code, match.game, match.players) for match in unfinished(journal))


def unfinished(journal: Journal) -> list[Summary]:
    """Every match that was begun and is not over, newest first, however many were played since.

    One in which nothing was moved may have been set up by mistake: it is gone on with where there is no other, as long
    as nothing was set up after it.
    """
    running = journal.matches(status="running")
    newest = [match.code for match in journal.matches(most=1)]
    begun = [match for match in running if _is_begun(journal, match)]
    return begun or [match for match in running if match.code in newest]


def _is_begun(journal: Journal, match: Summary) -> bool:
    """Something was moved in it. A pause is nothing, nor is its end; where it cannot be read, something was."""
    if match.entries > FEW:
        return True
    try:
        return any(isinstance(entry, Made) for entry in journal.stored(match.code).entries)
    except CompanionError:
        return True


def _last(journal: Journal, matches: list[Summary]) -> tuple[Draft, ...]:
    """How each game was set up the last time, newest first."""
    newest: dict[str, Summary] = {}
    for match in matches:
        newest.setdefault(match.game, match)
    found = []
    for match in newest.values():
        try:
            setup = journal.stored(match.code).setup
        except CompanionError:
            continue
        found.append(Draft(setup.game, setup.players, house_anew(setup.house), setup.is_seated))
    return tuple(found)


@cache
def _new_names() -> frozenset[str]:
    return frozenset(_by_number(Words(language), number) for language in LANGUAGES for number in range(1, MOST_SEATS))


def _by_number(words: Words, number: int) -> str:
    return words.say(labels.PLAYER_NUMBER, number=number)


def is_new(name: str) -> bool:
    """Nobody has chosen this name: it is that of a seat, in any of our languages."""
    return name in _new_names()


def next_name(words: Words, names: Iterable[str]) -> str:
    """What somebody is called who comes to these people and has not said a name: the number of the seat, or the next
    that is free."""
    there = tuple(names)
    free = (_by_number(words, number) for number in range(len(there) + 1, len(there) + MOST_SEATS))
    return next(name for name in free if not look_alike(name, there))


def draft_for(game: str, known: Past, words: Words, senses: Senses = DRAWN, table: BotSeats = NOBODY) -> Draft:
    """The set-up to begin with: as it was last, else with whoever played anything last, else with new people; bots
    where nobody is known, if the table has any, and the referee learns of the cards as is usual at such a table."""
    for before in known.last:
        if before.game == game:
            return before
    playing = game_named(game)
    fewest, most = playing.players
    people = known.last[0].players[:most] if known.last else ()
    found = Draft(game, people, playing.house(**usual(playing, senses)), is_seated=bool(people))
    while len(found.players) < max(2, fewest):
        bot = table.usual if found.players else None
        found = found.with_one_more(next_name(words, found.names), bot)
    return found.at(table)
