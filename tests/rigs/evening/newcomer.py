"""Somebody who has never seen the table: finds what to touch by what is drawn, and tries it."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from companion.core.entry import STOP
from companion.words import Words, labels
from tests.rigs.evening.laws import Laws
from tests.rigs.evening.table import Frame, Seen, Table

LOOKS = 0.42  # seconds that somebody looks before the hand goes out; what has just appeared is dead for 0.35
SECOND = 1.2  # in which a clock that runs shows another digit
TRIES = 3  # of a touch that nothing comes of, before that is a fault: something else may have appeared just then
MOST_TOUCHES = 160  # for what is wanted of a game
AVOIDED = (STOP, labels.PUT_RIGHT, "Other game", "Other players")
SEATS = ("people", "person", "robot", "gear")
LEADS_AWAY = frozenset({"menu", "pause", "undo", "pulse", "back"})


@dataclass
class Newcomer:
    """At one table, in one language."""

    table: Table
    laws: Laws
    seed: int = 1
    touched: Counter[str] = field(default_factory=Counter)
    touches: int = 0
    fouls: int = 0
    fading: int = 0  # touches while a notice faded

    def __post_init__(self) -> None:
        self.words = Words(self.table.language)
        self.rng = random.Random(self.seed)
        self._foul = ""

    def say(self, text: str, **values: object) -> str:
        return self.words.say(text, **values)

    # --- looking

    @property
    def now(self) -> Frame:
        return self.table.now

    def sees(self, wanted: Callable[[Seen], bool]) -> Seen | None:
        return next((thing for thing in self.now.live if wanted(thing)), None)

    def labelled(self, words: str) -> Seen | None:
        """What can be touched and says that."""
        frame = self.now
        found = (thing for thing in frame.live if thing.words == words)
        return next(found, None) or next(
            (thing for thing in frame.live if words in frame.written_on(thing).split(" / ")), None
        )

    def signed(self, sign: str) -> Seen | None:
        return self.sees(lambda thing: thing.sign == sign and not thing.words and not thing.on_table)

    def checks_looks(self) -> None:
        """The picture shows what is live; a picture that is just being drawn is looked at again."""
        wrong: list[str] = []
        for _ in range(6):
            before = self.now
            shot = self.table.shot()
            if self.now is not before:
                continue
            wrong = self.laws.compare(shot, before)
            if not wrong:
                return
            self.table.rests(0.1)
        for one in wrong:
            self.laws.breaks(one, self.now.screen)

    def stands(self, what: str) -> None:
        """No clock shows anything else after a while."""
        self.table.wait(lambda: not self.now.notices, "the end of a notice, which may lie over a clock")
        clocks = [thing.box for thing in self.now.things if thing.kind == "Ticking"]
        before = self.table.shot()
        self.table.rests(SECOND)
        after = self.table.shot()
        for x, y, w, h in clocks:
            is_same = np.array_equal(before[y : y + h, x : x + w], after[y : y + h, x : x + w])
            self.must(is_same, f"a clock runs during {what}")

    def keeps(self, name: str) -> None:
        """A picture, and a look at everything in it."""
        self.table.rests(0.15)
        self.table.picture(name)
        self.checks_looks()

    # --- touching

    def touch(self, find: Callable[[], Seen | None], what: str) -> None:
        """It must be there, and something must come of it."""
        self.table.wait(lambda: find() is not None, f"{what!r}")
        for _ in range(TRIES):
            self.table.rests(LOOKS)
            thing = find()
            if thing is None:  # it has gone just now: that is an answer to somebody else
                return
            self.touches += 1
            if self.table.touch(thing):
                return
        self.laws.breaks(f"nothing comes of touching {what}", self.now.screen)

    def touch_label(self, text: str, **values: object) -> None:
        said = self.say(text, **values)
        self.touch(lambda: self.labelled(said), said)

    def touch_sign(self, sign: str) -> None:
        self.touch(lambda: self.signed(sign), sign)

    # --- trying a game

    def plays(self, until: Callable[[], bool]) -> None:
        """Touch this and that until it is so, or patience ends."""
        silent: Counter[str] = Counter()
        for number in range(MOST_TOUCHES):
            if until():
                return
            self.table.rests(LOOKS)
            if self._comes_back():
                continue
            thing = self._chosen()
            if thing is None:
                continue
            key = self._key(thing)
            self.touched[key] += 1
            self.touches += 1
            self.fading += any(notice.look == "raised" for notice in self.now.notices)
            came = self.table.touch(thing) or bool(self.now.notices)  # the same may be said again
            silent[key] = 0 if came else silent[key] + 1
            if silent[key] >= TRIES and not thing.on_table:  # cards and places mean something with others only
                self.laws.breaks(f"nothing comes of touching {key}", self.now.screen)
            self._counts_fouls()
            if number % 5 == 0:
                self.checks_looks()

    def _comes_back(self) -> bool:
        """From a screen that is not the table's."""
        if self.now.screen in ("table", "result"):
            return False
        back = self.signed("back")
        if back is not None:
            self.table.touch(back)
        return back is not None

    def _chosen(self) -> Seen | None:
        found = [thing for thing in self.now.live if self._is_tried(thing)]
        if not found:
            return None
        mains = [thing for thing in found if thing.look == "main"]
        if mains and self.rng.random() < 0.45:
            found = mains
        return self.rng.choices(found, [1 / (1 + self.touched[self._key(thing)]) for thing in found])[0]

    def _is_tried(self, thing: Seen) -> bool:
        """Not what leaves the game, nor who sits where."""
        if thing.sign in LEADS_AWAY or thing.words in map(self.say, AVOIDED):
            return False
        return not (thing.on_table and thing.sign in SEATS)

    def _key(self, thing: Seen) -> str:
        return f"{thing.kind} {self.now.written_on(thing) or thing.sign} at {thing.box}"

    def _counts_fouls(self) -> None:
        said = next((thing.words for thing in self.now.things if thing.is_over and thing.kind == "Text"), "")
        is_foul = any(thing.is_over and thing.sign == "no" for thing in self.now.things)
        if is_foul and said != self._foul:
            self.fouls += 1
            if self.fouls == 1:
                self.keeps("a mistake")
        self._foul = said if is_foul else ""

    def must(self, holds: bool, what: str) -> None:
        if not holds:
            self.laws.breaks(what, self.now.screen)
