"""The short texts of Tres alone, and what it calls its house rules and its cards."""

from companion.core.sentence import N_
from companion.words.game_words import GameWords

DEALER = N_("Dealer")
DISCARDS = N_("Discards")
DRAW_CARD = N_("Draw card")
KEEP_CARD = N_("Keep card")
PASS = N_("Pass")
WHICH_CARD = N_("Which card?")
TRES = N_("Tres!")
CATCH = N_("Caught!")
CATCH_WHOM = N_("Who kept silent?")
CLOCKWISE = N_("Clockwise")
COUNTERCLOCKWISE = N_("Counter-clockwise")
PENALTY = N_("Draw {count}")
FILL_TABLE = N_("Fill the table")
WHO_DEALS = N_("Who deals?")
DRAW_FOR_DEALER = N_("Draw for dealer")

WORDS = GameWords(
    rules={
        "cards": N_("What the referee knows"),
        "players": N_("Players at most"),
        "colours": N_("Colours of the cards"),
        "number_copies": N_("Copies of each number"),
        "action_copies": N_("Copies of action cards"),
        "jokers": N_("Jokers"),
        "joker_is_any_colour": N_("Joker is any colour"),
        "only_with_three": N_("Tres with three only"),
        "any_card_drawn": N_("Any card after a shuffle"),
        "drawn_is_shuffled": N_("Drawn card counts as shuffled"),
    },
    cards={"reverse": N_("Reverse"), "skip": N_("Skip"), "plus3": N_("+3"), "joker": N_("Numeral joker")},
)
