"""The last plays of Tres as they may be disputed, and what becomes of one that was read wrongly."""

import pytest

from companion.core.errors import MatchError
from companion.watch.messages import Really
from tests.tres.told_table import ToldTable


def last(table: ToldTable) -> list[tuple[int, str, int, str, str]]:
    """Number, verdict, place, card, and the one of the table."""
    plays = table.bench._desk.recollection.plays(table.match)
    return [(one.number, one.verdict, one.cell, one.card, one.covered) for one in plays]


def test_the_last_plays_newest_first() -> None:
    table = ToldTable().begin().plays("Ben", 1, "red-6", "blue-7").fills("Clara", 1, "yellow-1")
    table.lays("Clara", 5, "blue-5").lays("Clara", 8, "blue-1").wait(0.5)
    assert last(table) == [
        (0, "called", 5, "blue-5", "blue-8"),
        (0, "called", 8, "blue-1", "blue-8"),
        (4, "legal", 1, "yellow-1", ""),
        (3, "legal", 4, "red-6", "red-5"),
        (3, "legal", 7, "blue-7", "red-5"),
    ]
    told = [table.bench._desk.recollection.told(one, ()) for one in table.bench._desk.recollection.plays(table.match)]
    assert told[3].player == "Ben"
    assert told[3].likely == ["blue-6", "green-6", "yellow-6"]
    assert told[3].evidence is not None
    assert told[3].evidence.guess == "Ben"
    table.lifts(5, 8).wait(1.5)
    assert last(table)[0][1] == "legal"


def test_a_card_of_a_play_was_another_one() -> None:
    table = ToldTable().begin().plays("Ben", 1, "red-6", "blue-7").fills("Clara", 1, "yellow-1")
    table.say(Really(4, "red-6", "green-6", at=table.now))
    assert table.match.line[2].move.cards == ("green-6", "blue-7")
    table.say(Really(1, "yellow-1", "yellow-2", at=table.now))
    table.wait(1)
    assert table.state.table == ("blue-8", "green-2", "yellow-2")
    assert (table.asked, table.state.phase) == ([], "turn")
    table.plays("Clara", 1, "yellow-3").fills("Anna", 1, "red-1")
    assert (table.asked, table.line[-2:]) == ([], ["play", "fill"])


def test_a_card_that_was_called_was_another_one() -> None:
    table = ToldTable().begin().lays("Ben", 4, "red-9").lays("Ben", 7, "blue-7").wait(0.5)
    assert table.fouls == ["not-consecutive"]
    table.say(Really(4, "red-9", "red-6", at=table.now))
    table.wait(0.5)
    assert (table.line[-1], table.state.discards) == ("play", ("red-5", "red-6", "blue-7"))
    assert table.eye.known == {4: "red-6"}


@pytest.mark.parametrize(
    ("cell", "read", "card", "sentence"),
    [(4, "red-9", "red-6", "None of the last plays is red-9"), (4, "red-6", "pink-6", "is not a card of this deck")],
)
def test_what_cannot_be_put_right_is_one_sentence(cell: int, read: str, card: str, sentence: str) -> None:
    table = ToldTable().begin().plays("Ben", 1, "red-6", "blue-7")
    recollection = table.bench._desk.recollection
    with pytest.raises(MatchError, match=sentence):
        recollection.put_right(Really(cell, read, card), recollection.play_of(cell, read, table.match), table.match)
