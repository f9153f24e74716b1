"""Whether everything in the file is as it was written, and nothing is missing: read from beginning to end."""

from itertools import groupby

from companion.exc import JournalDamagedError
from companion.journal.chain import BEGINNING, broken, link
from companion.journal.file import File
from companion.journal.rows import MIGRATIONS, TABLES, is_sound
from companion.sentence import Sentence

_WITHOUT_AN_ENTRY = """
    SELECT id >> 32 FROM entry GROUP BY id >> 32
    HAVING count(*) != max(number) + 1 OR id >> 32 NOT IN (SELECT id FROM match)
    UNION SELECT id FROM match WHERE id NOT IN (SELECT match FROM entry) LIMIT 1
    """
_CHAINED = """
    SELECT match.chain, entry.match, number, kind, body, entry.chain FROM entry JOIN match ON match.id = entry.match
    ORDER BY entry.id
    """


def check(file: File, version: int = len(MIGRATIONS)) -> None:
    """Raise if it is damaged. Of an older version what that had is looked at."""
    if not version:
        return
    found = file.run("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise JournalDamagedError(found.splitlines()[-1])
    for table in TABLES[: TABLES.index("fact")] if version == 1 else TABLES:
        for row in file.run(f"SELECT * FROM {table}"):
            if not is_sound(table, row):
                raise JournalDamagedError(Sentence("a row of its table {table} is not what was written", table=table))
    if lost := file.run(_WITHOUT_AN_ENTRY).fetchone():
        raise JournalDamagedError(Sentence("an entry of match {match} is missing", match=lost[0]))
    if file.run("SELECT count(*) != coalesce(max(id), 0) FROM match").fetchone()[0]:
        raise JournalDamagedError("a match is missing")  # said
    if version == len(MIGRATIONS):
        _check_chains(file)


def _check_chains(file: File) -> None:
    """That each entry follows the one before it, to the end of a match that is over."""
    for (last, match), entries in groupby(file.run(_CHAINED), lambda row: row[:2]):
        chain, is_chained = BEGINNING, False
        for _, _, number, kind, body, kept in entries:
            chain = link(chain, number, kind, body)
            must_be_chained = is_chained or kept is not None  # the first ones may be from before there were chains
            if must_be_chained and kept != chain:
                raise JournalDamagedError(Sentence("of match {match} {broken}", match=match, broken=broken(number)))
            is_chained = kept is not None
        if last not in (None, chain):
            raise JournalDamagedError(Sentence("the last entry of match {match} is missing", match=match))
