"""`companion doctor` without the table's screen: one round of all devices, in lines or as data."""

import os
import socket
import time
from collections.abc import Callable
from pathlib import Path

from companion.config.table_file import UNPUBLISHED, Configuration
from companion.core.codec import plain, written
from companion.core.errors import JournalDamagedError, JournalError
from companion.devices.lock import is_open
from companion.doctor.health import AILING, LOOKING, MISSING, WORKS, Around, Finding, Rounds, usual_checks
from companion.journal import look_through

PATIENCE = 30.0  # seconds in which a device must have shown how it is
REACHING = 5.0  # seconds for the way to a broker
WELL, ILL = 0, 1  # exit codes
UNSEEN = ("screen",)  # what only the table itself can tell of
IN_USE = Finding("camera", "in use", "The table is open and has it: its own doctor says how it is.")

Say = Callable[[str], None]


def findings(
    journal: Path, configuration: Configuration | None = None, patience: float = PATIENCE
) -> tuple[Finding, ...]:
    """What there is to say of each device. One that does not answer is a finding too."""
    checks = usual_checks(Around(lambda: (0, 0), journal, configuration=configuration))
    if hidden := why_unreadable(journal):
        checks["journal"] = lambda: Finding("journal", AILING, hidden)
    elif not journal.exists():
        checks["journal"] = lambda: of_no_journal(journal)
    elif "journal" in checks and not is_open(journal):  # what a table writes just now is its own affair
        checks["journal"] = lambda room=checks["journal"]: why_damaged(journal) or room()  # type: ignore[misc]
    if is_open(journal):
        checks["camera"] = lambda: IN_USE
    if configuration is not None:
        checks["publishing"] = lambda: of_publishing(configuration)
    rounds = Rounds({device: check for device, check in checks.items() if device not in UNSEEN})
    rounds.look()
    until = time.monotonic() + patience
    while rounds.is_looking and time.monotonic() < until:
        time.sleep(0.05)
    return tuple(map(_answered, rounds.findings))


def _answered(found: Finding) -> Finding:
    if found.state != LOOKING:
        return found
    return Finding(found.device, "does not answer", "It was looked at for too long and has not answered.")


def why_unreadable(journal: Path) -> str:
    """Why this user cannot look into a journal that may be there, in a sentence; empty if that is not so."""
    try:
        if not journal.exists() or os.access(journal, os.R_OK):
            return ""
    except PermissionError:
        pass
    except OSError as error:
        return f"The journal {journal} cannot be looked at: {error.strerror or error}."
    return f"The journal {journal} may not be read by this user: try it with sudo."


def must_be_readable(journal: Path) -> None:
    """Or not there at all."""
    if hidden := why_unreadable(journal):
        raise JournalError(hidden)


def why_damaged(journal: Path) -> Finding | None:
    """Nothing, if it is a journal of which nothing is missing and every entry follows the one before it."""
    try:
        look_through(journal)
    except JournalDamagedError as error:
        remedy = "What is sound in it is saved when it is opened next."
        return Finding("journal", AILING, f"{journal.name} is no journal, or a damaged one: {error}.", remedy)
    except JournalError as error:
        return Finding("journal", AILING, str(error))
    return None


def of_no_journal(path: Path) -> Finding:
    """It is made with the first match, if it can be."""
    try:
        nearest = next(folder for folder in path.absolute().parents if folder.exists())
        can_be_made = nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)
    except OSError:
        can_be_made = False
    if can_be_made:
        return Finding("journal", WORKS, f"No match is kept yet; the first one makes {path}.")
    return Finding("journal", MISSING, f"No match can be kept: {path} cannot be made there; name another file.")


def of_publishing(configuration: Configuration) -> Finding:
    """Whether results go out, and whether anybody is there to take them; what a broker says to the table's name and
    password only the table itself can tell."""
    from companion.publishing.broker import reason  # noqa: PLC0415  (loads ssl, which a copy of the journal needs not)

    wish = configuration.publish
    if wrong := next((notice for notice in configuration.notices if notice.endswith(UNPUBLISHED)), ""):
        return Finding("publishing", AILING, "Nothing is published.", detail=wrong)
    if not wish.on:
        return Finding("publishing", WORKS, "Nothing is published, as nobody has switched it on.")
    try:
        socket.create_connection(wish.where, REACHING).close()
    except OSError as error:
        return Finding("publishing", AILING, reason(error))
    host, port = wish.where
    said = f"Somebody listens at port {port} of {host}; this table is published as {wish.table}."
    return Finding("publishing", WORKS, said)


def examine(journal: Path, say: Say, configuration: Configuration | None = None, *, as_json: bool) -> int:
    """Say how everything is."""
    found = findings(journal, configuration)
    if as_json:
        say(written(plain(found)))
    else:
        for one in found:
            say(line(one))
    return WELL if all(one.state in (WORKS, IN_USE.state) for one in found) else ILL


def line(found: Finding) -> str:
    told = " ".join(filter(None, (found.sentence, found.remedy, found.detail)))
    return f"{found.device:13} {found.state:9} {told}"
