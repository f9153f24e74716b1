"""The table at one moment, and what can be asked of it."""

from dataclasses import dataclass

from companion.core.clocks import SECOND
from companion.core.rules import Deadline, Foul, Outcome
from companion.core.sentence import N_, Sentence
from companion.games.three.rules.house import House
from companion.games.three.rules.moves import Release


@dataclass(frozen=True, slots=True)
class State:
    """A table of Three!. Cards add up: hands + deck + piles + banks + out = the whole deck."""

    players: tuple[str, ...]
    house: House
    phase: str  # setup, turn, whose, tied, struck, check, final, over
    turn: str
    hands: tuple[int, ...]
    deck: int
    piles: tuple[tuple[str, ...], ...]  # bottom to top, UNSEEN where nobody showed the card
    banks: tuple[int, ...]
    out: int = 0  # declared wrongly, or left on the piles at the end
    gone: tuple[int, ...] = ()  # of each dog, how many left the piles by a check
    declared: int = 0  # declarations made in this turn
    caller: str = ""
    called: str = ""  # whose pile is checked
    dog: str = ""
    struck_at: int = 0
    tied: tuple[str, ...] = ()  # who struck together, while one of them is chosen
    final_turns: int = 0  # turns of the last round still to come
    free_at: int = 0  # until then the token is being armed again, and a strike is too early
    kept_out: tuple[int, ...] = ()  # until when each player may not strike; empty while nobody has called wrongly
    outcome: Outcome | None = None

    @property
    def scores(self) -> tuple[int, ...]:
        return self.banks

    @property
    def deadline(self) -> Deadline | None:
        if self.phase not in ("struck", "whose", "tied"):
            return None
        at = self.struck_at + self.house.call_timeout * SECOND
        return Deadline(at, Release(self.caller, at=at))

    @property
    def moments(self) -> tuple[int, ...]:
        """When something may be done that could not be done before, without a move."""
        return (self.free_at, *self.kept_out)

    def may_strike_at(self, player: str) -> int:
        """When a strike of this player counts again; where nobody knows whose hand it is, when one counts at all."""
        if not player or not self.kept_out:
            return self.free_at
        return max(self.free_at, self.kept_out[self.players.index(player)])

    def pile(self, player: str) -> tuple[str, ...]:
        return self.piles[self.players.index(player)]


def has_last_turns(state: State) -> bool:
    """There is a last round, in which everybody has a turn."""
    return state.house.declarations_per_turn > 0 or state.house.everybody_passes


def dog_named(state: State, player: str, said: str) -> str:
    for dog in state.house.dogs:
        if said in (dog.name, dog.colour):
            return dog.name
    raise Foul(
        "unknown-dog",
        player,
        N_("{player} says {said}, but the dogs of this deck are {dogs}."),
        said=said,
        dogs=tuple(Sentence(N_("{dog} ({hue})"), dog=dog.name, hue=dog.colour) for dog in state.house.dogs),
    )


def dog_index(house: House, name: str) -> int:
    return next(i for i, dog in enumerate(house.dogs) if dog.name == name)


def unseen_left(state: State, dog: str) -> int:
    """How many cards of a dog the referee has not seen yet."""
    on_piles = sum(pile.count(dog) for pile in state.piles)
    return state.house.copies - state.gone[dog_index(state.house, dog)] - on_piles
