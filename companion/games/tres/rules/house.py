"""The numbers, the places and the house rules."""

from dataclasses import dataclass

from companion.core.errors import HouseRuleError
from companion.core.rules import COUNTED, SEEN, TOLD, Place, setting
from companion.core.sentence import N_, Sentence

HAND = 7  # cards dealt to each player
THREE = 3  # cards on the table, cards to announce, cards of a penalty
NUMBERS = range(1, 10)
REVERSE, SKIP, PLUS3, JOKER = "reverse", "skip", "plus3", "joker"
ACTIONS = (REVERSE, SKIP, PLUS3)
PILE, TABLE, DISCARDS = Place("pile"), Place("table"), Place("discards")


@dataclass(frozen=True, slots=True)
class House:
    players: int = setting(8, N_("how many players may take part"), low=2, high=8)
    colours: tuple[str, ...] = setting(("red", "blue", "green", "yellow"), N_("the colours of the number cards"))
    number_copies: int = setting(2, N_("how many cards show each number in each colour"), low=1, high=20)
    action_copies: int = setting(2, N_("how many there are of each action card"), low=0, high=20)
    jokers: int = setting(4, N_("how many numeral jokers there are"), low=0, high=40)
    joker_is_any_colour: bool = setting(default=False, help=N_("whether a numeral joker counts as any colour too"))
    only_with_three: bool = setting(
        default=False,
        help=N_("tres is said only while holding three cards, and missed for as long; only in matches from before"),
        before=True,
        offered=False,
    )
    any_card_drawn: bool = setting(
        default=False,
        help=N_("after a shuffle a card may be drawn that was not shuffled; only in matches from before"),
        before=True,
        offered=False,
    )
    drawn_is_shuffled: bool = setting(
        default=False,
        help=N_("a card drawn before a shuffle counts as one that was shuffled; only in matches from before"),
        before=True,
        offered=False,
    )
    cards: str = setting(
        TOLD,
        N_(
            "a camera sees the cards, the referee is told each of them, or only how many are laid and which of them act"
        ),
        choices=(SEEN, COUNTED, TOLD),
        before=TOLD,
    )

    def __post_init__(self) -> None:
        if not self.colours or not all(self.colours) or len(set(self.colours)) < len(self.colours):
            raise HouseRuleError(N_("House rule colours: name at least one colour, and none of them twice."))
        for colour in self.colours:
            if "-" in colour or colour in (*ACTIONS, JOKER):
                raise HouseRuleError(
                    Sentence(
                        "House rule colours: '{colour}' cannot be the name of a colour; a dash and the words "
                        "{ACTIONS}, {JOKER} mean something else.",
                        colour=colour,
                        ACTIONS=ACTIONS,
                        JOKER=JOKER,
                    )
                )
