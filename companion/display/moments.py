"""The decisive moments of a match, and their pictures: a strike, a foul, a penalty, a round, the end."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.clocks import MILLISECOND
from companion.correction import Done
from companion.display.layout import Size
from companion.display.view import Notice, Prefs, Seen, View
from companion.exc import CompanionError
from companion.match import Match
from companion.rules import Foul
from companion.words import Words

# What an event is called as a moment, and how much it counts; what is not here decides nothing.
KINDS: Mapping[str, tuple[str, int]] = {
    "ahead": ("photo-finish", 10),
    "struck": ("strike", 7),
    "struck-together": ("tie", 9),
    "whose-hand": ("strike", 6),
    "called": ("call", 4),
    "checked": ("check", 8),
    "seen-otherwise": ("check", 9),
    "released": ("released", 3),
    "final-round": ("last-round", 4),
    "last-calls": ("last-round", 4),
    "must-draw": ("penalty", 5),
    "caught": ("caught", 10),
    "said-tres": ("tres", 6),
    "said-together": ("tie", 9),
    "turn-lost": ("turn-lost", 3),
    "reshuffled": ("reshuffled", 2),
    "played-illegally": ("illegal", 9),
    "found-lying": ("found", 4),
    "stopped": ("stop", 8),
    "claim-open": ("claim", 9),
    "nobody-can-lay": ("blocked", 5),
    "round-won": ("round", 8),
    "three-of-a-colour": ("three", 9),
    "drawn-by-repetition": ("drawn", 8),
    "nobody-can-move": ("drawn", 8),
    "hand-empty": ("hand-empty", 3),
    "turn-time-up": ("time-up", 6),
    "out-of-time": ("time-up", 7),
    "deck-used-up": ("deck-empty", 4),
    "ended": ("result", 100),
}
# The fouls from which something is learnt about a game; the others are slips that every game refuses.
FOULS: Mapping[str, tuple[str, int]] = {
    "no-new-triple": ("illegal", 9),
    "not-out": ("foul", 7),
    "somebody-can-lay": ("foul", 7),
    "moved-back": ("foul", 9),
    "stack-full": ("foul", 7),
    "not-consecutive": ("foul", 7),
    "not-three-cards": ("foul", 7),
    "not-the-drawn-card": ("foul", 7),
    "count-differs": ("foul", 7),
    "strike-void": ("foul", 7),
    "does-not-fit": ("foul", 7),
    "points-differ": ("foul", 7),
    "not-your-turn": ("foul", 5),
}
SLIP = ("foul", 2)
LATER = 700 * MILLISECOND  # after what happened, the picture is taken


@dataclass(frozen=True)
class Moment:
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


def moments(match: Match, fouls: Iterable[tuple[int, Foul]] = (), most: int = 12) -> list[Moment]:
    """At most so many of them, in the order in which they came: of each kind some, the weightier ones first.

    `fouls` are the moves that were refused, each with how many moves had been made by then. Of a match that still runs
    there are none: its tables of before show what nobody may look up.
    """
    return [] if match.is_running else decisive([*_ruled(match), *_refused(match, fouls)], most)


def decisive(found: Sequence[Moment], most: int) -> list[Moment]:
    """The weightiest of them; what comes again and again counts less each time."""
    left, chosen, times = sorted(found, key=_when), list[Moment](), Counter[str]()
    while left and len(chosen) < most:
        best = max(left, key=lambda one: one.weight / (1 + times[one.name]))
        times[best.name] += 1
        chosen.append(best)
        left.remove(best)
    return sorted(chosen, key=_when)


def weighed(events: Iterable[str]) -> tuple[str, int]:
    """What these events decide together, and how much that counts; nothing and 0 if they decide nothing."""
    return max((KINDS[word] for word in events if word in KINDS), key=lambda kind: kind[1], default=("", 0))


def _when(moment: Moment) -> tuple[int, bool]:
    return moment.number, moment.foul is not None


def _ruled(match: Match) -> Iterator[Moment]:
    for number, done in enumerate(match.line, 1):
        name, weight = weighed(event.word for event in done.ruling.events)
        if name:
            said = " ".join(done.ruling.sentences)
            yield Moment(name, weight, number, done.move.at, said, _seen(match, number))


def _refused(match: Match, fouls: Iterable[tuple[int, Foul]]) -> Iterator[Moment]:
    for number, foul in fouls:
        seen = _seen(match, number)
        yield Moment(*FOULS.get(foul.code, SLIP), number, seen.now, foul.sentence, seen, foul)


def _seen(match: Match, number: int) -> Seen:
    """The match after so many moves."""
    line: tuple[Done, ...] = tuple(match.line[:number])
    ruling = line[-1].ruling if line else match.start
    now = max((done.move.at for done in line), default=0)
    return Seen(match.setup, match.game, ruling, line, match.start, now, table=number)


def save_moments(
    found: Sequence[Moment], folder: Path, *, size: Size = (800, 480), prefs: Prefs | None = None
) -> list[Path]:
    """Their pictures, numbered, in a folder that is made if there is none."""
    prefs = prefs or Prefs()
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame  # noqa: PLC0415

    from companion.display.painter import Painter  # noqa: PLC0415
    from companion.display.screens import scene  # noqa: PLC0415

    pygame.display.init()
    pygame.font.init()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        surface = pygame.display.set_mode(size)
        saved = []
        for number, moment in enumerate(found, 1):
            Painter(surface, prefs.theme).paint(scene(moment.view(size, prefs)), moment.at + LATER)
            saved.append(folder / f"{number:02}-{moment.name}.png")
            pygame.image.save(surface, saved[-1])
    except (OSError, pygame.error) as error:
        why = getattr(error, "strerror", None) or error
        raise CompanionError(f"The pictures cannot be kept in {folder}: {why}.") from None
    finally:
        pygame.display.quit()
    return saved
