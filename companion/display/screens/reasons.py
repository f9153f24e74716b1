"""Why a score has changed by the newest ruling, in a line for everybody whose score it was; shown until the next."""

from dataclasses import dataclass, fields

from companion.core.rules import Event, Place
from companion.display.layout import Box, columns, rows
from companion.display.scene import Badge
from companion.display.screens.elements import Page
from companion.display.speech import recalled
from companion.display.view import Seen
from companion.words import Words

HIGH, HIGHER = 11.0, 16.0  # of a line, of one with much to tell, in hundredths of the shorter side
LONG = 60  # letters
MOST = 4  # lines
BETWEEN = "  ·  "
WIDE = 0.6  # of a letter, for its height


@dataclass(frozen=True, slots=True)
class Reason:
    """A player's score, by how much it has changed, and why."""

    player: str
    by: int
    sentences: tuple[str, ...]

    @property
    def sign(self) -> str:
        return f"+{self.by}" if self.by > 0 else f"−{-self.by}"


def reasons(words: Words, seen: Seen) -> list[Reason]:
    """What the newest ruling has changed."""
    if not seen.line:
        return []
    before = (seen.line[-2].ruling if len(seen.line) > 1 else seen.start).state.scores
    changed = zip(seen.state.players, before, seen.line[-1].ruling.state.scores, strict=True)
    return [Reason(who, now - was, _why(words, seen, who)) for who, was, now in changed if now != was]


def _why(words: Words, seen: Seen, player: str) -> tuple[str, ...]:
    events = [event for event in seen.events if event.counts and is_about(event, player)]
    return tuple(_said(words, seen, event) for event in sorted(events, key=lambda event: event.counts))


def is_about(event: Event, player: str) -> bool:
    """Whether an event names the player."""
    facts = (getattr(event, field.name) for field in fields(event))
    return any(fact == player or player in _names(fact) for fact in facts)


def _names(fact: object) -> tuple[object, ...]:
    return (fact.of,) if isinstance(fact, Place) else fact if isinstance(fact, tuple) else ()


def _said(words: Words, seen: Seen, event: Event) -> str:
    """A sentence; of rows how long each is, of what, and what it is worth."""
    runs = getattr(event, "runs", ())
    each = (f"{len(run.cells)} × {words.value(run.value)} +{run.points}" for run in runs)
    return ", ".join(each) or recalled(words, seen, event)


def is_one(page: Page) -> bool:
    return len(reasons(page.words, page.view.match)) == 1


def depth(page: Page) -> int:
    """The room that they take; 0 where no score has changed."""
    found, m = _shown(page), page.m
    return sum(m.of(_high(reason)) for reason in found) + max(0, len(found) - 1) * (m.gap // 2)


def reason_lines(page: Page, box: Box) -> None:
    found = _shown(page)
    for reason, line in zip(found, rows(box, *map(_high, found), gap=page.m.gap // 2), strict=True):
        reason_line(page, line, reason)


def _shown(page: Page) -> list[Reason]:
    return reasons(page.words, page.view.match)[:MOST]


def _high(reason: Reason) -> float:
    """How high a line is, in hundredths of the shorter side."""
    return HIGH if len(BETWEEN.join(reason.sentences)) < LONG else HIGHER


def reason_line(page: Page, box: Box, reason: Reason) -> None:
    """Whose score, by how much, and why."""
    m = page.m
    page.panel(box, "panel", "good" if reason.by > 0 else "warn")
    inside = box.inset(m.edge, 2)
    side = min(inside.h, m.of(6))
    badge, by, why = columns(inside, side, m.of(11), 1.0, gap=m.gap)
    page.add(Badge(badge.middle(side, side), page.view.match.colours[reason.player]))
    page.text(by, reason.sign, m.of(6.4), "good" if reason.by > 0 else "warn", align="left")
    _why_within(page, why, reason)


def said(page: Page, box: Box) -> None:
    """The only one, beside something else."""
    reason = reasons(page.words, page.view.match)[0]
    by, why = columns(box, page.m.of(9), 1.0, gap=page.m.gap // 2)
    page.text(by, reason.sign, page.m.body, "good" if reason.by > 0 else "warn", align="right")
    _why_within(page, why, reason)


def _why_within(page: Page, box: Box, reason: Reason) -> None:
    """As much of it as there is room for, what matters most first."""
    m = page.m
    lines = max(1, 4 * box.h // (5 * m.least))
    room = int(lines * box.w / (WIDE * m.least))
    count = len(reason.sentences)
    told = (BETWEEN.join(reason.sentences[:many]) for many in range(count, 0, -1))
    text = next((one for one in told if len(one) <= room), next(iter(reason.sentences), ""))
    page.text(box, text, m.of(4.6), align="left", lines=lines)
