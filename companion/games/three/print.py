"""No camera reads the cards of Three! yet; `paper.py` has how they are printed."""

from companion.core.game_print import GamePrint

PRINT = GamePrint()
