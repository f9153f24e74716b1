"""Recording a match of bots as people would see it: `companion demo GAME --record FILE`.

Everything goes through the real app in travelled time: fingers touch the real screens, the referee rules, the painter
draws. The match is played twice: once to know it, and once on the screen with the same stamps, so the clocks are true;
shorter is only how long a still is shown when nothing happens, and longer when there is something to read.
"""

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.clocks import MILLISECOND
from companion.display.film import must_be_possible, write_film
from companion.display.fingers import touches
from companion.display.layout import Size
from companion.display.moments import FOULS, SLIP, weighed
from companion.display.reel import Reel, kept
from companion.display.show import BEGUN, LAST, Show, Wish
from companion.display.theme import THEMES
from companion.door import GRACE
from companion.exc import CompanionError
from companion.games import three, threepia
from companion.match import Match
from companion.playing import Step, play_out
from companion.referee import Told
from companion.rules import Foul, Move
from companion.words import LANGUAGES

if TYPE_CHECKING:
    import pygame

BETWEEN = 450 * MILLISECOND  # touches of one finger
IDLE = 400  # milliseconds that are left of a time in which nothing happens
PLAIN, TOLD, DECISIVE = 400, 1400, 2100  # milliseconds to look at what happened
WEIGHTY = 7  # what counts so much is decisive
SHORTEST, LONGEST = 3, 600  # seconds


@dataclass(frozen=True, slots=True)
class Recorded:
    seconds: float
    bytes: int


def record(wish: Wish, file: Path) -> Recorded:
    """Keep a recording of such a match."""
    _must_make_sense(wish)
    must_be_possible(file)
    with screen(wish.size) as surface:
        reel, size = recorded(wish, surface)
    stills = kept(reel.parts, wish.seconds)
    return Recorded(sum(still.lasts for still in stills) / 1000, write_film(file, size, stills))


def _must_make_sense(wish: Wish) -> None:
    for what, said, known in (("language", wish.prefs.language, LANGUAGES), ("theme", wish.prefs.theme, THEMES)):
        if said not in known:
            raise CompanionError(f"--{what} {said[:40]!r}: choose one of {', '.join(known)}.")
    if not SHORTEST <= wish.seconds <= LONGEST:
        raise CompanionError(f"--seconds {wish.seconds:g}: a recording is {SHORTEST} to {LONGEST} seconds long.")


def recorded(wish: Wish, surface: "pygame.Surface") -> tuple[Reel, Size]:
    """All of the match, and the size of its pictures."""
    if wish.setup.game == "triple3":
        from companion.display.watchedshow import WatchedShow  # noqa: PLC0415  (loads the eye)

        with contextlib.ExitStack() as stack:
            watched = WatchedShow(wish, surface, stack)
            watched.run()
            return watched.reel, watched.frame
    show = Show(wish, surface)
    played(show, list(play_out(Match(wish.setup), wish.seed, seen=False, mistakes=wish.mistakes)))
    return show.reel, wish.size


@contextlib.contextmanager
def screen(size: Size) -> Iterator["pygame.Surface"]:
    """Something to draw on that nobody sees."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame  # noqa: PLC0415

    pygame.display.init()
    pygame.font.init()
    try:
        yield pygame.display.set_mode(size)
    finally:
        pygame.display.quit()


# --- a match of bots, played again on the screen ---------------------------------------------------------------


def played(show: Show, steps: Sequence[Step]) -> None:
    """All of it. A move that the rules refuse is only tried where the screen lets somebody try it."""
    look = PLAIN
    for move, told in steps:
        look = _played(show, _as_said(move, show.wish.setup.house), told, look)
    show.still(LAST)


def _played(show: Show, move: Move, told: Told | Foul, look: int) -> int:
    """One move; how long there is something to look at afterwards."""
    stamp, view = BEGUN + move.at, show.app.view
    deadline = show.app.match.deadline if show.app.match else None
    if deadline is not None and move == deadline.move:
        show.wait(stamp, look, look + IDLE)
        show.reel.next_part()
        show.wait(stamp + GRACE + MILLISECOND, 0, TOLD)
    else:
        path = touches(view, move)
        if not path and isinstance(told, Foul):
            return look
        first = stamp - min(BETWEEN, (stamp - show.hour.now) // (len(path) + 1)) * max(0, len(path) - 1)
        show.wait(first, look, look + IDLE)
        show.reel.next_part()
        for number, item in enumerate(path):
            show.touch(item, first + (stamp - first) * (number + 1) // len(path) if number else first)
        if not path:
            show.say(move, stamp)
    name, weight = decided(told)
    show.reel.weigh(name, weight)
    return DECISIVE if weight >= WEIGHTY else TOLD if weight else PLAIN


def _as_said(move: Move, house: Any) -> Move:
    """As it is said on a screen: a dog by its name, and where a card lies in Threepia nobody is asked."""
    match move:
        case threepia.Lay():
            return replace(move, place="", card="", turned=0)
        case three.Call(dog=word) | three.Declare(dog=word):
            name = next((dog.name for dog in house.dogs if dog.colour == word), word)
            return replace(move, dog=name)
    return move


def decided(told: Told | Foul) -> tuple[str, int]:
    """What a ruling decides, and how much that counts."""
    if isinstance(told, Foul):
        return FOULS.get(told.code, SLIP)
    return weighed(event.word for event in told.ruling.events)
