"""The short texts of Threepia alone, and what it calls its house rules and what they are set to."""

from companion.core.sentence import N_
from companion.words.game_words import GameWords

CANNOT_LAY = N_("No card fits")
DECK_IS_EMPTY = N_("Deck is empty")
ON_YOUR_WORD = N_("on your word")
NOT_TURNED = N_("cards not turned")
STRICT_TRIANGLES = N_("triangles must fit")
ENDED_WITH_DECK = N_("ended with the deck")
OUT_OF_TIME = N_("Out of time")
FINISH = N_("Finish")

WAYS = {  # to play: the name, and what it is in a sentence
    "points": (N_("To points"), N_("First to reach the target wins.")),
    "rounds": (N_("By rounds"), N_("Everybody has the same number of turns; most points win.")),
    "deck": (N_("Whole deck"), N_("Until the deck is used up; each card in hand costs a point.")),
    "time": (N_("Against time"), N_("A countdown for every turn; most points win.")),
    "stopwatch": (N_("Stopwatch"), N_("Everybody has some minutes for the whole match.")),
    "time-trial": (N_("Time trial"), N_("Alone: play out the deck as fast as you can.")),
    "relaxed": (N_("Relaxed"), N_("Alone, without points and without a clock.")),
}
FIELDS = {
    "Square": N_("Square"),
    "Fridge": N_("Fridge"),
    "Windmill": N_("Windmill"),
    "Worm": N_("Worm"),
    "X": N_("X"),
    "Snake": N_("Snake"),
    "L box": N_("L box"),
}

WORDS = GameWords(
    rules={
        "cards": N_("What the referee knows"),
        "way": N_("Way to play"),
        "target": N_("Target"),
        "rounds": N_("Rounds to play"),
        "turn_seconds": N_("Seconds for a turn"),
        "match_seconds": N_("Seconds for the match"),
        "deck": N_("Deck"),
        "rotate": N_("Cards may be turned"),
        "triangle_fits": N_("Triangle goes on anything"),
        "overlapping_l": N_("Each L in a block scores"),
        "axis_bonus": N_("More for an axis"),
        "flush_bonus": N_("More for a flush"),
        "only_new_rows": N_("Only new rows score"),
        "trial_ends_with_deck": N_("Ends with the deck"),
        "field": N_("Field"),
        "turn_by_button": N_("Turn ends with the button"),
        "field_as_laid": N_("Field as it is laid"),
        "card": N_("Symbols on a card"),
    },
    choices={"2x2": N_("2×2"), **FIELDS, **{way: name for way, (name, _) in WAYS.items()}},
    explained={way: said for way, (_, said) in WAYS.items()},
)
