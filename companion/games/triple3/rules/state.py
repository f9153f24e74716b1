"""The table at one moment, and what can be asked of it."""

from dataclasses import dataclass, replace

from companion.core.clocks import Clock
from companion.core.rules import UNSEEN, Deadline, Hidden, Outcome, Place, changed, inner
from companion.games.triple3.rules.cards import ALL_CARDS, PLACE_IN_DECK, WITH_VALUE
from companion.games.triple3.rules.grid import CELLS, accepted
from companion.games.triple3.rules.house import House

STILL = Clock()


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
    clock: Clock = STILL
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


def _playable(state: State) -> int:
    """The cards not on the grid that would be legal somewhere, as bits of the deck."""
    grid = state.grid
    wanted = 0
    for cell in CELLS:
        wanted |= accepted(grid, cell)
    playable = 0
    for bit, cards in enumerate(WITH_VALUE):
        if wanted >> bit & 1:
            playable |= cards
    return playable & ~state.seen & ALL_CARDS


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


def lifted(state: State, index: int, place: int = -1) -> State:
    """Without one card of a pile, usually the top one; it is back in the hand it came from."""
    pile = list(state.piles[index])
    gone = pile.pop(place)
    state = replace(with_plays(state, gone.by, -1), piles=changed(state.piles, index, tuple(pile)))
    if gone.card == UNSEEN:
        return replace(state, hidden=state.hidden - 1)
    return replace(state, seen=state.seen & ~PLACE_IN_DECK[gone.card])


def lift_first(state: State) -> tuple[int, Laid] | None:
    """An illegal card on top that whoever says to be out takes back before the round goes on."""
    tops = ((cell, pile[-1]) for cell, pile in zip(CELLS, state.piles, strict=False))
    return next(((cell, top) for cell, top in tops if top.open and top.by and top.by in state.claim), None)


def open_cells(state: State, by: str) -> tuple[int, ...]:
    """The cells with illegal cards of this player that nobody has looked at, covered or not."""
    piles = zip(CELLS, state.piles, strict=False)
    return tuple(cell for cell, pile in piles if any(laid.open and laid.by == by for laid in pile))


def of_nobody(state: State, player: str) -> tuple[int, ...]:
    """Those with cards of nobody knows whom, if they may be the player's."""
    return open_cells(state, "") if cards_left(state, player) > 0 else ()


def is_doubtful(state: State, player: str) -> bool:
    """Whether a claim of the player to be out is open: for illegal cards of his, or that nobody has said are not."""
    return bool(open_cells(state, player)) or (player not in state.claim and bool(of_nobody(state, player)))


def most_left(state: State, player: str) -> int:
    """How many cards a player can have left at the end of a round, with the illegal ones that he takes back. Those of
    nobody knows whom are among the cards that he has not been seen to lay."""
    return cards_left(state, player) + sum(laid.by == player for laid in state.to_lift)


def round_of(state: State) -> int:
    return len(state.rounds) + (state.phase != "over")


def cell_of(state: State, card: str) -> int:
    return next(cell for cell, pile in zip(CELLS, state.piles, strict=True) if any(laid.card == card for laid in pile))


def cards_left(state: State, player: str) -> int:
    """Cards left in a hand, if none of the unclaimed plays was this player's."""
    seat = state.players.index(player)
    return state.deals[seat] - state.laid[seat]


def with_plays(state: State, player: str, plays: int) -> State:
    if not player:
        return replace(state, unclaimed=state.unclaimed + plays)
    seat = state.players.index(player)
    return replace(state, laid=changed(state.laid, seat, state.laid[seat] + plays))
