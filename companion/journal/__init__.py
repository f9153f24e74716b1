"""The journal: what was played, on disk before anybody is told.

`journal` is the open file, `queries` what can be asked of it and `records` the answers, `keeper` writes a match, `file`
is the database under all of them; `rows` says what is in it, `log` and `inspection` what a file is before anything
touches it.
"""

from companion.journal.inspection import look_through
from companion.journal.journal import Journal, nothing
from companion.journal.keeper import Keeper, KeptFoul
from companion.journal.records import KeptTrial, Stored, Summary
from companion.journal.rows import TABLES

__all__ = ("TABLES", "Journal", "Keeper", "KeptFoul", "KeptTrial", "Stored", "Summary", "look_through", "nothing")
