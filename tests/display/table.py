"""An app at a table in a test: its clock stands until it is told to go on, and fingers find what they look for."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.rules import Move
from companion.display.app import App
from companion.display.gestures import Gestures
from companion.display.layout import Size
from companion.display.scene import Back, ChangeTo, Go, Intent, Item, Mark, Say
from companion.display.screens import scene
from companion.display.view import Prefs, View
from companion.journal import Journal

NEXT_ROUND = Mark("next", value=True)
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
        self.hands = Gestures(self.app)
        self.by_keys = False

    def wait(self, seconds: float) -> None:
        self.hour.now += round(seconds * SECOND)
        self.app.attend(self.hour.now)

    def find(self, wanted: Callable[[Intent], bool]) -> Item:
        found = [item for item in self.app.scene.targets() if item.intent and wanted(item.intent)]
        assert found, f"nothing to touch on {self.app.view.screen}: {[t.intent for t in self.app.scene.targets()]}"
        return found[0]

    def do(self, wanted: Intent | Callable[[Intent], bool]) -> None:
        """Touch what means that, or walk there with the tab key and press return. How a round ended has been read."""
        if self.app.view.shows_round and wanted != NEXT_ROUND and not any(map(_test(wanted), self.intents)):
            self.do(NEXT_ROUND)
        item = self.find(_test(wanted))
        assert self.hands.scene, "people see what has come before they touch it"
        self.hour.now += 400 * MILLISECOND
        if self.by_keys:
            self._by_keys(item)
        else:
            assert self.hands.touch(*item.box.centre, self.hour.now)
        self.app.attend(self.hour.now)

    def _by_keys(self, item: Item) -> None:
        ringed = len(self.hands.scene.over) > len(self.app.scene.over)
        if item.key and not (item.key == "return" and ringed):  # return is for what the ring is around
            assert self.hands.key(item.key, item.key if len(item.key) == 1 else "", self.hour.now)
            return
        for _ in range(MOST_STEPS):
            self.hands.key("tab", "", self.hour.now)
            ring = self.hands.scene.over[-1]
            if ring.box == item.box:
                break
        assert self.hands.key("return", "\r", self.hour.now)

    def be(self, count: int) -> None:
        """So many people are set up: others come without saying their names, or somebody goes."""
        while (there := len(self.app.view.draft.players)) != count:
            if there < count:
                self.do(Go("name", str(there)))
                self.do(lambda intent: isinstance(intent, ChangeTo) and intent.then == Back())
            else:
                self.do(lambda intent, left=there - 1: isinstance(intent, ChangeTo) and _people(intent) == left)  # type: ignore[misc]

    @property
    def intents(self) -> list[Intent]:
        """All that can be touched now."""
        return [item.intent for item in self.app.scene.targets() if item.intent]

    @property
    def screen(self) -> str:
        return self.app.view.screen

    def close(self) -> None:
        if self.journal:
            self.journal.close()


def _people(intent: ChangeTo) -> int:
    return len(getattr(intent.to, "players", ()))


def _test(wanted: Intent | Callable[[Intent], bool]) -> Callable[[Intent], bool]:
    return (lambda intent: intent == wanted) if isinstance(wanted, Intent) else wanted


def within_reach(view: View, most: int = 100, cards: int = 2) -> list[Move]:
    """The moves that can be said from here by choosing things on this screen first; of all cards only a few."""
    found: list[Move] = []
    seen: list[dict[str, object]] = [dict(view.marks)]
    for marks in seen:
        counts: Counter[str] = Counter()
        for intent in (item.intent for item in scene(replace(view, marks=marks)).targets()):
            if isinstance(intent, Say) and isinstance(intent.message, Move):
                found.append(intent.message)
            if not isinstance(intent, Mark) or (intent.key == "cards" and counts["cards"] >= cards):
                continue
            counts[intent.key] += 1
            more = {key: value for key, value in {**marks, intent.key: intent.value}.items() if value is not None}
            if more not in seen and len(seen) < most:
                seen.append(more)
    return found


def out_of_reach(view: View) -> list[tuple[str, str]]:
    """What is open to whom and cannot be said on this screen; a token is released by nobody in particular, and struck
    when it is free for whoever strikes. Whoever can say what became of a card need not say before that it is drawn."""
    said = {(move.word, move.player) for move in within_reach(view)}
    wanted = {(word, player) for word, players in view.match.may.items() for player in players}
    missing = [(word, player) for word, player in wanted - said if (word, "") not in said or word != "release"]
    missing = [(word, player) for word, player in missing if word != "draw" or ("keep", player) not in said]
    free = getattr(view.match.state, "may_strike_at", lambda _player: 0)
    at = max(view.passed, view.match.now)
    return sorted((word, player) for word, player in missing if word != "strike" or free(player) <= at)
