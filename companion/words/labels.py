"""The short texts of screens that no single game owns, by name, in English: the keys of the catalogues.

They fit buttons in every language. Those of one game stand in the `words.py` of its package.
"""

from companion.core.sentence import N_

# --- everywhere ------------------------------------------------------------------------------------------------

START = N_("Start")
DONE = N_("Done")
OK = N_("OK")
YES = N_("Yes")
NO = N_("No")
CANCEL = N_("Cancel")
CLOSE = N_("Close")
MORE = N_("More")
UNDO = N_("Undo")
REDO = N_("Redo")
PAUSE = N_("Pause")
GO_ON = N_("Go on")
PAUSED = N_("Paused")
WAIT = N_("One moment …")
IS_BEING_MENDED = N_("The matches that were kept here are damaged, and what is sound is being saved. One moment …")
TOLD_OF = N_("{what}: {told}")  # a name, and what is so of it

# --- choosing and setting up -----------------------------------------------------------------------------------

DECK = N_("Deck")
DECKS = N_("Decks")
TEACH_A_DECK = N_("Teach a deck")
TEACH_ON = N_("Teach on")
DECK_NAME = N_("What is the deck called?")
FACES_KNOWN = N_("{known} of {count} known")
FACES_OF_DECK = N_("All cards of the deck")
WHICH_CARD = N_("Which card?")
LOOK_ALIKE = N_("Look alike")
BACK_OF_CARDS = N_("back of the cards")
EMPTY_MAT = N_("empty mat")
CHOOSE_A_GAME = N_("Choose a game")
PLAYERS_COUNT = N_("{fewest}–{most} players")
PLAYERS_EXACTLY = N_("{count:{count} player|{count} players}")
MINUTES = N_("{minutes} min")
PLAYER_NUMBER = N_("Player {number}")
ADD_PLAYER = N_("Add player")
SEATS = N_("Seats")
HOUSE_RULES = N_("House rules")
DEFAULT = N_("Default")
ANY_NUMBER = N_("any number")
RULES_IN_SHORT = N_("Rules in short")
SAME_AGAIN = N_("Same again")
RESUME_MATCH = N_("Resume match")
MORE_UNFINISHED = N_("{count:{count} more unfinished|{count} more unfinished}")
STAY = N_("Stay")
FORGET_PICTURES = N_("Forget all pictures")
PICTURES_KEPT = N_(
    "{count:{count} picture of a dispute is kept|{count} pictures of disputes are kept}, and gone with this match."
)
ON_PHONES = N_("On phones")
NAME_TAKEN = N_("This name is taken.")
PERSON = N_("Person")
BOT = N_("Bot")
NAME_AND_COLOUR = N_("Name and colour")
LEVELS = {  # of a bot: its name, and what it is
    "easy": (N_("Easy"), N_("Overlooks much.")),
    "usual": (N_("Medium"), N_("Overlooks something now and then.")),
    "strong": (N_("Strong"), N_("Overlooks next to nothing.")),
}
PACES = {
    "slow": (N_("Slow"), N_("Thinks twice as long.")),
    "usual": (N_("As people do"), N_("Takes the time that people take.")),
    "quick": (N_("Quick"), N_("Thinks half as long.")),
}

# --- in every match --------------------------------------------------------------------------------------------

YOUR_TURN = N_("Your turn")
WHOSE_TURN = N_("{player}’s turn")
WHO_BEGINS = N_("Who begins?")
DEAL = N_("Deal")
DEALT = N_("Dealt")
ROUND = N_("Round {round}")
ROUND_OF = N_("Round {round} of {rounds}")
HAND = N_("Hand")
DRAW_PILE = N_("Draw pile")
CARDS_COUNT = N_("{count:{count} card|{count} cards}")
POINTS_COUNT = N_("{count:{count} point|{count} points}")
CHIPS_COUNT = N_("{count:{count} chip|{count} chips}")
PLAY_CARD = N_("Play card")
A_CARD = N_("a card")
THE_CARD = N_("the card")
NOBODY = N_("nobody")
NOTHING = N_("nothing")
CELL = N_("Cell {cell}")
CARDS_LEFT = N_("{count:{count} card|{count} cards} left")
END_MATCH = N_("End match")
END_MATCH_SURELY = N_("End the match without a winner?")

OF_NOBODY = {  # what is said where a name would stand and there is none
    "No call from {player}; the token is free again.": N_("No call; the token is free again."),
    "{reason} Won by: {winners}.": N_("{reason} Nobody wins."),
}

# --- the end ---------------------------------------------------------------------------------------------------

WINNER = N_("{player} wins!")
WINNERS = N_("{players} win together!")
NOBODY_WON = N_("Nobody wins.")
SCORED_IN = {  # what a game counts, as a label and as so much of it
    "points": (N_("Points"), POINTS_COUNT),
    "cards": (N_("Cards"), CARDS_COUNT),
    "chips": (N_("Chips"), CHIPS_COUNT),
}
ROUND_WON = N_("{player} wins round {round}!")
ROUND_SHARED = N_("{players} share round {round}!")
ROUND_DRAWN = N_("Round {round} is drawn.")
NEXT_ROUND = N_("Next round")
MOVES = N_("Moves")
ROUNDS = N_("Rounds")
SCORE_SHEET = N_("Score sheet")
NO_SHEET = N_("There is a score sheet when the match is over.")
TRY_AGAIN = N_("Try again")
PRINT = N_("Print")
AHEAD = N_("{amount}, {ahead} ahead of {players}.")
FEWER = N_("{amount} fewer than {players}.")
EACH = N_("{amount} each.")
RAN_OUT = N_("Out of time: {players}.")
REMATCH = N_("Rematch")
MOVES_COUNT = N_("{count:{count} move|{count} moves}")

# --- a match in lines ------------------------------------------------------------------------------------------

TABLE = N_("The table")
SHEET_OF = N_("{game}, match {code}")
SOME_TIME_AGO = N_("some time ago")
PLAYED_THEN = N_("began {began}, {moves}, {time} of play")
HOUSE_RULE = N_("house rule {rule}: {value}")
IS_WINNER = N_("winner")
PUT_RIGHT_AT = N_("put right at {time}: move {number}; {scores}")
SCORES_WERE = N_("scores {after}, before {before}")
SCORES_STAY = N_("the scores stay")
TIME_HAD_COME = N_("added by the referee, because its time had come")
WAS_ADJUSTED = N_("adjusted: was {said}")
WAS_PUT_RIGHT = N_("put right: was {said}")
WAS_RULED_AGAIN = N_("ruled again: was {said}")
COUNTS_NO_MORE = N_("does not count any more, {time}: {said}")
STILL_RUNNING = N_("The match is still running.")
MADE = N_("Move {number}: {said}")
MADE_BY_REFEREE = N_("Move {number}, by the referee: {said}")
UNDONE = N_("Undone: {what}")
REDONE = N_("Redone: {what}")
CORRECTED = N_("Put right: {what}")
OF_CORRECTION = N_("the correction of entry {entry}; {what}")
NOT_COUNTED = N_("move {number} does not count, {said}")
NOW_COUNTED = N_("move {number} counts, {said}")
SAME_AS_BEFORE = N_("move {number} says the same, {said}")
SAYS_NOW = N_("move {number} was {said}, and is {now}")
PAUSED_FOR = N_("Paused: {why}.")
PAUSED_THEN = N_("Paused.")
CLOCKS_GO_ON = N_("The clocks go on.")
ABANDONED_FOR = N_("Abandoned: {why}.")
ABANDONED_THEN = N_("Abandoned.")
FALLS_AWAY = N_("Move {number} falls away, {said}: {why}")
COUNTS_AGAIN = N_("Counts again: {said}")
BY_REFEREE = N_("Added by the referee: {said}")
CHANGED_TO = N_("Move {number} was {said}, and is {now}")
ADJUSTED_TO = N_("Move {number}, adjusted, was {said}, and is {now}")
AFTER_COUNTS = N_("What was played after the end counts")
AFTER_COUNTS_NOT = N_("What was played after the end does not count")
SCORES_NOW = N_("Scores: {after}; before {before}")
ENDS_OTHERWISE = N_("The match {after}; before it {before}")
GOES_ON = N_("goes on")
IS_WON_BY = N_("is won by {players}")
IS_DRAWN = N_("is drawn")

# --- history, statistics ---------------------------------------------------------------------------------------

HISTORY = N_("History")
UNFINISHED = N_("Unfinished matches")
STATISTICS = N_("Statistics")
MATCHES_COUNT = N_("{count:{count} match|{count} matches}")
WINS_COUNT = N_("{count:{count} win|{count} wins}")
NO_MATCHES = N_("No matches yet")
TODAY = N_("Today")
YESTERDAY = N_("Yesterday")
ABANDONED = N_("Abandoned")
RUNNING = N_("Running")
LONGEST_ROUND = N_("Longest round")
BEST_TIMES = N_("Best times")

# --- correcting and disputes -----------------------------------------------------------------------------------

DID_NOT_HAPPEN = N_("It did not happen")
PUT_RIGHT = N_("Put right …")
MOVE_NUMBER = N_("Move {number}")
CHANGE_KINDS = {
    "dropped": N_("no longer counts"),
    "adjusted": N_("stands, adjusted"),
    "added": N_("the time was up"),
    "withdrawn": N_("the time was not up"),
    "restored": N_("counts again"),
    "changed": N_("is ruled differently"),
}
CLOCKS_STAND = N_("The clocks stand still.")

# --- settings --------------------------------------------------------------------------------------------------

SETTINGS = N_("Settings")
SOUND = N_("Sound")
VOICE = N_("Voice")
LANGUAGE = N_("Language")
BRIGHT = N_("Bright")
DARK = N_("Dark")
THEME = N_("Colours")
ON = N_("On")
OFF = N_("Off")
DOCTOR = N_("Doctor")
LOOK_AGAIN = N_("Look again")
CAMERA = N_("Camera")
BUTTONS = N_("Buttons")
SCREEN = N_("Screen")
DISK = N_("Disk")
WORKS = N_("works")
MISSING = N_("missing")

CHOICES = {  # how the referee learns of the cards, in every game
    "seen": N_("sees the cards"),
    "told": N_("is told every card"),
    "counted": N_("only counts"),
}

FAILURES = (  # as the system and SQLite tell of them
    *(N_("database or disk is full"), N_("attempt to write a readonly database"), N_("unable to open database file")),
    *(N_("disk I/O error"), N_("database is locked"), N_("no space left on device"), N_("read-only file system")),
    *(N_("permission denied"), N_("input/output error"), N_("no such file or directory")),
)

# --- the last plays of a match that a camera watches ---------------------------------------------------------------

NOBODY_KNOWS = N_("Nobody knows")
LAST_PLAYS = N_("Last plays")
LEGAL = N_("Legal")
WRONG_CARD = N_("That card is really …")
CHANGED_SO = N_("What changed")
LOOK_AT_IT_AGAIN = N_("See it again")
SLOW_MOTION = N_("Slow motion")

# --- words for values ------------------------------------------------------------------------------------------

COLOURS = (
    N_("red"),
    N_("blue"),
    N_("yellow"),
    N_("green"),
    N_("purple"),
    N_("orange"),
    N_("white"),
    N_("black"),
    N_("brown"),
    N_("grey"),
)
SHAPES = (N_("circle"), N_("diamond"), N_("plus"), N_("star"), N_("square"), N_("cross"), N_("triangle"))
SYMBOLS = (
    *(N_("red circle"), N_("red diamond"), N_("red plus"), N_("red star")),
    *(N_("blue circle"), N_("blue diamond"), N_("blue plus"), N_("blue star")),
    *(N_("purple circle"), N_("purple diamond"), N_("purple plus"), N_("purple star")),
    *(N_("yellow circle"), N_("yellow diamond"), N_("yellow plus"), N_("yellow star")),
    *(N_("red square"), N_("red cross"), N_("red triangle")),
    *(N_("blue square"), N_("blue cross"), N_("blue triangle")),
    *(N_("yellow square"), N_("yellow cross"), N_("yellow triangle")),
    *(N_("green square"), N_("green cross"), N_("green triangle")),
    N_("green circle"),
)
NUMBERED = (
    N_("red {number}"),
    N_("blue {number}"),
    N_("yellow {number}"),
    N_("green {number}"),
    N_("purple {number}"),
    N_("orange {number}"),
    N_("white {number}"),
    N_("black {number}"),
    N_("brown {number}"),
    N_("grey {number}"),
)
PLACES = (N_("left"), N_("centre"), N_("right"), N_("middle"), N_("row"), N_("column"), N_("L"))
TO_BANK_OF = N_("to {player}'s bank")
TO_THE_BOX = N_("to the box")
STRIKE_BUTTON = N_("strike button")
