"""Slow motion is offered where there are pictures of the moment, and nowhere else."""

from dataclasses import replace

import pytest

from companion.core.clocks import SECOND
from companion.devices.camera import CameraSight, Film
from companion.display.scene import Button, Run, Text
from companion.display.screens import scene, slow
from companion.display.view import View
from companion.watch.messages import DisputeReply
from companion.words import Words
from tools.gallery import scenes as gallery

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
    view = replace(
        shown, sight=CameraSight("found", film=FILM), marks={**shown.marks, "dispute": _laid_at(shown, since)}
    )
    drawn = scene(view)
    said = [item.text for item in drawn.items if isinstance(item, Text)]
    offered = [item for item in drawn.items if isinstance(item, Button) and isinstance(item.intent, Run)]
    assert bool(offered) == (since == 12)
    assert (NO_PICTURES in said) == (since != 12)


def _laid_at(view: View, seconds: int) -> DisputeReply:
    """The dispute of that view, in which the newest play was seen at so many seconds."""
    dispute = view.marks["dispute"]
    assert isinstance(dispute, DisputeReply)
    newest, *older = dispute.plays
    assert newest.evidence
    evidence = replace(newest.evidence, since=seconds * SECOND)
    return replace(dispute, plays=[replace(newest, evidence=evidence), *older])
