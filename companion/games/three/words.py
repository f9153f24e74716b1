"""The short texts of Three! alone, and what it calls its house rules and what they are set to."""

from companion.core.sentence import N_
from companion.words.game_words import GameWords

PILE = N_("Pile")
BANK = N_("Bank")
BOX = N_("Box")
HOW_MANY = N_("How many?")
NOT_SHOWN = N_("Not shown")
STRIKE = N_("Strike!")
PHOTO_FINISH = N_("Photo finish")
FIRST = N_("First")
TIE = N_("Tie")
CLOSER_THAN = N_("Closer than {margin}: tie")
NO_TIME = N_("no time known")
HELD = N_("held down before")
WHOSE_HAND = N_("Whose hand was it?")
WHO_HAS_IT = N_("Who has the call?")
CALL = N_("Call")
WHOM = N_("Whom do you call?")
WHICH_DOG = N_("Which dog?")
DECLARE = N_("Declare")
HOW_MANY_DOGS = N_("How many {dog}?")
INSIST = N_("I am sure")
NO_CALL = N_("No call")
LAST_ROUND = N_("Last round")
NOTHING_TO_DECLARE = N_("Nothing to declare")
NOBODY_CALLS = N_("Nobody calls")
TOKEN = N_("Token")
TOKEN_ARMED = N_("Token is free")
TOKEN_REARMS = N_("Token free in a moment")
KEPT_OUT = N_("Called wrongly")

WORDS = GameWords(
    rules={
        "cards": N_("What the referee knows"),
        "dogs": N_("Dogs"),
        "copies": N_("Cards of each dog"),
        "deck": N_("Deck"),
        "declarations_per_turn": N_("Declarations in a turn"),
        "call_timeout": N_("Time for a call"),
        "rearm": N_("Token free again after"),
        "cooldown": N_("Pause after a wrong call"),
        "everybody_passes": N_("Everybody passes"),
        "tie": N_("Tied strikes"),
        "checks": N_("Checks of seen piles"),
    },
    choices={
        "replay": N_("strike again"),
        "seats": N_("order of the seats"),
        "choice": N_("the others choose"),
        "at-once": N_("told at once"),
        "counted-first": N_("counted first"),
    },
)
