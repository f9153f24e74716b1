"""What a screen shows, as data: items with boxes in pixels, and what a touch on each of them means."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from companion.core.clocks import MILLISECOND, SECOND, Clock
from companion.core.requests import Request
from companion.core.rules import Move
from companion.devices.camera import CameraStill, Corners, Film
from companion.display.art import FILLED
from companion.display.layout import Box, Size
from companion.reports.curve import Curve
from companion.reports.qr_code import Rows

# --- what a touch means ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Intent:
    """What somebody wants who touches something, presses its key or its button."""


@dataclass(frozen=True, slots=True)
class Say(Intent):
    """A message for the referee."""

    message: Move | Request


@dataclass(frozen=True, slots=True)
class Go(Intent):
    """To another screen; `about` is what it is to be about, where there is a choice."""

    screen: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Back(Intent):
    """To the screen before."""


@dataclass(frozen=True, slots=True)
class Mark(Intent):
    """Something chosen on this screen that the referee need not know yet; gone with the screen or the next ruling. What
    else was chosen stays, or only those that it `keeps`."""

    key: str
    value: Any = None
    keeps: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Run(Intent):
    """Start the clock that is kept in a mark, or stop it; one that has run out begins again. A clock that is given is
    kept there and started."""

    key: str
    on: bool = True
    clock: Clock | None = None


@dataclass(frozen=True, slots=True)
class ChangeTo(Intent):
    """Another set-up or other preferences: the whole of them, as the screen would have them."""

    to: Any  # a Draft or Prefs
    then: Intent | None = None


@dataclass(frozen=True, slots=True)
class Start(Intent):
    """Begin the match that is set up."""


@dataclass(frozen=True, slots=True)
class Practise(Intent):
    """Be led through a first round of a game, at a table that can do that."""

    game: str


@dataclass(frozen=True, slots=True)
class GoOn(Intent):
    """Go on with a match from the journal."""

    code: str


@dataclass(frozen=True, slots=True)
class Dismiss(Intent):
    """The notice has been read."""


@dataclass(frozen=True, slots=True)
class ForgetPictures(Intent):
    """All pictures of this room that are kept."""


@dataclass(frozen=True, slots=True)
class Refresh(Intent):
    """Look again at what this screen is about."""


@dataclass(frozen=True, slots=True)
class DecideFace(Intent):
    """Of a deck that is taught: which of two faces the card of that number is; with no face it is neither."""

    number: int
    face: str


@dataclass(frozen=True, slots=True)
class ShowAnew(Intent):
    """Of a deck that is taught: forget these faces, to show them again."""

    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Leave(Intent):
    """Close the window; asked first, unless somebody has said so."""

    is_sure: bool = False


# --- what is seen ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Item:
    """Something in a box. `turn` counts quarter turns clockwise, `key` is the key that does what a touch does."""

    box: Box
    intent: Intent | None = field(default=None, kw_only=True)
    key: str = field(default="", kw_only=True)
    turn: int = field(default=0, kw_only=True)


@dataclass(frozen=True, slots=True)
class PanelItem(Item):
    """A rounded surface. Colours are the words of the theme."""

    fill: str = "panel"
    edge: str = ""
    width: int = 2  # of the edge
    radius: int = 12


@dataclass(frozen=True, slots=True)
class Text(Item):
    """Words, as large as `size` or as fits: smaller down to `least`, then in more lines, then cut short."""

    text: str
    size: int
    role: str = "text"
    align: str = "centre"  # left, centre, right
    lines: int = 1
    least: int = 10
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Button(Item):
    """A labelled surface to touch."""

    label: str
    size: int
    look: str = "plain"  # plain, main, danger, quiet; or the colour of a player
    symbol: str = ""
    badge: str = ""  # the colour of a player, shown as the player's shape
    on: bool = False  # chosen
    least: int = 10
    lines: int = 2
    stacked: bool = False  # the symbol above the label


@dataclass(frozen=True, slots=True)
class Ticking(Item):
    """A clock. What it shows follows from its value and the time; nothing here ticks."""

    clock: Clock
    size: int
    role: str = "text"
    align: str = "centre"
    warn: str = ""  # the colour for the last ten seconds

    def text_at(self, now: int) -> str:
        return shown(self.clock, now)[0]

    def role_at(self, now: int) -> str:
        left = self.clock.left_at(now)
        return self.warn if self.warn and left is not None and left <= 10 * SECOND else self.role

    def changes_at(self, now: int) -> int | None:
        """The time at which another digit is shown; None while the clock stands."""
        return shown(self.clock, now)[1] if self.clock.is_running else None


@dataclass(frozen=True, slots=True)
class Filling(Item):
    """A ring that fills from one table time to another, and is full then."""

    since: int
    until: int
    role: str = "text"

    @property
    def _step(self) -> int:
        return max(1, (self.until - self.since) // FILLED)

    def filled_at(self, now: int) -> int:
        """How far, in steps."""
        return max(0, min(FILLED, (now - self.since) // self._step))

    def changes_at(self, now: int) -> int | None:
        step = self.filled_at(now)
        return self.since + (step + 1) * self._step if step < FILLED else None


@dataclass(frozen=True, slots=True)
class Symbol(Item):
    name: str
    role: str = "text"
    rim: bool = False  # with an edge, so that it stands out from any surface


@dataclass(frozen=True, slots=True)
class Badge(Item):
    """A player's shape in the player's colour."""

    colour: str


@dataclass(frozen=True, slots=True)
class CardItem(Item):
    """A card of the Triple³ deck, or its back."""

    name: str


@dataclass(frozen=True, slots=True)
class Art(Item):
    """The drawing of a game."""

    name: str


@dataclass(frozen=True, slots=True)
class Outline:
    """A line around a part of a picture; its corners are shares of the picture's width and height."""

    corners: Corners
    role: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Picture(Item):
    """A picture from a file or from memory, as large as fits; a clock stands for one that is not there yet."""

    file: str = ""
    still: CameraStill | None = field(default=None, kw_only=True)
    outlines: tuple[Outline, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, slots=True)
class QrItem(Item):
    """A QR code: dark on white whatever the theme, or a phone does not read it."""

    rows: Rows


@dataclass(frozen=True, slots=True)
class Moving(Item):
    """A film in slow motion: which of its pictures is shown follows from the clock and the machine's time, for a film
    runs while table time stands. Its time is written on it, back from its end."""

    film: Film
    clock: Clock
    slowly: int = 1  # so many times as long as it took
    outlines: tuple[Outline, ...] = ()
    part: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)  # left, top, right, bottom of what is shown of it

    def picture_at(self, now: int) -> int:
        """The number of the picture that stands for that moment."""
        return max(0, bisect_right(self.film.stamps, self._moment(now)) - 1)

    def changes_at(self, now: int) -> int | None:
        """The time at which another picture is shown."""
        following = self.picture_at(now) + 1
        if not self.clock.is_running or following >= len(self.film.stamps):
            return None
        return now + max(1, (self.film.stamps[following] - self._moment(now)) * self.slowly)

    def _moment(self, now: int) -> int:
        return self.film.stamps[0] + self.clock.used_at(now) // self.slowly


@dataclass(frozen=True, slots=True)
class Chart(Item):
    """The scores over a match."""

    curve: Curve
    size: int  # of its letters
    up: str  # what the axes count
    along: str


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything on a screen. What lies `over` it is drawn last and touched first."""

    size: Size
    items: tuple[Item, ...]
    over: tuple[Item, ...] = ()
    writes: str | None = None  # the text that keys write on, if there is one
    escape: Intent = Back()
    is_live: bool = False  # it shows what the camera sees, and is to be given the newest picture now and then

    def all(self) -> Iterator[Item]:
        yield from self.items
        yield from self.over

    def targets(self) -> list[Item]:
        """What can be touched, in the order of reading; below something that lies over it nothing can."""
        covers = [item.box for item in self.over if isinstance(item, PanelItem)]
        below = [item for item in self.items if item.intent and not any(box.meets(item.box) for box in covers)]
        return [*below, *(item for item in self.over if item.intent)]

    def touched(self, x: int, y: int) -> Item | None:
        """What a touch hits."""
        for item in reversed(self.over):
            if item.box.has(x, y) and (item.intent or isinstance(item, PanelItem)):
                return item if item.intent else None
        return next((item for item in reversed(self.items) if item.intent and item.box.has(x, y)), None)

    def wakes_at(self, now: int) -> int | None:
        """The table time at which a clock shows another digit."""
        found = [item.changes_at(now) for item in self.all() if isinstance(item, Ticking | Filling)]
        return min((at for at in found if at is not None), default=None)

    def moves_at(self, stamp: int) -> int | None:
        """The stamp at which a film shows another picture."""
        found = [item.changes_at(stamp) for item in self.all() if isinstance(item, Moving)]
        return min((at for at in found if at is not None), default=None)

    def with_focus(self, item: Item) -> "Scene":
        """The same with a ring around what the keys would touch."""
        ring = PanelItem(item.box, "", "focus", max(3, item.box.h // 16), getattr(item, "radius", 12))
        return replace(self, over=(*self.over, ring))


TENTHS = 20 * SECOND  # below this a clock that counts down shows tenths


def shown(clock: Clock, now: int) -> tuple[str, int]:
    """What a clock shows at a time, and the time at which it would show something else.

    Counting down, a second is shown until it is used up, so that 0 means that the time is over.
    """
    left = clock.left_at(now)
    if left is None:
        used = clock.used_at(now)
        return digits(used // SECOND), now + SECOND - used % SECOND
    if left > TENTHS:
        return digits(-(-left // SECOND)), now + ((left - 1) % SECOND + 1)
    tenth = 100 * MILLISECOND
    tenths = -(-left // tenth)
    return f"{tenths // 10}.{tenths % 10}", now + ((left - 1) % tenth + 1 if left else SECOND)


def digits(seconds: int) -> str:
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
