"""How a match is sat down at: its referee, a clock and the devices of the table are put together here, whoever plays:
people at a screen or at a drawn table, a program at the door, a camera, bots."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from companion.core.card_ways import is_seen
from companion.core.referee import Referee
from companion.core.session import Session
from companion.inputs.presses import Presses
from companion.seat.table import PlainTable, Seated

if TYPE_CHECKING:
    from companion.devices.camera import RoomCamera

TableFor = Callable[[Session], Seated]  # with the devices that there are
T = TypeVar("T", bound=Seated)


def sit_down(referee: Referee, clock: Callable[[], int] | None, table_for: Callable[[Session], T]) -> T:
    """The referee has the match and its journal; `clock` stamps what has no stamp, and where there is none everything
    brings its own."""
    return table_for(Session(referee, clock))


def table_with(session: Session, presses: Presses | None, camera: "RoomCamera | None" = None, **watched: Any) -> Seated:
    """A table with these devices. A camera watches where the house lets it look; how, `watched` says."""
    setup = session.referee.match.setup
    if camera is not None and is_seen(setup.game, setup.house):
        from companion.seat.watched_table import WatchedTable  # noqa: PLC0415  (a table without a camera needs no eye)

        return WatchedTable(session, camera, presses, **watched)
    return PlainTable(session, presses)
