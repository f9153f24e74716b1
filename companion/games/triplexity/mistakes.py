"""For each lost round of Triplexity, the move that threw it away, in lines."""

from typing import Any

from companion.core.match import Match
from companion.core.rules import Move
from companion.games.triplexity import rules as triplexity
from companion.games.triplexity import solver
from companion.games.triplexity import words as own
from companion.games.triplexity.rules import PLACES, Option
from companion.reports.ending import GameMistakes
from companion.words import Words

Line = list[tuple[triplexity.Position, Option]]


def thrown_away(match: Match, words: Words) -> list[str]:
    found: list[str] = []
    line: Line = []
    first, before = 1, match.start.state
    for number, done in enumerate(match.line, 1):
        board = triplexity.board_before(before, done.ruling.events)
        if board is not before:
            line, first = [], number
        line.append((_position_to_move(board, done.move), _option(done.move)))
        ended = next((event for event in done.ruling.events if event.round_winners is not None), None)
        if isinstance(ended, triplexity.ThreeOfAColour):
            found.append(f"      {_mistake(match, line, first, ended.owner, words)}")
        if ended:
            line, first = [], number + 1
        before = done.ruling.state
    return found


def _mistake(match: Match, line: Line, first: int, winner: str, words: Words) -> str:
    seat = 1 - match.setup.names.index(winner)
    loser, mistake = match.setup.names[seat], solver.losing_mistake(line, seat)
    if mistake is None:
        return words.say(own.NO_MISTAKE, player=loser, number=first + len(line) - 1)
    to_go = mistake.left.moves - 1
    return words.say(
        own.THREW_AWAY,
        number=first + mistake.number,
        made=_made(words, loser, mistake.made),
        then=words.say(own.COULD_FORCE if to_go else own.HAD_WON, player=winner, count=to_go),
        better=words.say(own.KEPT[mistake.had.result], move=_named(words, mistake.better)),
    )


def _made(words: Words, player: str, option: Option) -> str:
    target = words.value(PLACES[option.target])
    if option.source is None:
        return words.say(own.HAS_PLACED, player=player, target=target)
    return words.say(own.HAS_MOVED, player=player, source=words.value(PLACES[option.source]), target=target)


def _named(words: Words, option: Option) -> str:
    target = words.value(PLACES[option.target])
    if option.source is None:
        return words.say(own.PIECE_ON, target=target)
    return words.say(own.FROM_TO, source=words.value(PLACES[option.source]), target=target)


def _position_to_move(state: Any, move: Move) -> triplexity.Position:
    position: triplexity.Position = state.position
    return position._replace(mover=state.players.index(move.player))


def _option(move: Move) -> Option:
    if isinstance(move, triplexity.Put):
        return Option(None, PLACES.index(move.place))
    assert isinstance(move, triplexity.Shift)
    return Option(PLACES.index(move.source), PLACES.index(move.target))


MISTAKES = GameMistakes(thrown_away)
