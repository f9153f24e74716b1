"""The buttons of the table as long as it stands: opened in a thread, tried again while they cannot be had.

To a match they are a panel like any other, on which nobody presses while they are gone: it goes on. Whatever a driver
raises stays here.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, TypeVar

from companion.core.background import in_thread
from companion.core.clocks import MINUTE, SECOND
from companion.core.errors import CompanionError
from companion.core.sentence import N_, Sentence
from companion.devices.device import Part, Patience
from hardware.panel import Key, Light, Panel, Press, PressQueue
from hardware.pin_errors import ChipGoneError, NotWiredError
from hardware.simulated import NOTICE, SimulatedPanel
from hardware.wiring import Wiring

OPENS_WITHIN = MINUTE  # else its driver hangs
STEADY = 10 * SECOND  # so long they have worked, and what fails then is a new trouble
UNREAD_FOR = 5 * SECOND  # whoever reads the edges may be gone so long
TOUCH = N_("Everything can be touched on the screen until they are back.")
HANGS = "The driver of the buttons hangs."
UNREAD = "Nobody reads the buttons any more."

Run = Callable[[Callable[[], None]], None]
T = TypeVar("T")


class Real(Panel, Protocol):
    """A panel on pins."""

    @property
    def is_gone(self) -> bool: ...

    @property
    def is_read(self) -> bool: ...


class _Ear(PressQueue):
    """What is pressed on whatever panel there is just now."""

    def __init__(self, buttons: "Buttons") -> None:
        super().__init__()
        self._buttons = buttons

    def take(self) -> list[Press]:
        return self._buttons.ask(lambda panel: panel.inbox.take(), [])

    def fileno(self) -> int:
        nobody = super().fileno()
        return self._buttons.ask(lambda panel: panel.inbox.fileno(), nobody)

    @property
    def nap(self) -> float | None:
        return self._buttons.ask(lambda panel: panel.inbox.nap, None)


class Buttons:
    """A panel whose pins may come and go. `attend` has to be called now and then, from the thread of the table."""

    def __init__(
        self,
        read: Callable[[], Wiring],
        open_: Callable[[Wiring, Callable[[str], None]], Real],
        say: Callable[[str], None],
        run: Run | None = None,
    ) -> None:
        self._read, self._open, self._say, self._run = read, open_, say, run or in_thread("buttons")
        self._patience = Patience()
        self._panel: Panel | None = None
        self._pins: Real | None = None  # the same, if it is on pins
        self._spent: Panel | None = None  # one that has failed, to be closed before another is opened
        self.inbox: PressQueue = _Ear(self)
        self._now = self._since = 0  # the stamp of now, and since when the panel is there
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

    def levels(self) -> dict[Key, bool]:
        nothing: dict[Key, bool] = {}
        return self.ask(lambda panel: panel.levels(), nothing)

    def show(self, key: Key, light: Light) -> None:
        self._lights[key] = light
        self.ask(lambda panel: panel.show(key, light), None)

    def status(self, light: Light) -> None:
        self._status = light
        self.ask(lambda panel: panel.status(light), None)

    def buzz(self, seconds: float) -> None:
        self.ask(lambda panel: panel.buzz(seconds), None)

    def ask(self, what: Callable[[Panel], T], otherwise: T) -> T:
        """What the panel answers; `otherwise` while there is none, and where its driver fails."""
        panel = self._panel
        if panel is None:
            return otherwise
        try:
            return what(panel)
        except ChipGoneError:  # it is looked for already, and comes back by itself
            return otherwise
        except Exception as error:  # whatever a driver does, the match goes on
            self._lose(panel, error)
            return otherwise

    def close(self) -> None:
        self._is_closed = True
        if isinstance(self._opened, CompanionError):
            self._opened = None
        for panel in (self._panel, self._opened, self._spent):
            if panel is not None:
                _let_go(panel)
        self._panel = self._pins = self._opened = self._spent = None
        self.inbox.close()

    # --- how they are ----------------------------------------------------------------------------------------------

    @property
    def part(self) -> Part:
        if self._pins is not None and self._pins.is_gone:
            return Part("buttons", "gone", N_("The pins of the buttons are gone."), TOUCH)
        if self._panel is not None:
            simulated = N_("The buttons are simulated: no pins are used.")
            return Part("buttons", "working", "" if self._pins else simulated)
        if not self._is_missed:
            remedy = N_("Everything can be touched on the screen; docs/wiring.md tells how buttons are added.")
            return Part("buttons", "absent", N_("No buttons are wired to this table."), remedy)
        if self._why:
            return Part("buttons", "gone", N_("The buttons cannot be used."), TOUCH, self._why)
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
        self._now = now
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
        if self._spent is not None:
            _let_go(self._spent)
            self._spent = None
        try:
            found: Real | CompanionError = self._open(self.wiring, self._say)
        except CompanionError as error:
            found = error
        except Exception as error:  # whatever a driver does, the match goes on
            found = CompanionError(_failed(N_("The buttons cannot be opened ({kind}: {error})."), error))
        if self._is_closed and not isinstance(found, CompanionError):
            _let_go(found)
            return
        self._opened = found

    def _take_over(self, now: int) -> None:
        found = self._opened
        if found is None:
            return
        self._opening = self._opened = None
        if isinstance(found, CompanionError):
            self._fail(found.sentence)
            self._patience.failed(now)
            return
        was_missing, self._why, self._said = bool(self._why), "", ""
        self._panel = self._pins = found
        self._since = now
        for key, light in list(self._lights.items()):
            self.show(key, light)
        self.status(self._status)
        if was_missing and self._panel:
            self._say(N_("The buttons work again."))

    def _lose(self, panel: Panel, error: Exception) -> None:
        """They fail while they are in use: they are opened again as if they had not been there."""
        self._panel = self._pins = None
        self._spent = panel
        self._fail(_failed(N_("The buttons fail ({kind}: {error})."), error))
        if self._now - self._since >= STEADY:
            self._patience.worked()
        self._patience.failed(self._now)

    def _read_wiring(self) -> bool:
        """A file that was mended counts with the next try; in a match that runs, the seats stay as they are."""
        try:
            found = self._read()
        except CompanionError as error:
            self._is_missed = not isinstance(error, NotWiredError)
            self._fail(error.sentence)
            return self._wiring is not None
        self._wiring, self._is_missed = found, True
        return True

    def _fail(self, why: str) -> None:
        self._why = why
        if why != self._said:  # once, however often it is tried
            self._said = why
            self._say(why)


def _failed(text: str, error: Exception) -> Sentence:
    return Sentence(text, kind=type(error).__name__, error=str(error))


def _let_go(panel: Panel) -> None:
    with suppress(Exception):  # of a driver that has failed anything may be expected
        panel.close()
