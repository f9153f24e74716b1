"""What a camera reads of Threepia: symbols, which a deck file knows, on the lattice; `paper.py` has the cards."""

from companion.core.game_print import GamePrint

PRINT = GamePrint(mats=("lattice",))
