"""Corrections at the door: what stands, is adjusted, waits or comes back, and rounds that stand as they were played."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.core.clocks import SECOND
from companion.core.match import Match, set_up
from companion.core.referee import Referee
from companion.games import game
from companion.games.three import rules as three
from companion.games.triplexity import rules as triplexity
from companion.journal import Journal
from tests.core.test_referee import Table

Reply = dict[str, Any]
RED, BLUE, BROWN = "red", "blue", "brown"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


def one(table: Table, /, **message: Any) -> Reply:
    [reply] = table.wait(1).say(**message)
    return reply


def correct(table: Table, number: int, move: Reply | None, **asked: Any) -> Reply:
    return one(table, do="correct", number=number, move=move, **asked)


def shown(table: Table) -> Reply:
    state = one(table, do="show")
    return {"state": state["state"], "table": state["table"]}


def kinds(reply: Reply) -> list[tuple[int, str]]:
    return [(change["number"], change["kind"]) for change in reply["changes"]]


# --- Three!: nothing is thrown away ----------------------------------------------------------------------------


def three_called(path: Path) -> Table:
    """A red, B blue, A red, B blue, A red; B calls A for red, three are found; three more plays."""
    table = Table(path)
    one(table, move="begin", player="Anna")
    for player, dog in (("Anna", RED), ("Ben", BLUE)) * 2 + (("Anna", RED),):
        assert one(table, move="play", player=player, dog=dog)["kind"] == "ruling"
    one(table, move="strike", player="Ben")
    one(table, move="call", player="Ben", whom="Anna", dog=RED)
    assert one(table, move="check", player="Anna", found=3)["table"]["scores"] == {"Anna": 0, "Ben": 3}
    for player, dog in (("Ben", BLUE), ("Anna", BROWN), ("Ben", BLUE)):
        assert one(table, move="play", player=player, dog=dog)["kind"] == "ruling"
    return table


def test_a_check_that_finds_fewer_stands_adjusted_and_all_after_it(path: Path) -> None:
    table = three_called(path)
    before = shown(table)
    told = correct(table, 2, {"move": "play", "player": "Anna", "dog": BROWN})
    assert told["kind"] == "correction"
    assert told["table"]["moves"] == before["table"]["moves"] == 12
    assert (9, "adjusted") in kinds(told)
    assert not any(change["dropped"] for change in told["changes"])
    [check] = [change for change in told["changes"] if change["number"] == 9]
    assert (check["move"]["found"], check["adjusted"]["found"]) == (3, 2)
    assert told["scores_after"] == {"Anna": 2, "Ben": 0}
    back = correct(table, 2, {"move": "play", "player": "Anna", "dog": RED})
    assert back["scores_after"] == {"Anna": 0, "Ben": 3}
    assert shown(table) == before
    table.journal.close()


def test_what_falls_away_waits_and_comes_back(path: Path) -> None:
    table = three_called(path)
    before = shown(table)
    told = correct(table, 7, None)  # nobody struck
    assert [number for number, kind in kinds(told) if kind == "dropped"] == [8, 9]
    assert told["table"]["moves"] == 9
    table.cut_the_power()
    one(table, do="undo")
    now = shown(table)
    assert now["state"] == before["state"]
    assert now["table"] == {**before["table"], "stands": True}, "until somebody goes on"
    called_other = {"move": "call", "player": "Ben", "whom": "Anna", "dog": BLUE}
    assert correct(table, 8, called_other)["table"]["moves"] == 12
    correct(table, 8, {**called_other, "dog": RED})
    assert shown(table)["state"] == before["state"]
    table.journal.close()


def test_a_preview_tells_what_comes_and_changes_nothing(path: Path) -> None:
    table = three_called(path)
    match = table.session.referee.match
    before, entries = shown(table), match.entries
    told = correct(table, 7, None, preview=True)
    assert told["kind"] == "preview"
    assert (told["asks"], told["entries"]) == (False, entries)
    assert (shown(table), match.entries) == (before, entries)
    made = correct(table, 7, None, as_of=told["entries"])
    for name in ("number", "now", "changes", "scores_before", "scores_after", "winners_before", "winners_after"):
        assert made[name] == told[name]
    table.journal.close()


def test_a_preview_tells_no_card_that_lies_under_others(path: Path) -> None:
    """Otherwise whoever wants to know what lies on a pile asks for a correction, and leaves it."""
    table = three_called(path)
    for number in range(2, 7):
        player = ("Anna", "Ben")[number % 2]
        told = correct(table, number, {"move": "play", "player": player}, preview=True)
        assert told["kind"] == "preview", told
        assert "dog" not in told["was"]
        for change in told["changes"]:
            assert "dog" not in change["move"] or change["move"]["move"] == "call"
            assert not any("Sky" in sentence for sentence in (*change["was"], *change["now"], change["dropped"]))
    table.journal.close()


@pytest.mark.parametrize("other", [{"dog": BLUE}, {"dog": BROWN}])
def test_a_preview_of_another_call_does_not_count_the_pile(path: Path, other: Reply) -> None:
    """What is found is told when the call is put right, and that is an entry."""
    table = three_called(path)
    call = {"move": "call", "player": "Ben", "whom": "Anna"}
    told = correct(table, 8, call | other, preview=True)
    assert told["hides"]
    assert told["scores_after"] == told["scores_before"]
    assert [(change["number"], change["kind"], change["now"]) for change in told["changes"]] == [(9, "changed", [])]
    assert not correct(table, 4, {"move": "play", "player": "Anna", "dog": BROWN}, preview=True)["hides"]
    made = correct(table, 8, call | other, as_of=told["entries"])
    assert made["changes"][0]["now"][0].startswith("0 of ")
    table.journal.close()


def test_a_preview_tells_no_card_in_a_hand(path: Path) -> None:
    """In Tres, where the referee has seen what was dealt and drawn."""
    table = Table(path, "tres")
    one(table, move="dealer", player="Ben")
    hands = [[f"{colour}-{number}" for number in range(1, 8)] for colour in (RED, BLUE)]
    deal = {"move": "deal", "player": "Ben", "table": ["green-2", "green-5", "green-8"], "hands": hands}
    one(table, **deal)
    one(table, move="play", player="Anna", table_card="green-2", cards=["red-3"])
    one(table, move="fill", player="Ben", card="green-9")
    for player, card in (("Ben", "yellow-1"), ("Anna", "yellow-2"), ("Ben", "yellow-3")):
        one(table, move="draw", player=player, card=card)
        one(table, move="keep", player=player)
    two_cards = {"move": "play", "player": "Anna", "table_card": "green-2", "cards": ["red-3", "red-4"]}
    other_draw = {"move": "draw", "player": "Anna", "card": "yellow-3"}  # of which there are two: one was Ben's
    for number, other in ((3, two_cards), (3, other_draw), (5, {"move": "draw", "player": "Ben"})):
        told = correct(table, number, other, preview=True)
        assert told["kind"] == "preview", told
        assert told["changes"] or "card" not in told["was"]
        assert not any("yellow" in json.dumps(change) for change in told["changes"])
    table.journal.close()


def test_a_card_of_the_table_that_was_read_wrongly_is_played_as_it_is(path: Path) -> None:
    table = Table(path, "tres")
    one(table, move="dealer", player="Anna")
    one(table, move="deal", player="Anna", table=["red-1", "blue-5", "green-9"])
    played = one(table, move="play", player="Ben", table_card="red-1", cards=["red-2"])
    assert played["kind"] == "ruling"
    told = correct(table, 2, {"move": "deal", "player": "Anna", "table": ["red-3", "blue-5", "green-9"]})
    [change] = told["changes"]
    assert (change["kind"], change["adjusted"]["table_card"]) == ("adjusted", "red-3")
    assert shown(table)["state"]["discards"] == ["red-3", "red-2"]
    table.journal.close()


# --- Triplexity: across the end of a round ---------------------------------------------------------------------


def put(table: Table, first: str, places: str) -> None:
    """Pieces in turn, from this player on."""
    players = ("Anna", "Ben") if first == "Anna" else ("Ben", "Anna")
    for number, place in enumerate(places.split()):
        assert one(table, move="put", player=players[number % 2], place=place)["kind"] == "ruling"


def triplexity_played(path: Path, **house: Any) -> Table:
    table = Table(path, "triplexity", **house)
    for player, place in zip(
        ("Anna", "Ben") * 2 + ("Anna",), ["left", "centre", "left", "centre", "left"], strict=True
    ):
        assert one(table, move="put", player=player, place=place)["kind"] == "ruling"
    put(table, "Ben", "left centre left centre")
    return table


def test_the_next_round_of_triplexity_stands_as_it_was_played(path: Path) -> None:
    table = triplexity_played(path, rounds=2)
    before = shown(table)
    told = correct(table, 5, {"move": "put", "player": "Anna", "place": "right"})
    now = shown(table)
    assert now["state"]["stacks"] == before["state"]["stacks"], "the board that lies there"
    assert now["table"]["moves"] == 9
    assert (told["scores_before"], told["scores_after"]) == ({"Anna": 1, "Ben": 0}, {"Anna": 0, "Ben": 0})
    [first] = told["changes"]
    assert first["number"] == 6
    assert "Round 2 stands as it was played; the one before has no winner any more." in first["now"]
    correct(table, 5, {"move": "put", "player": "Anna", "place": "left"})
    assert shown(table) == before
    table.cut_the_power()
    assert shown(table)["state"] == before["state"]
    table.journal.close()


def test_the_ruling_says_who_would_have_begun() -> None:
    setup = set_up(triplexity.GAME, ("Anna", "Ben"), triplexity.House(rounds=2))
    after = {}
    for first, second in (("Anna", "Ben"), ("Ben", "Anna")):
        match = Match(setup)
        for player, place in ((first, "left"), (second, "centre")) * 2 + ((first, "left"),):
            match.make(triplexity.Put(player, place))
        after[first] = match.state
    carried = triplexity.carried(after["Ben"], after["Anna"])
    assert carried.sentences == ("Round 2 stands as it was played: Ben began it; Anna would have begun.",)
    assert (carried.state.turn, carried.state.points) == ("Ben", (0, 1))
    assert triplexity.carried(after["Anna"], after["Anna"]).events == ()


ROUND_2 = (
    ("Ben", "", "left"), ("Anna", "", "centre"), ("Ben", "", "left"), ("Anna", "", "centre"), ("Ben", "", "right"),
    ("Anna", "", "right"), ("Ben", "right", "left"), ("Anna", "right", "centre"), ("Ben", "left", "right"),
    ("Anna", "centre", "left"),
)  # fmt: skip


def to_two_points(path: Path) -> Table:
    """Anna wins the first round, Ben the second, the third has begun; but if move 11 had gone to the centre, Anna would
    have won the second too, and the match."""
    table = Table(path, "triplexity", points=2)
    for player, place in zip(
        ("Anna", "Ben") * 2 + ("Anna",), ["left", "centre", "left", "centre", "left"], strict=True
    ):
        assert one(table, move="put", player=player, place=place)["kind"] == "ruling"
    for player, source, target in (*ROUND_2, ("Anna", "", "left"), ("Ben", "", "centre")):
        move = {"move": "shift", "source": source, "target": target} if source else {"move": "put", "place": target}
        assert one(table, **move, player=player)["kind"] == "ruling"
    assert shown(table)["table"]["scores"] == {"Anna": 1, "Ben": 1}
    return table


WINS = {"move": "put", "player": "Anna", "place": "centre"}


def test_people_are_asked_whether_what_came_after_an_earlier_end_counts(path: Path) -> None:
    table = to_two_points(path)
    before = shown(table)
    assert correct(table, 11, WINS, preview=True)["asks"] is True
    refused = correct(table, 11, WINS)
    assert refused["sentence"] == (
        "The match would have ended before its last move: say whether what was played after that counts."
    )
    assert shown(table) == before
    table.journal.close()


def test_what_came_after_an_earlier_end_is_kept_and_does_not_count(path: Path) -> None:
    table = to_two_points(path)
    before = shown(table)
    told = correct(table, 11, WINS, counts=False)
    assert told["table"]["over"]["winners"] == ["Anna"]
    assert [change["number"] for change in told["changes"] if change["kind"] == "dropped"] == [12, 13, 14, 15, 16, 17]
    assert told["changes"][-1]["dropped"] == "It was played after the end of the match."
    back = correct(table, 11, {**WINS, "place": "right"})
    assert [change["kind"] for change in back["changes"]] == ["restored"] * 6
    assert shown(table)["state"] == before["state"]
    table.journal.close()


def test_what_came_after_an_earlier_end_counts_if_people_say_so(path: Path) -> None:
    table = to_two_points(path)
    before = shown(table)
    told = correct(table, 11, WINS, counts=True)
    assert told["table"]["over"] is None
    assert told["scores_after"] == {"Anna": 2, "Ben": 0}
    assert shown(table)["state"]["stacks"] == before["state"]["stacks"]
    table.cut_the_power()
    assert one(table, move="put", player="Anna", place="left")["kind"] == "ruling"
    table.journal.close()


def test_the_target_of_threepia_was_reached_earlier(path: Path) -> None:
    table = Table(path, "threepia", way="points", target=10)
    one(table, move="deal")
    one(table, move="begin", player="Anna")
    for player, points in (("Anna", 4), ("Ben", 2), ("Anna", 4), ("Ben", 2)):
        assert one(table, move="lay", player=player, points=points)["kind"] == "ruling"
    nine = {"move": "lay", "player": "Anna", "points": 6}
    assert correct(table, 3, nine, preview=True)["asks"] is True
    ended = correct(table, 3, nine, counts=False)
    assert ended["table"]["over"]["scores"] == {"Anna": 10, "Ben": 2}
    one(table, do="undo")
    went_on = correct(table, 3, nine, counts=True)
    assert went_on["table"]["over"]["scores"] == {"Anna": 10, "Ben": 4}
    table.journal.close()


def test_the_example_of_the_protocol(path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    block = next(part for part in page.split("```") if "referee triplexity" in part and '"preview":true' in part)
    table = Table(path, "triplexity", rounds=2)
    *_, preview, correction, undone = (one(table, **json.loads(line)) for line in block.splitlines() if line[:1] == "{")
    assert [reply["kind"] for reply in (preview, correction, undone)] == ["preview", "correction", "done"]
    [change] = preview["changes"]
    assert change == correction["changes"][0]
    assert f"“{change['now'][0]}”" in page
    assert (preview["scores_after"]["Anna"], undone["table"]["scores"]["Anna"]) == (0, 1)
    table.journal.close()


# --- Triple³: across the end of a round ------------------------------------------------------------------------


def test_the_next_round_of_triple3_keeps_its_deal_and_its_plays(path: Path) -> None:
    table = Table(path, "triple3", chips_to_win=3)
    for move in ({"move": "deal"}, {"move": "go"}, {"move": "out", "player": "Anna"}, {"move": "deal"}, {"move": "go"}):
        assert one(table, **move)["kind"] == "ruling"
    before = shown(table)
    told = correct(table, 3, None)  # she was not out
    assert (told["scores_before"], told["scores_after"]) == ({"Anna": 1, "Ben": 0}, {"Anna": 0, "Ben": 0})
    assert told["table"]["phase"] == before["table"]["phase"] == "play"
    assert told["table"]["moves"] == 4
    now = one(table, move="out", player="Ben")
    assert now["table"]["scores"] == {"Anna": 0, "Ben": 1}
    assert table.session.referee.match.state.rounds[0].winners == ()
    table.journal.close()


# --- what is refused, in one sentence, and nothing is lost -----------------------------------------------------


def refused(table: Table, sentence: str, *asked: Any, **more: Any) -> None:
    before, entries = shown(table), table.session.referee.match.entries
    reply = correct(table, *asked, **more)
    assert reply["kind"] in ("error", "foul")
    assert sentence in reply["sentence"]
    assert (shown(table), table.session.referee.match.entries) == (before, entries)


def test_a_correction_that_cannot_be(path: Path) -> None:
    table = three_called(path)
    play = {"move": "play", "player": "Anna", "dog": BROWN}
    one(table, do="undo")
    refused(table, "There is no move 12 to correct; the match has 11 moves.", 12, play)  # it was undone
    refused(table, "A corrected move keeps its stamp, which is", 2, {**play, "at": 5 * SECOND})
    told = correct(table, 2, play, preview=True)
    one(table, move="play", player="Ben", dog=BLUE)
    refused(table, "The match has gone on since this correction was looked at", 2, play, as_of=told["entries"])
    table.journal.close()


def test_the_time_of_a_correction_is_not_played_again_after_a_power_cut(path: Path) -> None:
    table = three_called(path)
    told = correct(table, 3, {"move": "play", "player": "Ben", "dog": BROWN})
    assert told["kind"] == "correction"
    at = one(table, do="time")["at"] - SECOND
    table.journal.close()
    with Journal.open(path) as journal:
        again = Referee.go_on(journal, 0)
        assert again.table == at
        again.undo(0)
        assert again.table == at


def test_two_people_correct_the_same_move(path: Path) -> None:
    table = three_called(path)
    brown, yellow = ({"move": "play", "player": "Anna", "dog": dog} for dog in (BROWN, "yellow"))
    as_of = correct(table, 2, brown, preview=True)["entries"]
    assert correct(table, 2, brown, as_of=as_of)["kind"] == "correction"
    refused(table, "The match has gone on since this correction was looked at", 2, yellow, as_of=as_of)
    told = correct(table, 2, yellow)
    assert "dog" not in told["was"], "nor does what was made tell what lies under others"
    table.journal.close()


def test_the_referees_own_move_is_not_taken_out(path: Path) -> None:
    """It would fall due again at once."""
    table = Table(path, "threepia", way="time")
    one(table, move="deal")
    one(table, move="begin", player="Anna")
    table.wait(31).say(do="time")
    refused(table, "Move 3 is the referee's own, made when the time was up", 3, None)
    refused(table, "time-up is the referee's own move", 2, {"move": "time-up", "player": "Ben"})
    laid = correct(table, 3, {"move": "lay", "player": "Anna", "points": 2})
    assert laid["scores_after"] == {"Anna": 2, "Ben": 0}
    table.journal.close()


def test_a_correction_of_a_match_that_is_long_over(path: Path) -> None:
    table = to_two_points(path)
    correct(table, 11, WINS, counts=False)
    table.wait(7 * 24 * 3600)
    told = correct(table, 11, {**WINS, "place": "right"})
    assert told["table"]["over"] is None
    assert told["table"]["stands"], "nobody pays for the week"
    one(table, do="resume")
    assert table.at() < 60 * SECOND
    table.journal.close()


def test_a_preview_does_not_tell_that_a_dog_cannot_be_there_any_more() -> None:
    """A play that stands without its dog, because all cards of it lie elsewhere, looks like any other."""
    house = three.House(rearm=0, dogs=three.DOGS[:6], copies=8)
    match = Match(set_up(game("three"), ["Anna", "Ben"], house, match_id="dogs"))
    match.make(three.Begin("Anna", at=1))
    for turn in range(9):
        match.make(three.Play(match.state.turn, "Honey" if turn == 1 else "Sky", at=2 + turn))
    preview = match.preview(3, three.Play("Ben", "Sky"))
    assert [change.kind for change in preview.changes] == ["adjusted"]
    assert [change.kind for change in preview.veiled().changes] == ["changed"]
    assert preview.veiled().changes[0].adjusted is None
