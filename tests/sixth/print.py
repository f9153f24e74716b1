"""Nothing of Sticks is printed."""

from companion.core.game_print import GamePrint

PRINT = GamePrint()
