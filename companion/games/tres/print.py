"""What a camera reads of Tres: its cards, which a deck file knows, on a mat of its own; `paper.py` draws them."""

from companion.core.game_print import GamePrint

PRINT = GamePrint(mats=("columns",))
