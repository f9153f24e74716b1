"""Nothing of Three! is printed: it is played with the cards of its box."""

from companion.core.game_print import GamePrint

PRINT = GamePrint()
