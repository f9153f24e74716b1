"""The decisive moments of a match, and their pictures: a strike, a foul, a penalty, a round, the end."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pygame

from companion.core.clocks import MILLISECOND
from companion.core.correction import Done
from companion.core.errors import CompanionError
from companion.core.match import Match
from companion.core.rules import Foul
from companion.display.layout import Size
from companion.display.painter import Painter
from companion.display.screens import scene
from companion.display.view import Notice, Prefs, Seen, View
from companion.reports.statistics import Moment, tallies_of
from companion.words import Words

# What decides a match in every game, beside what the game itself says in its tallies.py; the rest decides nothing.
KINDS: Mapping[str, Moment] = {"ahead": ("photo-finish", 10), "ended": ("result", 100)}
FOULS: Mapping[str, Moment] = {"not-your-turn": ("foul", 5)}
# Other fouls are slips that every game refuses.
SLIP = ("foul", 2)
LATER = 700 * MILLISECOND  # after what happened, the picture is taken


@dataclass(frozen=True)
class MatchMoment:
    """A moment of a match, and the screen that showed it."""

    name: str
    weight: int
    number: int  # moves made so far
    at: int  # table time
    sentence: str
    seen: Seen
    foul: Foul | None = None

    def view(self, size: Size, prefs: Prefs | None = None) -> View:
        """What there was to see."""
        prefs = prefs or Prefs()
        words = Words(prefs.language)
        notice = Notice("foul", words.sentence(self.foul), self.foul.player, self.foul.code) if self.foul else None
        screen = "result" if self.seen.is_over else "table"
        return View(size, words, screen, prefs=prefs, seen=self.seen, notice=notice, depth=1)


def moments(match: Match, fouls: Iterable[tuple[int, Foul]] = (), most: int = 12) -> list[MatchMoment]:
    """At most so many of them, in the order in which they came: of each kind some, the weightier ones first.

    `fouls` are the moves that were refused, each with how many moves had been made by then. Of a match that still runs
    there are none: its tables of before show what nobody may look up.
    """
    return [] if match.is_running else decisive([*_ruled(match), *_refused(match, fouls)], most)


def decisive(found: Sequence[MatchMoment], most: int) -> list[MatchMoment]:
    """The weightiest of them; what comes again and again counts less each time."""
    left, chosen, times = sorted(found, key=_when), list[MatchMoment](), Counter[str]()
    while left and len(chosen) < most:
        best = max(left, key=lambda one: one.weight / (1 + times[one.name]))
        times[best.name] += 1
        chosen.append(best)
        left.remove(best)
    return sorted(chosen, key=_when)


def weighed(game: str, events: Iterable[str]) -> Moment:
    """What these events decide together, and how much that counts; nothing and 0 if they decide nothing."""
    kinds = {**KINDS, **tallies_of(game).moments}
    return max((kinds[word] for word in events if word in kinds), key=lambda kind: kind[1], default=("", 0))


def weighed_foul(game: str, code: str) -> Moment:
    return {**FOULS, **tallies_of(game).fouls}.get(code, SLIP)


def _when(moment: MatchMoment) -> tuple[int, bool]:
    return moment.number, moment.foul is not None


def _ruled(match: Match) -> Iterator[MatchMoment]:
    for number, done in enumerate(match.line, 1):
        name, weight = weighed(match.setup.game, (event.word for event in done.ruling.events))
        if name:
            said = " ".join(done.ruling.sentences)
            yield MatchMoment(name, weight, number, done.move.at, said, _seen(match, number))


def _refused(match: Match, fouls: Iterable[tuple[int, Foul]]) -> Iterator[MatchMoment]:
    for number, foul in fouls:
        seen = _seen(match, number)
        yield MatchMoment(*weighed_foul(match.setup.game, foul.code), number, seen.now, foul.sentence, seen, foul)


def _seen(match: Match, number: int) -> Seen:
    """The match after so many moves."""
    line: tuple[Done, ...] = tuple(match.line[:number])
    ruling = line[-1].ruling if line else match.start
    now = max((done.move.at for done in line), default=0)
    return Seen(match.setup, match.game, ruling, line, match.start, now, table=number)


@contextmanager
def screen(size: Size) -> Iterator[pygame.Surface]:
    """Something to draw on that nobody sees."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    pygame.display.init()
    pygame.font.init()
    try:
        yield pygame.display.set_mode(size)
    finally:
        pygame.display.quit()


def save_moments(
    found: Sequence[MatchMoment], folder: Path, *, size: Size = (800, 480), prefs: Prefs | None = None
) -> list[Path]:
    """Their pictures, numbered, in a folder that is made if there is none."""
    prefs, saved = prefs or Prefs(), list[Path]()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with screen(size) as surface:
            for number, moment in enumerate(found, 1):
                Painter(surface, prefs.theme).paint(scene(moment.view(size, prefs)), moment.at + LATER)
                saved.append(folder / f"{number:02}-{moment.name}.png")
                pygame.image.save(surface, saved[-1])
    except (OSError, pygame.error) as error:
        why = getattr(error, "strerror", None) or error
        raise CompanionError(f"The pictures cannot be kept in {folder}: {why}.") from None
    return saved
