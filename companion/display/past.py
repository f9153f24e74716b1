"""What the journal knows that helps to begin: who played last, by which house rules, and what is not yet over."""

from companion.display.view import Draft, Past, Unfinished
from companion.exc import CompanionError
from companion.house import house_anew
from companion.journal import Journal, Summary
from companion.match import Made
from companion.names import is_seen, look_alike
from companion.trials import trials
from companion.words import Words, labels

FEW = 20  # entries; nobody only pauses so often
LOOKED_AT = 40  # the newest matches; older ones help nobody to begin
MOST_NAMES = 24


def past(journal: Journal | None) -> Past:
    """Nothing without a journal, and nothing of a match that cannot be read."""
    if journal is None:
        return Past()
    try:
        matches = journal.matches(most=5 * LOOKED_AT)
        runs = trials(journal)
    except CompanionError:
        return Past()
    names = dict.fromkeys(name for match in matches for name in match.players if is_seen(name))
    return Past(_last(journal, matches[:LOOKED_AT]), tuple(names)[:MOST_NAMES], _unfinished(journal, matches), runs)


def _unfinished(journal: Journal, matches: list[Summary]) -> Unfinished | None:
    """The newest match, if it is still running; older ones have been left for good.

    One that was set up and in which nothing was moved hides none: there is nothing in it to be lost, and it may have
    been set up by mistake. Where there is no other, it is gone on with too.
    """
    newest = next(iter(matches), None)
    begun = next((match for match in matches if _is_begun(journal, match)), None)
    found = begun if begun is not None and begun.status == "running" else newest
    if found is None or found.status != "running":
        return None
    return Unfinished(found.code, found.game, found.players)


def _is_begun(journal: Journal, match: Summary) -> bool:
    """Something was moved in it. A pause is nothing, nor is its end; where it cannot be read, something was."""
    if match.status == "over" or match.entries > FEW:
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
        found.append(Draft(setup.game, setup.players, house_anew(setup.house)))
    return tuple(found)


def new_names(words: Words) -> list[str]:
    """What people are called who have not said their names; enough for every seat and once more."""
    return [words.say(labels.PLAYER_NUMBER, number=number) for number in range(1, 20)]


def draft_for(game: str, known: Past, names: list[str]) -> Draft:
    """The set-up to begin with: as it was last, else with whoever played anything last, else with new people."""
    from companion.games import game as game_named  # noqa: PLC0415  (this game's rules, and no others)

    for before in known.last:
        if before.game == game:
            return before
    playing = game_named(game)
    fewest, most = playing.players
    people = known.last[0].players[:most] if known.last else ()
    found = Draft(game, people, playing.house())
    while len(found.players) < max(2, fewest):
        found = found.with_one_more(next(name for name in names if not look_alike(name, found.names)))
    return found
