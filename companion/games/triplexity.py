"""Triplexity: two dice, each cut into three pieces, on three places; three of one colour win.

A `Position` is the game without pips: the rules of moving, winning and the solver need nothing else. The
state adds which faces show (they only matter to the points of the advanced game), the rounds and the points.

Which moves are open does not depend on who makes them: any top piece may be moved by either player. So whoever
has no move passes to somebody who has none either, and the round is drawn. Only where no piece may go back
(`no_return` each) does that happen.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from companion.exc import HouseRuleError
from companion.rules import (
    Deadline,
    Ended,
    Event,
    Foul,
    Game,
    May,
    Move,
    Outcome,
    Ruling,
    Turn,
    changed,
    ended,
    highest,
    inner,
    setting,
)
from companion.sentence import Sentence

PLACES = ("left", "centre", "right")
PIECES = 3  # of each colour
HIGHEST = 3  # pieces in a stack


@dataclass(frozen=True, slots=True)
class House:
    play: str = setting(
        "basic", "the basic game, or the advanced one with pips and points", choices=("basic", "advanced")
    )
    faces: tuple[str, ...] = setting(("1/6", "2/5", "3/4"), "the two faces of each of a player's three pieces")
    rounds: int = setting(1, "rounds of a match, unless points are agreed", low=1, high=100)
    points: int = setting(0, "points that end the match, in any number of rounds; 0 for the rounds", low=0, high=1000)
    count_covered: bool = setting(True, "in a winning stack the covered pieces score too")
    no_return: str = setting(
        "last",
        "the piece that was moved last may not go back to where it came from, or no piece by its own last move",
        choices=("last", "each"),
        before="last",
    )
    repetition_draw: bool = setting(False, "the same position for the third time is a draw")
    rounds_too: bool = setting(
        False, "points end the match no later than the rounds; only in matches from before", before=True, offered=False
    )

    def __post_init__(self) -> None:
        pips = sorted(pip for faces in self.faces for pip in faces.split("/"))
        pairs = len(self.faces) == PIECES and all(faces.count("/") == 1 for faces in self.faces)
        if not pairs or pips != list("123456"):
            raise HouseRuleError(
                "House rule faces: three pairs are needed that share out the six faces of a die, like 1/6,2/5,3/4."
            )


class Position(NamedTuple):
    """Everything that decides who can win: colours on places, pieces in hand, whose turn, and the ways back.

    Colours are 0 and 1, the seats of their players; places are 0, 1, 2. Either `back` or `came_from` says which ways
    back are closed.
    """

    stacks: tuple[tuple[int, ...], ...]  # each from bottom to top
    in_hand: tuple[int, int]
    mover: int
    back: tuple[int, int] | None  # the move that would undo the last one, and is not allowed
    came_from: "CameFrom" = ()

    @property
    def closed(self) -> tuple[tuple[int, int], ...]:
        """The moves of top pieces that would lead back."""
        return _ways_back(self.back, self.came_from)


class Option(NamedTuple):
    """A move in a position; `source` is None for a piece from the hand."""

    source: int | None
    target: int


# From where each piece came by its own last move, as it lies in the stacks; where no piece may go back, else empty.
CameFrom = tuple[tuple[int, ...], ...]
HAND = -1
START = Position(((), (), ()), (PIECES, PIECES), 0, None)
START_EACH = START._replace(came_from=((), (), ()))


def _ways_back(back: tuple[int, int] | None, came_from: CameFrom) -> tuple[tuple[int, int], ...]:
    if came_from:
        return tuple((place, came[-1]) for place, came in enumerate(came_from) if came and came[-1] != HAND)
    return (back,) if back else ()


def options(position: Position) -> tuple[Option, ...]:
    """Every legal move, in a fixed order. There is always one, unless no piece may go back."""
    stacks, in_hand, mover = position[:3]
    room = [place for place in range(3) if len(stacks[place]) < HIGHEST]
    if in_hand[mover]:
        return tuple(Option(None, target) for target in room)
    closed = position.closed
    return tuple(
        Option(source, target)
        for source in range(3)
        if stacks[source]
        for target in room
        if source != target and (source, target) not in closed
    )


def after(position: Position, option: Option) -> Position:
    """The position that a legal move leads to."""
    stacks, in_hand, mover, _, came_from = position
    source, target = option
    came_from = _moved(came_from, source, target, HAND if source is None else source)
    if source is None:
        in_hand = (in_hand[0] - 1, in_hand[1]) if mover == 0 else (in_hand[0], in_hand[1] - 1)
        return Position(_moved(stacks, None, target, mover), in_hand, 1 - mover, None, came_from)
    back = None if came_from else (target, source)
    return Position(_moved(stacks, source, target, stacks[source][-1]), in_hand, 1 - mover, back, came_from)


def _moved(stacks: tuple[Any, ...], source: int | None, target: int, piece: Any) -> tuple[Any, ...]:
    """The stacks without the top of one, if there is one, and with a piece on another."""
    if not stacks:
        return stacks
    if source is not None:
        stacks = changed(stacks, source, stacks[source][:-1])
    return changed(stacks, target, (*stacks[target], piece))


def winning(position: Position) -> tuple[int, tuple[tuple[int, int], ...]] | None:
    """The colour that has won and its pieces as (place, height), whoever made the move; None while nobody has."""
    stacks = position.stacks
    for place, stack in enumerate(stacks):
        if len(stack) == HIGHEST and stack[0] == stack[1] == stack[2]:
            return stack[0], tuple((place, height) for height in range(HIGHEST))
    if all(stacks) and stacks[0][-1] == stacks[1][-1] == stacks[2][-1]:
        return stacks[0][-1], tuple((place, len(stack) - 1) for place, stack in enumerate(stacks))
    return None


# --- the table -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Piece:
    owner: str
    up: int = 0  # the pips that show; 0 in the basic game
    down: int = 0

    def turned(self) -> "Piece":
        return Piece(self.owner, self.down, self.up)


# How often positions occurred, as a tree of tuples: 64 branches, 64 again, then (position, times) pairs. A new
# count copies two short tuples, so a thousandth move costs no more than a tenth.
_Counts = tuple[Any, ...]
_BRANCHES = 64
_NO_COUNTS: _Counts = (None,) * _BRANCHES


@dataclass(frozen=True, slots=True)
class State:
    players: tuple[str, ...]
    house: House
    phase: str = "place"  # place, move, over
    mover: int = -1  # seat; -1: whoever places first begins
    stacks: tuple[tuple[Piece, ...], ...] = ((), (), ())
    in_hand: tuple[tuple[Piece, ...], ...] = ()
    back: tuple[int, int] | None = None  # the last move the other way round
    came_from: CameFrom = ()
    seen: _Counts = inner(_NO_COUNTS)
    starter: int = -1
    points: tuple[int, ...] = (0, 0)
    rounds_played: int = 0
    outcome: Outcome | None = None

    @property
    def turn(self) -> str:
        return self.players[self.mover] if self.mover >= 0 and self.phase != "over" else ""

    @property
    def scores(self) -> tuple[int, ...]:
        return self.points

    @property
    def deadline(self) -> Deadline | None:
        return None

    @property
    def position(self) -> Position:
        seats = {player: seat for seat, player in enumerate(self.players)}
        return Position(
            tuple(tuple(seats[piece.owner] for piece in stack) for stack in self.stacks),
            (len(self.in_hand[0]), len(self.in_hand[1])),
            max(self.mover, 0),
            None if self.came_from else self.back,
            self.came_from,
        )

    @property
    def closed(self) -> tuple[tuple[int, int], ...]:
        """The moves of top pieces that would lead back, and are not allowed."""
        return _ways_back(self.back, self.came_from)


@dataclass(frozen=True, slots=True)
class Put(Move):
    """A piece from the hand onto a place; in the advanced game with the pips that show."""

    doing: ClassVar[str] = "place a piece"

    place: str
    up: int = 0


@dataclass(frozen=True, slots=True)
class Shift(Move):
    """A top piece, of either colour, from one place to another; in the advanced game it is turned over."""

    doing: ClassVar[str] = "move a piece"

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Ways:
    """A move that is open now; `source` is empty for a piece from the hand."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Placed(Event):
    text: ClassVar[str] = "{player} places a piece on the {place}."
    player: str
    place: str
    piece: Piece


@dataclass(frozen=True, slots=True)
class Shifted(Event):
    text: ClassVar[str] = "{player} moves {owner}'s piece from the {source} to the {target}."
    player: str
    owner: str
    piece: Piece
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class ThreeOfAColour(Event):
    """The pieces that won, as place and height from the bottom."""

    counts: ClassVar[int] = 1
    text: ClassVar[str] = "Three of {owner}'s colour, {how}: {owner} wins the round. Points: {points}."
    won_by: ClassVar[str] = "Three of {owner}'s colour, {how}."
    owner: str
    how: str
    pieces: tuple[tuple[str, int], ...]
    pips: tuple[int, ...]
    points: int

    @property
    def round_winners(self) -> tuple[str, ...]:
        return (self.owner,)


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    """The round is over, and nobody has won it."""

    @property
    def round_winners(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class DrawnByRepetition(Drawn):
    text: ClassVar[str] = "The same position for the third time: the round is drawn."
    won_by: ClassVar[str] = "The same position for the third time."


@dataclass(frozen=True, slots=True)
class NobodyCanMove(Drawn):
    text: ClassVar[str] = "{player} has no move and passes, and {second} has none either: the round is drawn."
    won_by: ClassVar[str] = "{player} has no move, and {second} has none either."
    player: str
    second: str


@dataclass(frozen=True, slots=True)
class NextRound(Event):
    text: ClassVar[str] = "Round {round}: {player} begins."
    round: int
    player: str


@dataclass(frozen=True, slots=True)
class RoundStands(Event):
    """After a correction of the round before, which has no winner any more, or would have had another begin."""

    text: ClassVar[str] = "Round {round} stands as it was played; the one before has no winner any more."
    other: ClassVar[str] = "Round {round} stands as it was played: {player} began it; {instead} would have begun."
    round: int
    player: str
    instead: str = ""

    @property
    def template(self) -> str:
        return self.other if self.instead else self.text


def start(players: tuple[str, ...], house: House) -> Ruling:
    return _ruling(_fresh(State(players, house)))


def rule(state: State, move: Move) -> Ruling:
    """The ruling on a move, or a Foul."""
    if state.phase == "over":
        raise Foul("match-over", move.player, "{player} cannot {move}: the match is over.", move=move.doing)
    if state.mover >= 0 and move.player != state.turn:
        raise Foul(
            "not-your-turn",
            move.player,
            "{player} cannot {move} now: it is {turn}'s turn.",
            move=move.doing,
            turn=state.turn,
        )
    return _RULES[type(move)](state, move)


def _put(state: State, move: Put) -> Ruling:
    if state.phase != "place":
        raise Foul("all-placed", move.player, "{player} has no piece left to place: move a top piece instead.")
    target = _place(move, move.place)
    seat = state.players.index(move.player)
    if len(state.stacks[target]) == HIGHEST:
        raise Foul(
            "stack-full",
            move.player,
            "{player} cannot place on the {place}: three pieces lie there already.",
            place=move.place,
        )
    piece = _piece_from_hand(state, move, seat)
    starter = state.starter if state.starter >= 0 else seat
    hand = tuple(other for other in state.in_hand[seat] if {other.up, other.down} != {piece.up, piece.down})
    if state.house.play == "basic":
        hand = state.in_hand[seat][1:]
    before = replace(state, mover=seat).position
    state = replace(
        state,
        mover=1 - seat,
        starter=starter,
        in_hand=changed(state.in_hand, seat, hand),
        stacks=_moved(state.stacks, None, target, piece),
        came_from=_moved(state.came_from, None, target, HAND),
    )
    if not any(state.in_hand):
        state = replace(state, phase="move")
    return _after(state, after(before, Option(None, target)), Placed(move.player, move.place, piece))


def _shift(state: State, move: Shift) -> Ruling:
    if state.phase != "move":
        raise Foul("place-first", move.player, "{player} cannot move a piece yet: all six pieces are placed first.")
    option = Option(_place(move, move.source), _place(move, move.target))
    source, target = option
    if option not in options(state.position):
        raise _no_way(state, move)
    assert source is not None
    piece = state.stacks[source][-1]
    if state.house.play == "advanced":
        piece = piece.turned()
    before = state.position
    state = replace(
        state,
        mover=1 - state.mover,
        back=(target, source),
        stacks=_moved(state.stacks, source, target, piece),
        came_from=_moved(state.came_from, source, target, source),
    )
    return _after(state, after(before, option), Shifted(move.player, piece.owner, piece, move.source, move.target))


_RULES: dict[type[Move], Callable[[State, Any], Ruling]] = {Put: _put, Shift: _shift}


def _after(state: State, position: Position, event: Placed | Shifted) -> Ruling:
    won = winning(position)
    if won:
        return _round_won(state, event, *won)
    if state.house.repetition_draw and state.phase == "move":
        seen, times = _counted(state.seen, state)
        state = replace(state, seen=seen)
        if times == 3:
            return _next_round(state, event, DrawnByRepetition())
    if not options(position):
        return _next_round(state, event, NobodyCanMove(state.turn, event.player))
    return _ruling(state, event, Turn(state.turn))


def _round_won(state: State, event: Event, colour: int, pieces: tuple[tuple[int, int], ...]) -> Ruling:
    # A stack takes all three pieces of its colour, so there is never a stack and all three tops at once.
    stacked = len({place for place, _ in pieces}) == 1
    scoring = pieces[-1:] if stacked and not state.house.count_covered else pieces
    points = _pips(state, scoring) if state.house.play == "advanced" else 1
    shown = tuple((PLACES[place], height) for place, height in pieces)
    how = "in one stack" if stacked else "on top of all three places"
    state = replace(state, points=changed(state.points, colour, state.points[colour] + points))
    pips = tuple(state.stacks[place][height].up for place, height in scoring)
    return _next_round(state, event, ThreeOfAColour(state.players[colour], how, shown, pips, points))


def _pips(state: State, pieces: tuple[tuple[int, int], ...]) -> int:
    return sum(state.stacks[place][height].up for place, height in pieces)


def _next_round(state: State, *events: Event) -> Ruling:
    played = state.rounds_played + 1
    reason = _end(state.house, played, max(state.points))
    if reason:
        winners = highest(state.players, state.points) if any(state.points) else ()
        outcome = Outcome(winners, state.points, reason)
        state = replace(state, phase="over", rounds_played=played, outcome=outcome)
        return _ruling(state, *events, ended(outcome))
    starter = 1 - state.starter
    state = _fresh(replace(state, starter=starter, mover=starter, rounds_played=played))
    return _ruling(state, *events, NextRound(played + 1, state.turn))


def _end(house: House, played: int, best: int) -> str:
    """Why the match is over after so many rounds with so many points; empty if it is not."""
    by_rounds = house.rounds_too or not house.points
    if by_rounds and played == house.rounds == 1:
        return "The round is over."
    if house.points and best >= house.points:
        return Sentence("{points} points reached.", points=house.points)
    return "All rounds are played." if by_rounds and played == house.rounds else ""


def _fresh(state: State) -> State:
    """The same match with all pieces in hand again."""
    hands = tuple(tuple(_faces(state.house, player)) for player in state.players)
    nothing = ((), (), ())
    came_from = nothing if state.house.no_return == "each" else ()
    return replace(state, phase="place", stacks=nothing, in_hand=hands, back=None, came_from=came_from, seen=_NO_COUNTS)


def _faces(house: House, player: str) -> list[Piece]:
    if house.play == "basic":
        return [Piece(player)] * PIECES
    return [Piece(player, *(int(pip) for pip in faces.split("/"))) for faces in house.faces]


def _place(move: Move, name: str) -> int:
    if name not in PLACES:
        raise Foul(
            "no-such-place",
            move.player,
            "{player} names the place {place}; the places are left, centre and right.",
            place=name,
        )
    return PLACES.index(name)


def _piece_from_hand(state: State, move: Put, seat: int) -> Piece:
    hand = state.in_hand[seat]
    if state.house.play == "basic":
        if move.up:
            raise Foul("no-pips", move.player, "{player} names pips, but the basic game is played without them.")
        return hand[0]
    for piece in hand:
        if move.up in (piece.up, piece.down):
            return piece if piece.up == move.up else piece.turned()
    raise Foul(
        "no-such-face",
        move.player,
        "{player} has no piece in hand that can show {up}; left are {faces}.",
        up=move.up,
        faces=tuple(f"{piece.up}/{piece.down}" for piece in hand),
    )


def _no_way(state: State, move: Shift) -> Foul:
    source, target = PLACES.index(move.source), PLACES.index(move.target)
    if source == target:
        return Foul(
            "same-place",
            move.player,
            "{player} must move the piece to another place than the {source}.",
            source=move.source,
        )
    if not state.stacks[source]:
        return Foul(
            "place-empty",
            move.player,
            "{player} cannot move from the {source}: nothing lies there.",
            source=move.source,
        )
    if len(state.stacks[target]) == HIGHEST:
        return Foul(
            "stack-full",
            move.player,
            "{player} cannot move to the {target}: three pieces lie there already.",
            target=move.target,
        )
    text = "{player} cannot move the piece that was moved last back from the {source} to the {target}."
    if (source, target) != state.back:
        text = "{player} cannot move this piece back from the {source} to the {target}: it came from there."
    return Foul("moved-back", move.player, text, source=move.source, target=move.target)


def _counted(tree: _Counts, state: State) -> tuple[_Counts, int]:
    """The counts with the state's position counted once more, and how often it has occurred."""
    key = (state.stacks, state.mover, state.came_from or state.back)
    code = state.mover
    for stack in state.stacks:
        for height in range(HIGHEST):
            code = code * 3 + (1 + (stack[height].owner == state.players[0]) if height < len(stack) else 0)
    first, second = code // _BRANCHES % _BRANCHES, code % _BRANCHES
    branch = tree[first] or _NO_COUNTS
    leaf = branch[second] or ()
    times = 1 + next((count for position, count in leaf if position == key), 0)
    leaf = (*((position, count) for position, count in leaf if position != key), (key, times))
    return changed(tree, first, changed(branch, second, leaf)), times


def round_of(state: State) -> int:
    return state.rounds_played + (state.phase != "over")


def board_before(state: State, events: tuple[Event, ...]) -> State:
    """How a state was when a move was made on it: with all pieces in hand, where its round stands as it was played."""
    return _fresh(state) if any(isinstance(event, RoundStands) for event in events) else state


def stacks_after(before: State, events: tuple[Event, ...]) -> tuple[tuple[Piece, ...], ...]:
    """The stacks as a move left them, of which the state knows no more where the next round has begun with it."""
    moved = next(event for event in events if isinstance(event, Placed | Shifted))
    if isinstance(moved, Placed):
        return _moved(before.stacks, None, PLACES.index(moved.place), moved.piece)
    return _moved(before.stacks, PLACES.index(moved.source), PLACES.index(moved.target), moved.piece)


def carried(state: State, played: State) -> Ruling:
    """A round as it began when it was played, with the points of now."""
    ended_before = state.outcome is not None or state.rounds_played == played.rounds_played
    instead = state.turn if ended_before and state.turn != played.turn else ""
    stands = (RoundStands(played.rounds_played + 1, played.turn, instead),) if instead or not ended_before else ()
    return Ruling(replace(played, points=state.points), stands, _may(played))


def _ruling(state: State, *events: Event) -> Ruling:
    return Ruling(state, events, _may(state))


def _may(state: State) -> tuple[May, ...]:
    if state.phase == "over":
        return ()
    who = (state.turn,) if state.turn else state.players
    ways = tuple(
        Ways("" if source is None else PLACES[source], PLACES[target]) for source, target in options(state.position)
    )
    return (May("put" if state.phase == "place" else "shift", who, ways),)


SUMMARY = """\
Each player has three pieces of one colour. In turn they place a piece on one of three places, in stacks of at most
three. When all six lie there, a turn moves any top piece, whoever owns it, to another place with room, but never
the piece moved last back to where it came from. A stack of three of one colour, or one colour on top of all three
places, wins for the owner of that colour, even if the other player did it. In the advanced game every move turns
the piece over, and the winner scores the pips that show on the winning pieces."""

GAME = Game(
    "triplexity",
    "Triplexity",
    (2, 2),
    10,
    SUMMARY,
    House,
    State,
    tuple(_RULES),
    (Placed, Shifted, ThreeOfAColour, DrawnByRepetition, NobodyCanMove, NextRound, RoundStands, Turn, Ended),
    start,
    rule,
    round_of=round_of,
    carried=carried,
)
