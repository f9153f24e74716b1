"""Where a score sheet is saved: on the stick that is plugged in, else beside the journal; and what is said of it.

A table that the machine starts sees no stick: there the backup takes the sheets onto it when it is plugged in.
"""

import contextlib
import errno
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from companion.config.table_file import MACHINES_JOURNAL
from companion.core import wholefile as whole
from companion.core.errors import UnsureError
from companion.core.sentence import N_
from companion.journal.backup import SHEETS, BackupError, on_stick
from companion.words import Words

LONGEST = 80  # bytes of a file's name, of what any file system takes
FULL, READ_ONLY = N_("there is no room left"), N_("it is read-only")
FORBIDDEN, IN_THE_WAY = N_("nobody may write there"), N_("a file is in the way")
FAILS, PULLED_OUT = N_("it does not work any more"), N_("it was pulled out")
WHY = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EROFS: READ_ONLY,
    errno.EACCES: FORBIDDEN,
    errno.EPERM: FORBIDDEN,
    errno.ENOTDIR: IN_THE_WAY,
    errno.EEXIST: IN_THE_WAY,
    errno.EISDIR: IN_THE_WAY,
    errno.EIO: FAILS,
    errno.ENODEV: PULLED_OUT,
    errno.ENXIO: PULLED_OUT,
}


@dataclass(frozen=True, slots=True)
class SavePlace:
    """A folder that sheets may be saved in."""

    folder: Path
    is_stick: bool = False
    is_carried: bool = False  # nobody gets there, and what lies there is copied onto a stick that is plugged in

    def make(self) -> None:
        """A folder that leads elsewhere, as anybody may have put it onto a stick, is none."""
        if self.folder.is_symlink():
            raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(self.folder))
        self.folder.mkdir(parents=True, exist_ok=True)


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of a sheet, in sentences."""

    path: Path | None
    sentences: tuple[str, ...]


def places(journal: Path | None) -> Iterator[SavePlace]:
    """The best first."""
    with contextlib.suppress(BackupError):
        yield SavePlace(on_stick() / SHEETS, is_stick=True)
    if journal is not None:
        yield SavePlace(journal.absolute().parent / SHEETS, is_carried=journal.absolute() == MACHINES_JOURNAL)


def file_name(title: str, players: Iterable[str], when: date | None, code: str) -> str:
    """A name that says what it is, and that every file system takes."""
    said = " ".join((title, *players))
    plain = " ".join("".join(letter if letter.isalnum() else " " for letter in said).split())
    short = plain.encode()[:LONGEST].decode(errors="ignore").strip()
    return f"{when.isoformat() if when else 'match'} {short} {code[:8]}.pdf"


def save(content: bytes, name: str, found: Iterable[SavePlace], words: Words) -> Saved:
    """In the first of the places that takes it; a sentence for each that does not."""
    said = []
    for place in found:
        path = place.folder / name
        try:
            place.make()
            whole.write(path, content)
        except UnsureError:
            said.append(words.say("{file} is written, but its disk fails: write it again, or elsewhere.", file=path))
        except OSError as error:
            said.append(_refused(place, error, words))
            continue
        else:
            said.append(_said(place, path, words))
        return Saved(path, tuple(said))
    if not said:
        said = [words.say("There is no place for the score sheet: plug in a stick that is called COMPANION.")]
    return Saved(None, tuple(said))


def _said(place: SavePlace, path: Path, words: Words) -> str:
    if place.is_stick:
        return words.say("The score sheet is on the stick: {file}", file="/".join(path.parts[-3:]))
    if place.is_carried:
        return words.say(
            "The score sheet is saved, and is copied onto a stick called COMPANION when one is plugged in."
        )
    return words.say("The score sheet is saved: {file}", file=path)


def _refused(place: SavePlace, error: OSError, words: Words) -> str:
    known = WHY.get(error.errno or 0)
    why = words.say(known) if known else error.strerror or str(error)
    if place.is_stick:
        return words.say("The stick does not take the score sheet: {why}.", why=why)
    said = words.say("The score sheet cannot be saved in {folder}: {why}.", folder=place.folder, why=why)
    remedy = words.say("Plug in a stick that is called COMPANION, and try again.")
    return f"{said} {remedy}"
