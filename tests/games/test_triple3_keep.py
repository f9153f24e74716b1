"""Triple³ with illegal cards that are kept for the next Stop!: they win nothing, and hold up nobody else."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.house import house_as_kept
from companion.core.rules import Foul, Move, Ruling
from companion.games.triple3.rules import (
    CELLS,
    DECK,
    GAME,
    ClaimOpen,
    ClaimVoid,
    GoOn,
    Lay,
    Left,
    NobodyCanLay,
    NotOutYet,
    Out,
    RoundWon,
    State,
    Stop,
    Stopped,
    Stuck,
    TakeBack,
    is_legal,
    rule,
)
from tests.games.test_triple3 import NAMES, a_play, after, crowded, dealt, new_triples, refused

FEW = (1, 54)  # cards of Ann and of Bob


def kept(*deals: int, **house: Any) -> tuple[State, list[str]]:
    return dealt(len(deals), deals=deals, illegal_plays="keep", **house)


def won(ruling: Ruling) -> tuple[str, ...]:
    return next((event.winners for event in ruling.events if isinstance(event, RoundWon)), ())


def on(state: State, cards: list[str], cell: int, *, legal: bool = True) -> Lay:
    """Bob lays something on that cell."""
    return Lay("Bob", cell, next(card for card in cards if is_legal(state.grid, cell, card) == legal))


def some(state: State, cards: list[str], player: str, *, legal: bool = True, off: int = 0) -> Lay:
    """The first card that fits, or does not, on a cell other than `off`."""
    left = [card for card in cards if not state.seen >> DECK.index(card) & 1]
    fits = (
        (cell, card) for card in left for cell in CELLS if is_legal(state.grid, cell, card) == legal and cell != off
    )
    return Lay(player, *next(fits))


# --- the last card ---------------------------------------------------------------------------------------------


def test_an_illegal_last_card_wins_nothing_and_stop_is_heard() -> None:
    state, cards = kept(*FEW)
    cell, card = a_play(state, cards, legal=False)
    ruling = rule(state, Lay("Ann", cell, card))
    assert (won(ruling), ruling.state.phase) == ((), "play")
    ruling = rule(ruling.state, Stop("Bob"))
    assert ruling.events == (Stopped("Bob", (cell,)),)
    assert after(ruling.state, TakeBack("Ann", cell)).laid == (0, 0)


def test_a_claim_is_open_while_own_illegal_cards_are_looked_at() -> None:
    state, cards = kept(*FEW)
    cell, card = a_play(state, cards, legal=False)
    ruling = rule(after(state, Lay("Ann", cell, card)), Out("Ann", at=5))
    assert ruling.events == (ClaimOpen("Ann", (cell,), is_known=True),)
    assert (ruling.state.phase, ruling.state.clock.is_running) == ("stopped", False)
    assert [may.move for may in ruling.may] == ["out", "take-back", "lies"]
    assert ruling.may[0].players == ("Bob",)
    assert refused(ruling.state, Out("Ann")).code == "claim-open"
    foul = refused(ruling.state, GoOn(""))
    assert foul.sentence == f"The round cannot go on yet: Ann takes {card} back from cell {cell} first."


def test_what_can_be_lifted_is_taken_back_and_may_win_on_a_better_place() -> None:
    state, cards = kept(*FEW)
    cell, card = next((c, one) for one in cards for c in CELLS if not is_legal(state.grid, c, one))
    better = next((c for c in CELLS if is_legal(state.grid, c, card)), 0)
    assert better
    state = after(state, Lay("Ann", cell, card), Out("Ann"), TakeBack("Ann", cell))
    assert refused(state, Out("Ann")).code == "not-out"
    state = after(state, GoOn(""))
    assert (state.phase, state.claim, state.void) == ("play", (), ())
    assert won(rule(state, Lay("Ann", better, card))) == ("Ann",)


def covered(*deals: int) -> tuple[State, list[str], int]:
    """Ann's last card is illegal, and Bob has laid a legal one on it."""
    state, cards = kept(*deals)
    cell = next(
        cell
        for cell, card in product(CELLS, cards)
        if not is_legal(state.grid, cell, card)
        and any(
            is_legal((*state.grid[: cell - 1], card, *state.grid[cell:]), cell, one) for one in cards if one != card
        )
    )
    card = next(
        card
        for card in cards
        if not is_legal(state.grid, cell, card)
        and any(
            is_legal((*state.grid[: cell - 1], card, *state.grid[cell:]), cell, one) for one in cards if one != card
        )
    )
    state = after(state, Lay("Ann", cell, card))
    rest = [one for one in cards if one != card]
    return after(state, on(state, rest, cell)), rest, cell


def test_what_is_covered_stays_and_the_others_play_on() -> None:
    state, cards, cell = covered(*FEW)
    state = after(state, Out("Ann"))
    ruling = rule(state, GoOn(""))
    assert ruling.events[0] == ClaimVoid("Ann", (cell,), has_cards=False)
    assert ruling.events[0].sentence.endswith("Ann has no card left, the others play on.")
    assert ruling.state.laid == (1, 1)  # the play on it stands
    assert [may.players for may in ruling.may if may.move == "out"] == [("Bob",)]
    foul = refused(ruling.state, Out("Ann"))
    assert foul.code == "claim-void"
    assert "the others play on" in foul.sentence
    assert after(ruling.state, some(ruling.state, cards, "Bob")).phase == "play"


def test_a_void_claim_is_good_again_after_a_legal_card() -> None:
    state, cards, cell = covered(2, 53)
    lay = some(state, cards, "Ann", legal=False, off=cell)
    state = after(state, lay, Out("Ann"))
    assert state.claim == ("Ann",)
    state = after(state, TakeBack("Ann", lay.cell))
    ruling = rule(state, GoOn(""))
    assert ruling.events[0] == ClaimVoid("Ann", (cell,), has_cards=True)
    assert ruling.events[0].sentence == "Ann's claim to be out is void until Ann lays a legal card."
    good = next(one for one in CELLS if is_legal(ruling.state.grid, one, lay.card))
    assert won(rule(ruling.state, Lay("Ann", good, lay.card))) == ("Ann",)


def test_a_legal_last_card_does_not_win_over_an_illegal_one_nobody_has_looked_at() -> None:
    state, cards = kept(2, 53)
    first = some(state, cards, "Ann", legal=False)
    state = after(state, first)
    last = some(state, cards, "Ann", off=first.cell)
    ruling = rule(state, last)
    assert NotOutYet("Ann", (first.cell,)) in ruling.events
    assert (won(ruling), ruling.state.phase) == ((), "play")
    assert rule(ruling.state, Out("Ann")).events == (ClaimOpen("Ann", (first.cell,), is_known=True),)


def test_an_illegal_card_of_another_holds_nothing_up() -> None:
    state, cards = kept(*FEW)
    first = some(state, cards, "Bob", legal=False)
    state = after(state, first)
    assert won(rule(state, some(state, cards, "Ann", off=first.cell))) == ("Ann",)


def test_what_was_left_to_lie_at_a_stop_holds_up_nobody_with_cards() -> None:
    state, cards = kept(2, 53)
    first = some(state, cards, "Ann", legal=False)
    state = after(state, first, Stop("Bob"), GoOn(""))
    assert won(rule(state, some(state, cards, "Ann", off=first.cell))) == ("Ann",)


def test_an_illegal_last_card_that_was_left_to_lie_does_not_win_either() -> None:
    state, cards = kept(*FEW)
    lay = some(state, cards, "Ann", legal=False)
    ruling = rule(after(state, lay, Stop("Bob")), GoOn(""))
    assert ruling.events[0] == ClaimVoid("Ann", (lay.cell,), has_cards=False)
    assert refused(ruling.state, Out("Ann")).code == "claim-void"
    state = after(ruling.state, TakeBack("Ann", lay.cell))  # it still lies on top
    good = next(cell for cell in CELLS if is_legal(state.grid, cell, lay.card))
    assert won(rule(state, Lay("Ann", good, lay.card))) == ("Ann",)


def test_of_two_that_are_out_at_once_the_one_with_legal_cards_wins() -> None:
    state, cards = kept(1, 1, 53)
    wrong = some(state, cards, "Ann", legal=False)
    state = after(state, wrong)
    state = after(state, Lay("", *a_play(state, [card for card in cards if card != wrong.card])))  # Bob's, perhaps
    ruling = rule(state, Out("Bob", ("Ann", "Bob")))
    assert won(ruling) == ("Bob",)
    assert ruling.state.rounds[-1].reason == "Bob is out first, as the plays allow."
    assert won(rule(state, Out("Ann", ("Ann", "Bob")))) == ("Bob",)


# --- nobody knows who laid it ----------------------------------------------------------------------------------


def unknown() -> tuple[State, int]:
    state, cards = kept(*FEW)
    lay = some(state, cards, "", legal=False)
    return after(state, lay), lay.cell


def test_of_an_illegal_card_of_nobody_knows_whom_people_say_whose_it_is() -> None:
    state, cell = unknown()
    ruling = rule(state, Out("Ann"))
    assert ruling.events == (ClaimOpen("Ann", (cell,), is_known=False),)
    assert "nobody knows who laid the illegal cards" in ruling.sentences[0]
    assert won(rule(ruling.state, Out("Ann"))) == ("Ann",)  # it was not hers


def test_it_goes_back_if_it_was_the_claimants() -> None:
    state, cell = unknown()
    state = after(state, Out("Ann"), TakeBack("Ann", cell), GoOn(""))
    assert refused(state, Out("Ann")).code == "not-out"


def test_a_card_of_nobody_knows_whom_cannot_be_of_somebody_whose_cards_are_all_known() -> None:
    state, cell = unknown()
    cards = [card for card in DECK if not state.seen >> DECK.index(card) & 1]
    assert won(rule(state, some(state, cards, "Ann", off=cell))) == ("Ann",)


# --- nobody can lay --------------------------------------------------------------------------------------------


def blocking(player: str, **house: Any) -> tuple[State, Lay]:
    """An illegal card after which nobody can lay; each of the two has two cards before."""
    for seed in range(9999):
        state = crowded(seed, 4, illegal_plays="keep", **house)
        rest = sorted(card for card in DECK if not state.seen >> DECK.index(card) & 1)
        for cell, card in product(CELLS, rest):
            grid = (*state.grid[: cell - 1], card, *state.grid[cell:])
            others = [other for other in rest if other != card]
            if is_legal(state.grid, cell, card) or any(new_triples(grid, one, o) for one in CELLS for o in others):
                continue
            if state.can_be_laid:
                return state, Lay(player, cell, card)
    raise AssertionError


def test_an_illegal_card_that_blocks_the_grid_counts_as_in_hand() -> None:
    state, lay = blocking("Ann")
    ruling = rule(state, lay)
    assert NobodyCanLay(3, sure=True, illegal=1) in ruling.events
    assert "illegal ones on top that count as in hand: 1" in " ".join(ruling.sentences)
    assert won(ruling) == ("Ann", "Bob")  # two each


def test_counted_by_people_it_is_in_a_hand_too() -> None:
    state, lay = blocking("")
    state = after(state, lay)
    assert (state.phase, state.unseen) == ("count", 3)
    foul = refused(after(state, Left("Ann", 1)), Left("Bob", 2))
    assert "3 of the 64 are not on the grid and 1 illegal ones on top count as in hand" in foul.sentence
    assert won(rule(after(state, Left("Ann", 2)), Left("Bob", 2))) == ("Ann", "Bob")
    assert refused(state, Left("Ann", 3)).code == "impossible-count", (
        "two were dealt to her, hers that lies on top is one"
    )


# --- matches from before ---------------------------------------------------------------------------------------


def test_in_matches_from_before_illegal_cards_win() -> None:
    house = house_as_kept(GAME, {"illegal_plays": "keep"})
    assert house.illegal_wins
    state, cards = kept(*FEW, illegal_wins=True)
    assert won(rule(state, some(state, cards, "Ann", legal=False))) == ("Ann",)
    state, lay = blocking("Ann", illegal_wins=True)
    assert won(rule(state, lay)) == ("Ann",)


# --- all of it, against a table that is kept otherwise ------------------------------------------------------------


class Table:
    """What lies there, card by card, and who said to be out: whose claim holds follows from that alone."""

    def __init__(self, state: State) -> None:
        self.piles: list[list[str]] = [[laid.card for laid in pile] for pile in state.piles]
        self.left = dict(zip(state.players, state.deals, strict=True))
        self.by: dict[str, str] = {}
        self.illegal: set[str] = set()
        self.unlooked: set[str] = set()
        self.claims: set[str] = set()
        self.void: set[str] = set()

    @property
    def tops(self) -> tuple[str, ...]:
        return tuple(pile[-1] for pile in self.piles)

    def lay(self, player: str, cell: int, card: str) -> str:
        legal = bool(new_triples(self.tops, cell, card))
        self.piles[cell - 1].append(card)
        self.left[player] -= 1
        self.by[card] = player
        if legal:
            self.void.discard(player)
            if not self.left[player]:
                return "not yet" if self.own(player) else "won"
        else:
            self.illegal.add(card)
            self.unlooked.add(card)
        return ""

    def own(self, player: str) -> set[str]:
        return {card for card in self.unlooked if self.by[card] == player}

    def out(self, player: str) -> str:
        if self.left[player]:
            return "refused"
        if player in self.void or (player in self.claims and self.own(player)):
            return "refused"
        if self.own(player):
            self.claims.add(player)
            return "open"
        return "won"

    def take(self, cell: int) -> None:
        card = self.piles[cell - 1].pop()
        self.left[self.by[card]] += 1
        self.illegal.discard(card)
        self.unlooked.discard(card)

    def go_on(self) -> str:
        if any(self.by.get(top) in self.claims and top in self.unlooked for top in self.tops):
            return "refused"
        self.void |= {who for who in self.left if self.own(who) and (who in self.claims or not self.left[who])}
        self.unlooked, self.claims = set(), set()
        return ""

    def fewest(self) -> set[str]:
        lifted = [self.by[top] for top in self.tops if top in self.illegal]
        count = {who: left + lifted.count(who) for who, left in self.left.items()}
        return {who for who, cards in count.items() if cards == min(count.values())}


def told(state: State, move: Move) -> tuple[State, str, set[str]]:
    """The state after it, what came of it, and who has won the round."""
    try:
        ruling = rule(state, move)
    except Foul:
        return state, "refused", set()
    kinds = {ClaimOpen: "open", NotOutYet: "not yet", RoundWon: "won"}
    came = next((kinds[type(event)] for event in ruling.events[::-1] if type(event) in kinds), "")
    return ruling.state, came, set(won(ruling))


@settings(max_examples=120)
@given(st.integers(0, 2**32))
def test_a_round_agrees_with_the_table_as_it_lies(seed: int) -> None:
    random = Random(seed)
    deals = random.choice([(2, 53), (3, 52), (2, 2, 51), (1, 3, 51), (4, 4, 47)])
    state, cards = dealt(len(deals), seed % 997, deals, illegal_plays="keep", chips_to_win=1)
    hands = dict(zip(NAMES, _dealt(cards, deals), strict=False))
    table = Table(state)
    for _ in range(60):
        player = random.choice(state.players)
        stopped = state.phase == "stopped"
        match random.choice(("out", "take", "take", "go", "go") if stopped else ("lay",) * 7 + ("out", "stop", "take")):
            case "lay" if hands[player]:
                cell, card = random.choice(CELLS), random.choice(hands[player])
                hands[player].remove(card)
                expected = table.lay(player, cell, card)
                state, came, winners = told(state, Lay(player, cell, card))
            case "out":
                expected = table.out(player)
                state, came, winners = told(state, Out(player))
            case "stop":
                state, came, winners = told(state, Stop(player))
                expected = ""
            case "go":
                expected = table.go_on()
                state, came, winners = told(state, GoOn(""))
            case "take" if wrong := [cell for cell, top in zip(CELLS, table.tops, strict=True) if top in table.illegal]:
                cell = random.choice(wrong)
                owner = table.by[table.tops[cell - 1]]
                hands[owner].append(table.tops[cell - 1])
                table.take(cell)
                state, came, winners = told(state, TakeBack(owner, cell))
                expected = ""
            case _:
                continue
        if winners and expected != "won":  # nobody can lay any more
            assert winners == table.fewest()
        else:
            assert (came, winners) == (expected, {player} if expected == "won" else set())
        if winners:
            return
        assert set(state.void) == table.void
        assert state.grid == table.tops


def _dealt(cards: list[str], deals: tuple[int, ...]) -> Iterator[list[str]]:
    first = 0
    for count in deals:
        yield cards[first : first + count]
        first += count


@pytest.mark.parametrize("player", ["", "Ann", "Bob"])
def test_nobody_can_lay_is_said_of_the_grid_as_it_lies(player: str) -> None:
    state, _ = kept(*FEW)
    assert refused(state, Stuck(player)).code == "somebody-can-lay"
