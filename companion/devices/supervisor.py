"""Goes along with the app of a table: its devices are supervised, what is missing is on the screen and in the log, the
watchdog is fed, and whoever asks the table to end gets it ended in order, in the middle of anything."""

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from companion.__main__ import AGAIN
from companion.core.clocks import SECOND
from companion.core.replies import ErrorReply, NoticeReply, Reply
from companion.core.sentence import N_
from companion.devices.buttons import Buttons
from companion.devices.camera import RoomCamera
from companion.devices.connectors import NewScreens
from companion.devices.device import Part
from companion.devices.disk import Disk
from companion.devices.late_journal import NONE, Keeping
from companion.devices.signals import BY_HAND, heard
from companion.devices.watchdog import Notifier, Watchdog, usual_period
from companion.doctor.health import BLIND

if TYPE_CHECKING:
    from companion.display.app import App
    from companion.display.scene import Intent

OLD = 10 * SECOND  # pictures of a camera that should come many times a second
SPOKEN_OF = ("camera", "configuration")  # by the match that is watched; in its own words
LOGGED = ("buttons", "screen", "configuration")  # by others
NUMBER = re.compile(r"\d+")
MOST_NOTICES = 3  # of a configuration, that are put on the screen one after the other

Say = Callable[[str], None]


class Ending:
    """Somebody has asked this process to end; it does when it comes round to it, and by the second Ctrl-C at once."""

    def __init__(self) -> None:
        self.is_asked = False
        self.wake: Callable[[], None] = lambda: None  # whoever sleeps until something happens

    def asked(self, number: int, _frame: FrameType | None) -> None:
        if self.is_asked and number in BY_HAND:
            raise KeyboardInterrupt
        self.is_asked = True
        self.wake()


@contextlib.contextmanager
def ending_in_order() -> Iterator[Ending]:
    """Signals that ask to end are heard, and nothing is broken off."""
    ending = Ending()
    with heard(ending.asked):
        yield ending


@dataclass(frozen=True, slots=True)
class Care:
    """What is looked after at a table."""

    notices: tuple[str, ...] = ()  # of its configuration
    buttons: Buttons | None = None
    camera: RoomCamera | None = None
    disk: Disk | None = None  # None: nothing is kept
    screens: NewScreens | None = None  # asked where there is none
    keeping: Keeping | None = None  # where the journal could not be opened
    disk_under: Callable[[Path], Disk] = Disk  # a journal that could be opened later


class Tending:
    """One of the app's listeners."""

    troubles: tuple[str, ...] = ()  # those are of the sound

    def __init__(
        self, app: "App", say: Say, ending: Ending, care: Care, notifier: Notifier, period: int | None = None
    ) -> None:
        self.code = 0  # with which the process is to end
        self._app, self._say, self._ending = app, say, ending
        self._buttons, self._camera, self._disk = care.buttons, care.camera, care.disk
        self._screens, self._notices = care.screens, care.notices
        self._keeping, self._disk_under = care.keeping, care.disk_under
        self._journal_kept = app.journal
        kept = app.journal.notices if app.journal else ()  # what was saved of a damaged one
        first = [*kept, *care.notices][:MOST_NOTICES]
        self._to_say = {f"notice {number}": notice for number, notice in enumerate(first)}  # one after the other
        self._logged = ""  # the newest line
        self._notifier = notifier
        ending.wake = self._wake
        self._watchdog = Watchdog(notifier, [self._hangs], period)
        self._missed: dict[str, tuple[str, str]] = {}  # by device: how it is, as it was said last
        self.parts: tuple[Part, ...] = ()

    def _wake(self) -> None:
        self._app.library.wake()

    def heard(self, reply: Reply) -> None:
        """What is said on the screen about the table and its camera, and not about a move."""
        if isinstance(reply, NoticeReply | ErrorReply):
            self._log(str(reply.sentence))

    def _log(self, line: str) -> None:
        """Not twice in a row."""
        if line != self._logged:
            self._logged = line
            self._say(line)

    def touched(self, intent: "Intent") -> None: ...

    def wakes_at(self, now: int) -> int | None:
        if self._ending.is_asked:
            return now
        wakes = [self._watchdog.wakes_at(), self._buttons_wake_at(now)]
        if self._screens:
            wakes.append(self._screens.wakes_at())
        if self._keeping:
            wakes.append(self._keeping.wakes_at())
        return min((at for at in wakes if at is not None), default=None)

    def _buttons_wake_at(self, now: int) -> int | None:
        """They are tried again, or read although no edge has come."""
        if self._buttons is None:
            return None
        nap = None if self._app.has_buttons else self._buttons.inbox.nap
        return self._buttons.wakes_at() if nap is None else now + round(nap * SECOND)

    def attend(self, now: int) -> None:
        if self._app.is_left:
            return
        if self._ending.is_asked or self._has_come(now):
            self._app.close(now)
            return
        if self._buttons:
            self._buttons.attend(now)
            if not self._app.has_buttons:
                self._buttons.inbox.take()  # for nobody; but only who reads finds out how the pins are
        if self._keeping:
            self._keep(self._keeping, now)
        if self._disk:
            self._disk.attend(now)
        self.parts = tuple(self._looked_at(now))
        self._tell()
        missed = ", ".join(part.device for part in self.parts if part.is_missed)
        self._watchdog.attend(now, f"Missing or ailing: {missed}." if missed else "All is well.")

    def _keep(self, keeping: Keeping, now: int) -> None:
        keeping.attend(now)
        journal = self._app.journal
        if journal is None or journal is self._journal_kept:
            return
        self._journal_kept = journal
        self._disk = self._disk or self._disk_under(journal.path)
        self._to_say |= {notice: notice for notice in journal.notices}

    def _hangs(self, now: int) -> str:
        """What may not hang, and does."""
        may_not = (part for part in (self._buttons, self._disk) if part)
        return next((why for part in may_not if (why := part.hangs(now))), "")

    def close(self) -> None:
        """Whoever opened the table says that it ends: it may be opened again."""
        self._notifier.close()

    def _has_come(self, now: int) -> bool:
        """A screen, where there was none: the next start draws on it."""
        is_idle = self._app.match is None or not self._app.match.is_running
        if self._screens is None or not self._screens.has_come(now, may_try=is_idle):
            return False
        self._say("There is a screen now: the table begins anew on it.")
        self.code = AGAIN
        return True

    # --- how the devices are ---------------------------------------------------------------------------------------

    def _looked_at(self, now: int) -> Iterator[Part]:
        if self._screens:
            yield Part("screen", "gone", "There is no screen to draw on.", "Connect a screen: it is taken at once.")
        if self._buttons:
            yield self._buttons.part
        if self._camera:
            yield of_camera(self._camera, now)
        yield self._journal
        if self._notices:
            reason = N_("There are mistakes in table.toml, and the rest of it holds.")
            yield Part("configuration", "ailing", reason, "", self._notices[0])

    @property
    def _journal(self) -> Part:
        unkept = self._keeping.part if self._keeping else None
        if unkept is None and self._disk is not None:
            return self._disk.part
        return unkept or Part("journal", "gone", NONE, "", self._app.surroundings.unkept)

    def _tell(self) -> None:
        """What has become missing is said once, and anew when it becomes otherwise; a small sign stays until it is
        back. What has not been said by then need not be said any more."""
        for part in self.parts:
            if part.is_missed:
                self._miss(part)
            elif part.state != "starting":
                self._has_again(part.device)
        self._app.show_ailing(tuple(part.device for part in self.parts if part.is_missed))
        device, sentence = next(iter(self._to_say.items()), ("", ""))
        if device and self._app.mention(sentence):
            del self._to_say[device]

    def _miss(self, part: Part) -> None:
        now = part.state, NUMBER.sub("", part.reason)  # a megabyte more or less is no news
        if part.device in self._to_say:
            self._to_say[part.device] = part.reason
        if self._missed.get(part.device) == now:
            return
        self._missed[part.device] = now
        if part.device not in SPOKEN_OF:
            self._to_say[part.device] = part.reason
        if self._logs(part.device):
            self._log(" ".join(filter(None, (part.reason, part.remedy, part.detail))))

    def _has_again(self, device: str) -> None:
        self._to_say.pop(device, None)
        if self._missed.pop(device, None) and self._logs(device):
            self._log(f"The {device} works again.")

    def _logs(self, device: str) -> bool:
        """Of the others whoever opens them has said it; and why there is no journal."""
        return device not in LOGGED and (device != "journal" or self._disk is not None)


def of_camera(camera: RoomCamera, now: int) -> Part:
    """As it stands to the table; it is opened when a match or a person wants to see through it."""
    sight = camera.sight
    match sight.state:
        case "none" | "off":
            return Part("camera", "absent")
        case "opening":
            return Part("camera", "starting", N_("The camera is being opened."))
        case "gone":
            return Part("camera", "gone", N_("No camera can be opened."), detail=sight.why)
        case "blind":
            return Part("camera", "ailing", BLIND, detail=sight.why)
    if camera.came_at is not None and now - camera.came_at > OLD:
        return Part("camera", "ailing", N_("The camera gives no more pictures."))
    return Part("camera", "working")


@contextlib.contextmanager
def tended(app: "App", say: Say, ending: Ending, care: Care) -> Iterator[Tending]:
    """The app is looked after as long as this lasts."""
    tending = Tending(app, say, ending, care, Notifier.usual(), usual_period())
    app.listeners.append(tending)
    app.hearers.append(tending.heard)
    app.surroundings.parts = lambda: tending.parts
    try:
        yield tending
    finally:
        app.listeners.remove(tending)
        app.hearers.remove(tending.heard)
        tending.close()
