"""What can go wrong outside the rules of a game. Each message is one sentence for the person at the table."""

from companion.core.sentence import Sentence

# What a terminal would obey is written as JSON writes it, so that it means the same there, and elsewhere nothing.
OBEYED = {
    code: f"\\u{code:04x}" for code in (*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
}


class CompanionError(Exception):
    """Anything the companion has to tell its user about; the command line ends with exit code 2."""

    def __str__(self) -> str:
        """One line, whatever it repeats of what somebody wrote."""
        return super().__str__().translate(OBEYED)

    @property
    def sentence(self) -> str:
        """The same for a screen; what a terminal would obey is told as it is printed there."""
        told = self.args[0] if len(self.args) == 1 else None
        return told if isinstance(told, Sentence) and str(self) == told else str(self)


class HouseRuleError(CompanionError, ValueError):
    """A house rule that does not exist, or a value it cannot have."""


class PlayersError(CompanionError, ValueError):
    """Too few, too many, nameless or doubled players."""


class MalformedError(CompanionError, ValueError):
    """A message that is not of the form that docs/protocol.md describes."""


class MatchError(CompanionError):
    """Something a match cannot do now: nothing to undo, no such move, already over."""


class TimeError(MatchError, ValueError):
    """A stamp older than what has already been ruled on."""


class UnsureError(OSError):
    """A file was written, and nobody knows whether it will still be there after a power cut."""


class JournalError(CompanionError, OSError):
    """The journal cannot be read or written."""


class JournalUnsureError(JournalError):
    """Nobody knows whether what was written last is in the journal, and it cannot be read just now."""


class JournalTooNewError(JournalError):
    """The journal was written by a newer companion."""


class JournalDamagedError(JournalError):
    """The journal file is not as it was written; the message says how that showed."""


class FieldError(CompanionError, ValueError):
    """A Threepia field file that does not describe a field."""


class ImportedMatchError(CompanionError, ValueError):
    """A match file that cannot be taken in."""


class UnreadableError(CompanionError, OSError):
    """A file of somebody's that is not read; `strerror` is the reason, as the system's own would be."""

    def __init__(self, path: object, why: str) -> None:
        super().__init__(why)
        self.filename, self.strerror = str(path), why

    def __str__(self) -> str:
        return f"{self.filename} cannot be read: {self.strerror}.".translate(OBEYED)


class NotPlainError(UnreadableError):
    """A folder, a pipe, a device or a socket where a file is wanted."""


class TooLargeError(UnreadableError):
    """A file that is larger than any of its kind."""

    def __init__(self, path: object, most: int) -> None:
        super().__init__(path, f"it is larger than {in_words(most)}")


class TooSlowError(UnreadableError):
    """A file that does not come within the time there is."""

    def __init__(self, path: object, patience: float) -> None:
        super().__init__(path, f"it did not come within {patience:g} s: copy it to this machine's own disk")


def in_words(size: int) -> str:
    """So many bytes, as people say it."""
    for unit, letters in ((1_000_000, "MB"), (1000, "kB")):
        if size >= unit:
            return f"{size // unit} {letters}"
    return f"{size} bytes"
