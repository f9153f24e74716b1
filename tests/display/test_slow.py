"""Slow motion is offered where there are pictures of the moment, and nowhere else."""

from dataclasses import replace

import pytest

from companion.camera import Film, Sight
from companion.clocks import SECOND
from companion.display import gallery
from companion.display.scene import Button, Run, Text
from companion.display.screens import scene, slow
from companion.display.view import View
from companion.words import Words

NO_PICTURES = "No pictures of this moment were kept."
HELD = tuple(at * SECOND // 4 for at in range(40, 81))  # from second 10 to second 20
FILM = Film(HELD, (b"",) * len(HELD))


@pytest.mark.parametrize(
    ("film", "at", "is_offered"),
    [
        (FILM, 12 * SECOND, True),
        (FILM, None, True),
        (FILM, 3 * SECOND, False),  # long before
        (FILM, 40 * SECOND, False),  # seen when no picture was kept any more
        (Film(HELD[:1], (b"",)), None, False),
        (Film((HELD[0], HELD[-1]), (b"", b"")), 12 * SECOND, False),  # nothing in between
        (None, 12 * SECOND, False),
    ],
)
def test_only_what_moves_is_offered(film: Film | None, at: int | None, is_offered: bool) -> None:
    assert (slow.start(film, at) is not None) == is_offered


@pytest.mark.parametrize("since", [12, 300])
def test_where_no_pictures_were_kept_the_dispute_says_so(since: int) -> None:
    shown = next(shot.view for shot in gallery.shots((800, 480), Words()) if shot.name == "dispute-watched")
    view = replace(shown, sight=Sight("found", film=FILM), marks={**shown.marks, "dispute": _laid_at(shown, since)})
    drawn = scene(view)
    said = [item.text for item in drawn.items if isinstance(item, Text)]
    offered = [item for item in drawn.items if isinstance(item, Button) and isinstance(item.intent, Run)]
    assert bool(offered) == (since == 12)
    assert (NO_PICTURES in said) == (since != 12)


def _laid_at(view: View, seconds: int) -> dict[str, object]:
    """The dispute of that view, in which the newest play was seen at so many seconds."""
    dispute = view.marks["dispute"]
    evidence = {**(dispute["plays"][0]["evidence"] or {}), "since": seconds * SECOND}
    return {**dispute, "plays": [{**dispute["plays"][0], "evidence": evidence}, *dispute["plays"][1:]]}
