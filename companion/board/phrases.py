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
THE_CARDS = N_("The cards as the camera sees them: {cards}")
CALLED_OUT = N_("Play stands until this is settled.")
PHOTO_FINISH = N_("Photo finish")
CLOSER_THAN = N_("Closer than {margin}: tie")
FIRST = N_("First")
TIE = N_("Tie")
NO_TIME = N_("no time known")
HELD = N_("held down before")
PLACES = {  # of cards and pieces, by their kind
    "hand": N_("Hand"),
    "pile": N_("Pile"),
    "bank": N_("Bank"),
    "deck": N_("Deck"),
    "discards": N_("Discards"),
    "field": N_("Field"),
    "table": N_("Table"),
}

# --- a club

TOURNAMENTS = N_("Tournaments")
NO_TOURNAMENTS = N_("There is no tournament and no league here yet.")
KINDS = {"league": N_("League"), "round-robin": N_("Everybody against everybody"), "swiss": N_("Swiss system")}
HAS_ENDED = N_("Ended")
GAME = N_("Game")
PLACE = N_("Place")
PLAYER = N_("Player")
MATCHES = N_("Matches")
WINS = N_("Wins")
RATING = N_("Rating")
RATING_MEANS = N_("Rating: how well somebody plays at least, as far as the results tell. Everybody begins at 1000.")
PLAYED = N_("Played")
TIES = (N_("Against equals"), N_("Opponents’ points"), N_("Points of the beaten"), WINS)
SETTLED_BY = N_(
    "Equal points are settled by what the equal ones got against each other, then by the points of all opponents, then "
    "by those of the beaten ones, then by wins."
)
LEAGUE_COUNTS = N_(
    "A match gives a point for each opponent left behind, half a point for an equal one; then wins count, then fewer "
    "matches."
)
STILL_TO_PLAY = N_("Still to be played")
DECIDED = N_("Decided by the host")
RESTS = N_("{player} rests.")
RESTS_WITH_A_POINT = N_("{player} rests: a point without a match.")
WHAT_CHANGED = N_("What changed")
WORKED_OUT_ANEW = N_("Standings, ratings and best times were worked out anew.")
RESULT_BEFORE = N_("Before: {result}")
RESULT_NOW = N_("Now: {result}")
NO_RESULT = N_("no result")
NO_RUNS = N_("Nobody has played against the clock to the end yet.")
KNOWN_AS = N_("At the tables: {names}")
OF_ANY_TABLE = N_("{name}, everywhere")
OLDER = N_("Older matches")
NEWER = N_("Newer matches")
ENTRY_OF = N_("{number} of {last}")
STEP_BACK = N_("Back")
STEP_ON = N_("Next")
WHOLE_COURSE = N_("The whole match")
