"""The simulated buttons around the drawn table, and the hands that are on them."""

from collections.abc import Mapping
from typing import Any

from hardware.panel import Key, Light
from hardware.simulated import SimulatedContact, SimulatedPanel

TAP = 90_000_000  # nanoseconds that a bot's hand is on a button


class DrawnButtons:
    """Those of one match after the other; none before the first."""

    def __init__(self) -> None:
        self.panel: SimulatedPanel | None = None
        self.down: dict[Any, Key] = {}  # by key of the keyboard, or the mouse
        self.lifts: list[tuple[int, Key]] = []  # when bots take their hands off

    def wire(self, panel: SimulatedPanel) -> None:
        """The buttons of another match; no hand is on them."""
        self.panel, self.down, self.lifts = panel, {}, []

    @property
    def lights(self) -> Mapping[Key, Light]:
        return self.panel.lights if self.panel else {}

    @property
    def status_light(self) -> Light:
        return self.panel.status_light if self.panel else Light.OFF

    @property
    def pressed(self) -> frozenset[Key]:
        return frozenset(self.down.values()) | {button for _, button in self.lifts}

    def press(self, button: Key, at: int, by: Any = None) -> None:
        """A hand on a button, of somebody who will take it off, or of a bot, who does it soon."""
        self._contact(button, at, is_down=True)
        if by is None:
            self.lifts.append((at + TAP, button))
        else:
            self.down[by] = button

    def lift(self, by: Any, at: int) -> bool:
        button = self.down.pop(by, None)
        if button is not None:
            self._contact(button, at, is_down=False)
        return button is not None

    def attend(self, now: int) -> None:
        """Bots take their hands off."""
        for at, button in [lift for lift in self.lifts if lift[0] <= now]:
            self.lifts.remove((at, button))
            self._contact(button, at, is_down=False)

    def _contact(self, button: Key, at: int, *, is_down: bool) -> None:
        if self.panel:
            self.panel.contact(SimulatedContact(at, button, is_down))

    def close(self) -> None:
        if self.panel:
            self.panel.close()
            self.panel = None
