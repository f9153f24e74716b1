"""No camera reads the pieces of Triplexity yet; `paper.py` has how they are printed."""

from companion.core.game_print import GamePrint

PRINT = GamePrint()
