"""What stands around the display, as whoever puts the table together says it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.core.seats import BotSeats
from companion.devices.camera import RoomCamera
from companion.devices.device import Part
from companion.doctor.health import Finding
from companion.journal import Journal
from companion.teaching.teaching_desk import TeachingDesk

if TYPE_CHECKING:
    from companion.config.table_file import Configuration


@dataclass(slots=True)
class Surroundings:
    journal: Journal | None = None
    unkept: str = ""  # why there is no journal
    is_journal_lent: bool = False  # to be mended
    camera: RoomCamera | None = None
    draws: bool = False  # cards are drawn beside it
    bot_seats: BotSeats = field(default_factory=BotSeats)
    bots: Callable[[], frozenset[str]] = frozenset  # who of the match is played by the machine
    stays: bool = False  # there is nothing behind it that somebody could want to go to
    practise: Callable[[str, int], None] | None = None  # leads somebody through a first round of a game
    publishing: Callable[[], Finding] | None = None  # what the doctor is told of it
    configuration: "Configuration | None" = None  # of this table, if not the usual one
    teaching: TeachingDesk | None = None  # where a deck is taught
    parts: Callable[[], tuple[Part, ...]] = tuple  # the devices that are supervised

    @property
    def has_board(self) -> bool:
        """This computer shows the match on phones, or is to."""
        return self.configuration is not None and self.configuration.board.on

    @property
    def has_bg_stats(self) -> bool:
        """A match that is over can be handed to that app."""
        return self.configuration is None or self.configuration.bg_stats
