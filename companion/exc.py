"""What can go wrong outside the rules of a game. Each message is one sentence for the person at the table."""


class CompanionError(Exception):
    """Anything the companion has to tell its user about; the command line ends with exit code 2."""


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


class JournalError(CompanionError, OSError):
    """The journal cannot be read or written."""


class JournalTooNewError(JournalError):
    """The journal was written by a newer companion."""


class JournalDamagedError(JournalError):
    """The journal file is not as it was written; the message says how that showed."""


class FieldError(CompanionError, ValueError):
    """A Threepia field file that does not describe a field."""


class ImportedMatchError(CompanionError, ValueError):
    """A match file that cannot be taken in."""
