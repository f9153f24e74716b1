"""The buttons of the table as long as it stands: opened in a thread, tried again while they cannot be had.

To a match they are a panel like any other, on which nobody presses while they are gone: it goes on.
"""

import threading
from collections.abc import Callable
from typing import Protocol

from companion.clocks import SECOND
from companion.exc import CompanionError
from companion.parts import Part, Patience
from hardware.exc import NotWiredError
from hardware.panel import Inbox, Key, Light, Panel
from hardware.simulated import NOTICE, SimulatedPanel
from hardware.wiring import Wiring

OPENS_WITHIN = 60 * SECOND  # else its driver hangs
UNREAD_FOR = 5 * SECOND  # whoever reads the edges may be gone so long
TOUCH = "Everything can be touched on the screen until they are back."  # said
HANGS = "The driver of the buttons hangs."
UNREAD = "Nobody reads the buttons any more."

Run = Callable[[Callable[[], None]], None]


class Real(Panel, Protocol):
    """A panel on pins."""

    @property
    def is_gone(self) -> bool: ...

    @property
    def is_read(self) -> bool: ...


class Buttons:
    """A panel whose pins may come and go. `attend` has to be called now and then, from the thread of the table."""

    def __init__(
        self,
        read: Callable[[], Wiring],
        open_: Callable[[Wiring, Callable[[str], None]], Real],
        say: Callable[[str], None],
        run: Run | None = None,
    ) -> None:
        self._read, self._open, self._say, self._run = read, open_, say, run or _in_thread
        self._patience = Patience()
        self._panel: Panel | None = None
        self._pins: Real | None = None  # the same, if it is on pins
        self._nobody = Inbox()  # of a panel that is not there
        self._opening: int | None = None  # since when
        self._opened: Real | CompanionError | None = None
        self._unread: int | None = None  # since when
        self._lights: dict[Key, Light] = {}
        self._status = Light.OFF
        self._why = ""
        self._said = ""
        self._is_missed = True  # somebody has written down what is wired
        self._is_closed = False
        self._wiring: Wiring | None = None
        self._read_wiring()

    @property
    def is_wired(self) -> bool:
        """It is known what hangs where; only then can a match sit down at them."""
        return self._wiring is not None

    # --- as a panel ------------------------------------------------------------------------------------------------

    @property
    def wiring(self) -> Wiring:
        assert self._wiring is not None
        return self._wiring

    @property
    def inbox(self) -> Inbox:
        return self._panel.inbox if self._panel else self._nobody

    def levels(self) -> dict[Key, bool]:
        return self._panel.levels() if self._panel else {}

    def show(self, key: Key, light: Light) -> None:
        self._lights[key] = light
        if self._panel:
            self._panel.show(key, light)

    def status(self, light: Light) -> None:
        self._status = light
        if self._panel:
            self._panel.status(light)

    def buzz(self, seconds: float) -> None:
        if self._panel:
            self._panel.buzz(seconds)

    def close(self) -> None:
        self._is_closed = True
        if isinstance(self._opened, CompanionError):
            self._opened = None
        for panel in (self._panel, self._opened):
            if panel is not None:
                panel.close()
        self._panel = self._pins = self._opened = None
        self._nobody.close()

    # --- how they are ----------------------------------------------------------------------------------------------

    @property
    def part(self) -> Part:
        if self._pins is not None and self._pins.is_gone:
            return Part("buttons", "gone", "The pins of the buttons are gone.", TOUCH)  # said
        if self._panel is not None:
            simulated = "The buttons are simulated: no pins are used."  # said
            return Part("buttons", "working", "" if self._pins else simulated)
        if not self._is_missed:
            remedy = "Everything can be touched on the screen; docs/wiring.md tells how buttons are added."  # said
            return Part("buttons", "absent", "No buttons are wired to this table.", remedy)  # said
        if self._why:
            return Part("buttons", "gone", "The buttons cannot be used.", TOUCH, self._why)  # said
        return Part("buttons", "starting")

    def hangs(self, now: int) -> str:
        """Why they cannot come back by themselves; nothing as long as they work, or are only gone."""
        if self._opening is not None and self._opened is None and now - self._opening > OPENS_WITHIN:
            return HANGS
        if self._pins is None or self._pins.is_read:
            self._unread = None
            return ""
        self._unread = now if self._unread is None else self._unread
        return UNREAD if now - self._unread > UNREAD_FOR else ""

    # --- opening, and again ----------------------------------------------------------------------------------------

    def attend(self, now: int) -> None:
        """Take over what was opened meanwhile, or try again when it is time to."""
        if self._opening is not None:
            self._take_over(now)
        elif self._panel is None and now >= self._patience.at:
            self._try(now)

    def wakes_at(self) -> int | None:
        return None if self._panel or self._opening is not None else self._patience.at

    def _try(self, now: int) -> None:
        if not self._read_wiring():
            self._patience.failed(now)
            return
        if self.wiring.driver == "simulated":
            self._say(NOTICE)
            self._panel = SimulatedPanel(self.wiring)
            return
        self._opening, self._opened = now, None
        self._run(self._open_panel)

    def _open_panel(self) -> None:
        """In a thread: a driver may take its time, or hang."""
        try:
            found: Real | CompanionError = self._open(self.wiring, self._say)
        except CompanionError as error:
            found = error
        except Exception as error:  # whatever a driver does, the match goes on
            found = CompanionError(f"The buttons cannot be opened ({type(error).__name__}: {error}).")
        if self._is_closed and not isinstance(found, CompanionError):
            found.close()
            return
        self._opened = found

    def _take_over(self, now: int) -> None:
        found = self._opened
        if found is None:
            return
        self._opening = self._opened = None
        if isinstance(found, CompanionError):
            self._fail(str(found))
            self._patience.failed(now)
            return
        self._patience.worked()
        if self._why:
            self._say("The buttons work again.")
        self._why = self._said = ""
        self._panel = self._pins = found
        for key, light in self._lights.items():
            found.show(key, light)
        found.status(self._status)

    def _read_wiring(self) -> bool:
        """A file that was mended counts with the next try; in a match that runs, the seats stay as they are."""
        try:
            found = self._read()
        except CompanionError as error:
            self._is_missed = not isinstance(error, NotWiredError)
            self._fail(str(error))
            return self._wiring is not None
        self._wiring, self._is_missed = found, True
        return True

    def _fail(self, why: str) -> None:
        self._why = why
        if why != self._said:  # once, however often it is tried
            self._said = why
            self._say(why)


def _in_thread(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="buttons", daemon=True).start()
