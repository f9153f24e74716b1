"""Three!'s table: whole matches by touches alone and by keys alone, and every move that is open within reach."""

import random
from pathlib import Path

import pytest

from companion.core.clocks import SECOND
from companion.core.match import COLOURS, Player
from companion.core.photo_finish import Arrival, Finish, How
from companion.core.requests import Rematch, Undo
from companion.core.rules import UNSEEN, Move
from companion.display.layout import Size
from companion.display.scene import ChangeTo, Go, Intent, Mark, Say, Start, Text, Ticking
from companion.display.view import Draft
from companion.games.three import rules as three
from companion.words import Words
from tests.display.table import Guests, out_of_reach, within_reach
from tools.gallery.scenes import shots

HANDS = pytest.mark.parametrize("by_keys", [False, True], ids=["touches", "keys"])
MOST = 1_500  # touches in a match


def seated(size: Size = (800, 480), count: int = 3, journal: Path | None = None, **house: object) -> Guests:
    guests = Guests(size, journal)
    guests.do(Go("players", "three"))
    names = ("Anna", "Ben", "Clara", "Dario")[:count]
    people = tuple(Player(name, colour) for name, colour in zip(names, COLOURS, strict=False))
    guests.app.take(ChangeTo(Draft("three", people, three.House(**house)), Start()), guests.hour.now)  # type: ignore[arg-type]
    return guests


def moves(guests: Guests, kind: type[Move]) -> list[Intent]:
    return [intent for intent in guests.intents if isinstance(intent, Say) and isinstance(intent.message, kind)]


def marks(guests: Guests, key: str) -> list[Intent]:
    return [intent for intent in guests.intents if isinstance(intent, Mark) and intent.key == key]


@HANDS
@pytest.mark.parametrize(("size", "count", "shown"), [((800, 480), 4, False), ((720, 1280), 2, True)], ids=str)
def test_a_whole_match(size: Size, count: int, *, shown: bool, by_keys: bool, tmp_path: Path) -> None:
    chance = random.Random(f"{count} {shown}")
    guests = seated(size, count, tmp_path / "journal")
    guests.by_keys = by_keys
    guests.do(moves(guests, three.Begin)[count - 1])
    done: set[str] = set()
    for _ in range(MOST):
        if guests.screen == "result":
            break
        play(guests, chance, shown=shown)
        assert out_of_reach(guests.app.view) == []
        done |= {made.move.word for made in guests.app.view.match.line[-1:]}
    outcome = guests.app.view.match.state.outcome
    assert outcome is not None
    assert guests.journal is not None
    assert guests.journal.matches()[0].status == "over"
    assert guests.journal.matches()[0].scores == outcome.scores
    assert done >= {"play", "strike", "hand", "call", "release", "declare", "check", "pass"}
    guests.do(Say(Rematch()))
    assert guests.screen == "table"
    guests.close()


def play(guests: Guests, chance: random.Random, *, shown: bool) -> None:
    """Something that can be done now, as people do it."""
    state: three.State = guests.app.view.match.state
    match state.phase:
        case "turn" | "final":
            in_turn(guests, chance, shown=shown)
        case "whose":
            guests.do(chance.choice(moves(guests, three.Hand)))
        case "struck" if chance.random() < 0.3:
            guests.do(moves(guests, three.Release)[0])
        case "struck":
            if others := marks(guests, "whom"):
                guests.do(chance.choice(others))
            guests.do(chance.choice(moves(guests, three.Call)))
        case _:
            check(guests, chance)


def in_turn(guests: Guests, chance: random.Random, *, shown: bool) -> None:
    wish = chance.random()
    if not moves(guests, three.Strike) and not guests.app.view.marks:
        assert guests.app.view.match.now < guests.app.view.match.state.free_at
        guests.wait(2)  # until the token is free again
    strikes = moves(guests, three.Strike)
    if wish < 0.2:
        token = [strike for strike in strikes if strike == Say(three.Strike(""))]
        guests.do(chance.choice(strikes if wish < 0.1 else token))
    elif wish < 0.3 and marks(guests, "declare"):
        guests.do(Mark("declare", value=True))
        guests.do(chance.choice(moves(guests, three.Declare)))
    elif moves(guests, three.Pass):
        guests.do(moves(guests, three.Pass)[0])
    else:
        plays = [intent for intent in moves(guests, three.Play) if bool(intent.message.dog) is shown]  # type: ignore[attr-defined]
        guests.do(chance.choice(plays))


def check(guests: Guests, chance: random.Random) -> None:
    state: three.State = guests.app.view.match.state
    if UNSEEN not in state.pile(state.called) and chance.random() < 0.5:
        assert moves(guests, three.Check) == [Say(three.Check(state.called))]
    else:
        guests.do(chance.choice([mark for mark in marks(guests, "found") if mark != Mark("found")]))
    before = len(guests.app.view.match.line)
    guests.do(moves(guests, three.Check)[0])
    if len(guests.app.view.match.line) == before:
        assert guests.app.view.notice is not None
        if guests.app.view.refused == "count-differs":
            assert moves(guests, three.Check)[0].message.insist  # type: ignore[attr-defined]
            guests.do(moves(guests, three.Check)[0])
        else:  # more than there can be of that dog
            guests.do(Mark("found", 0))
            guests.do(moves(guests, three.Check)[0])


def test_every_move_is_within_reach_in_every_state_of_the_gallery() -> None:
    for size in ((800, 480), (720, 1280)):
        found: set[str] = set()
        for shot in shots(size, Words()):
            if shot.name.startswith("three-"):
                assert out_of_reach(shot.view) == [], shot.name
                found |= {move.word for move in within_reach(shot.view)}
        assert found == {kind.word for kind in three.GAME.moves}


def test_a_card_is_one_touch_and_a_call_two() -> None:
    guests = seated()
    guests.do(Say(three.Begin("Anna")))
    guests.do(Say(three.Play("Anna")))
    guests.do(Say(three.Strike("Clara")))
    guests.do(Mark("whom", "Anna"))
    guests.do(Say(three.Call("Clara", "Anna", "Sky")))
    guests.do(Mark("found", 1))
    guests.do(Say(three.Check("Anna", 1)))
    assert guests.app.view.match.state.banks == (1, 0, 0)


def test_with_two_players_nobody_asks_whom() -> None:
    guests = seated(count=2)
    guests.do(Say(three.Begin("Anna")))
    guests.do(Say(three.Play("Anna")))
    guests.do(Say(three.Strike("Ben")))
    assert marks(guests, "whom") == [Mark("whom", "Anna")]
    assert Say(three.Call("Ben", "Anna", "Snow")) in guests.intents


def test_the_screen_remembers_whether_cards_are_shown() -> None:
    guests = seated()
    guests.do(Say(three.Begin("Anna")))
    guests.do(Say(three.Play("Anna", "Honey")))
    assert Say(three.Play("Ben", "Honey")) in guests.intents
    guests.do(Say(three.Play("Ben")))
    assert moves(guests, three.Play) == [Say(three.Play("Clara"))]
    guests.do(Mark("dogs", value=True))
    guests.do(Say(three.Play("Clara", "Honey")))
    assert Say(three.Play("Anna", "Honey")) in guests.intents


def test_no_dog_is_asked_for_where_cards_are_only_counted() -> None:
    guests = seated(cards="counted")
    guests.do(Say(three.Begin("Anna")))
    for player in ("Anna", "Ben", "Clara"):
        assert moves(guests, three.Play) == [Say(three.Play(player))]
        assert marks(guests, "dogs") == []
        guests.do(Say(three.Play(player)))


def test_the_time_for_a_call_runs_on_the_screen_and_out() -> None:
    guests = seated(call_timeout=10)
    guests.do(Say(three.Begin("Anna")))
    guests.do(Say(three.Strike("Ben")))
    clock = next(item for item in guests.app.scene.items if isinstance(item, Ticking)).clock
    assert clock.left_at(guests.app.table_time(guests.hour.now)) == 10 * SECOND
    guests.wait(4)
    assert clock.left_at(guests.app.table_time(guests.hour.now)) == 6 * SECOND
    guests.wait(7)
    assert guests.app.view.match.state.phase == "turn"
    assert not [item for item in guests.app.scene.items if isinstance(item, Ticking)]


@pytest.mark.parametrize(("rearm", "said"), [(1, True), (0, False)])
def test_who_takes_a_card_back_while_the_token_is_armed_again_is_told_that_time_stands(
    rearm: int, *, said: bool
) -> None:
    guests = seated(rearm=rearm)
    guests.do(Say(three.Begin("Anna")))
    guests.do(Say(three.Strike("Ben")))
    guests.do(Say(three.Release("Ben")))
    guests.do(Say(three.Play("Anna")))
    guests.app.take(Say(Undo()), guests.hour.now)
    notice = guests.app.view.notice
    assert notice is not None
    assert ("The clocks stand until somebody goes on." in notice.sentence) is said


def test_the_photo_finish_shows_the_gaps_and_a_tie_is_settled_by_who_did_not_strike() -> None:
    guests = seated(count=4, tie="choice")
    guests.do(Say(three.Begin("Anna")))
    order = (
        Arrival("Ben", How.STAMPED, 100, 0),
        Arrival("Anna", How.STAMPED, 85_100, 85_000),
        Arrival("Clara", How.UNTIMED, None, None),
        Arrival("Dario", How.HELD, None, None),
    )
    tie = three.Strike("", ("Anna", "Ben"), Finish(order, 200_000, ("Ben", "Anna")))
    guests.app.take(Say(tie), guests.hour.now)
    texts = [item.text for item in guests.app.scene.items if isinstance(item, Text)]
    assert {"Tie", "+ 85 µs", "no time known", "held down before", "Closer than 200 µs: tie"} <= set(texts)
    guests.do(Mark("caller", "Ben"))
    guests.do(Say(three.Choose("Dario", "Ben")))
    assert guests.app.view.match.state.caller == "Ben"


def test_a_deck_of_many_dogs_has_pages() -> None:
    dogs = tuple(three.Dog(f"Dog {number}", f"colour {number}") for number in range(20))
    guests = seated(dogs=dogs, copies=3, deck=60)
    guests.do(Say(three.Begin("Anna")))
    said = set()
    for page in (1, 2, 0):
        said |= {intent.message.dog for intent in moves(guests, three.Play)}  # type: ignore[attr-defined]
        guests.do(Mark("page", page))
    assert said == {"", *(dog.name for dog in dogs)}
