"""What can be said to the referee: moves, and requests besides moves. docs/protocol.md describes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from companion.core.codec import read, read_optional
from companion.core.errors import MalformedError
from companion.core.record import moves_of, read_move
from companion.core.rules import Game, Move

LONGEST_LINE = 65_536  # bytes


@dataclass(frozen=True, slots=True)
class Request:
    """Something asked of the referee; `at` is a stamp of the sender's monotonic clock, `id` comes back as `re`."""

    word: ClassVar[str] = ""

    at: int | None = field(default=None, kw_only=True)
    id: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class Undo(Request):
    """Take back what was done last: a move, the referee's own at a deadline too, or a correction as a whole. Clocks
    stand as they stood then until somebody goes on: with a move, `redo` or `resume`."""

    word: ClassVar[str] = "undo"


@dataclass(frozen=True, slots=True)
class Redo(Request):
    """Make again what was undone last, a move or a correction; the time until then counts again."""

    word: ClassVar[str] = "redo"


@dataclass(frozen=True, slots=True)
class Pause(Request):
    """Stop all clocks, for a dispute."""

    word: ClassVar[str] = "pause"
    why: str = ""


@dataclass(frozen=True, slots=True)
class Resume(Request):
    """Go on after a pause, or after an undo: clocks run."""

    word: ClassVar[str] = "resume"


@dataclass(frozen=True, slots=True)
class Correct(Request):
    """Move `number`, counted from 1, was really `move`, which keeps its stamp; or none at all, where `move` is null.
    Everything after it is ruled on again: what cannot stand any more waits, and a later correction may bring it back.
    With `preview` only what would come of it is told. `counts`: whether what was played after an end that comes
    earlier now counts; it is needed where a preview `asks`. `as_of`: refused if the match is not as it was then, the
    `entries` of a preview."""

    word: ClassVar[str] = "correct"
    number: int
    move: Any
    preview: bool = False
    counts: bool | None = None
    as_of: int | None = None


@dataclass(frozen=True, slots=True)
class Abandon(Request):
    """End the match without a winner."""

    word: ClassVar[str] = "abandon"
    why: str = ""


@dataclass(frozen=True, slots=True)
class Rematch(Request):
    """The same players and house rules again, after the end of a match."""

    word: ClassVar[str] = "rematch"


@dataclass(frozen=True, slots=True)
class Time(Request):
    """Let time pass up to `at`: deadlines before it fall due."""

    word: ClassVar[str] = "time"


@dataclass(frozen=True, slots=True)
class Show(Request):
    """Tell the whole state of the match."""

    word: ClassVar[str] = "show"


@dataclass(frozen=True, slots=True)
class Advise(Request):
    """What the solver thinks of the position (Triplexity)."""

    word: ClassVar[str] = "advise"


@dataclass(frozen=True, slots=True)
class Touch(Request):
    """Press a simulated button: `key` is strike, tres, turn or stop, `seat` counts from 1 (0: the table's own). It is
    let go at once unless `down` says true (held) or false (let go)."""

    word: ClassVar[str] = "touch"
    key: str
    seat: int = 0
    down: bool | None = None


REQUESTS: tuple[type[Request], ...] = (Undo, Redo, Pause, Resume, Correct, Abandon, Rematch, Time, Show, Advise, Touch)
_REQUESTS = {request.word: request for request in REQUESTS}


# --- reading ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MoveMessage:
    move: Move
    at: int | None
    id: str


Message = MoveMessage | Request


def stamp_of(message: Message) -> int:
    """Of one that has its stamp."""
    assert message.at is not None
    return message.at


def read_message(game: Game, data: Any) -> Message:
    """A message, or a MalformedError that says what is wrong with it."""
    if not isinstance(data, Mapping):
        raise MalformedError("A message must be a JSON object.")
    rest = dict(data)
    if "move" in rest and "do" not in rest:
        identity = read(str, rest.pop("id", ""), "id")
        at = read_optional(int, rest.pop("at", None), "at")
        if isinstance(word := rest["move"], str) and word in _REQUESTS and word not in moves_of(game):
            raise MalformedError(f'{game.title} has no move \'{word}\': that is {{"do":"{word}"}}.')
        return MoveMessage(read_move(game, rest), at, identity)
    word = rest.pop("do", None)
    kind = _REQUESTS.get(word) if isinstance(word, str) else None
    if kind is None:
        raise MalformedError(f"A message has a move or a do, and do is one of {', '.join(_REQUESTS)}.")
    return read(kind, rest)
