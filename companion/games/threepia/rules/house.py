"""The numbers and the house rules."""

from dataclasses import dataclass

from companion.core.rules import COUNTED, SEEN, TOLD, setting
from companion.core.sentence import N_
from companion.games.threepia.rules.field import SQUARE, Field

HAND = 3  # cards dealt to each player, and drawn by whoever has played out the hand
HAND_POINTS = 3
MOST_CARDS = 1000  # in a deck

WAYS = ("points", "rounds", "deck", "time", "stopwatch", "time-trial", "relaxed")
ALONE = ("time-trial", "relaxed")
NOBODY_CAN_LAY = N_("Nobody can lay a card any more: most points win.")
DECK_ENDS = ("deck", "time", "time-trial", "relaxed")  # the ways that end with the deck


@dataclass(frozen=True, slots=True)
class House:
    way: str = setting("points", N_("the way to play"), choices=WAYS)
    target: int = setting(15, N_("points that win, playing for points"), low=1, high=1000)
    rounds: int = setting(5, N_("turns that everybody has, playing rounds"), low=1, high=1000)
    turn_seconds: int = setting(30, N_("seconds for a turn, playing against time"), low=1, high=3600)
    match_seconds: int = setting(180, N_("seconds that each player has, playing by the stopwatch"), low=1, high=36000)
    deck: int = setting(64, N_("how many cards there are in all"), low=1, high=MOST_CARDS)
    rotate: bool = setting(True, N_("whether a card may be turned before it is laid"))
    triangle_fits: bool = setting(True, N_("whether a triangle may be laid on anything"))
    overlapping_l: bool = setting(
        False, N_("whether, on a field with Ls, four equal symbols in a block score as the four Ls in it"), before=True
    )
    axis_bonus: int = setting(0, N_("points more for a row and a column with one card"), low=0, high=20, before=0)
    flush_bonus: int = setting(
        0, N_("points more for a line that scores by shape and by colour"), low=0, high=20, before=0
    )
    only_new_rows: bool = setting(False, N_("whether a row that stood before scores nothing"), before=False)
    trial_ends_with_deck: bool = setting(
        False,
        N_("a time trial is over with the deck, whatever is in hand; only in matches from before"),
        before=True,
        offered=False,
    )
    field: Field = setting(SQUARE, N_("one of the fields that come along, or a field file of your own"))
    field_as_laid: bool = setting(
        False,
        N_("whether the field is taken as it is laid out before the camera, when somebody says that it is dealt"),
        before=False,
    )
    turn_by_button: bool = setting(
        False,
        N_("whether a turn before the camera ends with the turn button, and not when the card lies still"),
        before=False,
    )
    card: str = setting("2x2", N_("the symbols on a card"), choices=("2x2",))
    cards: str = setting(
        TOLD,
        N_("a camera sees the cards, the referee is told each of them, or it is told the points alone"),
        choices=(SEEN, COUNTED, TOLD),
        before=TOLD,
    )
