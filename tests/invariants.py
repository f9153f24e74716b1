"""What holds after every ruling, whatever was played: of each game, and of every match."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.core.entry import Made
from companion.core.match import Match, Setup
from companion.core.rules import UNSEEN, Foul, Ruling
from companion.games import NAMES, game
from companion.games.three import rules as three
from companion.games.threepia import fields
from companion.games.threepia import rules as threepia
from companion.games.tres import rules as tres
from companion.games.triple3 import rules as triple3
from companion.games.triplexity import rules as triplexity
from simulator.playing import play_out, seated

# House rules under which bots play: for each game the usual ones, and some that lead elsewhere.
HOUSES: dict[str, tuple[Any, ...]] = {
    "three": (
        three.House(),
        three.House(dogs=three.DOGS[:5], copies=5, deck=25, declarations_per_turn=2),
        three.House(declarations_per_turn=0, call_timeout=3),
    ),
    "triple3": (triple3.House(chips_to_win=2), triple3.House(chips_to_win=1, illegal_plays="keep")),
    "tres": (
        tres.House(),
        tres.House(joker_is_any_colour=True, jokers=12),
        tres.House(number_copies=1, action_copies=1, jokers=0),
        tres.House(cards="counted"),
    ),
    "triplexity": (
        triplexity.House(rounds=5),
        triplexity.House(rounds=3, repetition_draw=True),
        triplexity.House(play="advanced", points=30),
        triplexity.House(play="advanced", no_return="each", rounds=4),
        triplexity.House(play="advanced", rounds=4, count_covered=False),
    ),
    "threepia": (
        threepia.House(),
        threepia.House(way="rounds"),
        threepia.House(way="deck"),
        threepia.House(way="time", deck=40),
        threepia.House(way="stopwatch", match_seconds=60),
        threepia.House(way="time-trial"),
        threepia.House(way="relaxed"),
        threepia.House(way="points", target=30, triangle_fits=False, rotate=False),
        threepia.House(way="time-trial", deck=20, field=fields.field("x")),
        threepia.House(way="deck", field=fields.field("l-box"), flush_bonus=2, only_new_rows=True),
        threepia.House(way="points", field=fields.field("fridge"), axis_bonus=3, flush_bonus=1),
    ),
}


def players_for(name: str, house: Any, count: int) -> int:
    """A number of players that the game allows, from any number."""
    fewest, most = game(name).players
    if getattr(house, "way", "") in ("time-trial", "relaxed"):
        return 1
    if name == "threepia":
        fewest = 2
    if name == "tres" and house.number_copies == 1:
        most = 3
    return fewest + count % (most - fewest + 1)


def matches(name: str, seed: int) -> Iterator[tuple[Setup, dict[str, Any]]]:
    """For each house a set-up and how the bots shall play it, all following from the seed."""
    for number, house in enumerate(HOUSES[name]):
        setup = seated(game(name), house, players_for(name, house, seed + number))
        yield setup, {"seed": seed, "seen": seed % 3 > 0, "mistakes": (0.0, 0.1, 0.3)[seed % 3]}


def played(setup: Setup, *, seed: int, seen: bool, mistakes: float) -> tuple[Match, int, int]:
    """A match played out by bots, everything checked after every move. Also how many moves and how many fouls."""
    match = Match(setup)
    watch = _WATCHES[setup.game](setup)
    moves = fouls = 0
    before = match.state
    for move, told in play_out(match, seed, seen=seen, mistakes=mistakes):
        moves += 1
        if isinstance(told, Foul):
            fouls += 1
            assert match.state is before, f"the foul of {move} changed the state"
            assert told.sentence.endswith((".", "!", "?")), told.sentence
            assert "{" not in told.sentence, told.sentence
            assert "{" not in told.code, told.code
        else:
            watch.check(told.ruling)
            if moves % 7 == 0:
                undo_then_redo(match)
        before = match.state
    ended(match)
    folded(match)
    return match, moves, fouls


def undo_then_redo(match: Match) -> None:
    now, state, line = match.now, match.state, list(match.line)
    match.undo()
    assert match.state is (line[-2].ruling.state if len(line) > 1 else match.start.state)
    match.redo()
    assert match.state is state
    assert match.now == now
    assert match.line == line


def ended(match: Match) -> None:
    """One rule for winners: nobody who lost has a better score than somebody who won."""
    outcome = match.outcome
    assert outcome is not None
    assert set(outcome.winners) <= set(match.setup.names)
    assert not match.ruling.may
    assert match.deadline is None
    if match.setup.game == "three" or (
        match.setup.game == "threepia" and match.setup.house.way not in ("relaxed", "time-trial")
    ):
        best = max(outcome.scores)
        assert outcome.winners == tuple(
            name for name, score in zip(match.setup.names, outcome.scores, strict=True) if score == best
        )


def folded(match: Match) -> None:
    """The same moves make the same match."""
    again = Match.folded(match.setup, [Made(done.move) for done in match.line])
    assert again.state == match.state
    assert [done.ruling for done in again.line] == [done.ruling for done in match.line]


class _Watch:
    """Checks the rulings of one match, one after the other."""

    def __init__(self, setup: Setup) -> None:
        self.house = setup.house
        self.points: Counter[str] = Counter()
        self.counts_points = True  # they were zero when this began to look

    def check(self, ruling: Ruling) -> None:
        state = ruling.state
        assert len(state.scores) == len(state.players)
        assert not (state.turn and state.turn not in state.players)
        for may in ruling.may:
            assert set(may.players) <= set(state.players)
        for sentence in ruling.sentences:
            assert "{" not in sentence
        self.check_game(ruling)

    def check_game(self, ruling: Ruling) -> None:
        raise NotImplementedError


def checks(setup: Setup, ruling: Ruling) -> None:
    """What holds after one ruling, whatever came before it: cards, pieces and players add up."""
    watch = _WATCHES[setup.game](setup)
    watch.counts_points = False
    watch.check(ruling)


class _Three(_Watch):
    def check_game(self, ruling: Ruling) -> None:
        state = ruling.state
        total = sum(state.hands) + state.deck + sum(map(len, state.piles)) + sum(state.banks) + state.out
        assert total == self.house.deck
        assert state.scores == state.banks
        for number, dog in enumerate(self.house.dogs):
            assert state.gone[number] + sum(pile.count(dog.name) for pile in state.piles) <= self.house.copies
        for event in ruling.events:
            if isinstance(event, three.Checked) and event.to.kind == "bank":
                self.points[event.to.of] += event.found
        if self.counts_points:
            assert state.banks == tuple(self.points[player] for player in state.players)


class _Triple3(_Watch):
    def check_game(self, ruling: Ruling) -> None:
        state = ruling.state
        assert sum(state.chips) == sum(len(done.winners) for done in state.rounds)
        if not state.is_seen:
            return
        there = [laid.card for pile in state.piles for laid in pile]
        cards = [card for card in there if card != UNSEEN]
        assert len(set(cards)) == len(cards)
        assert len(cards) + state.hidden + state.unseen == 64
        assert len(there) - len(cards) <= state.hidden
        assert UNSEEN not in state.grid
        assert state.seen.bit_count() == len(cards)
        assert all(left >= 0 for left in (state.unseen, state.unclaimed, state.hidden, *state.laid))
        assert state.surely_laid <= state.can_be_laid <= state.unseen
        for event in ruling.events:
            if isinstance(event, triple3.PlayedLegally):
                assert event.triples
            if isinstance(event, triple3.RoundWon) and not state.left:  # nobody counted what is left
                unlooked = {laid.by for pile in state.piles for laid in pile if laid.open}
                assert not unlooked & set(event.winners), "an illegal card has won"


class _Tres(_Watch):
    def check_game(self, ruling: Ruling) -> None:
        state = ruling.state
        deck = tres.deck(self.house)
        total = sum(map(len, state.hands)) + state.pile + len(state.table) + len(state.discards)
        assert total == sum(deck.values())
        assert len(state.table) <= 3
        known = Counter(card for cards in (*state.hands, state.table, state.discards) for card in cards)
        assert all(copies <= deck[card] for card, copies in known.items() if card != UNSEEN)


class _Triplexity(_Watch):
    def check_game(self, ruling: Ruling) -> None:
        state = ruling.state
        pieces = Counter(piece.owner for stack in (*state.stacks, *state.in_hand) for piece in stack)
        assert pieces == Counter(dict.fromkeys(state.players, 3))
        assert all(len(stack) <= 3 for stack in state.stacks)
        if state.phase != "over":
            assert triplexity.winning(state.position) is None
        for event in ruling.events:
            if isinstance(event, triplexity.ThreeOfAColour):
                self.points[event.owner] += event.points
        if self.counts_points:
            assert state.points == tuple(self.points[player] for player in state.players)


class _Threepia(_Watch):
    def check_game(self, ruling: Ruling) -> None:
        state = ruling.state
        if state.phase not in ("deal", "ready") and not state.outcome:
            assert sum(state.hands) + state.deck + state.laid + state.missing == self.house.deck
        if state.clocks and self.house.way == "stopwatch":
            assert sum(clock.is_running for clock in state.clocks) <= 1


_WATCHES: dict[str, type[_Watch]] = {
    "three": _Three,
    "triple3": _Triple3,
    "tres": _Tres,
    "triplexity": _Triplexity,
    "threepia": _Threepia,
}
assert set(_WATCHES) == set(NAMES)
