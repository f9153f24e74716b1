"""What a camera reads of Triplexity: the top pieces of three stacks; `paper.py` has how they are printed."""

from companion.core.game_print import GamePrint

PRINT = GamePrint(mats=("stacks",))
