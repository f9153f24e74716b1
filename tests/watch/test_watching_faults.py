"""Faults in the middle of a match before the simulated camera: noticed, said, recovered from, and the match intact."""

from dataclasses import replace
from typing import Any

import pytest

from tests.faulty import ENDS, FAULTS, SECOND, Fault, Outcome, begun_already, is_right, outcome, watched
from tests.kept import PROJECT
from tests.watch.test_bench import bench, kinds, run
from tests.watched import DEALS, GRID, at, grid_seen, hear, look, table_seen
from vision.sightings import CannotRead, CardSeen, NoCard, Sighting

PAGE = PROJECT / "docs" / "watching.md"
LASTING = [fault for fault in FAULTS if fault.code != ENDS]
ENDING = [pytest.param(fault, id=fault.name) for fault in FAULTS if fault.code == ENDS]


@pytest.fixture(
    scope="module",
    params=[pytest.param(fault, marks=[pytest.mark.long] if fault.is_long else []) for fault in LASTING],
    ids=lambda fault: fault.name,
)
def fault(request: pytest.FixtureRequest) -> Fault:
    """All tests of one fault come after each other, so that one process watches its match."""
    found: Fault = request.param
    return found


def test_without_a_fault_the_match_is_ruled_as_it_was_played() -> None:
    """What the others are compared with is known to be right, and holds legal and illegal plays before and after."""
    found = outcome(next(fault for fault in FAULTS if fault.name == "a third of the light for 4 s"))
    laid = found.laid()
    assert all(is_right(play, told) for play, told in laid), laid
    for some in (
        [play.verdict for play, _ in laid if play.at < found.stretch.at],
        [play.verdict for play, _ in laid if play.at > found.stretch.until],
    ):
        assert {"legal", "illegal"} <= set(some)


def test_what_is_seen_from_the_middle_of_a_match_on_is_ruled_on_as_it_lies() -> None:
    """The nine cards that are seen first are the grid, and a card that follows may be taken for a leftover."""
    found = watched(begun_already())
    told = [(play, told) for play, told in found.laid() if play.hidden_from > found.stretch.until and told]
    assert len(told) >= 5
    assert all(is_right(play, verdict) for play, verdict in told), told
    assert found.error == ""


def test_it_is_noticed_and_said(fault: Fault) -> None:
    found = outcome(fault)
    if not fault.code:
        assert found.of("out-of-step", "seen", "notice") == []
        return
    notice = found.notice(fault.code)
    assert notice is not None, found.of("out-of-step", "seen")
    stamp, told = notice
    assert (stamp - found.stretch.at) / SECOND <= fault.within
    for sentence in (told["sentence"], told.get("way_back", ".")):
        assert sentence.endswith((".", "?"))
    assert len(found.of("out-of-step")) <= 2  # one fault is not nine


def test_it_is_recovered_from(fault: Fault) -> None:
    found = outcome(fault)
    assert found.still_open == []
    assert found.recovered_after <= fault.back
    assert len(found.of("in-step")) == len(found.of("out-of-step"))


def test_the_match_is_intact(fault: Fault) -> None:
    found = outcome(fault)
    assert found.error == ""
    assert [(play, told) for play, told in found.beside() if not is_right(play, told)] == []
    assert len(found.beside()) >= 9
    _no_wrong_ruling(found)
    assert found.match is not None
    assert found.match.state.grid == found.tops
    assert found.is_intact


def _no_wrong_ruling(found: Outcome) -> None:
    """What could not be seen may stay without a ruling, and none may be made up."""
    for play, told in found.within():
        assert told in ("", "lies") or is_right(play, told), play
    assert found.verdicts.keys() <= {(play.cell, play.card) for play, _ in found.laid()}


@pytest.mark.parametrize("fault", ENDING)
def test_a_film_that_ends_with_a_fault_keeps_what_was_ruled(fault: Fault) -> None:
    found = outcome(fault)
    assert found.error.endswith(".")
    assert "\n" not in found.error
    before = [(play, told) for play, told in found.laid() if play.at < found.stretch.at]
    assert len(before) >= 8
    assert all(is_right(play, told) for play, told in before), before
    assert found.is_intact
    assert found.entries


def test_a_table_that_fails_at_the_same_place_again_and_again_ends_and_keeps_what_was_ruled() -> None:
    """Frames become smaller: the simulated table is asked for more, begins anew, and gets no further."""
    once = next(fault for fault in FAULTS if fault.name == "the frames of a film become smaller")
    found = watched(replace(once.make(), comes_back=True))
    assert found.error == outcome(once).error
    assert found.is_intact
    assert found.entries == outcome(once).entries


# --- what a single match does not show -------------------------------------------------------------------------


def no_card(number: int, cell: int, state: Any) -> NoCard:
    after = look(None, number)
    after = type(after)(after.stamp, after.number, None, state, after.confidence, after.square)
    return NoCard(at(number), number, cell, look(GRID[cell - 1], number - 5), after, at(number - 4))


def back_again(number: int, cell: int) -> CardSeen:
    card = GRID[cell - 1]
    return CardSeen(at(number), number, cell, look(None, number - 5), look(card, number), at(number - 4), ())


def in_play(seen: dict[int, list[Sighting]], last: int) -> list[dict[str, Any]]:
    """What is told from the first of these frames on."""
    assert sum(DEALS) + len(GRID) == 64
    made, eye = bench({0: [table_seen(), grid_seen()]} | seen)
    run(made, eye, range(2))
    list(hear(made, {"move": "go"}, at(2)))
    return run(made, eye, range(2, last))


@pytest.mark.parametrize(("state", "says"), [("face-down", "lies over them"), ("foreign", "not of this deck")])
def test_many_cells_that_show_no_card_are_one_sentence(state: str, says: str) -> None:
    cells = (2, 3, 5, 6, 8, 9)
    seen: dict[int, list[Sighting]] = {
        20: [no_card(20, cell, state) for cell in cells[:4]],
        22: [no_card(22, cell, state) for cell in cells[4:]],
        40: [back_again(40, cell) for cell in cells],
        41: [grid_seen(41)],
    }
    told = in_play(seen, 50)
    assert kinds(told) == ["out-of-step", "in-step"]
    assert (told[0]["cells"], told[0]["code"]) == ([], "bare")
    assert says in told[0]["sentence"]


def test_a_card_of_another_deck_is_to_be_taken_off() -> None:
    [told] = in_play({20: [no_card(20, 4, "foreign")]}, 30)
    assert told["cells"] == [4]
    assert told["way_back"] == f"Take it off cell 4, so that {GRID[3]} is seen there."


def test_a_cell_that_cannot_be_read_at_the_set_up_is_said() -> None:
    """Nobody would know why the match does not begin."""
    made, eye = bench({0: [table_seen()], 10: [CannotRead(at(10), 10, 7, "glare hides a part of it", ())]})
    told = run(made, eye, range(30))[1:]
    assert [(one["kind"], one["cells"], one["sentence"]) for one in told] == [
        ("seen", [7], "I cannot read cell 7: glare hides a part of it.")
    ]


# --- the page --------------------------------------------------------------------------------------------------


def test_the_page_tells_what_is_told(fault: Fault) -> None:
    """But for the figures, which are of one machine."""
    notice = outcome(fault).notice(fault.code)
    assert (notice[1]["sentence"] if notice else "nothing") in line_of(fault)


@pytest.mark.parametrize("fault", ENDING)
def test_the_page_tells_with_what_it_ends(fault: Fault) -> None:
    assert outcome(fault).error in line_of(fault)


def line_of(fault: Fault) -> str:
    [line] = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| {fault.name} |")]
    return line
