"""Triple³: everybody lays cards on a 3×3 grid at once, and each card must make a new triple.

The cells are numbered 1 to 9, row by row. The referee may see the grid, card by card, and then rules on
every play; or nobody shows it, and it keeps the rounds and the chips and takes claims on trust. It may know
who laid a card or not: what it cannot know it does not claim, only whether a claim can be true. A card may lie
on the grid that the referee never saw, because another one covered it too soon: such a card is hidden, written "?"
where its place in a pile is known, and it is counted, so that 64 = seen + hidden + in hands.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

from companion.clocks import Clock
from companion.rules import (
    COUNTED,
    SEEN,
    TOLD,
    UNSEEN,
    Ahead,
    CardsMoved,
    Deadline,
    Ended,
    Event,
    Foul,
    Game,
    Hidden,
    May,
    Move,
    Outcome,
    Place,
    Ruling,
    ahead,
    changed,
    ended,
    highest,
    inner,
    setting,
)
from companion.rules import Fact as KeptFact
from companion.sentence import Sentence
from companion.strike import Finish

COLOURS = ("red", "blue", "purple", "yellow")
SHAPES = ("circle", "diamond", "plus", "star")
COUNTS = ("0", "1", "2", "3")
VALUES = COLOURS + SHAPES + COUNTS
DECK = tuple(f"{colour}-{shape}-{count}" for colour in COLOURS for shape in SHAPES for count in COUNTS)

# A card is three bits of twelve, one for each value it has; what two cards have in common is their `&`.
BITS = {card: sum(1 << VALUES.index(value) for value in card.split("-")) for card in DECK}
_PLACE_IN_DECK = {card: 1 << number for number, card in enumerate(DECK)}
_WITH_VALUE = tuple(sum(_PLACE_IN_DECK[card] for card in DECK if BITS[card] >> bit & 1) for bit in range(len(VALUES)))
_ALL_CARDS = (1 << len(DECK)) - 1

CELLS = tuple(range(1, 10))
LINES = (
    ("top row", (1, 2, 3)),
    ("middle row", (4, 5, 6)),
    ("bottom row", (7, 8, 9)),
    ("left column", (1, 4, 7)),
    ("middle column", (2, 5, 8)),
    ("right column", (3, 6, 9)),
    ("falling diagonal", (1, 5, 9)),
    ("rising diagonal", (7, 5, 3)),
)


def _others(cell: int) -> tuple[tuple[str, int, int], ...]:
    """The lines through a cell, each with its other two cells as places in the grid."""
    lines = [(name, [other - 1 for other in cells if other != cell]) for name, cells in LINES if cell in cells]
    return tuple((name, one, two) for name, (one, two) in lines)


_OTHERS = tuple(map(_others, CELLS))
TO_DEAL = len(DECK) - len(CELLS)
_STILL = Clock()


@dataclass(frozen=True, slots=True)
class House:
    chips_to_win: int = setting(4, "chips that win the match; 1 for a single round", low=1, high=12)
    illegal_plays: str = setting(
        "call", "an illegal play is called at once, or it is kept for the next Stop!", choices=("call", "keep")
    )
    illegal_wins: bool = setting(
        False,
        "an illegal card that was kept wins like any other; only in matches from before",
        before=True,
        offered=False,
    )
    cards: str = setting(
        SEEN,
        "a camera sees the cards, the referee is told each of them, or it only counts the rounds",
        choices=(SEEN, TOLD, COUNTED),
        before=SEEN,
    )
    hints: bool = setting(False, "what fits on each cell is shown to everybody while cards are laid", before=True)


@dataclass(frozen=True, slots=True)
class Laid:
    """A card on the grid."""

    card: str
    by: str = ""  # empty: nobody knows who
    dealt: bool = False  # lay there before the round began
    legal: bool = True
    ruled: bool = True  # False: it lay there when somebody looked, and nobody knows how it came there
    open: bool = False  # illegal, and the round has not gone on after a Stop! since: no claim to be out rests on it


@dataclass(frozen=True, slots=True)
class Round:
    """A round that is over."""

    winners: tuple[str, ...]
    reason: str
    time: int  # nanoseconds of play, without the time of a Stop!


@dataclass(frozen=True, slots=True)
class State:
    """A table of Triple³. Cards seen on the grid + hidden ones + cards in hand = 64 while the grid is seen."""

    players: tuple[str, ...]
    house: House
    phase: str = "deal"  # deal, ready, play, stopped, count, over
    piles: tuple[tuple[Laid, ...], ...] = ()  # nine, each from bottom to top; none: nobody shows the grid
    seen: int = inner(0)  # a bit for each card of the deck that has been seen to lie on the grid
    hidden: int = 0  # cards that lie on the grid under others and that nobody saw
    deals: tuple[int, ...] = ()  # cards that each player was dealt
    laid: tuple[int, ...] = ()  # plays known to be of each player
    unclaimed: int = 0  # plays of nobody knows whom
    left: tuple[int, ...] = ()  # in phase count: cards left as far as told, -1 where not yet
    claim: tuple[str, ...] = ()  # who says to be out, while illegal cards are looked at for it
    void: tuple[str, ...] = ()  # whose claim to be out is void until he lays a legal card
    clock: Clock = _STILL
    chips: tuple[int, ...] = ()
    rounds: tuple[Round, ...] = ()
    outcome: Outcome | None = None

    @property
    def turn(self) -> str:
        return ""  # everybody plays at once

    @property
    def scores(self) -> tuple[int, ...]:
        return self.chips

    @property
    def deadline(self) -> Deadline | None:
        return None

    @property
    def is_seen(self) -> bool:
        return bool(self.piles)

    @property
    def grid(self) -> tuple[str, ...]:
        """The nine cards on top."""
        return tuple(pile[-1].card for pile in self.piles)

    @property
    def unseen(self) -> int:
        """How many cards are still in hands."""
        return sum(self.deals) - sum(self.laid) - self.unclaimed

    @property
    def can_be_laid(self) -> int | None:
        """How many of the cards in hands could be laid now, wherever they are; None if the grid is not seen.

        Where cards are hidden it is the most that could be: some of them may be the hidden ones.
        """
        return min(_playable(self).bit_count(), self.unseen) if self.is_seen else None

    @property
    def surely_laid(self) -> int:
        """How many of the cards in hands can be laid, whichever the hidden ones are."""
        return max(0, _playable(self).bit_count() - self.hidden) if self.is_seen else 0

    @property
    def to_lift(self) -> tuple[Laid, ...]:
        """The illegal cards that can be lifted: they count as in hand when nobody can lay any more."""
        found = (pile[-1] for pile in self.piles if not pile[-1].legal)
        return () if self.house.illegal_wins else tuple(found)


# --- what may be done ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Leftover:
    cell: int
    card: str


@dataclass(frozen=True, slots=True)
class Deal(Move):
    """The nine cards of the grid row by row (none if nobody shows it), the leftovers on them, and how many
    cards each player got (not said: all the same number). `hidden` leftovers lie under the grid's cards unseen."""

    needs_player: ClassVar[bool] = False
    grid: tuple[str, ...] = ()
    leftovers: tuple[Leftover, ...] = ()
    deals: tuple[int, ...] = ()
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class Go(Move):
    """The round begins."""

    doing: ClassVar[str] = "begin the round"

    needs_player: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Lay(Move):
    """A card onto a cell; `said` is the value said aloud, if anybody heard it."""

    doing: ClassVar[str] = "lay a card"

    needs_player: ClassVar[bool] = False
    cell: int
    card: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class TakeBack(Move):
    """The top card of a cell goes back into the hand it came from; or the one named, from under others."""

    doing: ClassVar[str] = "take a card back"

    needs_player: ClassVar[bool] = False
    cell: int
    card: str = ""


@dataclass(frozen=True, slots=True)
class Lies(Move):
    """What lies on a cell, after something that nobody could follow; nothing is ruled on how it came there. A card of
    the cell's pile: what lay above it is back in the hands. A card from the top of another cell was moved. Any other
    was laid: on what is left when `taken` cards are taken off, over `hidden` cards that nobody saw, or it is itself
    the hidden card that then lies on top."""

    doing: ClassVar[str] = "say what lies there"

    needs_player: ClassVar[bool] = False
    cell: int
    card: str
    hidden: int = 0
    taken: int = 0


@dataclass(frozen=True, slots=True)
class Stop(Move):
    """'Stop!': nobody lays until the table is in order again. The photo finish comes along where a token was struck."""

    doing: ClassVar[str] = "call Stop!"

    needs_player: ClassVar[bool] = False
    finish: Finish | None = None


@dataclass(frozen=True, slots=True)
class GoOn(Move):
    doing: ClassVar[str] = "go on"
    needs_player: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Out(Move):
    """'I'm out!': the last card is laid. Several are `tied` where their claims cannot be told apart."""

    doing: ClassVar[str] = "be out"

    tied: tuple[str, ...] = ()
    finish: Finish | None = None


@dataclass(frozen=True, slots=True)
class Stuck(Move):
    """'Nobody can lay any more.'"""

    doing: ClassVar[str] = "end the round"

    needs_player: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Left(Move):
    """How many cards a player has left at the end of a round that nobody finished."""

    doing: ClassVar[str] = "count the cards left"

    cards: int


# --- what happens ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Triple:
    """A line that has got a new value in common."""

    line: str
    cells: tuple[int, ...]
    value: str
    before: tuple[str, ...]  # what the line had in common before


@dataclass(frozen=True, slots=True)
class CellAccepts:
    """The values of which a card needs one to be laid on the cell."""

    cell: int
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    text: ClassVar[str] = "Round {round}: dealt {deals}."
    round: int
    grid: tuple[str, ...]
    deals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Started(Event):
    text: ClassVar[str] = "Go!"
    at: int


@dataclass(frozen=True, slots=True)
class PlayedLegally(Event):
    text: ClassVar[str] = "{card} on cell {cell}: {new} in the {line}."
    by_name: ClassVar[str] = "{player} lays {card} on cell {cell}: {new} in the {line}."
    open_text: ClassVar[str] = "A card on cell {cell}: {new} in the {line}."
    open_by_name: ClassVar[str] = "{player} lays a card on cell {cell}: {new} in the {line}."
    player: str
    cell: int
    card: str
    covered: str
    triples: tuple[Triple, ...]
    new: str
    line: str

    @property
    def template(self) -> str:
        return self.by_name if self.player else self.text

    @property
    def open_template(self) -> str:
        return self.open_by_name if self.player else self.open_text


@dataclass(frozen=True, slots=True)
class SaidOtherwise(Event):
    text: ClassVar[str] = "The play stands, but '{said}' is not what it makes."
    player: str
    said: str


@dataclass(frozen=True, slots=True)
class PlayedIllegally(Event):
    """Kept for the next Stop!, as the house rule wants it."""

    text: ClassVar[str] = "{card} on cell {cell} makes no new triple; it is kept for the next Stop!"
    open_text: ClassVar[str] = "A card on cell {cell} makes no new triple; it is kept for the next Stop!"
    player: str
    cell: int
    card: str
    covered: str
    standing: tuple[Triple, ...]  # what the lines through the cell have in common with it, and had before


@dataclass(frozen=True, slots=True)
class TakenBack(Event):
    text: ClassVar[str] = "{card} is taken back from cell {cell}."
    open_text: ClassVar[str] = "A card is taken back from cell {cell}."
    player: str
    cell: int
    card: str


@dataclass(frozen=True, slots=True)
class FoundLying(Event):
    """The cell shows the card, and the match has followed. `back` went into hands, `hidden` lie under it unseen."""

    text: ClassVar[str] = "{card} lies on cell {cell}; how it came there was not seen."
    open_text: ClassVar[str] = "A card lies on cell {cell}; how it came there was not seen."
    with_hidden: ClassVar[str] = "{card} lies on cell {cell}, over cards that were not seen: {hidden}."
    with_back: ClassVar[str] = "{card} lies on cell {cell}; taken back: {back}."
    with_moved: ClassVar[str] = "{card} was moved from cell {moved_from} to cell {cell}."
    player: str
    cell: int
    card: str
    before: str
    back: tuple[str, ...] = ()
    hidden: int = 0
    moved_from: int = 0

    @property
    def template(self) -> str:
        if self.moved_from:
            return self.with_moved
        if self.hidden:
            return self.with_hidden
        return self.with_back if self.back else self.text


@dataclass(frozen=True, slots=True)
class FewLeft(Event):
    """Few of the cards in hand can be laid anywhere; at most so many, if cards are hidden."""

    text: ClassVar[str] = "Of the {unseen} cards still in hand {playable} can be laid."
    with_hidden: ClassVar[str] = "Of the {unseen} cards still in hand at most {playable} can be laid."
    unseen: int
    playable: int
    hidden: int = 0

    @property
    def template(self) -> str:
        return self.with_hidden if self.hidden else self.text


@dataclass(frozen=True, slots=True)
class Stopped(Event):
    """Somebody called Stop!; the illegal plays that still lie on the grid."""

    text: ClassVar[str] = "Stop!"
    with_illegal: ClassVar[str] = "Stop! Illegal plays lie on cells {illegal}."
    player: str
    illegal: tuple[int, ...]  # cells

    @property
    def template(self) -> str:
        return self.with_illegal if self.illegal else self.text


@dataclass(frozen=True, slots=True)
class NotOutYet(Event):
    """The last card was legal, and others of this player were not: no claim to be out rests on them."""

    text: ClassVar[str] = (
        "{player} has laid the last card, but illegal ones on cells {cells}: they are looked at first."
    )
    player: str
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClaimOpen(Event):
    """Somebody says to be out and has laid, or may have laid, illegal cards that nobody has looked at."""

    text: ClassVar[str] = (
        "{player}'s claim to be out is open: illegal cards on cells {cells}. "
        "{player} takes back what lies on top, and the round goes on."
    )
    by_nobody: ClassVar[str] = (
        "{player}'s claim to be out is open: nobody knows who laid the illegal cards on cells {cells}. "
        "If it was somebody else, {player} says so again."
    )
    player: str
    cells: tuple[int, ...]
    is_known: bool  # that the player laid them

    @property
    def template(self) -> str:
        return self.text if self.is_known else self.by_nobody


@dataclass(frozen=True, slots=True)
class ClaimVoid(Event):
    """The illegal cards of whoever said to be out lie covered: they stay."""

    text: ClassVar[str] = "{player}'s claim to be out is void until {player} lays a legal card."
    without_cards: ClassVar[str] = "{player}'s claim to be out is void: {player} has no card left, the others play on."
    player: str
    cells: tuple[int, ...]
    has_cards: bool

    @property
    def template(self) -> str:
        return self.text if self.has_cards else self.without_cards


@dataclass(frozen=True, slots=True)
class WentOn(Event):
    text: ClassVar[str] = "The round goes on."


@dataclass(frozen=True, slots=True)
class NobodyCanLay(Event):
    text: ClassVar[str] = "Nobody can lay any more. Cards left: {unseen}."
    with_illegal: ClassVar[str] = (
        "Nobody can lay any more. Cards left: {unseen}, and illegal ones on top that count as in hand: {illegal}."
    )
    unseen: int
    sure: bool  # the referee knows it from the cards, not from what was said
    illegal: int = 0

    @property
    def template(self) -> str:
        return self.with_illegal if self.illegal else self.text


@dataclass(frozen=True, slots=True)
class RoundWon(Event):
    counts: ClassVar[int] = 1
    text: ClassVar[str] = "Round {round} goes to {winners}: {reason}"
    won_by: ClassVar[str] = "{reason}"
    round: int
    winners: tuple[str, ...]
    reason: str
    time: int
    chips: tuple[int, ...]

    @property
    def round_winners(self) -> tuple[str, ...]:
        return self.winners


@dataclass(frozen=True, slots=True)
class RoundStands(Event):
    """After a correction of the round before, which nobody has won any more."""

    text: ClassVar[str] = "Round {round} stands as it was played; nobody has won the one before any more."
    round: int


# --- what is legal ---------------------------------------------------------------------------------------------


def accepted(grid: tuple[str, ...], cell: int) -> int:
    """The values of which a card needs one to be legal on the cell, as bits."""
    covered = BITS[grid[cell - 1]]
    bits = 0
    for _, one, two in _OTHERS[cell - 1]:
        bits |= BITS[grid[one]] & BITS[grid[two]]
    # What the covered card lacks, no line through it had; so a value gained in any line is new there.
    return bits & ~covered


def is_legal(grid: tuple[str, ...], cell: int, card: str) -> bool:
    return bool(accepted(grid, cell) & BITS[card])


@cache
def values_of(bits: int) -> tuple[str, ...]:
    return tuple(value for bit, value in enumerate(VALUES) if bits >> bit & 1)


def triples(grid: tuple[str, ...], cell: int, card: str) -> tuple[Triple, ...]:
    """The new triples that a card on a cell makes."""
    covered, new = BITS[grid[cell - 1]], BITS[card]
    return tuple(
        Triple(name, _cells_of(name), value, values_of(others & covered))
        for name, one, two in _OTHERS[cell - 1]
        for others in (BITS[grid[one]] & BITS[grid[two]],)
        for value in values_of(others & new & ~covered)
    )


def standing(grid: tuple[str, ...], cell: int, card: str) -> tuple[Triple, ...]:
    """What lines through the cell have in common with the card, but had in common before it."""
    covered, new = BITS[grid[cell - 1]], BITS[card]
    return tuple(
        Triple(name, _cells_of(name), value, values_of(others & covered))
        for name, one, two in _OTHERS[cell - 1]
        for others in (BITS[grid[one]] & BITS[grid[two]],)
        for value in values_of(others & new & covered)
    )


@cache
def _cells_of(line: str) -> tuple[int, ...]:
    return dict(LINES)[line]


def _playable(state: State) -> int:
    """The cards not on the grid that would be legal somewhere, as bits of the deck."""
    grid = state.grid
    wanted = 0
    for cell in CELLS:
        wanted |= accepted(grid, cell)
    playable = 0
    for bit, cards in enumerate(_WITH_VALUE):
        if wanted >> bit & 1:
            playable |= cards
    return playable & ~state.seen & _ALL_CARDS


# --- what nobody may look up -----------------------------------------------------------------------------------


def hidden(state: State) -> tuple[Hidden, ...]:
    """While cards are laid, what lies deeper in a pile than the card that its top one covers: on that one rests whether
    the play was legal. After Stop! everybody may lift the cards."""
    if state.phase != "play":
        return ()
    known = (
        Hidden(Place("cell", str(cell)), tuple(laid.card for laid in pile[:-2] if laid.card != UNSEEN))
        for cell, pile in zip(CELLS, state.piles, strict=False)
    )
    return tuple(one for one in known if one.cards)


# --- the rules -------------------------------------------------------------------------------------------------


def start(players: tuple[str, ...], house: House) -> Ruling:
    return _ruling(State(players, house, chips=(0,) * len(players)))


def rule(state: State, move: Move) -> Ruling:
    """The ruling on a move, or a Foul."""
    phases, handle = _RULES[type(move)]
    if state.phase not in phases:
        raise _out_of_phase(state, move)
    return handle(state, move)


def _deal(state: State, move: Deal) -> Ruling:
    number = len(state.rounds) + 1
    share = TO_DEAL // len(state.players)
    deals = move.deals or (share,) * len(state.players)
    if len(deals) != len(state.players) or min(deals) < 1:
        raise Foul(
            "deal-short",
            move.player,
            "The deal must give each of the {players} players at least one card.",
            players=len(state.players),
        )
    piles: tuple[tuple[Laid, ...], ...] = ()
    seen = 0
    if move.grid:
        piles, seen = _piles_dealt(move)
        on_grid = seen.bit_count() + move.hidden
        if on_grid + sum(deals) != len(DECK) or move.hidden < 0:
            raise Foul(
                "deal-does-not-add-up",
                move.player,
                "Deal: {grid} cards on the grid and {dealt} dealt make {total}, not 64; lay the leftovers on the grid.",
                grid=on_grid,
                dealt=sum(deals),
                total=on_grid + sum(deals),
            )
    elif move.leftovers or move.hidden or sum(deals) > TO_DEAL:
        raise Foul(
            "deal-does-not-add-up",
            move.player,
            "Deal: at most {most} cards can be dealt, and leftovers need a grid that is shown.",
            most=TO_DEAL,
        )
    none = (0,) * len(state.players)
    state = replace(
        state,
        phase="ready",
        piles=piles,
        seen=seen,
        hidden=move.hidden,
        deals=deals,
        laid=none,
        unclaimed=0,
        left=(),
        clock=_STILL,
        claim=(),
        void=(),
    )
    return _ruling(state, Dealt(number, move.grid, deals))


def _piles_dealt(move: Deal) -> tuple[tuple[tuple[Laid, ...], ...], int]:
    if len(move.grid) != len(CELLS):
        raise Foul("grid-not-nine", move.player, "Deal: the grid has {count} cards instead of 9.", count=len(move.grid))
    cards = (*move.grid, *(leftover.card for leftover in move.leftovers))
    seen = 0
    for card in cards:
        _known_card(move.player, card)
        if seen & _PLACE_IN_DECK[card]:
            raise Foul("card-twice", move.player, "Deal: {card} lies there twice; every card exists once.", card=card)
        seen |= _PLACE_IN_DECK[card]
    piles = [[Laid(card, dealt=True)] for card in move.grid]
    for leftover in move.leftovers:
        piles[_cell(move.player, leftover.cell)].append(Laid(leftover.card, dealt=True))
    return tuple(map(tuple, piles)), seen


def _go(state: State, move: Go) -> Ruling:
    state = replace(state, phase="play", clock=state.clock.start(move.at))
    if state.can_be_laid == 0:
        return _end_stuck(state, move, [Started(move.at)])
    return _ruling(state, Started(move.at))


def _lay(state: State, move: Lay) -> Ruling:
    _grid_needed(state, move)
    index = _cell(move.player, move.cell)
    _known_card(move.player, move.card)
    if state.seen & _PLACE_IN_DECK[move.card]:
        raise Foul(
            "card-seen-already",
            move.player,
            "{card} cannot be laid on cell {cell}: it lies in the pile of cell {where} already.",
            card=move.card,
            cell=move.cell,
            where=_where(state, move.card),
        )
    _has_cards(state, move)
    grid = state.grid
    covered = grid[index]
    new = triples(grid, move.cell, move.card)
    if new:
        events: list[Event] = [
            PlayedLegally(move.player, move.cell, move.card, covered, new, new[0].value, new[0].line)
        ]
        if move.said and all(triple.value != move.said for triple in new):
            events.append(SaidOtherwise(move.player, move.said))
    else:
        had = standing(grid, move.cell, move.card)
        if state.house.illegal_plays == "call":
            raise _no_new_triple(state, move, covered, had)
        events = [PlayedIllegally(move.player, move.cell, move.card, covered, had)]
    hand = Place("hand", move.player)
    events.append(CardsMoved((move.card,), hand, Place("cell", str(move.cell))))
    if new:
        state = replace(
            state, void=tuple(player for player in state.void if not _may_be_of(state, player, move.player))
        )
    is_open = not new and not state.house.illegal_wins
    pile = (*state.piles[index], Laid(move.card, move.player, legal=bool(new), open=is_open))
    state = _counted(state, move.player, 1)
    state = replace(state, piles=changed(state.piles, index, pile), seen=state.seen | _PLACE_IN_DECK[move.card])
    return _after_play(state, move, events, wins=not is_open)


def _may_be_of(state: State, player: str, by: str) -> bool:
    """Whether a card that this one laid, or nobody knows who, may be the player's."""
    return player == by or (not by and _cards_left(state, player) > 0)


def _after_play(state: State, move: Lay, events: list[Event], *, wins: bool) -> Ruling:
    if wins and move.player and _cards_left(state, move.player) == 0:
        cells = _open_cells(state, move.player)
        if not cells:
            return _end_round(
                state, move, (move.player,), Sentence("{player} has laid the last card.", player=move.player), events
            )
        events.append(NotOutYet(move.player, cells))
    playable = state.can_be_laid
    if not playable:
        return _end_stuck(state, move, events)
    if playable <= len(state.players):
        events.append(FewLeft(state.unseen, playable, state.hidden))
    return _ruling(state, *events)


def _take_back(state: State, move: TakeBack) -> Ruling:
    _grid_needed(state, move)
    index = _cell(move.player, move.cell)
    place = _place_in_pile(state, move, index)
    top = state.piles[index][place]
    if top.dealt:
        raise Foul(
            "nothing-to-take-back",
            move.player,
            "Nothing to take back on cell {cell}: {card} lay there before the round began.",
            cell=move.cell,
            card=top.card,
        )
    if top.by and move.player and top.by != move.player:
        raise Foul(
            "not-your-card", move.player, "{player} cannot take {card} back: {by} laid it.", card=top.card, by=top.by
        )
    is_on_top = place == len(state.piles[index]) - 1
    if is_on_top and state.piles[index][place - 1].card == UNSEEN:
        raise Foul(
            "below-not-known",
            move.player,
            "What lies under {card} on cell {cell} was never seen: take {card} away and say what lies there.",
            card=top.card,
            cell=move.cell,
        )
    state = _lifted(state, index, place)
    events = [
        TakenBack(top.by, move.cell, top.card),
        CardsMoved((top.card,), Place("cell", str(move.cell)), Place("hand", top.by)),
    ]
    if state.phase == "play" and state.can_be_laid == 0:
        return _end_stuck(state, move, events)
    return _ruling(state, *events)


def _place_in_pile(state: State, move: TakeBack, index: int) -> int:
    pile = state.piles[index]
    if not move.card:
        return len(pile) - 1
    for place, laid in enumerate(pile):
        if laid.card == move.card:
            return place
    raise Foul(
        "not-in-pile", move.player, "{card} does not lie in the pile of cell {cell}.", card=move.card, cell=move.cell
    )


def _lies(state: State, move: Lies) -> Ruling:
    _grid_needed(state, move)
    index = _cell(move.player, move.cell)
    _known_card(move.player, move.card)
    pile = state.piles[index]
    if pile[-1].card == move.card:
        raise Foul("lies-there", move.player, "{card} lies on cell {cell} already.", card=move.card, cell=move.cell)
    if not state.seen & _PLACE_IN_DECK[move.card]:
        state, found = _laid_unseen(state, move, index)
    elif move.hidden or move.taken:
        raise _no_such_count(move, "{card} has been seen: leave out how many were taken off or lie hidden.")
    elif (where := _where(state, move.card)) == move.cell:
        above = [laid.card for laid in reversed(pile)].index(move.card)
        state, found = _taken_off(state, move, index, above)
    else:
        state, found = _moved(state, move, index, where)
    if state.phase == "play" and state.can_be_laid == 0:
        return _end_stuck(state, move, found)
    return _ruling(state, *found)


def _laid_unseen(state: State, move: Lies, index: int) -> tuple[State, list[Event]]:
    """A card that has not been seen before: laid, or the hidden one that lies on top when others are taken off."""
    before = state.piles[index][-1].card
    if min(move.hidden, move.taken) < 0 or move.taken >= len(state.piles[index]):
        raise _no_such_count(move, "{hidden} hidden cards, or {taken} taken off cell {cell}, cannot be.")
    state, found = _taken_off(state, move, index, move.taken)
    pile = state.piles[index]
    if pile[-1].card == UNSEEN:
        if move.hidden:
            raise _no_such_count(move, "The card on top of cell {cell} is the hidden one: none is hidden above it.")
        pile = (*pile[:-1], replace(pile[-1], card=move.card))
        state = replace(state, hidden=state.hidden - 1)
    else:
        laid = move.hidden + 1
        if laid > state.unseen:
            raise _no_such_count(move, "{hidden} hidden cards under {card} are more than were still in hands.")
        pile = (*pile, *(Laid(UNSEEN, ruled=False),) * move.hidden, Laid(move.card, ruled=False))
        state = replace(_counted(state, "", laid), hidden=state.hidden + move.hidden)
        cards = (*(UNSEEN,) * move.hidden, move.card)
        found.append(CardsMoved(cards, Place("hand"), Place("cell", str(move.cell))))
    state = replace(state, piles=changed(state.piles, index, pile), seen=state.seen | _PLACE_IN_DECK[move.card])
    back = found[0].back if isinstance(found[0], FoundLying) else ()
    found[0] = FoundLying(move.player, move.cell, move.card, before, back, move.hidden)
    return state, found


def _taken_off(state: State, move: Lies, index: int, count: int) -> tuple[State, list[Event]]:
    """So many cards of a pile are back in the hands they came from."""
    pile = state.piles[index]
    off = pile[len(pile) - count :]
    if any(laid.dealt for laid in off):
        raise Foul(
            "dealt-card-gone",
            move.player,
            "{gone} lay on cell {cell} before the round began: it goes back there.",
            gone=next(laid.card for laid in off if laid.dealt),
            cell=move.cell,
        )
    for _ in off:
        state = _lifted(state, index)
    back = tuple(laid.card for laid in reversed(off))
    here = Place("cell", str(move.cell))
    found: list[Event] = [FoundLying(move.player, move.cell, move.card, pile[-1].card, back)]
    return state, found + [CardsMoved((laid.card,), here, Place("hand", laid.by)) for laid in reversed(off)]


def _moved(state: State, move: Lies, index: int, where: int) -> tuple[State, list[Event]]:
    """The top card of another cell lies here now."""
    *rest, top = state.piles[where - 1]
    if top.card != move.card:
        raise Foul(
            "card-seen-already",
            move.player,
            "{card} cannot lie on cell {cell}: it lies in the pile of cell {where}, under {top}.",
            card=move.card,
            cell=move.cell,
            where=where,
            top=top.card,
        )
    if not rest or rest[-1].card == UNSEEN:
        raise Foul(
            "below-not-known",
            move.player,
            "Nobody knows what lies on cell {where} without {card}: put it back there.",
            card=move.card,
            where=where,
        )
    pile = state.piles[index]
    piles = changed(state.piles, where - 1, tuple(rest))
    state = replace(state, piles=changed(piles, index, (*pile, replace(top, ruled=False))))
    return state, [
        FoundLying(move.player, move.cell, move.card, pile[-1].card, moved_from=where),
        CardsMoved((move.card,), Place("cell", str(where)), Place("cell", str(move.cell))),
    ]


def _lifted(state: State, index: int, place: int = -1) -> State:
    """Without one card of a pile, usually the top one; it is back in the hand it came from."""
    pile = list(state.piles[index])
    gone = pile.pop(place)
    state = replace(_counted(state, gone.by, -1), piles=changed(state.piles, index, tuple(pile)))
    if gone.card == UNSEEN:
        return replace(state, hidden=state.hidden - 1)
    return replace(state, seen=state.seen & ~_PLACE_IN_DECK[gone.card])


def _no_such_count(move: Lies, text: str) -> Foul:
    return Foul(
        "no-such-count",
        move.player,
        text,
        card=move.card,
        cell=move.cell,
        hidden=move.hidden,
        taken=move.taken,
    )


def _stop(state: State, move: Stop) -> Ruling:
    illegal = tuple(
        cell for cell, pile in zip(CELLS, state.piles, strict=False) if any(not laid.legal for laid in pile)
    )
    state = replace(state, phase="stopped", clock=state.clock.stop(move.at))
    return _ruling(state, *ahead(move.player, move.finish), Stopped(move.player, illegal))


def _go_on(state: State, move: GoOn) -> Ruling:
    if lift := lift_first(state):
        cell, laid = lift
        raise Foul(
            "lift-first",
            move.player,
            "The round cannot go on yet: {by} takes {card} back from cell {cell} first.",
            by=laid.by,
            card=laid.card,
            cell=cell,
        )
    voids = [
        ClaimVoid(player, cells, left > 0)
        for player in state.players
        if (cells := _open_cells(state, player))
        if (left := _cards_left(state, player)) == 0 or player in state.claim
    ]
    state = _looked_at(state, tuple(event.player for event in voids))
    state = replace(state, phase="play", clock=state.clock.start(move.at))
    if state.can_be_laid == 0:
        return _end_stuck(state, move, [*voids, WentOn()])
    return _ruling(state, *voids, WentOn())


def lift_first(state: State) -> tuple[int, Laid] | None:
    """An illegal card on top that whoever says to be out takes back before the round goes on."""
    tops = ((cell, pile[-1]) for cell, pile in zip(CELLS, state.piles, strict=False))
    return next(((cell, top) for cell, top in tops if top.open and top.by and top.by in state.claim), None)


def _looked_at(state: State, void: tuple[str, ...]) -> State:
    """What is illegal has been looked at, and what still lies there stays."""
    piles = tuple(
        tuple(replace(laid, open=False) for laid in pile) if any(laid.open for laid in pile) else pile
        for pile in state.piles
    )
    still = tuple(player for player in state.players if player in (*state.void, *void))
    return replace(state, piles=piles, claim=(), void=still)


def _open_cells(state: State, by: str) -> tuple[int, ...]:
    """The cells with illegal cards of this player that nobody has looked at, covered or not."""
    piles = zip(CELLS, state.piles, strict=False)
    return tuple(cell for cell, pile in piles if any(laid.open and laid.by == by for laid in pile))


def _of_nobody(state: State, player: str) -> tuple[int, ...]:
    """Those with cards of nobody knows whom, if they may be the player's."""
    return _open_cells(state, "") if _cards_left(state, player) > 0 else ()


def _is_doubtful(state: State, player: str) -> bool:
    """Whether a claim of the player to be out is open: for illegal cards of his, or that nobody has said are not."""
    return bool(_open_cells(state, player)) or (player not in state.claim and bool(_of_nobody(state, player)))


def _opened(state: State, move: Out, claim: tuple[str, ...]) -> Ruling:
    """Play stops for a look at the cards for which the claim is open."""
    events: list[Event] = []
    for player in claim:
        cells = _open_cells(state, player)
        events.append(ClaimOpen(player, cells or _of_nobody(state, player), bool(cells)))
    claim = tuple(player for player in state.players if player in (*state.claim, *claim))
    return _ruling(replace(state, phase="stopped", clock=state.clock.stop(move.at), claim=claim), *events)


def _out(state: State, move: Out) -> Ruling:
    out = tuple(player for player in state.players if player in (move.player, *move.tied))
    if move.tied and (move.player not in move.tied or not 1 < len(out) == len(move.tied)):
        raise Foul(
            "impossible-tie", move.player, "A tie needs two or more players of this match, not {tied}.", tied=move.tied
        )
    at_least = sum(_cards_left(state, player) for player in out) - state.unclaimed
    if state.is_seen and at_least > 0:
        deal = state.deals[state.players.index(move.player)]
        raise Foul(
            "not-out",
            move.player,
            "{player} is not out: of {deal} cards dealt at most {laid} have been seen "
            "on the grid, so at least {left} are left.",
            left=at_least,
            deal=deal,
            laid=deal - at_least,
        )
    claim = tuple(player for player in out if player not in state.void)
    if not claim:
        raise _void_claim(move, _cards_left(state, move.player) > 0)
    good = tuple(player for player in claim if not _is_doubtful(state, player))
    if not good and set(claim) <= set(state.claim):
        raise _open_claim(state, move)
    if not good:
        return _opened(state, move, claim)
    return _end_round(state, move, good, _why_out(good, is_seen=state.is_seen), [])


def _why_out(out: tuple[str, ...], *, is_seen: bool) -> Sentence:
    if len(out) > 1:
        text = "{players} are out together, on trust: the grid was not shown."
        return Sentence("{players} are out together, as the plays allow." if is_seen else text, players=out)
    text = "{player} is out first, on trust: the grid was not shown."
    return Sentence("{player} is out first, as the plays allow." if is_seen else text, player=out[0])


def _void_claim(move: Out, has_cards: bool) -> Foul:
    text = "{player} cannot be out now: an illegal card of {player} lies covered, and a legal one has to be laid first."
    if not has_cards:
        text = "{player} cannot be out now: an illegal card of {player} lies covered, and the others play on."
    return Foul("claim-void", move.player, text)


def _open_claim(state: State, move: Out) -> Foul:
    return Foul(
        "claim-open",
        move.player,
        "{player}'s claim to be out is open already: take back what lies on top of cells {cells}, and go on.",
        cells=_open_cells(state, move.player),
    )


def _stuck(state: State, move: Stuck) -> Ruling:
    if state.surely_laid:
        text = "The round goes on: {playable} of the {unseen} cards still in hand can be laid."
        if state.hidden:
            text = "The round goes on: at least {playable} of the {unseen} cards still in hand can be laid."
        raise Foul(
            "somebody-can-lay",
            move.player,
            text,
            playable=state.surely_laid,
            unseen=state.unseen,
        )
    return _end_stuck(state, move, [])


def most_left(state: State, player: str) -> int:
    """How many cards a player can have left at the end of a round, with the illegal ones that he takes back. Those of
    nobody knows whom are among the cards that he has not been seen to lay."""
    return _cards_left(state, player) + sum(laid.by == player for laid in state.to_lift)


def _left(state: State, move: Left) -> Ruling:
    seat = state.players.index(move.player)
    left = changed(state.left, seat, move.cards)
    if not 0 <= move.cards <= most_left(state, move.player):  # 0: was out, and had not said so
        raise Foul(
            "impossible-count",
            move.player,
            "{player} cannot have {cards} cards left: {deal} were dealt and {laid} seen.",
            cards=move.cards,
            deal=state.deals[seat],
            laid=state.laid[seat],
        )
    told = sum(cards for cards in left if cards >= 0)
    untold = left.count(-1)
    to_count = state.unseen + len(state.to_lift)
    if state.is_seen and (told != to_count if untold == 0 else told > to_count):
        text = (
            "The cards left do not add up: {told} with {player}'s {cards}, but {unseen} of the 64 are not on the grid."
        )
        if state.to_lift:
            text = (
                "The cards left do not add up: {told} with {player}'s {cards}, but {unseen} of the 64 are not on the "
                "grid and {illegal} illegal ones on top count as in hand."
            )
        raise Foul(
            "counts-do-not-add-up",
            move.player,
            text,
            told=told,
            cards=move.cards,
            unseen=state.unseen,
            illegal=len(state.to_lift),
        )
    state = replace(state, left=left)
    if untold:
        return _ruling(state)
    return _end_counted(state, move, [])


_RULES: dict[type[Move], tuple[tuple[str, ...], Callable[[State, Any], Ruling]]] = {
    Deal: (("deal", "ready"), _deal),
    Go: (("ready",), _go),
    Lay: (("play",), _lay),
    TakeBack: (("play", "stopped"), _take_back),
    Lies: (("play", "stopped"), _lies),
    Stop: (("play",), _stop),
    GoOn: (("stopped",), _go_on),
    Out: (("play", "stopped"), _out),  # the token that says so may have been taken for a Stop!
    Stuck: (("play",), _stuck),
    Left: (("count",), _left),
}

_WAITS_FOR = {
    "deal": "the grid is dealt first",
    "ready": "the round has not begun; say Go",
    "play": "the round is being played",
    "stopped": "somebody called Stop!; go on first",
    "count": "the round is over; say how many cards are left",
    "over": "the match is over",
}


# --- what a correction of something before leaves of a move, and of a round -----------------------------------


def adjusted(_state: State, move: Move, foul: Foul) -> Move | None:
    """A card that was laid lies there, also where the rules would have called it."""
    if isinstance(move, Lay) and foul.code == "no-new-triple":
        return Lies(move.player, move.cell, move.card, at=move.at)
    return None


def round_of(state: State) -> int:
    return len(state.rounds) + (state.phase != "over")


def carried(state: State, played: State) -> Ruling:
    """A round as it began when it was played, with the chips of now."""
    ended_before = state.outcome is not None or len(state.rounds) == len(played.rounds)
    missing = len(played.rounds) - len(state.rounds)
    rounds = (*state.rounds, *(Round((), "It was not played to its end.", 0),) * missing)
    after = replace(played, chips=state.chips, rounds=rounds)
    return Ruling(after, () if ended_before else (RoundStands(len(rounds) + 1),), _may(after))


def _out_of_phase(state: State, move: Move) -> Foul:
    return Foul(
        "match-over" if state.phase == "over" else f"in-{state.phase}",
        move.player,
        "Nobody can {move} now: {why}.",
        move=move.doing,
        why=_WAITS_FOR[state.phase],
    )


def _no_new_triple(state: State, move: Lay, covered: str, had: tuple[Triple, ...]) -> Foul:
    accepts = values_of(accepted(state.grid, move.cell))
    old = tuple(Sentence("{value} in the {line}", value=triple.value, line=triple.line) for triple in had)
    text = "{card} on cell {cell} is illegal: it makes no new triple; the cell takes {accepts}."
    if had:
        text = "{card} on cell {cell} is illegal: {old} was there before; the cell takes {accepts}."
    return Foul(
        "no-new-triple",
        move.player,
        text,
        card=move.card,
        cell=move.cell,
        covered=covered,
        accepts=accepts,
        old=old,
        standing=had,
    )


def _known_card(player: str, card: str) -> None:
    if card not in BITS:
        raise Foul(
            "unknown-card",
            player,
            "{card} is not a card of this deck; they are COLOUR-SHAPE-COUNT, like blue-circle-2.",
            card=card,
        )


def _cell(player: str, cell: int) -> int:
    if cell not in CELLS:
        raise Foul("no-such-cell", player, "There is no cell {cell}; the cells are 1 to 9, row by row.", cell=cell)
    return cell - 1


def _grid_needed(state: State, move: Move) -> None:
    if not state.is_seen:
        raise Foul(
            "grid-not-shown",
            move.player,
            "Nobody can {move} in this round: the grid was not shown to the referee.",
            move=move.doing,
        )


def _has_cards(state: State, move: Lay) -> None:
    if move.player and _cards_left(state, move.player) == 0:
        raise Foul(
            "no-cards-left",
            move.player,
            "{player} has laid all {deal} cards already.",
            deal=state.deals[state.players.index(move.player)],
        )


def _where(state: State, card: str) -> int:
    return next(cell for cell, pile in zip(CELLS, state.piles, strict=True) if any(laid.card == card for laid in pile))


def _cards_left(state: State, player: str) -> int:
    """Cards left in a hand, if none of the unclaimed plays was this player's."""
    seat = state.players.index(player)
    return state.deals[seat] - state.laid[seat]


def _counted(state: State, player: str, plays: int) -> State:
    if not player:
        return replace(state, unclaimed=state.unclaimed + plays)
    seat = state.players.index(player)
    return replace(state, laid=changed(state.laid, seat, state.laid[seat] + plays))


def _end_stuck(state: State, move: Move, events: list[Event]) -> Ruling:
    events.append(NobodyCanLay(state.unseen, state.can_be_laid == 0, len(state.to_lift)))
    if state.is_seen and not state.unclaimed:
        lifted = [laid.by for laid in state.to_lift]
        left = tuple(_cards_left(state, player) + lifted.count(player) for player in state.players)
        return _end_counted(replace(state, left=left, clock=state.clock.stop(move.at)), move, events)
    state = replace(state, phase="count", left=(-1,) * len(state.players), clock=state.clock.stop(move.at))
    return _ruling(state, *events)


def _end_counted(state: State, move: Move, events: list[Event]) -> Ruling:
    fewest = highest(state.players, tuple(-cards for cards in state.left))
    return _end_round(state, move, fewest, "Nobody can lay, and fewest cards are left.", events)


def _end_round(state: State, move: Move, winners: tuple[str, ...], reason: str, events: list[Event]) -> Ruling:
    time = state.clock.used_at(move.at)
    rounds = (*state.rounds, Round(winners, reason, time))
    chips = tuple(have + (player in winners) for player, have in zip(state.players, state.chips, strict=True))
    events.append(RoundWon(len(rounds), winners, reason, time, chips))
    still = state.clock.stop(move.at)
    state = replace(state, phase="deal", clock=still, rounds=rounds, chips=chips, claim=(), void=())
    if max(chips) < state.house.chips_to_win:
        return _ruling(state, *events)
    outcome = Outcome(highest(state.players, chips), chips, Sentence("{chips} chips.", chips=max(chips)))
    return _ruling(replace(state, phase="over", outcome=outcome), *events, ended(outcome))


def _together(first: Move, claim: Move, finish: Finish) -> Move | None:
    match first, claim:
        case Stop(), Stop():
            return Stop("", finish)
        case Out(), Out():
            return Out(claim.player, finish.tied, finish)
        case _:
            return None


def _ruling(state: State, *events: Event) -> Ruling:
    return Ruling(state, events, _may(state))


def _may(state: State) -> tuple[May, ...]:
    everybody = state.players
    claim = tuple(player for player in everybody if player not in state.void)
    out = (May("out", claim),) if claim else ()
    match state.phase:
        case "deal":
            return (May("deal", everybody),)
        case "ready":
            return (May("go", everybody), May("deal", everybody))
        case "stopped":
            in_order = (May("take-back", everybody), May("lies", everybody)) if state.is_seen else ()
            go_on = () if lift_first(state) else (May("go-on", everybody),)
            claim = tuple(player for player in claim if player not in state.claim or not _open_cells(state, player))
            return (*go_on, *((May("out", claim),) if claim else ()), *in_order)
        case "count":
            untold = tuple(player for player, cards in zip(everybody, state.left, strict=True) if cards < 0)
            return (May("left", untold),)
        case "play":
            rest = (May("stop", everybody), *out, May("stuck", everybody))
            if not state.is_seen:
                return rest
            grid = state.grid
            cells = tuple(CellAccepts(cell, values_of(accepted(grid, cell))) for cell in CELLS)
            return (May("lay", everybody, cells), May("take-back", everybody), May("lies", everybody), *rest)
        case _:
            return ()


def _facts(state: State) -> tuple[KeptFact, ...]:
    return tuple(KeptFact("round", winner, done.time) for done in state.rounds for winner in done.winners)


SUMMARY = """\
Nine cards lie in a 3×3 grid, the other 55 are dealt out. Everybody lays cards at the same time, one by one,
always on a card of the grid. A card is legal if it gives a row, a column or a diagonal through its cell a value
in common (colour, shape or number) that the line did not have before. Whoever lays the last card wins the round
and a chip; if nobody can lay any more, fewest cards left win. First to four chips wins the match."""

GAME = Game(
    "triple3",
    "Triple³",
    (2, 4),
    10,
    SUMMARY,
    House,
    State,
    tuple(_RULES),
    (
        Dealt,
        Started,
        PlayedLegally,
        SaidOtherwise,
        PlayedIllegally,
        TakenBack,
        FoundLying,
        FewLeft,
        Ahead,
        Stopped,
        NotOutYet,
        ClaimOpen,
        ClaimVoid,
        WentOn,
        NobodyCanLay,
        RoundWon,
        RoundStands,
        CardsMoved,
        Ended,
    ),
    start,
    rule,
    _facts,
    together=_together,
    round_of=round_of,
    carried=carried,
    adjusted=adjusted,
    hidden=hidden,
    scored_in="chips",
)
