"""A match: undo, pause, corrections, what is kept and when; and that the entries kept make the match again."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.clocks import SECOND
from companion.core.correction import Change, Done
from companion.core.entry import Abandoned, Corrected, Entry, Made, Paused, Redone, Resumed, Undone
from companion.core.errors import CompanionError, MatchError, PlayersError, TimeError
from companion.core.match import COLOURS, Match, Player, set_up
from companion.core.referee import Referee
from companion.core.rules import Foul, Move
from companion.games import NAMES, game
from companion.games.three import rules as three
from companion.games.three.rules import Begin, Call, Check, Declare, Play, Release, Strike
from companion.games.threepia import rules as threepia
from companion.games.triple3 import rules as triple3
from companion.games.triplexity import rules as triplexity
from companion.reports.telling import Telling
from simulator.playing import play_out, seated

E, S, J, H = "Ember", "Sky", "Juniper", "Honey"


def at_three(*moves: Move, count: int = 2, keep: Callable[[Entry, Any], None] | None = None) -> Match:
    """A match of Three!, Ann begins; a second between moves that bring no time."""
    setup = set_up(three.GAME, ("Ann", "Bob", "Cleo")[:count], three.House())
    match = Match(setup, keep) if keep else Match(setup)
    for move in (Begin("Ann"), *moves):
        match.make(move if move.at else replace(move, at=match.now + SECOND))
    return match


def everything(match: Match) -> tuple[Any, ...]:
    """All that a match is, to be compared."""
    return (tuple(match.line), match.state, match.now, match.paused, match.abandoned, tuple(match.history.undone))


def unharmed(match: Match, wrong: type[Exception], doing: Callable[[], Any]) -> str:
    before = everything(match)
    with pytest.raises(wrong) as caught:
        doing()
    assert everything(match) == before
    assert str(caught.value).endswith(".")
    return str(caught.value)


# --- who plays -------------------------------------------------------------------------------------------------


def test_players_get_seats_and_colours() -> None:
    setup = set_up(three.GAME, ["Ann", " Bob ", "Cleo"], three.House())
    assert setup.players == (Player("Ann", "red"), Player("Bob", "blue"), Player("Cleo", "yellow"))
    assert setup.names == ("Ann", "Bob", "Cleo")
    chosen = set_up(three.GAME, ["Ann", "Bob"], three.House(), colours=["green", "white"])
    assert [player.colour for player in chosen.players] == ["green", "white"]
    assert set_up(three.GAME, ["A", "B"], three.House()).id != setup.id


@pytest.mark.parametrize("name", NAMES)
def test_only_as_many_players_as_the_game_allows(name: str) -> None:
    fewest, most = game(name).players
    people = [f"P{number}" for number in range(10)]
    for count in range(10):
        if fewest <= count <= most:
            assert len(set_up(game(name), people[:count], game(name).house()).players) == count
        else:
            with pytest.raises(PlayersError, match=rf"players, not {count}\.$"):
                set_up(game(name), people[:count], game(name).house())
    assert len(COLOURS) >= most


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["Ann", "Ann"], "Two players are called Ann"),
        (["Ann", "Ann "], "Two players are called Ann"),
        (["Ann", ""], "1 to 60 printable characters, not ''"),
        (["Ann", "  "], "1 to 60 printable"),
        (["Ann", "x" * 61], "1 to 60 printable"),
        (["Ann", "B\nb"], "1 to 60 printable"),
        (["Ann", "B\udcff"], "1 to 60 printable"),
        (["Ann"], "needs 2 to 4 players, not 1"),
        ([], "not 0"),
    ],
)
def test_names_that_nobody_can_have(names: list[str], says: str) -> None:
    with pytest.raises(PlayersError, match=says):
        set_up(three.GAME, names, three.House())


@pytest.mark.parametrize("colours", [["red"], ["red", "red"], ["red", "blue", "green"]])
def test_colours_must_differ(colours: list[str]) -> None:
    with pytest.raises(PlayersError, match="2 players need 2 different colours"):
        set_up(three.GAME, ["Ann", "Bob"], three.House(), colours=colours)


def test_a_player_who_is_not_in_the_match() -> None:
    match = at_three()
    said = unharmed(match, Foul, lambda: match.make(Play("Zoe", E, at=SECOND * 9)))
    assert said == "Zoe is not in this match; players are Ann, Bob."
    assert unharmed(match, Foul, lambda: match.make(Play("", E, at=SECOND * 9))).startswith("Nobody is not in")
    unharmed(match, Foul, lambda: match.correct(1, Begin("Zoe")))


def test_some_moves_need_no_player() -> None:
    match = Match(set_up(triple3.GAME, ("Ann", "Bob"), triple3.House()))
    match.make(triple3.Deal(""))
    unharmed(match, Foul, lambda: match.make(triple3.Deal("Zoe")))


def test_names_with_braces_do_no_harm() -> None:
    match = Match(set_up(three.GAME, ("{turn}", "{0}"), three.House()))
    assert match.make(Begin("{turn}")).sentences == ("{turn} begins. Cards left to draw: 42.",)
    assert "{0} cannot play now" in unharmed(match, Foul, lambda: match.make(Play("{0}")))


# --- stamps ----------------------------------------------------------------------------------------------------


def test_stamps_never_go_backwards() -> None:
    match = at_three(Play("Ann", at=5 * SECOND))
    assert "1 ns before" in unharmed(match, TimeError, lambda: match.make(Play("Bob", at=5 * SECOND - 1)))
    unharmed(match, TimeError, lambda: match.pause(0))
    unharmed(match, TimeError, lambda: match.abandon(0))
    match.make(Play("Bob", at=5 * SECOND))


def test_overdue_is_what_lies_before_not_at_the_stamp() -> None:
    match = at_three(Strike("Bob", at=2 * SECOND))
    assert match.overdue(12 * SECOND) is None
    deadline = match.overdue(12 * SECOND + 1)
    assert deadline is not None
    assert deadline.move == Release("Bob", at=12 * SECOND)


# --- undo and redo ---------------------------------------------------------------------------------------------


def test_undo_and_redo() -> None:
    match = at_three(Play("Ann", E), Play("Bob", S))
    states = [match.start.state, *(done.ruling.state for done in match.line)]
    for state in reversed(states[:-1]):
        assert match.undo().state == state == match.state
    assert "no move to undo" in unharmed(match, MatchError, match.undo)
    for state in states[1:]:
        assert match.redo().state == state == match.state
    assert "no undone move" in unharmed(match, MatchError, match.redo)


def test_a_new_move_ends_redoing() -> None:
    match = at_three(Play("Ann", E))
    match.undo()
    match.make(Play("Ann", S, at=9 * SECOND))
    unharmed(match, MatchError, match.redo)


def test_undo_takes_the_time_since_back() -> None:
    match = at_three(Play("Ann", at=5 * SECOND))
    match.pause(60 * SECOND)
    match.resume()
    match.undo()
    assert match.now == 5 * SECOND
    match.make(Play("Ann", at=6 * SECOND))


def test_what_is_due_after_a_redo_is_never_too_old() -> None:
    """The strike comes back with its own stamp, and its ten seconds have gone by meanwhile."""
    match = at_three(Strike("Bob", at=2 * SECOND))
    match.undo()
    match.pause(60 * SECOND)
    match.resume()
    match.redo()
    deadline = match.overdue(60 * SECOND)
    assert deadline is not None
    match.make(deadline.move)
    assert (match.state.phase, match.now) == ("turn", 60 * SECOND)
    unharmed(match, TimeError, lambda: match.make(Play("Ann", at=59 * SECOND)))


def test_a_finished_match_can_be_undone() -> None:
    match = Match(seated(triplexity.GAME, triplexity.House()))
    for _ in play_out(match, 3, mistakes=0):
        pass
    assert match.outcome
    match.undo()
    assert match.is_running
    match.redo()
    assert match.outcome


def stopwatch() -> Any:
    return set_up(threepia.GAME, ("Ann", "Bob"), threepia.House(way="stopwatch"))


def test_clocks_go_on_right_after_undo_as_they_stood() -> None:
    match = Match(stopwatch())
    for move in (
        threepia.Deal("", at=0),
        threepia.Begin("Ann", at=0),
        threepia.Draw("Ann", at=10 * SECOND),
        threepia.Draw("Bob", at=25 * SECOND),
    ):
        match.make(move)
    deadline = match.deadline
    match.undo()
    assert match.state.turn == "Bob"
    assert match.state.clock.used_at(match.now) == 15 * SECOND
    assert match.deadline is None
    match.resume()
    assert match.deadline is not None
    assert match.deadline.at == 190 * SECOND
    match.make(threepia.Draw("Bob", at=30 * SECOND))
    assert [clock.used_at(30 * SECOND) for clock in match.state.clocks] == [10 * SECOND, 20 * SECOND]
    assert deadline is not None
    assert match.deadline.at == deadline.at + 5 * SECOND


def test_the_talk_before_an_undo_costs_nobody_time() -> None:
    """Two minutes of machine time go by before somebody presses undo; then the clocks stand until Bob goes on."""
    referee = Referee.begin(stopwatch(), 1000 * SECOND)
    for move, at in (
        (threepia.Deal(""), 0),
        (threepia.Begin("Ann"), 0),
        (threepia.Draw("Ann"), 10),
        (threepia.Draw("Bob"), 25),
    ):
        referee.make(move, (1000 + at) * SECOND)
    referee.undo(1145 * SECOND)
    assert referee.due_at() is None, "nobody has gone on yet"
    referee.make(threepia.Draw("Bob"), 1150 * SECOND)
    assert [clock.used_at(referee.match.now) for clock in referee.match.state.clocks] == [10 * SECOND, 15 * SECOND]
    assert referee.due_at() == (1150 + 180 - 10) * SECOND


# --- pause -----------------------------------------------------------------------------------------------------


def test_nothing_moves_while_the_match_is_paused() -> None:
    match = at_three(Strike("Bob", at=2 * SECOND))
    match.pause(3 * SECOND, "who was first?")
    assert match.paused == Paused(3 * SECOND, "who was first?")
    assert match.deadline is None
    assert match.overdue(99 * SECOND) is None
    assert "is paused" in unharmed(match, MatchError, lambda: match.make(Call("Bob", "Ann", E, at=4 * SECOND)))
    assert "paused already" in unharmed(match, MatchError, lambda: match.pause(4 * SECOND))
    match.resume()
    assert match.deadline is not None
    assert "not paused" in unharmed(match, MatchError, match.resume)
    match.make(Call("Bob", "Ann", E, at=4 * SECOND))


def test_a_dispute_may_be_settled_by_undoing() -> None:
    match = at_three(Play("Ann", E), Strike("Bob"))
    match.pause(10 * SECOND)
    match.undo()
    match.resume()
    assert match.state.phase == "turn"


# --- corrections -----------------------------------------------------------------------------------------------


def test_a_dog_that_the_camera_misread() -> None:
    """Ann's second card was no Ember: with two of them Bob's call was wrong, and the cards stay with Ann."""
    match = at_three(
        Play("Ann", E),
        Play("Bob", J),
        Play("Ann", E),
        Play("Bob", J),
        Play("Ann", E),
        Strike("Bob"),
        Call("Bob", "Ann", E),
        Check("Ann"),
        Play("Bob", H),
    )
    assert match.state.banks == (0, 3)
    correction = match.correct(4, Play("Ann", S))
    assert match.state.banks == (2, 0)
    assert match.state.pile("Ann") == (S,)
    assert (correction.number, correction.was, correction.now) == (
        4,
        Play("Ann", E, at=4 * SECOND),
        Play("Ann", S, at=4 * SECOND),
    )
    assert (correction.scores_before, correction.scores_after) == ((0, 3), (2, 0))
    assert [change.number for change in correction.changes] == [9]
    assert correction.changes[0].was == ("3 of that dog on Ann's pile: the cards go to Bob's bank.",)
    assert correction.changes[0].now == ("2 of that dog on Ann's pile: the cards go to Ann's bank.",)


def test_a_number_that_was_typed_wrongly() -> None:
    match = at_three(
        *(Play(name) for name in ("Ann", "Bob") * 3),
        Strike("Bob"),
        Call("Bob", "Ann", E),
        Check("Ann", 2),
        Play("Ann", E),
    )
    correction = match.correct(10, Check("Ann", 3))
    assert match.state.banks == (0, 3)
    assert [(change.number, change.was, change.now) for change in correction.changes] == [
        (
            11,
            ("Ann plays a card. Cards on the pile: 2.", "It is Bob's turn."),
            ("Ann plays a card. Cards on the pile: 1.", "It is Bob's turn."),
        )
    ]


def test_the_stamp_of_a_corrected_move_is_the_old_one() -> None:
    match = at_three(Play("Ann", E, at=7 * SECOND), Play("Bob", S, at=9 * SECOND))
    match.correct(2, Play("Ann", S, at=999 * SECOND))
    assert match.line[1].move.at == 7 * SECOND
    assert match.now == 9 * SECOND


def test_a_correction_that_is_no_legal_move_changes_nothing() -> None:
    match = at_three(Play("Ann", E), Play("Bob", S))
    unharmed(match, Foul, lambda: match.correct(2, Play("Bob", E)))
    unharmed(match, Foul, lambda: match.correct(2, Play("Ann", "Rex")))
    assert "no move 4" in unharmed(match, MatchError, lambda: match.correct(4, None))
    unharmed(match, MatchError, lambda: match.correct(0, None))
    unharmed(match, MatchError, lambda: match.correct(-1, None))


def test_moves_that_are_no_longer_possible_are_dropped_and_reported() -> None:
    match = at_three(Play("Ann", E), Strike("Bob"), Call("Bob", "Ann", E), Check("Ann"), Play("Bob", S))
    correction = match.correct(3, None)  # there was no strike
    assert [done.move.word for done in match.line] == ["begin", "play", "play"]
    dropped = [(change.number, change.dropped) for change in correction.changes if change.dropped]
    assert dropped == [
        (4, "Bob cannot call now: nobody has struck or declared, and cards are still in hand."),
        (5, "Ann cannot answer a check now: nobody has struck or declared, and cards are still in hand."),
    ]
    assert all(change.now == () for change in correction.changes if change.dropped)
    assert correction.now is None


def test_a_deadline_that_falls_due_in_a_corrected_line_is_put_in() -> None:
    match = at_three(
        Strike("Bob", at=2 * SECOND),
        Call("Bob", "Ann", E, at=4 * SECOND),
        Check("Ann", at=8 * SECOND),
        Play("Ann", S, at=30 * SECOND),
    )
    correction = match.correct(3, None)  # there was no call
    assert [done.move for done in match.line[1:]] == [
        Strike("Bob", at=2 * SECOND),
        Release("Bob", at=12 * SECOND),
        Play("Ann", S, at=30 * SECOND),
    ]
    assert (
        Change(0, Release("Bob", at=12 * SECOND), (), ("No call from Bob; the token is free again.",), kind="added")
        in correction.changes
    )
    assert [change.number for change in correction.changes] == [4, 0]


def test_a_deadline_between_the_last_move_and_now_is_put_in_too() -> None:
    """Without it the referee would owe a move that lies before a stamp it has ruled on already."""
    match = at_three(Strike("Bob", at=2 * SECOND), Call("Bob", "Ann", E, at=4 * SECOND), Check("Ann", at=8 * SECOND))
    match.pause(60 * SECOND)
    match.resume()
    match.correct(3, None)
    assert match.line[-1].move == Release("Bob", at=12 * SECOND)
    assert match.overdue(70 * SECOND) is None
    match.make(Play("Ann", E, at=70 * SECOND))


def test_a_correction_may_change_who_has_won() -> None:
    match = Match(seated(triplexity.GAME, triplexity.House()))
    names = match.setup.names
    for number, place in enumerate(("left", "centre", "left", "right", "left")):
        match.make(triplexity.Put(names[number % 2], place, at=number))
    correction = match.correct(5, triplexity.Put(names[0], "centre"))
    assert (correction.winners_before, correction.winners_after) == ((names[0],), None)
    assert (correction.scores_before, correction.scores_after) == ((1, 0), (0, 0))
    assert match.is_running


def test_what_was_taken_back_can_be_made_again_after_a_correction() -> None:
    match = at_three(Play("Ann", E), Play("Bob", S))
    match.undo()
    match.correct(2, Play("Ann", S))
    match.redo()
    assert [done.move.dog for done in match.line if isinstance(done.move, Play)] == [S, S]


# --- the end of it ---------------------------------------------------------------------------------------------


def test_an_abandoned_match_takes_nothing_more() -> None:
    match = at_three(Play("Ann", E))
    match.abandon(9 * SECOND, "Dinner.")
    assert match.abandoned == Abandoned(9 * SECOND, "Dinner.")
    assert not match.is_running
    assert match.deadline is None
    assert Telling().how_it_ended(match) == "Abandoned. Dinner."
    for doing in (
        lambda: match.make(Play("Bob", at=10 * SECOND)),
        match.undo,
        match.redo,
        lambda: match.pause(10 * SECOND),
        lambda: match.correct(1, None),
        lambda: match.abandon(10 * SECOND),
    ):
        assert "has been abandoned" in unharmed(match, MatchError, doing)


def test_a_rematch_has_the_same_seats_and_house_rules() -> None:
    match = at_three()
    assert "has to wait" in unharmed(match, MatchError, match.rematch)
    match.abandon(SECOND)
    again = match.rematch()
    assert (again.players, again.house, again.game) == (match.setup.players, match.setup.house, "three")
    assert again.rematch_of == match.setup.id != again.id
    assert Match(again).state == match.start.state


def test_a_rematch_after_an_end() -> None:
    match = Match(seated(triplexity.GAME, triplexity.House()))
    for _ in play_out(match, 5, mistakes=0):
        pass
    assert match.rematch().rematch_of == match.setup.id


# --- kept before told ------------------------------------------------------------------------------------------


class FullError(Exception):
    """A disk that takes nothing more."""


class Keeping:
    """Remembers what was kept, and what the match looked like at that instant; fails when told to."""

    def __init__(self) -> None:
        self.match: Match | None = None
        self.fails = False
        self.kept: list[tuple[Entry, Any]] = []
        self.before: tuple[Any, ...] = ()

    def __call__(self, entry: Entry, state: Any) -> None:
        if self.match is not None:
            self.before = everything(self.match)
        if self.fails:
            raise FullError("The disk is full.")
        self.kept.append((entry, state))


OPERATIONS: list[tuple[str, Callable[[Match], Any], Entry]] = [
    ("make", lambda match: match.make(Play("Bob", S, at=9 * SECOND)), Made(Play("Bob", S, at=9 * SECOND))),
    ("undo", lambda match: match.undo(), Undone()),
    ("redo", lambda match: match.redo(), Redone()),
    ("pause", lambda match: match.pause(9 * SECOND, "a dispute"), Paused(9 * SECOND, "a dispute")),
    (
        "correct",
        lambda match: match.correct(2, Play("Ann", S)),
        Corrected(2, Play("Ann", S, at=2 * SECOND), whole=True),
    ),
    ("remove", lambda match: match.correct(2, None), Corrected(2, None, whole=True)),
    ("abandon", lambda match: match.abandon(9 * SECOND, "late"), Abandoned(9 * SECOND, "late")),
]


@pytest.mark.parametrize(("doing", "entry"), [pytest.param(doing, entry, id=name) for name, doing, entry in OPERATIONS])
def test_each_entry_is_kept_before_anything_changes(doing: Callable[[Match], Any], entry: Entry) -> None:
    keeping = Keeping()
    match = at_three(Play("Ann", E), Play("Bob", J), keep=keeping)
    match.undo()
    keeping.match, before = match, everything(match)
    keeping.fails = True
    unharmed(match, FullError, lambda: doing(match))
    keeping.fails = False
    doing(match)
    assert keeping.before == before
    assert keeping.kept[-1] == (entry, match.state)


def test_resuming_is_kept_before_anything_changes() -> None:
    keeping = Keeping()
    match = at_three(keep=keeping)
    match.pause(9 * SECOND)
    keeping.fails = True
    unharmed(match, FullError, match.resume)
    keeping.fails = False
    match.resume()
    assert keeping.kept[-1] == (Resumed(), match.state)


def test_what_is_refused_is_not_kept() -> None:
    keeping = Keeping()
    match = at_three(keep=keeping)
    number = len(keeping.kept)
    for doing in (
        lambda: match.make(Play("Bob", at=SECOND * 9)),
        lambda: match.correct(1, Declare("Ann", E)),
        match.redo,
        match.resume,
        lambda: match.make(Play("Zoe", at=SECOND * 9)),
    ):
        unharmed(match, Exception, doing)
    assert len(keeping.kept) == number


# --- the entries are the match ---------------------------------------------------------------------------------

HOUSES: dict[str, Any] = {
    "three": three.House(dogs=three.DOGS[:4], copies=4, deck=16, call_timeout=2),
    "triple3": triple3.House(chips_to_win=1, illegal_plays="keep"),
    "tres": None,
    "triplexity": triplexity.House(play="advanced", rounds=3, repetition_draw=True),
    "threepia": threepia.House(way="stopwatch", match_seconds=60),
}


@cache
def bot_moves(name: str, seed: int) -> tuple[Move, ...]:
    """Every move that bots try in a match, those that are refused too; at most sixty."""
    match = Match(seated(game(name), HOUSES[name] or game(name).house()))
    moves: list[Move] = []
    for move, _ in play_out(match, seed, mistakes=0.2):
        moves.append(move)
        if len(moves) == 60:
            break
    return tuple(moves)


def random_entries(match: Match, moves: tuple[Move, ...], random: Random) -> Iterator[None]:
    """Does one thing after the other to a match, allowed or not."""
    upcoming = iter(moves)
    for _ in range(random.randrange(70)):
        at = match.now + (0 if match.stands else random.randrange(4 * SECOND))
        number = random.randrange(len(match.line) + 2)
        words = ("make", "undo", "redo", "correct", "abandon", "pause")
        doing = random.choices(words, (60, 12, 10, 12, 0.5, 5))[0]
        if match.paused and random.random() < 0.5:
            yield from attempt(match, match.resume)
        elif doing == "make":
            move = next(upcoming, moves[0])
            at = match.now if match.stands else max(match.now, move.at)
            due = match.overdue(at)
            if due:
                match.make(due.move)  # is never refused
                yield
            yield from attempt(match, match.make, replace(move, at=at))
        elif doing == "correct":
            other = random.choice(moves)
            yield from attempt(match, match.correct, number, other if random.random() < 0.6 else None)
        elif doing in ("undo", "redo"):
            yield from attempt(match, getattr(match, doing))
        else:
            yield from attempt(match, getattr(match, doing), at, "why")


def attempt(match: Match, doing: Callable[..., Any], *given_: Any) -> Iterator[None]:
    before = everything(match)
    try:
        doing(*given_)
    except (Foul, CompanionError):
        assert everything(match) == before
    yield


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=80)
@given(seed=st.integers(0, 2**32))
def test_the_entries_folded_again_are_the_match(name: str, seed: int) -> None:
    keeping = Keeping()
    match = Match(seated(game(name), HOUSES[name] or game(name).house()), keeping)
    kept = 0
    for _ in random_entries(match, bot_moves(name, seed % 6), Random(seed)):
        if len(keeping.kept) > kept:
            kept += 1
            assert len(keeping.kept) == kept
            assert [done.move.at for done in match.line] == sorted(done.move.at for done in match.line)
            assert keeping.kept[-1][1] == match.state
        made_again = Match(match.setup)
        state = made_again.start.state
        for done in match.line:
            if any(event.word == "round-stands" for event in done.ruling.events):
                state = match.game.carried(state, match._line._rounds[done.said.round]).state  # type: ignore[union-attr]
            state = match.game.rule(state, done.move).state
        assert state == match.state
    again = Match.folded(match.setup, [entry for entry, _ in keeping.kept])
    assert everything(again) == everything(match)


@pytest.mark.parametrize("name", NAMES)
def test_a_played_match_folded_again_is_the_same(name: str) -> None:
    match = Match(seated(game(name), HOUSES[name] or game(name).house()))
    for _ in play_out(match, 1):
        pass
    again = Match.folded(match.setup, [Made(done.move) for done in match.line])
    assert everything(again) == everything(match)
    assert again.outcome is not None


def test_folding_keeps_nothing_and_goes_on_keeping() -> None:
    keeping = Keeping()
    match = Match.folded(at_three().setup, [Made(Begin("Ann"))], keeping)
    assert keeping.kept == []
    match.make(Play("Ann"))
    assert [entry for entry, _ in keeping.kept] == [Made(Play("Ann"))]
    assert match.line[0] == Done(Begin("Ann"), match.line[0].ruling)
