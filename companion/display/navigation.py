"""Where somebody is among the screens, and the way back."""

from dataclasses import dataclass, replace
from typing import Any

from companion.display.scene import Mark

ROOT = "games"
TEACHING = "teaching"  # while this screen is open, or others over it, a deck is taught; it is about GAME:NAME
CALLED_BACK = ("stopped", "count")  # phases in which everybody has to look at the table


@dataclass(frozen=True, slots=True)
class ScreenPlace:
    """A screen, what it is about, and what is chosen on it."""

    screen: str
    about: str = ""
    marks: tuple[tuple[str, Any], ...] = ()


class Places:
    """The screens that lie over each other, of which the newest is seen."""

    def __init__(self) -> None:
        self._places = [ScreenPlace(ROOT)]

    def __len__(self) -> int:
        return len(self._places)

    @property
    def top(self) -> ScreenPlace:
        return self._places[-1]

    @property
    def depth(self) -> int:
        """How many lie below."""
        return len(self._places) - 1

    def has(self, screen: str) -> bool:
        """Whether such a screen is seen or lies below."""
        return any(place.screen == screen for place in self._places)

    def about(self, screen: str) -> str:
        """What such a screen is about that is seen or lies below; nothing if there is none."""
        return next((place.about for place in self._places if place.screen == screen), "")

    def go(self, place: ScreenPlace) -> None:
        """To a screen, or back to it where it lies below."""
        known = [(before.screen, before.about) for before in self._places]
        if (place.screen, place.about) in known:
            self._places = self._places[: known.index((place.screen, place.about))]
        elif self.top.screen == place.screen and self.top.about:
            self._places.pop()  # the same about something else: nobody wants to go back through all of them
        self._places.append(place)

    def open(self, screen: str) -> None:
        self._places.append(ScreenPlace(screen))

    def close(self, screen: str) -> None:
        """If it is the one that is seen."""
        if self.top.screen == screen:
            self._places.pop()

    def back(self) -> None:
        if self.depth:
            self._places.pop()

    def mark(self, mark: Mark) -> None:
        """Something is chosen on the screen that is seen."""
        place = self.top
        kept = {key: value for key, value in place.marks if mark.keeps is None or key in mark.keeps}
        marks = {**kept, mark.key: mark.value}
        if mark.value is None:
            del marks[mark.key]
        self._places[-1] = replace(place, marks=tuple(marks.items()))

    def show(self, screen: str) -> None:
        """This screen, and below it nothing but the games."""
        self._places = [ScreenPlace(ROOT), ScreenPlace(screen)]

    def clear_table(self) -> None:
        """What was chosen at the table is chosen no longer."""
        self._places = [ScreenPlace("table") if place.screen == "table" else place for place in self._places]
