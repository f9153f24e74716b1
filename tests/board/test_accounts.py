"""Accounts, ratings and best times: what the host joins, and what follows from results."""

from dataclasses import replace

import pytest
from sqlalchemy import Engine

from companion.board.accounts import EVERY_TABLE, Accounts, ClubError, ClubPlayer
from companion.board.club import Club, PlayerLine
from companion.board.results import Results
from companion.games import game
from tests.board.club_matches import finished, take, taken_back
from tests.publishing.kept_matches import entries_of, rows_of, told


@pytest.fixture
def accounts(engine: Engine) -> Accounts:
    return Accounts(engine)


def lines(results: Results, accounts: Accounts) -> dict[str, PlayerLine]:
    return {line.player.name: line for line in Club(results, accounts).now().players}


def test_equal_names_are_joined_by_the_host_alone(results: Results, accounts: Accounts) -> None:
    take(results, *finished("a1", {"Anna": 3, "Ben": 1}), *finished("a2", {"Anna": 3, "Ben": 1}, table="hall"))
    club = Club(results, accounts)
    assert len(club.now().players) == 4
    accounts.add("Anna Maier")
    accounts.join("Anna Maier", "kitchen", "Anna")
    accounts.join("Anna Maier", "hall", "Anna")
    found = {(line.player.name, line.player.table): line.matches for line in club.now().players}
    assert found == {("Anna Maier", ""): 2, ("Ben", "kitchen"): 1, ("Ben", "hall"): 1}
    accounts.part("hall", "Anna")
    assert len(club.now().players) == 4, "what was joined can be parted"


def test_a_name_of_every_table_and_the_exception_of_one(results: Results, accounts: Accounts) -> None:
    take(results, *finished("a1", {"Anna": 3, "Ben": 1}), *finished("a2", {"Anna": 3, "Ben": 1}, table="hall"))
    for name, table in (("One", EVERY_TABLE), ("Other", "hall")):
        accounts.add(name)
        accounts.join(name, table, "Anna")
    assert {name: line.matches for name, line in lines(results, accounts).items() if name != "Ben"} == {
        "One": 1,
        "Other": 1,
    }


def test_what_cannot_be_joined_is_said(accounts: Accounts) -> None:
    accounts.add("Anna")
    accounts.add("Ben")
    accounts.join("Anna", "kitchen", "Anna")
    accounts.join("Anna", "kitchen", "Anna")  # twice is once
    for wrong, sentence in (
        (lambda: accounts.add("Anna"), "already"),
        (lambda: accounts.add(" Anna"), "no name here"),
        (lambda: accounts.add("An\u202ena\n"), "no name here"),
        (lambda: accounts.join("Ben", "kitchen", "Anna"), "is 'Anna' already"),
        (lambda: accounts.join("Cora", "kitchen", "Anna"), "no player 'Cora'"),
        (lambda: accounts.join("Ben", "The Kitchen", "Ben"), "no name of a table"),
        (lambda: accounts.join("Ben", "kitchen", "B\0n"), "1 to 200"),
        (lambda: accounts.part("kitchen", "Ben"), "joined to nobody"),
        (lambda: accounts.rename("Ben", "Anna"), "already"),
    ):
        with pytest.raises(ClubError, match=sentence):
            wrong()


def test_ratings_know_matches_of_many(results: Results, accounts: Accounts) -> None:
    for number in range(3):
        take(results, *finished(f"m{number}", {"Anna": 9, "Ben": 5, "Cora": 5, "Dan": 1}, game="three"))
    points = {name: line.rating.points for name, line in lines(results, accounts).items() if line.rating}
    assert points["Anna"] > points["Ben"] == points["Cora"] > points["Dan"]
    assert [*lines(results, accounts)] == ["Anna", "Ben", "Cora", "Dan"]


def test_where_few_cards_are_best_the_few_come_before_the_many(results: Results, accounts: Accounts) -> None:
    take(results, *finished("m1", {"Anna": 0, "Ben": 2, "Cora": 9}, "Anna", game="tres"))
    points = {name: line.rating.points for name, line in lines(results, accounts).items() if line.rating}
    assert points["Anna"] > points["Ben"] > points["Cora"]


def test_who_plays_alone_wins_nothing_and_has_a_time(results: Results, accounts: Accounts) -> None:
    for number, (seed, table) in enumerate(((3, "kitchen"), (4, "kitchen"), (3, "hall"))):
        house = replace(game("threepia").house(), way="time-trial", deck=20)
        entries = [*told(rows_of(*entries_of(game("threepia"), seed, house)))]
        take(results, *(replace(entry, match=f"run{number}", table=table) for entry in entries))
    accounts.add("Anna Maier")
    accounts.join("Anna Maier", "hall", "Anna")
    now = Club(results, accounts).now()
    assert {(line.player.name, line.matches, line.won, line.rating) for line in now.players} == {
        ("Anna", 2, 0, None),
        ("Anna Maier", 1, 0, None),
    }
    (course,) = now.courses
    assert course.pieces[0].text == "Square"
    assert {run.player.name for run in course.runs} == {"Anna", "Anna Maier"}, "of each the best"
    kept = sorted((run.left, run.used) for run in results.runs())
    assert (course.runs[0].left, course.runs[0].used) == kept[0]
    accounts.join("Anna Maier", "kitchen", "Anna")
    assert len(Club(results, accounts).now().courses[0].runs) == 1


def test_a_match_of_two_names_of_one_account_rates_nobody(results: Results, accounts: Accounts) -> None:
    take(results, *finished("m1", {"Anna": 3, "Annie": 1}))
    accounts.add("Anna")
    for name in ("Anna", "Annie"):
        accounts.join("Anna", "kitchen", name)
    (line,) = Club(results, accounts).now().players
    assert (line.matches, line.rating) == (1, None)


def test_a_result_that_is_taken_back_takes_ratings_and_times_back(results: Results, accounts: Accounts) -> None:
    club = Club(results, accounts)
    entries = finished("m1", {"Anna": 3, "Ben": 1})
    take(results, *entries)
    before = club.now()
    assert club.now() is before, "nothing has changed"
    take(results, taken_back(entries))
    assert club.now().players == ()
    house = replace(game("threepia").house(), way="time-trial", deck=20)
    run = [*told(rows_of(*entries_of(game("threepia"), 3, house)))]
    take(results, *run)
    assert len(club.now().courses) == 1
    take(results, replace(taken_back(run), before=run[-1].hash))
    assert club.now().courses == ()


def test_the_order_in_which_results_come_changes_no_rating(results: Results, accounts: Accounts) -> None:
    matches = [
        [
            replace(entry, began=f"2026-11-{day:02}T20:00:00+00:00")
            for entry in finished(f"m{day}", {"Anna": day % 3, "Ben": 1})
        ]
        for day in range(1, 7)
    ]
    for match in reversed(matches):
        take(results, *match)
    late = {name: line.rating for name, line in lines(results, accounts).items()}
    results.make_anew()
    assert {name: line.rating for name, line in lines(results, accounts).items()} == late
    assert len({match.code for match in results.finished()}) == 6
    assert [match.code for match in results.finished()] == [f"m{day}" for day in range(1, 7)]


def test_a_removed_account_leaves_its_matches_to_the_names(results: Results, accounts: Accounts) -> None:
    take(results, *finished("m1", {"Anna": 3, "Ben": 1}))
    accounts.add("Anna Maier")
    accounts.join("Anna Maier", "kitchen", "Anna")
    accounts.rename("Anna Maier", "Anna M.")
    assert ClubPlayer(1, "", "Anna M.") in {line.player for line in lines(results, accounts).values()}
    accounts.remove("Anna M.")
    assert {*lines(results, accounts)} == {"Anna", "Ben"}
