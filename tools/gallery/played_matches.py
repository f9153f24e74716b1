"""Matches of every game in the states that the gallery shows, and the names that play them."""

import itertools
from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.match import COLOURS, Match, Player, set_up
from companion.core.photo_finish import Arrival, Finish, How
from companion.core.referee import Told
from companion.core.rules import Foul, Move
from companion.core.seats import Bot, BotSeats
from companion.core.sentence import Sentence
from companion.display.view import Draft, Past, Seen, Unfinished, seen
from companion.games import NAMES as NAMED
from companion.games import game as game_named
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.games.threepia.trials import course_of
from companion.games.tres import rules as tres
from companion.games.triple3 import rules as triple3
from companion.games.triplexity import rules as triplexity
from companion.reports.trials import Trial
from simulator.playing import play_out

NAMES = ("Anna", "Ben", "Clara", "Dario", "Elif", "Finn", "Grete", "Hugo")


LONG = (
    "Maximiliane-Josephine von Hohenfels-Wittgenstein zu Altenbrück",
    "Ann",
    "Χρυσοβαλάντης Παπαδημητρόπουλος",
    "Екатерина Константиновна Преображенская",
    "Bartholomäus Featherstonehaugh-Cholmondeley the Younger",
    "Þórunn",
    "Nguyễn Thị Minh Khai",
    "Ob",
)


LONG_NAMES = tuple(name[:60].strip() for name in LONG)


def drafted(game: str, names: tuple[str, ...], **house: Any) -> Draft:
    playing = game_named(game)
    people = tuple(Player(name, colour) for name, colour in zip(names, COLOURS, strict=False))
    return Draft(game, people, playing.house(**house))


def runs(numbers: Iterable[int], *, on_word: bool = True, **house: Any) -> tuple[Trial, ...]:
    """Time trials, the last of them with cards left."""
    course = replace(course_of(new_match("threepia", NAMES[:1], way="time-trial", **house).state), on_word=on_word)
    return tuple(Trial(NAMES[n % 4], (150 + 17 * n) * SECOND, max(0, n - 5), course, game="threepia") for n in numbers)


def pasts() -> dict[str, Past]:
    times = runs(range(8))
    return {
        "new": Past(),
        "again": Past((drafted("threepia", NAMES[:6]),), NAMES, (), times),
        "unfinished": Past((), LONG_NAMES, (Unfinished("abc", "triplexity", LONG_NAMES[:2]),), times),
        "unfinished-three": Past((drafted("tres", NAMES[:3]),), NAMES, left_over(), times),
    }


BOTS = BotSeats(frozenset(NAMED), fills=True)


def with_bots(draft: Draft) -> Draft:
    """Persons and bots by turns, each bot another."""
    levels = (None, Bot(), None, Bot("easy", "slow"), Bot("strong", "quick"))
    kinds = zip(draft.players, itertools.cycle(levels), strict=False)
    return replace(draft, players=tuple(replace(player, bot=bot) for player, bot in kinds), is_seated=True)


def left_over() -> tuple[Unfinished, ...]:
    games = (("tres", NAMES[:3]), ("threepia", NAMES[:2]), ("three", NAMES[:4]))
    return tuple(Unfinished(f"left-{game}", game, names) for game, names in games)


def marked(**marks: Any) -> MappingProxyType[str, Any]:
    return MappingProxyType(marks)


def new_match(game: str, names: tuple[str, ...], **house: Any) -> Match:
    playing = game_named(game)
    return Match(set_up(playing, names, playing.house(**house), match_id="picture"))


def threepia_match(names: tuple[str, ...], turns: int, *, last: int | None = 2, **house: Any) -> Match:
    """So many turns after the beginning; without points for the last card its player owes them."""
    match = new_match("threepia", names, **house)
    match.make(threepia.Deal(""))
    if turns:
        match.make(threepia.Begin(names[0], at=SECOND))
    for turn in range(turns):
        at = (4 + 7 * turn) * SECOND + 123_456_789
        alone = house.get("way") in threepia.ALONE
        points = None if alone else last if turn == turns - 1 else (3 * turn) % 5
        match.make(threepia.Lay(match.state.turn, points=points, at=at))
    return match


def scored_match(match: Match, word: str, times: int = 1) -> Match:
    """A match of bots until something has happened so often, and so a score has changed."""
    for _, told in play_out(match, 7, mistakes=0):
        if isinstance(told, Told) and any(event.word == word for event in told.ruling.events):
            times -= 1
            if not times:
                break
    return match


def played_match(game: str, names: tuple[str, ...], moves: int, **house: Any) -> Match:
    """A match of bots, up to so many moves or to its end."""
    match = new_match(game, names, **house)
    for _ in play_out(match, 7, mistakes=0):
        if len(match.line) >= moves:
            break
    return match


def triplexity_match(names: tuple[str, ...], puts: str, shifts: tuple[str, ...] = (), **house: Any) -> Match:
    """Pieces put on left, centre and right by their first letters, then moved from one to another."""
    match = new_match("triplexity", names, **house)
    place = {name[0]: name for name in triplexity.PLACES}
    for number, letter in enumerate(puts):
        player = names[number % 2]
        hand = match.state.in_hand[number % 2]
        match.make(triplexity.Put(player, place[letter], hand[0].up, at=(number + 1) * 3 * SECOND))
    for number, shift in enumerate(shifts):
        _try(match, triplexity.Shift(match.state.turn, place[shift[0]], place[shift[1]], at=(30 + 4 * number) * SECOND))
    return match


def _try(match: Match, move: Move) -> None:
    try:
        match.make(move)
    except Foul as foul:
        raise ValueError(f"The gallery has a move that is none: {foul}") from None


COUNT_DIFFERS = Sentence(
    "{player} says {found} of {dog}, but the referee has seen {seen} on that pile, with {unseen} cards unseen: look "
    "again, or insist.",
    player="Anna",
    found=3,
    dog="Ember",
    seen=1,
    unseen=0,
)


def not_your_turn(player: str, move: str, turn: str) -> Sentence:
    return Sentence("{player} cannot {move} now: it is {turn}'s turn.", player=player, move=move, turn=turn)


def three_match(names: tuple[str, ...], cards: int, *moves: Move, seen: bool = True, **house: Any) -> Match:
    """So many cards played after the beginning, and then these moves, a second and a half apart."""
    match = new_match("three", names, **house)
    match.make(three.Begin(names[0], at=SECOND))
    dogs = [dog.name for dog in three.DOGS]
    for card in range(cards):
        dog = dogs[(5 * card + card // 8) % 8] if seen else ""
        match.make(three.Play(match.state.turn, dog, at=(2 + 3 * card) * SECOND))
    for move in moves:
        _try(match, replace(move, at=match.now + 1_500 * MILLISECOND))
    return match


def called_wrongly(names: tuple[str, ...]) -> tuple[Move, ...]:
    """The second strikes and calls the first for a dog of which there are too few; then the third plays a card."""
    called = three.Call(names[1], names[0], three.DOGS[0].name)
    return (three.Strike(names[1]), called, three.Check(names[0]), three.Play(names[2], three.DOGS[1].name))


def tied_strike(names: tuple[str, ...], tied: tuple[int, ...]) -> three.Strike:
    """Strikes a few milliseconds apart; the last one was held down, where there are four."""
    gaps = (0, 185_000, 2_104_000, None)
    order = tuple(
        Arrival(name, How.HELD if gap is None else How.STAMPED, None if gap is None else 5 * SECOND + gap, gap)
        for name, gap in zip(names, gaps, strict=False)
    )
    together = tuple(names[number] for number in tied) if len(tied) > 1 else ()
    return three.Strike(
        "" if together else names[0], together, Finish(order, 3_000_000 if together else 100_000, together)
    )


NO_TRIPLE = Sentence(
    "{card} on cell {cell} is illegal: {old} was there before; the cell takes {accepts}.",
    card="red-circle-1",
    cell=1,
    old=(Sentence("{value} in the {line}", value="red", line="top row"),),
    accepts=("blue", "star", "2"),
)


GRID = (
    *("red-circle-0", "red-diamond-3", "red-star-2", "blue-diamond-1", "blue-star-0"),
    *("purple-circle-3", "purple-plus-2", "yellow-circle-1", "yellow-plus-0"),
)


def triple3_match(names: tuple[str, ...], plays: int, **house: Any) -> Match:
    """So many plays after the beginning; -1: nobody has said Go!. Where it is kept, the fourth one is illegal."""
    match = new_match("triple3", names, **house)
    deals = (triple3.TO_DEAL // len(names),) * len(names)
    match.make(triple3.Deal("", GRID, (), deals, triple3.TO_DEAL - sum(deals)))
    if plays >= 0:
        match.make(triple3.Go("", at=SECOND))
    for number in range(plays):
        match.make(_triple3_lay(match, number, legal="illegal_plays" not in house or number != 3))
    return match


def _triple3_lay(match: Match, number: int, *, legal: bool) -> triple3.Lay:
    state = match.state
    free = [card for at, card in enumerate(triple3.DECK) if not state.seen >> at & 1]
    for step in range(9 * len(free)):
        cell, card = 1 + (5 * number + step) % 9, free[(11 * number + 7 * step) % len(free)]
        if triple3.is_legal(state.grid, cell, card) == legal:
            player = state.players[number % len(state.players)] if number % 3 else ""
            return triple3.Lay(player, cell, card, at=(4 + 3 * number) * SECOND)
    raise ValueError("The gallery finds no card to lay.")


def claimed_match(names: tuple[str, ...], by: str | None = None) -> Match:
    """The first one says to be out, by an illegal card of his own, or of nobody knows whom."""
    match = new_match("triple3", names, illegal_plays="keep")
    others = divmod(triple3.TO_DEAL - 1, len(names) - 1)
    match.make(triple3.Deal("", GRID, (), (1, *(others[0],) * (len(names) - 1)), others[1]))
    match.make(triple3.Go("", at=SECOND))
    for number in (1, 2, 4, 5):
        lay = _triple3_lay(match, number, legal=number < 5)
        player = names[1] if number < 5 else names[0] if by is None else by
        match.make(replace(lay, player=player))
    match.make(triple3.Out(names[0], at=match.now + SECOND))
    return match


def blind_match(names: tuple[str, ...], *moves: Move) -> Match:
    """A round of which nobody shows the grid."""
    match = new_match("triple3", names)
    for move in (triple3.Deal(""), triple3.Go("", at=SECOND), *moves):
        match.make(replace(move, at=match.now + SECOND))
    return match


def stopped(names: tuple[str, ...]) -> Seen:
    match = triple3_match(names, 7)
    match.make(triple3.Stop(names[0], at=match.now + SECOND))
    return seen(match)


def dealing(names: tuple[str, ...]) -> tuple[Move, ...]:
    return (tres.Dealer(names[0]), tres.Deal(names[0], ("red-3", "joker", "blue-9")))


def tres_match(names: tuple[str, ...], *moves: Move, **house: Any) -> Match:
    """These moves, two seconds apart."""
    match = new_match("tres", names, **house)
    for number, move in enumerate(moves, 1):
        _try(match, replace(move, at=2 * number * SECOND))
    return match


def silent_match(names: tuple[str, ...]) -> Match:
    """One has said it, the next plays down to three and says nothing yet."""
    match = tres_match(names, *dealing(names))
    for turn in range(40):
        state, at = match.state, (10 + turn) * SECOND
        if match.state.silent and "said" in state.tres:
            break
        _try(match, replace(_next_tres(state), at=at))
    return match


def _next_tres(state: tres.State) -> Move:
    if state.silent:
        return tres.Tres(state.silent[0])
    if state.phase == "fill":
        return tres.Fill(state.turn, f"{('green', 'yellow', 'blue', 'red')[state.pile % 4]}-{state.pile % 9 + 1}")
    if state.phase == "pay":
        return tres.Take(state.dues[0].player)
    if state.phase == "drawn":
        return tres.Keep(state.turn)
    if state.turn == state.players[0]:
        return tres.Draw(state.turn)
    own = tres.number(state.table[0]) or 5
    others = [f"green-{own % 9 + 1}", f"yellow-{(own + 1) % 9 + 1}"]
    return tres.Play(state.turn, state.table[0], tuple(others))
