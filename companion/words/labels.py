"""The short texts of screens, by name, in English: the keys of the catalogues. They fit buttons in every language."""

# --- everywhere ------------------------------------------------------------------------------------------------

START = "Start"
BACK = "Back"
NEXT = "Next"
DONE = "Done"
OK = "OK"
YES = "Yes"
NO = "No"
CANCEL = "Cancel"
CLOSE = "Close"
MORE = "More"
UNDO = "Undo"
REDO = "Redo"
PAUSE = "Pause"
GO_ON = "Go on"
PAUSED = "Paused"
HOME = "Home"
QUIT = "Quit"
WAIT = "One moment …"
IS_BEING_MENDED = "The matches that were kept here are damaged, and what is sound is being saved. One moment …"
OTHER = "Other …"
TOLD_OF = "{what}: {told}"  # a name, and what is so of it
NOBODY_KNOWS = "Nobody knows"

# --- choosing and setting up -----------------------------------------------------------------------------------

CHOOSE_A_GAME = "Choose a game"
PLAYERS = "Players"
PLAYERS_COUNT = "{fewest}–{most} players"
PLAYERS_EXACTLY = "{count:{count} player|{count} players}"
MINUTES = "{minutes} min"
PLAYER_NUMBER = "Player {number}"
ADD_PLAYER = "Add player"
SEATS = "Seats"
HOUSE_RULES = "House rules"
DEFAULT = "Default"
CHANGED = "changed"
RULES_IN_SHORT = "Rules in short"
SAME_AGAIN = "Same again"
RESUME_MATCH = "Resume match"
MORE_UNFINISHED = "{count:{count} more unfinished|{count} more unfinished}"
STAY = "Stay"
NAME_TAKEN = "This name is taken."
PERSON = "Person"
BOT = "Bot"
NAME_AND_COLOUR = "Name and colour"
LEVELS = {  # of a bot: its name, and what it is
    "easy": ("Easy", "Overlooks much."),
    "usual": ("Medium", "Overlooks something now and then."),
    "strong": ("Strong", "Overlooks next to nothing."),
}
PACES = {
    "slow": ("Slow", "Thinks twice as long."),
    "usual": ("As people do", "Takes the time that people take."),
    "quick": ("Quick", "Thinks half as long."),
}

# --- in every match --------------------------------------------------------------------------------------------

YOUR_TURN = "Your turn"
WHOSE_TURN = "{player}’s turn"
WHO_BEGINS = "Who begins?"
DEAL = "Deal"
DEALT = "Dealt"
DEALER = "Dealer"
ROUND = "Round {round}"
ROUND_OF = "Round {round} of {rounds}"
CARDS = "Cards"
HAND = "Hand"
PILE = "Pile"
BANK = "Bank"
BOX = "Box"
DRAW_PILE = "Draw pile"
DISCARDS = "Discards"
CARDS_COUNT = "{count:{count} card|{count} cards}"
POINTS_COUNT = "{count:{count} point|{count} points}"
CHIPS_COUNT = "{count:{count} chip|{count} chips}"
PLAY_CARD = "Play card"
DRAW_CARD = "Draw card"
KEEP_CARD = "Keep card"
PASS = "Pass"
WHICH_CARD = "Which card?"
HOW_MANY = "How many?"
NOT_SHOWN = "Not shown"
A_CARD = "a card"
THE_CARD = "the card"
NOBODY = "nobody"
NOTHING = "nothing"
LAST_PLAYS = "Last plays"
LEGAL = "Legal"
FOUL = "Foul"
WHY = "Why?"
BEFORE = "Before"
AFTER = "After"
DISPUTE = "Dispute"
END_MATCH = "End match"
END_MATCH_SURELY = "End the match without a winner?"

OF_NOBODY = {  # what is said where a name would stand and there is none
    "No call from {player}; the token is free again.": "No call; the token is free again.",
    "{reason} Won by: {winners}.": "{reason} Nobody wins.",
}

# --- striking --------------------------------------------------------------------------------------------------

STRIKE = "Strike!"
PHOTO_FINISH = "Photo finish"
FIRST = "First"
TIE = "Tie"
GAP = "Gap"
CLOSER_THAN = "Closer than {margin}: tie"
TOO_LATE = "Too late"
NO_TIME = "no time known"
HELD = "held down before"
WHOSE_HAND = "Whose hand was it?"
WHO_HAS_IT = "Who has the call?"

# --- Three! ----------------------------------------------------------------------------------------------------

CALL = "Call"
WHOM = "Whom do you call?"
WHICH_DOG = "Which dog?"
DECLARE = "Declare"
CHECK = "Check"
HOW_MANY_DOGS = "How many {dog}?"
INSIST = "I am sure"
LOOK_AGAIN = "Look again"
NO_CALL = "No call"
LAST_ROUND = "Last round"
NOTHING_TO_DECLARE = "Nothing to declare"
NOBODY_CALLS = "Nobody calls"
TOKEN = "Token"
TOKEN_ARMED = "Token is free"
TOKEN_REARMS = "Token free in a moment"
KEPT_OUT = "Called wrongly"

# --- Triple³ ---------------------------------------------------------------------------------------------------

GO = "Go!"
STOP = "Stop!"
IM_OUT = "I’m out!"
NOBODY_CAN = "Nobody can lay"
TAKE_BACK = "Take back"
GRID = "Grid"
CELL = "Cell {cell}"
NO_TRIPLE = "No new triple"
HANDICAP = "Handicap"
UNSEEN_CARDS = "Cards in hand"
HOW_MANY_LEFT = "How many cards are left?"
WHO_LAID = "Who laid it?"

# --- Tres ------------------------------------------------------------------------------------------------------

TRES = "Tres!"
CATCH = "Caught!"
CATCH_WHOM = "Who kept silent?"
CLOCKWISE = "Clockwise"
COUNTERCLOCKWISE = "Counter-clockwise"
PENALTY = "Draw {count}"
FILL_TABLE = "Fill the table"
WHO_DEALS = "Who deals?"
DRAW_FOR_DEALER = "Draw for dealer"
REVERSE = "Reverse"
SKIP = "Skip"
PLUS_THREE = "+3"
JOKER = "Numeral joker"

# --- Triplexity ------------------------------------------------------------------------------------------------

LEFT = "Left"
RIGHT = "Right"
FORBIDDEN = "Not back"
LAST_MOVE = "Last move"
ANY_NUMBER = "any number"
ASK_SOLVER = "Ask the solver"
WON = "Won"
LOST = "Lost"
DRAWN = "Drawn"
LOSING_MISTAKE = "The losing mistake"

# --- Threepia --------------------------------------------------------------------------------------------------

FIELD = "Field"
ROUNDS = "Rounds"
CANNOT_LAY = "No card fits"
DECK_IS_EMPTY = "Deck is empty"
BEST_TIMES = "Best times"
ON_YOUR_WORD = "on your word"
CARDS_LEFT = "{count:{count} card|{count} cards} left"
NOT_TURNED = "cards not turned"
STRICT_TRIANGLES = "triangles must fit"
ENDED_WITH_DECK = "ended with the deck"
TIME_UP = "Time is up"
OUT_OF_TIME = "Out of time"
FINISH = "Finish"
ROW = "Row"

WAYS = {  # the way, its name, and what it is in a sentence
    "points": ("To points", "First to reach the target wins."),
    "rounds": ("By rounds", "Everybody has the same number of turns; most points win."),
    "deck": ("Whole deck", "Until the deck is used up; each card in hand costs a point."),
    "time": ("Against time", "A countdown for every turn; most points win."),
    "stopwatch": ("Stopwatch", "Everybody has some minutes for the whole match."),
    "time-trial": ("Time trial", "Alone: play out the deck as fast as you can."),
    "relaxed": ("Relaxed", "Alone, without points and without a clock."),
}
FIELDS = {
    "Square": "Square",
    "Fridge": "Fridge",
    "Windmill": "Windmill",
    "Worm": "Worm",
    "X": "X",
    "Snake": "Snake",
    "L box": "L box",
}

# --- the end ---------------------------------------------------------------------------------------------------

WINNER = "{player} wins!"
WINNERS = "{players} win together!"
NOBODY_WON = "Nobody wins."
SCORED_IN = {  # what a game counts, as a label and as so much of it
    "points": ("Points", POINTS_COUNT),
    "cards": ("Cards", CARDS_COUNT),
    "chips": ("Chips", CHIPS_COUNT),
}
ROUND_WON = "{player} wins round {round}!"
ROUND_SHARED = "{players} share round {round}!"
ROUND_DRAWN = "Round {round} is drawn."
NEXT_ROUND = "Next round"
MOVES = "Moves"
SCORE_SHEET = "Score sheet"
NO_SHEET = "There is a score sheet when the match is over."
TRY_AGAIN = "Try again"
PRINT = "Print"
AHEAD = "{amount}, {ahead} ahead of {players}."
FEWER = "{amount} fewer than {players}."
EACH = "{amount} each."
RAN_OUT = "Out of time: {players}."
ROUNDS_PLAYED = "{count:{count} round|{count} rounds}"
REMATCH = "Rematch"
MOVES_COUNT = "{count:{count} move|{count} moves}"
CALLS = "Calls"
FOULS = "Fouls"

# --- a match in lines ------------------------------------------------------------------------------------------

TABLE = "The table"
SHEET_OF = "{game}, match {code}"
SOME_TIME_AGO = "some time ago"
PLAYED_THEN = "began {began}, {moves}, {time} of play"
HOUSE_RULE = "house rule {rule}: {value}"
IS_WINNER = "winner"
PUT_RIGHT_AT = "put right at {time}: move {number}; {scores}"
SCORES_WERE = "scores {after}, before {before}"
SCORES_STAY = "the scores stay"
TIME_HAD_COME = "added by the referee, because its time had come"
WAS_ADJUSTED = "adjusted: was {said}"
WAS_PUT_RIGHT = "put right: was {said}"
WAS_RULED_AGAIN = "ruled again: was {said}"
COUNTS_NO_MORE = "does not count any more, {time}: {said}"
STILL_RUNNING = "The match is still running."
THREW_AWAY = "Move {number} threw it away: {made}, after which {then}; {better}."
NO_MISTAKE = "{player} made no losing mistake in the round that ended with move {number}."
HAS_MOVED = "{player} moved {source} to {target}"
HAS_PLACED = "{player} placed a piece on the {target}"
COULD_FORCE = "{player} could force the win in {count}"
HAD_WON = "{player} had won"
FROM_TO = "{source} to {target}"
PIECE_ON = "a piece on the {target}"
KEPT_WIN = "{move} kept a win"
KEPT_DRAW = "{move} kept a draw"
KEPT = {"win": KEPT_WIN, "draw": KEPT_DRAW}
MADE = "Move {number}: {said}"
MADE_BY_REFEREE = "Move {number}, by the referee: {said}"
UNDONE = "Undone: {what}"
REDONE = "Redone: {what}"
CORRECTED = "Put right: {what}"
OF_CORRECTION = "the correction of entry {entry}; {what}"
NOT_COUNTED = "move {number} does not count, {said}"
NOW_COUNTED = "move {number} counts, {said}"
SAME_AS_BEFORE = "move {number} says the same, {said}"
SAYS_NOW = "move {number} was {said}, and is {now}"
PAUSED_FOR = "Paused: {why}."
PAUSED_THEN = "Paused."
CLOCKS_GO_ON = "The clocks go on."
ABANDONED_FOR = "Abandoned: {why}."
ABANDONED_THEN = "Abandoned."
FALLS_AWAY = "Move {number} falls away, {said}: {why}"
COUNTS_AGAIN = "Counts again: {said}"
BY_REFEREE = "Added by the referee: {said}"
CHANGED_TO = "Move {number} was {said}, and is {now}"
ADJUSTED_TO = "Move {number}, adjusted, was {said}, and is {now}"
AFTER_COUNTS = "What was played after the end counts"
AFTER_COUNTS_NOT = "What was played after the end does not count"
SCORES_NOW = "Scores: {after}; before {before}"
ENDS_OTHERWISE = "The match {after}; before it {before}"
GOES_ON = "goes on"
IS_WON_BY = "is won by {players}"
IS_DRAWN = "is drawn"

# --- history, statistics ---------------------------------------------------------------------------------------

HISTORY = "History"
UNFINISHED = "Unfinished matches"
STATISTICS = "Statistics"
MATCHES = "Matches"
MATCHES_COUNT = "{count:{count} match|{count} matches}"
WINS_COUNT = "{count:{count} win|{count} wins}"
NO_MATCHES = "No matches yet"
TODAY = "Today"
YESTERDAY = "Yesterday"
ABANDONED = "Abandoned"
RUNNING = "Running"
LONGEST_ROUND = "Longest round"

# --- correcting and disputes -----------------------------------------------------------------------------------

WRONG_CARD = "That card is really …"
DID_NOT_HAPPEN = "It did not happen"
CHANGED_SO = "What changed"
PUT_RIGHT = "Put right …"
MOVE_NUMBER = "Move {number}"
CHANGE_KINDS = {
    "dropped": "no longer counts",
    "adjusted": "stands, adjusted",
    "added": "the time was up",
    "withdrawn": "the time was not up",
    "restored": "counts again",
    "changed": "is ruled differently",
}
CLOCKS_STAND = "The clocks stand still."
LOOK_AT_IT_AGAIN = "See it again"
SLOW_MOTION = "Slow motion"

# --- settings --------------------------------------------------------------------------------------------------

SETTINGS = "Settings"
SOUND = "Sound"
VOICE = "Voice"
LANGUAGE = "Language"
BRIGHT = "Bright"
DARK = "Dark"
THEME = "Colours"
ON = "On"
OFF = "Off"
DOCTOR = "Doctor"
CAMERA = "Camera"
BUTTONS = "Buttons"
LIGHTS = "Lights"
SCREEN = "Screen"
DISK = "Disk"
WORKS = "works"
MISSING = "missing"
SIMULATED = "simulated"

# --- the house rules -------------------------------------------------------------------------------------------

RULES = {  # of each game: the rule and its name
    "three": {
        "cards": "What the referee knows",
        "dogs": "Dogs",
        "copies": "Cards of each dog",
        "deck": "Deck",
        "declarations_per_turn": "Declarations in a turn",
        "call_timeout": "Time for a call",
        "rearm": "Token free again after",
        "cooldown": "Pause after a wrong call",
        "everybody_passes": "Everybody passes",
        "tie": "Tied strikes",
    },
    "triple3": {
        "cards": "What the referee knows",
        "chips_to_win": "Chips to win",
        "illegal_plays": "Illegal plays",
        "hints": "What fits is shown",
        "illegal_wins": "Illegal cards win",
    },
    "tres": {
        "cards": "What the referee knows",
        "players": "Players at most",
        "colours": "Colours of the cards",
        "number_copies": "Copies of each number",
        "action_copies": "Copies of action cards",
        "jokers": "Jokers",
        "joker_is_any_colour": "Joker is any colour",
        "only_with_three": "Tres with three only",
        "any_card_drawn": "Any card after a shuffle",
        "drawn_is_shuffled": "Drawn card counts as shuffled",
    },
    "triplexity": {
        "play": "Kind of game",
        "faces": "Faces of the pieces",
        "rounds": "Rounds",
        "points": "Points to reach",
        "count_covered": "Covered pieces score",
        "no_return": "No way back for",
        "repetition_draw": "Draw by repetition",
        "rounds_too": "Rounds count too",
    },
    "threepia": {
        "cards": "What the referee knows",
        "way": "Way to play",
        "target": "Target",
        "rounds": "Rounds to play",
        "turn_seconds": "Seconds for a turn",
        "match_seconds": "Seconds for the match",
        "deck": "Deck",
        "rotate": "Cards may be turned",
        "triangle_fits": "Triangle goes on anything",
        "overlapping_l": "Each L in a block scores",
        "axis_bonus": "More for an axis",
        "flush_bonus": "More for a flush",
        "only_new_rows": "Only new rows score",
        "trial_ends_with_deck": "Ends with the deck",
        "field": "Field",
        "card": "Symbols on a card",
    },
}
CHOICES = {  # of the house rules that have some
    "seen": "sees the cards",
    "told": "is told every card",
    "counted": "only counts",
    "replay": "strike again",
    "seats": "order of the seats",
    "choice": "the others choose",
    "call": "called at once",
    "keep": "kept for Stop!",
    "basic": "basic",
    "advanced": "advanced, with points",
    "last": "the piece moved last",
    "each": "every piece, from its own last move",
    "2x2": "2×2",
}

FAILURES = (  # as the system and SQLite tell of them
    *("database or disk is full", "attempt to write a readonly database", "unable to open database file"),
    *("disk I/O error", "database is locked", "no space left on device", "read-only file system"),
    *("permission denied", "input/output error", "no such file or directory"),
)

# --- words for values ------------------------------------------------------------------------------------------

COLOURS = ("red", "blue", "yellow", "green", "purple", "orange", "white", "black", "brown", "grey")
SHAPES = ("circle", "diamond", "plus", "star", "square", "cross", "triangle")
SYMBOLS = (
    *(f"{colour} {shape}" for colour in ("red", "blue", "purple", "yellow") for shape in SHAPES[:4]),
    *(f"{colour} {shape}" for colour in ("red", "blue", "yellow", "green") for shape in SHAPES[4:]),
    "green circle",
)
NUMBERED = tuple(f"{colour} {{number}}" for colour in COLOURS)
ACTIONS = {"reverse": REVERSE, "skip": SKIP, "plus3": PLUS_THREE, "joker": JOKER}
PLACES = ("left", "centre", "right", "middle", "row", "column", "L")
RESULTS = {"win": WON, "loss": LOST, "draw": DRAWN}
TO_BANK_OF = "to {player}'s bank"
TO_THE_BOX = "to the box"
KEYS = {"turn": "turn button", "stop": "stop button", "tres": "tres button", "strike": "strike button"}
