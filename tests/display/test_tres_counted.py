"""Tres' table where cards are only counted: whole matches by touches alone and by keys alone, a turn by one touch."""

import random
from pathlib import Path

import pytest

from companion.core.match import COLOURS, Player
from companion.core.requests import Undo
from companion.core.rules import COUNTED, UNSEEN, Move
from companion.display.layout import Size
from companion.display.scene import ChangeTo, Go, Intent, Mark, Say, Start
from companion.display.screens import really
from companion.display.view import Draft
from companion.games.tres import rules as tres
from companion.games.tres.rules import PLUS3, SKIP, Deal, Dealer, Fill, House, Keep, Lay
from tests.display.table import Guests, out_of_reach
from tests.display.test_moves import is_really
from tests.display.test_question import is_answer

MOST = 400  # touches in a match
NAMES = ("Anna", "Ben", "Clara", "Dario", "Elif", "Finn")
SMALL = {"colours": ("red",), "number_copies": 3, "jokers": 0}  # 33 cards: the pile runs out


def seated(size: Size = (800, 480), count: int = 3, journal: Path | None = None, **house: object) -> Guests:
    guests = Guests(size, journal)
    guests.do(Go("players", "tres"))
    people = tuple(Player(name, colour) for name, colour in zip(NAMES[:count], COLOURS, strict=False))
    draft = Draft("tres", people, House(cards=COUNTED, **house))  # type: ignore[arg-type]
    guests.app.take(ChangeTo(draft, Start()), guests.hour.now)
    return guests


def dealt(guests: Guests) -> None:
    guests.do(Say(Dealer("Anna")))
    guests.do(Say(Deal("Anna", (UNSEEN,) * 3)))


def said(guests: Guests) -> list[Intent]:
    """The moves that one touch says."""
    return [intent for intent in guests.intents if isinstance(intent, Say) and isinstance(intent.message, Move)]


def state(guests: Guests) -> tres.State:
    found: tres.State = guests.app.view.match.state
    return found


@pytest.mark.parametrize("by_keys", [False, True], ids=["touches", "keys"])
@pytest.mark.parametrize(
    ("size", "count", "house"), [((800, 480), 4, {}), ((720, 1280), 2, SMALL), ((1280, 800), 3, SMALL)], ids=str
)
def test_a_whole_match(size: Size, count: int, house: dict[str, object], *, by_keys: bool, tmp_path: Path) -> None:
    chance = random.Random(f"{size} {count}")
    guests = seated(size, count, tmp_path / "journal", **house)
    guests.by_keys = by_keys
    dealt(guests)
    for _ in range(MOST):
        if guests.screen == "result":
            break
        assert out_of_reach(guests.app.view) == []
        choices = [intent for intent in said(guests) if not isinstance(intent.message, tres.Tres)]  # type: ignore[attr-defined]
        lays = [intent for intent in choices if isinstance(intent.message, Lay)]  # type: ignore[attr-defined]
        if not guests.app.view.marks and lays and chance.random() < 0.3:
            guests.do(Mark("action", chance.choice(tres.ACTIONS)))
        else:
            guests.do(chance.choice(lays if lays and chance.random() < 0.7 else choices))
    assert state(guests).outcome is not None
    assert guests.journal is not None
    assert guests.journal.matches()[0].status == "over"
    guests.close()


def test_one_touch_is_a_turn() -> None:
    guests = seated()
    dealt(guests)
    for intent, turn, hands in (
        (Say(Lay("Ben")), "Clara", (7, 6, 7)),
        (Say(Keep("Clara")), "Anna", (7, 6, 8)),
        (Say(Lay("Anna", 2, one_colour=True)), "Ben", (5, 9, 8)),
    ):
        guests.do(intent)
        assert state(guests).turn == turn
        assert state(guests).scores == hands


def test_an_action_card_is_chosen_first() -> None:
    guests = seated()
    dealt(guests)
    guests.do(Mark("action", SKIP))
    guests.do(Say(Lay("Ben", 2, SKIP)))
    assert state(guests).turn == "Anna"
    assert not guests.app.view.marks
    guests.do(Mark("action", PLUS3))
    guests.do(Say(Fill("Anna", PLUS3)))
    assert state(guests).scores == (10, 5, 7)


def test_action_cards_of_the_deal_act_as_they_are_touched() -> None:
    guests = seated()
    guests.do(Say(Dealer("Anna")))
    for found in ((SKIP,), (SKIP, PLUS3)):
        guests.do(Mark("cards", found))
    guests.do(Say(Deal("Anna", (SKIP, PLUS3, UNSEEN))))
    assert state(guests).turn == "Clara"
    assert state(guests).scores == (7, 7, 10)


def test_what_cannot_be_is_not_offered() -> None:
    guests = seated(count=2)
    dealt(guests)
    for _ in range(3):
        guests.do(Say(Lay("Ben", 2)))
        guests.do(Say(Keep("Anna")))
    lays = [intent.message for intent in said(guests) if isinstance(intent.message, Lay)]  # type: ignore[attr-defined]
    assert [(lay.cards, lay.drew) for lay in lays] == [(1, False), (1, True)]


def test_the_last_touch_is_taken_back() -> None:
    guests = seated()
    dealt(guests)
    guests.do(Say(Lay("Ben", 2)))
    guests.do(Say(Undo()))
    assert state(guests).turn == "Ben"
    assert state(guests).scores == (7, 7, 7)


def test_a_turn_is_put_right_and_the_turns_after_it_are_those_of_others() -> None:
    """Ben had played a Skip, and nobody had said so; all went on by what the screen said."""
    guests = seated()
    dealt(guests)
    for move in (Lay("Ben"), Lay("Clara", 2), Keep("Anna")):
        guests.do(Say(move))
    guests.do(Go("menu"))
    guests.do(Go("moves"))
    for touch in (
        Mark("move", 3),
        really.ENTER,
        Mark("action", SKIP),
        is_really(move="lay", action=SKIP),
    ):
        guests.do(touch)
    guests.do(is_answer)
    assert [done.move.player for done in guests.app.view.match.line[2:]] == ["Ben", "Anna", "Ben"]
    assert state(guests).scores == (5, 7, 7)
    guests.do(Say(Undo()))
    assert state(guests).scores == (8, 6, 5)
