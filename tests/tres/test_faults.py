"""Faults in mid-match, told to the witness as the eye tells them: said where people must do something, recovered from,
and the match intact."""

from collections.abc import Callable

import pytest

from companion.core.requests import Correct, Pause, Resume, Undo
from companion.games.tres.rules import Draw, Fill, Keep
from companion.watch.bench import Bench
from companion.watch.messages import OutOfStepReply
from tests.tres.told_table import ToldTable
from vision.sightings import GridSeen, HandsSeen, Sighting, TableLost, TableSeen, Trouble, TroubleOver

Fault = Callable[[ToldTable], None]


def begun() -> ToldTable:
    """Behind a play, with Clara's turn."""
    return ToldTable().begin().plays("Ben", 1, "red-6").fills("Clara", 1, "yellow-1").wait(1)


def grid(table: ToldTable) -> GridSeen:
    return GridSeen(table.now, 0, tuple(table.looks.values()))


def found(table: ToldTable) -> None:
    table.see(TableSeen(table.now, 0, None, moved=False))  # type: ignore[arg-type]
    table.wait(0.3).see(grid(table))


def lost_head(bench: Bench) -> None:
    bench._witness = bench._another_witness()


# --- what befalls a table: each ends with all as it was, and it is Clara's turn


def table_lost(table: ToldTable) -> None:
    table.see(TableLost(table.now, 0, "The mat is gone."))
    table.wait(1)
    found(table)


def table_lost_for_long(table: ToldTable) -> None:
    table.see(TableLost(table.now, 0, "The mat is gone."))
    table.wait(20)
    found(table)


def lost_while_a_card_is_played(table: ToldTable) -> None:
    table.lays("Clara", 5, "blue-9")
    table.see(TableLost(table.now, 0, "The mat is gone."))
    table.wait(1)
    table.looks[5] = table.look("")
    found(table)
    table.wait(1)


def trouble(code: str) -> Fault:
    def befalls(table: ToldTable) -> None:
        table.see(Trouble(table.now, 0, code, "Something is wrong."))
        table.wait(3).see(TroubleOver(table.now, 0, code))
        table.wait(0.3).see(grid(table))

    return befalls


def camera_gone(table: ToldTable) -> None:
    table.told += table.bench.gone(table.now, "The camera is gone.")
    table.now += 5_000_000_000
    table.told += table.bench.back(table.now)
    table.wait(0.3).see(grid(table))


def camera_gone_and_typed_on(table: ToldTable) -> None:
    """Two turns are typed meanwhile; cards are laid as they are told."""
    table.told += table.bench.gone(table.now, "The camera is gone.")
    for player in ("Clara", "Anna", "Ben"):
        table.say(Draw(player))
        table.say(Keep(player))
    table.now += 5_000_000_000
    table.told += table.bench.back(table.now)
    table.wait(0.3).see(grid(table))


def witness_replaced(table: ToldTable) -> None:
    lost_head(table.bench)
    table.see(grid(table))


def witness_replaced_in_a_play(table: ToldTable) -> None:
    table.lays("Clara", 5, "blue-7")
    lost_head(table.bench)
    table.see(grid(table))
    table.wait(1).lifts(5).wait(1)


def witness_fails(table: ToldTable) -> None:
    """Whatever is told that it does not know: another one goes on."""
    table.see(Broken(table.now, 0))
    table.see(grid(table))


class Broken(Sighting):
    """None that there is."""


def pause(table: ToldTable) -> None:
    table.say(Pause("tea", at=table.now))
    table.wait(2)
    table.say(Resume(at=table.now))
    table.see(grid(table))


def undone_and_said_again(table: ToldTable) -> None:
    table.say(Undo(at=table.now))
    table.wait(1)
    table.say(Fill("Clara", "yellow-1"))


def corrected(table: ToldTable) -> None:
    """People put a card right that was turned up, and back."""
    number = len(table.match.line)
    table.say(Correct(number, {"move": "fill", "player": "Clara", "card": "yellow-2"}, at=table.now))
    table.wait(0.5)
    table.say(Correct(number, {"move": "fill", "player": "Clara", "card": "yellow-1"}, at=table.now))


def face_down(table: ToldTable) -> None:
    table.see(table.shows(5, "?", "Clara"))
    table.wait(2).lifts(5)


def pile_knocked_over(table: ToldTable) -> None:
    places = (4, 5, 6, 8, 9)
    table.see(*(table.shows(place, "?") for place in places))
    table.wait(3).lifts(*places)


def hand_stays(table: ToldTable) -> None:
    table.cell(10, "covered").wait(10).cell(10, "clear")
    table.at_the_pile("Clara", 10, otherwise=0.0)


def cannot_read(table: ToldTable) -> None:
    table.cannot_read(2)
    table.wait(2).cell(2, "clear")


def read_otherwise_and_back(table: ToldTable) -> None:
    table.see(table.shows(2, "blue-3"))
    table.see(table.shows(2, "blue-8"))


def table_card_lifted(table: ToldTable) -> None:
    table.lifts(3).wait(1).lays("Ben", 3, "green-2")


def table_card_lifted_for_long(table: ToldTable) -> None:
    table.lifts(3).wait(5).lays("Ben", 3, "green-2")


def hands_over_everything(table: ToldTable) -> None:
    for place in range(1, 10):
        table.cell(place, "covered")
    table.wait(6)
    for place in range(1, 10):
        table.cell(place, "clear")


def discards_put_straight(table: ToldTable) -> None:
    table.see(HandsSeen(table.now, 0, 11, table.now - 900_000_000, table.now, ("top",)))


def pile_put_straight(table: ToldTable) -> None:
    """By somebody who is not next."""
    table.at_the_pile("Ben").wait(1)


FAULTS: dict[str, Fault] = {
    "the mat is lost": table_lost,
    "the mat is lost for long": table_lost_for_long,
    "the mat is lost in a play": lost_while_a_card_is_played,
    **{f"trouble: {code}": trouble(code) for code in ("dark", "frozen", "backwards", "size", "covered")},
    "the camera is gone": camera_gone,
    "the camera is gone, and turns are typed": camera_gone_and_typed_on,
    "another witness": witness_replaced,
    "another witness in a play": witness_replaced_in_a_play,
    "the witness fails": witness_fails,
    "a pause": pause,
    "undone and said again": undone_and_said_again,
    "corrected twice": corrected,
    "a card face down": face_down,
    "the draw pile knocked over": pile_knocked_over,
    "a hand that stays on the pile": hand_stays,
    "a card that cannot be read": cannot_read,
    "a card read otherwise, and back": read_otherwise_and_back,
    "a card of the table lifted": table_card_lifted,
    "a card of the table lifted for long": table_card_lifted_for_long,
    "hands over everything": hands_over_everything,
    "the discards put straight": discards_put_straight,
    "the pile put straight": pile_put_straight,
}
SAID = {
    "the mat is lost",
    "the mat is lost for long",
    "the mat is lost in a play",
    "the camera is gone",
    "the camera is gone, and turns are typed",
    "a card face down",
    "the draw pile knocked over",
    "a hand that stays on the pile",
    "a card that cannot be read",
    "a card of the table lifted for long",
    *(name for name in FAULTS if name.startswith("trouble")),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_match_goes_on_behind_a_fault(name: str) -> None:
    table = begun()
    before = len(table.told)
    FAULTS[name](table)
    table.wait(1)
    asked = [reply for reply in table.told[before:] if isinstance(reply, OutOfStepReply)]
    assert bool(asked) is (name in SAID), asked
    assert table.asked == []
    assert (table.state.turn, table.state.phase) == ("Clara", "turn")
    assert sorted(table.state.table) == ["blue-8", "green-2", "yellow-1"]
    hands = table.hands
    table.plays("Clara", 2, "blue-9", "yellow-1").fills("Anna", 2, "green-7").draws("Anna").wait(1)
    assert (table.fouls, table.asked) == ([], [])
    assert table.line[-3:] == ["play", "fill", "draw"]
    assert table.hands == {"Anna": hands["Anna"] + 1, "Ben": hands["Ben"], "Clara": hands["Clara"] - 2}
    assert all(reply.sentence.endswith(".") and reply.way_back.endswith(".") for reply in asked)
