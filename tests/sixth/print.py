"""Nothing of Sticks is read by a camera."""

from companion.core.game_print import GamePrint

PRINT = GamePrint()
