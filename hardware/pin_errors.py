"""What can be wrong with pins, each in one sentence for whoever wired them."""

from companion.core.errors import CompanionError


class PinsError(CompanionError):
    """Something about the pins; the table goes on by touch."""


class NoChipError(PinsError, FileNotFoundError):
    """There is no GPIO chip of that name, or none that looks like a Pi's header."""


class NoPermissionError(PinsError, PermissionError):
    """The chip is there, and this user may not use it."""


class NoLineError(PinsError, ValueError):
    """The chip has no line of that number."""


class LineTakenError(PinsError):
    """Another program, or the kernel itself, holds the line."""


class ChipGoneError(PinsError, OSError):
    """The chip went away while it was in use."""


class WiringError(PinsError, ValueError):
    """The configuration of the pins does not describe a table that could be wired."""


class NotWiredError(WiringError):
    """No file says what is wired; there may be no buttons at all."""
