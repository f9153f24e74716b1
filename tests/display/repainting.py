"""`python -m tests.display.repainting 2000`: a scene painted after its neighbour is, pixel for pixel, the scene painted
afresh. Scenes are neighbours as people see them: move by move through the matches that are kept in tests/matches, with
time that passes, things chosen on the screen and rings of the keys; and walks of a guest who touches anything. Then
half as many more, in the window of an evening of bots (tests/evening.py): the display and the drawn table beside it.

A painter that forgets whether something can be touched, as ours once did, is tried as well: it must be found out.
"""

import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import cycle, islice
from json import loads
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pygame

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.match import Match, set_up
from companion.core.record import read_setup
from companion.core.referee import Referee
from companion.core.requests import read_message
from companion.core.session import Session
from companion.display.app import App
from companion.display.gestures import Gestures
from companion.display.layout import Box, Size
from companion.display.library import Library
from companion.display.looks import Looks, changed
from companion.display.painter import Painter
from companion.display.scene import ChangeTo, Go, Leave, Mark, Scene, Start
from companion.display.screens import scene
from companion.display.theme import THEMES
from companion.display.view import NOTHING, Draft, Prefs, Seen, View, seen
from companion.games import NAMES, game
from companion.journal import Journal
from companion.words import LANGUAGES, Words
from tests.display.table import Hour
from tests.evening import Evening
from tests.matches.earlier import JOURNAL, journals, unpacked

SIZES: tuple[Size, ...] = ((800, 480), (1280, 720), (480, 800), (1280, 800), (1920, 1080), (320, 240))
WORDED = sorted((Path(__file__).parents[1] / "matches").glob("*.jsonl"))
RUN = 12  # neighbours, before another match is looked at
PEOPLE = ("Anna", "Ben", "Clara", "Dario")

States = Callable[[], Iterator[Seen]]


@dataclass(frozen=True, slots=True)
class Shown:
    """A scene at a table time."""

    scene: Scene
    now: int


@dataclass(frozen=True, slots=True)
class Strip:
    """Neighbouring scenes on one screen."""

    game: str
    number: int
    size: Size
    theme: str
    shown: Sequence[Shown]


# --- where they come from --------------------------------------------------------------------------------------


def strips(seed: int = 1) -> Iterator[Strip]:
    """Without end, games and sizes in turn: some from kept matches, some from walks."""
    chance = random.Random(seed)
    kept = {name: cycle(chance.sample(found, len(found))) for name, found in matches().items()}
    for number, (name, size) in enumerate(zip(cycle(NAMES), cycle(SIZES), strict=False)):
        theme, language = chance.choice(tuple(THEMES)), chance.choice(tuple(LANGUAGES))
        view = View(size, Words(language), "table", prefs=Prefs(theme, language, around=chance.random() < 0.3))
        walks = chance.random() < 0.3
        found = _walk(name, view, chance) if walks else _followed(list(next(kept[name])()), view, chance)
        yield Strip(name, number, size, theme, tuple(islice(found, RUN)))


@cache
def matches() -> dict[str, list[States]]:
    """All that are kept, by their game."""
    found: dict[str, list[States]] = {name: [] for name in NAMES}
    for file in WORDED:
        setup = loads(file.read_text(encoding="utf-8").splitlines()[0])["match"]
        found[setup["game"]].append(partial(_told, file))
    for name in journals():
        with TemporaryDirectory() as folder:
            path = Path(folder) / "journal.sqlite3"
            path.write_bytes(unpacked(f"{name}{JOURNAL}"))
            with Journal.open(path) as journal:
                for one in journal.matches():
                    stored = journal.stored(one.code)
                    found[one.game].append(partial(_folded, stored))
    return found


def _told(file: Path) -> Iterator[Seen]:
    head, *lines = map(loads, file.read_text(encoding="utf-8").splitlines())
    session = Session(Referee.begin(read_setup(head["match"]), 0), None)
    for line in lines[::2]:
        session.answer(read_message(session.referee.match.game, line["told"]))
        yield seen(session.referee.match)


def _folded(stored: Any) -> Iterator[Seen]:
    match = Match(stored.setup)
    yield seen(match)
    for entry in stored.entries:
        match.take(entry)
        yield seen(match)


def _followed(states: Sequence[Seen], view: View, chance: random.Random) -> Iterator[Shown]:
    """A part of a match, as those see it who play it."""
    for state in states[chance.randrange(max(1, len(states) - RUN // 2)) :]:
        now = state.now
        there = replace(view, seen=state, screen="result" if state.is_over else "table", marks=NOTHING)
        found = scene(there)
        yield Shown(found, now)
        yield Shown(found, now + 700 * MILLISECOND)
        for _ in range(chance.randrange(3)):
            now += chance.choice((80 * MILLISECOND, SECOND, 20 * SECOND))
            there = _on(replace(there, passed=now), chance)
            yield Shown(_ringed(scene(there), chance), now)


def _on(view: View, chance: random.Random) -> View:
    """Something more is chosen on this screen, or less."""
    marks = [item.intent for item in scene(view).targets() if isinstance(item.intent, Mark)]
    if not marks:
        return view
    mark = chance.choice(marks)
    chosen = {key: value for key, value in {**view.marks, mark.key: mark.value}.items() if value is not None}
    return replace(view, marks=MappingProxyType(chosen))


def _ringed(found: Scene, chance: random.Random) -> Scene:
    targets = found.targets()
    return found.with_focus(chance.choice(targets)) if targets and chance.random() < 0.2 else found


def _walk(name: str, view: View, chance: random.Random) -> Iterator[Shown]:
    """What a guest sees who sits down at a game and touches anything, or steps about with the keys."""
    hour = Hour()
    app = App(view.size, prefs=view.prefs, clock=hour, library=Library(None, checks=dict))
    hands = Gestures(app)
    people = set_up(game(name), PEOPLE[: game(name).players[1]], game(name).house(), match_id="walk").players
    app.take(Go("players", name), hour.now)
    app.take(ChangeTo(Draft(name, people, game(name).house()), Start()), hour.now)
    while True:
        yield Shown(hands.scene, app.table_time(hour.now))
        hour.now += chance.choice((60 * MILLISECOND, 300 * MILLISECOND, SECOND, 12 * SECOND))
        if chance.random() < 0.25:
            hands.key(chance.choice(("tab", "right", "down", "escape", "return")), "", hour.now)
        elif targets := [item for item in app.scene.targets() if not isinstance(item.intent, Leave)]:
            hands.touch(*chance.choice(targets).box.centre, hour.now)
        app.attend(hour.now)
        if app.is_left:
            return


# --- the law ---------------------------------------------------------------------------------------------------


def broken(strip: Strip, painter: type[Painter] = Painter) -> Iterator[str]:
    """The scenes that another one before them changes, and where."""
    surface, fresh = pygame.Surface(strip.size), pygame.Surface(strip.size)
    after = painter(surface, strip.theme)
    for number, shown in enumerate(strip.shown):
        after.paint(shown.scene, shown.now, shown.now)
        painter(fresh, strip.theme).paint(shown.scene, shown.now, shown.now)
        if (place := _difference(surface, fresh)) is not None:
            yield f"{strip.game}, strip {strip.number}, scene {number}, {strip.size}: another picture at {place}"
            after.forget()
            after.paint(shown.scene, shown.now, shown.now)


def _difference(one: pygame.Surface, other: pygame.Surface) -> tuple[int, int] | None:
    """The first point that differs."""
    if one.get_buffer().raw == other.get_buffer().raw:
        return None
    points = (pygame.surfarray.array2d(one) != pygame.surfarray.array2d(other)).nonzero()
    return int(points[0][0]), int(points[1][0])


class Forgetful(Painter):
    """Does not compare whether something can be touched."""

    def _dirty(self, looks: Looks) -> list[Box]:
        if self._before is None:
            return super()._dirty(looks)
        before, after = ([replace(one, intent=None) for one in those] for those in (self._before, looks))
        return changed(before, after)


# --- an evening ------------------------------------------------------------------------------------------------


def broken_at_an_evening(wanted: int, seed: int = 1) -> tuple[list[str], Counter[str]]:
    """What was painted otherwise than afresh, and how many scenes each painter of the window has painted."""
    wrong: list[str] = []
    painted = Counter[str]()
    usual = Painter.paint

    def paint(self: Painter, shown: Scene, now: int = 0, stamp: int = 0) -> list[Box]:
        dirty = usual(self, shown, now, stamp)
        fresh = pygame.Surface(self._surface.get_size())
        usual(type(self)(fresh, self.theme.name), shown, now, stamp)
        painted[type(self).__name__] += 1
        if (place := _difference(self._surface.copy(), fresh)) is not None:
            wrong.append(f"{type(self).__name__}, scene {painted.total()}: another picture at {place}")
        return dirty

    with TemporaryDirectory() as folder, closing(Evening(Path(folder) / "journal.sqlite3", seed=seed)) as evening:
        Painter.paint = paint  # type: ignore[method-assign, assignment]
        try:
            while painted.total() < wanted:
                evening.step()
        finally:
            Painter.paint = usual  # type: ignore[method-assign]
    return wrong, painted


def main() -> int:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    pygame.display.set_mode((1280, 800))
    shown, forgetful, wrong = Counter[str](), 0, list[str]()
    for strip in strips():
        wrong += broken(strip)
        forgetful += len(list(broken(strip, Forgetful)))
        pairs = len(strip.shown) - 1
        shown.update({"pairs": pairs, strip.game: pairs, "{}x{}".format(*strip.size): pairs})
        if shown["pairs"] >= wanted:
            break
    print(f"{dict(shown)}: {len(wrong)} painted otherwise than afresh")  # noqa: T201
    print(f"by the painter that forgets what can be touched: {forgetful}")  # noqa: T201
    more, painted = broken_at_an_evening(wanted // 2)
    print(f"{dict(painted)} in the window of an evening: {len(more)} otherwise")  # noqa: T201
    wrong += more
    print(*wrong[:20], sep="\n")  # noqa: T201
    return int(bool(wrong) or not forgetful)


if __name__ == "__main__":
    sys.exit(main())
