"""What is told, in lines for people: every kind of line and of reply has words."""

from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from companion.core.replies import Reply
from companion.core.wire import reply_plain
from companion.games.triple3.watch import WATCH
from companion.watch.bench import Bench
from companion.watch.game_watch import Seating
from companion.watch.reply_text import spoken
from companion.watch.sighting_text import LINES, line_of, line_plain, words_of
from tests.watched import (
    DEALS,
    GRID,
    SECOND,
    TABLE,
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
from tools.schema import watching_schema
from vision.sightings import (
    CannotRead,
    GridSeen,
    HandsSeen,
    NoCard,
    SameSeen,
    Sighting,
    TableLost,
    TableSeen,
    Trouble,
    TroubleOver,
)

VALID = jsonschema.Draft202012Validator(watching_schema())
CELL, CARD = a_card(legal=True)
SEEN: list[tuple[Sighting, str]] = [
    (table_seen(), "The table is found by the markers of the small mat."),
    (TableSeen(5, 1, TABLE, moved=True), "The table has moved: it is found by the markers of the small mat."),
    (grid_seen(), "The nine cards: red circle 0, "),
    (laid(9, 4, GRID[0], GRID[1]), "Cell 4: red circle 0, where red diamond 3 was, by an arm from the bottom, unseen"),
    (NoCard(5, 1, 4, look(GRID[0], 0), look(None, 1), 3), "Cell 4: nothing, where red circle 0 was."),
    (
        CannotRead(5, 1, 4, "glare hides a part of it", ((GRID[0], 0.7), (GRID[1], 0.001))),
        "Cell 4 cannot be read: glare hides a part of it. Likely: red circle 0 (70%).",
    ),
    (
        SameSeen(5, 1, 4, look(GRID[0], 0), look(GRID[0], 1), 3, ("left",), 5, 0.97),
        "Cell 4: red circle 0 as before, by an arm from the left; laid anew: 97%.",
    ),
    (HandsSeen(5, 1, 71, 3, 5, ("left",)), "A hand at the pile 71, by an arm from the left."),
    (GridSeen(5, 1, (look(GRID[0], 1), *[look(None, 1)] * 69)), "1 of 70 cells show something."),
    (TableLost(5, 1, "I see no marker"), "The table is lost: I see no marker."),
    (Trouble(5, 1, "dark", "The picture is black."), "The picture is black."),
    (TroubleOver(5, 1, "dark"), "There is light again."),
    (TroubleOver(5, 1, "unheard of"), "That is over."),
]


@pytest.mark.parametrize(("seen", "says"), SEEN)
def test_every_sighting_has_words_and_data(seen: Sighting, says: str) -> None:
    line = line_of(seen)
    VALID.validate(line_plain(line))
    assert (line.at, line.frame) == (seen.stamp, seen.number)
    told = words_of(line, 7 * SECOND)
    assert told.startswith("    7.0 s  ")
    assert says in told
    assert "\n" not in told


def test_every_kind_of_sighting_is_among_them() -> None:
    assert {type(line_of(seen)) for seen, _ in SEEN} == set(LINES)


def named(card: str) -> str:
    return card.replace("-", " ")


def replies() -> Iterator[Reply]:
    """A conversation in which everything is told that can be."""
    eye: Any = Eye({0: [table_seen(), grid_seen()], 20: [laid(20, CELL, CARD, GRID[CELL - 1])]})
    bench = Bench(eye, session, WATCH, Seating({}, DEALS))
    for number in range(21):
        yield from bench.saw(eye.watch(frame(number)), frame(number))
    lay = {"move": "lay", "cell": CELL, "card": CARD, "player": "Anna"}
    messages: list[dict[str, Any]] = [
        {"do": "correct", "number": 3, "move": lay, "preview": True},
        {"do": "correct", "number": 3, "move": lay},
        {"move": "stop", "player": "Ben"},
        {"move": "go-on"},
        {"move": "out", "player": "Ben"},
        {"do": "show"},
        {"do": "time"},
        {"do": "advise"},
        {"do": "undo"},
        {"do": "redo"},
        {"do": "look", "cell": 3},
        {"do": "correct", "number": 3, "move": None},
    ]
    for number, message in enumerate(messages, 30):
        yield from hear(bench, message, at(number))
    yield from bench.gone(at(50), "It was pulled out.")


def test_every_reply_has_words_and_is_of_the_schema() -> None:
    told = list(replies())
    lines = []
    for reply in told:
        VALID.validate(reply_plain(reply))
        found = list(spoken(reply, 12 * SECOND))
        assert found, reply
        lines += found
    wanted = {"match", "ruling", "foul", "error", "done", "correction", "preview", "state", "time", "dispute"}
    assert {*wanted, "out-of-step"} <= {reply.kind for reply in told}
    text = "\n".join(lines)
    assert f"Move 3 is put right: {named(CARD)} on cell {CELL} by Anna. No other ruling changes." in text
    assert f"Only looked at: Move 3 is put right: {named(CARD)} on cell {CELL} by Anna." in text
    assert f"Move 3 does not count: {named(CARD)} on cell {CELL} by Anna. " in text
    assert "The last play:" in text
    assert "It is read anew." in text
    assert "   ?     12.0 s  It was pulled out. " in text
