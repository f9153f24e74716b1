"""What players can do."""

from dataclasses import dataclass
from typing import ClassVar

from companion.core.photo_finish import Finish
from companion.core.rules import Move
from companion.core.sentence import N_


@dataclass(frozen=True, slots=True)
class ShowCard(Move):
    """The card that a player drew for dealer."""

    doing: ClassVar[str] = N_("draw for dealer")

    card: str


@dataclass(frozen=True, slots=True)
class Dealer(Move):
    """The table says who deals, without drawing for it."""

    doing: ClassVar[str] = N_("choose the dealer")


@dataclass(frozen=True, slots=True)
class Deal(Move):
    """Three cards on the table and seven for everybody; `hands` by seat, or empty where nobody shows them."""

    doing: ClassVar[str] = N_("deal")
    concealed: ClassVar[tuple[str, ...]] = ("hands",)

    table: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Fill(Move):
    """A turn begins: one card turned up to make the table three again. Where cards are only counted, the action card
    that turned up in this turn; "?" is any other, where the referee asks for each."""

    doing: ClassVar[str] = N_("fill the table")

    card: str


@dataclass(frozen=True, slots=True)
class Play(Move):
    """One card of the table with one or two cards of the hand."""

    doing: ClassVar[str] = N_("play")

    table_card: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lay(Move):
    """A play where cards are only counted: how many of the hand, the action card among them, and whether all three were
    of one colour."""

    doing: ClassVar[str] = N_("lay cards")

    cards: int = 1
    action: str = ""  # reverse, skip, plus3
    one_colour: bool = False
    drew: bool = False  # the card was drawn just before


@dataclass(frozen=True, slots=True)
class Draw(Move):
    """One card drawn instead of a play. `card` is empty if nobody shows it."""

    doing: ClassVar[str] = N_("draw")
    concealed: ClassVar[tuple[str, ...]] = ("card",)

    card: str = ""


@dataclass(frozen=True, slots=True)
class Keep(Move):
    """The card just drawn is not played. Where cards are only counted it says that one was drawn, too."""

    doing: ClassVar[str] = N_("keep the card")


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Everything that is due from a player, drawn. `cards` is empty if nobody shows them."""

    doing: ClassVar[str] = N_("draw what is due")
    concealed: ClassVar[tuple[str, ...]] = ("cards",)

    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """No play, and no card left to draw."""

    doing: ClassVar[str] = N_("pass")


@dataclass(frozen=True, slots=True)
class Tres(Move):
    """'Tres': I have exactly three cards, or shall have when this turn is over. The photo finish comes along where
    somebody tried to catch the player at the same time: that is in time."""

    doing: ClassVar[str] = N_("say tres")

    finish: Finish | None = None


@dataclass(frozen=True, slots=True)
class Catch(Move):
    """Another player has three cards and did not say so. The photo finish comes along where a token was struck."""

    doing: ClassVar[str] = N_("catch anybody")

    whom: str
    finish: Finish | None = None
