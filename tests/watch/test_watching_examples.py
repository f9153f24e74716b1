"""The example of the sheet before the camera, verdict by verdict; a dispute from Stop! to go-on, with its pictures."""

import json
from pathlib import Path
from typing import Any

import cv2
import jsonschema
import pytest

from companion.core.codec import read_again
from companion.core.referee import GONE_ON
from companion.games.triple3.rules import CELLS, DECK, is_legal
from tests.examples import CARD, GRID, MAY_GO, READ_WRONGLY, RIGHT, WRONG, Watched, dispute, nine_plays, watched
from tests.games.test_triple3 import EXAMPLE, TAKES_THE_BLUE_CIRCLE_WITH_2, example_grids
from tests.kept import PROJECT
from tests.replies import told as as_told
from tests.watch.test_bench import played, run
from tests.watched import GRID as SEEN_GRID
from tests.watched import a_card, at, hear, laid
from tests.watching_pages import LARGE, SMALL, STOPPED, watch
from tools.schema import watching_schema

DOCS = PROJECT / "docs"
VALID = jsonschema.Draft202012Validator(watching_schema())
NEW = {  # what the blue circle with 2 makes, where it may go
    1: ("blue", "falling diagonal"),
    3: ("blue", "right column"),
    4: ("blue", "middle row"),
    7: ("circle", "rising diagonal"),
    9: ("circle", "falling diagonal"),
}
OLD = {2: ["circle in the top row", "circle in the middle column"], 5: ["circle in the middle column"], 6: []}

Told = dict[str, Any]


def of(told: list[Told], kind: str) -> list[Told]:
    return [one for one in told if one["kind"] == kind]


# --- the example of the sheet ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    return watched(nine_plays(), tmp_path_factory.mktemp("example"))


def test_the_grid_is_one_of_those_that_fit_the_sheet() -> None:
    assert GRID in example_grids()
    assert set(MAY_GO) == TAKES_THE_BLUE_CIRCLE_WITH_2


def test_the_blue_circle_with_2_before_the_camera_is_legal_where_the_sheet_says_so(example: Watched) -> None:
    made = [one["events"][0] for one in of(example.told, "ruling") if one["move"]["move"] == "lay"]
    assert [(one["event"], one["cell"], one["card"]) for one in made] == [
        ("played-legally", cell, CARD) for cell in MAY_GO
    ]
    assert {one["cell"]: (one["new"], one["line"]) for one in made} == NEW
    refused = [one["facts"] for one in of(example.told, "foul")]
    assert [one["cell"] for one in refused] == [cell for cell in CELLS if cell not in MAY_GO]
    for one in refused:
        assert set(one["accepts"]) == EXAMPLE[one["cell"]]
        assert [read_again(**old) for old in one["old"]] == OLD.get(one["cell"], OLD[5])


def test_each_card_is_off_its_cell_again_and_nothing_was_out_of_step(example: Watched) -> None:
    backs = [one["events"][0]["cell"] for one in of(example.told, "ruling") if one["move"]["move"] == "take-back"]
    assert backs == list(MAY_GO)
    assert [one["cell"] for one in of(example.told, "put-right")] == [2, 5, 6, 8]
    assert not of(example.told, "out-of-step") + of(example.told, "seen") + of(example.told, "error")


def test_the_verdicts_are_drawn_of_what_was_seen_and_say_why(example: Watched) -> None:
    assert [verdict.cell for verdict in example.verdicts] == list(CELLS)
    for verdict in example.verdicts:
        assert verdict.kind == ("legal" if verdict.cell in MAY_GO else "illegal")
        assert (verdict.card, verdict.covered) == (CARD, GRID[verdict.cell - 1])
        assert all(triple.is_new == (verdict.cell in MAY_GO) for triple in verdict.triples)
        assert all(square is not None for square in (verdict.before, verdict.after, *verdict.squares))
    words = {verdict.cell: verdict.lines for verdict in example.verdicts}
    assert words[1] == ("New: three blue cards in the falling diagonal.",)
    assert words[2] == (
        "Not new: three circles in the top row and the middle column.",
        "It was so with yellow circle 2 already.",
        "Cell 2 takes a 1.",
    )
    assert words[6] == ("No line through cell 6 gets three alike.", "Cell 6 takes a 1.")
    assert words[8][-1] == "Cell 8 takes no card at all."


# --- Stop! -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> list[Told]:
    """Illegal plays are kept for the next Stop!."""
    return told_of("keep", tmp_path_factory.mktemp("kept"))


def told_of(illegal_plays: str, folder: Path) -> list[Told]:
    code, said = watch(dispute(illegal_plays), folder, "--json")
    assert code == 0
    told = [json.loads(line) for line in said.splitlines()]
    for one in told:
        VALID.validate(one)
    return told


def plays(stopped: Told) -> list[tuple[str, int, str]]:
    return [(play["verdict"], play["cell"], play["card"]) for play in stopped["plays"]]


def test_on_stop_the_plays_come_up_with_a_page_a_verdict_and_a_moment_each(kept: list[Told]) -> None:
    before, _ = of(kept, "dispute")
    assert plays(before) == [
        ("illegal", 2, "yellow-circle-3"),
        ("illegal", 7, "blue-plus-2"),
        ("illegal", READ_WRONGLY, WRONG),
        ("legal", 1, "blue-diamond-0"),
    ]
    assert before["plays"][2]["likely"][0] == RIGHT
    assert cv2.imread(before["page"]).shape == (720, 1280, 3)
    for play in before["plays"]:
        verdict, moment = (cv2.imread(path) for path in play["pictures"])
        assert verdict.shape == (720, 1280, 3)
        assert moment.shape == (240, 1280, 3)


def test_a_card_that_was_read_wrongly_is_put_right_and_what_came_after_it_is_ruled_on_again(kept: list[Told]) -> None:
    [correction] = of(kept, "correction")
    assert (correction["was"]["card"], correction["now"]["card"]) == (WRONG, RIGHT)
    assert [change["now"] for change in correction["changes"]] == [
        ["A card on cell 7: blue in the left column."],
        ["Stop! Illegal plays lie on cells 2."],
    ]
    _, after = of(kept, "dispute")
    assert kept.index(after) == kept.index(correction) + 1
    assert plays(after)[:3] == [
        ("illegal", 2, "yellow-circle-3"),
        ("legal", 7, "blue-plus-2"),
        ("legal", READ_WRONGLY, RIGHT),
    ]
    right = after["plays"][2]
    assert right["evidence"]["after"]["card"] == WRONG  # as it was read
    assert right["evidence"]["card"] == RIGHT
    assert len(right["pictures"]) == 2  # what was seen of it stays with it


def test_the_round_goes_on_and_ends_and_nobody_overrules_the_people(kept: list[Told]) -> None:
    moves = [one["move"]["move"] for one in of(kept, "ruling")]
    assert moves == ["deal", "go", "lay", "lay", "lay", "lay", "stop", "take-back", "go-on", "lay", "out"]
    assert not of(kept, "seen") + of(kept, "out-of-step") + of(kept, "error")
    assert of(kept, "ruling")[-1]["table"]["over"]["winners"] == ["Ben"]


def test_where_illegal_plays_are_called_they_are_ruled_on_again_as_well(tmp_path: Path) -> None:
    told = told_of("call", tmp_path)
    assert [one["facts"]["card"] for one in of(told, "foul")] == [
        WRONG,
        "blue-plus-2",
        "yellow-circle-3",
        "yellow-circle-3",
    ]
    before, after = of(told, "dispute")
    assert [play[0] for play in plays(before)] == ["called", "called", "called", "legal"]
    assert plays(after)[:3] == [
        ("called", 2, "yellow-circle-3"),
        ("legal", 7, "blue-plus-2"),
        ("legal", READ_WRONGLY, RIGHT),
    ]
    assert of(told, "ruling")[-1]["table"]["over"]["winners"] == ["Ben"]
    assert not of(told, "seen") + of(told, "out-of-step") + of(told, "error")


# --- what may be said of a card --------------------------------------------------------------------------------

CELL, LAID = a_card(legal=True)
OTHER = next(card for card in DECK if card not in (*SEEN_GRID, LAID))


def really(**message: Any) -> Told:
    return {"do": "really", "cell": CELL, "read": LAID, "card": OTHER, "id": "r"} | message


@pytest.mark.parametrize(
    ("message", "says"),
    [
        (really(card="blue-circle-9"), "There is no card 'blue-circle-9'"),
        (really(card=SEEN_GRID[0]), "it has been seen on the table already"),
        (really(read=OTHER), f"None of the last plays is {OTHER} on cell {CELL}"),
        (really(cell=CELL % 9 + 1), "None of the last plays"),
        (really(cell="x"), "cell must be a whole number"),
    ],
)
def test_what_cannot_be_put_right_is_one_sentence(message: Told, says: str) -> None:
    made, _, _ = played()
    [error] = as_told(hear(made, message, at(25)))
    assert (error["kind"], error["re"]) == ("error", "r")
    assert says in error["sentence"]


def test_a_card_that_was_taken_back_is_not_ruled_on_again() -> None:
    made, eye, _ = played()
    eye._seen = {40: [laid(40, CELL, SEEN_GRID[CELL - 1], LAID)]}
    run(made, eye, range(21, 42))
    [error] = as_told(hear(made, really(), at(45)))
    assert "there is nothing to rule on again" in error["sentence"]


def test_a_legal_play_that_is_really_an_illegal_one_is_called() -> None:
    made, eye, _ = played()
    assert made.match
    wrong = next(card for card in DECK if card not in (*SEEN_GRID, LAID) and not is_legal(SEEN_GRID, CELL, card))
    told = list(as_told(hear(made, really(card=wrong), at(25))))
    assert [one["kind"] for one in told] == ["foul", "correction", "foul"]
    assert [told[0]["facts"]["card"], told[1]["now"], told[2]["facts"]["card"]] == [wrong, None, wrong]
    assert eye.known == {CELL: wrong}
    assert made.match.state.grid == SEEN_GRID


def test_what_would_come_of_it_is_looked_at_before() -> None:
    made, _, _ = played()
    assert made.match
    right = next(card for card in DECK if card not in (*SEEN_GRID, LAID) and is_legal(SEEN_GRID, CELL, card))
    before, entries = list(made.match.line), made.match.entries
    [preview] = as_told(hear(made, really(card=right, preview=True), at(25)))
    assert (preview["kind"], preview["re"], preview["now"]["card"]) == ("preview", "r", right)
    assert (made.match.line, made.match.entries) == (before, entries)
    [late] = as_told(hear(made, really(card=right, as_of=entries - 1), at(25)))
    assert (late["kind"], late["sentence"]) == ("error", GONE_ON)
    assert made.match.line == before, "the play is not dropped by it"
    assert [one["kind"] for one in as_told(hear(made, really(card=right, as_of=entries), at(25)))] == ["correction"]


def test_that_a_play_would_be_called_is_looked_at_too() -> None:
    made, eye, _ = played()
    assert made.match
    wrong = next(card for card in DECK if card not in (*SEEN_GRID, LAID) and not is_legal(SEEN_GRID, CELL, card))
    [preview] = as_told(hear(made, really(card=wrong, preview=True), at(25)))
    assert (preview["kind"], preview["now"]) == ("preview", None)
    assert eye.known == {}


# --- the pages -------------------------------------------------------------------------------------------------


def test_the_pictures_of_the_pages_are_small_and_shown() -> None:
    shown = {f"example-{cell}.jpg": "reading.md" for cell in CELLS} | dict.fromkeys(STOPPED, "watching.md")
    for name, page in shown.items():
        assert f"watching/{name}" in (DOCS / page).read_text(encoding="utf-8")
        assert (DOCS / "watching" / name).stat().st_size <= (SMALL if name.startswith("example") else LARGE)
