"""What players can do."""

from dataclasses import dataclass
from typing import ClassVar

from companion.core.rules import Move
from companion.core.sentence import N_


@dataclass(frozen=True, slots=True)
class Deal(Move):
    """The field is laid out and everybody has a hand. `field` names a card for each place, if somebody shows them.
    `picture` draws where the places are, row by row, if the field is taken as it was laid, and `name` is what it is
    called."""

    doing: ClassVar[str] = N_("deal")
    needs_player: ClassVar[bool] = False

    field: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()  # of who plays alone, if it is shown
    picture: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True)
class Begin(Move):
    """This player starts, and so do the clocks."""

    doing: ClassVar[str] = N_("begin")


@dataclass(frozen=True, slots=True)
class Lay(Move):
    """A card onto a place of the field. Nobody needs to show either where the field was not shown."""

    doing: ClassVar[str] = N_("lay a card")
    concealed: ClassVar[tuple[str, ...]] = ("card",)

    place: str = ""
    card: str = ""
    turned: int = 0  # quarter turns clockwise
    points: int | None = None  # not said: the referee counts them, or they are owed
    lies: bool = False  # the table lets it lie, whether it fits or not
    drawn: tuple[str, ...] = ()  # alone, the cards that are drawn after the last of a hand, if they are shown


@dataclass(frozen=True, slots=True)
class Draw(Move):
    """No card fits: one is drawn, if there is one, and the turn is over."""

    doing: ClassVar[str] = N_("draw")

    drawn: tuple[str, ...] = ()  # alone, the card that is drawn, if it is shown


@dataclass(frozen=True, slots=True)
class Points(Move):
    """The points that a player owes."""

    doing: ClassVar[str] = N_("enter points")

    points: int


@dataclass(frozen=True, slots=True)
class DeckEmpty(Move):
    """The deck on the table is used up, whatever the referee has counted."""

    doing: ClassVar[str] = N_("call the deck empty")


@dataclass(frozen=True, slots=True)
class DeckCount(Move):
    """So many cards are left in the deck on the table, whatever the referee has counted."""

    doing: ClassVar[str] = N_("count the deck")

    cards: int


@dataclass(frozen=True, slots=True)
class TimeUp(Move):
    """The clock of the turn has run out. The referee says so."""

    doing: ClassVar[str] = N_("time up")
    by_referee: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Finish(Move):
    """Enough of a relaxed game."""

    doing: ClassVar[str] = N_("finish")
