"""Recording a match of bots as people would see it: `companion demo GAME --record FILE`.

Everything goes through the real app in travelled time: fingers touch the real screens, the referee rules, the painter
draws. The match is played twice: once to know it, and once on the screen with the same stamps, so the clocks are true;
shorter is only how long a still is shown when nothing happens, and longer when there is something to read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pygame

from companion.core.clocks import MILLISECOND
from companion.core.errors import CompanionError
from companion.core.match import Match
from companion.core.referee import Told
from companion.core.rules import Foul, Move
from companion.display.film import must_be_possible, write_film
from companion.display.fingers import touches
from companion.display.layout import Size
from companion.display.moments import screen, weighed, weighed_foul
from companion.display.reel import Reel, kept
from companion.display.screens.table_screen import screen_of
from companion.display.show import BEGUN, LAST, GameRecording, ScreenShow, ShowWish
from companion.display.theme import THEMES
from companion.games import part
from companion.inputs.inbox import GRACE
from companion.words import LANGUAGES
from simulator.playing import Step, play_out

BETWEEN = 450 * MILLISECOND  # touches of one finger
IDLE = 400  # milliseconds that are left of a time in which nothing happens
PLAIN, TOLD, DECISIVE = 400, 1400, 2100  # milliseconds to look at what happened
WEIGHTY = 7  # what counts so much is decisive
SHORTEST, LONGEST = 3, 600  # seconds


@dataclass(frozen=True, slots=True)
class Recorded:
    seconds: float
    bytes: int


def record(wish: ShowWish, file: Path) -> Recorded:
    """Keep a recording of such a match."""
    _must_make_sense(wish)
    must_be_possible(file)
    with screen(wish.size) as surface:
        reel, size = recorded(wish, surface)
    stills = kept(reel.parts, wish.seconds)
    return Recorded(sum(still.lasts for still in stills) / 1000, write_film(file, size, stills))


def _must_make_sense(wish: ShowWish) -> None:
    for what, said, known in (("language", wish.prefs.language, LANGUAGES), ("theme", wish.prefs.theme, THEMES)):
        if said not in known:
            raise CompanionError(f"--{what} {said[:40]!r}: choose one of {', '.join(known)}.")
    if not SHORTEST <= wish.seconds <= LONGEST:
        raise CompanionError(f"--seconds {wish.seconds:g}: a recording is {SHORTEST} to {LONGEST} seconds long.")


def recorded(wish: ShowWish, surface: pygame.Surface) -> tuple[Reel, Size]:
    """All of the match, and the size of its pictures."""
    whole = part(wish.setup.game, "watched_recording", GameRecording).whole
    if whole is not None:
        return whole(wish, surface)
    show = ScreenShow(wish, surface)
    played(show, list(play_out(Match(wish.setup), wish.seed, seen=False, mistakes=wish.mistakes)))
    return show.reel, wish.size


# --- a match of bots, played again on the screen ---------------------------------------------------------------


def played(show: ScreenShow, steps: Sequence[Step]) -> None:
    """All of it. A move that the rules refuse is only tried where the screen lets somebody try it."""
    look, as_said = PLAIN, screen_of(show.wish.setup.game).as_said
    for move, told in steps:
        look = _played(show, as_said(move, show.wish.setup.house), told, look)
    show.still(LAST)


def _played(show: ScreenShow, move: Move, told: Told | Foul, look: int) -> int:
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
    name, weight = decided(show.wish.setup.game, told)
    show.reel.weigh(name, weight)
    return DECISIVE if weight >= WEIGHTY else TOLD if weight else PLAIN


def decided(game: str, told: Told | Foul) -> tuple[str, int]:
    """What a ruling decides, and how much that counts."""
    if isinstance(told, Foul):
        return weighed_foul(game, told.code)
    return weighed(game, (event.word for event in told.ruling.events))
