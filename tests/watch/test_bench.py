"""A match ruled on by what is seen: what comes of sightings and messages, and what each ruling rests on."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import JournalError
from companion.core.requests import read_message
from companion.games.triple3 import dispute_pictures as gallery
from companion.games.triple3.rules import CELLS, DECK, is_legal
from companion.games.triple3.watch import WATCH
from companion.games.triple3.witness import Witness
from companion.games.triple3.witness_plays import IN_LINE
from companion.watch.album import Album
from companion.watch.bench import Bench
from companion.watch.game_watch import Seating
from tests.replies import told as as_told
from tests.watched import (
    DEALS,
    GRID,
    SEATS,
    SECOND,
    Eye,
    a_card,
    at,
    frame,
    grid_seen,
    hear,
    laid,
    look,
    session,
    table_seen,
)
from vision.sightings import CellNow, GridSeen, NoCard, Sighting, TableLost, Trouble

Told = dict[str, Any]
CELL, CARD = a_card(legal=True)


def bench(seen: dict[int, list[Sighting]], album: Album | None = None, **house: Any) -> tuple[Bench, Eye]:
    eye = Eye(seen)
    made = Bench(
        eye,  # type: ignore[arg-type]
        lambda stamp: session(stamp, **house),
        WATCH,
        Seating(SEATS, DEALS),
        album,
    )
    return made, eye


def run(made: Bench, eye: Eye, numbers: Iterable[int]) -> list[Told]:
    return [reply for number in numbers for reply in as_told(made.saw(eye.watch(frame(number)), frame(number)))]


def played(number: int = 20, **house: Any) -> tuple[Bench, Eye, list[Told]]:
    """The grid, and one legal card."""
    seen: dict[int, list[Sighting]] = {
        0: [table_seen(), grid_seen()],
        number: [laid(number, CELL, CARD, GRID[CELL - 1])],
    }
    made, eye = bench(seen, **house)
    return made, eye, run(made, eye, range(number + 1))


def kinds(told: list[Told]) -> list[str]:
    return [reply["kind"] for reply in told]


def words(told: list[Told]) -> list[str]:
    return [reply["move"]["move"] for reply in told if reply["kind"] == "ruling"]


# --- from sightings to rulings


def test_a_match_begins_when_the_table_is_seen() -> None:
    made, eye = bench({3: [TableLost(at(3), 3, "There is no mat.")], 5: [Trouble(at(5), 5, "dark", "It is dark.")]})
    told = run(made, eye, range(8))
    assert [(reply["kind"], reply["sentence"]) for reply in told] == [
        ("notice", "There is no mat."),
        ("notice", "It is dark."),
    ]
    assert made.match is None
    [error] = as_told(hear(made, {"move": "stop", "id": "a"}, at(8)))
    assert (error["kind"], error["re"]) == ("error", "a")
    assert "when the table is seen" in error["sentence"]
    eye._seen = {9: [table_seen(9)]}
    [match] = run(made, eye, range(8, 10))
    assert match["kind"] == "match"
    assert match["at"] == 0


def test_each_ruling_rests_on_what_was_seen() -> None:
    _, eye, told = played()
    assert kinds(told) == ["match", "ruling", "ruling", "ruling"]
    assert words(told) == ["deal", "go", "lay"]
    assert told[-1]["evidence"] == {
        "cell": CELL,
        "card": CARD,
        "before": {"at": at(15), "frame": 15, "card": GRID[CELL - 1], "state": "card", "confidence": 0.9999},
        "after": {"at": at(20), "frame": 20, "card": CARD, "state": "card", "confidence": 0.9999},
        "since": at(16),
        "at": at(20),
        "arms": ["bottom"],
        "guess": "Anna",
        "held": 0,
        "order": [],
        "pictures": [],
        "chance": 1.0,
        "other": "",
        "spots": [],
        "place": "",
    }
    assert "evidence" not in told[1]
    assert told[-1]["move"].get("player", "") == ""  # a guess is not a claim
    assert eye.prior is not None
    assert eye.prior.shape == (9, 64)


def test_an_illegal_play_is_called_once_with_its_evidence() -> None:
    seen: dict[int, list[Sighting]] = {
        0: [table_seen(), grid_seen()],
        20: [laid(20, CELL, CARD, GRID[CELL - 1])],
    }
    after = (*GRID[: CELL - 1], CARD, *GRID[CELL:])
    cell, card = a_card(legal=False, grid=after, but=(CARD,))
    seen[40] = [laid(40, cell, card, after[cell - 1], "top")]
    seen[60] = [laid(60, cell, after[cell - 1], card, "top")]
    made, eye = bench(seen)
    told = run(made, eye, range(62))[4:]
    assert kinds(told) == ["foul", "put-right"]
    assert told[0]["code"] == "no-new-triple"
    assert told[0]["evidence"]["guess"] == "Ben"
    assert told[1]["sentence"] == f"{card} is off cell {cell} again."


def test_pictures_of_before_and_after_are_kept(tmp_path: Path) -> None:
    made, eye = bench({0: [table_seen(), grid_seen()], 20: [laid(20, CELL, CARD, GRID[CELL - 1])]}, Album(tmp_path))
    told = run(made, eye, range(21))
    paths = told[-1]["evidence"]["pictures"]
    assert paths == [str(tmp_path / "0001-before.png"), str(tmp_path / "0001-after.png")]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["0001-after.png", "0001-before.png"]


def test_pictures_that_cannot_be_kept_are_said_once_and_the_match_goes_on(tmp_path: Path) -> None:
    album = Album(tmp_path / "new")
    made, eye = bench({0: [table_seen(), grid_seen()], 20: [laid(20, CELL, CARD, GRID[CELL - 1])]}, album)
    (tmp_path / "new").rmdir()
    (tmp_path / "new").write_bytes(b"")
    told = run(made, eye, range(30))
    assert kinds(told) == ["match", "ruling", "ruling", "ruling", "notice"]
    assert told[3]["evidence"]["pictures"] == []
    assert told[4]["sentence"].startswith("No more pictures are kept")


def test_out_of_step_and_back_in_step() -> None:
    made, eye, _ = played()
    top = look_of_nothing(CELL, 30)
    eye._seen = {30: [top], 60: [laid(60, CELL, CARD, CARD)]}
    told = run(made, eye, range(21, 80))
    assert kinds(told) == ["out-of-step", "in-step"]
    assert told[0]["cells"] == [CELL]
    assert told[0]["at"] == at(30)
    assert CARD in told[0]["way_back"]
    assert told[1]["took"] == at(60) - at(30)


def look_of_nothing(cell: int, number: int) -> NoCard:
    return NoCard(at(number), number, cell, look(CARD, number - 5), look(None, number), at(number - 3))


def test_what_cannot_be_kept_while_time_passes_is_said_once_and_cards_are_ruled_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, eye = bench({0: [table_seen(), grid_seen()], 20: [laid(20, CELL, CARD, GRID[CELL - 1])]})
    told = run(made, eye, range(5))
    full = JournalError("The journal cannot be written: the disk is full.")
    with monkeypatch.context() as patched:
        patched.setattr("companion.core.session.Session.pass_time", lambda *_: failing(full))
        told += run(made, eye, range(5, 15))
    told += run(made, eye, range(15, 25))
    assert kinds(told) == ["match", "ruling", "error", "ruling", "ruling"]
    assert (told[2]["code"], told[2]["sentence"]) == ("journal", str(full))
    with monkeypatch.context() as patched:
        patched.setattr("companion.core.session.Session.pass_time", lambda *_: failing(full))
        assert kinds(run(made, eye, range(25, 30))) == ["error"], "and again, when it is so again"


def failing(error: Exception) -> Iterator[Told]:
    yield from ()
    raise error


def test_a_match_that_is_there_already_goes_on_from_where_it_stands() -> None:
    """The first frame may be older than what somebody has touched meanwhile."""
    begun = session(0)
    for word, number in (("pause", 30), ("resume", 40)):
        begun.answer(read_message(begun.referee.match.game, {"do": word, "at": at(number)}))
    eye = Eye({0: [table_seen(), grid_seen()], 20: [laid(20, CELL, CARD, GRID[CELL - 1])]})
    made = Bench(eye, begun, WATCH, Seating(SEATS, DEALS))  # type: ignore[arg-type]
    told = run(made, eye, range(25))
    assert words(told) == ["deal", "go", "lay"]
    assert begun.referee.match.now == at(30), "in the order in which it was said"


# --- messages


def test_stop_go_on_and_out_are_said() -> None:
    made, _, _ = played()
    [stop] = [
        one
        for one in as_told(hear(made, {"move": "stop", "player": "Ben", "id": "s"}, at(25)))
        if one["kind"] == "ruling"
    ]
    assert (stop["re"], stop["table"]["phase"]) == ("s", "stopped")
    assert stop["move"]["at"] == at(25)
    assert [one["table"]["phase"] for one in as_told(hear(made, {"move": "go-on"}, at(30)))] == ["play"]
    [foul] = as_told(hear(made, {"move": "out", "player": "Ben"}, at(31)))
    assert (foul["kind"], foul["code"]) == ("foul", "not-out")


def test_out_waits_for_a_card_that_was_seen_and_is_not_ruled_on_yet() -> None:
    """What lies on a cell in line with it cannot be read, so that it may have to wait for two seconds."""
    made, eye, _ = played()
    after = (*GRID[: CELL - 1], CARD, *GRID[CELL:])
    cell, card = a_card(legal=False, grid=after, but=(CARD,))
    beside = min(IN_LINE[cell])
    eye._seen = {30: [laid(30, cell, card, after[cell - 1])]}
    eye.cells = tuple(CellNow("unreadable" if one == beside else "clear", at(22)) for one in CELLS)
    assert run(made, eye, range(21, 31)) == []
    assert list(as_told(hear(made, {"move": "out", "player": "Ben", "id": "o"}, at(32)))) == []
    assert run(made, eye, range(31, 50)) == []
    told = run(made, eye, range(50, 52))
    assert [(reply["code"], reply.get("re")) for reply in told] == [("no-new-triple", None), ("not-out", "o")]
    [foul] = as_told(hear(made, {"move": "out", "player": "Ben"}, at(53)))  # and then for nothing
    assert foul["code"] == "not-out"


def test_out_does_not_wait_for_ever_where_no_frames_come() -> None:
    made, eye, _ = played()
    eye.cells = (CellNow("covered", at(20)), *eye.cells[1:])
    assert list(as_told(hear(made, {"move": "out", "player": "Ben"}, at(22)))) == []
    assert made.wakes_at == at(42)
    assert list(as_told(made.time_is(at(41)))) == []
    assert [reply["code"] for reply in as_told(made.time_is(at(42)))] == ["not-out"]
    assert made.wakes_at is None


def test_saying_go_begins_the_round() -> None:
    made, eye = bench({0: [table_seen(), grid_seen()]})
    run(made, eye, range(3))
    assert words(list(as_told(hear(made, {"move": "go"}, at(3))))) == ["go"]
    [foul] = as_told(hear(made, {"move": "go"}, at(4)))
    assert (foul["kind"], foul["code"]) == ("foul", "in-play")


def test_a_message_that_was_on_its_way_while_a_play_was_ruled_on_comes_after_it() -> None:
    made, _, told = played(20)
    ruled = told[-1]["move"]["at"]
    replies = list(as_told(hear(made, {"move": "stop"}, at(20) - SECOND // 2)))
    assert replies[0]["kind"] == "ruling"
    assert replies[0]["move"]["at"] == ruled
    [error] = as_told(hear(made, {"move": "go-on"}, at(20) - 2 * SECOND))
    assert (error["kind"], error["code"]) == ("error", "time")


def test_a_play_whose_frame_is_older_than_what_was_said_comes_after_it() -> None:
    made, eye, _ = played()
    for number, word in ((28, "stop"), (30, "go-on")):
        list(as_told(hear(made, {"move": word}, at(number))))
    after = (*GRID[: CELL - 1], CARD, *GRID[CELL:])
    cell, card = a_card(legal=True, grid=after, but=(CARD,))
    eye._seen = {25: [laid(25, cell, card, after[cell - 1])]}
    [ruling] = run(made, eye, range(21, 26))
    assert (ruling["move"]["move"], ruling["move"]["at"]) == ("lay", at(30))
    assert ruling["evidence"]["at"] == at(25)


def test_a_correction_is_followed_and_known_to_the_eye() -> None:
    made, eye, _ = played()
    _, other = a_card(legal=True, but=(CARD,))
    move = {"move": "lay", "cell": CELL, "card": other}
    [correction] = as_told(hear(made, {"do": "correct", "number": 3, "move": move}, at(21)))
    assert correction["kind"] == "correction"
    run(made, eye, range(21, 23))
    assert eye.known == {CELL: other}


def test_a_cell_that_somebody_touches_is_read_anew() -> None:
    made, eye, _ = played()
    [done] = as_told(hear(made, {"do": "look", "cell": 4, "id": "l"}, at(21)))
    assert (done["kind"], done["do"], done["re"]) == ("done", "look", "l")
    list(as_told(hear(made, {"do": "look"}, at(22))))
    assert eye.asked == [(4,), ()]


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ({"do": "look", "cell": 10}, "There is no cell 10"),
        ({"do": "look", "cell": "4"}, "cell must be a whole number"),
        ({"do": "look", "where": 4}, "there is no such key"),
        ({"do": "dance"}, "has a move or a do"),
        ({"move": "dance"}, "has no move 'dance'"),
        ({}, "has a move or a do"),
    ],
)
def test_a_message_that_is_none_is_one_error(message: Told, says: str) -> None:
    made, _, _ = played()
    [error] = as_told(hear(made, {**message, "id": "x"}, at(21)))
    assert (error["kind"], error["re"]) == ("error", "x")
    assert says in error["sentence"]


def test_a_look_that_comes_too_late_is_an_error_and_no_end() -> None:
    made, _, _ = played()
    list(as_told(hear(made, {"do": "pause"}, at(40))))
    [error] = as_told(hear(made, {"do": "look", "id": "l"}, at(20)))
    assert (error["kind"], error["code"], error["re"]) == ("error", "time", "l")


def test_undo_pause_and_rematch_work_as_with_the_referee() -> None:
    made, eye, _ = played()
    assert kinds(list(as_told(hear(made, {"do": "pause"}, at(21))))) == ["done"]
    assert kinds(list(as_told(hear(made, {"do": "resume"}, at(22))))) == ["done"]
    assert kinds(list(as_told(hear(made, {"do": "abandon"}, at(23))))) == ["done"]
    assert kinds(list(as_told(hear(made, {"do": "rematch"}, at(24))))) == ["match"]
    assert eye.asked[-1] == ()
    eye._seen = {30: [grid_seen(30)]}
    assert words(run(made, eye, range(25, 31))) == ["deal"]


# --- the dispute


def stopped(told: Iterable[Told]) -> Told:
    [dispute] = [one for one in told if one["kind"] == "dispute"]
    return dispute


def test_on_stop_the_last_plays_are_told_newest_first() -> None:
    after = (*GRID[: CELL - 1], CARD, *GRID[CELL:])
    cell, card = a_card(legal=False, grid=after, but=(CARD,))
    made, eye, _ = played()
    eye._seen = {
        40: [laid(40, cell, card, after[cell - 1], "top")],
        60: [laid(60, cell, after[cell - 1], card, "top")],
        80: [laid(80, CELL, GRID[CELL - 1], CARD)],
    }
    run(made, eye, range(21, 90))
    told = stopped(as_told(hear(made, {"move": "stop"}, at(90))))
    assert [(one["number"], one["verdict"], one["cell"], one["card"], one["covered"]) for one in told["plays"]] == [
        (4, "taken-back", CELL, CARD, GRID[CELL - 1]),
        (0, "called", cell, card, after[cell - 1]),
        (3, "legal", CELL, CARD, GRID[CELL - 1]),
    ]
    assert [one["evidence"] and one["evidence"]["at"] for one in told["plays"]] == [None, at(40), at(20)]
    assert told["page"] == ""


def test_a_dispute_tells_what_holds_after_a_correction() -> None:
    made, _, _ = played()
    list(as_told(hear(made, {"do": "correct", "number": 3, "move": None}, at(25))))
    assert stopped(as_told(hear(made, {"move": "stop"}, at(26))))["plays"] == []


def test_a_play_that_was_typed_has_no_evidence() -> None:
    made, _, _ = played()
    after = (*GRID[: CELL - 1], CARD, *GRID[CELL:])
    cell, card = a_card(legal=True, grid=after, but=(CARD,))
    list(as_told(hear(made, {"move": "lay", "player": "Ben", "cell": cell, "card": card}, at(25))))
    plays = stopped(as_told(hear(made, {"move": "stop"}, at(26))))["plays"]
    assert [(one["number"], one["player"], one["evidence"] is None) for one in plays] == [
        (4, "Ben", True),
        (3, "", False),
    ]


def test_the_pictures_of_a_dispute_are_kept_and_named(tmp_path: Path) -> None:
    seen: dict[int, list[Sighting]] = {0: [table_seen(), grid_seen()], 20: [laid(20, CELL, CARD, GRID[CELL - 1])]}
    made, eye = bench(seen, Album(tmp_path))
    run(made, eye, range(25))
    first = stopped(as_told(hear(made, {"move": "stop"}, at(25))))
    pictures = first["plays"][0]["pictures"]
    assert pictures == [str(tmp_path / "dispute-01-1-verdict.jpg"), str(tmp_path / "dispute-01-1-moment.jpg")]
    assert first["page"] == str(tmp_path / "dispute-01.jpg")
    list(as_told(hear(made, {"move": "go-on"}, at(26))))
    eye.changed = True
    run(made, eye, range(26, 200))
    later = stopped(as_told(hear(made, {"move": "stop"}, at(200))))
    assert later["plays"][0]["pictures"] == [str(tmp_path / "dispute-02-1-verdict.jpg")]  # too long ago for a moment
    made.close()
    for path in (*pictures, first["page"], *later["plays"][0]["pictures"], later["page"]):
        assert Path(path).exists()


def test_at_a_table_only_what_is_disputed_is_kept_and_forgotten_at_once(tmp_path: Path) -> None:
    seen: dict[int, list[Sighting]] = {0: [table_seen(), grid_seen()], 20: [laid(20, CELL, CARD, GRID[CELL - 1])]}
    made, eye = bench(seen, Album(tmp_path, disputes_only=True))
    told = run(made, eye, range(25))
    assert told[-1]["evidence"]["pictures"] == []
    assert (made.pictures_kept, [*tmp_path.iterdir()]) == (0, []), "a play that nobody disputes leaves no picture"
    first = stopped(as_told(hear(made, {"move": "stop"}, at(25))))
    while made.is_drawing:
        pass
    assert made.pictures_kept == len([*tmp_path.iterdir()]) == 3
    made.forget_pictures()
    assert (made.pictures_kept, [*tmp_path.iterdir()]) == (0, [])
    (again,) = as_told(made.disputed())
    assert [play["pictures"] for play in again["plays"]] == [[]] * len(first["plays"])
    made.close()
    assert not [*tmp_path.iterdir()], "what was being drawn comes no more"


def test_the_next_dispute_has_its_pictures(tmp_path: Path) -> None:
    seen: dict[int, list[Sighting]] = {0: [table_seen(), grid_seen()], 20: [laid(20, CELL, CARD, GRID[CELL - 1])]}
    made, eye = bench(seen, Album(tmp_path, disputes_only=True))
    run(made, eye, range(25))
    list(as_told(hear(made, {"move": "stop"}, at(25))))
    made.forget_pictures()
    list(as_told(hear(made, {"move": "go-on"}, at(26))))
    later = stopped(as_told(hear(made, {"move": "stop"}, at(30))))
    made.close()
    assert later["plays"][0]["pictures"]
    assert all(Path(path).exists() for path in later["plays"][0]["pictures"])


def test_a_dispute_that_cannot_be_drawn_is_said_and_the_match_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[int, list[Sighting]] = {0: [table_seen(), grid_seen()], 20: [laid(20, CELL, CARD, GRID[CELL - 1])]}
    made, eye = bench(seen, Album(tmp_path))
    run(made, eye, range(25))
    monkeypatch.setattr(gallery, "verdict_of", lambda *_: 1 / 0)
    list(as_told(hear(made, {"move": "stop"}, at(25))))
    made.close()
    [notice] = run(made, eye, range(25, 30))
    assert (
        notice["sentence"] == "The dispute cannot be drawn (division by zero): the match goes on without its pictures."
    )
    assert kinds(list(as_told(hear(made, {"move": "go-on"}, at(30))))) == ["ruling"]


# --- the camera goes and comes back


def test_a_camera_that_is_gone_puts_the_table_out_of_step_and_the_match_is_intact() -> None:
    made, eye, _ = played()
    assert made.match
    before = len(made.match.line)
    [out] = as_told(made.gone(at(30), "It was pulled out."))
    assert (out["kind"], out["cells"], out["code"]) == ("out-of-step", [], "camera")
    assert list(as_told(made.gone(at(31), "It was pulled out."))) == []
    assert list(as_told(made.back(at(60)))) == []
    assert eye.asked == [()]  # everything is to be read anew
    grid = (*GRID[: CELL - 1], CARD, *GRID[CELL:])
    eye._seen = {70: [again(grid, 70)]}
    [back] = run(made, eye, range(61, 75))
    assert (back["kind"], back["code"]) == ("in-step", "camera")
    assert len(made.match.line) == before


def again(grid: tuple[str, ...], number: int) -> Sighting:
    return GridSeen(at(number), number, tuple(look(card, number) for card in grid))


def test_a_camera_that_goes_before_the_match_is_told() -> None:
    made, _ = bench({})
    assert [one["sentence"] for one in (*as_told(made.gone(5, "It is gone.")), *as_told(made.back(6)))] == [
        "It is gone.",
        "The camera is back.",
    ]


def test_a_witness_who_loses_his_head_is_replaced_and_the_match_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    made, eye, _ = played()
    take = Witness.take

    def fails(*_given: Any) -> Any:
        monkeypatch.setattr(Witness, "take", take)
        raise ValueError("what is this?")

    monkeypatch.setattr(Witness, "take", fails)
    [lost] = run(made, eye, [21])
    assert lost["kind"] == "notice"
    assert "what is this?" in lost["sentence"]
    match = made.match
    assert match is not None
    cell, card = next(
        (cell, card)
        for cell in CELLS
        for card in DECK
        if is_legal(match.state.grid, cell, card) and is_new(match, card)
    )
    cards = [pile[-1].card for pile in match.state.piles]
    eye._seen |= {
        22: [GridSeen(at(22), 22, tuple(look(one, 22) for one in cards))],
        90: [laid(90, cell, card, cards[cell - 1])],
    }
    told = run(made, eye, range(22, 100))
    assert words(told) == ["lay"]
    assert match.state.grid[cell - 1] == card


def is_new(match: Any, card: str) -> bool:
    return all(card != laid.card for pile in match.state.piles for laid in pile)
