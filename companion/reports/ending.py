"""How a match, or a round of it, ended: who won, by how much, and by what. In the language of the table."""

from collections.abc import Callable
from dataclasses import dataclass

from companion.core.match import Match
from companion.core.rules import Outcome
from companion.games import part
from companion.reports.progress import PlayedMatch, Round, rounds
from companion.words import Words, labels


@dataclass(frozen=True, slots=True)
class GameMistakes:
    """MISTAKES of a game that is solved: by what a match was lost that was not lost before, in lines."""

    told: Callable[[Match, Words], list[str]] = lambda _match, _words: []


def thrown_away(match: Match, words: Words) -> list[str]:
    """What lost a match that is over, where anybody can know."""
    return part(match.setup.game, "mistakes", GameMistakes).told(match, words)


def headline(words: Words, played: PlayedMatch) -> str:
    """Who has won the match, or why nobody has."""
    outcome: Outcome | None = played.state.outcome
    if played.abandoned is not None:
        return words.say(labels.ABANDONED)
    if outcome is None:
        return words.say(labels.RUNNING)
    match outcome.winners:
        case ():
            return words.say(labels.NOBODY_WON)
        case (winner,):
            return words.say(labels.WINNER, player=winner)
    return words.say(labels.WINNERS, players=outcome.winners)


def reasons(words: Words, played: PlayedMatch) -> tuple[str, ...]:
    """By how much and by what a match was won, a sentence each."""
    outcome: Outcome | None = played.state.outcome
    if outcome is None:
        return ()
    over, out = rounds(played), played.game.out(played.state)
    found = [
        margin(words, played) if len(over) != 1 else "",
        words.say(labels.RAN_OUT, players=out) if out else "",
        round_headline(words, over[-1]) if len(over) > 1 else "",
        words.why(over[-1].ended) if over else words.heard(outcome.reason),
    ]
    return tuple(filter(None, found))


def margin(words: Words, played: PlayedMatch) -> str:
    """By how much: what the winners have, and who is next."""
    outcome: Outcome | None = played.state.outcome
    scores = dict(zip(played.state.players, outcome.scores if outcome else (), strict=False))
    if outcome is None or not outcome.winners or len(scores) == 1:
        return ""
    others = {player: score for player, score in scores.items() if player not in outcome.winners}
    has = scores[outcome.winners[0]]
    if len(outcome.winners) > 1 or not others:
        return words.say(labels.EACH, amount=amount(words, played, has))
    best = (min if played.game.is_fewest_best else max)(others.values())
    following = tuple(player for player, score in others.items() if score == best)
    if played.game.is_fewest_best:
        return words.say(labels.FEWER, amount=amount(words, played, best - has), players=following)
    return words.say(labels.AHEAD, amount=amount(words, played, has), ahead=has - best, players=following)


def amount(words: Words, played: PlayedMatch, count: int) -> str:
    """So many of what the game counts."""
    return words.say(labels.SCORED_IN[played.game.scored_in][1], count=count)


def round_headline(words: Words, over: Round) -> str:
    """Who has won a round."""
    match over.winners:
        case ():
            return words.say(labels.ROUND_DRAWN, round=over.number)
        case (winner,):
            return words.say(labels.ROUND_WON, player=winner, round=over.number)
    return words.say(labels.ROUND_SHARED, players=over.winners, round=over.number)
