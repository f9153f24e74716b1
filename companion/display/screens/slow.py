"""The moment again in slow motion: the last seconds before a Stop!, with a pause and single steps."""

from bisect import bisect_right
from collections.abc import Container

from companion.core.clocks import SECOND, Clock
from companion.devices.camera import Film
from companion.display.layout import Box, columns, rows
from companion.display.scene import Intent, Mark, Moving, Outline, Run
from companion.display.screens.elements import Page

SLOWLY = 4
BEFORE = SECOND // 2  # the first that came over a cell
AFTER = 2 * SECOND
AROUND = 0.4  # of the grid's width and height
KEY = "film"


def start(film: Film | None, at: int | None = None) -> Intent | None:
    """Show it from a stamp on, or from its beginning; nothing where too few pictures were kept of that moment."""
    if film is None or not _moves(film, at):
        return None
    return Run(KEY, clock=_clock(film, film.stamps[0] if at is None else at - BEFORE))


def _moves(film: Film, at: int | None) -> bool:
    """Whether there is more to see of that moment than one picture."""
    if at is None:
        return len(film.stamps) > 1
    return sum(at - BEFORE <= stamp <= at + AFTER for stamp in film.stamps) > 1


def _clock(film: Film, at: int) -> Clock:
    into = min(max(0, at - film.stamps[0]), film.length)
    return Clock(film.length * SLOWLY, into * SLOWLY)


def shown(page: Page, body: Box, film: Film, spots: Container[int]) -> None:
    """All over the screen; a frame is around each place of the mat that it is about."""
    m, clock = page.m, page.view.marks[KEY]
    picture, acts = rows(body, 1.0, m.of(14), gap=m.gap)
    page.panel(picture)
    around = tuple(Outline(place.corners, "focus") for place in film.places if place.cell in spots)
    page.add(Moving(picture.inset(m.edge), film, clock, SLOWLY, around, _part(film)))
    first, back, run, on, away = columns(acts, 1.0, 1.0, 1.6, 1.0, 1.0, gap=m.gap)
    runs = clock.is_running
    page.button(first, "", Run(KEY, clock=_clock(film, film.stamps[0])), symbol="first", key="b")
    page.button(back, "", Run(KEY, on=False) if runs else _step(film, clock, -1), symbol="back", key=",")
    page.button(run, "", Run(KEY, on=not runs), look="main", symbol="pause" if runs else "play", key="p")
    page.button(on, "", Run(KEY, on=False) if runs else _step(film, clock, 1), symbol="next", key=".")
    page.button(away, "", Mark(KEY), symbol="wrong", key="x")


def _part(film: Film) -> tuple[float, float, float, float]:
    """The cells, and so much around them that arms are seen from where they come."""
    along, down = ([corner[at] for place in film.places for corner in place.corners] for at in (0, 1))
    if not along:
        return 0.0, 0.0, 1.0, 1.0
    room, above = AROUND * (max(along) - min(along)), AROUND * (max(down) - min(down))
    left, right = max(0.0, min(along) - room), min(1.0, max(along) + room)
    return left, max(0.0, min(down) - above), right, min(1.0, max(down) + above)


def _step(film: Film, clock: Clock, by: int) -> Intent | None:
    """One picture on or back, while it stands."""
    now = bisect_right(film.stamps, film.stamps[0] + clock.used // SLOWLY) - 1
    if not 0 <= now + by < len(film.stamps):
        return None
    return Mark(KEY, _clock(film, film.stamps[now + by]))
