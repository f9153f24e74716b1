"""What a camera reads of Triple³: its deck, by the name that the reader's model has for it."""

from companion.core.game_print import GamePrint

PRINT = GamePrint("triple3")
