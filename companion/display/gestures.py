"""Touches and keys become intents. It knows no window: positions, names of keys and a stamp are enough."""

from dataclasses import dataclass

from companion.core.clocks import MILLISECOND
from companion.core.names import LONGEST_NAME
from companion.display.app import App
from companion.display.scene import Back, Intent, Item, Mark, Scene
from companion.display.stale_touches import Lately

ECHO = 120 * MILLISECOND  # a second touch at the same place within this is the same finger
ECHO_REACH = 24  # pixels
WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


@dataclass(slots=True)
class _Last:
    x: int
    y: int
    stamp: int


class Gestures:
    """Whatever people do at the table with fingers, a mouse or keys."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._last: _Last | None = None
        self._focus: tuple[int, int] | None = None  # the middle of what the keys would touch
        self._drawn: Scene | None = None  # what people see; several may touch it before they see another
        self._lately = Lately()

    @property
    def scene(self) -> Scene:
        """The scene to be drawn: with a ring around what the keys would touch, once keys are used."""
        found = self._drawn = self._app.scene
        self._lately.shows(found, self._app.now)
        item = self._focused(found)
        return found.with_focus(item) if item else found

    def touch(self, x: int, y: int, stamp: int) -> bool:
        """Somebody touched there; False if it meant nothing."""
        self._focus = None
        last, self._last = self._last, _Last(x, y, stamp)
        if last and stamp - last.stamp < ECHO and abs(x - last.x) < ECHO_REACH and abs(y - last.y) < ECHO_REACH:
            return False
        item = self._lately.meant(self._seen, stamp, lambda scene: scene.touched(x, y))
        return self._do(item.intent if item else None, stamp)

    @property
    def _seen(self) -> Scene:
        """What a finger meant that was there before another has changed the scene."""
        now = self._app.scene
        return self._drawn if self._drawn and self._drawn.size == now.size else now

    def key(self, name: str, text: str, stamp: int) -> bool:
        """A key by its name, and the letter that it writes; False if it meant nothing here."""
        scene = self._app.scene
        if scene.writes is not None and (written := _written(scene.writes, name, text)) is not None:
            return self._do(Mark("text", written), stamp)
        if name in WAYS:
            return self._move(scene, *WAYS[name])
        if name in ("tab", "shift tab"):
            return self._step(scene, -1 if name.startswith("shift") else 1)
        if name in ("return", "space"):
            focused = self._focused(scene)
            return self._do(focused.intent, stamp) if focused else self._press(scene, "return", text, stamp)
        if name == "escape":
            return self._do(scene.escape, stamp)
        return self._press(scene, name, text, stamp)

    def _press(self, scene: Scene, name: str, text: str, stamp: int) -> bool:
        item = self._lately.meant(scene, stamp, lambda shown: _for_key(shown, name, text))
        return self._do(item.intent if item else None, stamp)

    def _do(self, intent: Intent | None, stamp: int) -> bool:
        if intent is None:
            return False
        before = self._app.view.screen
        self._app.take(intent, stamp)
        if self._app.view.screen != before or isinstance(intent, Back):
            self._focus = None
        return True

    # --- the focus of the keys -----------------------------------------------------------------------------

    def _focused(self, scene: Scene) -> Item | None:
        if self._focus is None:
            return None
        x, y = self._focus
        return next((item for item in scene.targets() if item.box.has(x, y)), None)

    def _step(self, scene: Scene, by: int) -> bool:
        """To the next target in reading order, round and round."""
        targets = scene.targets()
        if not targets:
            return False
        item = self._focused(scene)
        before = targets.index(item) if item else (-1 if by > 0 else 0)
        number = (before + by) % len(targets)
        self._focus = targets[number].box.centre
        return True

    def _move(self, scene: Scene, dx: int, dy: int) -> bool:
        """To the nearest target in that direction."""
        item = self._focused(scene)
        if item is None:
            return self._step(scene, 1)
        x, y = item.box.centre

        def far(other: Item) -> float:
            ox, oy = other.box.centre
            along = (ox - x) * dx + (oy - y) * dy
            across = abs((ox - x) * dy) + abs((oy - y) * dx)
            return along + 2.5 * across if along > 0 and along >= across / 2 else float("inf")

        best = min(scene.targets(), key=far)
        if far(best) == float("inf"):
            return False
        self._focus = best.box.centre
        return True


def _for_key(scene: Scene, name: str, text: str) -> Item | None:
    return next((item for item in scene.targets() if item.key and item.key in (name, text)), None)


def _written(before: str, name: str, text: str) -> str | None:
    """The text after a key; None if the key does not write."""
    if name == "backspace":
        return before[:-1]
    if len(text) == 1 and text.isprintable() and name not in ("return", "tab"):
        return (before + text)[:LONGEST_NAME]
    return None
