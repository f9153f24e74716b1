"""A match in words: the lines of a replay, the score sheet, the summary of a game's rules."""

from collections.abc import Iterator
from typing import Any

from companion import solver
from companion.clocks import shown as time_shown
from companion.games import triplexity
from companion.house import house_rules
from companion.match import Match
from companion.rules import Event, Foul, Game, Move, Ruling


def ruling_line(number: int, move: Move, ruling: Ruling) -> str:
    """A ruling in one line: number, time, what happened."""
    said = " ".join(ruling.sentences) or f"{move.player or 'The table'}: {move.word}."
    return f"{number:4}  {time_shown(move.at):>9}  {said}"


def foul_line(move: Move, foul: Foul) -> str:
    return f"   ✗  {time_shown(move.at):>9}  {foul.sentence}"


def match_lines(match: Match) -> Iterator[str]:
    """The whole line of a match."""
    for number, done in enumerate(match.line, 1):
        yield ruling_line(number, done.move, done.ruling)


def sheet(match: Match, began: str = "") -> str:
    """A score sheet for people."""
    names, state = match.setup.names, match.state
    changed = [(name, value) for name, value, _, differs in house_rules(match.game, match.setup.house) if differs]
    played = f"began {began or 'some time ago'}, {len(match.line)} moves, {time_shown(match.now)} of play"
    lines = [f"{match.game.title}, match {match.setup.id}", played]
    lines += [f"house rule {name}: {value}" for name, value in changed]
    width = max(map(len, names))
    winners = state.outcome.winners if state.outcome else ()
    scores = state.outcome.scores if state.outcome else state.scores
    lines += [
        "",
        *(
            f"  {name:{width}}  {score:5}{'  winner' if name in winners else ''}"
            for name, score in zip(names, scores, strict=True)
        ),
        "",
        how_it_ended(match),
        "",
    ]
    return "\n".join([*lines, *match_lines(match), *thrown_away(match)])


def how_it_ended(match: Match) -> str:
    if match.outcome:
        shared = "shared by" if len(match.outcome.winners) > 1 else "won by"
        winners = " and ".join(match.outcome.winners)
        return f"{match.outcome.reason} The match is {f'{shared} {winners}' if winners else 'drawn'}."
    if match.abandoned:
        return " ".join(f"Abandoned. {match.abandoned.why}".split())
    return "The match is still running."


def thrown_away(match: Match) -> list[str]:
    """For each lost round of Triplexity, the move that threw it away."""
    if match.setup.game != "triplexity":
        return []
    found, line, first = [], [], 1
    before = match.start.state
    for number, done in enumerate(match.line, 1):
        line.append((_position_to_move(before, done.move), _option(done.move)))
        won = next((event for event in done.ruling.events if isinstance(event, triplexity.ThreeOfAColour)), None)
        if won:
            found.append(_mistake_line(match, line, first, won))
        if won or _round_ended(done.ruling.events):
            line, first = [], number + 1
        before = done.ruling.state
    return found


def _mistake_line(
    match: Match, line: list[tuple[triplexity.Position, triplexity.Option]], first: int, won: triplexity.ThreeOfAColour
) -> str:
    loser = 1 - match.setup.names.index(won.owner)
    mistake = solver.losing_mistake(line, loser)
    if mistake is None:
        last = first + len(line) - 1
        return f"      {match.setup.names[loser]} made no losing mistake in the round that ended with move {last}."
    to_go = mistake.left.moves - 1
    then = f"could force the win in {to_go}" if to_go else "had won"
    return (
        f"      Move {first + mistake.number} threw it away: {match.setup.names[loser]} "
        f"{solver.done(mistake.made)}, after which {won.owner} {then}; "
        f"{solver.named(mistake.better)} kept a {mistake.had.result}."
    )


def _round_ended(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, triplexity.DrawnByRepetition) for event in events)


def _position_to_move(state: Any, move: Move) -> triplexity.Position:
    position: triplexity.Position = state.position
    return position._replace(mover=state.players.index(move.player))


def _option(move: Move) -> triplexity.Option:
    places = triplexity.PLACES
    if isinstance(move, triplexity.Put):
        return triplexity.Option(None, places.index(move.place))
    assert isinstance(move, triplexity.Shift)
    return triplexity.Option(places.index(move.source), places.index(move.target))


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
