"""What players can do."""

from dataclasses import dataclass
from typing import ClassVar

from companion.core.photo_finish import Finish
from companion.core.rules import Move
from companion.core.sentence import N_


@dataclass(frozen=True, slots=True)
class Begin(Move):
    """The cards are dealt and this player, whom the table chose, starts."""

    doing: ClassVar[str] = N_("begin")


@dataclass(frozen=True, slots=True)
class Play(Move):
    """One card onto one's own pile, and one drawn while the deck lasts. `dog` is empty if nobody shows it."""

    doing: ClassVar[str] = N_("play a card")
    concealed: ClassVar[tuple[str, ...]] = ("dog",)

    dog: str = ""


@dataclass(frozen=True, slots=True)
class Declare(Move):
    """'I have three of these', at the start of one's own turn."""

    doing: ClassVar[str] = N_("declare")
    concealed: ClassVar[tuple[str, ...]] = ("dog",)

    dog: str


@dataclass(frozen=True, slots=True)
class Strike(Move):
    """A hand on the token. No player: one big button was struck, and the table says whose hand it was; or several
    are `tied`, because their strikes cannot be told apart. The photo finish comes along where there is one."""

    doing: ClassVar[str] = N_("strike")
    needs_player: ClassVar[bool] = False
    tied: tuple[str, ...] = ()
    finish: Finish | None = None


@dataclass(frozen=True, slots=True)
class Hand(Move):
    """'It was my hand', after a strike on the one big button."""

    doing: ClassVar[str] = N_("say whose hand it was")


@dataclass(frozen=True, slots=True)
class Choose(Move):
    """One who did not strike says which of the tied players has the call."""

    doing: ClassVar[str] = N_("choose who has the call")

    caller: str


@dataclass(frozen=True, slots=True)
class Call(Move):
    """Whoever struck names another player and a dog, by its name or its colour."""

    doing: ClassVar[str] = N_("call")
    concealed: ClassVar[tuple[str, ...]] = ("dog",)

    whom: str
    dog: str


@dataclass(frozen=True, slots=True)
class Release(Move):
    """No call followed the strike: the token is free again. The referee does it when the time is up."""

    doing: ClassVar[str] = N_("release the token")

    needs_player: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Check(Move):
    """The checked player says how many there were. `insist` stands by a number the referee has seen otherwise."""

    doing: ClassVar[str] = N_("answer a check")

    found: int | None = None  # not said: the referee counts, if it has seen every card
    insist: bool = False


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """Nothing, or nothing more, to declare in the last round; where nobody may ever declare: nobody calls any more."""

    doing: ClassVar[str] = N_("pass")
