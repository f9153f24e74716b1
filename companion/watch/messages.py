"""What is said to a watched table and by it, besides the messages and replies of a referee."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from companion.core.codec import read
from companion.core.errors import CompanionError, MalformedError, MatchError
from companion.core.game_print import decks
from companion.core.replies import EvidenceData, Reply
from companion.core.requests import Message, Request, read_message
from companion.core.rules import Game

CELLS = range(1, 10)


@dataclass(frozen=True, slots=True)
class LookRequest(Request):
    """Look again at a cell that is wrong; without `cell`, at all nine."""

    word: ClassVar[str] = "look"
    cell: int = 0


@dataclass(frozen=True, slots=True)
class Really(Request):
    """A card that was read as `read` on a cell is really `card`: its play, and all that came after it, is ruled on
    again. `preview`, `counts` and `as_of` are those of a correction."""

    word: ClassVar[str] = "really"
    cell: int
    read: str
    card: str
    preview: bool = False
    counts: bool | None = None
    as_of: int | None = None


# --- what is told besides the replies of a session -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OutOfStepReply(Reply):
    """What lies on these cells (none: on the table) cannot be known, and how to get back in step. `at` is a stamp;
    `spots`: the places of the mat, where they are others than the cells."""

    kind: ClassVar[str] = "out-of-step"
    at: int
    cells: list[int]
    code: str
    sentence: str
    way_back: str
    spots: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class InStepReply(Reply):
    """The match and the table agree again; `took` nanoseconds."""

    kind: ClassVar[str] = "in-step"
    at: int
    cells: list[int]
    code: str
    took: int
    sentence: str


@dataclass(frozen=True, slots=True)
class PutRightReply(Reply):
    """A card that had been called illegal is off the table again."""

    kind: ClassVar[str] = "put-right"
    at: int
    cell: int
    card: str
    took: int
    sentence: str


@dataclass(frozen=True, slots=True)
class SeenReply(Reply):
    """Something was seen that changes nothing: a card read again, a card that slid to another cell."""

    kind: ClassVar[str] = "seen"
    at: int
    cells: list[int]
    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class LookedReply(Reply):
    """Without a game: the cell (0: all nine) is read anew."""

    kind: ClassVar[str] = "looking"
    at: int
    cell: int


@dataclass(frozen=True, slots=True)
class DisputedPlay:
    """A play as it stands now; `number` is that of the move, 0 for one that was refused."""

    number: int
    verdict: str  # legal, illegal, called, unruled, taken-back
    cell: int
    card: str
    covered: str
    sentence: str
    accepts: list[str]  # the values that the cell took
    player: str
    likely: list[str]  # other cards that it might be
    evidence: EvidenceData | None
    pictures: list[str]  # of the verdict, and of its moment


@dataclass(frozen=True, slots=True)
class DisputeReply(Reply):
    """Somebody called Stop!: the last plays, newest first; `page` is the picture of them, where pictures are kept."""

    kind: ClassVar[str] = "dispute"
    at: int
    plays: list[DisputedPlay]
    page: str


WATCH_REPLIES: tuple[type[Reply], ...] = (
    OutOfStepReply,
    InStepReply,
    PutRightReply,
    SeenReply,
    DisputeReply,
    LookedReply,
)


def message_reader(game: Game | None) -> Callable[[Any], Message]:
    """How what is said at a watched table is read: besides messages to the referee, what is for the eye; without a
    game that alone."""

    def read_message_of(data: Any) -> Message:
        word = data.get("do") if isinstance(data, dict) else None
        if word == LookRequest.word:
            return _read_look(data)
        if game is None:
            raise _needs_game(data)
        return read(Really, _without_do(data)) if word == Really.word else read_message(game, data)

    return read_message_of


def _needs_game(data: Any) -> CompanionError:
    if not isinstance(data, dict):
        return MalformedError("A message must be a JSON object.")
    games = ", ".join(decks().values())
    return MatchError(f'Without a game only {{"do": "look"}} is understood: add --game {games}.')


def _read_look(data: dict[str, Any]) -> LookRequest:
    found = read(LookRequest, _without_do(data))
    if found.cell not in (0, *CELLS):
        raise MalformedError(f"There is no cell {found.cell}; the cells are 1 to 9, row by row.")
    return found


def _without_do(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != "do"}
