"""What a camera reads of Three!: dogs, which a deck file knows, on a mat of its own; `paper.py` has the cards."""

from companion.core.game_print import GamePrint

PRINT = GamePrint(mats=("banks",))
