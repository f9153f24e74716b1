"""Tres' table: whole matches by touches alone and by keys alone, and every move that is open within reach."""

import random
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from companion.core.match import COLOURS, Player
from companion.core.requests import Rematch, Resume
from companion.core.rules import UNSEEN, Move
from companion.display.layout import Size
from companion.display.scene import ChangeTo, Go, Intent, Mark, Say, Start
from companion.display.view import Draft
from companion.games.tres import rules as tres
from companion.words import Words
from tests.display.table import Guests, out_of_reach, within_reach
from tools.gallery.scenes import shots

HANDS = pytest.mark.parametrize("by_keys", [False, True], ids=["touches", "keys"])
MOST = 2_000  # touches in a match
LOOKS = 0.1  # how often all that is open is looked for


def seated(size: Size = (800, 480), count: int = 3, journal: Path | None = None, **house: object) -> Guests:
    guests = Guests(size, journal)
    guests.do(Go("players", "tres"))
    names = ("Anna", "Ben", "Clara", "Dario", "Elif", "Finn", "Grete", "Hugo")[:count]
    people = tuple(Player(name, colour) for name, colour in zip(names, COLOURS, strict=False))
    guests.app.take(ChangeTo(Draft("tres", people, tres.House(**house)), Start()), guests.hour.now)  # type: ignore[arg-type]
    return guests


def moves(guests: Guests, kind: type[Move]) -> list[Intent]:
    return [intent for intent in guests.intents if isinstance(intent, Say) and isinstance(intent.message, kind)]


def pick(guests: Guests, *cards: str) -> None:
    """Touch these cards of the deck, one after the other."""
    for card in cards:
        before = tuple(guests.app.view.marks.get("cards", ()))
        guests.do(Mark("cards", (*before, card)))


def left(state: tres.State) -> list[str]:
    """The cards that nobody has seen yet, in an order that means nothing."""
    known = Counter(state.table) + Counter(state.discards)
    for hand in state.hands:
        known.update(card for card in hand if card != UNSEEN)
    return sorted((Counter(dict(tres.deck(state.house))) - known).elements())


@HANDS
@pytest.mark.parametrize(("size", "count", "shown"), [((800, 480), 4, False), ((720, 1280), 2, True)], ids=str)
def test_a_whole_match(size: Size, count: int, *, shown: bool, by_keys: bool, tmp_path: Path) -> None:
    chance = random.Random(f"{count} {shown}")
    guests = seated(size, count, tmp_path / "journal")
    guests.by_keys = by_keys
    begin(guests, chance, shown=shown)
    done: set[str] = set()
    for _ in range(MOST):
        if guests.screen == "result":
            break
        assert chance.random() > LOOKS or out_of_reach(guests.app.view) == []
        play(guests, chance, shown=shown)
        done |= {made.move.word for made in guests.app.view.match.line[-1:]}
    outcome = guests.app.view.match.state.outcome
    assert outcome is not None
    assert guests.journal is not None
    assert guests.journal.matches()[0].status == "over"
    assert guests.journal.matches()[0].scores == outcome.scores
    assert done >= {"fill", "play", "draw", "keep"}
    guests.do(Say(Rematch()))
    assert guests.screen == "table"
    guests.close()


def begin(guests: Guests, chance: random.Random, *, shown: bool) -> None:
    state: tres.State = guests.app.view.match.state
    if not shown:
        guests.do(moves(guests, tres.Dealer)[1])
    else:
        guests.do(Mark("draw", value=True))
        for player, card in zip(state.players, ("red-2", "green-8"), strict=True):
            guests.do(Mark("shows", player))
            guests.do(Say(tres.ShowCard(player, card)))
        assert guests.app.view.match.state.dealer == state.players[1]
    cards = left(guests.app.view.match.state)
    chance.shuffle(cards)
    pick(guests, *cards[: 3 + (7 * len(state.players) if shown else 0)])
    guests.do(moves(guests, tres.Deal)[0])


def play(guests: Guests, chance: random.Random, *, shown: bool) -> None:
    """What is to be done next, now and then a word first."""
    state: tres.State = guests.app.view.match.state
    if state.silent and chance.random() < 0.8:
        speak(guests, chance, state)
        return
    match state.phase:
        case "fill":
            guests.do(Say(tres.Fill(state.turn, chance.choice(left(state)))))
        case "pay":
            owed = state.owed(state.dues[0].player)
            if shown:
                pick(guests, *chance.sample(left(state), owed))
            guests.do(moves(guests, tres.Take)[0])
        case _:
            in_turn(guests, chance, state, shown=shown)


def speak(guests: Guests, chance: random.Random, state: tres.State) -> None:
    silent = state.silent[0]
    if chance.random() < 0.5:
        guests.do(Say(tres.Tres(silent)))
        return
    guests.do(Mark("catch", ""))
    if len(state.players) > 2:
        guests.do(Mark("catch", silent))
    guests.do(lambda intent: isinstance(intent, Say) and getattr(intent.message, "whom", "") == silent)


def in_turn(guests: Guests, chance: random.Random, state: tres.State, *, shown: bool) -> None:
    found = plays(state, chance)
    if found and chance.random() < 0.8:
        at, cards = chance.choice(found)
        guests.do(Mark("with", at))
        if state.phase == "turn" or state.drawn == UNSEEN:
            pick(guests, *cards)
        guests.do(Say(tres.Play(state.turn, state.table[at], cards)))
    elif state.phase == "drawn":
        guests.do(Say(tres.Keep(state.turn)))
    elif moves(guests, tres.Pass):
        guests.do(moves(guests, tres.Pass)[0])
    else:
        if shown:
            pick(guests, chance.choice(left(state)))
        guests.do(moves(guests, tres.Draw)[0])


def plays(state: tres.State, chance: random.Random) -> list[tuple[int, tuple[str, ...]]]:
    """Plays that are allowed: of the hand where it is known, else of a few cards that can be in it."""
    hand = [card for card in state.hand(state.turn) if card != UNSEEN]
    if state.phase == "drawn":
        hand = [state.drawn] if state.drawn != UNSEEN else chance.sample(left(state), 6)
    elif not hand:
        hand = chance.sample(left(state), min(6, len(left(state))))
    most = 1 if state.phase == "drawn" else min(2, len(state.hand(state.turn)))
    sets = [cards for size in range(1, most + 1) for cards in combinations(hand, size)]
    return [(at, cards) for at, card in enumerate(state.table) for cards in sets if tres.is_run(card, *cards)]


def test_every_move_is_within_reach_in_every_state_of_the_gallery() -> None:
    for size in ((800, 480), (720, 1280)):
        found: set[str] = set()
        for shot in shots(size, Words()):
            if shot.name.startswith("tres-") and "hands" not in shot.name:  # amid the hands they have to be finished
                assert out_of_reach(shot.view) == [], shot.name
                found |= {move.word for move in within_reach(shot.view)}
        assert found == {kind.word for kind in tres.GAME.moves}


def dealt(guests: Guests, *table: str) -> None:
    guests.do(Say(tres.Dealer("Anna")))
    pick(guests, *table)
    guests.do(Say(tres.Deal("Anna", table)))


def test_a_play_is_chosen_and_a_card_taken_back() -> None:
    guests = seated()
    dealt(guests, "red-3", "red-9", "blue-5")
    guests.do(Mark("with", 0))
    pick(guests, "green-4", "green-6")
    guests.do(Mark("cards", ("green-4",)))
    assert Say(tres.Play("Ben", "red-3", ("green-4",))) in guests.intents
    pick(guests, "joker")
    guests.do(Say(tres.Play("Ben", "red-3", ("green-4", "joker"))))
    assert guests.app.view.match.state.discards == ("red-3", "green-4", "joker")


def test_what_is_not_allowed_is_said_and_what_was_chosen_stays() -> None:
    guests = seated()
    dealt(guests, "red-3", "red-9", "blue-5")
    guests.do(Mark("with", 0))
    pick(guests, "green-7")
    guests.do(Say(tres.Play("Ben", "red-3", ("green-7",))))
    assert guests.app.view.notice is not None
    assert guests.app.view.notice.code == "not-consecutive"
    assert guests.app.view.marks["cards"] == ("green-7",)


def test_nobody_is_reminded_of_tres() -> None:
    """Everybody can touch it at any time; the referee says if it was nothing."""
    guests = seated()
    dealt(guests, "red-3", "red-9", "blue-5")
    assert moves(guests, tres.Tres) == [Say(tres.Tres(player)) for player in ("Anna", "Ben", "Clara")]
    guests.do(Say(tres.Tres("Clara")))
    assert guests.app.view.notice is not None
    assert guests.app.view.notice.code == "not-three-cards"


def test_with_two_players_it_is_plain_who_has_caught_whom() -> None:
    guests = seated(count=2)
    dealt(guests, "red-3", "red-9", "blue-5")
    guests.do(Mark("catch", ""))
    assert moves(guests, tres.Catch) == [Say(tres.Catch("Ben", "Anna")), Say(tres.Catch("Anna", "Ben"))]


def test_a_drawn_card_may_be_shown_and_is_played_with_one_touch_less() -> None:
    guests = seated()
    dealt(guests, "red-3", "red-9", "blue-5")
    pick(guests, "green-4")
    guests.do(Say(tres.Draw("Ben", "green-4")))
    guests.do(Mark("with", 2))
    guests.do(Say(tres.Play("Ben", "blue-5", ("green-4",))))
    assert guests.app.view.match.state.discards == ("blue-5", "green-4")


def test_who_cannot_draw_any_more_passes() -> None:
    guests = seated(count=2, colours=("red",), number_copies=1, action_copies=2, jokers=3)
    guests.do(Say(tres.Dealer("Anna")))
    pick(guests, "red-3", "red-9", "red-5")
    guests.do(Say(tres.Deal("Anna", ("red-3", "red-9", "red-5"))))
    assert guests.app.view.match.state.pile == 1
    guests.do(Say(tres.Draw("Ben")))
    guests.do(Say(tres.Keep("Ben")))
    assert out_of_reach(guests.app.view) == []
    guests.do(Say(tres.Pass("Anna")))
    guests.do(Say(tres.Pass("Ben")))
    assert guests.screen == "result"


def test_more_colours_than_go_in_have_pages() -> None:
    for size in ((800, 480), (720, 1280)):
        guests = seated(size, colours=("red", "blue", "green", "yellow", "copper", "violet"))
        guests.do(Say(tres.Dealer("Anna")))
        said = set()
        for page in (1, 2):
            said |= {intent.value for intent in guests.intents if isinstance(intent, Mark) and intent.key == "cards"}
            guests.do(Mark("page", page))
        assert {card for (card,) in said} == set(tres.deck(guests.app.view.match.state.house))


def test_while_it_is_paused_nothing_can_be_said_but_to_go_on() -> None:
    guests = seated()
    dealt(guests, "red-3", "red-9", "blue-5")
    guests.app.close(guests.hour.now)
    assert guests.app.view.match.paused is not None
    assert moves(guests, Move) == []
    assert Say(Resume()) in guests.intents
