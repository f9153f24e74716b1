"""House rules from the command line and from JSON: all of them, with their limits, and each mistake in one sentence."""

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.codec import parsed, plain, without_defaults, written
from companion.core.errors import CompanionError, HouseRuleError
from companion.core.house import house_from_json, house_from_text, house_rules, value_shown
from companion.games import NAMES, game
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.games.triplexity import rules as triplexity


@pytest.mark.parametrize("name", NAMES)
def test_nothing_given_means_the_defaults(name: str) -> None:
    assert house_from_text(game(name), {}) == house_from_json(game(name), {}) == game(name).house()


def in_range(field: Any) -> list[Any]:
    """Values that a single rule may have by its own limits."""
    limits = field.metadata
    if limits["choices"]:
        return list(limits["choices"])
    if isinstance(field.default, bool):
        return [True, False]
    if isinstance(field.default, int):
        low, high = limits["low"], limits["high"]
        return [low, (low + high) // 2, high]
    return [field.default]


ALONE = [
    pytest.param(name, field, value, id=f"{name}-{field.name}-{value_shown(value)}"[:60])
    for name in NAMES
    for field in fields(game(name).house)
    for value in in_range(field)
    if (name, field.name) not in (("three", "copies"), ("three", "deck"))
]


@pytest.mark.parametrize(("name", "field", "value"), ALONE)
def test_each_value_a_rule_may_have_is_the_same_as_text_and_as_json(name: str, field: Any, value: Any) -> None:
    try:
        house = replace(game(name).house(), **{field.name: value})
    except HouseRuleError:
        return  # rules that only go together
    shown = value_shown(value)
    if field.name != "field":  # a field is a file, and named by it
        assert house_from_text(game(name), {field.name: shown}) == house
    assert house_from_json(game(name), parsed(written({field.name: plain(value)}))) == house
    assert house_from_json(game(name), without_defaults(house)) == house
    assert house_from_json(game(name), plain(house)) == house


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_has_a_meaning_and_shows_what_differs(name: str) -> None:
    for rule, value, meaning, differs in house_rules(game(name), game(name).house()):
        assert rule
        assert value
        assert meaning
        assert not differs


def test_what_differs_is_shown() -> None:
    rules = house_rules(three.GAME, three.House(call_timeout=3))
    assert [(name, value) for name, value, _, differs in rules if differs] == [("call_timeout", "3")]
    assert {name: meaning for name, _, meaning, _ in rules}["call_timeout"].endswith("(1 to 600)")


def test_a_list_of_dogs() -> None:
    house = house_from_text(three.GAME, {"dogs": "Rex:red, Bella:blue", "copies": "5", "deck": "10"})
    assert house.dogs == (three.Dog("Rex", "red"), three.Dog("Bella", "blue"))
    assert house_from_text(three.GAME, {"dogs": value_shown(house.dogs), "copies": "5", "deck": "10"}) == house


def test_faces_are_a_list_too() -> None:
    house = house_from_text(triplexity.GAME, {"faces": "1/2,3/4, 5/6"})
    assert house.faces == ("1/2", "3/4", "5/6")


@pytest.mark.parametrize("text", ["yes", "Yes", "TRUE", "on", "1"])
def test_yes_in_many_words(text: str) -> None:
    assert house_from_text(triplexity.GAME, {"repetition_draw": text}).repetition_draw is True


@pytest.mark.parametrize("text", ["no", "False", "OFF", "0"])
def test_no_in_many_words(text: str) -> None:
    assert house_from_text(triplexity.GAME, {"count_covered": text}).count_covered is False


def test_a_field_by_its_name() -> None:
    assert house_from_text(threepia.GAME, {"field": "snake"}).field.name == "Snake"
    assert value_shown(house_from_text(threepia.GAME, {"field": "l-box"}).field) == "L box"


# --- refused ---------------------------------------------------------------------------------------------------

TEXTS = [
    ("three", {"copy": "5"}, "House rule copy: Three! has no such rule; did you mean copies?"),
    (
        "triple3",
        {"zzz": "5"},
        "House rule zzz: Triple³ has no such rule; Triple³ has chips_to_win, illegal_plays, cards, hints.",
    ),
    ("three", {"": "5"}, "House rule : Three! has no such rule; "),
    ("three", {"copies": "many"}, "House rule copies: 'many' is not a whole number."),
    ("three", {"copies": ""}, "House rule copies: '' is not a whole number."),
    ("three", {"copies": "-"}, "House rule copies: '-' is not a whole number."),
    ("three", {"copies": "6.0"}, "House rule copies: '6.0' is not a whole number."),
    ("three", {"copies": "٦"}, "House rule copies: '٦' is not a whole number."),
    ("three", {"copies": "9" * 99}, f"House rule copies: '{'9' * 40}' is not a whole number."),
    ("three", {"copies": "0"}, "House rule copies: 0 is less than 1."),
    ("three", {"copies": "-3"}, "House rule copies: -3 is less than 1."),
    ("three", {"copies": "101"}, "House rule copies: 101 is more than 100."),
    ("three", {"copies": "5"}, "House rules dogs, copies, deck: 8 dogs with 5 copies make 40 cards, not 48; "),
    ("three", {"dogs": ""}, "House rule dogs: '' is not of the form NAME:COLOUR."),
    ("three", {"dogs": "Rex"}, "House rule dogs: 'Rex' is not of the form NAME:COLOUR."),
    ("three", {"dogs": "Rex:red:big"}, "House rule dogs: 'Rex:red:big' is not of the form NAME:COLOUR."),
    ("three", {"dogs": "Rex:red,Rex:blue", "copies": "3", "deck": "6"}, "House rule dogs: each dog needs a name and "),
    ("three", {"dogs": "Rex:,Bo:blue", "copies": "3", "deck": "6"}, "House rule dogs: each dog needs a name and "),
    ("three", {"dogs": "R\udcffx:red"}, "House rule dogs: the value has characters in it that cannot be shown."),
    ("three", {"dogs": "R\nx:red"}, "House rule dogs: the value has characters in it that cannot be shown."),
    ("triplexity", {"play": "expert"}, "House rule play: 'expert' is not one of basic, advanced."),
    ("triplexity", {"repetition_draw": "maybe"}, "House rule repetition_draw: 'maybe' is neither yes nor no."),
    ("triplexity", {"faces": "1/6,2/5"}, "House rule faces: three pairs are needed "),
    ("triplexity", {"faces": "1/2/3,4,5/6"}, "House rule faces: three pairs are needed "),
    ("triple3", {"illegal_plays": ""}, "House rule illegal_plays: '' is not one of call, keep."),
    ("triple3", {"chips_to_win": "13"}, "House rule chips_to_win: 13 is more than 12."),
    ("threepia", {"card": "3x3"}, "House rule card: '3x3' is not one of 2x2."),
]


@pytest.mark.parametrize(("name", "given_", "sentence"), TEXTS)
def test_a_mistake_on_the_command_line_is_one_sentence(name: str, given_: dict[str, str], sentence: str) -> None:
    with pytest.raises(HouseRuleError) as caught:
        house_from_text(game(name), given_)
    said = str(caught.value)
    assert said.startswith(sentence)
    assert said.endswith((".", "?"))


JSONS: list[tuple[str, dict[str, Any], str]] = [
    ("three", {"copy": 5}, "House rule copy: Three! has no such rule; did you mean copies?"),
    ("three", {"copies": "6"}, "House rule copies must be a whole number, not text."),
    ("three", {"copies": True}, "House rule copies must be a whole number, not true or false."),
    ("three", {"copies": None}, "House rule copies must be a whole number, not null."),
    ("three", {"copies": 2**70}, "House rule copies: this number is too large."),
    ("three", {"copies": 0}, "House rule copies: 0 is less than 1."),
    ("three", {"dogs": []}, "House rules dogs, copies, deck: 0 dogs with 6 copies make 0 cards, not 48; "),
    ("three", {"dogs": "Rex:red"}, "House rule dogs must be a list, not text."),
    ("three", {"dogs": [{"name": "Rex"}]}, "House rule dogs[0].colour: this is missing."),
    ("three", {"dogs": [{"name": "Rex", "colour": 3}]}, "House rule dogs[0].colour must be text, not a whole number."),
    ("three", {"deck": 47}, "House rules dogs, copies, deck: 8 dogs with 6 copies make 48 cards, not 47; "),
    ("triplexity", {"count_covered": 1}, "House rule count_covered must be true or false, not a whole number."),
    ("triplexity", {"play": "expert"}, "House rule play: 'expert' is not one of basic, advanced."),
    ("triplexity", {"faces": ["1/6", "2/5", 3]}, "House rule faces[2] must be text, not a whole number."),
]


@pytest.mark.parametrize(("name", "data", "sentence"), JSONS)
def test_a_mistake_in_json_is_one_sentence(name: str, data: dict[str, Any], sentence: str) -> None:
    with pytest.raises(HouseRuleError) as caught:
        house_from_json(game(name), data)
    assert str(caught.value).startswith(sentence)
    assert str(caught.value).endswith((".", "?"))


@settings(max_examples=200)
@given(st.data(), st.sampled_from(["three", "triple3", "tres", "triplexity"]))
def test_whatever_is_typed_it_is_a_house_or_one_sentence(data: st.DataObject, name: str) -> None:
    key = data.draw(st.sampled_from([field.name for field in fields(game(name).house)]))
    text = data.draw(st.text(max_size=10) | st.integers(-5, 2000).map(str) | st.sampled_from(["yes", "a:b", "1/6,2/5"]))
    house: Any = None
    said = ""
    try:
        house = house_from_text(game(name), {key: text})
    except CompanionError as error:
        said = str(error)
    if house is None:
        assert said.endswith((".", "?"))
        assert "\n" not in said
    else:
        assert house_from_json(game(name), plain(house)) == house
