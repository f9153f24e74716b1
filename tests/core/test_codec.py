"""Dataclasses to JSON and back: everything there and back again, everything else refused in one sentence."""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.codec import LARGEST, parsed, plain, read, read_optional, without_defaults, written
from companion.core.errors import MalformedError
from companion.core.rules import Move
from companion.games import NAMES, game
from companion.games.three import rules as three
from companion.games.three.rules import Call, Check, Dog
from companion.games.triple3.rules import Deal, Lay, Leftover

MOVES = [pytest.param(move, id=f"{name}-{move.word}") for name in NAMES for move in game(name).moves]
EVENTS = [pytest.param(event, id=f"{name}-{event.word}") for name in NAMES for event in game(name).events]

texts = st.text(st.characters(codec="utf-8"), max_size=12)


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a type, by its annotations."""
    plain_ones: dict[Any, st.SearchStrategy[Any]] = {
        str: texts,
        int: st.integers(-LARGEST, LARGEST),
        bool: st.booleans(),
        NoneType: st.none(),
    }
    if kind in plain_ones:
        return plain_ones[kind]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(kind)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return st.one_of([values(arg) for arg in args])
    if origin is tuple and args[-1] is Ellipsis:
        return st.lists(values(args[0]), max_size=4).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, args))
    hints = get_type_hints(kind)
    return st.builds(kind, **{field.name: values(hints[field.name]) for field in fields(kind)})


@pytest.mark.parametrize("kind", MOVES)
@settings(max_examples=25)
@given(data=st.data())
def test_every_move_of_every_game_comes_back_as_it_was(kind: type[Move], data: st.DataObject) -> None:
    move = data.draw(values(kind))
    assert read(kind, parsed(written(plain(move)))) == move
    assert read(kind, parsed(written(plain(move)).encode())) == move
    short = without_defaults(move)
    assert read(kind, parsed(written(short))) == move
    assert set(short) == {
        field.name for field in fields(move) if field.default is MISSING or getattr(move, field.name) != field.default
    }


@pytest.mark.parametrize("kind", EVENTS)
@settings(max_examples=5)
@given(data=st.data())
def test_every_event_of_every_game_can_be_written_and_read(kind: type[Any], data: st.DataObject) -> None:
    event = data.draw(values(kind))
    assert read(kind, parsed(written(plain(event)))) == event


@pytest.mark.parametrize("name", NAMES)
def test_every_house_rule_comes_back_as_it_was(name: str) -> None:
    house = game(name).house()
    assert read(game(name).house, parsed(written(plain(house)))) == house


def test_one_line_without_spaces_and_with_letters_as_they_are() -> None:
    assert written(plain(Call("Zoë", "Ann", "red", at=3))) == '{"player":"Zoë","at":3,"whom":"Ann","dog":"red"}'
    assert "\n" not in written({"a": "\n"})


def test_null_is_nothing_where_that_is_allowed() -> None:
    assert read(Check, {"player": "Ann", "found": None}).found is None
    assert read_optional(Check, None) is None
    assert read_optional(Check, {"player": "Ann"}) == Check("Ann")


# --- refused ---------------------------------------------------------------------------------------------------

WRONG: list[tuple[type[Any], Any, str]] = [
    (Call, None, "The message must be an object, not null."),
    (Call, [], "The message must be an object, not a list."),
    (Call, "x", "The message must be an object, not text."),
    (Call, {"player": "Ann", "whom": "Bob"}, "dog: this is missing."),
    (Call, {"whom": "Bob", "dog": "red"}, "player: this is missing."),
    (
        Call,
        {"player": "Ann", "whom": "Bob", "dog": "red", "loud": True},
        "loud: there is no such key here; known are player, at, whom, dog.",
    ),
    (Call, {"x" * 99: 1}, "x" * 40 + "…: there is no such key here; known are player, at, whom, dog."),
    (Call, {"player": 7}, "player must be text, not a whole number."),
    (Call, {"player": None}, "player must be text, not null."),
    (Call, {"player": ["Ann"]}, "player must be text, not a list."),
    (Call, {"player": "Ann", "at": "1"}, "at must be a whole number, not text."),
    (Call, {"player": "Ann", "at": 1.0}, "at must be a whole number, not a fraction."),
    (Call, {"player": "Ann", "at": True}, "at must be a whole number, not true or false."),
    (Call, {"player": "Ann", "at": None}, "at must be a whole number, not null."),
    (Call, {"player": "Ann", "at": LARGEST + 1}, "at: this number is too large."),
    (Call, {"player": "Ann", "at": -LARGEST - 1}, "at: this number is too large."),
    (Call, {"player": "A\ud800"}, "player: this text has half a character in it."),
    (Check, {"player": "Ann", "insist": 1}, "insist must be true or false, not a whole number."),
    (Check, {"player": "Ann", "found": "3"}, "found must be a whole number, not text."),
    (Deal, {"player": "", "grid": "red-circle-0"}, "grid must be a list, not text."),
    (Deal, {"player": "", "grid": {"1": "red-circle-0"}}, "grid must be a list, not an object."),
    (Deal, {"player": "", "grid": ["red-circle-0", 2]}, "grid[1] must be text, not a whole number."),
    (Deal, {"player": "", "leftovers": [{"cell": 1}]}, "leftovers[0].card: this is missing."),
    (
        Deal,
        {"player": "", "leftovers": [{"cell": 1, "card": "", "on": 2}]},
        "leftovers[0].on: there is no such key here; known are cell, card.",
    ),
    (Deal, {"player": "", "leftovers": [[1, "red-circle-0"]]}, "leftovers[0] must be an object, not a list."),
    (Lay, {"player": "", "cell": 2.5, "card": ""}, "cell must be a whole number, not a fraction."),
]


@pytest.mark.parametrize(("kind", "data", "sentence"), WRONG)
def test_what_does_not_fit_is_refused_in_one_sentence(kind: type[Any], data: Any, sentence: str) -> None:
    with pytest.raises(MalformedError) as caught:
        read(kind, data)
    assert str(caught.value) == sentence


def refusal(reading: Callable[[], Any]) -> str:
    """What is said against a value; nothing if it is read."""
    try:
        reading()
    except MalformedError as error:
        return str(error)
    return ""


@dataclass(frozen=True, slots=True)
class Pair:
    places: tuple[int, str]


def test_a_list_of_fixed_length() -> None:
    assert read(Pair, {"places": [1, "a"]}) == Pair((1, "a"))
    with pytest.raises(MalformedError, match=r"^places: 2 values are needed, not 3\.$"):
        read(Pair, {"places": [1, "a", "b"]})
    with pytest.raises(MalformedError, match=r"^places\[1\] must be text, not a whole number\.$"):
        read(Pair, {"places": [1, 2]})


LINES: list[tuple[str | bytes, str]] = [
    ("", "The line is not JSON: expecting value at character 1."),
    ("{", "The line is not JSON: expecting property name enclosed in double quotes at character 2."),
    ('{"a":1,}', "The line is not JSON: "),
    ('{"a":1} x', "The line is not JSON: extra data at character 9."),
    ("NaN", "The line is not JSON: NaN is not a number."),
    ('{"a":-Infinity}', "The line is not JSON: -Infinity is not a number."),
    ('{"a":1,"a":2}', "The line names a key twice in one object."),
    ('{"b":{"a":1,"a":1}}', "The line names a key twice in one object."),
    ("[" * 100_000, "The line is nested too deeply."),
    ('{"a":' * 100_000, "The line is nested too deeply."),
    ("9" * 5000, "The line has a number with too many digits."),
    ('{"\\ud800":1}', "The line has half a character in it."),
    ('["\\uDFFF"]', "The line has half a character in it."),
    (b'{"player":"\xff"}', "The line is not UTF-8: byte 12 cannot be read."),
    (b'{"\xed\xa0\x80":1}', "The line is not UTF-8: byte 3 cannot be read."),
    ('{"a":1}'.encode("utf-16"), "The line is not UTF-8: byte 1 cannot be read."),
    ('{"a":1}'.encode("utf-16-le"), "The line is not JSON: "),
    ('{"a":1}'.encode("utf-8-sig"), "The line is not JSON: "),
]


@pytest.mark.parametrize(("line", "sentence"), LINES)
def test_a_line_that_is_not_strict_json_is_refused_in_one_sentence(line: str | bytes, sentence: str) -> None:
    with pytest.raises(MalformedError) as caught:
        parsed(line)
    said = str(caught.value)
    assert said.startswith(sentence)
    assert said.endswith(".")
    assert said.encode()


def test_whole_characters_beyond_the_first_65536_are_welcome() -> None:
    assert parsed('"\\ud83d\\udc36"') == parsed('"🐶"'.encode()) == "🐶"
    assert parsed('"\\\\ud800"') == "\\ud800"


@settings(max_examples=300)
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_line_does_anything_else_than_be_read_or_refused(line: bytes) -> None:
    said = refusal(lambda: read(three.Play, parsed(line)))
    assert said.endswith(".") or not said
    assert said.encode() is not None


@settings(max_examples=100)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["player", "at", "whom", "dog", "x"]), inner, max_size=5)
        ),
        max_leaves=8,
    ),
    st.sampled_from([Call, Check, Deal, Dog, Leftover]),
)
def test_whatever_json_says_it_is_a_value_or_one_sentence(data: Any, kind: type[Any]) -> None:
    said = refusal(lambda: read(kind, data))
    if said:
        assert said.endswith(".")
    else:
        assert read(kind, plain(read(kind, data))) == read(kind, data)
