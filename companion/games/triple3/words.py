"""The short texts of Triple³ alone, and what it calls its house rules and what they are set to."""

from companion.core.sentence import N_
from companion.words.game_words import GameWords

OTHER = N_("Other …")
DISPUTE = N_("Dispute")
GO = N_("Go!")
IM_OUT = N_("I’m out!")
NOBODY_CAN = N_("Nobody can lay")
TAKE_BACK = N_("Take back")
GRID = N_("Grid")
NO_TRIPLE = N_("No new triple")
HANDICAP = N_("Handicap")
UNSEEN_CARDS = N_("Cards in hand")
HOW_MANY_LEFT = N_("How many cards are left?")
WHO_LAID = N_("Who laid it?")

WORDS = GameWords(
    rules={
        "cards": N_("What the referee knows"),
        "chips_to_win": N_("Chips to win"),
        "illegal_plays": N_("Illegal plays"),
        "hints": N_("What fits is shown"),
        "illegal_wins": N_("Illegal cards win"),
    },
    choices={
        "call": N_("called at once"),
        "keep": N_("kept for Stop!"),
    },
)
