"""The texts of the board's pages that no screen of a table has; keys of the same catalogues."""

from companion.core.sentence import N_

TABLES = N_("Tables")
PLAYERS = N_("Players")
NO_TABLES = N_("No table has been heard of yet.")
NOBODY_PLAYS = N_("Nobody plays here just now.")
CANNOT_BE_REACHED = N_("The table cannot be reached just now. This is how it stood.")
SOMETHING_IS_MISSING = N_("Some rulings of this match have not arrived here yet.")
OPENS_AT_THE_END = N_("How the match was played can be read here when it is over.")
CANNOT_BE_TOLD = N_("How this match stands cannot be told here: it is of a newer companion.")
NOT_HERE = N_("There is no such page here.")
TOO_OFTEN = N_("That was asked too often: wait a little.")
NO_MATCH_OVER = N_("No match has been played to its end yet.")
SURE_TO = N_("The camera is {percent} per cent sure.")
AT_TABLE = N_("{name}, table {table}")
FULL = N_("Too many people are looking on just now: try again soon.")
PLACES = {  # of cards and pieces, by their kind
    "hand": N_("Hand"),
    "pile": N_("Pile"),
    "bank": N_("Bank"),
    "deck": N_("Deck"),
    "discards": N_("Discards"),
    "field": N_("Field"),
    "table": N_("Table"),
}
