"""The dogs, the numbers and the house rules."""

from dataclasses import dataclass

from companion.core.errors import HouseRuleError
from companion.core.rules import COUNTED, SEEN, TOLD, setting
from companion.core.sentence import N_, Sentence

AT_ONCE, FIRST_COUNTED = "at-once", "counted-first"
HAND = 3  # cards dealt to each player
THREE = 3  # of a kind


@dataclass(frozen=True, slots=True)
class Dog:
    name: str
    colour: str


DOGS = (
    Dog("Ember", "red"),
    Dog("Sky", "blue"),
    Dog("Juniper", "green"),
    Dog("Honey", "yellow"),
    Dog("Biscuit", "brown"),
    Dog("Domino", "black"),
    Dog("Snow", "white"),
    Dog("Misty", "grey"),
)


@dataclass(frozen=True, slots=True)
class House:
    dogs: tuple[Dog, ...] = setting(DOGS, N_("the dogs of this deck, each as NAME:COLOUR"))
    copies: int = setting(6, N_("how many cards show each dog"), low=1, high=100)
    deck: int = setting(48, N_("how many cards the whole deck has"), low=1, high=1000)
    declarations_per_turn: int = setting(1, N_("how often a player may declare in one turn"), low=0, high=10)
    call_timeout: int = setting(
        10, N_("seconds from a strike to its call before the token is released"), low=1, high=600
    )
    tie: str = setting(
        "replay",
        N_(
            "strikes that cannot be told apart: strike again, the next in the order of the seats, "
            "or the choice of one who did not strike"
        ),
        choices=("replay", "seats", "choice"),
    )
    rearm: int = setting(1, N_("seconds after a call until the token may be struck again"), low=0, high=30, before=0)
    cooldown: int = setting(0, N_("seconds for which whoever called wrongly may not strike"), low=0, high=120, before=0)
    everybody_passes: bool = setting(
        default=False,
        help=N_("in the last round everybody passes, who has declared too; only in matches from before"),
        before=True,
        offered=False,
    )
    cards: str = setting(
        TOLD,
        N_("a camera sees the cards, the referee is told each dog that is played, or only that a card is"),
        choices=(SEEN, TOLD, COUNTED),
        before=TOLD,
    )

    checks: str = setting(
        AT_ONCE,
        N_("where the referee has seen every card of a pile: it tells a check at once, or who was called counts first"),
        choices=(AT_ONCE, FIRST_COUNTED),
        before=FIRST_COUNTED,
    )

    def __post_init__(self) -> None:
        total = len(self.dogs) * self.copies
        if total != self.deck:
            raise HouseRuleError(
                Sentence(
                    "House rules dogs, copies, deck: {dogs} dogs with {copies} copies make {total} cards, not "
                    "{deck}; change one of the three.",
                    dogs=len(self.dogs),
                    copies=self.copies,
                    total=total,
                    deck=self.deck,
                )
            )
        said = [word for dog in self.dogs for word in (dog.name, dog.colour)]
        if len(set(said)) < len(said) or not all(said):
            raise HouseRuleError(N_("House rule dogs: each dog needs a name and a colour that no other dog has."))
