"""Leagues and tournaments: who plays whom, what counts for it, and what a correction changes."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine

from companion.board.accounts import Accounts, ClubError, Registry
from companion.board.finished import FinishedMatch, FinishedSeat
from companion.board.results import Results
from companion.board.rounds import Pair, Pairing, Pairings, PlayedPairing, all_rounds, next_round, played
from companion.board.standings import league_table, tournament_table
from companion.board.tournaments import Tournament, TournamentNow, Tournaments, changes_within, tournament_now
from tests.board.club_matches import finished, take, taken_back

NAMES = ("Anna", "Ben", "Cora", "Dan", "Eva")


class ClubEvening:
    """Five players whose names are theirs at every table, and tournaments that are made at second 500."""

    def __init__(self, engine: Engine, results: Results) -> None:
        self.results, self.accounts, self.now = results, Accounts(engine), 500.0
        self.tournaments = Tournaments(engine, lambda: self.now)
        for name in NAMES:
            self.accounts.add(name)
            self.accounts.join(name, "", name)

    def make(self, kind: str, players: int = 4, rounds: int = 1, game: str = "triplexity") -> Tournament:
        return self.tournaments.make("Cup", kind, game, NAMES[:players], ("kitchen", "hall"), rounds)

    def pair(self) -> list[Pairing]:
        return self.tournaments.pair("Cup", self.results.finished(), self.accounts.registry())

    def play(self, code: str, first: int, second: int, *winners: str, table: str = "hall") -> None:
        scores = {NAMES[first - 1]: 2, NAMES[second - 1]: 1}
        take(self.results, *finished(code, scores, *winners, table=table))

    @property
    def table(self) -> list[tuple[str, int, float]]:
        return [(NAMES[line.account - 1], line.place, line.points) for line in self.standing.table]

    @property
    def standing(self) -> TournamentNow:
        return tournament_now(self.tournaments.named("Cup"), self.results.finished(), self.accounts.registry())


@pytest.fixture
def evening(engine: Engine, results: Results) -> ClubEvening:
    return ClubEvening(engine, results)


# --- who plays whom


@pytest.mark.parametrize("count", range(2, 14))
def test_in_a_round_robin_everybody_meets_everybody(count: int) -> None:
    rounds = [*all_rounds(range(10, 10 + count), cycles=2)]
    met = [frozenset(pair) for pairs in rounds for pair in pairs if None not in pair]
    assert {met.count(pair) for pair in met} == {2}
    assert len(met) == count * (count - 1)
    for pairs in rounds:
        assert sorted(one for pair in pairs for one in pair if one is not None) == [*range(10, 10 + count)]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**16), count=st.integers(2, 13))
def test_in_the_swiss_system_nobody_meets_twice_and_one_rests_at_most(seed: int, count: int) -> None:
    luck = random.Random(seed)
    accounts, before = [*range(1, count + 1)], list[PlayedPairing]()
    for number in range(1, 1 + min(4, (count + 1) // 2)):
        pairs = next_round(accounts, before, 4)
        assert sorted(one for pair in pairs for one in pair if one is not None) == accounts
        assert sum(second is None for _, second in pairs) == count % 2
        before += [_played(number, at, pair, luck) for at, pair in enumerate(pairs, 1)]
    met = [frozenset(pair) for one in before if None not in (pair := (one.pairing.first, one.pairing.second))]
    assert len({*met}) == len(met)
    rested = [one.pairing.first for one in before if one.pairing.second is None]
    assert len({*rested}) == len(rested)


def _played(number: int, at: int, pair: Pair, luck: random.Random) -> PlayedPairing:
    pairing = Pairing(number, at, *pair, "hall", 0.0)
    points = (1.0, 0.0) if pair[1] is None else luck.choice([(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)])
    return PlayedPairing(pairing, points)


def test_the_better_meet_in_the_second_round(evening: ClubEvening) -> None:
    evening.make("swiss", rounds=3)
    first = [(one.first, one.second) for one in evening.pair()]
    for at, (one, other) in enumerate(first):
        evening.play(f"m{at}", one, other or 0)
    second = evening.pair()
    assert {frozenset((one.first, one.second)) for one in second} >= {frozenset(one for one, _ in first)}
    assert [(one.number, one.table) for one in second] == [(1, "kitchen"), (2, "hall")]


def test_when_all_have_met_there_is_no_further_round() -> None:
    pairs = [(1, 2), (1, 3), (2, 3)]
    before = [PlayedPairing(Pairing(at, 1, *pair, "hall", 0.0), (1.0, 0.0)) for at, pair in enumerate(pairs, 1)]
    with pytest.raises(ClubError, match="Nobody is left for a further round"):
        next_round([1, 2, 3], before, 5)


# --- what counts


def test_a_result_comes_from_the_match_by_itself(evening: ClubEvening) -> None:
    evening.play("early", 1, 4)  # before anything was paired
    evening.now = 1500.0  # that match was heard of at 1000
    evening.results._now = lambda: 2000.0
    evening.make("round-robin", players=5)
    assert len(evening.pair()) == 15, "five rounds, and one rests in each"
    assert {points for _, _, points in evening.table} == {0.0}, "everybody rests once"
    assert all(one.points is None for one in evening.standing.pairings if one.pairing.second)
    evening.play("m1", 1, 4)
    evening.play("m2", 1, 4, "Dan")  # a friendly match afterwards
    evening.play("m3", 1, 2, table="elsewhere")
    take(evening.results, *finished("m4", {"Anna": 1, "Cora": 0, "Dan": 0}, game="three"))
    assert {one.match: one.points for one in evening.standing.pairings if one.match} == {"m1": (1.0, 0.0)}
    assert evening.table[0] == ("Anna", 1, 1.0)


def test_a_correction_changes_the_table_and_pairings_stay(evening: ClubEvening) -> None:
    evening.make("swiss", players=2, rounds=1)
    evening.pair()
    entries = finished("m1", {"Anna": 2, "Ben": 1})
    take(evening.results, *entries)
    assert evening.table == [("Anna", 1, 1.0), ("Ben", 2, 0.0)]
    corrected = taken_back(entries, "corrected", ("Ben",))
    take(evening.results, corrected)
    assert evening.table == [("Ben", 1, 1.0), ("Anna", 2, 0.0)]
    (change,) = evening.results.changes("m1")
    assert change.before
    assert change.after
    assert [[one.name for one in result.players if one.won] for result in (change.before, change.after)] == [
        ["Anna"],
        ["Ben"],
    ]
    take(evening.results, replace(taken_back([*entries, corrected]), number=3))
    assert evening.table == [("Anna", 1, 0.0), ("Ben", 1, 0.0)], "no result is left, and both are equal"
    assert [(one.number, one.kind, one.after is None) for one in evening.results.changes()] == [
        (2, "corrected", False),
        (3, "undone", True),
    ]
    evening.play("m2", 1, 2, "Ben")
    assert evening.table[0] == ("Ben", 1, 1.0), "another match counts instead"


def test_the_host_decides_and_takes_it_back(evening: ClubEvening) -> None:
    evening.make("swiss", players=3, rounds=3)
    (pairing, rest) = evening.pair()
    assert rest.second is None
    with pytest.raises(ClubError, match="Round 1 is not over: pairing 1 has no result"):
        evening.pair()
    evening.tournaments.decide("Cup", 1, 1, "second")
    assert evening.table[0][2] == 1.0
    assert NAMES[(pairing.second or 0) - 1] in [name for name, place, _ in evening.table if place == 1]
    evening.tournaments.decide("Cup", 1, 1, "")
    assert [one.points for one in evening.standing.pairings] == [None, (1.0, 0.0)]
    for wrong in ((1, 2), (2, 1), (1, 9)):
        with pytest.raises(ClubError, match="has no pairing"):
            evening.tournaments.decide("Cup", *wrong, "first")
    with pytest.raises(ClubError, match="is no decision"):
        evening.tournaments.decide("Cup", 1, 1, "white")


def test_who_leaves_is_paired_no_more_and_who_comes_late_begins_without_points(evening: ClubEvening) -> None:
    evening.make("swiss", players=4, rounds=3)
    evening.pair()
    for number in (1, 2):
        evening.tournaments.decide("Cup", 1, number, "draw")
    evening.tournaments.withdraw("Cup", "Anna")
    evening.tournaments.enter("Cup", "Eva")
    again = evening.pair()
    assert sorted(one for pair in again for one in (pair.first, pair.second) if one) == [2, 3, 4, 5]
    assert {name: points for name, _, points in evening.table} == {
        "Anna": 0.5,
        "Ben": 0.5,
        "Cora": 0.5,
        "Dan": 0.5,
        "Eva": 0.0,
    }
    evening.tournaments.enter("Cup", "Anna")
    assert not evening.tournaments.named("Cup").left


def test_a_league_counts_what_its_members_play_among_themselves(evening: ClubEvening) -> None:
    evening.make("league", players=3, game="three")
    take(evening.results, *finished("m1", {"Anna": 9, "Ben": 5, "Cora": 5}, game="three"))
    take(evening.results, *finished("m2", {"Ben": 9, "Cora": 5}, game="three"))
    take(evening.results, *finished("m3", {"Ben": 9, "Dan": 5}, game="three"))  # not a member
    take(evening.results, *finished("m4", {"Ben": 9}, game="three"))
    take(evening.results, *finished("m5", {"Anna": 1, "Ben": 0}))  # another game
    assert evening.table == [("Anna", 1, 2.0), ("Ben", 2, 1.5), ("Cora", 3, 0.5)]
    assert [match.code for match in evening.standing.matches] == ["m1", "m2"]
    with pytest.raises(ClubError, match="is a league"):
        evening.pair()
    evening.now = 600.0
    evening.tournaments.end("Cup")
    evening.results._now = lambda: 700.0
    with pytest.raises(ClubError, match="has ended"):
        evening.tournaments.enter("Cup", "Dan")


def test_what_is_played_after_the_end_of_a_league_does_not_count(evening: ClubEvening) -> None:
    evening.make("league", players=2)
    evening.now = 1500.0
    evening.tournaments.end("Cup")
    take(evening.results, *finished("m1", {"Anna": 2, "Ben": 1}, table="hall"))
    evening.results._now = lambda: 2000.0
    take(evening.results, *finished("m2", {"Anna": 2, "Ben": 1}, table="hall"))
    assert [match.code for match in evening.standing.matches] == ["m1"]


def test_a_change_at_another_table_or_of_others_is_none_of_the_tournament(evening: ClubEvening) -> None:
    evening.make("league", players=2)
    for code, other, table in (("m1", "Ben", "hall"), ("m2", "Ben", "elsewhere"), ("m3", "Cora", "hall")):
        entries = finished(code, {"Anna": 2, other: 1}, table=table)
        take(evening.results, *entries, taken_back(entries))
    other_game = finished("m4", {"Anna": 2, "Ben": 1}, table="hall", game="three")
    take(evening.results, *other_game, taken_back(other_game))
    one, registry = evening.tournaments.named("Cup"), evening.accounts.registry()
    assert [change.match for change in changes_within(one, evening.results.changes(), registry)] == ["m1"]


def test_impossible_tournaments_are_said(evening: ClubEvening) -> None:
    make = evening.tournaments.make
    for wrong, sentence in (
        (("Cup", "cup", "three", NAMES, ("hall",), 3), "none of league"),
        (("Cup", "swiss", "three", ("Anna",), ("hall",), 3), "2 to 500 players"),
        (("Cup", "swiss", "three", ("Anna", "Anna"), ("hall",), 3), "each of them once"),
        (("Cup", "swiss", "three", ("Anna", "Zoe"), ("hall",), 3), "no player 'Zoe'"),
        (("Cup", "swiss", "three", NAMES, ("The Hall",), 3), "1 to 500 tables"),
        (("Cup", "swiss", "three", NAMES, ("hall",), 0), "1 to 100 rounds"),
        (("Cup", "swiss", "chess", NAMES, ("hall",), 3), "There is no game 'chess'"),
        (("\n", "swiss", "three", NAMES, ("hall",), 3), "no name here"),
    ):
        with pytest.raises(Exception, match=sentence):
            make(*wrong)
    assert evening.tournaments.all() == []
    make("Cup", "swiss", "three", NAMES, ("hall",), 3)
    with pytest.raises(ClubError, match="a tournament 'Cup' already"):
        make("Cup", "swiss", "three", NAMES, ("hall",), 3)
    with pytest.raises(ClubError, match="is in a tournament"):
        evening.accounts.remove("Anna")
    evening.tournaments.remove("Cup")
    evening.accounts.remove("Anna")


def test_two_hosts_who_pair_at_once_make_one_round(evening: ClubEvening, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.make("round-robin")
    before = evening.tournaments.named("Cup")
    assert len(evening.pair()) == 6
    monkeypatch.setattr("companion.board.tournaments._running", lambda *_: before)  # as the other has read it
    with pytest.raises(ClubError, match="Somebody else has paired 'Cup' meanwhile"):
        evening.pair()
    assert len(evening.tournaments.named("Cup").pairings) == 6


# --- the table


def _of(round_number: int, first: int, second: int | None, one: float, other: float) -> PlayedPairing:
    return PlayedPairing(Pairing(round_number, 1, first, second, "hall", 0.0), (one, other))


def test_equal_points_are_settled_by_who_beat_whom_then_by_the_opponents() -> None:
    """1 and 2 have two points each, and 1 has beaten 2. 3 and 4 have met nobody among themselves in the end."""
    pairings = [
        _of(1, 1, 2, 1, 0),
        _of(1, 3, 4, 0.5, 0.5),
        _of(2, 1, 3, 1, 0),
        _of(2, 2, 4, 1, 0),
        _of(3, 4, 1, 1, 0),
        _of(3, 2, 3, 1, 0),
    ]
    table = tournament_table((1, 2, 3, 4), pairings)
    assert [(line.account, line.place, line.points) for line in table] == [
        (1, 1, 2),
        (2, 2, 2),
        (4, 3, 1.5),
        (3, 4, 0.5),
    ]
    assert [line.ties for line in table] == [
        (1.0, 2 + 0.5 + 1.5, 2.5, 2.0),
        (0.0, 2 + 1.5 + 0.5, 2.0, 2.0),
        (0.0, 0.5 + 2 + 2, 0.25 + 2, 1.0),
        (0.0, 1.5 + 2 + 2, 0.75, 0.0),
    ]


def test_who_beat_whom_settles_nothing_where_not_all_of_them_have_met() -> None:
    """1, 2 and 3 have a point each; 1 has beaten 2, and neither has met 3, whose opponent is the stronger one."""
    pairings = [_of(1, 1, 2, 1, 0), _of(1, 3, 4, 1, 0), _of(2, 2, 5, 1, 0), _of(2, 4, 6, 1, 0), _of(3, 4, 5, 1, 0)]
    table = tournament_table((1, 2, 3, 4, 5, 6), pairings)
    assert [line.account for line in table] == [4, 3, 1, 2, 5, 6]
    assert [line.ties[0] for line in table[1:4]] == [0, 0, 0]


def test_a_rest_is_a_point_and_settles_nothing() -> None:
    (first, second, third) = tournament_table((1, 2, 3), [_of(1, 1, 2, 1, 0), _of(1, 3, None, 1, 0)])
    assert [line.account for line in (first, second, third)] == [1, 3, 2]
    assert second.ties == (0.0, 0.0, 0.0, 0.0)
    assert (first.points, second.points, first.played, second.played) == (1, 1, 1, 0)


def test_in_a_league_equal_players_share_a_place() -> None:
    registry = Registry({1: "Anna", 2: "Ben"}, {("", "Anna"): 1, ("", "Ben"): 2})
    seats = (FinishedSeat("Anna", 1, won=False), FinishedSeat("Ben", 1, won=False))
    lines = league_table((1, 2), [FinishedMatch("m", "hall", "three", "", 0.0, seats)], registry)
    assert [(line.place, line.points) for line in lines] == [(1, 0.5), (1, 0.5)]


def test_a_match_counts_for_one_pairing_of_two() -> None:
    registry = Registry({1: "Anna", 2: "Ben"}, {("", "Anna"): 1, ("", "Ben"): 2})
    seats = (FinishedSeat("Anna", 1, won=True), FinishedSeat("Ben", 0, won=False))
    match = FinishedMatch("m", "hall", "three", "", 5.0, seats)
    made = tuple(Pairing(number, 1, *pair, "hall", 0.0) for number, pair in ((1, (1, 2)), (2, (2, 1))))
    found = played(Pairings("three", ("hall",), made), [match], registry)
    assert [(one.points, one.match) for one in found] == [((1.0, 0.0), "m"), (None, "")]
    second = played(Pairings("three", ("hall",), made), [match, replace(match, code="n", heard=4.0)], registry)
    assert [(one.points, one.match) for one in second] == [((1.0, 0.0), "n"), ((0.0, 1.0), "m")]
