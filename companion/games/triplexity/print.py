"""Nothing of Triplexity is printed: it is played with the pieces of its box."""

from companion.core.game_print import GamePrint

PRINT = GamePrint()
