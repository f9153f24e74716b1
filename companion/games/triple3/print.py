"""What a camera reads of Triple³: its deck, by the name that the reader's model has for it, and the mats it lies on."""

from companion.core.game_print import GamePrint

PRINT = GamePrint("triple3", ("small", "large"))
