"""What must hold of every picture of the table, and how it is found out."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from companion.display.theme import SHAPES, theme
from companion.words import LANGUAGES
from companion.words.blanks import blanks
from tests.rigs.evening.table import Box, Frame, Seen
from tests.rigs.firstminute.screen import Shot
from tests.said import said_in

WORD = re.compile(r"[^\W\d_]{3,}")
HEAD = {"menu": "menu", "pause": "pause", "play": "pause", "undo": "undo"}
OFF = "ground"
LIVE = {"plain": "raised", "main": "main", "danger": "danger", "quiet": "ground"}


@dataclass
class Laws:
    """What has been broken, each once, with where."""

    language: str
    names: frozenset[str] = frozenset()
    broken: dict[str, str] = field(default_factory=dict)
    frames: int = 0
    buttons: int = 0  # whose look was compared with the picture
    places: dict[str, dict[str, set[str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))
    game: str = ""

    def breaks(self, law: str, where: str) -> None:
        self.broken.setdefault(law, f"{self.game or 'first screen'}: {where}")

    def look_at(self, frame: Frame) -> None:
        self.frames += 1
        self._under_a_notice(frame)
        self._english(frame)
        self._head(frame)

    def _under_a_notice(self, frame: Frame) -> None:
        for notice in frame.notices:
            for thing in frame.things:
                if thing.is_meant and not thing.is_over and thing.meets(notice) and not thing.on_table:
                    self.breaks(f"{thing.kind} {thing.words or thing.sign!r} lies under a notice", frame.screen)

    def _english(self, frame: Frame) -> None:
        if self.language == "en":
            return
        for thing in frame.things:
            if thing.words and thing.words not in self.names:
                words = {word.casefold() for word in WORD.findall(_without(thing.words, self.names))}
                if words & only_english(self.language):
                    self.breaks(f"English is left: {thing.words!r}", frame.screen)

    def _head(self, frame: Frame) -> None:
        if frame.screen != "table" or not self.game:
            return
        found = [thing for thing in frame.things if thing.kind == "Button" and not thing.on_table and not thing.is_over]
        menu = next((thing for thing in found if thing.sign == "menu"), None)
        if menu is None:
            self.breaks("a table without a menu", frame.screen)
            return
        for thing in found:
            if thing.box[1] == menu.box[1] and thing.sign != "pulse":
                name = "call" if thing.look == "danger" else HEAD.get(thing.sign, "") if not thing.words else ""
                if name:
                    self.places[name][str(thing.box)].add(self.game)

    def judge_places(self) -> None:
        """Each stands at one place in all games."""
        for name, places in self.places.items():
            if len(places) > 1:
                self.breaks(
                    f"{name} stands at several places",
                    "; ".join(f"{at}: {sorted(games)}" for at, games in places.items()),
                )

    # --- the picture itself

    def compare(self, shot: Shot, frame: Frame) -> list[str]:
        """Buttons that do not look as they are."""
        covers = [thing for thing in frame.things if thing.is_over and thing.kind == "Panel"]
        wrong = []
        for thing in frame.things:
            if thing.kind != "Button" or (not thing.is_over and any(thing.meets(cover) for cover in covers)):
                continue
            self.buttons += 1
            found, wanted = surface(shot, thing.box), _surface_of(thing)
            if found not in wanted or not _has_its_edge(shot, thing):
                state = "live" if thing.is_meant else "dead"
                wrong.append(f"{thing.words or thing.sign!r} is {state} ({thing.look}) and drawn on {found}")
        return wrong


def surface(shot: Shot, box: Box) -> tuple[int, int, int]:
    """The colour that most of it has: red, green, blue."""
    x, y, w, h = box
    part = shot[y + h // 8 : y + h - h // 8, x + w // 12 : x + w - w // 12].reshape(-1, 3).astype(np.int64)
    if not len(part):
        return (0, 0, 0)
    numbers, counts = np.unique(part[:, 2] * 65536 + part[:, 1] * 256 + part[:, 0], return_counts=True)
    most = int(numbers[counts.argmax()])
    return most >> 16, most >> 8 & 255, most & 255


def _surface_of(button: Seen) -> set[tuple[int, int, int]]:
    found = theme("dark")
    if button.look in SHAPES and button.is_meant:
        return {found[button.look]}
    if not button.is_meant:
        return {found[OFF]}
    return {found["main" if button.on else LIVE[button.look]]}


def _has_its_edge(shot: Shot, button: Seen) -> bool:
    """What is off has a faint one, which tells a quiet button that can be touched from one that cannot."""
    if button.is_meant and (button.on or button.look not in ("plain", "quiet")):
        return True
    x, y, _, h = button.box
    blue, green, red = map(int, shot[y + h // 2, x])
    return (red, green, blue) == theme("dark")["line" if button.is_meant else "raised"]


@cache
def only_english(language: str) -> frozenset[str]:
    """Words of the English texts that none of this language's has."""
    texts = said_in(language)
    theirs = {word.casefold() for said in texts.values() for word in WORD.findall(said)}
    named = {word.casefold() for text in texts for blank in blanks(text) for word in WORD.findall(blank)}
    english = {word.casefold() for text, said in texts.items() if said and said != text for word in WORD.findall(text)}
    own = {word.casefold() for name in LANGUAGES.values() for word in WORD.findall(str(getattr(name, "name", "")))}
    return frozenset(english - theirs - named - own)


def _without(words: str, names: frozenset[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        words = words.replace(name, " ")
    return words
