"""What the journal knows that helps to begin: who played last, by which house rules, and what is not yet over."""

from companion.display.view import Draft, Past, Unfinished
from companion.exc import CompanionError
from companion.journal import Journal, Summary
from companion.words import Words, labels

LOOKED_AT = 40  # the newest matches; older ones help nobody to begin
MOST_NAMES = 24


def past(journal: Journal | None) -> Past:
    """Nothing without a journal, and nothing of a match that cannot be read."""
    if journal is None:
        return Past()
    try:
        matches = journal.matches(most=5 * LOOKED_AT)
        trials = tuple((best.name, best.value) for best in journal.best_time_trials(8))
    except CompanionError:
        return Past()
    names = dict.fromkeys(name for match in matches for name in match.players)
    return Past(_last(journal, matches[:LOOKED_AT]), tuple(names)[:MOST_NAMES], _unfinished(matches), trials)


def _unfinished(matches: list[Summary]) -> Unfinished | None:
    """The newest match, if it is still running; older ones have been left for good. One without a move hides none."""
    newest = next(iter(matches), None)
    if newest is not None and not newest.entries:
        begun = next((match for match in matches if match.entries), newest)
        newest = begun if begun.status == "running" else newest
    if newest is None or newest.status != "running":
        return None
    return Unfinished(newest.code, newest.game, newest.players)


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
        found.append(Draft(setup.game, setup.players, setup.house))
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
        found = found.with_one_more(next(name for name in names if name not in found.names))
    return found
