"""Triplexity solved, and confirmed by another method: minimax to a fixed depth, over its own picture of the game.

Nothing of the rules engine is used on the other side: a position is a text, "ab/b//a/20" for the stacks from
bottom to top, the colour to move, and the way back that is not allowed.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from companion.core.match import Match, set_up
from companion.core.rules import Advice, AdvisedMove
from companion.display.view import seen
from companion.games.triplexity import rules as triplexity
from companion.games.triplexity import solver
from companion.games.triplexity.mistakes import thrown_away
from companion.games.triplexity.rules import PLACES, START, START_EACH, House, Option, Position, Put, Shift
from companion.games.triplexity.screen import mistake_of
from companion.games.triplexity.solver import DRAW, Value, advice, losing_mistake, solve, value_of, ways
from companion.words import Words

DEEPEST = 12  # plies looked ahead; nothing new is found beyond 5

# --- the other side: own moves, own wins, own search -----------------------------------------------------------

NOTHING = "///a/"


def stacks_of(text: str) -> list[str]:
    return text.split("/")[:3]


def mover_of(text: str) -> str:
    return text.split("/")[3]


def owner_of_three(text: str) -> str:
    """Whose three it is; a look at every line by itself."""
    left, centre, right = stacks_of(text)
    for colour in "ab":
        if colour * 3 in (left, centre, right):
            return colour
        if left.endswith(colour) and centre.endswith(colour) and right.endswith(colour):
            return colour
    return ""


@cache
def next_texts(text: str) -> tuple[str, ...]:
    stacks, mover, back = stacks_of(text), mover_of(text), text.split("/")[4]
    other = "b" if mover == "a" else "a"
    if "".join(stacks).count(mover) < 3:
        return tuple(
            "/".join((*stacks[:to], stacks[to] + mover, *stacks[to + 1 :], other, ""))
            for to in range(3)
            if len(stacks[to]) < 3
        )
    found = []
    for one in range(3):
        for to in range(3):
            if one == to or not stacks[one] or len(stacks[to]) == 3 or back == f"{one}{to}":
                continue
            lies = list(stacks)
            lies[to] += lies[one][-1]
            lies[one] = lies[one][:-1]
            found.append("/".join((*lies, other, f"{to}{one}")))
    return tuple(found)


@cache
def can_force(text: str, colour: str, plies: int) -> bool:
    """Whether the colour can bring about its own three within so many moves of both, whatever the other does."""
    owner = owner_of_three(text)
    if owner or plies == 0:
        return owner == colour
    results = (can_force(following, colour, plies - 1) for following in next_texts(text))
    return any(results) if mover_of(text) == colour else all(results)


def worth(text: str) -> tuple[str, int]:
    for plies in range(DEEPEST + 1):
        for colour in "ab":
            if can_force(text, colour, plies):
                return ("win" if colour == mover_of(text) else "loss"), plies
    return "draw", 0


def all_texts() -> Iterator[str]:
    seen, todo = {NOTHING}, [NOTHING]
    while todo:
        text = todo.pop()
        yield text
        if not owner_of_three(text):
            following = [other for other in next_texts(text) if other not in seen]
            seen.update(following)
            todo += following


def position_of(text: str) -> Position:
    """The same position as the rules engine writes it."""
    *stacks, mover, back = text.split("/")
    on = Counter("".join(stacks))
    colours = tuple(tuple("ab".index(colour) for colour in stack) for stack in stacks)
    way_back = (int(back[0]), int(back[1])) if back else None
    return Position(colours, (3 - on["a"], 3 - on["b"]), "ab".index(mover), way_back)


# --- the same where no piece may go back: each colour is followed by where its own last move began -----------------

# "a-b2" is a piece of a that was never moved, and above it one of b that came from place 2.
NO_WAYS = str.maketrans("", "", "-012")


def next_each(text: str) -> tuple[str, ...]:
    stacks, mover = stacks_of(text), mover_of(text)
    other = "b" if mover == "a" else "a"
    room = [to for to in range(3) if len(stacks[to]) < 6]
    if "".join(stacks).count(mover) < 3:
        return tuple("/".join((*stacks[:to], f"{stacks[to]}{mover}-", *stacks[to + 1 :], other)) for to in room)
    found = []
    for one in range(3):
        for to in room:
            if one == to or not stacks[one] or stacks[one].endswith(str(to)):
                continue
            lies = list(stacks)
            lies[to] += f"{lies[one][-2]}{one}"
            lies[one] = lies[one][:-2]
            found.append("/".join((*lies, other)))
    return tuple(found)


def text_of(position: Position) -> str:
    """A position of the rules engine, written so."""
    stacks = [
        "".join(["ab"[colour] + "012-"[was] for colour, was in zip(stack, came, strict=True)])
        for stack, came in zip(position.stacks, position.came_from, strict=True)
    ]
    return "/".join((*stacks, "ab"[position.mover]))


def test_every_position_where_no_piece_may_go_back() -> None:
    """Each that can be reached has the moves that texts say, and nobody has one where the other has none."""
    positions = {text_of(START_EACH): START_EACH}
    todo, stuck = list(positions), 0
    while todo:
        text = todo.pop()
        position = positions[text]
        if owner_of_three(text.translate(NO_WAYS)):
            continue
        after = (triplexity.after(position, option) for option in triplexity.options(position))
        reached = {text_of(following): following for following in after}
        assert reached.keys() == set(next_each(text))
        if not reached:
            stuck += 1
            assert not triplexity.options(position._replace(mover=1 - position.mover))
        todo += [following for following in reached if following not in positions]
        positions |= reached
    assert (len(positions), stuck) == (68896, 4866)


def test_every_value_where_no_piece_may_go_back_follows_from_the_next_ones() -> None:
    """A win has a way to a loss, a loss only ways to wins, each one move nearer to the end; a draw holds for ever."""
    solved = solve(START_EACH)
    for position, value in solved.items():
        if triplexity.winning(position):
            assert value.moves == 0
            continue
        after = [solved[triplexity.after(position, option)] for option in triplexity.options(position)]
        lost, results = [one.moves for one in after if one.result == "loss"], {one.result for one in after}
        if value.result == "win":
            assert value.moves == 1 + min(lost)
        elif value.result == "loss":
            assert results == {"win"}
            assert value.moves == 1 + max(one.moves for one in after)
        else:
            assert not lost
            assert "draw" in results or not results
    assert len(solved) == 68896
    assert solved[START_EACH] == DRAW
    assert Counter(value.result for value in solved.values()) == {"draw": 42277, "win": 16606, "loss": 10013}
    assert max(value.moves for value in solved.values()) == 36
    assert all(value == DRAW for position, value in solved.items() if sum(position.in_hand) >= 3)


def test_advice_where_no_piece_may_go_back() -> None:
    position = played("c l r r c l", no_return="each").state.position
    told = advice(position)
    assert len(told.ways) == 6
    assert told.value == told.ways[0].value
    assert advice(mirrored(position)) == told  # whoever began


# --- confirmed -------------------------------------------------------------------------------------------------


def test_the_start_is_a_draw() -> None:
    assert value_of(START) == DRAW
    assert worth(NOTHING) == ("draw", 0)


def test_every_reachable_position_has_the_value_that_minimax_finds() -> None:
    solved = solve()
    found = {position_of(text): Value(*worth(text)) for text in all_texts()}
    assert len(found) == 1526
    assert found == solved


def test_positions_by_result_and_moves() -> None:
    """The numbers in docs/triplexity.md."""
    counts = Counter((value.result, value.moves) for value in solve().values())
    assert counts == {
        ("draw", 0): 847,
        ("win", 0): 84,
        ("win", 1): 207,
        ("win", 3): 132,
        ("win", 5): 42,
        ("loss", 0): 112,
        ("loss", 1): 12,
        ("loss", 2): 66,
        ("loss", 4): 24,
    }
    assert max(moves for _, moves in counts) == 5


# --- what follows from it --------------------------------------------------------------------------------------


def mirrored(position: Position) -> Position:
    """The colours exchanged."""
    stacks = tuple(tuple(1 - colour for colour in stack) for stack in position.stacks)
    in_hand = (position.in_hand[1], position.in_hand[0])
    return position._replace(stacks=stacks, in_hand=in_hand, mover=1 - position.mover)


def test_it_makes_no_difference_who_begins() -> None:
    for position, value in solve().items():
        assert value_of(mirrored(position)) == value


def test_the_way_to_the_end_is_as_long_as_the_value_says() -> None:
    for start, value in solve().items():
        if value.result == "draw":
            continue
        position, moves = start, 0
        while ways(position):
            position, moves = triplexity.after(position, ways(position)[0][0]), moves + 1
        won = triplexity.winning(position)
        assert won is not None
        assert moves == value.moves
        assert (won[0] == start.mover) == (value.result == "win")


def test_ways_are_every_legal_move_best_first() -> None:
    for position in solve():
        found = ways(position)
        if triplexity.winning(position):
            assert found == []
            continue
        assert {option for option, _ in found} == set(triplexity.options(position))
        assert found[0][1] == value_of(position)
        ranks = [value.rank for _, value in found]
        assert ranks == sorted(ranks, reverse=True)


def test_better_is_a_quick_win_then_a_draw_then_a_late_loss() -> None:
    values = [
        Value("win", 1),
        Value("win", 3),
        Value("win", 5),
        DRAW,
        Value("loss", 4),
        Value("loss", 2),
        Value("loss", 1),
    ]
    assert sorted(values, key=lambda value: value.rank, reverse=True) == values


def test_a_value_seen_from_the_move_before() -> None:
    assert Value("loss", 4).before() == Value("win", 5)
    assert Value("win", 3).before() == Value("loss", 4)
    assert DRAW.before() == DRAW


def test_the_advice_on_the_start() -> None:
    assert advice(START) == Advice("draw", 0, tuple(AdvisedMove("", place, "draw", 0) for place in PLACES))


# --- the longest forced win, as docs/triplexity.md shows it ----------------------------------------------------


def drawn_up(stacks: str, mover: int = 0, back: tuple[int, int] | None = None) -> Position:
    return Position(
        tuple(tuple("ab".index(letter) for letter in stack) for stack in stacks.split("/")), (0, 0), mover, back
    )


LONGEST = (("centre", "right"), ("left", "centre"), ("left", "centre"), ("right", "left"), ("right", "left"))


def test_the_longest_forced_win() -> None:
    position = drawn_up("abb/a/ba")
    assert value_of(position) == Value("win", 5)
    for number, (source, target) in enumerate(LONGEST):
        option = Option(PLACES.index(source), PLACES.index(target))
        left = 5 - number
        assert value_of(position) == Value("win" if number % 2 == 0 else "loss", left)
        assert (option, value_of(position)) in ways(position)
        if number == 0:
            assert [value.result for _, value in ways(position)] == ["win", "draw", "draw", "loss"]
        position = triplexity.after(position, option)
    assert position == drawn_up("aaa/bb/b", 1, (0, 2))
    assert triplexity.winning(position) == (0, ((0, 0), (0, 1), (0, 2)))


def test_no_position_during_placing_is_won_in_more_than_three() -> None:
    values = [value for position, value in solve().items() if any(position.in_hand) and value.result == "win"]
    assert max(value.moves for value in values) == 3


def test_nothing_is_decided_before_the_fourth_piece_lies() -> None:
    assert all(value == DRAW for position, value in solve().items() if sum(position.in_hand) >= 3)
    assert any(value != DRAW for position, value in solve().items() if sum(position.in_hand) == 2)


# --- a match that was thrown away ------------------------------------------------------------------------------


def played(moves: str, **house: Any) -> Match:
    """Letters for pieces placed, pairs of letters for moves."""
    named = {"l": "left", "c": "centre", "r": "right"}
    match = Match(set_up(triplexity.GAME, ("Ann", "Ben"), House(**house)))
    for number, word in enumerate(moves.split()):
        player = match.state.turn or "Ann"
        if len(word) == 1:
            match.make(Put(player, named[word], at=number))
        else:
            match.make(Shift(player, named[word[0]], named[word[1]], at=number))
    return match


def line_of(match: Match) -> list[tuple[Position, Option]]:
    line, position = [], START
    for done in match.line:
        move = done.move
        source = PLACES.index(move.source) if isinstance(move, Shift) else None
        assert isinstance(move, Shift | Put)
        option = Option(source, PLACES.index(move.target if isinstance(move, Shift) else move.place))
        line.append((position, option))
        position = triplexity.after(position, option)
    return line


def test_the_losing_mistake_of_a_played_match() -> None:
    match = played("l l c r r l cr lc lc rl rl")
    assert match.outcome is not None
    assert match.outcome.winners == ("Ann",)
    mistake = losing_mistake(line_of(match), 1)
    assert mistake == solver.Mistake(5, Option(None, 0), DRAW, Value("loss", 6), Option(None, 1))
    assert losing_mistake(line_of(match), 0) is None
    (line,) = thrown_away(match, Words())
    assert line.strip() == (
        "Move 6 threw it away: Ben placed a piece on the left, after which Ann could force the win "
        "in 5; a piece on the centre kept a draw."
    )


def test_the_last_mistake_counts_where_there_were_several() -> None:
    """Ben is lost after move 6, Ann gives the win away with move 7, and Ben loses again with move 8."""
    match = played("l l c r r l lc lc lr cl cl cl rc")
    assert match.outcome is not None
    assert match.outcome.winners == ("Ann",)
    first, last = losing_mistake(line_of(match)[:6], 1), losing_mistake(line_of(match), 1)
    assert first is not None
    assert last is not None
    assert (first.number, last.number) == (5, 7)
    assert (last.had, last.left, last.better) == (DRAW, Value("loss", 6), Option(0, 2))


def test_a_move_that_completes_the_others_three_is_the_mistake() -> None:
    match = played("l l c r c r lr")
    assert match.outcome is not None
    assert match.outcome.winners == ("Ben",)
    mistake = losing_mistake(line_of(match), 0)
    assert mistake is not None
    assert (mistake.number, mistake.left) == (6, Value("loss", 1))
    assert mistake.had.result != "loss"
    assert "Ann moved left to right, after which Ben had won;" in thrown_away(match, Words())[0]


def test_each_lost_round_has_its_own_mistake() -> None:
    match = played("l c l r l l c l r l", rounds=2)
    assert match.outcome is not None
    assert match.outcome.scores == (1, 1)
    found = thrown_away(match, Words())
    assert [line.split()[1] for line in found] == ["4", "9"]
    assert "Ben placed a piece on the right" in found[0]
    assert "Ann placed a piece on the right" in found[1]


def test_a_round_that_stands_behind_one_without_a_winner_has_its_own_mistake() -> None:
    match = played("l l c r c r lr" + " l c l c r c", rounds=2)
    (whole,) = thrown_away(match, Words())[1:]
    match.correct(7, None)
    (second,) = thrown_away(match, Words())
    assert second == whole.replace("Move 12", "Move 11")
    assert "Move 11 of Ben" in mistake_of(Words("en"), seen(match))
