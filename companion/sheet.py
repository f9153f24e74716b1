"""A match in words: the lines of a replay, the score sheet, the summary of a game's rules."""

from collections.abc import Iterable, Iterator
from typing import Any

from companion import solver
from companion.clocks import shown as time_shown
from companion.entries import said
from companion.games import triplexity
from companion.house import house_rules
from companion.journal import Stored
from companion.marks import Marks, Place, marks
from companion.match import Match
from companion.rules import Event, Foul, Game, Move, Ruling

BELOW = " " * 17  # under what a line says


def ruling_line(number: int, move: Move, ruling: Ruling) -> str:
    """A ruling in one line: number, time, what happened."""
    said = " ".join(ruling.sentences) or f"{move.player or 'The table'}: {move.word}."
    return f"{number:4}  {time_shown(move.at):>9}  {said}"


def foul_line(move: Move, foul: Foul) -> str:
    return f"   ✗  {time_shown(move.at):>9}  {foul.sentence}"


def sheet(stored: Stored) -> str:
    """A score sheet for people."""
    match, found = stored.folded(), marks(stored.setup, stored.entries)
    state = match.state
    changed = [(name, value) for name, value, _, differs in house_rules(match.game, match.setup.house) if differs]
    played = f"began {stored.began or 'some time ago'}, {len(match.line)} moves, {time_shown(match.now)} of play"
    lines = [f"{match.game.title}, match {match.setup.id}", played]
    lines += [f"house rule {name}: {value}" for name, value in changed]
    scores = state.outcome.scores if state.outcome else state.scores
    lines += ["", *_scores(match, scores, found), "", *_put_right(match, found), how_it_ended(match), ""]
    return "\n".join([*lines, *_marked_lines(match, found), *thrown_away(match)])


def _scores(match: Match, scores: tuple[int, ...], found: Marks) -> Iterator[str]:
    names, width = match.setup.names, max(map(len, match.setup.names))
    winners = match.outcome.winners if match.outcome else ()
    by = [
        sum(one.scores_after[seat] - one.scores_before[seat] for one in found.corrections) for seat in range(len(names))
    ]
    for name, score, difference in zip(names, scores, by, strict=True):
        yield f"{'~' if difference else '':2}{name:{width}}  {score:5}{'  winner' if name in winners else ''}"


def _put_right(match: Match, found: Marks) -> Iterator[str]:
    """Each correction that counts."""
    for made in found.corrections:
        before, after = (_named_scores(match, scores) for scores in (made.scores_before, made.scores_after))
        scores = f"scores {after}, before {before}" if before != after else "the scores stay"
        yield f"~ put right at {time_shown(made.at)}: move {made.number}; {scores}"
    if found.corrections:
        yield ""


def _named_scores(match: Match, scores: tuple[int, ...]) -> str:
    return ", ".join(f"{name} {score}" for name, score in zip(match.setup.names, scores, strict=True))


def _marked_lines(match: Match, found: Marks) -> Iterator[str]:
    """The whole line of a match, and what corrections did to it."""
    first, *places = found.places
    yield from _fallen(first)
    for number, (done, place) in enumerate(zip(match.line, places, strict=True), 1):
        yield ruling_line(number, done.move, done.ruling)
        if place.what == "added":
            yield f"{BELOW}~ added by the referee, because its time had come"
        elif place.was and place.differs(done):
            yield f"{BELOW}~ {'adjusted' if done.is_adjusted else place.what}: was {quoted(said(place.was))}"
        yield from _fallen(place)


def _fallen(place: Place) -> Iterator[str]:
    for done in place.fallen:
        yield f"{BELOW}~ does not count any more, {time_shown(done.move.at)}: {quoted(said(done))}"


def quoted(sentences: Iterable[str]) -> str:
    return f'"{" ".join(sentences)}"'


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
    found: list[str] = []
    line: list[tuple[triplexity.Position, triplexity.Option]] = []
    first, before = 1, match.start.state
    for number, done in enumerate(match.line, 1):
        board = triplexity.board_before(before, done.ruling.events)
        if board is not before:
            line, first = [], number
        line.append((_position_to_move(board, done.move), _option(done.move)))
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
    return any(isinstance(event, triplexity.DrawnByRepetition | triplexity.NobodyCanMove) for event in events)


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
