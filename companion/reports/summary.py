"""A match in words: the score sheet in lines, and the summary of a game's rules."""

from collections.abc import Iterator
from typing import Any

from companion.core.house import house_rules
from companion.core.match import Match
from companion.core.rules import Game
from companion.journal import Stored
from companion.reports.ending import thrown_away
from companion.reports.marks import LinePlace, Marks, marks
from companion.reports.telling import BELOW, Telling, telling_of
from companion.words import Words, labels

WAS = {"adjusted": labels.WAS_ADJUSTED, "put right": labels.WAS_PUT_RIGHT, "ruled again": labels.WAS_RULED_AGAIN}


def sheet(stored: Stored, words: Words | None = None) -> str:
    """A score sheet for people."""
    match, found = stored.folded(), marks(stored.setup, stored.entries)
    telling = telling_of(match, words or Words())
    scores = match.outcome.scores if match.outcome else match.state.scores
    lines = [*_about(stored, match, telling), "", *_scores(match, scores, found, telling), ""]
    lines += [*_put_right(match, found, telling), telling.how_it_ended(match), ""]
    return "\n".join([*lines, *_marked_lines(match, found, telling), *thrown_away(match, telling.words)])


def _about(stored: Stored, match: Match, telling: Telling) -> Iterator[str]:
    words = telling.words
    yield words.say(labels.SHEET_OF, game=match.game.title, code=match.setup.id)
    began = stored.began or words.say(labels.SOME_TIME_AGO)
    moves = words.say(labels.MOVES_COUNT, count=len(match.line))
    yield words.say(labels.PLAYED_THEN, began=began, moves=moves, time=words.time(match.now))
    for name, value, _, is_changed in house_rules(match.game, match.setup.house):
        if is_changed:
            chosen = getattr(match.setup.house, name)
            said = value if isinstance(chosen, int) and not isinstance(chosen, bool) else words.choice(chosen)
            yield words.say(labels.HOUSE_RULE, rule=words.rule(match.game, name), value=said)
    if match.setup.deck:
        yield words.told_of(words.say(labels.DECK), match.setup.deck)


def _scores(match: Match, scores: tuple[int, ...], found: Marks, telling: Telling) -> Iterator[str]:
    names, width = match.setup.names, max(map(len, match.setup.names))
    winners = match.outcome.winners if match.outcome else ()
    by = [
        sum(one.scores_after[seat] - one.scores_before[seat] for one in found.corrections) for seat in range(len(names))
    ]
    for name, score, difference in zip(names, scores, by, strict=True):
        won = f"  {telling.say(labels.IS_WINNER)}" if name in winners else ""
        yield f"{'~' if difference else '':2}{name:{width}}  {score:5}{won}"


def _put_right(match: Match, found: Marks, telling: Telling) -> Iterator[str]:
    """Each correction that counts."""
    for made in found.corrections:
        before, after = (
            telling.scores(dict(zip(match.setup.names, scores, strict=True)))
            for scores in (made.scores_before, made.scores_after)
        )
        stay = telling.say(labels.SCORES_STAY)
        scores = stay if before == after else telling.say(labels.SCORES_WERE, after=after, before=before)
        time = telling.words.time(made.at)
        yield f"~ {telling.say(labels.PUT_RIGHT_AT, time=time, number=made.number, scores=scores)}"
    if found.corrections:
        yield ""


def _marked_lines(match: Match, found: Marks, telling: Telling) -> Iterator[str]:
    """The whole line of a match, and what corrections did to it."""
    first, *places = found.places
    yield from _fallen(first, telling)
    for number, (done, place) in enumerate(zip(match.line, places, strict=True), 1):
        yield telling.ruling_line(number, done.move, done.ruling)
        if place.what == "added":
            yield f"{BELOW}~ {telling.say(labels.TIME_HAD_COME)}"
        elif place.was and place.differs(done):
            what = WAS["adjusted" if done.is_adjusted else place.what]
            yield f"{BELOW}~ {telling.say(what, said=telling.quoted(place.was))}"
        yield from _fallen(place, telling)


def _fallen(place: LinePlace, telling: Telling) -> Iterator[str]:
    for done in place.fallen:
        time, said = telling.words.time(done.move.at), telling.quoted(done)
        yield f"{BELOW}~ {telling.say(labels.COUNTS_NO_MORE, time=time, said=said)}"


def rules_page(game: Game, house: Any) -> str:
    """A game in our own words, and its house rules as they stand."""
    fewest, most = game.players
    players = str(fewest) if fewest == most else f"{fewest} to {most}"
    lines = [f"{game.title}: {players} players, about {game.minutes} minutes", "", game.summary, "", "House rules:"]
    lines += [
        f"  {name} = {value}{'  (changed)' if differs else ''}\n      {meaning}"
        for name, value, meaning, differs in house_rules(game, house)
    ]
    return "\n".join(lines)
