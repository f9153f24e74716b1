"""What players can do."""

from dataclasses import dataclass
from typing import ClassVar

from companion.core.photo_finish import Finish
from companion.core.rules import Move
from companion.core.sentence import N_


@dataclass(frozen=True, slots=True)
class Leftover:
    cell: int
    card: str


@dataclass(frozen=True, slots=True)
class Deal(Move):
    """The nine cards of the grid row by row (none if nobody shows it), the leftovers on them, and how many
    cards each player got (not said: all the same number). `hidden` leftovers lie under the grid's cards unseen."""

    doing: ClassVar[str] = N_("deal")
    needs_player: ClassVar[bool] = False
    grid: tuple[str, ...] = ()
    leftovers: tuple[Leftover, ...] = ()
    deals: tuple[int, ...] = ()
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class Go(Move):
    """The round begins."""

    doing: ClassVar[str] = N_("begin the round")

    needs_player: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Lay(Move):
    """A card onto a cell; `said` is the value said aloud, if anybody heard it."""

    doing: ClassVar[str] = N_("lay a card")

    needs_player: ClassVar[bool] = False
    cell: int
    card: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class TakeBack(Move):
    """The top card of a cell goes back into the hand it came from; or the one named, from under others."""

    doing: ClassVar[str] = N_("take a card back")

    needs_player: ClassVar[bool] = False
    cell: int
    card: str = ""


@dataclass(frozen=True, slots=True)
class Lies(Move):
    """What lies on a cell, after something that nobody could follow; nothing is ruled on how it came there. A card of
    the cell's pile: what lay above it is back in the hands. A card from the top of another cell was moved. Any other
    was laid: on what is left when `taken` cards are taken off, over `hidden` cards that nobody saw, or it is itself
    the hidden card that then lies on top."""

    doing: ClassVar[str] = N_("say what lies there")

    needs_player: ClassVar[bool] = False
    cell: int
    card: str
    hidden: int = 0
    taken: int = 0


@dataclass(frozen=True, slots=True)
class Stop(Move):
    """'Stop!': nobody lays until the table is in order again. The photo finish comes along where a token was struck."""

    doing: ClassVar[str] = N_("call Stop!")

    needs_player: ClassVar[bool] = False
    finish: Finish | None = None


@dataclass(frozen=True, slots=True)
class GoOn(Move):
    doing: ClassVar[str] = N_("go on")
    needs_player: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Out(Move):
    """'I'm out!': the last card is laid. Several are `tied` where their claims cannot be told apart."""

    doing: ClassVar[str] = N_("be out")

    tied: tuple[str, ...] = ()
    finish: Finish | None = None


@dataclass(frozen=True, slots=True)
class Stuck(Move):
    """'Nobody can lay any more.'"""

    doing: ClassVar[str] = N_("end the round")

    needs_player: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Left(Move):
    """How many cards a player has left at the end of a round that nobody finished."""

    doing: ClassVar[str] = N_("count the cards left")

    cards: int
