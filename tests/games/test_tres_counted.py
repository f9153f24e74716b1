"""Tres where cards are only counted: the same play, told in fewer words, stands as it does where every card is told."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.house import house_from_json
from companion.core.match import Match, set_up
from companion.core.record import read_move
from companion.core.rules import COUNTED, UNSEEN, Foul, Move, Ruling
from companion.games.tres import rules as tres
from companion.games.tres.counted_bot import Counted
from companion.games.tres.rules import (
    ACTIONS,
    PLUS3,
    REVERSE,
    SKIP,
    Catch,
    Deal,
    Dealer,
    Draw,
    Due,
    Fill,
    House,
    Keep,
    Lay,
    Pass,
    Play,
    State,
    Take,
    Tres,
    is_one_colour,
    phases,
    rule,
    start,
)
from tests.games.test_tres import Ledger, check_state, may
from tests.oracles import tres as oracle

NAMES = ("Ana", "Bea", "Cai", "Dov", "Eli", "Fay", "Gil", "Hal")
LONGEST = 300  # moves of a match; most end before
COUNT = House(cards=COUNTED)

# --- the same play, told card by card and only counted ---------------------------------------------------------


def told(chance: Random) -> Iterator[tuple[State, Move, State]]:
    """A match that is told card by card: before each move, the move, and after it."""
    names, house = oracle.seats(chance)
    house |= {"only_with_three": False, "any_card_drawn": False, "cards": "told"}
    model = oracle.Model(names, house)
    state: State = start(tuple(names), house_from_json(tres.GAME, house)).state
    for _ in range(LONGEST):
        move = _next(model, state, chance)
        try:
            after: State = rule(state, read_move(tres.GAME, {**move, "at": 0})).state
        except Foul:
            continue
        model.rule({"player": "", **move})
        yield state, read_move(tres.GAME, {**move, "at": 0}), after
        state = after
        if state.outcome:
            return


def _next(model: oracle.Model, state: State, chance: Random) -> dict[str, object]:
    """What somebody does, and at any time a word."""
    spoken = chance.random() if state.phase in ("fill", "turn", "drawn", "pay") else 1
    if spoken < 0.05:
        return {"move": "tres", "player": chance.choice(state.players)}
    if state.silent and spoken < 0.25:
        return {"move": "catch", "player": chance.choice(state.players), "whom": chance.choice(state.silent)}
    return oracle.likely(model, chance)


class Shadow:
    """The same match where cards are only counted."""

    def __init__(self, like: State, chance: Random) -> None:
        self.state: State = start(like.players, replace(like.house, cards=COUNTED)).state
        self.said: list[Move] = []
        self._ledger = Ledger(self.state)
        self._chance = chance

    def follow(self, before: State, move: Move, then: Move | None) -> None:
        """Tell as little of a move as has to be told."""
        for said in self._of(before, move, then):
            ruling = rule(self.state, said)
            self.said.append(said)
            self.state = ruling.state
            self._ledger.check(ruling)
            check_state(self.state)
            assert all(may.players for may in ruling.may)

    def _of(self, before: State, move: Move, then: Move | None) -> Iterator[Move]:
        match move:
            case Deal(player, table):
                yield Deal(player, tuple(map(acts, table)))
            case Fill(player, card) if self.state.phase == "fill" or card in ACTIONS:
                yield Fill(player, acts(card))
            case Fill():
                pass
            case Play(player, table_card, cards):
                action = next((card for card in cards if card in ACTIONS), "")
                is_three = len(cards) == 2 and is_one_colour(before.house, table_card, *cards)
                yield Lay(player, len(cards), action, is_three, drew=self.state.phase != before.phase)
            case Draw(player) if not isinstance(then, Keep | Play) or self._chance.random() < 0.3:
                yield Draw(player)
            case Draw():
                pass  # said together with what follows
            case Take(player) if self.state.phase == "pay":
                yield Take(player)
            case Take():
                pass
            case Tres(player) if (
                before.then == "begin" and self.state.phase != "pay" and is_for_nothing(before, player)
            ):
                pass  # the turn is over here: it would be said for the next one
            case _:
                yield move


def is_for_nothing(state: State, player: str) -> bool:
    """At the end of the turn this player will have another hand than three."""
    return state.owed(player) > 0 or len(state.hand(player)) != tres.THREE


def acts(card: str) -> str:
    return card if card in ACTIONS else UNSEEN


def standing(state: State) -> dict[str, object]:
    """What the two must have in common."""
    return {
        "phase": state.phase,
        "turn": state.turn,
        "direction": state.direction,
        "hands": tuple(map(len, state.hands)),
        "pile": state.pile,
        "table": len(state.table),
        "discards": len(state.discards),
        "dues": [(due.player, due.count) for due in state.dues],
        "tres": state.tres,
        "silent": state.silent,
        "passes": state.passes,
        "outcome": state.outcome,
    }


def compared(seed: int) -> tuple[list[Move], int, int]:
    """What was said in a match; and how often the two were compared, of how many moves."""
    chance = Random(seed)
    moves = list(told(chance))
    shadow, level = Shadow(moves[0][0], chance), 0
    thens = [*(move for _, move, _ in moves[1:]), None]
    for (before, move, after), then in zip(moves, thens, strict=True):
        shadow.follow(before, move, then)
        if after.phase == shadow.state.phase or after.phase in ("turn", "over"):
            assert standing(shadow.state) == standing(after), move
            level += 1
    return shadow.said, level, len(moves)


@given(st.integers(0, 2**32))
@settings(max_examples=15)
def test_a_match_that_is_only_counted_stands_as_one_that_is_told(seed: int) -> None:
    compared(seed)


def test_most_turns_are_one_word() -> None:
    """What is said besides: action cards that turned up, some cards drawn, and each step where few are left."""
    said = [word for seed in range(6) for word in compared(seed)[0] if not isinstance(word, Tres | Catch)]
    turns = [word for word in said if isinstance(word, Lay | Keep | Pass)]
    assert len(said) < 1.6 * len(turns)


# --- what is offered, and what is accepted ---------------------------------------------------------------------

PLAYED = (  # what somebody may say, right or wrong
    *(Lay("", cards, action) for cards in (0, 1, 2, 3) for action in ("", SKIP, REVERSE)),
    *(Lay("", cards, action, one_colour=True) for cards in (1, 2) for action in ("", PLUS3)),
    *(Lay("", drew=True), Lay("", 2, drew=True), Lay("", action="red-1")),
    *(Keep(""), Draw(""), Draw("", "red-9"), Pass(""), Take(""), Take("", (UNSEEN,) * 3), Tres("")),
    *(Fill("", card) for card in (*ACTIONS, UNSEEN, "red-9", "joker")),
    *(Play("", UNSEEN, (UNSEEN,)), Deal("", (UNSEEN,) * 3), Dealer("")),
)


@given(st.integers(0, 2**32))
@settings(max_examples=8)
def test_what_is_accepted_was_offered_and_what_is_offered_is_accepted(seed: int) -> None:
    chance = Random(seed)
    small = House(cards=COUNTED, colours=("red",), number_copies=chance.choice((2, 3)), jokers=0)
    names = NAMES[: chance.randint(2, 3)]
    state: State = start(names, small if chance.random() < 0.7 else COUNT).state
    state = rule(rule(state, Dealer(names[0])).state, Deal(names[0], (UNSEEN,) * 3)).state
    for _ in range(60):
        ruling = offers(state, chance)
        if ruling is None:
            return
        state = ruling.state


def offers(state: State, chance: Random) -> Ruling | None:
    """Everything is tried by everybody; one of what was accepted goes on, mostly one that lays or draws a card."""
    accepted: list[Ruling] = []
    words: set[tuple[str, str]] = set()
    for player in state.players:
        catches = [Catch(player, whom) for whom in state.players]
        for move in (*(replace(one, player=player) for one in PLAYED), *catches):
            try:
                ruling = rule(state, move)
            except Foul:
                continue
            words.add((move.word, player))
            accepted += [ruling] * (1 if isinstance(move, Tres | Catch) else 4)
            check_state(ruling.state)
    now = phases.may(state)
    assert words == {(one.move, player) for one in now for player in one.players}
    return chance.choice(accepted) if accepted else None


# --- word by word ----------------------------------------------------------------------------------------------


def dealt(*turned_up: str, players: int = 3, house: House = COUNT) -> Ruling:
    """The last of them deals, so it is Ana's turn."""
    names = NAMES[:players]
    state = rule(start(names, house).state, Dealer(names[-1])).state
    return rule(state, Deal(names[-1], (*turned_up, *(UNSEEN,) * (3 - len(turned_up)))))


def after(*moves: Move, turned_up: tuple[str, ...] = (), players: int = 3) -> Ruling:
    ruling = dealt(*turned_up, players=players)
    for move in moves:
        ruling = rule(ruling.state, move)
    return ruling


def sizes(ruling: Ruling) -> tuple[int, ...]:
    return tuple(map(len, ruling.state.hands))


def test_one_word_is_a_turn() -> None:
    ruling = after(Lay("Ana", 2))
    assert ruling.sentences == ("Ana plays 2 from the hand. Cards left: 5.", "It is Bea's turn.")
    state: State = ruling.state
    assert (state.phase, state.turn, sizes(ruling)) == ("turn", "Bea", (5, 7, 7))
    assert (len(state.table), state.pile, len(state.discards)) == (3, 82 - 21 - 3 - 1, 3)
    assert may(ruling) == dict.fromkeys(("fill", "lay", "draw", "keep", "tres"), ("Bea",))


@pytest.mark.parametrize(
    ("lay", "turn", "direction", "hands"),
    [
        (Lay("Ana"), "Bea", 1, (6, 7, 7)),
        (Lay("Ana", action=SKIP), "Cai", 1, (6, 7, 7)),
        (Lay("Ana", 2, REVERSE), "Cai", -1, (5, 7, 7)),
        (Lay("Ana", action=PLUS3), "Bea", 1, (6, 10, 7)),
        (Lay("Ana", 2, one_colour=True), "Bea", 1, (5, 10, 7)),
        (Lay("Ana", 2, PLUS3, one_colour=True), "Bea", 1, (5, 13, 7)),
        (Lay("Ana", 2, SKIP, one_colour=True), "Cai", 1, (5, 10, 7)),
        (Lay("Ana", 2, REVERSE, one_colour=True), "Cai", -1, (5, 7, 10)),
    ],
)
def test_what_a_play_does(lay: Lay, turn: str, direction: int, hands: tuple[int, ...]) -> None:
    ruling = after(lay)
    assert (ruling.state.turn, ruling.state.direction, sizes(ruling)) == (turn, direction, hands)


def test_the_action_card_is_named() -> None:
    assert after(Lay("Ana", 2, SKIP)).sentences[0] == "Ana plays skip, 2 from the hand in all. Cards left: 5."


def test_drawing_and_keeping_is_one_word() -> None:
    assert standing(after(Keep("Ana")).state) == standing(after(Draw("Ana"), Keep("Ana")).state)
    assert sizes(after(Keep("Ana"))) == (8, 7, 7)


def test_drawing_and_laying_is_one_word() -> None:
    one, two = after(Lay("Ana", action=SKIP, drew=True)), after(Draw("Ana"), Lay("Ana", action=SKIP))
    assert standing(one.state) == standing(two.state)
    assert sizes(one) == (7, 7, 7)
    assert one.state.turn == "Cai"
    assert one.sentences[0] == "Ana draws, 1 in all. Cards in hand: 8."


@pytest.mark.parametrize(
    ("card", "turn", "direction", "hands"),
    [(SKIP, "Cai", 1, (6, 7, 7)), (REVERSE, "Ana", -1, (6, 7, 7)), (PLUS3, "Bea", 1, (6, 10, 7))],
)
def test_what_turned_up_is_said_until_the_first_card(
    card: str, turn: str, direction: int, hands: tuple[int, ...]
) -> None:
    ruling = after(Lay("Ana"), Fill("Bea", card))
    assert (ruling.state.turn, ruling.state.direction, sizes(ruling)) == (turn, direction, hands)
    assert "fill" not in may(ruling)
    assert "fill" not in may(after(Lay("Ana"), Draw("Bea")))


def test_one_card_turns_up_in_a_turn() -> None:
    assert "fill" in may(after(Lay("Ana"), Lay("Bea")))
    assert "fill" not in may(after(Lay("Ana"), Lay("Bea"), Fill("Cai", PLUS3)))


@pytest.mark.parametrize(
    ("cards", "turn", "hands"),
    [((SKIP,), "Bea", (7, 7, 7)), ((SKIP, SKIP), "Cai", (7, 7, 7)), ((PLUS3, SKIP), "Bea", (10, 7, 7))],
)
def test_what_turns_up_at_the_deal_acts(cards: tuple[str, ...], turn: str, hands: tuple[int, ...]) -> None:
    ruling = dealt(*cards)
    assert (ruling.state.turn, sizes(ruling)) == (turn, hands)


def test_nothing_is_known_of_the_cards() -> None:
    state: State = after(Lay("Ana", 2, SKIP), Lay("Cai"), Fill("Ana", PLUS3)).state
    assert {card for cards in (*state.hands, state.table, state.discards) for card in cards} == {UNSEEN}


def test_three_cards_are_said_or_caught() -> None:
    moves = (Lay("Ana", 2), Keep("Bea"), Keep("Cai"), Lay("Ana", 2))
    ruling = after(*moves)
    assert ruling.state.silent == ("Ana",)
    assert sizes(rule(ruling.state, Catch("Cai", "Ana"))) == (6, 8, 8)
    assert may(rule(ruling.state, Tres("Ana")))["tres"] == ("Bea",)
    late = rule(ruling.state, Keep("Bea"))
    assert "catch" not in may(late)


def test_no_cards_left_wins() -> None:
    moves: list[Move] = []
    for _ in range(3):
        moves += [Lay("Ana", 2), Keep("Bea")]
    ruling = after(*moves, Lay("Ana"), players=2)
    assert ruling.state.outcome is not None
    assert ruling.state.outcome.winners == ("Ana",)
    assert ruling.state.scores == (0, 10)


def test_the_discards_become_the_pile_in_the_middle_of_filling() -> None:
    state: State = replace(dealt(players=2).state, pile=1, table=(UNSEEN, UNSEEN), discards=(UNSEEN,) * 61)
    ruling = rule(state, Lay("Ana"))
    assert ruling.state.phase == "turn"
    assert (len(ruling.state.table), ruling.state.pile, ruling.state.discards) == (3, 62, ())
    assert "The draw pile is empty: the 63 discards are shuffled into a new one." in ruling.sentences


def test_where_few_cards_are_left_each_step_is_said() -> None:
    hands = ((UNSEEN,) * 39, (UNSEEN,) * 39)
    state: State = replace(dealt(players=2).state, pile=1, hands=hands)
    ruling = rule(state, Lay("Ana", action=PLUS3))
    assert ruling.state.phase == "pay"
    ruling = rule(ruling.state, Take("Bea"))
    assert (sizes(ruling), ruling.state.phase) == ((38, 42), "turn")
    assert may(ruling)["pass"] == ("Bea",)


def test_who_has_to_draw_and_can_be_caught_draws_when_it_is_said() -> None:
    """Ana skips the only other player with her last but three, and a +3 turns up: she can be caught until she draws."""
    state: State = replace(dealt(players=2).state, hands=((UNSEEN,) * 4, (UNSEEN,) * 7), pile=65)
    ruling = rule(rule(state, Lay("Ana", action=SKIP)).state, Fill("Ana", PLUS3))
    assert ruling.state.phase == "pay"
    assert may(ruling)["catch"] == ("Bea",)
    assert ruling.state.dues == (Due("Ana", 3, ("turned-up",)),)


@pytest.mark.parametrize("seed", range(4))
def test_bots_lay_real_cards(seed: int) -> None:
    """However little they say, on the table lies as much as the referee has counted, and every play is one."""
    house = COUNT if seed % 2 else replace(COUNT, colours=("red",), number_copies=3, jokers=0)
    match = Match(set_up(tres.GAME, NAMES[: 2 + seed % 2], house))
    bots = Counted(match.setup.names, house, seed, mistakes=0.2)
    while not match.outcome:
        try:
            bots.ruled(match.make(bots.next_move(match.state)))
        except Foul:
            continue
        state: State = match.state
        assert tuple(len(bots.hands[player]) for player in state.players) == state.scores
        assert (len(bots.pile), len(bots.lies), len(bots.discards)) == (
            state.pile,
            len(state.table),
            len(state.discards),
        )
        assert bots.played is None or tres.is_run(bots.played.table_card, *bots.played.cards)


def test_a_move_corrected_makes_it_the_turn_of_others() -> None:
    """Nobody had said that Ana's card was a Skip, and all went on touching: the turns were those of other people."""
    match = Match(set_up(tres.GAME, NAMES[:3], COUNT))
    for move in (Dealer("Cai"), Deal("Cai", (UNSEEN,) * 3), Lay("Ana"), Lay("Bea", 2), Lay("Cai"), Fill("Ana", PLUS3)):
        match.make(move)
    told = match.correct(3, Lay("Ana", action=SKIP))
    assert [(change.kind, change.adjusted and change.adjusted.player) for change in told.changes] == [
        ("adjusted", "Cai"),
        ("adjusted", "Ana"),
        ("adjusted", "Bea"),
    ]
    assert match.state.scores == (5, 10, 5)
