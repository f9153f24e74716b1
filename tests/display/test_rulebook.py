"""The rules page by page: of every game, from everywhere, and examples that the rules themselves have ruled on."""

import pytest

from companion.display.rulebook import leaves
from companion.display.scene import Back, Go, Mark, PanelItem, Start
from companion.display.screens import scene
from companion.display.view import View
from companion.games import NAMES
from companion.games.threepia import rules as threepia
from companion.games.threepia.rulebook import laid as row_of_threepia
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rulebook import CELL, laid
from companion.games.triplexity.rulebook import won
from companion.words import LANGUAGES, Words
from tests.display.table import Guests


@pytest.mark.parametrize("game", NAMES)
def test_every_game_has_its_pages_and_an_example(game: str) -> None:
    found = leaves(game)
    assert 3 <= len(found) <= 6
    ruled = [leaf.example() for leaf in found if leaf.is_ruled]
    assert ruled
    for language in LANGUAGES:
        words = Words(language)
        assert all("".join(example.told(words)) for example in ruled), language
        assert not any("{" in text for example in ruled for text in example.told(words)), language


def test_examples_show_what_was_ruled() -> None:
    (played,) = [event for event in laid().seen.events if isinstance(event, triple3.PlayedLegally)]
    assert [CELL in triple.cells for triple in played.triples] == [True]
    assert laid().fouls[0].code == "no-new-triple"
    (counted,) = [event for event in row_of_threepia().seen.events if isinstance(event, threepia.Counted)]
    assert sorted(run.by for run in counted.runs) == ["colour", "shape"]
    assert won().seen.state.outcome.winners == won().seen.setup.names[:1]


def test_the_rows_that_score_are_lit() -> None:
    leaf = next(number for number, leaf in enumerate(leaves("threepia")) if leaf.is_ruled)
    shown = scene(View((800, 480), screen="rules", about="threepia", marks={"leaf": leaf}))
    lit = [item.box for item in shown.items if isinstance(item, PanelItem) and item.edge == "main" and not item.fill]
    assert len(lit) == 2
    assert lit[0].meets(lit[1]), "the row and the column cross in the card that was laid"
    assert {box.w > box.h for box in lit} == {True, False}


def test_rules_are_reached_from_the_first_screen_from_set_up_and_from_a_match() -> None:
    guests = Guests()
    guests.do(Go("rules"))
    guests.do(Go("rules", "tres"))
    for page in range(1, len(leaves("tres"))):
        guests.do(Mark("leaf", page))
    assert Mark("leaf", len(leaves("tres"))) not in guests.intents
    guests.do(Back())
    guests.do(Back())
    guests.do(Go("players", "triplexity"))
    guests.do(Go("rules", "triplexity"))
    guests.do(Back())
    guests.do(Start())
    guests.do(Go("menu"))
    guests.do(Go("rules", "triplexity"))
    guests.do(Back())
    assert guests.screen == "menu"
