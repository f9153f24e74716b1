"""An app at a table in a test: its clock stands until it is told to go on, and fingers find what they look for."""

from collections.abc import Callable
from pathlib import Path

from companion.clocks import MILLISECOND, SECOND
from companion.display.app import App
from companion.display.hands import Hands
from companion.display.layout import Size
from companion.display.scene import Intent, Item
from companion.display.view import Prefs
from companion.journal import Journal

MOST_STEPS = 400  # of the tab key; no screen has so many targets


class Hour:
    """A clock that a test moves on."""

    def __init__(self, now: int = 1_000 * SECOND) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


class Guests:
    """People at a display, by touch or by keys."""

    def __init__(self, size: Size = (800, 480), journal: Path | None = None, prefs: Prefs | None = None) -> None:
        self.hour = Hour()
        self.journal = Journal.open(journal) if journal else None
        self.app = App(size, self.journal, prefs=prefs, clock=self.hour)
        self.hands = Hands(self.app)
        self.by_keys = False

    def wait(self, seconds: float) -> None:
        self.hour.now += round(seconds * SECOND)
        self.app.attend(self.hour.now)

    def find(self, wanted: Callable[[Intent], bool]) -> Item:
        found = [item for item in self.app.scene.targets() if item.intent and wanted(item.intent)]
        assert found, f"nothing to touch on {self.app.view.screen}: {[t.intent for t in self.app.scene.targets()]}"
        return found[0]

    def do(self, wanted: Intent | Callable[[Intent], bool]) -> None:
        """Touch what means that, or walk there with the tab key and press return."""
        item = self.find((lambda intent: intent == wanted) if isinstance(wanted, Intent) else wanted)
        self.hour.now += 300 * MILLISECOND
        if self.by_keys:
            self._by_keys(item)
        else:
            assert self.hands.touch(*item.box.centre, self.hour.now)
        self.app.attend(self.hour.now)

    def _by_keys(self, item: Item) -> None:
        if item.key:
            assert self.hands.key(item.key, item.key if len(item.key) == 1 else "", self.hour.now)
            return
        for _ in range(MOST_STEPS):
            self.hands.key("tab", "", self.hour.now)
            ring = self.hands.scene.over[-1]
            if ring.box == item.box:
                break
        assert self.hands.key("return", "\r", self.hour.now)

    @property
    def screen(self) -> str:
        return self.app.view.screen

    def close(self) -> None:
        if self.journal:
            self.journal.close()
