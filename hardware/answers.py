"""What the arbiter answers: what the world has to know or do."""

from dataclasses import dataclass

from companion.core.photo_finish import Finish


@dataclass(frozen=True, slots=True)
class Answer:
    """Something the world has to know or do."""


@dataclass(frozen=True, slots=True)
class WakeAt(Answer):
    """Tell me the time at `at`, and the levels then."""

    at: int


@dataclass(frozen=True, slots=True)
class Settled(Answer):
    finish: Finish


@dataclass(frozen=True, slots=True)
class Void(Answer):
    """A press that does not count, and why: idle (the token was not armed), held (down since before it was armed),
    stuck, bounce or early (the seat may not strike yet), all four of which have to come up first, late (somebody else's
    strike stands)."""

    seat: str
    at: int
    why: str
    behind: int | None = None  # how much later than the strike that stands; early: than it would count, negative


@dataclass(frozen=True, slots=True)
class Amended(Answer):
    """A stamp that came when the strike was settled already, and this is how it ought to have been settled."""

    seat: str
    behind: int  # how much later than the first of the finish that stood; negative if it was earlier
    stood: Finish
    finish: Finish


@dataclass(frozen=True, slots=True)
class Brief(Answer):
    """A press that was shorter than a finger's; it counts."""

    seat: str
    at: int
    lasted: int


@dataclass(frozen=True, slots=True)
class Stuck(Answer):
    """A button that has been down for too long; it is left out until it comes up."""

    seat: str
    since: int


@dataclass(frozen=True, slots=True)
class Freed(Answer):
    """A button that was held or stuck has come up and counts again."""

    seat: str
