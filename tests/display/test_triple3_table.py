"""Triple³ at its table: whole matches by touches alone and by keys alone, and every move that is open."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.house import house_as_kept
from companion.core.requests import Rematch
from companion.core.rules import Move
from companion.display.layout import Size
from companion.display.scene import CardItem, ChangeTo, Go, Intent, Mark, Say, Start, Text
from companion.display.screens import scene
from companion.display.view import View
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import (
    COLOURS,
    DECK,
    Deal,
    GoOn,
    House,
    Lay,
    Left,
    Lies,
    Out,
    State,
    Stop,
    Stuck,
    TakeBack,
    is_legal,
)
from companion.words import LANGUAGES, Words, labels
from tests.display.table import Guests
from tools.gallery.scenes import shots

HANDS = pytest.mark.parametrize("by_keys", [False, True], ids=["touches", "keys"])
MOST = 400  # things done in a round


def is_move(*kinds: type[Move]) -> Callable[[Intent], bool]:
    return lambda intent: isinstance(intent, Say) and isinstance(intent.message, kinds)


def seated(size: Size = (800, 480), players: int = 2, *, by_keys: bool = False, **house: object) -> Guests:
    return sat_down(Guests(size), players, by_keys=by_keys, **house)


def sat_down(guests: Guests, players: int, *, by_keys: bool = False, **house: object) -> Guests:
    guests.by_keys = by_keys
    guests.do(Go("players", "triple3"))
    guests.be(players)
    rules = replace(guests.app.view.draft, house=House(**house))  # type: ignore[arg-type]
    guests.app.take(ChangeTo(rules, Start()), guests.hour.now)
    return guests


def state_of(guests: Guests) -> State:
    found: State = guests.app.view.match.state
    return found


def touch_card(guests: Guests, card: str, wanted: Callable[[Intent], bool]) -> None:
    """A colour, then the card."""
    colour = card.split("-", maxsplit=1)[0]
    if guests.app.view.marks.get("colour", COLOURS[0]) != colour:
        guests.do(Mark("colour", colour))
    guests.do(wanted)


def deal(guests: Guests, cards: list[str]) -> None:
    """Nine cards by touching them, and Go!"""
    guests.do(lambda intent: isinstance(intent, Mark) and intent.key == "deal")
    for number, card in enumerate(cards[:9], 1):
        touch_card(guests, card, lambda i, number=number, card=card: shows(i, number, card))  # type: ignore[misc]
    guests.do(is_move(Deal))
    assert state_of(guests).grid == tuple(cards[:9])
    guests.do(is_move(triple3.Go))


def shows(intent: Intent, cell: int, card: str) -> bool:
    return isinstance(intent, Mark) and intent.key == "deal" and intent.value[0][-1:] == ((cell, card),)


def lay(guests: Guests, cell: int, card: str, player: str = "") -> None:
    if guests.app.view.marks.get("who", "") != player:
        guests.do(Mark("who", player or None))
    guests.do(Mark("cell", cell))
    touch_card(guests, card, lambda intent: intent == Say(Lay(player, cell, card)))


def hands(cards: list[str], players: tuple[str, ...]) -> dict[str, list[str]]:
    share = 55 // len(players)
    return {player: cards[9 + share * seat :][:share] for seat, player in enumerate(players)}


def legal(state: State, held: list[str]) -> list[tuple[int, str]]:
    return [(cell, card) for card in held for cell in triple3.CELLS if is_legal(state.grid, cell, card)]


@HANDS
@pytest.mark.parametrize(("size", "players"), [((800, 480), 2), ((720, 1280), 3)], ids=str)
def test_a_whole_match(size: Size, players: int, by_keys: bool, tmp_path: Path) -> None:
    chance = random.Random(players)
    guests = sat_down(Guests(size, tmp_path / "journal"), players, by_keys=by_keys, chips_to_win=2)
    rounds = 0
    while guests.screen != "result":
        assert rounds < 2 * players
        play_round(guests, chance, named=rounds > 0)
        rounds += 1
    assert guests.app.view.match.is_over
    assert guests.journal is not None
    match = guests.journal.matches()[0]
    assert match.status == "over"
    assert max(match.scores or ()) == 2
    guests.do(Say(Rematch()))
    assert guests.screen == "table"
    assert state_of(guests).phase == "deal"
    guests.close()


def play_round(guests: Guests, chance: random.Random, *, named: bool) -> None:
    cards = list(DECK)
    chance.shuffle(cards)
    deal(guests, cards)
    held = hands(cards, state_of(guests).players)
    before = len(state_of(guests).rounds)
    for number in range(MOST):
        state = state_of(guests)
        if guests.screen == "result" or len(state.rounds) > before:
            return
        ways = [(player, *way) for player in state.players for way in legal(state, held[player])]
        if state.phase == "count":
            guests.do(tells_left(held))
        elif not ways:
            guests.do(is_move(Stuck))
            nobody_can(guests, state)
            return
        else:
            player, cell, card = chance.choice(ways)
            lay(guests, cell, card, player if named else "")
            held[player].remove(card)
            if number == 5 and state_of(guests).phase == "play":
                guests.do(is_move(Stop))
                guests.do(is_move(GoOn))
            if not held[player] and state_of(guests).phase == "play":
                out(guests, player)


def nobody_can(guests: Guests, state: State) -> None:
    """If leftovers lie hidden the referee is not sure that nobody can; then somebody is out."""
    if guests.app.view.notice is not None and state_of(guests) == state:
        guests.do(Say(Stop("")))
        guests.do(Mark("out", value=True))
        guests.do(is_move(Out))
        if guests.app.view.notice is not None:
            pytest.fail(guests.app.view.notice.sentence)


def tells_left(held: dict[str, list[str]]) -> Callable[[Intent], bool]:
    def tells(intent: Intent) -> bool:
        return (
            isinstance(intent, Say)
            and isinstance(intent.message, Left)
            and (intent.message.cards == len(held[intent.message.player]))
        )

    return tells


def out(guests: Guests, player: str) -> None:
    if guests.app.view.marks.get("who") is None:
        guests.do(Mark("out", value=True))
    guests.do(Say(Out(player)))


@HANDS
def test_a_match_without_the_grid(by_keys: bool) -> None:
    guests = seated(by_keys=by_keys, chips_to_win=2)
    for number in range(2):
        guests.do(is_move(Deal))
        guests.do(is_move(triple3.Go))
        if number:
            guests.do(is_move(Stuck))
            for player in state_of(guests).players:
                guests.do(Say(Left(player, 20 + state_of(guests).players.index(player))))
        else:
            out(guests, state_of(guests).players[0])
    assert guests.screen == "result"
    assert state_of(guests).chips == (2, 0)


def test_a_card_takes_three_touches_and_an_illegal_one_is_explained() -> None:
    guests = dealt()
    state = state_of(guests)
    free = [card for number, card in enumerate(DECK) if not state.seen >> number & 1 and card.startswith("blue")]
    wrong = next((cell, card) for card in free for cell in triple3.CELLS if not is_legal(state.grid, cell, card))
    lay(guests, *wrong)
    assert guests.app.view.notice is not None
    assert guests.app.view.notice.code == "no-new-triple"
    guests.do(Mark("cell"))
    right = next((cell, card) for card in free for cell in triple3.CELLS if is_legal(state.grid, cell, card))
    lay(guests, *right)
    assert state_of(guests).grid[right[0] - 1] == right[1]


CARDS = random.Random(3).sample(DECK, 64)


def dealt(**house: object) -> Guests:
    guests = seated(**house)  # type: ignore[arg-type]
    deal(guests, CARDS)
    return guests


def test_every_move_that_is_open_can_be_touched() -> None:
    """On every picture of the gallery: what the referee says is open is there, a choice or two away."""
    for size in ((800, 480), (720, 1280)):
        for shot in shots(size, Words()):
            seen = shot.view.seen
            if shot.name.startswith("triple3") and seen is not None and shot.view.notice is None:
                plain = replace(shot.view, marks={})
                assert set(seen.may) <= reachable(plain), shot.name


CHOICES = ("cell", "lies", "out", "grid", "deal")


def reachable(view: View, more: int = 2) -> set[str]:
    """The words of the moves that can be said from here by so many choices more; a deal that is begun can be ended."""
    found = {"deal"} if "deal" in view.marks else set()
    for item in scene(view).targets():
        match item.intent:
            case Say(Move() as move):
                found.add(move.word)
            case Mark(key, value) if more and value is not None and key in CHOICES:
                found |= reachable(replace(view, marks={**view.marks, key: value}), more - 1)
    return found


@HANDS
def test_the_rarer_moves(by_keys: bool) -> None:
    guests = dealt()
    guests.by_keys = by_keys
    cell, card = legal(state_of(guests), CARDS[9:])[0]
    player = state_of(guests).players[1]
    lay(guests, cell, card, player)
    assert state_of(guests).laid == (0, 1)
    guests.do(Mark("cell", cell))
    guests.do(is_move(TakeBack))
    assert state_of(guests).laid == (0, 0)
    guests.do(Mark("cell", 4))
    guests.do(Mark("lies", value=True))
    guests.do(Mark("hidden", 1))
    touch_card(guests, card, lambda intent: intent == Say(Lies("", 4, card, 1)))
    assert state_of(guests).hidden == 1 + 1  # the leftover of the deal too
    assert state_of(guests).grid[3] == card
    guests.do(is_move(Stop))
    guests.do(Mark("grid", value=True))
    guests.do(Mark("cell", 4))
    below = CARDS[3]
    touch_card(guests, below, lambda intent: intent == Say(Lies("", 4, below)))
    assert state_of(guests).grid[3] == below
    assert state_of(guests).phase == "stopped"


@HANDS
def test_leftovers_and_a_handicap(by_keys: bool) -> None:
    guests = seated(by_keys=by_keys)
    guests.do(lambda intent: isinstance(intent, Mark) and intent.key == "deal")
    for number, card in enumerate(CARDS[:9], 1):
        touch_card(guests, card, lambda i, number=number, card=card: shows(i, number, card))  # type: ignore[misc]
    cards = tuple(enumerate(CARDS[:9], 1))
    guests.do(Mark("deal", (cards, 7, False)))
    guests.do(Mark("deal", (cards, 7, True)))
    touch_card(guests, CARDS[9], lambda intent: shows(intent, 7, CARDS[9]))
    guests.do(Mark("handicap", value=True))
    guests.do(Mark("deals", (26, 27)))
    guests.do(Mark("deals", (26, 28)))
    guests.do(is_move(Deal))
    state = state_of(guests)
    assert state.deals == (26, 28)
    assert state.hidden == 0
    assert state.grid[6] == CARDS[9]
    assert len(state.piles[6]) == 2


def test_a_cell_says_what_it_takes() -> None:
    guests = dealt()
    state = state_of(guests)
    guests.do(Mark("cell", 5))
    guests.do(Mark("colour", "purple"))
    cards = [item.name for item in guests.app.scene.items if isinstance(item, CardItem)]
    shown = [card for card in cards[9:] if card.startswith("purple")]
    lying = set(state.grid)
    assert shown == [card for card in DECK if card.startswith("purple") and card not in lying]


def test_escape_goes_back_step_by_step() -> None:
    guests = dealt()
    guests.do(Mark("cell", 2))
    guests.do(Mark("lies", value=True))
    for _ in range(3):
        assert guests.hands.key("escape", "", guests.hour.now)
    assert guests.screen == "menu"


def test_too_many_numbers_are_shown_some_at_a_time() -> None:
    guests = seated()
    guests.do(is_move(Deal))
    guests.app.take(Say(Deal("", (), (), (50, 5))), guests.hour.now)
    guests.do(is_move(triple3.Go))
    guests.do(is_move(Stuck))
    guests.do(lambda intent: isinstance(intent, Mark) and intent.key == "from")
    guests.do(Say(Left(state_of(guests).players[0], 30)))
    assert state_of(guests).left == (30, -1)


def picture(name: str) -> View:
    return next(shot.view for shot in shots((800, 480), Words()) if shot.name == name)


def test_that_few_cards_can_be_laid_is_told() -> None:
    view = picture("triple3-few")
    texts = [item.text for item in scene(view).items if isinstance(item, Text)]
    assert "Of the 2 cards still in hand at most 2 can be laid." in texts


def test_no_more_cards_are_counted_than_there_are() -> None:
    """Where the grid was shown, the referee knows how many cards the players have left together."""
    view = picture("triple3-counted")
    state: State = view.match.state
    cards = [i.message.cards for i in intents(view) if isinstance(i, Say) and isinstance(i.message, Left)]
    assert cards == list(range(state.unseen + 1))


def intents(view: View) -> list[Intent]:
    return [item.intent for item in scene(view).targets() if item.intent]


def test_every_player_can_be_named() -> None:
    """Whose card it is, who says Stop!, that nobody can lay any more, or that the last card is laid."""
    view = picture("triple3-play")
    for player in view.match.setup.names:
        named = replace(view, marks={"who": player, "cell": 5})
        lays = [i.message for i in intents(named) if isinstance(i, Say) and isinstance(i.message, Lay)]
        assert lays
        assert {move.player for move in lays} == {player}
        said = intents(replace(view, marks={"who": player}))
        assert {Say(Out(player)), Say(Stop(player)), Say(Stuck(player))} <= set(said)


# --- what fits is a house rule ---------------------------------------------------------------------------------


def told_on(language: str, **house: object) -> list[str]:
    """The words on a screen of a round in play, and on that with a cell chosen."""
    guests = sat_down(Guests(), 2, **house)  # type: ignore[arg-type]
    deal(guests, random.Random(1).sample(DECK, len(DECK)))
    view = replace(guests.app.view, words=Words(language))
    scenes = [scene(view), *(scene(replace(view, marks={"cell": cell})) for cell in triple3.CELLS)]
    return [item.text for found in scenes for item in found.items if isinstance(item, Text)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_fits_is_told_where_the_house_wants_it_and_in_whole_words(language: str) -> None:
    words = Words(language)
    colours = {words.value(colour) for colour in COLOURS}
    silent, told = told_on(language), told_on(language, hints=True)
    assert colours.isdisjoint(silent)
    titles = tuple(words.told_of(words.say(labels.CELL, cell=cell), "…")[:-1] for cell in triple3.CELLS)
    assert not [text for text in silent if text.startswith(titles)]
    assert colours & set(told)
    assert [text for text in told if text.startswith(titles)]
    assert not [text for text in told if text and any(name.startswith(text) and name != text for name in colours)]


def test_a_match_from_before_shows_what_it_showed() -> None:
    assert house_as_kept(triple3.GAME, {"chips_to_win": 4}).hints
    assert not triple3.House().hints
