"""Runs against the clock, the best first, for the table on which one is made and for its end."""

from collections.abc import Sequence

from companion.core.clocks import SECOND
from companion.display.layout import Box, columns, rows
from companion.display.scene import digits
from companion.display.screens.elements import Page
from companion.reports.trials import Trial
from companion.words import labels


def best_times(page: Page, box: Box, found: Sequence[Trial], mine: Trial | None = None) -> None:
    """Runs that can be compared, the best first."""
    m = page.m
    if not found:
        page.text(box, page.words.say("Nobody has played it out yet."), m.body, "quiet", lines=3)
        return
    count = max(3, min(8, box.h // m.of(8)))
    for number, (trial, line) in enumerate(zip(found, rows(box, *(1.0,) * count), strict=False), 1):
        role = "warn" if mine and trial.is_same(mine) else "text"
        place, who, left, long = columns(line, m.of(7), 1.0, m.of(24) if trial.left else 1, m.of(20), gap=m.gap)
        page.text(place, str(number), m.body, "quiet")
        page.text(who, trial.name, m.body, role, align="left")
        if trial.left:
            page.text(left, page.words.say(labels.CARDS_LEFT, count=trial.left), m.small, "quiet", align="right")
        page.text(long, digits(trial.time // SECOND), m.body, role, align="right")
