"""Players without their names."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.names import LONGEST_NAME
from companion.doctor.anonymous import Nameless

NAMES = ("Anna", "Ann", "Zoë", 'Q "T"', "O'Neil", "a.b*", "\U0001f436")


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("Anna lays a card.", "Player 1 lays a card."),
        ("It is Anna's turn, Ann!", "It is Player 1's turn, Player 2!"),
        ("Annas Zug, ANNA", "Player 1s Zug, Player 1"),
        ("Hannah and Annalena are others", "Hannah and Annalena are others"),
        ("log_Anna_2.txt /home/Ann/x", "log_Player 1_2.txt /home/Player 2/x"),
        ("Zoë Zo\\u00eb Zo\u0308 Zoe\u0308", "Player 3 Player 3 Zo\u0308 Player 3"),
        (json.dumps({"player": 'Q "T"'}), '{"player": "Player 4"}'),
        (repr("O'Neil") + repr('Q "T"'), "\"Player 5\"'Player 4'"),
        ("a.b* and aXb* ", "Player 6 and aXb* "),
        (json.dumps("\U0001f436") + "\U0001f436", '"Player 7"Player 7'),
        ("", ""),
    ],
)
def test_texts(text: str, instead: str) -> None:
    assert Nameless(NAMES).text(text) == instead


def test_the_same_player_everywhere() -> None:
    nameless = Nameless(("Anna", "Ben", "Anna", ""))
    assert nameless.value({"Ben": ["Anna", ("Ben",), 3, None], "kind": "Anna lays"}) == {
        "Player 2": ["Player 1", ["Player 2"], 3, None],
        "kind": "Anna lays",
    }
    assert nameless.text("Anna, Ben") == "Player 1, Player 2"
    assert Nameless().text("Anna") == "Anna"


def test_first_letters_with_a_number_where_they_are_shared() -> None:
    nameless = Nameless(("Anna", "ben", "Anton", "Zoë", "🐶", "ß"), initials=True)
    called = [nameless.name(name) for name in ("Anna", "ben", "Anton", "Zoë", "🐶", "ß", "Carl")]
    assert called == ["A. 1", "B.", "A. 2", "Z.", "🐶.", "SS.", "Carl"]
    assert nameless.text("Anna catches Anton, and BEN Annalena.") == "A. 1 catches A. 2, and B. Annalena."


names = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1, max_size=LONGEST_NAME)


@given(st.lists(names, min_size=1, max_size=8, unique=True), st.data())
def test_a_name_between_other_words_is_gone(called: list[str], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(called))
    for text in (f"it is {name} who", f'{{"player":{json.dumps(name)}}}', f"x {name!r} y"):
        assert "Player" in Nameless(called).text(text)
        if name.isascii() and len(name) > 8:
            assert name not in Nameless(called).text(text)
