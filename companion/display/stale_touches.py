"""What could be touched a moment ago. Whatever has come in its place is dead until people can have seen it: a finger on
its way meant what was there before."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from companion.core.clocks import MILLISECOND
from companion.display.scene import Badge, Button, CardItem, Go, Intent, Item, Mark, Say, Scene, Symbol, Text

DEAD = 350 * MILLISECOND  # a hand cannot be held back any more

Find = Callable[[Scene], Item | None]  # what a touch at some place hits, or what a key is for


@dataclass(slots=True)
class Lately:
    """The scenes that people saw until a moment ago, and the one that they see."""

    _now: Scene | None = None
    _gone: list[tuple[int, Scene]] = field(default_factory=list)  # and until when each was seen

    def shows(self, scene: Scene, now: int) -> None:
        """That is drawn from now on."""
        self._gone = [(until, before) for until, before in self._gone if now - until < DEAD]
        if self._now is not None and self._now is not scene:
            self._gone.append((now, self._now))
        self._now = scene

    def meant(self, scene: Scene, stamp: int, find: Find) -> Item | None:
        """What is found on a scene, unless something else was found there when the hand set out."""
        found = find(scene)
        if found is None:
            return None
        seen = [before for until, before in self._gone if stamp - until < DEAD and before.size == scene.size]
        others = ((before, find(before)) for before in seen)
        is_new = any(other is not None and not _is_same(found, scene, other, before) for before, other in others)
        return None if is_new else found


def _is_same(item: Item, scene: Scene, other: Item, before: Scene) -> bool:
    """It means the same; or it says the same and does the same with what has changed, as a letter does to a name."""
    assert item.intent is not None
    assert other.intent is not None
    if item.intent == other.intent:
        return True
    return _does(item.intent) == _does(other.intent) and _says(item, scene) == _says(other, before)


def _does(intent: Intent) -> tuple[Any, ...]:
    match intent:
        case Say(message):
            return Say, type(message)
        case Mark(key):
            return Mark, key
        case Go(screen):
            return Go, screen
        case _:
            return (type(intent),)


def _says(item: Item, scene: Scene) -> Any:
    """What is written or drawn on it."""
    if isinstance(item, Button):
        return item.label.casefold(), item.symbol  # after the first letter of a name the others are small
    return [_content(part) for part in scene.all() if part is not item and item.box.holds(part.box)]


def _content(item: Item) -> Any:
    match item:
        case Text(text=text):
            return text
        case CardItem(name=name) | Symbol(name=name):
            return name
        case Badge(colour=colour):
            return colour
        case _:
            return type(item)
