"""What comes in from a broker, read strictly: whatever does not fit is refused in a sentence."""

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Any

from companion.board.jpeg_head import size_of
from companion.core.codec import parsed, read
from companion.core.errors import MalformedError
from companion.publishing.entry_payloads import (
    VERSION,
    EndNow,
    EntryNow,
    HeadNow,
    PieceNow,
    RunNow,
    SaidNow,
    StandingNow,
)
from companion.publishing.payloads import ClockNow
from companion.publishing.thumbnail import LARGEST as LARGEST_PICTURE
from companion.publishing.thumbnail import ThumbnailNow

LARGEST = 64 * 1024  # bytes; the largest entries have some three thousand
MOST_NUMBER = 1_000_000
_TABLE = re.compile("[a-z0-9][a-z0-9_-]{0,31}")
_MATCH = re.compile("[0-9a-zA-Z_-]{1,64}")
_HASH = re.compile("[0-9a-f]{32}")
_KIND = re.compile("[a-z0-9-]{1,32}")
MOST_PLAYERS = 12
MOST_CARDS = 64  # of a picture
MOST_PIXELS = 640  # along a side
LONGEST_NAME = 200
LONGEST_MOMENT = 40  # letters
MOST_POINTS = 1_000_000  # what a database can hold, and more than anybody has
LONGEST_RUN = 1_000_000.0  # seconds
MOST_PIECES = 20  # of what a run is compared by
LONGEST_SAID = 20_000  # letters; the longest of ours have a few hundred
DEEPEST = 5  # sentences within sentences
_BLANK = re.compile("[a-z_][a-z0-9_]*", re.IGNORECASE)
_FORM = re.compile("[^<>^=0-9]*")  # no width: a sentence as long as somebody likes


@dataclass(frozen=True, slots=True)
class ClocksNow:
    """What `state` says of the time."""

    match: str
    status: str
    moves: int
    clocks: tuple[ClockNow, ...]
    until: float | None
    as_of: str


def is_table(name: str) -> bool:
    return _TABLE.fullmatch(name) is not None


def read_entry_now(content: bytes, table: str) -> EntryNow:
    """An entry that came under the name of this table."""
    found = read(EntryNow, _object(content), "entry")
    _must_fit(found, table)
    if found.number and not _HASH.fullmatch(found.before):
        raise MalformedError("entry.before is no hash.")
    if not _KIND.fullmatch(found.kind) or not _KIND.fullmatch(found.game):
        raise MalformedError("entry.kind and entry.game must be words.")
    if len(found.began) > LONGEST_MOMENT or not found.began.isprintable():
        raise MalformedError("entry.began is no moment.")
    for said in found.said:
        _must_be_speakable(said)
    if found.finish is not None and not _are_players([one.name for one in found.finish.order]):
        raise MalformedError("entry.finish.order: there are too many, or a name is too long.")
    if found.standing is not None:
        _must_be_possible(found.standing)
    return found


def _must_be_possible(standing: StandingNow) -> None:
    players, over = standing.players, standing.over
    if not _are_players([player.name for player in players]):
        raise MalformedError("entry.standing.players: there are too many, or a name is too long.")
    if any(abs(player.score) > MOST_POINTS for player in players):
        raise MalformedError(f"entry.standing.players: a score must be from -{MOST_POINTS} to {MOST_POINTS}.")
    if over is not None:
        _must_be_speakable(over)
        if over.run is not None:
            _must_be_a_run(over.run)


def _must_be_a_run(run: RunNow) -> None:
    if not _is_name(run.player) or len(run.course) > MOST_PIECES:
        raise MalformedError("entry.standing.over.run: it is of nobody, or its course is too long.")
    if not (0 <= run.used <= LONGEST_RUN and 0 <= run.left <= MOST_POINTS):
        raise MalformedError("entry.standing.over.run: so long does nobody play.")
    for piece in run.course:
        _must_be_speakable(piece)


def _are_players(names: list[str]) -> bool:
    return len(names) <= MOST_PLAYERS and all(map(_is_name, names))


def _is_name(name: str) -> bool:
    """Not all databases hold a text with a zero byte in it."""
    return len(name) <= LONGEST_NAME and "\0" not in name


def read_head_now(content: bytes, table: str) -> HeadNow:
    found = read(HeadNow, _object(content), "head")
    _must_fit(found, table)
    return found


def read_clocks_now(content: bytes) -> ClocksNow:
    data = _object(content)
    known = ("match", "status", "moves", "clocks", "until", "as_of")
    return read(ClocksNow, {key: data[key] for key in known if key in data}, "state")


@dataclass(frozen=True, slots=True)
class TablePicture:
    """The cards on a table as its camera sees them; without a match there is none any more. `tag` names this one."""

    match: str = ""
    wide: int = 0
    high: int = 0
    cards: tuple[str, ...] = ()
    jpeg: bytes = b""

    @property
    def tag(self) -> str:
        return hashlib.sha256(self.jpeg).hexdigest()[:16]


def read_table_picture(content: bytes, table: str) -> TablePicture:
    if not content:
        return TablePicture()
    found = read(ThumbnailNow, _object(content), "thumbnail")
    if found.table != table or not _MATCH.fullmatch(found.match) or len(content) > LARGEST_PICTURE:
        raise MalformedError("it is of another table, of no match, or too large.")
    try:
        jpeg = base64.b64decode(found.jpeg, validate=True)
    except ValueError:
        raise MalformedError("jpeg is no base64.") from None
    size = size_of(jpeg)
    if size is None or size != (found.wide, found.high) or max(size) > MOST_PIXELS:
        raise MalformedError(f"jpeg is no picture of {found.wide} × {found.high}.")
    if len(found.cards) > MOST_CARDS or any(len(one.card) > LONGEST_NAME for one in found.cards):
        raise MalformedError("cards: there are too many, or a name is too long.")
    return TablePicture(found.match, found.wide, found.high, tuple(one.card for one in found.cards), jpeg)


def _object(content: bytes) -> dict[str, Any]:
    if len(content) > LARGEST:
        raise MalformedError(f"it has {len(content)} bytes, and {LARGEST} are the most.")
    found = parsed(content)
    if not isinstance(found, dict):
        raise MalformedError("it must be an object.")
    version = found.get("version", VERSION)
    if isinstance(version, int) and version > VERSION:
        raise MalformedError(f"it has version {version}, and this board reads {VERSION}: update the board.")
    return found


def _must_be_speakable(one: SaidNow | EndNow | PieceNow) -> None:
    """What is put together from a text and its facts is a sentence, and nothing that fills the memory."""
    try:
        length = _length(one.text, one.facts, DEEPEST)
    except (ValueError, TypeError):
        raise MalformedError(f"{one.text[:40]!r} is no text of a sentence.") from None
    if length > LONGEST_SAID:
        raise MalformedError(f"{one.text[:40]!r}: the sentence is longer than {LONGEST_SAID} letters.")


def _length(text: str, facts: Mapping[str, Any], depth: int) -> int:
    """How long a sentence becomes. A ValueError where its text has anything but plain blanks and forms of a number."""
    if depth == 0:
        raise ValueError("too deep")
    lengths = {name: _length_of_fact(fact, depth) for name, fact in facts.items()}
    found = 0
    for literal, name, form, conversion in Formatter().parse(text):
        found += len(literal)
        if name is None:
            continue
        if conversion or not _BLANK.fullmatch(name) or not _FORM.fullmatch(form or ""):
            raise ValueError("no blank of ours")
        found += lengths.get(name, 0) + len(form or "") * (1 + max(lengths.values(), default=0))
    return found


def _length_of_fact(fact: Any, depth: int) -> int:
    if isinstance(fact, Mapping):
        if fact.keys() != {"text", "facts"} or not isinstance(fact["text"], str) or not isinstance(fact["facts"], dict):
            raise ValueError("no piece of a sentence")
        return _length(fact["text"], fact["facts"], depth - 1)
    if isinstance(fact, list):
        return sum(_length_of_fact(item, depth) + 2 for item in fact)
    return len(str(fact))


def _must_fit(found: EntryNow | HeadNow, table: str) -> None:
    if found.table != table:
        raise MalformedError(f"it says it is of table {found.table[:40]!r}.")
    if not _MATCH.fullmatch(found.match):
        raise MalformedError("match is not the code of a match.")
    if not _HASH.fullmatch(found.hash):
        raise MalformedError("hash is no hash.")
    if not 0 <= found.number <= MOST_NUMBER:
        raise MalformedError(f"number must be from 0 to {MOST_NUMBER}.")
