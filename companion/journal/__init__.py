"""The journal: what was played, on disk before anybody is told.

`journal` is the open file and what can be asked of it, `keeper` writes a match, `file` the database under both;
`rows` says what is in it, `log` and `inspection` what a file is before anything touches it.
"""

from companion.journal.file import PATIENCE
from companion.journal.inspection import look_at, look_through
from companion.journal.journal import Best, Journal, KeptTrial, Stored, Summary, mended_beside, nothing
from companion.journal.keeper import FOULS_BETWEEN_MOVES, Keeper, KeptFoul
from companion.journal.log import FRAME_HEADER, LOG_HEADER
from companion.journal.rows import APPLICATION, MIGRATIONS, PAGE, TABLES, checksum

__all__ = (
    "APPLICATION",
    "FOULS_BETWEEN_MOVES",
    "FRAME_HEADER",
    "LOG_HEADER",
    "MIGRATIONS",
    "PAGE",
    "PATIENCE",
    "TABLES",
    "Best",
    "Journal",
    "Keeper",
    "KeptFoul",
    "KeptTrial",
    "Stored",
    "Summary",
    "checksum",
    "look_at",
    "look_through",
    "mended_beside",
    "nothing",
)
