"""The messages: described as they are, and answered one by one."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import MalformedError
from companion.core.match import set_up
from companion.core.record import move_plain
from companion.core.referee import Referee
from companion.core.requests import REQUESTS, read_message
from companion.core.session import Session
from companion.games import NAMES, game
from tests.invariants import matches, played
from tests.replies import told as as_told
from tools.schema import schema, shown, with_tables

DOCS = Path(__file__).parents[2] / "docs"
DEFINITIONS = schema()["$defs"]


def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": DEFINITIONS})


RECEIVED = {name: validator(f"{name}.in") for name in NAMES}
SENT = {name: validator(f"{name}.out") for name in NAMES}


def session(name: str = "three", players: tuple[str, ...] = ("Anna", "Ben")) -> Session:
    playing = game(name)
    return Session(Referee.begin(set_up(playing, players, playing.house()), 0), None)


def tell(conversation: Session, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """The replies to messages that are stamped a second apart."""
    name = conversation.referee.match.setup.game
    replies = []
    for number, unstamped in enumerate(messages, 1):
        message = {"at": number * 10**9, **unstamped}
        RECEIVED[name].validate(message)
        for reply in as_told(conversation.answer(read_message(game(name), message))):
            SENT[name].validate(json.loads(json.dumps(reply)))
            replies.append(reply)
    return replies


def test_schema_page_is_up_to_date() -> None:
    assert (DOCS / "protocol.schema.json").read_text(encoding="utf-8") == shown(), "python -m tools.schema docs"


def test_tables_are_up_to_date() -> None:
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
    assert page == with_tables(page), "python -m tools.schema docs"


def test_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("name", NAMES)
def test_every_move_of_a_match_fits_the_schema(name: str) -> None:
    for setup, how in matches(name, 5):
        for done in played(setup, **how)[0].line:
            if not done.move.by_referee:
                RECEIVED[name].validate(move_plain(done.move))


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_described(name: str) -> None:
    described = set(DEFINITIONS)
    assert {f"{name}.move.{move.word}" for move in game(name).moves} <= described
    assert {f"{name}.event.{event.word}" for event in game(name).events} <= described


@pytest.mark.parametrize("name", NAMES)
def test_events_of_a_match_are_listed_by_its_game(name: str) -> None:
    known = set(game(name).events)
    for setup, how in matches(name, 7):
        match = played(setup, **how)[0]
        assert {type(event) for done in match.line for event in done.ruling.events} <= known


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.lists(st.integers(), max_size=3),
    st.just({}),
    st.just("Anna"),
    st.just("left"),
)
WORDS = sorted({move.word for name in NAMES for move in game(name).moves} | {kind.word for kind in REQUESTS})
KEYS = [
    "player",
    "at",
    "id",
    "dog",
    "cell",
    "card",
    "found",
    "whom",
    "why",
    "number",
    "place",
    "up",
    "grid",
    "cards",
    "insist",
    "table",
    "points",
    "source",
    "target",
    "deals",
    "said",
    "nonsense",
]


@given(
    name=st.sampled_from([*NAMES]),
    word=st.sampled_from(WORDS),
    kind=st.sampled_from(["move", "do"]),
    rest=st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4),
)
def test_the_schema_and_the_reader_agree(name: str, word: str, kind: str, rest: dict[str, Any]) -> None:
    """A message that the schema refuses is refused, and one that it allows is read.

    A float without a fraction is the one difference: JSON Schema takes 1.0 for an integer, the referee does not.
    """
    message = {kind: word, **rest}
    floats = any(isinstance(value, float) for value in rest.values())
    allowed = RECEIVED[name].is_valid(message)
    try:
        read_message(game(name), message)
    except MalformedError:
        assert not allowed or floats
    else:
        assert allowed


def test_a_whole_conversation() -> None:
    replies = tell(
        session(),
        {"move": "begin", "player": "Anna"},
        {"move": "play", "player": "Anna", "dog": "red"},
        {"do": "pause", "why": "dinner"},
        {"move": "play", "player": "Ben"},
        {"do": "resume", "id": "r1"},
        {"do": "correct", "number": 2, "move": {"move": "play", "player": "Anna", "dog": "blue"}},
        {"do": "undo"},
        {"do": "redo"},
        {"do": "redo"},
        {"do": "show"},
        {"do": "advise"},
        {"move": "strike", "player": "Ben"},
        {"move": "strike", "player": "Anna"},
        {"do": "time", "at": 10**11},
        {"do": "abandon", "why": "bedtime", "at": 10**11 + 1},
        {"do": "rematch", "at": 10**11 + 2},
    )
    assert [reply["kind"] for reply in replies] == [
        "ruling",
        "ruling",
        "done",
        "error",
        "done",
        "correction",
        "done",
        "done",
        "error",
        "state",
        "error",
        "ruling",
        "foul",
        "ruling",
        "time",
        "done",
        "match",
    ]
    assert replies[4]["re"] == "r1"
    assert replies[13]["move"]["move"] == "release"
    assert replies[-1]["rematch_of"]


def test_a_stamp_that_goes_backwards_is_one_clear_error() -> None:
    conversation = session()
    tell(conversation, {"move": "begin", "player": "Anna", "at": 5_000})
    before = conversation.referee.match.state
    (reply,) = tell(conversation, {"move": "play", "player": "Anna", "at": 4_000})
    assert reply["kind"] == "error"
    assert reply["code"] == "time"
    assert "1000 ns before" in reply["sentence"]
    assert conversation.referee.match.state is before


def test_nobody_can_make_the_referees_own_move() -> None:
    conversation = session("threepia")
    replies = tell(conversation, {"move": "time-up", "player": "Anna"})
    assert [(reply["kind"], reply["code"]) for reply in replies] == [("foul", "not-yours")]


def test_advice() -> None:
    (advice,) = tell(session("triplexity"), {"do": "advise"})
    assert (advice["value"], advice["moves"], len(advice["ways"])) == ("draw", 0, 3)


# --- Triplexity: to points, and where no piece may go back -------------------------------------------------------

PLACE = {"l": "left", "c": "centre", "r": "right"}


def triplexity_told(places: str, *shifts: str, **house: Any) -> list[dict[str, Any]]:
    playing = game("triplexity")
    conversation = Session(Referee.begin(set_up(playing, ("Anna", "Ben"), playing.house(**house)), 0), None)
    put = [{"move": "put", "place": PLACE[place]} for place in places]
    moved = [{"move": "shift", "source": PLACE[way[0]], "target": PLACE[way[1]]} for way in shifts]
    players = ("Anna", "Ben") * len(put + moved)
    return tell(conversation, *({"player": player, **move} for player, move in zip(players, put + moved, strict=False)))


def test_a_match_to_points_is_not_over_after_one_round() -> None:
    *_, last = triplexity_told("lclrl", points=10)
    assert last["table"]["over"] is None
    assert last["table"]["scores"] == {"Anna": 1, "Ben": 0}
    assert last["events"][-1]["sentence"] == "Round 2: Ben begins."


def test_a_round_in_which_nobody_has_a_move_is_drawn() -> None:
    *_, last = triplexity_told("lcrrlc", "lr", "lc", no_return="each")
    assert [event["event"] for event in last["events"]] == ["shifted", "nobody-can-move", "ended"]
    assert last["table"]["over"]["winners"] == []


def test_the_state_says_which_pieces_may_not_go_back() -> None:
    playing = game("triplexity")
    conversation = Session(Referee.begin(set_up(playing, ("Anna", "Ben"), playing.house(no_return="each")), 0), None)
    tell(conversation, {"move": "put", "player": "Anna", "place": "left"})
    (shown,) = tell(conversation, {"do": "show", "at": 2 * 10**9})
    assert shown["state"]["came_from"] == [[-1], [], []]
