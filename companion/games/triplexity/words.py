"""The short texts of Triplexity alone, and what it calls its house rules and what they are set to."""

from companion.core.sentence import N_
from companion.words.game_words import GameWords

FORBIDDEN = N_("Not back")
LAST_MOVE = N_("Last move")
ASK_SOLVER = N_("Ask the solver")
LOSING_MISTAKE = N_("The losing mistake")
THREW_AWAY = N_("Move {number} threw it away: {made}, after which {then}; {better}.")
NO_MISTAKE = N_("{player} made no losing mistake in the round that ended with move {number}.")
HAS_MOVED = N_("{player} moved {source} to {target}")
HAS_PLACED = N_("{player} placed a piece on the {target}")
COULD_FORCE = N_("{player} could force the win in {count}")
HAD_WON = N_("{player} had won")
FROM_TO = N_("{source} to {target}")
PIECE_ON = N_("a piece on the {target}")
KEPT = {"win": N_("{move} kept a win"), "draw": N_("{move} kept a draw")}

WORDS = GameWords(
    rules={
        "play": N_("Kind of game"),
        "faces": N_("Faces of the pieces"),
        "rounds": "Rounds",
        "points": N_("Points to reach"),
        "count_covered": N_("Covered pieces score"),
        "no_return": N_("No way back for"),
        "repetition_draw": N_("Draw by repetition"),
        "rounds_too": N_("Rounds count too"),
    },
    choices={
        "basic": N_("basic"),
        "advanced": N_("advanced, with points"),
        "last": N_("the piece moved last"),
        "each": N_("every piece, from its own last move"),
    },
)
