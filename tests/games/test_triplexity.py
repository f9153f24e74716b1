"""Triplexity: moving, winning, pips and points, rounds, the draw by repetition, every foul."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import HouseRuleError
from companion.core.house import house_as_kept
from companion.core.rules import Ended, Foul, May, Move, Ruling, Turn
from companion.games.triplexity import rules as triplexity
from companion.games.triplexity.rules import (
    GAME,
    HIGHEST,
    PIECES,
    PLACES,
    START,
    CameFrom,
    DrawnByRepetition,
    House,
    NextRound,
    NobodyCanMove,
    Option,
    Piece,
    Placed,
    Position,
    Put,
    Shift,
    Shifted,
    State,
    ThreeOfAColour,
    Ways,
    options,
    rule,
    start,
    winning,
)
from companion.games.triplexity.rules import after as position_after
from tests.games.sources import source_of

NAMES = ("Ann", "Bob")
L, C, R = PLACES


def begun(**house: Any) -> State:
    state: State = start(NAMES, House(**house)).state
    return state


def after(state: State, *moves: Move) -> State:
    for move in moves:
        state = rule(state, move).state
    return state


def placed(state: State, places: str, ups: str = "") -> State:
    """Pieces placed in turn, a letter for a place and a digit for the pips that show."""
    named = {"l": L, "c": C, "r": R}
    for number, letter in enumerate(places):
        player = state.turn or "Ann"
        state = after(state, Put(player, named[letter], int(ups[number]) if ups else 0))
    return state


def lying(stacks: str, mover: int = 0, back: tuple[int, int] | None = None) -> Position:
    """'ab/b/aba' for three stacks, each from bottom to top; what is not there is in hand."""
    colours = tuple(tuple("ab".index(letter) for letter in stack) for stack in stacks.split("/"))
    on = Counter(colour for stack in colours for colour in stack)
    return Position(colours, (PIECES - on[0], PIECES - on[1]), mover, back)


def table(
    stacks: str,
    mover: int = 0,
    *,
    back: tuple[int, int] | None = None,
    came_from: CameFrom = (),
    **house: Any,
) -> State:
    """All pieces on the table, Ann to move; in the advanced game with 1, 2, 3 showing from bottom to top."""
    state = begun(**house)
    faces = [iter(hand) for hand in state.in_hand]
    lies = tuple(tuple(next(faces[colour]) for colour in stack) for stack in lying(stacks).stacks)
    state = replace(state, phase="move", mover=mover, starter=0, back=back, came_from=came_from)
    return replace(state, stacks=lies, in_hand=((), ()))


def refused(state: State, move: Move) -> Foul:
    before = repr(state)
    with pytest.raises(Foul) as caught:
        rule(state, move)
    assert repr(state) == before
    assert caught.value.player == move.player
    assert caught.value.sentence.endswith(".")
    assert "{" not in caught.value.sentence
    return caught.value


def won(ruling: Ruling) -> ThreeOfAColour:
    return next(event for event in ruling.events if isinstance(event, ThreeOfAColour))


# --- placing ---------------------------------------------------------------------------------------------------


def test_two_players_with_three_pieces_each() -> None:
    assert GAME.players == (2, 2)
    state = begun()
    assert [len(hand) for hand in state.in_hand] == [3, 3]
    assert (state.phase, state.turn) == ("place", "")


@pytest.mark.parametrize("player", NAMES)
def test_whoever_places_first_begins(player: str) -> None:
    other = next(name for name in NAMES if name != player)
    ruling = start(NAMES, House())
    assert ruling.may[0].players == NAMES
    ruling = rule(ruling.state, Put(player, C))
    assert ruling.events == (Placed(player, C, Piece(player)), Turn(other))
    assert ruling.may == (May("put", (other,), (Ways("", L), Ways("", C), Ways("", R))),)


def test_pieces_are_placed_in_turn_until_all_six_lie() -> None:
    state = begun()
    for number, place in enumerate((L, C, R, L, C, R)):
        assert state.phase == "place"
        state = after(state, Put(NAMES[number % 2], place))
    assert state.phase == "move"
    assert state.in_hand == ((), ())
    assert state.turn == "Ann"
    assert state.position == lying("ab/ba/ab")


def test_stacks_are_at_most_three_high() -> None:
    state = placed(begun(), "lll")
    foul = refused(state, Put("Bob", L))
    assert (foul.code, foul.sentence) == ("stack-full", "Bob cannot place on the left: three pieces lie there already.")
    assert options(state.position) == (Option(None, 1), Option(None, 2))


def test_a_stack_of_one_colour_wins_during_placing() -> None:
    ruling = rule(placed(begun(), "lclr"), Put("Ann", L))
    assert won(ruling).owner == "Ann"
    assert ruling.state.outcome.winners == ("Ann",)


def test_one_colour_on_all_tops_wins_during_placing() -> None:
    ruling = rule(placed(begun(), "lccr"), Put("Ann", R))  # a / ba / b: the third place is not Ann's yet
    assert won(ruling) == ThreeOfAColour("Ann", "on top of all three places", ((L, 0), (C, 1), (R, 1)), (0, 0, 0), 1)
    ruling = rule(placed(begun(), "llcrc"), Put("Bob", C))  # the last piece of all
    assert won(ruling).owner == "Bob"


# --- moving ----------------------------------------------------------------------------------------------------


def test_any_top_piece_of_either_colour_may_be_moved() -> None:
    state = placed(begun(), "lclrrc")  # aa / bb / ba
    assert state.position == lying("aa/bb/ba")
    assert options(state.position) == tuple(Option(one, two) for one, two in permutations(range(3), 2))
    ruling = rule(state, Shift("Ann", C, L))
    assert ruling.events[0] == Shifted("Ann", "Bob", Piece("Bob"), C, L)
    assert ruling.state.position == lying("aab/b/ba", 1, (0, 1))


def test_the_piece_moved_last_may_not_go_back() -> None:
    state = after(placed(begun(), "lclrrc"), Shift("Ann", C, L))
    foul = refused(state, Shift("Bob", L, C))
    assert foul.code == "moved-back"
    assert foul.sentence == "Bob cannot move the piece that was moved last back from the left to the centre."
    assert Option(0, 1) not in options(state.position)
    assert rule(state, Shift("Bob", L, R))


def test_the_way_back_is_open_again_after_another_move() -> None:
    state = after(placed(begun(), "lclrrc"), Shift("Ann", C, L), Shift("Bob", R, C))
    assert Option(0, 1) in options(state.position)
    assert Option(1, 2) not in options(state.position)


def test_the_first_move_after_placing_is_free() -> None:
    assert placed(begun(), "lclrrc").back is None


@pytest.mark.parametrize(
    ("stacks", "source", "target", "how"),
    [
        ("ab/aa/bb", L, R, "in one stack"),
        ("abb/ab/a", L, R, "on top of all three places"),
        ("abb/aab/", L, R, "on top of all three places"),
    ],
)
def test_a_colour_wins_even_if_the_other_player_moved_it(stacks: str, source: str, target: str, how: str) -> None:
    ruling = rule(table(stacks), Shift("Ann", source, target))
    assert (won(ruling).owner, won(ruling).how) == ("Bob", how)
    assert ruling.state.outcome.winners == ("Bob",)
    assert ruling.state.outcome.scores == (0, 1)


def test_the_piece_just_moved_is_always_one_of_the_three() -> None:
    for position in every_position():
        for option in options(position) if winning(position) is None else ():
            found = winning(position_after(position, option))
            assert found is None or (option.target, len(position.stacks[option.target])) in found[1]


# --- every position --------------------------------------------------------------------------------------------


def every_position() -> Iterator[Position]:
    seen, todo = {START}, [START]
    while todo:
        position = todo.pop()
        yield position
        if winning(position) is None:
            following = {position_after(position, option) for option in options(position)} - seen
            seen |= following
            todo += following


def test_there_is_always_a_move() -> None:
    assert all(options(position) for position in every_position())


def test_a_stack_and_all_tops_of_one_colour_never_come_together() -> None:
    """A stack takes all three pieces of its colour. So there are never two ways to win between which to choose."""
    both = stacked = topped = 0
    for position in every_position():
        one = [stack[0] for stack in position.stacks if len(stack) == HIGHEST and len(set(stack)) == 1]
        tops = {stack[-1] for stack in position.stacks} if all(position.stacks) else {0, 1}
        stacked, topped = stacked + bool(one), topped + (len(tops) == 1)
        both += len(one) + (len(tops) == 1) > 1
    assert both == 0
    assert (stacked, topped) == (63, 133)


def test_winning_agrees_with_looking_at_all_six_triples_of_pieces() -> None:
    for position in every_position():
        stacks = [[*stack, None, None, None] for stack in position.stacks]
        lines = [stacks[place][:3] for place in range(3)]
        lines.append([stack[-1] if stack else None for stack in position.stacks])
        owners = {line[0] for line in lines if line[0] is not None and len(set(line)) == 1}
        found = winning(position)
        assert owners == ({found[0]} if found else set())


# --- points, rounds --------------------------------------------------------------------------------------------


def test_in_the_basic_game_a_round_is_one_point() -> None:
    ruling = rule(table("ab/aa/bb", rounds=3), Shift("Ann", L, R))
    assert ruling.state.points == (0, 1)
    assert ruling.events[-1] == NextRound(2, "Bob")
    assert ruling.state.position == START._replace(mover=1)
    assert ruling.state.turn == "Bob"  # who did not begin the first


def test_pieces_are_placed_either_way_up() -> None:
    state = placed(begun(play="advanced"), "lcr", "625")
    assert state.stacks == ((Piece("Ann", 6, 1),), (Piece("Bob", 2, 5),), (Piece("Ann", 5, 2),))
    assert state.in_hand == ((Piece("Ann", 3, 4),), (Piece("Bob", 1, 6), Piece("Bob", 3, 4)))


def test_every_move_turns_the_piece_over() -> None:
    state = placed(begun(play="advanced"), "lclrrc", "162534")
    top = state.stacks[1][-1]
    moved = rule(state, Shift("Ann", C, L))
    assert moved.state.stacks[0][-1] == top.turned() == Piece("Bob", 3, 4)
    assert moved.events[0] == Shifted("Ann", "Bob", Piece("Bob", 3, 4), C, L)
    again = after(moved.state, Shift("Bob", L, R))
    assert again.stacks[2][-1] == top


@pytest.mark.parametrize(("covered", "pips", "points"), [(True, (2, 3, 6), 11), (False, (6,), 6)])
def test_a_winning_stack_scores_its_pips(covered: bool, pips: tuple[int, ...], points: int) -> None:
    """Bob's 1 is moved onto 2 and 3, and so shows 6."""
    state = table("ab/aa/bb", play="advanced", rounds=2, count_covered=covered)
    ruling = rule(state, Shift("Ann", L, R))
    assert won(ruling) == ThreeOfAColour("Bob", "in one stack", ((R, 0), (R, 1), (R, 2)), pips, points)
    assert ruling.state.points == (0, points)


@pytest.mark.parametrize("covered", [True, False])
def test_winning_tops_score_their_pips_whatever_lies_below(covered: bool) -> None:
    ruling = rule(table("abb/ab/a", play="advanced", rounds=2, count_covered=covered), Shift("Ann", L, R))
    assert won(ruling).pips == (1, 3, 5)
    assert ruling.state.points == (0, 9)


def test_other_faces_by_the_house_rule() -> None:
    state = placed(begun(play="advanced", faces=("1/2", "3/4", "5/6")), "lc", "46")
    assert state.stacks[0] == (Piece("Ann", 4, 3),)
    assert state.stacks[1] == (Piece("Bob", 6, 5),)
    assert refused(placed(state, "r", "1"), Put("Bob", L, 5)).code == "no-such-face"


@pytest.mark.parametrize(
    "faces",
    [
        (),
        ("1/6", "2/5"),
        ("1/6", "2/5", "3/3"),
        ("1/6", "2/5", "3/4", "1/6"),
        ("1/6", "2/5", "34"),
        ("1/6", "2/5", "3/x"),
        ("16", "25", "34"),
        ("1/2/3", "4", "5/6"),
        ("1", "2/3", "4/5/6"),
    ],
)
def test_faces_that_no_die_has(faces: tuple[str, ...]) -> None:
    with pytest.raises(HouseRuleError, match="share out the six faces"):
        House(faces=faces)


def test_the_match_ends_with_the_agreed_rounds() -> None:
    state = begun(rounds=3)
    for number in range(3):
        assert state.rounds_played == number
        state = placed(state, "lclrl") if number % 2 == 0 else won_by_bob(state)
    assert state.phase == "over"
    assert state.points == (2, 1)
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.reason) == (("Ann",), "All rounds are played.")


def won_by_bob(state: State) -> State:
    """Bob begins and stacks his three on the left."""
    return after(state, Put("Bob", L), Put("Ann", C), Put("Bob", L), Put("Ann", R), Put("Bob", L))


def test_players_begin_by_turns() -> None:
    state = begun(rounds=3)
    state = placed(state, "lclrl")
    assert state.turn == "Bob"
    state = won_by_bob(state)
    assert state.turn == "Ann"


def test_equal_points_share_the_match() -> None:
    state = won_by_bob(placed(begun(rounds=2), "lclrl"))
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.scores) == (NAMES, (1, 1))


def test_the_match_ends_with_the_agreed_points() -> None:
    state = table("ab/aa/bb", play="advanced", rounds=100, points=11)
    ruling = rule(state, Shift("Ann", L, R))
    assert ruling.state.outcome.reason == "11 points reached."
    assert isinstance(ruling.events[-1], Ended)
    assert ruling.may == ()
    state = table("ab/aa/bb", play="advanced", rounds=100, points=12)
    assert rule(state, Shift("Ann", L, R)).state.outcome is None


def test_with_points_agreed_there_is_no_number_of_rounds() -> None:
    state = begun(points=3)  # rounds is 1, as always
    for number in range(4):
        assert (state.outcome, state.rounds_played) == (None, number)
        state = placed(state, "lclrl") if number % 2 == 0 else won_by_bob(state)
    assert (state.outcome, state.points) == (None, (2, 2))
    state = placed(state, "lclrl")
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.reason) == (("Ann",), "3 points reached.")


def test_points_are_reached_in_the_first_round() -> None:
    state = placed(begun(points=1), "lclrl")
    assert state.outcome is not None
    assert state.outcome.reason == "1 points reached."


@pytest.mark.parametrize(("rounds", "reason"), [(1, "The round is over."), (2, "All rounds are played.")])
def test_a_match_from_before_ends_with_its_rounds_too(rounds: int, reason: str) -> None:
    house = house_as_kept(GAME, {"points": 3, "rounds": rounds})
    state: State = start(NAMES, house).state
    for number in range(rounds):
        assert state.outcome is None
        state = placed(state, "lclrl") if number % 2 == 0 else won_by_bob(state)
    assert state.outcome is not None
    assert state.outcome.reason == reason


# --- no piece may go back --------------------------------------------------------------------------------------


def test_no_piece_goes_back_to_where_its_own_last_move_began() -> None:
    """The piece on the right was moved two moves ago: by default it might go back."""
    state = after(placed(begun(no_return="each"), "lcrrcl"), Shift("Ann", R, L))
    state = after(state, Shift("Bob", C, R), Shift("Ann", L, C))
    assert state.came_from == ((-1, -1), (-1, 0), (-1, 1))
    assert state.closed == ((1, 0), (2, 1))
    foul = refused(state, Shift("Bob", R, C))
    assert foul.code == "moved-back"
    assert foul.sentence == "Bob cannot move this piece back from the right to the centre: it came from there."
    assert refused(state, Shift("Bob", C, L)).sentence == (
        "Bob cannot move the piece that was moved last back from the centre to the left."
    )


def test_the_way_back_stays_closed_until_the_piece_itself_is_moved() -> None:
    state = table("ab/ba/ab", no_return="each", came_from=((-1, 2), (-1, -1), (-1, -1)))
    assert Option(0, 2) not in options(state.position)
    state = after(state, Shift("Ann", C, R), Shift("Bob", R, L), Shift("Ann", L, C))
    assert Option(0, 2) not in options(state.position)
    state = after(state, Shift("Bob", L, C), Shift("Ann", R, L))
    assert refused(state, Shift("Bob", L, R)).code == "moved-back"


def test_a_piece_that_was_never_moved_is_free() -> None:
    state = placed(begun(no_return="each"), "lclrrc")
    assert state.closed == ()
    assert options(state.position) == tuple(Option(one, two) for one, two in permutations(range(3), 2))


@pytest.mark.parametrize("house", [{}, {"rounds": 2}])
def test_who_has_no_move_passes_and_so_does_the_other(house: dict[str, int]) -> None:
    """Two full stacks whose top pieces came from the third place: there is room nowhere else."""
    state = after(placed(begun(no_return="each", **house), "lcrrlc"), Shift("Ann", L, R))
    ruling = rule(state, Shift("Bob", L, C))
    assert ruling.events[1] == NobodyCanMove("Ann", "Bob")
    assert ruling.events[1].sentence == "Ann has no move and passes, and Bob has none either: the round is drawn."
    if house:
        assert ruling.events[2] == NextRound(2, "Bob")
        assert ruling.state.came_from == ((), (), ())
    else:
        assert ruling.state.outcome.winners == ()
        assert ruling.state.outcome.scores == (0, 0)


def test_in_a_match_to_points_a_drawn_round_is_followed_by_another() -> None:
    state = after(placed(begun(no_return="each", points=1), "lcrrlc"), Shift("Ann", L, R), Shift("Bob", L, C))
    assert (state.outcome, state.rounds_played, state.turn) == (None, 1, "Bob")


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.sampled_from(["basic", "advanced"]))
def test_no_piece_goes_back_agrees_with_following_each_piece_by_name(seed: int, play: str) -> None:
    """Another picture of the game: six pieces with names, each knowing its place, its level and where it was before."""
    random = Random(seed)
    ruling = start(NAMES, House(no_return="each", play=play, repetition_draw=True))
    lies: list[list[str]] = [[], [], []]
    was: dict[str, int] = {}
    ups: dict[str, int] = {}
    for number in range(6):
        place = random.choice([one for one in range(3) if len(lies[one]) < HIGHEST])
        name = f"{'ab'[number % 2]}{number // 2}"
        faces = [face for piece in ruling.state.in_hand[number % 2] for face in (piece.up, piece.down)]
        ups[name] = random.choice(faces)
        ruling = rule(ruling.state, Put(NAMES[number % 2], PLACES[place], ups[name]))
        lies[place].append(name)
        if ruling.state.outcome:
            return
    while not ruling.state.outcome:
        state, legal = ruling.state, set()
        for one, two in product(range(3), repeat=2):
            free = one != two and lies[one] and len(lies[two]) < HIGHEST and was.get(lies[one][-1]) != two
            if free:
                legal.add((PLACES[one], PLACES[two]))
            else:
                refused(state, Shift(state.turn, PLACES[one], PLACES[two]))
        assert {(way.source, way.target) for way in ruling.may[0].choices} == legal
        one, two = (PLACES.index(place) for place in random.choice(sorted(legal)))
        ruling = rule(state, Shift(state.turn, PLACES[one], PLACES[two]))
        name = lies[one].pop()
        lies[two].append(name)
        was[name], ups[name] = one, 7 - ups[name] if play == "advanced" else 0
        if not ruling.state.outcome:
            shown = [[piece.up for piece in stack] for stack in ruling.state.stacks]
            assert shown == [[ups[name] for name in stack] for stack in lies]


# --- the draw by repetition ------------------------------------------------------------------------------------


def round_and_round(state: State, times: int) -> Ruling:
    """One piece goes round the three places: six moves until everything is as it was, the mover too."""
    ruling = Ruling(state, (), ())
    for number in range(times):
        source, target = PLACES[number % 3], PLACES[(number + 1) % 3]
        ruling = rule(ruling.state, Shift(ruling.state.turn, source, target))
    return ruling


@pytest.mark.parametrize("play", ["basic", "advanced"])
def test_the_same_position_for_the_third_time_is_a_draw(play: str) -> None:
    state = table("aba/b/ba", play=play, repetition_draw=True)
    # First seen after move 1; then after every sixth move, whichever way up: six moves turn a piece over six times.
    before = round_and_round(state, 12)
    assert before.state.outcome is None
    ruling = round_and_round(state, 13)
    assert DrawnByRepetition() in ruling.events
    outcome = ruling.state.outcome
    assert (outcome.winners, outcome.scores) == ((), (0, 0))


def test_without_the_house_rule_play_goes_on() -> None:
    ruling = round_and_round(table("aba/b/ba"), 61)
    assert ruling.state.outcome is None
    assert ruling.state.seen == begun().seen


def test_a_draw_by_repetition_uses_up_a_round() -> None:
    ruling = round_and_round(table("aba/b/ba", repetition_draw=True, rounds=2), 13)
    assert ruling.events[-1] == NextRound(2, "Bob")
    assert ruling.state.points == (0, 0)
    assert ruling.state.seen == begun().seen  # counting begins anew


def test_another_mover_or_another_way_back_is_another_position() -> None:
    state = table("aba/b/ba", repetition_draw=True)
    assert round_and_round(state, 4).state.outcome is None
    counted = [
        count
        for branch in round_and_round(state, 6).state.seen
        if branch
        for leaf in branch
        if leaf
        for _, count in leaf
    ]
    assert counted == [1] * 6  # three places, each with either player to move


@settings(max_examples=150)
@given(st.integers(0, 2**32), st.sampled_from(["basic", "advanced"]))
def test_repetition_agrees_with_counting_in_a_plain_table(seed: int, play: str) -> None:
    """Wins are shunned, so that positions come again; with another way back they are other positions."""
    random, state = Random(seed), table("aba/b/ba", play=play, repetition_draw=True)
    times: Counter[Any] = Counter()
    for _ in range(400):
        quiet = [option for option in options(state.position) if not winning(position_after(state.position, option))]
        if not quiet:
            return
        source, target = random.choice(quiet)
        assert source is not None
        ruling = rule(state, Shift(state.turn, PLACES[source], PLACES[target]))
        state = ruling.state
        key = (state.stacks, state.mover, state.back)
        times[key] += 1
        assert (DrawnByRepetition() in ruling.events) == (times[key] == 3)
        if state.outcome:
            return


# --- fouls -----------------------------------------------------------------------------------------------------

MOVED = after(placed(begun(), "lclrrc"), Shift("Ann", C, L))
OVER = rule(table("ab/aa/bb"), Shift("Ann", L, R)).state

FOULS: list[tuple[str, State, Move]] = [
    ("match-over", OVER, Put("Ann", L)),
    ("match-over", OVER, Shift("Bob", L, C)),
    ("not-your-turn", placed(begun(), "l"), Put("Ann", L)),
    ("not-your-turn", MOVED, Shift("Ann", L, R)),
    ("all-placed", MOVED, Put("Bob", C)),
    ("no-pips", start(("Ann", "Bob"), House()).state, Put("Ann", C, 3)),
    ("place-first", begun(), Shift("Ann", L, C)),
    ("no-such-place", begun(), Put("Ann", "middle")),
    ("no-such-place", MOVED, Shift("Bob", "", C)),
    ("no-such-place", MOVED, Shift("Bob", L, "Left")),
    ("stack-full", placed(begun(), "lll"), Put("Bob", L)),
    ("stack-full", MOVED, Shift("Bob", R, L)),
    ("same-place", MOVED, Shift("Bob", C, C)),
    ("place-empty", table("aba/bab/"), Shift("Ann", R, C)),
    ("moved-back", MOVED, Shift("Bob", L, C)),
    ("no-such-face", begun(play="advanced"), Put("Ann", L)),
    ("no-such-face", begun(play="advanced"), Put("Ann", L, 7)),
    ("no-such-face", placed(begun(play="advanced"), "lc", "11"), Put("Ann", L, 6)),
]


@pytest.mark.parametrize(("code", "state", "move"), FOULS)
def test_a_foul_says_why_and_changes_nothing(code: str, state: State, move: Move) -> None:
    assert refused(state, move).code == code


def test_every_foul_of_the_game_is_shown_above() -> None:
    known = set(re.findall(r'[Ff]oul\(\s*"([a-z-]+)"', source_of(triplexity)))
    assert known == {code for code, _, _ in FOULS}


def test_exactly_the_options_are_legal() -> None:
    """Of all nine ways from a place to a place, in every position with all pieces on the table."""
    tried = 0
    for position in every_position():
        if winning(position) is not None or any(position.in_hand):
            continue
        shown = "/".join("".join("ab"[colour] for colour in stack) for stack in position.stacks)
        state = table(shown, position.mover, back=position.back)
        for source, target in product(range(3), repeat=2):
            move = Shift(state.turn, PLACES[source], PLACES[target])
            if may_move(position, source, target):
                ruling = rule(state, move)
                assert ruling.state.outcome or ruling.state.position == position_after(position, Option(source, target))
            else:
                refused(state, move)
            tried += 1
    assert tried == 9 * 1143


def may_move(position: Position, source: int, target: int) -> bool:
    """The sheet: any top piece to another place with room, but never straight back."""
    was_moved_there = position.back is not None and position.back[0] == source
    return (
        source != target
        and len(position.stacks[source]) > 0
        and len(position.stacks[target]) < 3
        and not (was_moved_there and position.back is not None and position.back[1] == target)
    )
